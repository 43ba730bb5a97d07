/* frontend/check/check_tcgen05.c -- tensor memory and its products: the word, then its operands. Verdicts are
 * those of ptxas 13.0, which takes registers of any type and width where we want 32 bits that are no address
 * of another memory. */
#include "frontend/check/check_word.h"
#include "frontend/tables/tcgen05.h"

/* ---- word ---- */

#define END      0xffff
#define GROUPS   PTX_MOD_CTA_GROUP_1, PTX_MOD_CTA_GROUP_2
#define TOGETHER PTX_MOD_SYNC, PTX_MOD_ALIGNED
#define TRANSFERS \
	PTX_MOD_16X64B, PTX_MOD_16X128B, PTX_MOD_16X256B, PTX_MOD_32X32B, PTX_MOD_16X32BX2, PTX_MOD_X1, \
		PTX_MOD_X2, PTX_MOD_X4, PTX_MOD_X8, PTX_MOD_X16, PTX_MOD_X32, PTX_MOD_X64, PTX_MOD_X128

/* What each kind of word may have; collectors besides, which are in order of their numbers. */
static const uint16_t allowed[TCGEN05_WHATS][40] = {
	[TCGEN05_ALLOCATES] = { PTX_MOD_ALLOC, GROUPS, TOGETHER, PTX_MOD_SHARED_CTA, END },
	[TCGEN05_FREES] = { PTX_MOD_DEALLOC, GROUPS, TOGETHER, END },
	[TCGEN05_RELINQUISHES] = { PTX_MOD_RELINQUISH, GROUPS, TOGETHER, END },
	[TCGEN05_LOADS] = { PTX_MOD_LD, TOGETHER, TRANSFERS, PTX_MOD_PACK_16B, PTX_MOD_RED, PTX_MOD_MIN,
		PTX_MOD_MAX, PTX_MOD_ABS, PTX_MOD_NAN, END },
	[TCGEN05_STORES] = { PTX_MOD_ST, TOGETHER, TRANSFERS, PTX_MOD_UNPACK_16B, END },
	[TCGEN05_WAITS] = { PTX_MOD_WAIT_LD, PTX_MOD_WAIT_ST, TOGETHER, END },
	[TCGEN05_FENCES] = { PTX_MOD_BEFORE_THREAD_SYNC, PTX_MOD_AFTER_THREAD_SYNC, END },
	[TCGEN05_COPIES] = { PTX_MOD_CP, GROUPS, PTX_MOD_128X256B, PTX_MOD_4X256B, PTX_MOD_128X128B,
		PTX_MOD_64X128B, PTX_MOD_32X128B, PTX_MOD_WARPX2_02_13, PTX_MOD_WARPX2_01_23, PTX_MOD_WARPX4,
		PTX_MOD_B8X16, PTX_MOD_B6X16_P32, PTX_MOD_B4X16_P64, END },
	[TCGEN05_SHIFTS] = { PTX_MOD_SHIFT, GROUPS, PTX_MOD_DOWN, END },
	[TCGEN05_COMMITS] = { PTX_MOD_COMMIT, GROUPS, PTX_MOD_ARRIVE_ONE, PTX_MOD_MULTICAST_CLUSTER,
		PTX_MOD_SHARED_CLUSTER, END },
	[TCGEN05_MULTIPLIES] = { PTX_MOD_MMA, GROUPS, PTX_MOD_SP, PTX_MOD_WS, PTX_MOD_ASHIFT,
		PTX_MOD_KIND_F16, PTX_MOD_KIND_TF32, PTX_MOD_KIND_F8F6F4, PTX_MOD_KIND_I8,
		PTX_MOD_KIND_MXF8F6F4, PTX_MOD_KIND_MXF4, PTX_MOD_KIND_MXF4NVF4, PTX_MOD_BLOCK_SCALE,
		PTX_MOD_SCALE_VEC_1X, PTX_MOD_SCALE_VEC_2X, PTX_MOD_SCALE_VEC_4X, PTX_MOD_BLOCK16,
		PTX_MOD_BLOCK32, END },
};

