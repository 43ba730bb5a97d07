/* cachemodel/stack_distance.c -- the tree of Bennett and Kruskal. */
#include "cachemodel/stack_distance.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define FIRST_WORDS 2

static void allocate_stack(struct stack *s, uint32_t words)
{
	s->words = words;
	s->bits = xcalloc(words, sizeof(*s->bits));
	s->sums = xcalloc(words + 1, sizeof(*s->sums));
	s->toucher = xcalloc((size_t)words * 64, sizeof(*s->toucher));
}

void stack_init(struct stack *s)
{
	*s = (struct stack){ 0 };
	allocate_stack(s, FIRST_WORDS);
}

void stack_fini(struct stack *s)
{
	free(s->bits);
	free(s->sums);
	free(s->toucher);
}

static void fenwick_add(struct stack *s, uint32_t word, uint32_t amount)
{
	for (uint32_t i = word + 1; i <= s->words; i += i & -i)
		s->sums[i] += amount;
}

/* Set bits in the words before this one. */
static uint32_t sum_before(const struct stack *s, uint32_t word)
{
	uint32_t sum = 0;

	for (uint32_t i = word; i; i &= i - 1)
		sum += s->sums[i];
	return sum;
}

uint32_t stack_distance(const struct stack *s, uint32_t last)
{
	uint32_t word = last / 64;

	if (last == STACK_NEVER)
		return DISTANCE_INFINITE;
	return s->lines - sum_before(s, word) -
		(uint32_t)__builtin_popcountll(s->bits[word] << (63 - last % 64));
}

/* Numbers the lines anew, from 0 on; with twice the room if more than half of it would be taken again. */
static void renumber_lines(struct stack *s, uint32_t *last, uint32_t stride)
{
	struct stack old = *s;

	allocate_stack(s, s->lines > s->words * 32 ? s->words * 2 : s->words);
	s->next = 0;
	for (uint32_t w = 0; w < old.words; w++)
		for (uint64_t left = old.bits[w]; left; left &= left - 1) {
			uint32_t line = old.toucher[w * 64 + (uint32_t)__builtin_ctzll(left)];

			s->bits[s->next / 64] |= 1ull << s->next % 64;
			s->toucher[s->next] = line;
			last[(size_t)line * stride] = s->next++;
		}
	for (uint32_t w = 0; w < s->words; w++)
		fenwick_add(s, w, (uint32_t)__builtin_popcountll(s->bits[w]));
	stack_fini(&old);
}

void stack_touch(struct stack *s, uint32_t line, uint32_t *last, uint32_t stride)
{
	uint32_t *mine = &last[(size_t)line * stride];

	if (*mine != STACK_NEVER && *mine + 1 == s->next)
		return; /* it is the topmost */
	if (s->next == s->words * 64)
		renumber_lines(s, last, stride);
	if (*mine == STACK_NEVER) {
		s->lines++;
	} else {
		s->bits[*mine / 64] &= ~(1ull << *mine % 64);
		fenwick_add(s, *mine / 64, UINT32_MAX);
	}
	s->bits[s->next / 64] |= 1ull << s->next % 64;
	fenwick_add(s, s->next / 64, 1);
	s->toucher[s->next] = line;
	*mine = s->next++;
}
