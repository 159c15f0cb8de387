#pragma once
#if !__has_include(<ev.h>)
#error "ev.h is missing: install libev-dev (Debian, Ubuntu: apt-get install libev-dev)"
#endif
/* With these two, ev.h includes neither signal.h nor sys/stat.h, whose types would otherwise belong to this module. */
#define EV_ATOMIC_T int volatile
#define EV_STAT_ENABLE 0
#include <ev.h>

/** As in pthread.h, where `pthread_t` is an `unsigned long`. */
extern unsigned long pthread_self(void) __attribute__((__nothrow__, __const__));

/* The layout this shim was written for: libev 4.33, EV_MULTIPLICITY on, 64 bits. */
_Static_assert(sizeof(void *) != 8 || sizeof(ev_io) == 48, "ev_io has another layout than libev 4.33");
_Static_assert(sizeof(void *) != 8 || sizeof(ev_timer) == 48, "ev_timer has another layout than libev 4.33");
_Static_assert(sizeof(void *) != 8 || sizeof(ev_signal) == 48, "ev_signal has another layout than libev 4.33");
_Static_assert(sizeof(void *) != 8 || sizeof(ev_async) == 40, "ev_async has another layout than libev 4.33");

/** Readable, as an `int` (an anonymous enumeration in ev.h). */
static const int cev_read = EV_READ;
/** Writable, as an `int` (an anonymous enumeration in ev.h). */
static const int cev_write = EV_WRITE;
/** One iteration that does not wait, as an `int`. */
static const int cev_run_nowait = EVRUN_NOWAIT;
/** One iteration that waits for the first event, as an `int`. */
static const int cev_run_once = EVRUN_ONCE;
/** The flags of our loops: the best backend of the system, environment variables ignored. */
static const unsigned int cev_loop_flags = EVFLAG_AUTO | EVFLAG_NOENV;

/** `ev_io_init`, a macro that Swift cannot import. */
static inline void cev_io_init(ev_io *watcher, void (*callback)(struct ev_loop *, ev_io *, int), int fd, int events) {
    ev_io_init(watcher, callback, fd, events);
}

/** `ev_io_set`, a macro that Swift cannot import: only on a stopped watcher. */
static inline void cev_io_set(ev_io *watcher, int fd, int events) {
    ev_io_set(watcher, fd, events);
}

/** `ev_timer_init`, a macro that Swift cannot import. Both times are seconds. */
static inline void cev_timer_init(
    ev_timer *watcher, void (*callback)(struct ev_loop *, ev_timer *, int), double after, double repeat) {
    ev_timer_init(watcher, callback, after, repeat);
}

/** `ev_timer_set`, a macro that Swift cannot import: only on a stopped watcher. */
static inline void cev_timer_set(ev_timer *watcher, double after, double repeat) {
    ev_timer_set(watcher, after, repeat);
}

/** `ev_signal_init`, a macro that Swift cannot import. */
static inline void cev_signal_init(ev_signal *watcher, void (*callback)(struct ev_loop *, ev_signal *, int), int number) {
    ev_signal_init(watcher, callback, number);
}

/** `ev_async_init`, a macro that Swift cannot import. */
static inline void cev_async_init(ev_async *watcher, void (*callback)(struct ev_loop *, ev_async *, int)) {
    ev_async_init(watcher, callback);
}

/**
 * The calling thread's id. glibc declares `pthread_self` constant, so an optimiser may keep its result across a
 * suspension point, after which the code runs on another thread. A call through a volatile pointer cannot be kept.
 */
static inline unsigned long cev_current_thread(void) {
    unsigned long (*volatile self)(void) = pthread_self;
    return self();
}

struct sockaddr;

/**
 * `accept4`, which the C library shows only with _GNU_SOURCE: the new descriptor has `flags` from the start.
 * `length` is a `socklen_t`.
 */
extern int accept4(int listener, struct sockaddr *address, unsigned int *length, int flags);
