/* frontend/lower/arithmetic/lower_video.c -- video instructions: scalar ones on bytes, halves and words (vadd
 * ... vset), and those on two or four lanes (vadd2 ... vset4). Each is one micro-operation; selectors and
 * modifiers go into its imm (video.h). */
#include "frontend/lower/lower.h"
#include "frontend/tables/video.h"

#include <string.h>

static const struct {
	uint16_t opcode, code;
} codes[] = {
	{ PTX_VADD, UOP_VADD },
	{ PTX_VSUB, UOP_VSUB },
	{ PTX_VABSDIFF, UOP_VABSDIFF },
	{ PTX_VMIN, UOP_VMIN },
	{ PTX_VMAX, UOP_VMAX },
	{ PTX_VSHL, UOP_VSHL },
	{ PTX_VSHR, UOP_VSHR },
	{ PTX_VMAD, UOP_VMAD },
	{ PTX_VSET, UOP_VSET },
	{ PTX_VADD2, UOP_VADD_2 },
	{ PTX_VSUB2, UOP_VSUB_2 },
	{ PTX_VAVRG2, UOP_VAVRG_2 },
	{ PTX_VABSDIFF2, UOP_VABSDIFF_2 },
	{ PTX_VMIN2, UOP_VMIN_2 },
	{ PTX_VMAX2, UOP_VMAX_2 },
	{ PTX_VSET2, UOP_VSET_2 },
	{ PTX_VADD4, UOP_VADD_4 },
	{ PTX_VSUB4, UOP_VSUB_4 },
	{ PTX_VAVRG4, UOP_VAVRG_4 },
	{ PTX_VABSDIFF4, UOP_VABSDIFF_4 },
	{ PTX_VMIN4, UOP_VMIN_4 },
	{ PTX_VMAX4, UOP_VMAX_4 },
	{ PTX_VSET4, UOP_VSET_4 },
};

static int64_t flag(bool is_set, unsigned bit)
{
	return (int64_t)is_set << bit;
}

/* Types: of the result, but for vset, then of a and b. */
static int64_t signs(const struct lower *l)
{
	const struct ptx_insn *insn = l->insn;
	unsigned a = insn->type_count - 2u, b = insn->type_count - 1u;

	return flag(ptx_type_is_signed(insn->types[a]), VIDEO_A_SIGNED) |
		flag(ptx_type_is_signed(insn->types[b]), VIDEO_B_SIGNED) |
		flag(insn->type_count == 3 && ptx_type_is_signed(insn->types[0]), VIDEO_D_SIGNED);
}

static int64_t second_operation(struct lower *l)
{
	enum video_second second = has_modifier(l, PTX_MOD_ADD) ? VIDEO_ADD
		: has_modifier(l, PTX_MOD_MIN)                  ? VIDEO_MIN
		: has_modifier(l, PTX_MOD_MAX)                  ? VIDEO_MAX
								: VIDEO_NONE;

	return (int64_t)second << VIDEO_SECOND;
}

static int64_t selected_part(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG ? o->selector : VIDEO_WORD;
}

static bool is_negated(const struct lower *l, uint32_t index)
{
	return operand(l, index)->kind == PTX_OP_REG && operand(l, index)->negated;
}

static int64_t scalar_bits(struct lower *l)
{
	bool negates = is_negated(l, 1) != is_negated(l, 2);
	int64_t shift = has_modifier(l, PTX_MOD_SHR7) ? 7 : has_modifier(l, PTX_MOD_SHR15) ? 15 : 0;

	has_modifier(l, PTX_MOD_WRAP);
	return selected_part(operand(l, 1)) << VIDEO_A_PART | selected_part(operand(l, 2)) << VIDEO_B_PART |
		selected_part(operand(l, 0)) << VIDEO_D_PART |
		flag(has_modifier(l, PTX_MOD_CLAMP), VIDEO_CLAMP) | flag(negates, VIDEO_NEGATE_PRODUCT) |
		flag(is_negated(l, 3), VIDEO_NEGATE_C) | flag(has_modifier(l, PTX_MOD_PO), VIDEO_PLUS_ONE) |
		shift << VIDEO_SHIFT;
}

/* The digits of %r1.b3210, the last one for lane 0. */
static const char *digits(const struct ptx_operand *o, uint32_t *count)
{
	const char *dot = o->kind == PTX_OP_REG && o->selector && o->name ? strrchr(o->name, '.') : NULL;

	*count = dot ? (uint32_t)strlen(dot + 2) : 0;
	return dot ? dot + 2 : "";
}

/* Which lanes of {b, a} the lanes of a source are; `first`: the one of lane 0 if there is no selector. */
static int64_t chosen(const struct ptx_operand *o, uint32_t lanes, uint32_t first)
{
	uint32_t count, shift = 0;
	const char *digit = digits(o, &count);
	int64_t bits = 0;

	for (uint32_t n = 0; n < lanes; n++, shift += 3)
		bits |= (int64_t)(count ? (uint32_t)(digit[count - 1 - n] - '0') : first + n) << shift;
	return bits;
}

static int64_t mask_of(const struct ptx_operand *o, uint32_t lanes)
{
	uint32_t count;
	const char *digit = digits(o, &count);
	int64_t mask = count ? 0 : (1 << lanes) - 1;

	for (uint32_t n = 0; n < count; n++)
		mask |= 1 << (digit[n] - '0');
	return mask;
}

static int64_t lane_bits(const struct lower *l, uint32_t lanes)
{
	return mask_of(operand(l, 0), lanes) << VIDEO_MASK |
		chosen(operand(l, 1), lanes, 0) << VIDEO_A_LANES |
		chosen(operand(l, 2), lanes, lanes) << VIDEO_B_LANES;
}

/* A source without what the imm says of it. */
static ref bare_source(struct lower *l, uint32_t index)
{
	struct ptx_operand bare = *operand(l, index);

	if (bare.kind == PTX_OP_NONE)
		return constant_ref(l, 0, 32);
	bare.negated = false;
	bare.selector = 0;
	return source(l, &bare, 32, false);
}

static unsigned code_of(const struct lower *l)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].opcode == l->insn->opcode)
			return codes[i].code;
	return UOP_NOP;
}

void lower_video(struct lower *l)
{
	unsigned code = code_of(l);
	int64_t bits = signs(l) | second_operation(l) | flag(has_modifier(l, PTX_MOD_SAT), VIDEO_SAT);
	ref to = result(l, operand(l, 0), 32), from[3];
	struct draft *d;

	bits |= code < UOP_VADD_2 ? scalar_bits(l) : lane_bits(l, code < UOP_VADD_4 ? 2 : 4);
	for (uint32_t s = 0; s < 3; s++)
		from[s] = bare_source(l, s + 1);
	d = emit(l, code);
	d->dst[0] = to;
	for (uint32_t s = 0; s < 3; s++)
		d->src[s] = from[s];
	d->uop.imm = bits;
	find_comparison(l, &d->uop.compare);
}
