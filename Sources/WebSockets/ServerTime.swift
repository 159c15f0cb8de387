/// Deadlines and keep-alive, looked at in each tick.
extension Server {
    func setDeadline(_ socket: ClientSocket, _ deadline: Duration?) {
        socket.deadline = deadline
        timed[socket.id] = deadline == nil ? nil : socket
    }

    func isTick() {
        tickCount += 1
        let now = loop.now
        for socket in Array(timed.values) {
            guard let deadline = socket.deadline, deadline <= now else { continue }
            if socket.http?.isDripping == true {
                let detail = "no whole request within \(configuration.limits.requestSeconds) s"
                delegate?.denied(Denial(kind: .requestTimeout, peer: socket.peer, detail: detail))
            }
            close(socket)
        }
        for connection in connections {
            if connection.isClosing { cutLater(connection, now) } else { keepAlive(connection, now) }
        }
        context?.service()
    }

    /// Pings a client that has been silent, and hangs up on one that stays so.
    ///
    /// lws could do it, but keeps its timers in one sorted list: with thousands of clients each answer to a ping would
    /// walk through all of them.
    private func keepAlive(_ connection: Connection, _ now: Duration) {
        guard configuration.pingSeconds > 0 else { return }
        let silence = now - connection.lastSeen
        let hangupLimit = Duration.seconds(configuration.hangupSeconds)
        if silence >= hangupLimit {
            // lws tells neither of pings nor of empty pongs, so the kernel has the last word.
            guard let quiet = connection.kernelSilence, quiet < hangupLimit else { return connection.hangUp() }
            connection.isHeard(now - quiet)
        } else if silence >= .seconds(configuration.pingSeconds) + connection.pingDelay, !connection.isPinged {
            connection.ping(pingFrame)
        }
    }

    /// Cuts a client that does not take what goes before its Close frame.
    private func cutLater(_ connection: Connection, _ now: Duration) {
        let deadline = connection.closeDeadline ?? now + Self.closeLimit
        connection.closeDeadline = deadline
        if deadline <= now { connection.hangUp() }
    }
}
