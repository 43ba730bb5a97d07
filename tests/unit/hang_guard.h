/* tests/unit/hang_guard.h -- the limit of tests that could hang. It is not a measure of speed: such a test
 * takes seconds, and the limit is far beyond them. It is in seconds of processor time, where forks.c runs the
 * tests, so that a busy machine decides nothing. */
#ifndef TEST_HANG_GUARD_H
#define TEST_HANG_GUARD_H

#define HANG_SECONDS 600
#define HANG_GUARD   .timeout = HANG_SECONDS

#endif
