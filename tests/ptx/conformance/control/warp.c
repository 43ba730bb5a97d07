/* tests/ptx/conformance/control/warp.c -- instructions that look at other lanes: vote shfl match redux
 * activemask elect, under full and partial member masks. Lanes outside the mask do not execute the
 * instruction; they keep what they had. */
#include <stdio.h>
#include "../suite/conform.h"

enum { WARP = 32, CTA = 64 };

static const uint32_t masks[] = { 0xffffffff, 0x0f0ff0f5, 0xaaaaaaaa, 0x80000001, 0x00000010 };
enum { MASKS = 5 };

/* What results of lanes outside the mask hold. */
enum { UNTOUCHED = 0x5aa5 };

static uint32_t mask_of(const struct form *f)
{
	return (uint32_t)f->tag[0];
}

static bool is_member(const struct form *f, unsigned lane)
{
	return mask_of(f) >> lane & 1;
}

/* Guards the instruction by the mask, tag[0]. */
static struct form *member_form(struct form *f, uint32_t mask, const char *instruction)
{
	f->tag[0] = mask;
	f->block = CTA;
	f->samples = 1024;
	form_body(f,
		"{ .reg .pred %%member; mov.b32 %%word, 0x%08x; shr.b32 %%word, %%word, %%lane; "
		"and.b32 %%word, %%word, 1; setp.ne.b32 %%member, %%word, 0; %s%s@%%member %s; } ",
		mask, f->out[0] == PRED ? "setp.ne.b32 %r, %word, %word; " : "mov.b32 %r, 0x5aa5; ",
		f->outs > 1 ? "setp.ne.b32 %s, %word, %word; " : "", instruction);
	return f;
}

/* Runs a function of one warp over all of them. */
static void by_warp(const struct form *f, struct tuples *t,
	void (*one)(const struct form *, struct tuples *, uint32_t first))
{
	for (uint32_t first = 0; first < t->count; first += WARP) {
		for (unsigned lane = 0; lane < WARP; lane++)
			if (f->out[0] != PRED)
				t->want[0][first + lane] = UNTOUCHED;
		one(f, t, first);
	}
}

/* -- vote -- */

enum vote { ALL, ANY, UNI, BALLOT };

static void vote_warp(const struct form *f, struct tuples *t, uint32_t first)
{
	uint32_t ballot = 0, mask = mask_of(f);
	uint64_t result;

	for (unsigned lane = 0; lane < WARP; lane++)
		if (is_member(f, lane) && (t->in[0][first + lane] != 0) != f->tag[2])
			ballot |= 1u << lane;
	result = f->tag[1] == ALL  ? ballot == mask
		: f->tag[1] == ANY ? ballot != 0
		: f->tag[1] == UNI ? ballot == mask || !ballot
				   : ballot;
	for (unsigned lane = 0; lane < WARP; lane++)
		if (is_member(f, lane))
			t->want[0][first + lane] = result;
}

static void ref_vote(const struct form *f, struct tuples *t)
{
	by_warp(f, t, vote_warp);
}

static void vote_forms(void)
{
	static const char *const modes[] = { "all", "any", "uni", "ballot" };
	char instruction[128];

	for (int mode = ALL; mode <= BALLOT; mode++)
		for (int m = 0; m < MASKS; m++)
			for (int is_negated = 0; is_negated < 2; is_negated++) {
				enum type d = mode == BALLOT ? B32 : PRED;
				struct form *f = form_add(NULL, OUT(d), IN(PRED), "vote.sync.%s.%s 0x%08x%s",
					modes[mode], type_name(d), masks[m], is_negated ? " negated" : "");

				snprintf(instruction, sizeof instruction,
					"vote.sync.%s.%s %%r, %s%%a, 0x%08x", modes[mode], type_name(d),
					is_negated ? "!" : "", masks[m]);
				member_form(f, masks[m], instruction);
				f->reference_all = ref_vote;
				f->tag[1] = mode;
				f->tag[2] = is_negated;
			}
}

/* Whole warps that agree: the operand is the same for all lanes, by a CTA of one value. */
static bool ref_agreed(const struct form *f, const uint64_t *in, uint64_t *out)
{
	bool is_set = f->tag[0];

	out[0] = is_set;
	out[1] = is_set;
	out[2] = 1;
	out[3] = is_set ? 0xffffffff : 0;
	return true;
}

static void agreed_forms(void)
{
	for (int value = 0; value < 2; value++) {
		struct form *f = form_add(ref_agreed, OUT(PRED, PRED, PRED, B32), NO_INPUT,
			"vote.sync where all lanes say %d", value);

		form_body(f,
			"{ .reg .pred %%q; setp.%s.b32 %%q, %%lane, 99; vote.sync.all.pred %%r, %%q, -1; "
			"vote.sync.any.pred %%s, %%q, -1; vote.sync.uni.pred %%t, %%q, -1; "
			"vote.sync.ballot.b32 %%u, %%q, -1; } ",
			value ? "ne" : "eq");
		f->tag[0] = value;
	}
}

