/// Puts the pieces of one message together, bounded in bytes.
package struct MessageAssembler {
    package enum Step: Equatable {
        /// More pieces follow.
        case doNothing
        case text([UInt8])
        case binary([UInt8])
        /// A text that ends within a character, in the one case that lws lets through: its last piece is empty.
        case notText
        /// Over the limit: told once, and what follows is thrown away.
        case tooBig
    }

    /// 0: none.
    let limit: Int
    private var bytes: [UInt8] = []
    private var overflowed = false
    /// The message that was given last had several fragments, so that other frames may have come between them.
    private(set) var wasFragmented = false
    private var isFragmented = false

    package init(limit: Int) { self.limit = limit }

    /// Takes one piece. `announced` is what the frame says will follow it, so that a huge frame is refused at its start.
    package mutating func add(_ piece: UnsafeRawBufferPointer, announced: Int, isLast: Bool, isBinary: Bool) -> Step {
        if overflowed { return .doNothing }
        let (sum, wraps) = (bytes.count + piece.count).addingReportingOverflow(announced)
        if limit != 0, wraps || sum > limit {
            reset()
            overflowed = true
            return .tooBig
        }
        unsafe bytes.append(contentsOf: piece)
        guard isLast else {
            if announced == 0 { isFragmented = true }
            return .doNothing
        }
        wasFragmented = exchange(&isFragmented, with: false)
        let message = exchange(&bytes, with: [])
        if isBinary { return .binary(message) }
        if unsafe piece.isEmpty, String(validating: message, as: UTF8.self) == nil { return .notText }
        return .text(message)
    }

    mutating func reset() { bytes = [] }
}
