#pragma once
#include <getopt.h>
#include <stddef.h>

/// Starts reading another command line, without getopt's own messages. `optind` 0 resets glibc's scanner as well.
static inline void cgetopt_start(void) {
    optind = 0;
    opterr = 0;
}

/// The next long option. ":" at the front of the short options tells a missing value from an unknown option.
static inline int cgetopt_next(int count, char *const *words, const struct option *options, int *index) {
    return getopt_long(count, words, ":", options, index);
}

/// getopt keeps its position and the option's value in globals, which Swift cannot read safely.
static inline int cgetopt_position(void) { return optind; }
static inline const char *cgetopt_value(void) { return optarg; }