/* -- shfl: each lane names its own source by b and c -- */

enum shuffle { UP, DOWN, BFLY, IDX };

static void shuffle_warp(const struct form *f, struct tuples *t, uint32_t first)
{
	for (int lane = 0; lane < WARP; lane++) {
		uint32_t i = first + (uint32_t)lane;
		int b = t->in[1][i] & 31, clamp = t->in[2][i] & 31, segments = t->in[2][i] >> 8 & 31;
		int highest = (lane & segments) | (clamp & ~segments), lowest = lane & segments, source;
		bool is_valid;

		if (!is_member(f, (unsigned)lane))
			continue;
		switch (f->tag[1]) {
		case UP:
			source = lane - b;
			is_valid = source >= highest;
			break;
		case DOWN:
			source = lane + b;
			is_valid = source <= highest;
			break;
		case BFLY:
			source = lane ^ b;
			is_valid = source <= highest;
			break;
		default:
			source = lowest | (b & ~segments);
			is_valid = source <= highest;
		}
		if (!is_valid)
			source = lane;
		/* what a lane outside the mask would give is undefined */
		t->is_open[i] = !is_member(f, (unsigned)source);
		t->want[0][i] = t->in[0][first + (uint32_t)source];
		t->want[1][i] = is_valid;
	}
}

static void ref_shuffle(const struct form *f, struct tuples *t)
{
	by_warp(f, t, shuffle_warp);
}

static void shuffle_forms(void)
{
	static const char *const modes[] = { "up", "down", "bfly", "idx" };
	static const uint64_t whole[] = { 0x1f, 0 },
			      parts[] = { 0x1f, 0, 0x181f, 0x1800, 0x100f, 0x1c03, 0x1e1f, 0xffffffff, 0x0717,
				      0x1f1f };
	static const struct values whole_list = { whole, 2, true }, part_list = { parts, 10, true };
	char instruction[128];

	for (int mode = UP; mode <= IDX; mode++)
		for (int m = 0; m < MASKS; m++)
			for (int is_whole = 0; is_whole < 2; is_whole++) {
				struct form *f = form_add(NULL, OUT(B32, PRED), IN(B32, COUNT, B32),
					"shfl.sync.%s.b32 0x%08x%s", modes[mode], masks[m],
					is_whole ? " whole warp" : "");

				snprintf(instruction, sizeof instruction,
					"shfl.sync.%s.b32 %%r|%%s, %%a, %%b, %%c, 0x%08x", modes[mode],
					masks[m]);
				member_form(f, masks[m], instruction);
				f->reference_all = ref_shuffle;
				f->tag[1] = mode;
				f->values[2] = is_whole ? &whole_list : &part_list;
			}
}

/* -- match -- */

static void match_warp(const struct form *f, struct tuples *t, uint32_t first)
{
	uint32_t mask = mask_of(f);

	for (unsigned lane = 0; lane < WARP; lane++) {
		uint32_t equal = 0;

		if (!is_member(f, lane))
			continue;
		for (unsigned other = 0; other < WARP; other++)
			if (is_member(f, other) && t->in[0][first + other] == t->in[0][first + lane])
				equal |= 1u << other;
		if (f->tag[1]) {
			t->want[0][first + lane] = equal == mask ? mask : 0;
			t->want[1][first + lane] = equal == mask;
		} else {
			t->want[0][first + lane] = equal;
		}
	}
}

static void ref_match(const struct form *f, struct tuples *t)
{
	by_warp(f, t, match_warp);
}

static void match_forms(void)
{
	static const uint64_t few[] = { 0, 1, 0x80000000, 0x100000001 }, one[] = { 0x123456789 };
	static const struct values few_list = { few, 3, true }, wide_list = { few, 4, true },
				   one_list = { one, 1, true };
	char instruction[128];

	for (int m = 0; m < MASKS; m++)
		for (int i = 0; i < 6; i++) {
			bool is_all = i % 3, is_same = i % 3 == 2;
			enum type type = i < 3 ? B32 : B64;
			struct form *f = form_add(NULL, is_all ? OUT(B32, PRED) : OUT(B32), IN(type),
				"match.%s.sync.%s 0x%08x%s", is_all ? "all" : "any", type_name(type),
				masks[m], is_same ? " equal" : "");

			snprintf(instruction, sizeof instruction, "match.%s.sync.%s %%r%s, %%a, 0x%08x",
				is_all ? "all" : "any", type_name(type), is_all ? "|%s" : "", masks[m]);
			member_form(f, masks[m], instruction);
			f->reference_all = ref_match;
			f->tag[1] = is_all;
			f->values[0] = is_same ? &one_list : type == B64 ? &wide_list : &few_list;
		}
}

