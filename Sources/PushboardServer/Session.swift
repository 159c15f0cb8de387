import Pushboard
import WebSockets

/// What the gateway keeps of one open socket.
final class Session {
    let caller: Caller
    /// Everything with a number up to this was sent on this connection (rule 2 of the protocol).
    var sent = 0
    /// The snapshot that is under way; state waits for its end.
    var snapshot: Feed.Snapshot?
    /// The number of the newest run event that was sent, for a subscriber.
    var runCursor: Int?
    var presses: RateWindow
    var malformed: RateWindow

    init(caller: Caller, snapshot: Feed.Snapshot, limits: Limits) {
        self.caller = caller
        self.snapshot = snapshot
        presses = RateWindow(limit: limits.pressesPerSecond, per: .seconds(1))
        malformed = RateWindow(limit: limits.malformedMessages, per: .seconds(10))
    }

    /// Whether a frame with what came after `seq` may go out directly.
    func hasEverything(upTo seq: Int) -> Bool { snapshot == nil && sent == seq }
}

/// How a person without an account is called: in quotes by their own choice, else as a guest.
enum CallerName {
    static func display(name: String?, guest: String?) -> String {
        if let name = name.map(tidied), !name.isEmpty { return "“\(name)”" }
        return "guest " + (guest.flatMap(tag) ?? RandomID.make(length: 4))
    }

    /// At most 64 characters, without what would disturb a line of text or close the quotes.
    private static func tidied(_ name: String) -> String {
        let visible = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .initialPunctuation, .finalPunctuation: false
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        let words = String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace)
        // Of scalars: one character may have any number of accents.
        return String(String.UnicodeScalarView(words.joined(separator: " ").unicodeScalars.prefix(64)))
    }

    private static func tag(_ text: String) -> String? {
        let isTag =
            text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
        return isTag ? text : nil
    }
}
