/* A tag array into bytes and back: the copy then does what the array does, under every replacement policy and
 * with few and many ways; damaged bytes are refused or harmless. */
#include "memsys/replace/replace.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>

static uint32_t policies(void)
{
	uint32_t n = 0;

	while (replace_interface.classes[n])
		n++;
	return n;
}

static void init(struct tags *t, uint32_t ways, uint32_t policy)
{
	tags_init(t,
		&(struct tags_config){ .sets = 4,
			.ways = ways,
			.line_bytes = 128,
			.replace = policy,
			.seed = 3,
			.with_masks = true });
}

/* One access; returns the line. */
static uint32_t use(struct tags *t, uint32_t number)
{
	addr key = (addr)number * 128;
	uint32_t line = tags_find(t, key);

	if (line != TAGS_NONE) {
		tags_touch(t, line);
		return line;
	}
	line = tags_victim(t, key);
	tags_insert(t, line, key, (enum tags_position)(number % 3));
	t->dirty[line].sector[number % LINE_SECTORS] = number;
	return line;
}

static void warm(struct tags *t, uint32_t ways)
{
	for (uint32_t i = 0; i < 40 * ways; i++)
		use(t, i * 7 % (6 * ways));
	for (uint32_t line = 0; line < 4 * ways; line += 5)
		tags_drop(t, line); /* some are empty again, in an order of their own */
}

static void same_as_the_array(uint32_t ways, uint32_t policy)
{
	struct state s = { .now = 0 };
	struct tags a, b;

	init(&a, ways, policy);
	init(&b, ways, policy);
	warm(&a, ways);
	cr_assert(tags_can_keep(&a));
	tags_state(&a, &s);
	s.restores = true;
	tags_state(&b, &s);
	cr_assert(!s.is_wrong && s.at == s.size, "policy %u, %u ways", policy, ways);
	cr_assert_eq(tags_lines(&a), tags_lines(&b));
	for (uint32_t i = 0; i < 100 * ways; i++) {
		uint32_t line = use(&a, i * 5 % (7 * ways));

		cr_assert_eq(
			use(&b, i * 5 % (7 * ways)), line, "policy %u, %u ways, access %u", policy, ways, i);
		cr_assert_arr_eq(&a.dirty[line], &b.dirty[line], sizeof(a.dirty[line]));
	}
	tags_fini(&a);
	tags_fini(&b);
	free(s.bytes);
}

Test(tags_state, a_copy_does_what_the_array_does)
{
	for (uint32_t policy = 0; policy < policies(); policy++) {
		same_as_the_array(8, policy);
		same_as_the_array(64, policy);
	}
}

static uint64_t seed = 1;
static uint32_t any(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

/* What is accepted can be used: accesses end, and stay within the array. */
static bool damaged(struct state *whole, uint32_t ways, uint32_t policy)
{
	struct state s = { .restores = true, .size = whole->size };
	struct tags t;
	bool refused;

	s.bytes = xmalloc(s.size);
	memcpy(s.bytes, whole->bytes, s.size);
	for (uint32_t n = 1 + any(3); n; n--)
		s.bytes[any((uint32_t)s.size)] = (uint8_t)any(256);
	init(&t, ways, policy);
	tags_state(&t, &s);
	refused = s.is_wrong;
	for (uint32_t i = 0; !refused && i < 20 * ways; i++)
		cr_assert_lt(use(&t, i * 3 % (6 * ways)), 4 * ways);
	tags_fini(&t);
	free(s.bytes);
	return refused;
}

Test(tags_state, damaged_bytes_are_refused_or_harmless)
{
	uint32_t refused = 0;

	for (uint32_t policy = 0; policy < policies(); policy++)
		for (uint32_t ways = 8; ways <= 32; ways *= 4) {
			struct state s = { .now = 0 };
			struct tags t;

			init(&t, ways, policy);
			warm(&t, ways);
			tags_state(&t, &s);
			for (int i = 0; i < 200; i++)
				refused += damaged(&s, ways, policy);
			tags_fini(&t);
			free(s.bytes);
		}
	cr_assert_gt(refused, 200);
}
