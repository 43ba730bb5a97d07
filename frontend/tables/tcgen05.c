/* frontend/tables/tcgen05.c -- the words of tcgen05 taken apart. */
#include "frontend/tables/tcgen05.h"
#include "frontend/parse/form.h"
#include "frontend/tables/opcode.h"

static bool is_wrong(const char **why, const char **hint, const char *text, const char *instead)
{
	*why = text;
	*hint = instead;
	return false;
}

/* The number of the modifier in the list, which the word must have once; -1: none or several. */
static int only_of(const struct ptx_insn *insn, const uint16_t *list, unsigned count)
{
	int found = -1;

	for (unsigned i = 0; i < count; i++) {
		if (!form_has(insn->form, list[i]))
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}
#define ONLY_OF(insn, list) only_of(insn, list, sizeof(list) / sizeof(*(list)))

/* Whether the word has none of them. */
static bool has_none(const struct ptx_insn *insn, const uint16_t *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (form_has(insn->form, list[i]))
			return false;
	return true;
}
#define HAS_NONE(insn, list) has_none(insn, list, sizeof(list) / sizeof(*(list)))

/* ---- loads and stores ---- */

unsigned tcgen05_registers(unsigned shape)
{
	return shape == TENSOR_16X256B ? 4 : shape == TENSOR_16X128B ? 2 : 1;
}

static bool decode_transfer(
	const struct ptx_insn *insn, struct tcgen05_form *f, const char **why, const char **hint)
{
	static const uint16_t shapes[] = { PTX_MOD_16X64B, PTX_MOD_16X128B, PTX_MOD_16X256B, PTX_MOD_32X32B,
		PTX_MOD_16X32BX2 };
	static const uint16_t counts[] = { PTX_MOD_X1, PTX_MOD_X2, PTX_MOD_X4, PTX_MOD_X8, PTX_MOD_X16,
		PTX_MOD_X32, PTX_MOD_X64, PTX_MOD_X128 };
	int shape = ONLY_OF(insn, shapes), count = ONLY_OF(insn, counts);
	bool is_split = shape == TENSOR_16X32BX2;

	if (shape < 0)
		return is_wrong(why, hint, "needs a shape", ".32x32b");
	if (count < 0)
		return is_wrong(why, hint, "needs a repetition", ".x1 to .x128");
	f->code.shape = (uint8_t)shape;
	f->code.count = (uint8_t)(1u << count);
	f->registers = f->code.count * tcgen05_registers((unsigned)shape);
	f->reduces = form_has(insn->form, PTX_MOD_RED);
	if (f->registers > TENSOR_LANES)
		return is_wrong(why, hint, "would take more than 128 registers", NULL);
	if (form_has(insn->form, PTX_MOD_PACK_16B) || form_has(insn->form, PTX_MOD_UNPACK_16B))
		f->code.flags |= TENSOR_PACKS;
	f->split = is_split ? f->what == TCGEN05_LOADS ? 2 : 1 : 0;
	f->operands = is_split ? 3 : 2;
	return true;
}

/* ---- copies ---- */

static bool decode_copy(
	const struct ptx_insn *insn, struct tcgen05_form *f, const char **why, const char **hint)
{
	static const uint16_t shapes[] = { PTX_MOD_128X256B, PTX_MOD_4X256B, PTX_MOD_128X128B,
		PTX_MOD_64X128B, PTX_MOD_32X128B };
	static const uint16_t casts[] = { PTX_MOD_WARPX2_02_13, PTX_MOD_WARPX2_01_23, PTX_MOD_WARPX4 };
	static const uint16_t formats[] = { PTX_MOD_B4X16_P64, PTX_MOD_B6X16_P32 };
	int shape = ONLY_OF(insn, shapes), cast = ONLY_OF(insn, casts), format = ONLY_OF(insn, formats);

	if (shape < 0)
		return is_wrong(why, hint, "needs a shape", ".128x256b");
	if (shape == 3 ? cast != 0 && cast != 1 : shape == 4 && cast != 2)
		return is_wrong(why, hint, "needs the warps that it copies to",
			shape == 3 ? ".warpx2::02_13 or .warpx2::01_23" : ".warpx4");
	if (shape < 3 && !HAS_NONE(insn, casts))
		return is_wrong(why, hint, "copies to each lane once with this shape", NULL);
	if (form_has(insn->form, PTX_MOD_B8X16) != (format >= 0))
		return is_wrong(why, hint, "needs both formats or none", ".b8x16.b6x16_p32");
	f->code.shape = (uint8_t)(shape == 3 ? TENSOR_64X128B_02_13 + cast
			: shape == 4         ? (int)TENSOR_32X128B
					     : TENSOR_128X256B + shape);
	f->code.kind = format < 0 ? 0 : format == 0 ? 4 : 6;
	f->operands = 2;
	return true;
}

/* ---- products ---- */

/* Scale factors along k that the word asks for. */
static bool find_scales(
	const struct ptx_insn *insn, struct tcgen05_form *f, const char **why, const char **hint)
{
	static const uint16_t vectors[] = { PTX_MOD_SCALE_VEC_1X, PTX_MOD_SCALE_VEC_2X, PTX_MOD_SCALE_VEC_4X,
		PTX_MOD_BLOCK32, PTX_MOD_BLOCK16 };
	bool is_wide = f->code.kind == TENSOR_MXF8F6F4, is_scaled = f->code.kind >= TENSOR_MXF8F6F4;
	int vector = ONLY_OF(insn, vectors);

	if (form_has(insn->form, PTX_MOD_BLOCK_SCALE) != is_scaled)
		return is_wrong(
			why, hint, is_scaled ? "needs '.block_scale'" : "cannot have '.block_scale'", NULL);
	if (vector < 0 && !HAS_NONE(insn, vectors))
		return is_wrong(why, hint, "has several sizes of blocks", NULL);
	if (!is_scaled)
		return vector < 0 ? true : is_wrong(why, hint, "has no scales", NULL);
	if (vector < 0 && f->code.kind == TENSOR_MXF4NVF4)
		return is_wrong(why, hint, "needs a size of blocks", ".block16");
	f->code.count = vector < 0 || vector == 3 ? is_wide ? 1 : 2
		: vector == 4                     ? 4
						  : (uint8_t)(1u << vector);
	if (is_wide ? f->code.count != 1
		    : f->code.count == 1 || (f->code.kind == TENSOR_MXF4 && f->code.count == 4))
		return is_wrong(why, hint, "cannot have blocks of this size", ".block32");
	return true;
}

/* [d], a, b, [metadata], idesc, then: scales and whether D counts; or that and the columns of B that are
 * zero; or the lanes that are left alone, whether D counts, and its scale. */
static void find_places(const struct ptx_insn *insn, struct tcgen05_form *f)
{
	uint8_t next = 3;

	if (f->code.flags & TENSOR_SPARSE)
		f->metadata = next++;
	f->idesc = next++;
	if (f->code.count) {
		f->scales = next;
		next += 2;
	} else if (!(f->code.flags & TENSOR_WS) && next < insn->operand_count &&
		insn->operands[next].kind == PTX_OP_VECTOR) {
		f->mask = next++;
		f->code.flags |= TENSOR_MASK;
	}
	f->enable = next++;
	if (!f->code.count && insn->operand_count > next) {
		if (f->code.flags & TENSOR_WS)
			f->zeros = next++;
		else if (f->code.kind == TENSOR_F16 || f->code.kind == TENSOR_TF32)
			f->scale_d = next++;
	}
	f->operands = next;
}

static const uint16_t collectors_of_a[] = { PTX_MOD_COLLECTOR_A_FILL, PTX_MOD_COLLECTOR_A_USE,
	PTX_MOD_COLLECTOR_A_LASTUSE, PTX_MOD_COLLECTOR_A_DISCARD };
static const uint16_t collectors_of_b[] = { PTX_MOD_COLLECTOR_B0_FILL, PTX_MOD_COLLECTOR_B0_USE,
	PTX_MOD_COLLECTOR_B0_LASTUSE, PTX_MOD_COLLECTOR_B0_DISCARD, PTX_MOD_COLLECTOR_B1_FILL,
	PTX_MOD_COLLECTOR_B1_USE, PTX_MOD_COLLECTOR_B1_LASTUSE, PTX_MOD_COLLECTOR_B1_DISCARD,
	PTX_MOD_COLLECTOR_B2_FILL, PTX_MOD_COLLECTOR_B2_USE, PTX_MOD_COLLECTOR_B2_LASTUSE,
	PTX_MOD_COLLECTOR_B2_DISCARD, PTX_MOD_COLLECTOR_B3_FILL, PTX_MOD_COLLECTOR_B3_USE,
	PTX_MOD_COLLECTOR_B3_LASTUSE, PTX_MOD_COLLECTOR_B3_DISCARD };

/* Which buffers are kept changes no value. */
static bool check_collectors(
	const struct ptx_insn *insn, const struct tcgen05_form *f, const char **why, const char **hint)
{
	bool is_ws = f->code.flags & TENSOR_WS;
	int of_a = ONLY_OF(insn, collectors_of_a), of_b = ONLY_OF(insn, collectors_of_b);

	if (is_ws ? !HAS_NONE(insn, collectors_of_a) : !HAS_NONE(insn, collectors_of_b))
		return is_wrong(why, hint, "collects the other matrix",
			is_ws ? ".collector::b0::discard" : ".collector::a::discard");
	if ((of_a < 0 && !HAS_NONE(insn, collectors_of_a)) || (of_b < 0 && !HAS_NONE(insn, collectors_of_b)))
		return is_wrong(why, hint, "has several uses of a collector", NULL);
	if (!(f->code.flags & TENSOR_SHIFTS_A))
		return true;
	if (is_ws || f->code.count || !(f->code.flags & TENSOR_A_IN_TENSOR))
		return is_wrong(why, hint, "shifts only a matrix A in tensor memory", NULL);
	return of_a == 0 || of_a == 1
		? is_wrong(why, hint, "cannot keep what it shifts", ".collector::a::lastuse")
		: true;
}

static bool decode_product(
	const struct ptx_insn *insn, struct tcgen05_form *f, const char **why, const char **hint)
{
	static const uint16_t kinds[] = { PTX_MOD_KIND_F16, PTX_MOD_KIND_TF32, PTX_MOD_KIND_F8F6F4,
		PTX_MOD_KIND_I8, PTX_MOD_KIND_MXF8F6F4, PTX_MOD_KIND_MXF4, PTX_MOD_KIND_MXF4NVF4 };
	int kind = ONLY_OF(insn, kinds);

	if (kind < 0)
		return is_wrong(why, hint, "needs a kind", ".kind::f16");
	f->code.kind = (uint8_t)kind;
	f->code.flags |= (uint8_t)((form_has(insn->form, PTX_MOD_SP) ? TENSOR_SPARSE : 0) |
		(form_has(insn->form, PTX_MOD_WS) ? TENSOR_WS : 0) |
		(form_has(insn->form, PTX_MOD_ASHIFT) ? TENSOR_SHIFTS_A : 0));
	if (insn->operand_count > 1 && insn->operands[1].kind == PTX_OP_ADDRESS)
		f->code.flags |= TENSOR_A_IN_TENSOR;
	if (f->code.flags & TENSOR_WS && (f->code.flags & TENSOR_PAIR || kind >= TENSOR_MXF8F6F4))
		return is_wrong(why, hint, "is of one CTA and without scales", NULL);
	if (f->code.flags & TENSOR_WS && insn->modifiers[1] != PTX_MOD_WS)
		return is_wrong(why, hint, "has '.ws' first", "tcgen05.mma.ws");
	if (!find_scales(insn, f, why, hint) || !check_collectors(insn, f, why, hint))
		return false;
	find_places(insn, f);
	return true;
}

/* ---- whole ---- */

static const struct word {
	uint16_t modifier;
	uint8_t operands;
	bool has_group;
} words[TCGEN05_WHATS] = {
	[TCGEN05_ALLOCATES] = { PTX_MOD_ALLOC, 2, true },
	[TCGEN05_FREES] = { PTX_MOD_DEALLOC, 2, true },
	[TCGEN05_RELINQUISHES] = { PTX_MOD_RELINQUISH, 0, true },
	[TCGEN05_LOADS] = { PTX_MOD_LD, 2, false },
	[TCGEN05_STORES] = { PTX_MOD_ST, 2, false },
	[TCGEN05_WAITS] = { PTX_MOD_WAIT_LD, 0, false },
	[TCGEN05_FENCES] = { PTX_MOD_BEFORE_THREAD_SYNC, 0, false },
	[TCGEN05_COPIES] = { PTX_MOD_CP, 2, true },
	[TCGEN05_SHIFTS] = { PTX_MOD_SHIFT, 1, true },
	[TCGEN05_COMMITS] = { PTX_MOD_COMMIT, 1, true },
	[TCGEN05_MULTIPLIES] = { PTX_MOD_MMA, 0, true },
};

static int find_what(const struct ptx_insn *insn)
{
	unsigned first = insn->modifier_count ? insn->modifiers[0] : 0;

	first = first == PTX_MOD_WAIT_ST             ? PTX_MOD_WAIT_LD
		: first == PTX_MOD_AFTER_THREAD_SYNC ? PTX_MOD_BEFORE_THREAD_SYNC
						     : first;
	for (int i = 0; i < TCGEN05_WHATS && insn->modifier_count; i++)
		if (words[i].modifier == first)
			return i;
	return -1;
}

bool tcgen05_decode(const struct ptx_insn *insn, struct tcgen05_form *f, const char **why, const char **hint)
{
	static const uint16_t groups[] = { PTX_MOD_CTA_GROUP_1, PTX_MOD_CTA_GROUP_2 };
	int what = find_what(insn), group = ONLY_OF(insn, groups);

	*f = (struct tcgen05_form){ 0 };
	if (what < 0)
		return is_wrong(why, hint, "is not defined", "tcgen05.mma");
	if (words[what].has_group && group < 0)
		return is_wrong(why, hint, "needs a group of CTAs", ".cta_group::1");
	f->what = (enum tcgen05_what)what;
	f->operands = words[what].operands;
	f->code.flags = group == 1 ? TENSOR_PAIR : 0;
	switch (f->what) {
	case TCGEN05_LOADS:
	case TCGEN05_STORES:
		return decode_transfer(insn, f, why, hint);
	case TCGEN05_COPIES:
		return decode_copy(insn, f, why, hint);
	case TCGEN05_MULTIPLIES:
		return decode_product(insn, f, why, hint);
	case TCGEN05_COMMITS:
		if (form_has(insn->form, PTX_MOD_MULTICAST_CLUSTER)) {
			f->code.flags |= TENSOR_MULTICAST;
			f->operands = 2;
		}
		return true;
	default:
		return true;
	}
}
