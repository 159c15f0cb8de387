#pragma once
#if !__has_include(<libwebsockets.h>)
#error "libwebsockets.h is missing: install libwebsockets-dev (Debian, Ubuntu: apt-get install libwebsockets-dev)"
#endif
#include <libwebsockets.h>

#if !defined(LWS_WITH_LIBEV)
#error "libwebsockets was built without libev: install libwebsockets-dev and libwebsockets-evlib-ev of the system"
#endif

/* The layouts this shim was written for: libwebsockets 4.1.6 of Debian 12, 64 bits. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct lws_protocols) == 56, "another lws_protocols than 4.1.6");
_Static_assert(
    sizeof(void *) != 8 || sizeof(struct lws_context_creation_info) == 672, "another creation info than 4.1.6");
_Static_assert(sizeof(lws_retry_bo_t) == (sizeof(void *) == 8 ? 24 : 16), "another lws_retry_bo_t than 4.1.6");

/** Bytes that must lie before a payload for lws to write its frame header there (`LWS_PRE`, a computed macro). */
static const int clws_head_room = LWS_PRE;

/** Options of the context: libev as the loop, vhosts of our own, text frames checked for UTF-8. */
static const uint64_t clws_context_options =
    LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8;

/** The context has no listening socket of its own (`CONTEXT_PORT_NO_LISTEN_SERVER`). */
static const int clws_no_listen = CONTEXT_PORT_NO_LISTEN_SERVER;

/** Closes the connection at the next service, without a Close frame: for sockets that failed or are too slow. */
static inline void clws_kill(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

/** The folder of the event-loop plugins of this build (`LWS_INSTALL_LIBDIR`). */
static const char *const clws_plugin_folder = LWS_INSTALL_LIBDIR;