/* -- redux -- */

enum reduction { ADD, MIN, MAX, AND, OR, XOR };

static void redux_warp(const struct form *f, struct tuples *t, uint32_t first)
{
	uint64_t result = 0;
	bool is_first = true;

	for (unsigned lane = 0; lane < WARP; lane++) {
		uint64_t a = t->in[0][first + lane];
		__int128 x = number_of(f->in[0], a), y = number_of(f->in[0], result);

		if (!is_member(f, lane))
			continue;
		if (is_first)
			result = a;
		else
			result = f->tag[1] == ADD  ? (result + a) & 0xffffffff
				: f->tag[1] == MIN ? (x < y ? a : result)
				: f->tag[1] == MAX ? (x > y ? a : result)
				: f->tag[1] == AND ? (result & a)
				: f->tag[1] == OR  ? (result | a)
						   : result ^ a;
		is_first = false;
	}
	for (unsigned lane = 0; lane < WARP; lane++)
		if (is_member(f, lane))
			t->want[0][first + lane] = result;
}

static void ref_redux(const struct form *f, struct tuples *t)
{
	by_warp(f, t, redux_warp);
}

static void redux_forms(void)
{
	static const struct {
		const char *name;
		enum reduction operation;
		enum type type;
	} list[] = { { "add", ADD, U32 }, { "add", ADD, S32 }, { "min", MIN, U32 }, { "min", MIN, S32 },
		{ "max", MAX, U32 }, { "max", MAX, S32 }, { "and", AND, B32 }, { "or", OR, B32 },
		{ "xor", XOR, B32 } };
	char instruction[128];

	for (int i = 0; i < 9; i++)
		for (int m = 0; m < MASKS; m++) {
			struct form *f = form_add(NULL, OUT(list[i].type), IN(list[i].type),
				"redux.sync.%s.%s 0x%08x", list[i].name, type_name(list[i].type), masks[m]);

			snprintf(instruction, sizeof instruction, "redux.sync.%s.%s %%r, %%a, 0x%08x",
				list[i].name, type_name(list[i].type), masks[m]);
			member_form(f, masks[m], instruction);
			f->reference_all = ref_redux;
			f->tag[1] = list[i].operation;
			f->target = "sm_80";
			f->samples = 256;
		}
}

/* -- activemask and elect: checked by the lanes themselves -- */

static bool ref_one(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = 1;
	return true;
}

static void snapshot_forms(void)
{
	struct form *f = form_add(ref_one, OUT(PRED, PRED), NO_INPUT, "activemask in divergent code");

	/* only even lanes take the branch: the mask has this lane and no odd one */
	form_body(f,
		"{ .reg .pred %%odd; .reg .b32 %%mask, %%x; and.b32 %%x, %%lane, 1; "
		"setp.ne.b32 %%odd, %%x, 0; setp.eq.b32 %%r, %%x, %%x; setp.eq.b32 %%s, %%x, %%x; "
		"@%%odd bra done; activemask.b32 %%mask; and.b32 %%x, %%mask, 0xaaaaaaaa; "
		"setp.eq.b32 %%r, %%x, 0; shr.b32 %%x, %%mask, %%lane; and.b32 %%x, %%x, 1; "
		"setp.eq.b32 %%s, %%x, 1; "
		"done: bar.warp.sync -1; } ");
	for (int m = 0; m < MASKS; m++) {
		/* one lane is elected, a member; all members hear of the same one */
		f = form_add(ref_one, OUT(PRED, PRED), NO_INPUT, "elect.sync 0x%08x", masks[m]);
		form_body(f,
			"{ .reg .pred %%member, %%me; .reg .b32 %%leader, %%mask, %%x; "
			"mov.b32 %%mask, 0x%08x; shr.b32 %%x, %%mask, %%lane; and.b32 %%x, %%x, 1; "
			"setp.ne.b32 %%member, %%x, 0; setp.eq.b32 %%r, %%x, %%x; "
			"setp.eq.b32 %%s, %%x, %%x; @!%%member bra done; "
			"elect.sync %%leader|%%me, 0x%08x; vote.sync.ballot.b32 %%x, %%me, 0x%08x; "
			"shl.b32 %%word, 1, %%leader; setp.eq.b32 %%r, %%x, %%word; "
			"and.b32 %%x, %%x, %%mask; setp.ne.b32 %%s, %%x, 0; "
			"done: bar.warp.sync -1; } ",
			masks[m], masks[m], masks[m]);
		f->target = "sm_90";
		f->block = CTA;
	}
}

void warp_forms(void)
{
	vote_forms();
	agreed_forms();
	shuffle_forms();
	match_forms();
	redux_forms();
	snapshot_forms();
}
