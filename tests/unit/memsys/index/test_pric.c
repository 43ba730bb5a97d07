/* The pseudo-random interleaved cache: polynomials over GF(2), the printed equations of Khairy et al. (GPGPU
 * 2015), the set function against division by hand, and what a configuration may say. */
#include "memsys/l1/cache.h"
#include "memsys/index/index.h"
#include "memsys/index/pric.h"
#include "memsys/tags.h"
#include "tests/unit/memsys/l2/l2_rig.h"

static uint32_t named(const char *name)
{
	uint32_t i = 0;

	while (strcmp(index_names[i], name))
		i++;
	return i;
}

/* An index of so many sets by the polynomial; 0: the default. */
static struct index *pric(uint32_t sets, uint32_t polynomial)
{
	struct config *config = config_new();
	struct index *prototype, *index;
	struct diag_list diags;
	char text[64];

	diag_init(&diags);
	snprintf(text, sizeof(text), "l1.pric.polynomial=%u", polynomial);
	cr_assert(config_set(config, text, &diags));
	prototype = index_read(config, "l1", named("pric"), sets, &diags);
	cr_assert_eq(diags.errors, 0);
	index = index_new(named("pric"), prototype, sets);
	policy_prototype_free(prototype);
	config_free(config);
	diag_fini(&diags);
	return index;
}

static uint32_t set_of(const struct index *index, addr line_number)
{
	return index->class->set(index, line_number);
}

/* ---- polynomials ---- */

Test(pric, six_polynomials_of_degree_5_are_irreducible)
{
	const uint32_t printed[6] = { 37, 41, 47, 55, 59, 61 };
	uint32_t found = 0;

	for (uint32_t p = 32; p < 64; p++)
		if (pric_is_irreducible(p)) {
			cr_assert_lt(found, 6);
			cr_assert_eq(p, printed[found], "number %u is %u", found, p);
			found++;
		}
	cr_assert_eq(found, 6);
}

/* Gauss: (1/n) sum over d | n of mu(n/d) 2^d. */
Test(pric, there_are_as_many_irreducible_polynomials_as_gauss_counted)
{
	const uint32_t known[12] = { 0, 2, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186 };

	for (uint32_t degree = 1; degree < 12; degree++) {
		uint32_t found = 0;

		for (uint32_t p = 1u << degree; p < 2u << degree; p++)
			found += pric_is_irreducible(p);
		cr_assert_eq(found, known[degree], "degree %u: %u", degree, found);
	}
	cr_assert_not(pric_is_irreducible(0));
	cr_assert_not(pric_is_irreducible(1), "a constant");
}

Test(pric, the_default_is_37_for_degree_5_and_else_the_smallest)
{
	const uint32_t expected[12] = {
		[4] = 19, [5] = 37, [6] = 67, [7] = 131, [8] = 283, [9] = 515, [10] = 1033, [11] = 2053
	};

	for (uint32_t degree = 4; degree < 12; degree++)
		cr_assert_eq(pric_default(degree), expected[degree], "degree %u: %u", degree,
			pric_default(degree));
}

/* 45 = 101101 = x^5 + x^3 + x^2 + 1: at x = 1 its four terms cancel. 51 = 110011 = (x + 1)^5. 35 = 100011 =
 * (x^2 + x + 1)(x^3 + x^2 + 1): 7 x 13 = 1101 ^ 11010 ^ 110100 = 35. */
Test(pric, factors_are_found)
{
	cr_assert_eq(pric_smallest_factor(45), 3);
	cr_assert_eq(pric_smallest_factor(51), 3);
	cr_assert_eq(pric_smallest_factor(35), 7);
	cr_assert_eq(pric_smallest_factor(32), 2, "x^5");
	cr_assert_eq(pric_smallest_factor(37), 37);
	cr_assert_eq(pric_smallest_factor(1), 0);
}

/* ---- the paper's figures ---- */

/* The line bits of an equation that names address bits; 0 ends. */
static uint32_t equation(const uint32_t *address_bits)
{
	uint32_t bits = 0;

	for (; *address_bits; address_bits++)
		bits |= 1u << (*address_bits - 7);
	return bits;
}

/* Row of the H-matrix: the line bits below `end` that make bit j of the set. */
static uint32_t row(const uint32_t *column, uint32_t j, uint32_t end)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < end; i++)
		bits |= (column[i] >> j & 1) << i;
	return bits;
}

/* Lines of 128 bytes, 32 sets; printed up to A26, line bit 19. */
Test(pric, matrix_of_37_gives_the_printed_equations)
{
	const uint32_t i0[] = { 25, 24, 23, 22, 21, 18, 17, 15, 12, 7, 0 };
	const uint32_t i3[] = { 23, 22, 21, 20, 19, 16, 15, 13, 10, 0 };
	const uint32_t i4[] = { 24, 23, 22, 21, 20, 17, 16, 14, 11, 0 };
	uint32_t column[PRIC_LINE_BITS];

	pric_matrix(37, column);
	cr_assert_eq(row(column, 0, 20), equation(i0));
	cr_assert_eq(row(column, 3, 20), equation(i3));
	cr_assert_eq(row(column, 4, 20), equation(i4));
	cr_assert_eq(column[20], 12, "x^20 = x^3 + x^2: A27 goes on in I3 and I2");
}

