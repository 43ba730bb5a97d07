/* frontend/allocate/simplify.c -- what a compiler for the machine makes of the operands before it orders the
 * instructions, for the estimate of registers alone: the drafts as it would see them, in a copy.
 *
 * Copies, constants, kernel parameters and the sizes of grid and CTA (both lie in constant memory) become
 * operands of what reads them. So do sign extensions, scaling by a constant and the addition of a constant
 * where the instructions behind them do it on the side: a sum of 64 bits multiplies and widens one operand
 * (IMAD.WIDE, LEA), an access adds a constant to its address register and, in shared memory, scales it.
 *
 * Only registers that are written at one place and unconditionally are replaced, and only by such: they hold
 * the same value wherever they are read. */
#include "frontend/allocate/schedule.h"

#include <string.h>

/* What stands for all that lies in constant memory but is not known before the launch. */
#define LAUNCHED (REF_PRELOAD | PTX_SREG_NTID_X)

/* How a register is read: by sums and accesses, or by accesses, or by accesses to shared and local memory
 * alone. */
enum readers { BY_SUMS = 1, BY_ACCESSES = 2, BY_SHARED = 4, BY_ALL = 7 };

struct simplifier {
	struct lower *l;
	struct draft *drafts;
	uint8_t *writes;  /* of each register, counted to 2; conditional ones count twice */
	uint8_t *readers; /* of each register: enum readers that hold for all who read it */
	ref *same;        /* what is read instead: a register, a constant or LAUNCHED */
};

static bool is_single(const struct simplifier *s, ref r)
{
	return is_register(r) && s->writes[r] == 1;
}

static void count_writes(struct simplifier *s)
{
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; i < s->l->draft_count; i++) {
		uint32_t n = draft_writes(&s->drafts[i], list);

		for (uint32_t w = 0; w < n; w++)
			s->writes[list[w]] =
				s->writes[list[w]] || (s->drafts[i].uop.flags & UOP_GUARDED) ? 2 : 1;
	}
}

static bool is_near(const struct draft *d)
{
	return is_access(d) && (d->uop.space == SPACE_SHARED || d->uop.space == SPACE_LOCAL);
}

/* What may be said of operand s of d as a reader of the register there. */
static uint8_t reads_as(const struct draft *d, uint32_t s)
{
	if (d->uop.code == UOP_ADD_B64 || d->uop.code == UOP_ADD_B32)
		return BY_SUMS;
	return !is_access(d) || s ? 0 : is_near(d) ? BY_ALL : BY_ACCESSES;
}

static void find_readers(struct simplifier *s)
{
	memset(s->readers, BY_ALL, s->l->vreg_count);
	for (uint32_t i = 0; i < s->l->draft_count; i++) {
		const struct draft *d = &s->drafts[i];

		for (uint32_t o = 0; o < 4; o++)
			if (is_register(d->src[o]))
				s->readers[d->src[o]] &= reads_as(d, o);
		for (uint32_t e = 0; e < d->uop.extra_sources; e++)
			if (is_register(d->extra[e]))
				s->readers[d->extra[e]] = 0;
	}
}

/* In constant memory: what a launch says. */
static bool is_launch_constant(ref r)
{
	uint32_t sreg = r & ~REF_KIND;

	return (r & REF_KIND) == REF_PRELOAD &&
		((sreg >= PTX_SREG_NTID_X && sreg <= PTX_SREG_NTID_Z) ||
			(sreg >= PTX_SREG_NCTAID_X && sreg <= PTX_SREG_NCTAID_Z));
}

/* What stands for the operand; REF_NONE: nothing that is the same for good. */
static ref value_of(const struct simplifier *s, ref r)
{
	if ((r & REF_KIND) == REF_CONSTANT)
		return r;
	if (is_launch_constant(r))
		return LAUNCHED;
	return is_single(s, r) ? s->same[r] : REF_NONE;
}

static bool is_constant(ref value)
{
	return (value & REF_KIND) == REF_CONSTANT || value == LAUNCHED;
}

/* The one operand of the two that is not constant; REF_NONE: there is no such. */
static ref only_variable(const struct simplifier *s, const struct draft *d)
{
	ref a = value_of(s, d->src[0]), b = value_of(s, d->src[1]);

	if (is_constant(b))
		return is_constant(a) ? LAUNCHED : a;
	return is_constant(a) ? b : REF_NONE;
}