static bool is_allowed(unsigned modifier, enum tcgen05_what what)
{
	if (what == TCGEN05_MULTIPLIES &&
		((modifier >= PTX_MOD_COLLECTOR_A_FILL && modifier <= PTX_MOD_COLLECTOR_A_DISCARD) ||
			(modifier >= PTX_MOD_COLLECTOR_B0_FILL && modifier <= PTX_MOD_COLLECTOR_B3_DISCARD)))
		return true;
	for (const uint16_t *m = allowed[what]; *m != END; m++)
		if (*m == modifier)
			return true;
	return false;
}

/* Those that stand alone must be there. */
static bool has_required(struct ptx_parser *p, const struct ptx_insn *insn, enum tcgen05_what what)
{
	bool is_together = what <= TCGEN05_WAITS;

	if (is_together && !(word_has(insn, PTX_MOD_SYNC) && word_has(insn, PTX_MOD_ALIGNED)))
		return wrong_word(p, insn, ".sync.aligned", "needs '.sync' and '.aligned'");
	if (what == TCGEN05_SHIFTS && !word_has(insn, PTX_MOD_DOWN))
		return wrong_word(p, insn, ".down", "needs a direction");
	if (what == TCGEN05_COMMITS && !word_has(insn, PTX_MOD_ARRIVE_ONE))
		return wrong_word(p, insn, ".mbarrier::arrive::one", "needs what completes it");
	return true;
}

static bool check_reduction(struct ptx_parser *p, const struct ptx_insn *insn, const struct tcgen05_form *f)
{
	bool is_float = insn->type_count == 1 && insn->types[0] == PTX_F32;

	if (!f->reduces)
		return HOW_MANY(insn, PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_ABS, PTX_MOD_NAN)
			? wrong_word(p, insn, "tcgen05.ld.red", "reduces nothing")
			: true;
	if (HOW_MANY(insn, PTX_MOD_MIN, PTX_MOD_MAX) != 1)
		return wrong_word(p, insn, NULL, "needs '.min' or '.max'");
	if (f->code.shape != TENSOR_32X32B && f->code.shape != TENSOR_16X32BX2)
		return wrong_word(p, insn, ".32x32b", "cannot reduce with this shape");
	if (f->code.count < 2 || f->code.flags & TENSOR_PACKS)
		return wrong_word(p, insn, ".x2", "reduces two columns or more, not packed ones");
	if (!is_float && HOW_MANY(insn, PTX_MOD_ABS, PTX_MOD_NAN))
		return wrong_word(p, insn, ".f32", "has '.abs' and '.NaN' for f32 alone");
	return true;
}

static bool check_type(struct ptx_parser *p, const struct ptx_insn *insn, const struct tcgen05_form *f)
{
	static const uint8_t types[TCGEN05_WHATS] = { [TCGEN05_ALLOCATES] = PTX_B32,
		[TCGEN05_FREES] = PTX_B32,
		[TCGEN05_LOADS] = PTX_B32,
		[TCGEN05_STORES] = PTX_B32,
		[TCGEN05_COMMITS] = PTX_B64 };
	unsigned type = insn->type_count ? insn->types[0] : PTX_NO_TYPE;
	char hint[16];

	if (f->reduces)
		return insn->type_count == 1 && (type == PTX_F32 || type == PTX_U32 || type == PTX_S32)
			? true
			: wrong_word(p, insn, ".f32, .u32 or .s32", "needs a type");
	if (insn->type_count == (types[f->what] ? 1 : 0) && type == types[f->what])
		return true;
	snprintf(hint, sizeof(hint), ".%s", ptx_type_name(types[f->what]));
	return types[f->what] ? wrong_word(p, insn, hint, "needs its type")
			      : wrong_word(p, insn, NULL, "takes no type");
}

