/* tests/tsan/criterion/criterion.h -- as much of Criterion as some unit tests need to run in one process:
 * Criterion's own processes do not start under ThreadSanitizer. Tests that expect a signal are left out. */
#ifndef TESTS_TSAN_CRITERION_H
#define TESTS_TSAN_CRITERION_H

#include <stdio.h>
#include <stdlib.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test_options {
		int signal;
	} options;
	struct test *next;
};
void test_add(struct test *test);

#define Test(suite, title, ...) \
	static void suite##_##title(void); \
	__attribute__((constructor)) static void suite##_##title##_add(void) \
	{ \
		static struct test test = { #suite "/" #title, suite##_##title, { __VA_ARGS__ }, NULL }; \
		test_add(&test); \
	} \
	static void suite##_##title(void)

#define cr_assert(condition, ...) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			exit(1); \
		} \
	} while (0)
#define cr_assert_eq(a, b, ...)  cr_assert((a) == (b))
#define cr_assert_lt(a, b, ...)  cr_assert((a) < (b))
#define cr_assert_gt(a, b, ...)  cr_assert((a) > (b))
#define cr_assert_leq(a, b, ...) cr_assert((a) <= (b))

#endif
