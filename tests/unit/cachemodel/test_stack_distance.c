/* tests/unit/cachemodel/test_stack_distance.c -- the tree of reuse distances against a list that is searched
 * from the top. */
#include "cachemodel/stack_distance.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* -- the slow direct version: lines in the order of their last touch, topmost first -- */

struct list {
	uint32_t lines[4096], count;
};

/* The distance, and the line is topmost now. */
static uint32_t list_touch(struct list *l, uint32_t line)
{
	uint32_t at = 0, distance;

	while (at < l->count && l->lines[at] != line)
		at++;
	distance = at < l->count ? at : DISTANCE_INFINITE;
	if (at == l->count)
		l->count++;
	memmove(&l->lines[1], &l->lines[0], at * sizeof(l->lines[0]));
	l->lines[0] = line;
	return distance;
}

static void compare(uint32_t lines, uint32_t touches, unsigned seed)
{
	struct list *list = calloc(1, sizeof(*list));
	uint32_t *last = malloc(2 * lines * sizeof(*last));
	struct stack stack;

	stack_init(&stack);
	memset(last, 0xff, 2 * lines * sizeof(*last));
	srand(seed);
	for (uint32_t i = 0; i < touches; i++) {
		/* near ones more often than far ones */
		uint32_t line = (uint32_t)(rand() % 3 ? (rand() % 8 + i / 16) % lines : rand() % lines);

		cr_assert_eq(stack_distance(&stack, last[2 * line]), list_touch(list, line),
			"touch %u of line %u", i, line);
		stack_touch(&stack, line, last, 2);
	}
	cr_assert_eq(stack.lines, list->count);
	stack_fini(&stack);
	free(last);
	free(list);
}

Test(stack_distance, the_tree_equals_the_list_on_random_traces)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		compare(1, 500, seed);
		compare(7, 3000, seed);
		compare(300, 5000, seed);
		compare(4000, 9000, seed);
	}
}

Test(stack_distance, the_tree_stays_as_small_as_its_lines)
{
	uint32_t last[10];
	struct stack stack;

	memset(last, 0xff, sizeof(last));
	stack_init(&stack);
	for (uint32_t i = 0; i < 1000000; i++)
		stack_touch(&stack, i % 10, last, 1);
	cr_assert_leq(stack.words, 4);
	cr_assert_eq(stack_distance(&stack, last[0]), 9);
	cr_assert_eq(stack_distance(&stack, last[9]), 0);
	stack_fini(&stack);
}
