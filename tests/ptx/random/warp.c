/* tests/ptx/random/warp.c -- what operations on whole warps compute. */
#include "random.h"

#define EACH_MEMBER(l) \
	for (uint32_t l = 0; l < WARP; l++) \
		if (members >> l & 1)

static uint32_t ballot(const union value (*from)[WARP], uint32_t members)
{
	uint32_t mask = 0;

	EACH_MEMBER(l)
	mask |= (uint32_t)from[0][l].p << l;
	return mask;
}

/* The source lane of a shuffle among 16 lanes, and whether it lies within. */
enum { IDX, UP, DOWN, BFLY };

static uint32_t shuffle_from(int mode, uint32_t lane, uint32_t b, bool *inside)
{
	int32_t first = (int32_t)(lane & 16), n = (int32_t)(b & 31), from;

	switch (mode) {
	case IDX:
		from = first | (n & 15);
		break;
	case UP:
		from = (int32_t)lane - n;
		break;
	case DOWN:
		from = (int32_t)lane + n;
		break;
	default:
		from = (int32_t)lane ^ n;
	}
	*inside = mode == UP ? from >= first : from <= first + 15;
	return *inside ? (uint32_t)from : lane;
}

static uint32_t shuffle(const union value (*from)[WARP], int mode, uint32_t lane)
{
	bool inside;

	return from[0][shuffle_from(mode, lane, from[1][lane].u, &inside)].u;
}

static bool is_inside(const union value (*from)[WARP], int mode, uint32_t lane)
{
	bool inside;

	shuffle_from(mode, lane, from[1][lane].u, &inside);
	return inside;
}

static uint32_t match(const union value (*from)[WARP], uint32_t lane, uint32_t members)
{
	uint32_t mask = 0;

	EACH_MEMBER(l)
	mask |= (uint32_t)(from[0][l].U == from[0][lane].U) << l;
	return mask;
}

static uint32_t reduce(const union value (*from)[WARP], uint32_t members, int what, bool is_signed)
{
	int64_t result = 0;
	bool first = true;

	EACH_MEMBER(l)
	{
		int64_t v = is_signed ? from[0][l].s : (int64_t)from[0][l].u;

		if (first)
			result = v;
		else
			result = what == 0  ? result + v
				: what == 1 ? (v < result ? v : result)
				: what == 2 ? (v > result ? v : result)
				: what == 3 ? (result & v)
				: what == 4 ? (result | v)
					    : (result ^ v);
		first = false;
	}
	return (uint32_t)result;
}

#define FORM_NAME_(line) warp_##line
#define FORM_NAME(line)  FORM_NAME_(line)
#define FORM(text, kinds, expression) \
	static void FORM_NAME(__LINE__)( \
		union value * to, const union value(*from)[WARP], uint32_t lane, uint32_t members) \
	{ \
		union value d = { .U = 0 }; \
		(void)lane, (void)members; \
		expression; \
		*to = d; \
	}
#include "warp.def"
#undef FORM

const struct warp_form warp_forms[] = {
#define FORM(text, kinds, expression) { text, kinds, FORM_NAME(__LINE__) },
#include "warp.def"
#undef FORM
};
const uint32_t warp_form_count = sizeof(warp_forms) / sizeof(*warp_forms);
