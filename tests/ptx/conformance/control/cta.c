/* tests/ptx/conformance/control/cta.c -- barriers of a CTA, and special registers. */
#include "../suite/conform.h"

enum { WARP = 32, CTA = 128 };

static bool ref_one(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = 1;
	return true;
}

/* -- bar.red: r = popc or the predicate over the CTA -- */

enum reduction { POPC, AND, OR };

static void ref_bar_red(const struct form *f, struct tuples *t)
{
	for (uint32_t first = 0; first < t->count; first += CTA) {
		uint32_t set = 0;

		for (uint32_t i = 0; i < CTA; i++)
			set += (t->in[0][first + i] != 0) != f->tag[1];
		for (uint32_t i = 0; i < CTA; i++)
			t->want[0][first + i] = f->tag[0] == POPC ? set
				: f->tag[0] == AND                ? set == CTA
								  : set != 0;
	}
}

static void bar_red_forms(void)
{
	static const char *const names[] = { "popc.u32", "and.pred", "or.pred" };
	static const uint64_t values[] = { 0, 1 };
	static const struct values only[] = { { &values[0], 1, true }, { &values[1], 1, true },
		{ values, 2, true } };

	for (int operation = POPC; operation <= OR; operation++)
		for (int v = 0; v < 3; v++)
			for (int is_negated = 0; is_negated < 2; is_negated++) {
				enum type d = operation == POPC ? U32 : PRED;
				struct form *f =
					form_add(NULL, OUT(d), IN(PRED), "bar.red.%s %s%s", names[operation],
						v == 0           ? "zeros"
							: v == 1 ? "ones"
								 : "mixed",
						is_negated ? " negated" : "");

				form_body(f, "bar.red.%s %%r, 1, %s%%a; ", names[operation],
					is_negated ? "!" : "");
				f->reference_all = ref_bar_red;
				f->values[0] = &only[v];
				f->tag[0] = operation;
				f->tag[1] = is_negated;
			}
}

/* -- what is written before a barrier is seen behind it by the other warps -- */

static void ref_opposite(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i ^ (CTA - 1)];
}

static void barrier_form(const char *name, const char *barrier)
{
	struct form *f = form_add(NULL, OUT(B32), IN(B32), "%s", name);

	form_body(f,
		"{ .shared .align 4 .b8 x#[512]; .reg .b64 %%p, %%n; .reg .b32 %%t; .reg .pred %%upper; "
		"mov.u32 %%t, %%tid.x; setp.ge.u32 %%upper, %%t, 64; mul.wide.u32 %%n, %%t, 4; "
		"mov.u64 %%p, x#; add.u64 %%p, %%p, %%n; st.shared.b32 [%%p], %%a; "
		"%sxor.b32 %%t, %%t, 127; mul.wide.u32 %%n, %%t, 4; mov.u64 %%p, x#; "
		"add.u64 %%p, %%p, %%n; ld.shared.b32 %%r, [%%p]; } ",
		barrier);
	f->reference_all = ref_opposite;
}

/* The upper warps only arrive: they may not look at what the lower ones wrote before a second barrier. */
static void barrier_forms(void)
{
	barrier_form("bar.sync 0", "bar.sync 0; ");
	barrier_form("bar.sync 15, 128", "bar.sync 15, 128; ");
	barrier_form("bar.sync with registers", "mov.b32 %word, 7; bar.sync %word, 128; ");
	barrier_form("barrier.sync 3", "barrier.sync 3; ");
	barrier_form("barrier.sync.aligned 3, 128", "barrier.sync.aligned 3, 128; ");
	barrier_form("bar.cta.sync 2", "bar.cta.sync 2; ");
	barrier_form("barrier.cta.sync 2", "barrier.cta.sync 2; ");
	barrier_form("bar.arrive, bar.sync of both halves",
		"@%upper bar.sync 1, 128; @!%upper bar.arrive 1, 128; @!%upper bar.sync 2, 128; "
		"@%upper bar.arrive 2, 128; ");
	barrier_form("bar.sync 1 of one half, then all",
		"@%upper bar.sync 1, 64; @!%upper bar.sync 2, 64; bar.sync 0; ");
	barrier_form("bar.sync used again and again", "bar.sync 1; bar.sync 1; bar.sync 1; bar.sync 1; ");
	barrier_form("barrier.sync in divergent code",
		"{ .reg .pred %odd; and.b32 %word, %lane, 1; setp.ne.b32 %odd, %word, 0; @%odd bra apart; "
		"barrier.sync 1, 128; bra met; "
		"apart: barrier.sync 1, 128; "
		"met: } ");
	barrier_form("membar.cta and bar.sync", "membar.cta; bar.sync 0; ");
	barrier_form("fence.acq_rel.gpu and bar.sync", "fence.acq_rel.gpu; fence.sc.cta; bar.sync 0; ");
	/* the threads that have left are not waited for */
	struct form *f = form_add(ref_one, OUT(PRED), NO_INPUT, "bar.sync after warps have exited");
	form_body(f,
		"{ .reg .pred %%left; .reg .b32 %%t; mov.u32 %%t, %%tid.x; setp.eq.u32 %%r, %%t, %%t; "
		"selp.b32 %%word, 1, 0, %%r; st.global.b32 [%%out], %%word; setp.ge.u32 %%left, %%t, 96; "
		"@%%left exit; bar.sync 0; } ");
}

