import Glibc
import Testing
import WebSockets

@Suite struct EventLoopTests {
    /// Notes the order of what happens in a loop's turns.
    private final class Journal: TurnHandler {
        var lines: [String] = []
        var nextDeadline: Duration?
        var stopsAtTimer: EventLoop?

        func flush() { if lines.last != "flush" { lines.append("flush") } }
        func runDueTimers(now: Duration) {
            lines.append("timers")
            nextDeadline = nil
            stopsAtTimer?.stop()
        }
    }

    @Test func `a turn flushes after input, after each job and after due timers`() async throws {
        let lines = try await onThread {
            let loop = try EventLoop()
            let journal = Journal()
            // The closures run on this thread, inside `run`.
            nonisolated(unsafe) let log = journal
            loop.perform { unsafe log.lines.append("job 1") }
            loop.perform {
                unsafe log.lines.append("job 2")
                loop.perform { unsafe log.lines.append("job 3") }
            }
            journal.nextDeadline = loop.now
            journal.stopsAtTimer = loop
            loop.run(journal)
            loop.perform { loop.stop() }
            loop.run(journal)
            return journal.lines
        }
        #expect(lines == ["flush", "job 1", "flush", "job 2", "flush", "timers", "flush", "job 3", "flush"])
    }

    private actor Resident {
        let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
        var count = 0
        init(_ loop: EventLoop) { self.loop = loop }
        func add() -> Bool {
            count += 1
            return loop.isCurrent
        }
        func value() -> Int { count }
    }

    @Test func `an actor lives on the loop, called from many threads`() async throws {
        let server = try await onThread { try LiveServer() }
        let resident = Resident(server.loop)
        let onLoop = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 { group.addTask { await resident.add() } }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(onLoop)
        #expect(await resident.value() == 1_000)
        #expect(!server.loop.isCurrent)
        #expect(server.loop.isIsolatingCurrentContext() == false)
        try await onThread {
            let count = server.on { _, _ in resident.assumeIsolated { $0.count } }
            #expect(count == 1_000)
            server.stop()
        }
    }

    @Test func `the thread is asked anew after each suspension`() async throws {
        let server = try await onThread { try LiveServer() }
        let resident = Resident(server.loop)
        for _ in 0..<200 {
            let before = server.loop.isCurrent
            let inside = await resident.add()
            let after = server.loop.isCurrent
            #expect(!before && inside && !after)
        }
        try await onThread { server.stop() }
    }

    @Test func `jobs that bring jobs do not keep timers or input away`() async throws {
        let server = try await onThread { try LiveServer() }
        let busy = Task {
            let resident = Resident(server.loop)
            while !Task.isCancelled { _ = await resident.add() }
        }
        try await server.loop.clock.sleep(for: .milliseconds(50))
        try await onThread {
            let client = try server.open()
            try client.send(text: "a")
            #expect(try client.frame()?.text == "a")
            client.close()
        }
        busy.cancel()
        await busy.value
        try await onThread { server.stop() }
    }

    @Test func `timers fire once, in order, not before their time, and not when cancelled`() async throws {
        try await withServer { (server) throws in
            let done = Promise<[String]>()
            server.on { _, _ in
                let loop = server.loop
                let start = loop.now
                var lines: [String] = []
                let cancelled = loop.schedule(at: start + .milliseconds(10)) { lines.append("never") }
                _ = loop.schedule(at: start + .milliseconds(40)) {
                    lines.append(loop.now >= start + .milliseconds(40) ? "second" : "early")
                    done.fulfil(lines)
                }
                _ = loop.schedule(at: start + .milliseconds(20)) { lines.append("first") }
                _ = loop.schedule(at: start - .seconds(1)) { lines.append("past") }
                cancelled.cancel()
                cancelled.cancel()
                #expect(!cancelled.isActive)
            }
            #expect(done.wait() == ["past", "first", "second"])
        }
    }

    @Test func `the clock's sleepers wake in time or with their cancellation`() async throws {
        let server = try await onThread { try LiveServer() }
        let clock = server.loop.clock
        let start = clock.now
        try await clock.sleep(until: start.advanced(by: .milliseconds(30)))
        #expect(start.duration(to: clock.now) >= .milliseconds(30))
        let sleeper = Task { try await clock.sleep(for: .seconds(1_000)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        try await onThread { server.stop() }
    }

    @Test func `a signal is delivered on the loop until its watch ends`() async throws {
        try await withServer { (server) throws in
            let got = Promise<Int32>()
            let watch = Promise<Void>()
            server.on { _, owner in
                owner.watch = server.loop.onSignal([SIGUSR1, SIGUSR2]) { number in
                    owner.watch?.cancel()
                    got.fulfil(server.loop.isCurrent ? number : -1)
                }
                watch.fulfil(())
            }
            watch.wait()
            kill(getpid(), SIGUSR2)
            #expect(got.wait() == SIGUSR2)
        }
    }
}
