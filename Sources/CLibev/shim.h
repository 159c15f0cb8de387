#pragma once
#if !__has_include(<ev.h>)
#error "ev.h is missing: install libev-dev (Debian, Ubuntu: apt-get install libev-dev)"
#endif
#include <ev.h>