/* -- special registers -- */

struct thread {
	uint32_t tid, ctaid, lane;
};

/* The registers that follow from the thread's place: the grid is one-dimensional. */
static uint64_t expected(const struct form *f, struct thread place, uint32_t ctas)
{
	uint32_t below = (1u << place.lane) - 1, equal = 1u << place.lane;

	switch (f->tag[0]) {
	case 0:
		return place.tid;
	case 1:
		return CTA;
	case 2:
		return place.ctaid;
	case 3:
		return ctas;
	case 4:
		return place.lane;
	case 5:
		return equal;
	case 6:
		return below;
	case 7:
		return below | equal;
	case 8:
		return ~below & ~equal;
	case 9:
		return ~below;
	case 10:
		return 0;
	default:
		return 1;
	}
}

static void ref_place(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct thread place = { i % CTA, i / CTA, i % WARP };

		t->want[0][i] = expected(f, place, t->count / CTA) & 0xffffffff;
	}
}

static void place_forms(void)
{
	static const struct {
		const char *name;
		int what;
	} list[] = { { "%tid.x", 0 }, { "%ntid.x", 1 }, { "%ctaid.x", 2 }, { "%nctaid.x", 3 },
		{ "%laneid", 4 }, { "%lanemask_eq", 5 }, { "%lanemask_lt", 6 }, { "%lanemask_le", 7 },
		{ "%lanemask_gt", 8 }, { "%lanemask_ge", 9 }, { "%tid.y", 10 }, { "%tid.z", 10 },
		{ "%ctaid.y", 10 }, { "%ctaid.z", 10 }, { "%ntid.y", 11 }, { "%ntid.z", 11 },
		{ "%nctaid.y", 11 }, { "%nctaid.z", 11 }, { "%dynamic_smem_size", 10 } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++) {
		struct form *f = form_add(NULL, OUT(U32), IN(U32), "mov.u32 %s", list[i].name);

		form_body(f, "mov.u32 %%r, %s; ", list[i].name);
		f->reference_all = ref_place;
		f->tag[0] = list[i].what;
		f->samples = 256;
	}
}

static void property_form(const char *name, const char *body)
{
	form_body(form_add(ref_one, OUT(PRED), NO_INPUT, "%s", name), "%s", body);
}

static void register_forms(void)
{
	place_forms();
	property_form("%smid below %nsmid",
		"{ .reg .b32 %x, %y; mov.u32 %x, %smid; mov.u32 %y, %nsmid; setp.lt.u32 %r, %x, %y; } ");
	property_form("%warpid below %nwarpid",
		"{ .reg .b32 %x, %y; mov.u32 %x, %warpid; mov.u32 %y, %nwarpid; setp.lt.u32 %r, %x, %y; } ");
	property_form("%clock64 does not go backward",
		"{ .reg .b64 %x, %y; mov.u64 %x, %clock64; st.global.u64 [%m], %x; mov.u64 %y, %clock64; "
		"setp.le.u64 %r, %x, %y; } ");
	property_form("%clock is the low word of %clock64",
		"{ .reg .b64 %x, %y; .reg .b32 %c, %l, %h; mov.u64 %x, %clock64; mov.u32 %c, %clock; "
		"mov.u64 %y, %clock64; cvt.u32.u64 %l, %x; cvt.u32.u64 %h, %y; sub.u32 %c, %c, %l; "
		"sub.u32 %h, %h, %l; setp.le.u32 %r, %c, %h; } ");
	property_form("%globaltimer does not go backward",
		"{ .reg .b64 %x, %y; mov.u64 %x, %globaltimer; st.global.u64 [%m], %x; "
		"mov.u64 %y, %globaltimer; setp.le.u64 %r, %x, %y; } ");
	property_form("%tid as a vector",
		"{ .reg .v4 .b32 %v; .reg .b32 %x; mov.v4.u32 %v, %tid; mov.u32 %x, %tid.x; "
		"setp.eq.u32 %r, %x, %v.x; } ");
	property_form("%tid.x of 16 bits",
		"{ .reg .b16 %h; .reg .b32 %x, %y; mov.u16 %h, %tid.x; cvt.u32.u16 %x, %h; "
		"mov.u32 %y, %tid.x; setp.eq.u32 %r, %x, %y; } ");
	property_form("%total_smem_size holds the static shared memory",
		"{ .shared .align 4 .b8 x#[512]; .reg .b32 %x; st.shared.b32 [x#], %i; "
		"mov.u32 %x, %total_smem_size; setp.ge.u32 %r, %x, 512; } ");
	property_form("nanosleep", "nanosleep.u32 20; setp.eq.u32 %r, %i, %i; ");
}

void cta_forms(void)
{
	bar_red_forms();
	barrier_forms();
	register_forms();
}
