/* lanes.c -- single instructions on values that differ by lane: dependent chains in one warp, and eight
 * chains in all the warps of an SM. The reference does the same links for the 32 lanes of a warp, one after
 * the other. */
#include "micro.h"

enum { REPEATS = 2, CTA = 256 };

typedef void link_function(uint32_t *lane, uint32_t x, uint32_t y);

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* A link that lanes do by themselves: a becomes `what`. */
#define LANE(name, what) \
	static void link_##name(uint32_t *lane, uint32_t x, uint32_t y) \
	{ \
		(void)x, (void)y; \
		for (int l = 0; l < WARP; l++) { \
			uint32_t a = lane[l]; \
\
			lane[l] = what; \
		} \
	}
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static uint32_t reversed(uint32_t a)
{
	uint32_t result = 0;

	for (int i = 0; i < 32; i++)
		result |= (a >> i & 1) << (31 - i);
	return result;
}

/* Rounded towards zero; what is out of range becomes the nearest there is. */
static uint32_t truncated(double a)
{
	if (isnan(a))
		return 0;
	return (uint32_t)(a >= 2147483647.0 ? INT32_MAX : a <= -2147483648.0 ? INT32_MIN : (int32_t)a);
}

LANE(min_max, MAX(MIN(a, x), y))
LANE(shift, y > 31 ? 0 : a << y)
LANE(reverse, reversed(a))
LANE(count, (uint32_t)__builtin_popcount(a))
LANE(leading, a ? 31 - (uint32_t)__builtin_clz(a) : UINT32_MAX)
LANE(multiply, a *y)
LANE(high, (uint32_t)((uint64_t)a *x >> 32))
LANE(sad, y + (a > x ? a - x : x - a))
LANE(guard, a > y ? a + x : a)
LANE(select, a > y ? x : y)
LANE(f32_s32, float_bits((float)(int32_t)a))
LANE(s32_f32, truncated(as_float(a)))
LANE(f64_f32, (uint32_t)(double_bits(as_float(a)) >> 32))
LANE(f64_s32, (uint32_t)(double_bits((int32_t)a) >> 32))
LANE(same, a)

static void link_shuffle(uint32_t *lane, uint32_t x, uint32_t y)
{
	(void)x, (void)y;
	for (int l = 0; l < WARP; l += 2) {
		uint32_t a = lane[l];

		lane[l] = lane[l + 1];
		lane[l + 1] = a;
	}
}

static void link_vote(uint32_t *lane, uint32_t x, uint32_t y)
{
	uint32_t ballot = 0;

	(void)x;
	for (int l = 0; l < WARP; l++)
		ballot |= (uint32_t)(lane[l] > y) << l;
	for (int l = 0; l < WARP; l++)
		lane[l] = ballot;
}

static void link_match(uint32_t *lane, uint32_t x, uint32_t y)
{
	uint32_t same[WARP] = { 0 };

	(void)x, (void)y;
	for (int l = 0; l < WARP; l++)
		for (int other = 0; other < WARP; other++)
			same[l] |= (uint32_t)(lane[other] == lane[l]) << other;
	memcpy(lane, same, sizeof same);
}

static void link_reduce(uint32_t *lane, uint32_t x, uint32_t y)
{
	uint32_t sum = 0;

	(void)x, (void)y;
	for (int l = 0; l < WARP; l++)
		sum += lane[l];
	for (int l = 0; l < WARP; l++)
		lane[l] = sum;
}

static const struct link {
	const char *name, *label;
	link_function *step; /* NULL: the value is not checked */
	uint32_t x, y;
} links[] = {
	{ "min_max", "min max", link_min_max, 0x70000000, 5 },
	{ "shift", "shift", link_shift, 77, 1 },
	{ "reverse", "bit reverse", link_reverse, 77, 0 },
	{ "count", "popc", link_count, 77, 0 },
	{ "leading", "leading bit", link_leading, 77, 0 },
	{ "multiply", "mul", link_multiply, 7, 3 },
	{ "high", "mul high", link_high, 0xfffffff1, 0 },
	{ "sad", "sad", link_sad, 7, 3 },
	{ "guard", "compare and guarded add", link_guard, 7, 3 },
	{ "select", "compare and select", link_select, 7, 3 },
	{ "f32_s32", "s32 to f32", link_f32_s32, 77, 0 },
	{ "s32_f32", "f32 to s32", link_s32_f32, 0x4b000000, 0 },
	{ "f64_f32", "f32 to f64", link_f64_f32, 0x3f8ccccd, 0 },
	{ "f32_f64", "f32 to f64 and back", link_same, 0x40000000, 0 },
	{ "f64_s32", "s32 to f64", link_f64_s32, 77, 0 },
	{ "s32_f64", "s32 to f64 and back", link_same, 77, 0 },
	{ "f16_f32", "f32 to f16x2", NULL, 0x3f8ccccd, 0 },
	{ "shuffle", "shuffle", link_shuffle, 77, 0 },
	{ "vote", "compare and vote", link_vote, 3, 10 },
	{ "match", "match", link_match, 77, 0 },
	{ "reduce", "reduce", link_reduce, 77, 0 },
};

/* Every thread must have what its lane has after so many links in each of so many chains that are alike:
 * their sum. first: the value of thread 0 at the start. */
static void check(struct micro *m, const struct link *k, unsigned count, uint32_t chains)
{
	uint32_t lane[WARP];

	for (size_t i = 0; k->step && i < m->count; i++) {
		if (i % WARP == 0) {
			for (uint32_t l = 0; l < WARP; l++)
				lane[l] = k->x + (uint32_t)(i % CTA) + l;
			for (unsigned n = 0; n < count; n++)
				k->step(lane, k->x, k->y);
		}
		m->checks++;
		if ((uint32_t)m->records[i].value != chains * lane[i % WARP] && !*m->failure)
			snprintf(m->failure, sizeof m->failure, "%s: thread %zu has %#x, expected %#x",
				k->label, i, (uint32_t)m->records[i].value, chains * lane[i % WARP]);
	}
}

void topic_lanes(struct micro *m)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
		const struct link *k = &links[i];
		struct shape one = { 0, WARP, REPEATS, k->x, k->y };
		struct shape all = { m->threads_per_sm / CTA, CTA, REPEATS, k->x, k->y };

		micro_run(m, "lanes_latency_", k->name, &one);
		check(m, k, REPEATS * LINKS, 1);
		report(m, micro_first(m) / TIMED, "cycles", "lanes latency %s", k->label);
		micro_run(m, "lanes_rate_", k->name, &all);
		check(m, k, REPEATS * LENGTH / CHAINS, CHAINS);
		report(m, m->rate * LENGTH, "links/clk/SM", "lanes rate %s", k->label);
	}
}