/* The set function itself obeys them: one address bit at a time, and a few together. */
Test(pric, set_function_obeys_the_printed_equations)
{
	const uint32_t i0[] = { 25, 24, 23, 22, 21, 18, 17, 15, 12, 7, 0 };
	const uint32_t i3[] = { 23, 22, 21, 20, 19, 16, 15, 13, 10, 0 };
	const uint32_t i4[] = { 24, 23, 22, 21, 20, 17, 16, 14, 11, 0 };
	struct index *index = pric(32, 0);

	for (uint32_t line = 1; line < 1u << 20; line = line * 5 / 3 + 1) {
		uint32_t set = set_of(index, line);

		cr_assert_eq(set & 1, __builtin_parity(line & equation(i0)), "line %x", line);
		cr_assert_eq(set >> 3 & 1, __builtin_parity(line & equation(i3)), "line %x", line);
		cr_assert_eq(set >> 4 & 1, __builtin_parity(line & equation(i4)), "line %x", line);
	}
	policy_free(index);
}

/* The size of Figure 5: addresses of 6 bits, lines of a byte, 8 sets; by x^3 + x + 1 = 11. x^3 = x + 1 = 3,
 * x^4 = 6, x^5 = x^3 + x^2 = 7; each row of 8 addresses is 0..7 with the rest of its first address added. */
Test(pric, eight_sets_of_64_addresses)
{
	const uint32_t first[8] = { 0, 3, 6, 3 ^ 6, 7, 3 ^ 7, 6 ^ 7, 3 ^ 6 ^ 7 };
	uint32_t column[PRIC_LINE_BITS], seen = 0;

	pric_matrix(11, column);
	cr_assert_eq(column[3], 3);
	cr_assert_eq(column[4], 6);
	cr_assert_eq(column[5], 7);
	for (uint32_t a = 0; a < 64; a++)
		cr_assert_eq(pric_rest(a, 11), first[a / 8] ^ a % 8, "address %u", a);
	for (uint32_t i = 0; i < 8; i++)
		seen |= 1u << pric_rest(2 * i, 11);
	cr_assert_eq(seen, 255, "0, 2 ... 14 are in eight sets (without the hash in four)");
	seen = 0;
	for (uint32_t i = 0; i < 8; i++)
		seen |= 1u << pric_rest(8 * i, 11);
	cr_assert_eq(seen, 255, "and 0, 8 ... 56 (without it in one)");
}

/* ---- the function ---- */

/* Long division as on paper: from the highest bit down. */
static uint32_t divided(uint64_t a, uint32_t p, uint32_t degree)
{
	for (uint32_t i = 64; i-- > degree;)
		if (a >> i & 1)
			a ^= (uint64_t)p << (i - degree);
	return (uint32_t)a;
}

static uint64_t drawn(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state ^ *state >> 29;
}

Test(pric, set_is_the_rest_of_a_long_division)
{
	uint64_t state = 5;

	for (uint32_t degree = 4; degree < 12; degree++)
		for (uint32_t p = 1u << degree; p < 2u << degree; p++) {
			struct index *index;

			if (!pric_is_irreducible(p))
				continue;
			index = pric(1u << degree, p);
			for (int i = 0; i < 200; i++) {
				addr line = drawn(&state) >> (drawn(&state) & 63);

				cr_assert_eq(set_of(index, line), divided(line, p, degree), "%lx by %u",
					(long)line, p);
			}
			policy_free(index);
		}
}

/* Each 2^m lines from a multiple of 2^m on are in different sets; so are each 2^m lines at a distance of any
 * power of two. */
Test(pric, aligned_runs_and_strides_of_powers_of_two_go_round_all_sets)
{
	for (uint32_t degree = 4; degree < 12; degree++) {
		uint32_t sets = 1u << degree;
		struct index *index = pric(sets, 0);
		uint32_t *seen = calloc(sets, sizeof(*seen));

		for (uint32_t shift = 0; shift < 30; shift++)
			for (addr base = 0; base < 8; base++) {
				memset(seen, 0, sets * sizeof(*seen));
				for (addr i = 0; i < sets; i++)
					seen[set_of(index, (base * sets + i) << shift)]++;
				for (uint32_t i = 0; i < sets; i++)
					cr_assert_eq(seen[i], 1,
						"%u sets, stride 2^%u: set %u is met %u times", sets, shift,
						i, seen[i]);
			}
		free(seen);
		policy_free(index);
	}
}

/* ---- tags ---- */

/* Lines 0 and 37 (x^5 + x^2 + 1 itself) share set 0 of one way: they drive each other out, and neither is
 * taken for the other, nor for lines with the same bits above or below. The key is the whole address, which a
 * write-back goes to. */
