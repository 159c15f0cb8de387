internal import CLibwebsockets

/// The callbacks of lws that mean something here.
enum SocketEvent {
    case httpRequest, httpBody, httpBodyEnd, httpWritable
    case upgradeRequested, opened, received, writable, peerCloses, protocolDropped
    /// Somebody speaks CONNECT, which lws would turn into a raw socket.
    case rawAdopted
    case destroyed

    init?(_ reason: lws_callback_reasons) {
        switch reason {
        case LWS_CALLBACK_HTTP: self = .httpRequest
        case LWS_CALLBACK_HTTP_BODY: self = .httpBody
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: self = .httpBodyEnd
        case LWS_CALLBACK_HTTP_WRITEABLE: self = .httpWritable
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: self = .upgradeRequested
        case LWS_CALLBACK_ESTABLISHED: self = .opened
        case LWS_CALLBACK_RECEIVE: self = .received
        case LWS_CALLBACK_SERVER_WRITEABLE: self = .writable
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: self = .peerCloses
        case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL: self = .protocolDropped
        case LWS_CALLBACK_RAW_ADOPT: self = .rawAdopted
        case LWS_CALLBACK_WSI_DESTROY: self = .destroyed
        default: return nil
        }
    }
}
