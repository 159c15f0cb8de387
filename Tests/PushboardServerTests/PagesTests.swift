import Testing

@testable import PushboardServer
@testable import WebSockets

@Suite("Pages")
struct PagesTests {
    private func field(_ response: HTTPResponse, _ name: String) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test("Every page that is no file has its status, its type, and is not kept by caches")
    func all() {
        let pages: [(HTTPResponse, Int)] = [
            (Pages.needsKey, 401), (Pages.wrongKey, 403), (Pages.signedIn, 200), (Pages.cookieWithoutOrigin, 403),
            (Pages.notFound, 404), (Pages.upgradeRequired, 426), (Pages.health(true), 200), (Pages.health(false), 503),
        ]
        for (page, status) in pages {
            #expect(page.status == status && !page.body.isEmpty)
            #expect(field(page, "Content-Type") != nil)
        }
    }

    @Test("Pages for people bring no scripts, tell no referrer, and are not stored")
    func people() {
        for page in [Pages.needsKey, Pages.wrongKey, Pages.signedIn] {
            #expect(field(page, "Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
            #expect(field(page, "Referrer-Policy") == "no-referrer")
            #expect(field(page, "Cache-Control") == "no-store")
            #expect(field(page, "X-Content-Type-Options") == "nosniff")
            #expect(!String(decoding: page.body, as: UTF8.self).contains("<script"))
        }
        #expect(field(Pages.needsKey, "WWW-Authenticate") == "Bearer realm=\"pushboard\"")
        #expect(field(Pages.signedIn, "Refresh") == "0; url=./")
    }

    @Test("Health is JSON, alive and ready apart")
    func health() {
        #expect(String(decoding: Pages.health(true).body, as: UTF8.self) == #"{"status":"ok","warnings":[]}"#)
        #expect(String(decoding: Pages.health(false).body, as: UTF8.self) == #"{"status":"draining","warnings":[]}"#)
        #expect(field(Pages.health(true), "Cache-Control") == "no-store")
    }

    @Test("A redirect is relative and permanent")
    func redirect() {
        let response = Pages.redirect(to: "board/")
        #expect(response.status == 308 && field(response, "Location") == "board/" && response.body.isEmpty)
    }
}
