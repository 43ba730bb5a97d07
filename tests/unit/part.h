/* tests/unit/part.h -- how much of a long test is run. Under AddressSanitizer a part of what only repeats the
 * same code; all of it elsewhere, and with FULL=1 in the environment (make check-full). Of what is long
 * everywhere a part is run there, too. */
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

#endif
