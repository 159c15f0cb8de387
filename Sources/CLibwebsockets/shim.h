#pragma once
#if !__has_include(<libwebsockets.h>)
#error "libwebsockets.h is missing: install libwebsockets-dev (Debian, Ubuntu: apt-get install libwebsockets-dev)"
#endif
#include <libwebsockets.h>