/* What only some chips of the family have. */
static bool check_chip(struct ptx_parser *p, const struct ptx_insn *insn, const struct tcgen05_form *f)
{
	const struct ptx_module *m = p->module;
	bool is_a = m->target_suffix == 'a', is_fp4 = f->code.kind >= TENSOR_MXF4;

	if (f->reduces && m->sm == 100)
		return wrong_word(p, insn, ".target sm_103a", "does not exist on this chip");
	if (f->what != TCGEN05_MULTIPLIES)
		return true;
	if (f->code.kind == TENSOR_I8 && (!is_a || m->sm == 103))
		return wrong_word(p, insn, ".target sm_100a", "has no integers on this chip");
	if (HOW_MANY(insn, PTX_MOD_SCALE_VEC_1X, PTX_MOD_SCALE_VEC_2X, PTX_MOD_SCALE_VEC_4X) && !is_a)
		return wrong_word(p, insn, ".block16 or .block32", "names its scales in the way of sm_100a");
	if (f->code.flags & TENSOR_SPARSE && is_fp4 && !is_a)
		return wrong_word(p, insn, ".target sm_100a", "does not exist for a family of chips");
	if (f->scale_d && m->sm >= 101 && m->sm != 103)
		return wrong_word(p, insn, ".target sm_100a", "has no scale-input-d on this chip");
	return is_available(p, insn, 100,
		HOW_MANY(insn, PTX_MOD_BLOCK16, PTX_MOD_BLOCK32) ? 88
			: f->code.kind == TENSOR_MXF4NVF4        ? 87
								 : 86);
}

bool check_tcgen05_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	struct tcgen05_form f;
	const char *why, *hint;
	bool has_space;

	if (!tcgen05_decode(insn, &f, &why, &hint))
		return wrong_word(p, insn, hint, why);
	for (uint32_t i = 0; i < insn->modifier_count; i++)
		if (!is_allowed(insn->modifiers[i], f.what)) {
			parse_error(p, insn->location, NULL, "'%.100s' does not take '.%s'",
				insn->form->spelling, ptx_modifier_name(insn->modifiers[i]));
			return false;
		}
	has_space = word_has(insn, PTX_MOD_SHARED_CTA) || word_has(insn, PTX_MOD_SHARED_CLUSTER);
	if (insn->space && !has_space)
		return wrong_word(p, insn, NULL, "cannot have this state space");
	return has_required(p, insn, f.what) && check_type(p, insn, &f) && check_reduction(p, insn, &f) &&
		check_chip(p, insn, &f);
}

/* ---- operands ---- */

static bool is_word(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && ptx_type_bits(o->variable->type) == 32 && !o->negated;
}

/* [taddr]: a register of 32 bits, or a constant. */
static void check_tensor_address(const struct check *c, const struct ptx_operand *o, const char *name)
{
	if (o->kind == PTX_OP_ADDRESS &&
		(!o->base || o->base->kind == PTX_OP_NONE || is_word(o->base) ||
			o->base->kind == PTX_OP_NAME))
		return;
	if (o->kind != PTX_OP_NAME)
		parse_error(c->p, o->location, "[%r1]", "%s of '%.100s' is an address of tensor memory", name,
			check_word(c));
}

static void check_word_registers(const struct check *c, const struct ptx_operand *o, unsigned count,
	const char *name, bool is_read, bool takes_constants)
{
	if (o->kind == PTX_OP_NAME)
		return;
	if (o->kind != PTX_OP_VECTOR || o->element_count != count) {
		parse_error(c->p, o->location, NULL, "%s of '%.100s' takes %u register%s in braces", name,
			check_word(c), count, count == 1 ? "" : "s");
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_operand *e = &o->elements[i];

		if (is_word(e) || e->kind == PTX_OP_NAME || (!is_read && e->kind == PTX_OP_SINK) ||
			(takes_constants && e->kind == PTX_OP_VALUE))
			continue;
		parse_error(c->p, e->location, NULL,
			"'%.200s' is no register of 32 bits, as %s of '%.100s' takes", check_shown(e), name,
			check_word(c));
		return;
	}
}

static void check_number(const struct check *c, const struct ptx_operand *o, unsigned type)
{
	check_value(c, o, &(struct want){ type, false, false });
}

static void check_constant_up_to(
	const struct check *c, const struct ptx_operand *o, uint64_t most, const char *name)
{
	if (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT || o->value.bits > most)
		parse_error(c->p, o->location, NULL, "%s of '%.100s' is a constant, 0 to %llu", name,
			check_word(c), (unsigned long long)most);
}

/* A number of columns: a power of two, 32 to 512, if it is a constant. */
static void check_columns(const struct check *c, const struct ptx_operand *o)
{
	uint64_t n = o->value.bits;

	if (o->kind == PTX_OP_VALUE && (n < TENSOR_UNIT || n > TENSOR_COLUMNS || n & (n - 1)))
		parse_error(c->p, o->location, NULL, "'%.100s' takes a power of two of columns, 32 to 512",
			check_word(c));
	else
		check_number(c, o, PTX_U32);
}

