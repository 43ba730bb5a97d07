/* tests/unit/part.h -- how much of a long test is run. Under AddressSanitizer a part of what only repeats the
 * same code; all of it elsewhere, and with FULL=1 in the environment (make check-full). Of what is long
 * everywhere a part is run there, too. Which part changes with SLOT, the last digit of the number of commits
 * (tests/lib.sh), so that ten commits run all of it, or, of what has more parts, ten of them. */
#ifndef TEST_PART_H
#define TEST_PART_H

#include <stdint.h>
#include <stdlib.h>

/* There where the library under test has AddressSanitizer, whether or not the test has it */
extern void __asan_init(void) __attribute__((weak));

/* n where one in n of the turns is to be taken, 1 where all are */
static inline uint32_t one_in(uint32_t n)
{
	return __asan_init && !getenv("FULL") ? n : 1;
}

/* and where one in `elsewhere` is to be taken without AddressSanitizer */
static inline uint32_t one_in_or(uint32_t n, uint32_t elsewhere)
{
	return getenv("FULL") ? 1 : __asan_init ? n : elsewhere;
}

static inline uint32_t slot_of_commit(void)
{
	const char *slot = getenv("SLOT");

	return slot ? (uint32_t)atoi(slot) % 10 : 0;
}

/* The first turn where one in n is to be taken: for (i = first_of(n); i < end; i += n) */
static inline uint32_t first_of(uint32_t n)
{
	return n > 10 ? slot_of_commit() * n / 10 : slot_of_commit() % n;
}

/* Whether the rest of a test is left out: under AddressSanitizer in nine of ten commits */
#define LEFT_OUT (__asan_init && !getenv("FULL") && (slot_of_commit() + __LINE__) % 10 != 0)

#endif
