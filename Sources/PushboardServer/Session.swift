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
        // The one that does not fit any more is the last.
        malformed = RateWindow(limit: max(0, limits.malformedMessages - 1), per: .seconds(10))
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

    /// At most 64 characters, without what would disturb a line of text.
    private static func tidied(_ name: String) -> String {
        let visible = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        let words = String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace)
        return String(words.joined(separator: " ").prefix(64))
    }

    private static func tag(_ text: String) -> String? {
        let isTag =
            text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
        return isTag ? text : nil
    }
}