/* What is read instead of the draft's result; REF_NONE: the result itself. */
static ref stands_for(const struct simplifier *s, const struct draft *d)
{
	uint8_t readers = s->readers[d->dst[0]];
	ref from = value_of(s, d->src[0]);

	switch (d->uop.code) {
	case UOP_LD_PARAM:
		return d->src[0] == REF_NONE || is_constant(from) ? LAUNCHED : REF_NONE;
	case UOP_MOV_B32:
	case UOP_MOV_B64:
	case UOP_CVTA_TO:
	case UOP_CVT_S64_S32:
	case UOP_CVT_U64_U32:
		return from;
	case UOP_CVTA:
		return is_constant(from) || d->uop.imm == SPACE_GLOBAL ? from : REF_NONE;
	case UOP_CVT_B32_B64:
		return is_register(from) && s->l->vregs[from].bits == 64 ? REF_NONE : from;
	case UOP_SHL_B32:
	case UOP_SHL_B64:
		return readers & BY_SUMS && (d->src[1] & REF_KIND) == REF_CONSTANT ? from : REF_NONE;
	case UOP_MUL_LO_B32:
	case UOP_MUL_LO_B64:
	case UOP_MUL_WIDE_U32:
	case UOP_MUL_WIDE_S32:
		return readers & BY_SUMS ? only_variable(s, d) : REF_NONE;
	case UOP_ADD_B32:
	case UOP_ADD_B64:
		if (readers & BY_SHARED || (readers & BY_ACCESSES && (d->src[1] & REF_KIND) == REF_CONSTANT))
			return only_variable(s, d);
		return REF_NONE;
	default:
		return REF_NONE;
	}
}

static void find_same(struct simplifier *s)
{
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; i < s->l->draft_count; i++) {
		const struct draft *d = &s->drafts[i];
		uint32_t n = draft_writes(d, list);
		ref same =
			n && s->l->vregs[list[0]].bits && list[0] == d->dst[0] ? stands_for(s, d) : REF_NONE;

		for (uint32_t w = 0; same != REF_NONE && w < n; w++)
			if (s->writes[list[w]] == 1)
				s->same[list[w]] = same;
	}
}

/* Ends: what stands for a register is written once, and nothing stands for what it stands for. */
static void replace(const struct simplifier *s, ref *r)
{
	while (is_single(s, *r) && s->same[*r] != *r)
		*r = s->same[*r];
}

struct draft *simplify_drafts(struct lower *l)
{
	struct simplifier s = { .l = l,
		.drafts = arena_alloc(l->scratch, (l->draft_count + 1) * sizeof *s.drafts) };

	if (l->draft_count)
		memcpy(s.drafts, l->drafts, l->draft_count * sizeof *s.drafts);
	s.writes = arena_alloc(l->scratch, l->vreg_count + 1);
	s.readers = arena_alloc(l->scratch, l->vreg_count + 1);
	s.same = arena_alloc(l->scratch, (l->vreg_count + 1) * sizeof *s.same);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		s.same[v] = v;
	count_writes(&s);
	find_readers(&s);
	find_same(&s);
	for (uint32_t i = 0; i < l->draft_count; i++) {
		struct draft *d = &s.drafts[i];
		ref *extra = d->uop.extra_sources + d->uop.extra_dests
			? arena_alloc(l->scratch,
				  (size_t)(d->uop.extra_sources + d->uop.extra_dests) * sizeof *extra)
			: NULL;

		for (int o = 0; o < 4; o++)
			replace(&s, &d->src[o]);
		for (uint32_t e = 0; e < (uint32_t)d->uop.extra_sources + d->uop.extra_dests; e++)
			extra[e] = d->extra[e];
		for (uint32_t e = 0; e < d->uop.extra_sources; e++)
			replace(&s, &extra[e]);
		d->extra = extra;
	}
	return s.drafts;
}

/* Whether the upper half of what the draft reads as operand o matters only if that of its result does; or
 * never. */
static bool reads_low(const struct draft *d, uint32_t o, const bool *is_wide)
{
	switch (d->uop.code) {
	case UOP_LD:
	case UOP_ST:
	case UOP_ATOM:
		return o == 0 && is_near(d);
	case UOP_CVT_B32_B64:
		return true;
	case UOP_ADD_B64:
	case UOP_SUB_B64:
	case UOP_MUL_LO_B64:
	case UOP_MAD_LO_B64:
	case UOP_AND_B64:
	case UOP_OR_B64:
	case UOP_XOR_B64:
	case UOP_NOT_B64:
	case UOP_NEG_S64:
	case UOP_SHL_B64:
	case UOP_MOV_B64:
	case UOP_SELP_B64:
	case UOP_CVTA_TO:
		return d->dst[0] != REF_NONE && !is_wide[d->dst[0]];
	default:
		return false;
	}
}

bool *find_wide(struct lower *l, const bool *needed)
{
	bool *is_wide = arena_alloc(l->scratch, l->vreg_count + 1), more = true;

	while (more) {
		more = false;
		for (uint32_t i = l->draft_count; i-- > 0;) {
			const struct draft *d = &l->drafts[i];

			for (uint32_t o = 0; needed[i] && o < 4 + (uint32_t)d->uop.extra_sources; o++) {
				ref r = o < 4 ? d->src[o] : d->extra[o - 4];

				if (!is_register(r) || is_wide[r] || reads_low(d, o, is_wide))
					continue;
				is_wide[r] = more = true;
			}
		}
	}
	return is_wide;
}
