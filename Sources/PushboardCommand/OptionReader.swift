import CGetopt
import Glibc

/// Reads long options with the system's `getopt_long`. Called once, at the start of the process.
enum OptionReader {
    struct Declaration {
        let name: String
        /// What its value is called in the help; `nil` = it takes none.
        let value: String?
        let help: String
    }

    struct Option {
        let name: String
        let value: String
    }

    /// - Throws: `UsageError` for what is unknown, lacks its value or is no option.
    static func read(_ arguments: [String], known: [Declaration]) throws -> [Option] {
        let words = CStrings(arguments)
        defer { words.free() }
        let names = CStrings(known.map(\.name))
        defer { names.free() }
        var options = unsafe known.indices.map { index in
            unsafe option(name: names.pointers[index], has_arg: known[index].value == nil ? 0 : 1, flag: nil, val: 0)
        }
        unsafe options.append(option())
        return try unsafe parse(words, count: Int32(arguments.count), options, known)
    }

    private static func parse(
        _ words: CStrings, count: Int32, _ options: [option], _ known: [Declaration]
    ) throws -> [Option] {
        var found: [Option] = []
        cgetopt_start()
        var index: Int32 = 0
        while true {
            switch unsafe cgetopt_next(count, words.pointers, options, &index) {
            case -1:
                let next = Int(cgetopt_position())
                guard next >= count else {
                    throw UsageError("what is `\(words[next])`? Options begin with `--`.")
                }
                return found
            case 0:
                let value = unsafe cgetopt_value().map { unsafe String(cString: $0) } ?? ""
                found.append(Option(name: known[Int(index)].name, value: value))
            case Int32(UInt8(ascii: ":")):
                let word = words[Int(cgetopt_position()) - 1]
                throw UsageError("\(word) needs a value; `--help` lists the options.")
            default:
                let word = words[Int(cgetopt_position()) - 1]
                throw UsageError("there is no option \(word), or it is used wrongly; `--help` lists the options.")
            }
        }
    }
}

/// Words as C wants them, ended by a null pointer. `getopt_long` reorders them in place, so all of them stay reachable.
@safe private struct CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ words: [String]) {
        count = words.count
        unsafe pointers = .allocate(capacity: words.count + 1)
        unsafe pointers.initialize(repeating: nil, count: words.count + 1)
        for (index, word) in words.enumerated() { unsafe pointers[index] = unsafe strdup(word) }
    }

    subscript(index: Int) -> String { unsafe pointers[index].map { unsafe String(cString: $0) } ?? "" }

    func free() {
        for index in 0..<count { unsafe Glibc.free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
