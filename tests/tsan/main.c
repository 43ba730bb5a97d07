/* tests/tsan/main.c -- runs the unit tests that were linked with it, one after the other. */
#include "criterion/criterion.h"

static struct test *first;

void test_add(struct test *test)
{
	struct test **last = &first;

	while (*last)
		last = &(*last)->next;
	*last = test;
}

int main(void)
{
	int count = 0;

	for (struct test *t = first; t; t = t->next) {
		if (t->options.signal)
			continue;
		t->run();
		count++;
	}
	printf("%d passed, 0 failed\n", count);
	return !count;
}
