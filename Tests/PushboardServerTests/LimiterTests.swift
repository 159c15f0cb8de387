import Testing

@testable import PushboardServer
@testable import WebSockets

@Suite("Rate window")
struct RateWindowTests {
    @Test("So many within the window; then the time until the oldest leaves it")
    func limit() {
        var window = RateWindow(limit: 3, per: .seconds(1))
        for time in [0, 100, 200] {
            #expect(!window.isFull(at: .milliseconds(time)))
            let verdict = window.admit(at: .milliseconds(time))
            #expect(verdict == .admitted)
        }
        #expect(window.isFull(at: .milliseconds(200)) && window.isFull(at: .milliseconds(999)))
        #expect(!window.isFull(at: .milliseconds(1000)))
        var verdict = window.admit(at: .milliseconds(300))
        #expect(verdict == .wait(.milliseconds(700)))
        verdict = window.admit(at: .milliseconds(999))
        #expect(verdict == .wait(.milliseconds(1)), "who is turned away does not count")
        verdict = window.admit(at: .milliseconds(1000))
        #expect(verdict == .admitted)
        verdict = window.admit(at: .milliseconds(1000))
        #expect(verdict == .wait(.milliseconds(100)))
    }

    @Test("A limit of 0 is none, one of 1 is full after the first")
    func edges() {
        var none = RateWindow(limit: 0, per: .seconds(1))
        for _ in 0..<1000 {
            let verdict = none.admit(at: .zero)
            #expect(verdict == .admitted)
        }
        #expect(!none.isFull(at: .zero))
        var one = RateWindow(limit: 1, per: .seconds(10))
        #expect(!one.isFull(at: .zero))
        _ = one.admit(at: .zero)
        #expect(one.isFull(at: .zero))
    }

    @Test("In no window of any second more than the limit are admitted")
    func anyWindow() {
        var window = RateWindow(limit: 50, per: .seconds(1))
        var lots = SystemRandomNumberGenerator()
        var admitted: [Duration] = []
        var now = Duration.zero
        for _ in 0..<5_000 {
            now += .milliseconds(Int.random(in: 0...12, using: &lots))
            if window.admit(at: now) == .admitted { admitted.append(now) }
        }
        for (index, time) in admitted.enumerated().dropFirst(50) { #expect(time - admitted[index - 50] >= .seconds(1)) }
        #expect(admitted.count > 1000)
    }
}

@Suite("Denial log")
struct DenialLogTests {
    @Test("A line a minute and kind, with how many there were since; all are counted")
    func lines() {
        var log = DenialLog()
        func count(_ kind: Denial.Kind, _ seconds: Int) -> Int? { log.count(kind, at: .seconds(seconds)) }
        #expect(count(.host, 0) == 1)
        for second in 1..<60 { #expect(count(.host, second) == nil) }
        #expect(count(.origin, 30) == 1, "another kind has its own minute")
        #expect(count(.host, 60) == 60)
        #expect(count(.host, 61) == nil && count(.host, 119) == nil)
        #expect(count(.host, 500) == 3)
        #expect(log.total(.host) == 64 && log.total(.origin) == 1 && log.total(.cookie) == 0)
    }
}
