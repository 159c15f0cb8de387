import Pushboard
import PushboardServer

let board = Board("Photos") {
    Section("Library") {
        AsyncButton("Import", icon: .refresh) { try await Task.sleep(for: .seconds(2)) }
        AsyncButton("Rebuild thumbnails", id: "thumbnails", style: .prominent) { run in
            for step in 1...4 {
                try await Task.sleep(for: .seconds(1))
                run.progress(completed: step, total: 4)
            }
        }
    }
}
try await board.serve(ServerOptions(host: "127.0.0.1", port: 8080))
