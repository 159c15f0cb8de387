import Testing

@testable import PushboardServer

@Suite("Base path")
struct BasePathTests {
    @Test(
        "Slashes around it do not matter",
        arguments: [
            ("", "/"), ("/", "/"), ("//", "/"), ("board", "/board/"), ("/board", "/board/"), ("/board/", "/board/"),
            ("a/b", "/a/b/"), ("//a///b//", "/a/b/"), ("/a.b_c-D1/", "/a.b_c-D1/"), (".well-known", "/.well-known/"),
        ])
    func text(given: String, text: String) throws {
        #expect(try BasePath(given).text == text)
    }

    @Test(
        "What could be read in two ways is refused",
        arguments: [
            ".", "..", "a/../b", "/./", "a b", "ä", "a?b", "a#b", "a%20", "a;b", "a\\b", "a\r\nb", "a\0b", "\"", "~a",
        ])
    func refused(given: String) {
        let error = #expect(throws: ServerError.self) { try BasePath(given) }
        #expect(error?.description.contains("--base") == true)
    }

    @Test(
        "Paths are served with and without the base",
        arguments: [
            ("/", "/ws", "/ws"), ("/", "/", "/"), ("/board/", "/board/", "/"), ("/board/", "/board/ws", "/ws"),
            ("/board/", "/ws", "/ws"), ("/board/", "/", "/"), ("/board/", "/boardx", "/boardx"),
            ("/board/", "/board", "/board"), ("/board/", "/board/board/x", "/board/x"), ("/a/b/", "/a/b/c", "/c"),
            ("/a/b/", "/a/c", "/a/c"), ("/a/", "/a//x", "//x"),
        ])
    func strip(base: String, path: String, stripped: String) throws {
        #expect(try BasePath(base).strip(path) == stripped)
    }

    @Test(
        "The base without its slash is sent on, relatively",
        arguments: [
            ("/", "/", false, ""), ("/", "", false, ""), ("/board/", "/board", true, "board"),
            ("/board/", "/board/", false, "board"), ("/board/", "/", false, "board"), ("/a/b/", "/a/b", true, "b"),
            ("/a/b/", "/a", false, "b"),
        ])
    func slash(base: String, path: String, lacks: Bool, last: String) throws {
        let base = try BasePath(base)
        #expect(base.lacksSlash(path) == lacks && base.lastPart == last)
    }
}
