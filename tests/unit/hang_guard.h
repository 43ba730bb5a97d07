/* tests/unit/hang_guard.h -- the limit of tests that could hang. It is not a measure of speed: such a test
 * takes seconds, and the limit, in seconds, is far beyond what a busy machine makes of them. */
#ifndef TEST_HANG_GUARD_H
#define TEST_HANG_GUARD_H

#define HANG_SECONDS 600
#define HANG_GUARD   .timeout = HANG_SECONDS

#endif
