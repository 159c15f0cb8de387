internal import CLibwebsockets

/// The callbacks of lws that mean something here.
enum SocketEvent {
    /// The socket belongs to lws.
    case adopted
    case upgradeRequested, opened, received, pong, writable, peerCloses, protocolDropped, destroyed
    /// Plain HTTP or a raw socket: lws gets neither from us.
    case unexpected

    init?(_ reason: lws_callback_reasons) {
        switch reason {
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: self = .adopted
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: self = .upgradeRequested
        case LWS_CALLBACK_ESTABLISHED: self = .opened
        case LWS_CALLBACK_RECEIVE: self = .received
        case LWS_CALLBACK_RECEIVE_PONG: self = .pong
        case LWS_CALLBACK_SERVER_WRITEABLE: self = .writable
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: self = .peerCloses
        case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL: self = .protocolDropped
        case LWS_CALLBACK_WSI_DESTROY: self = .destroyed
        case LWS_CALLBACK_HTTP, LWS_CALLBACK_RAW_ADOPT: self = .unexpected
        default: return nil
        }
    }
}