Test(pric, tags_tell_lines_of_one_set_apart)
{
	struct tags tags;
	struct tags_config c = { .sets = 32, .ways = 1, .line_bytes = 128, .index = named("pric") };

	tags_init(&tags, &c);
	tags_take(&tags, tags_victim(&tags, 0), 0);
	cr_assert_eq(tags_find(&tags, 0), 0);
	cr_assert_eq(tags_find(&tags, 37 * 128), TAGS_NONE);
	cr_assert_eq(tags_victim(&tags, 37 * 128), 0);
	cr_assert_eq(tags_victim(&tags, 32 * 128), 5, "x^5 = x^2 + 1");
	tags_take(&tags, 0, 37 * 128);
	cr_assert_eq(tags_find(&tags, 0), TAGS_NONE);
	cr_assert_eq(tags_find(&tags, 37 * 128), 0);
	cr_assert_eq(tags.key[0], 37 * 128);
	tags_fini(&tags);
}

/* A slice of 16 sets of one way, by x^4 + x + 1 = 19: line 19 is in set 0. Line 0 drives it out, line 16 (set
 * 3) does not. */
Test(pric, a_line_is_written_back_to_where_it_came_from)
{
	static const struct script script[] = { FULL_WRITE(0, 19 * 128), FULL_WRITE(50, 16 * 128),
		READ(100, 0, 128), READ(200, 19 * 128, 128), READ(300, 16 * 128, 128) };
	struct l2_config c = config();

	c.sets = 16;
	c.ways = 1;
	c.index = named("pric");
	build(&c);
	PLAY(script);
	cr_assert_eq(dram.writes, 1);
	cr_assert_eq(dram.first_write.local, 19 * 128);
	cr_assert_eq(dram.first_write.address, 0x100000 + 19 * 128);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("hits"), 1, "line 16");
	destroy();
}

/* ---- the configuration ---- */

static char *refusal(const char *const *settings, uint32_t sets)
{
	struct config *config = config_new();
	struct diag_list diags;
	char *text;

	diag_init(&diags);
	for (; *settings; settings++)
		cr_assert(config_set(config, *settings, &diags));
	policy_prototype_free(index_read(config, "sm.l1d", named("pric"), sets, &diags));
	text = diag_render(&diags, DIAG_ERROR);
	config_free(config);
	diag_fini(&diags);
	return text;
}

static void refuses(const char *setting, uint32_t sets, const char *sentence)
{
	char *text = refusal((const char *const[]){ setting, NULL }, sets);

	cr_assert(strstr(text, sentence), "%s, %u sets: %s", setting, sets, text);
	cr_assert(strstr(text, setting), "the place is quoted: %s", text);
	free(text);
}

Test(pric, polynomials_that_do_not_fit_are_refused_at_their_place)
{
	refuses("sm.l1d.pric.polynomial=45", 32,
		"polynomial = 45 (x^5 + x^3 + x^2 + 1) is divisible by 3 (x + 1): expected an irreducible "
		"one of degree 5; the nearest "
		"are 41 and 47");
	refuses("sm.l1d.pric.polynomial=63", 32,
		"is divisible by 3 (x + 1): expected an irreducible one of degree 5; the nearest is 61");
	refuses("sm.l1d.pric.polynomial=32", 32,
		"is divisible by 2 (x): expected an irreducible one of degree 5; the nearest is 37");
	refuses("sm.l1d.pric.polynomial=19", 32,
		"polynomial = 19 (x^4 + x + 1) has degree 4: expected an irreducible one of degree 5, for 32 "
		"sets, such as 37 (x^5 + x^2 + 1)");
	refuses("sm.l1d.pric.polynomial=1", 64,
		"polynomial = 1 (1) has degree 0: expected an irreducible one of degree 6");
	refuses("sm.l1d.pric.polynomial=4096", 64, "expected 0 to 4095");
}

Test(pric, polynomials_that_fit_are_accepted)
{
	const uint32_t irreducible[] = { 37, 41, 47, 55, 59, 61, 0 };

	for (uint32_t i = 0; i < 7; i++)
		policy_free(pric(32, irreducible[i]));
	policy_free(pric(2048, 2561)); /* x^11 + x^9 + 1: 2053 read backwards */
}

Test(pric, serves_powers_of_two_from_16_to_2048_sets)
{
	const uint32_t not [] = { 1, 2, 8, 48, 4096, 1u << 20 };
	struct tags_config tags = { .sets = 48, .ways = 4, .line_bytes = 128, .index = named("pric") };
	char message[256];

	for (uint32_t i = 0; i < 6; i++)
		cr_assert_not(index_class(named("pric"))->fits(not [i]), "%u", not [i]);
	for (uint32_t sets = 16; sets <= 2048; sets *= 2)
		cr_assert(index_class(named("pric"))->fits(sets), "%u", sets);
	cr_assert_not(tags_config_check(&tags, message, sizeof(message)));
	cr_assert_str_eq(
		message, "index = pric does not serve 48 sets: expected a power of two from 16 to 2048");
}