static void check_transfer(const struct check *c, const struct tcgen05_form *f)
{
	const struct ptx_operand *o = c->insn->operands;
	bool loads = f->what == TCGEN05_LOADS;
	unsigned address = loads ? 1 + f->reduces : 0, data = loads ? 0 : f->operands - 1u;

	check_word_registers(c, &o[data], f->registers, loads ? "the result" : "the source", !loads, false);
	check_tensor_address(c, &o[address], loads ? "the source" : "the destination");
	if (f->reduces && !is_word(&o[1]) && o[1].kind != PTX_OP_SINK && o[1].kind != PTX_OP_NAME)
		parse_error(c->p, o[1].location, NULL,
			"'%.100s' puts what it finds into a register of 32 bits", check_word(c));
	if (f->split)
		check_constant_up_to(c, &o[f->split + f->reduces], INT32_MAX, "the distance of the halves");
}

static void check_product(const struct check *c, const struct tcgen05_form *f)
{
	const struct ptx_operand *o = c->insn->operands;

	check_tensor_address(c, &o[0], "D");
	if (f->code.flags & TENSOR_A_IN_TENSOR)
		check_tensor_address(c, &o[1], "A");
	else
		check_number(c, &o[1], PTX_B64);
	check_number(c, &o[2], PTX_B64);
	if (f->metadata)
		check_tensor_address(c, &o[f->metadata], "the metadata");
	check_number(c, &o[f->idesc], PTX_U32);
	if (f->scales) {
		check_tensor_address(c, &o[f->scales], "the scale of A");
		check_tensor_address(c, &o[f->scales + 1], "the scale of B");
	}
	if (f->mask)
		check_word_registers(c, &o[f->mask], f->code.flags & TENSOR_PAIR ? 8 : 4,
			"disable-output-lane", true, true);
	if (o[f->enable].kind == PTX_OP_VALUE)
		check_constant_up_to(c, &o[f->enable], 1, "enable-input-d");
	else
		check_value(c, &o[f->enable], &(struct want){ PTX_PRED, false, false });
	if (f->scale_d)
		check_constant_up_to(c, &o[f->scale_d], 15, "scale-input-d");
	if (f->zeros)
		check_number(c, &o[f->zeros], PTX_B64);
}

static void check_others(const struct check *c, const struct tcgen05_form *f)
{
	const struct ptx_operand *o = c->insn->operands;

	switch (f->what) {
	case TCGEN05_ALLOCATES:
		check_address_in(c, &o[0], word_has(c->insn, PTX_MOD_SHARED_CTA) ? PTX_SHARED : 0);
		check_columns(c, &o[1]);
		break;
	case TCGEN05_FREES:
		check_number(c, &o[0], PTX_B32);
		check_columns(c, &o[1]);
		break;
	case TCGEN05_COPIES:
		check_number(c, &o[1], PTX_B64);
		check_tensor_address(c, &o[0], "the destination");
		break;
	case TCGEN05_SHIFTS:
		check_tensor_address(c, &o[0], "the matrix");
		break;
	case TCGEN05_COMMITS:
		check_address_in(c, &o[0], word_has(c->insn, PTX_MOD_SHARED_CLUSTER) ? PTX_SHARED : 0);
		if (f->operands > 1 && o[1].kind == PTX_OP_VALUE)
			parse_error(c->p, o[1].location, NULL, "the mask of '%.100s' is a register",
				check_word(c));
		else if (f->operands > 1)
			check_number(c, &o[1], PTX_B16);
		break;
	default:
		break;
	}
}

void check_tcgen05_operands(const struct check *c)
{
	struct tcgen05_form f;
	const char *why, *hint;
	unsigned operands;

	if (!tcgen05_decode(c->insn, &f, &why, &hint)) {
		wrong_word(c->p, c->insn, hint, why);
		return;
	}
	operands = f.operands + f.reduces;
	if (c->insn->operand_count != operands)
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %u operand%s, not %u",
			check_word(c), operands, operands == 1 ? "" : "s", c->insn->operand_count);
	else if (f.what == TCGEN05_LOADS || f.what == TCGEN05_STORES)
		check_transfer(c, &f);
	else if (f.what == TCGEN05_MULTIPLIES)
		check_product(c, &f);
	else
		check_others(c, &f);
}
