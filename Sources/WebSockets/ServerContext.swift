internal import CLibwebsockets
internal import Glibc

/// Owns the lws context and its vhost, and the memory that must outlive them.
@safe final class ServerContext {
    private let context: OpaquePointer
    private let vhost: OpaquePointer
    private let protocols: UnsafeMutablePointer<lws_protocols>
    /// All zero: no pings by lws, whose default would be one after 300 s.
    private let idlePolicy: UnsafeMutablePointer<lws_retry_bo_t>
    private let name: UnsafeMutablePointer<CChar>

    /// `user` is the unretained `Server` that gets the callbacks.
    init(loop: EventLoop, configuration: ServerConfiguration, user: UnsafeMutableRawPointer) throws(ServerError) {
        // lws logs what clients do wrong, without bound; the owner counts and logs it by `denied`.
        lws_set_log_level(0, nil)
        unsafe name = strdup(configuration.policy.subprotocol ?? "websocket")
        unsafe protocols = .allocate(capacity: 2)
        unsafe protocols.initialize(repeating: lws_protocols(), count: 2)
        unsafe protocols[0].name = unsafe UnsafePointer(name)
        unsafe protocols[0].callback = serverCallback
        // lws announces the end of a protocol only to those that have data of their own.
        unsafe protocols[0].per_session_data_size = 8
        unsafe protocols[0].rx_buffer_size = 1_024
        unsafe protocols[0].tx_packet_size = 65_536
        unsafe idlePolicy = .allocate(capacity: 1)
        unsafe idlePolicy.initialize(to: lws_retry_bo_t())
        var info = unsafe Self.info
        unsafe info.user = unsafe user
        unsafe info.protocols = unsafe UnsafePointer(protocols)
        unsafe info.retry_and_idle_policy = unsafe UnsafePointer(idlePolicy)
        guard let (context, vhost) = unsafe Self.create(&info, loop) else {
            unsafe Self.free(protocols, idlePolicy, name)
            throw Self.failure
        }
        unsafe self.context = unsafe context
        unsafe self.vhost = unsafe vhost
    }

    deinit { unsafe Self.free(protocols, idlePolicy, name) }

    /// Gives a socket to lws together with a request for an upgrade, and whatever came behind it. The callbacks begin
    /// before this returns. False: it failed, and lws has closed the socket.
    func upgrade(_ descriptor: Int32, _ request: [UInt8]) -> Bool {
        unsafe request.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe lws_adopt_socket_vhost_readbuf(vhost, descriptor, text.baseAddress, text.count) != nil
            }
        }
    }

    /// Lets lws look at its timers, which a foreign loop does not do by itself.
    func service() { unsafe lws_cancel_service(context) }

    /// Closes all sockets and frees the context. The last call.
    func destroy() { unsafe lws_context_destroy(context) }

    private static var info: lws_context_creation_info {
        var info = unsafe lws_context_creation_info()
        unsafe info.port = clws_no_listen
        unsafe info.options = clws_context_options
        // lws sees only the short upgrade requests that `HTTPConnection` writes for it.
        unsafe info.max_http_header_data2 = 1_024
        return unsafe info
    }

    private static func create(
        _ info: inout lws_context_creation_info, _ loop: EventLoop
    ) -> (OpaquePointer, OpaquePointer)? {
        var loops: [UnsafeMutableRawPointer?] = unsafe [UnsafeMutableRawPointer(loop.loop)]
        return unsafe loops.withUnsafeMutableBufferPointer { loops -> (OpaquePointer, OpaquePointer)? in
            unsafe info.foreign_loops = loops.baseAddress
            guard let context = unsafe lws_create_context(&info) else { return nil }
            guard let vhost = unsafe lws_create_vhost(context, &info) else {
                unsafe lws_context_destroy(context)
                return nil
            }
            return unsafe (context, vhost)
        }
    }

    private static var failure: ServerError {
        let plugin = unsafe String(cString: clws_plugin_folder) + "/libwebsockets-evlib_ev.so"
        if unsafe access(plugin, R_OK) != 0 {
            return ServerError(
                description: "libwebsockets cannot use libev: install libwebsockets-evlib-ev (it brings \(plugin))")
        }
        return ServerError(
            description: "libwebsockets cannot start: raise the limit of open files (ulimit -n) or free memory")
    }

    private static func free(
        _ protocols: UnsafeMutablePointer<lws_protocols>, _ policy: UnsafeMutablePointer<lws_retry_bo_t>,
        _ name: UnsafeMutablePointer<CChar>
    ) {
        unsafe protocols.deallocate()
        unsafe policy.deallocate()
        unsafe Glibc.free(name)
    }
}

/// The one callback of lws, always on the loop's thread.
private func serverCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
    guard let event = SocketEvent(reason), let wsi = unsafe wsi, let context = unsafe lws_get_context(wsi),
        let user = unsafe lws_context_user(context)
    else { return 0 }
    let server = unsafe Unmanaged<Server>.fromOpaque(user).takeUnretainedValue()
    if unsafe lws_get_opaque_user_data(wsi) == nil, let socket = server.upgrading {
        unsafe lws_set_opaque_user_data(wsi, Unmanaged.passUnretained(socket).toOpaque())
    }
    guard let opaque = unsafe lws_get_opaque_user_data(wsi) else { return event == .destroyed ? 0 : -1 }
    let socket = unsafe Unmanaged<ClientSocket>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe server.handle(event, on: socket, wsi, UnsafeRawBufferPointer(start: bytes, count: count))
}

/// Why a server could not be made, as one line that says what to do.
public struct ServerError: Error, CustomStringConvertible {
    public let description: String
}
