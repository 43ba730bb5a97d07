/* frontend/tables/bulk.c -- see bulk.h. What is defined is what ptxas 13 takes. */
#include "frontend/tables/bulk.h"
#include "frontend/tables/opcode.h"
#include "frontend/uop.h"

static bool insn_has(const struct ptx_insn *insn, unsigned modifier)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++)
		if (insn->modifiers[i] == modifier)
			return true;
	return false;
}

static const struct word {
	uint16_t modifier;
	uint8_t value;
} modes[] = { { PTX_MOD_TILE, TENSOR_TILE }, { PTX_MOD_TILE_GATHER4, TENSOR_GATHER4 },
	{ PTX_MOD_TILE_SCATTER4, TENSOR_SCATTER4 }, { PTX_MOD_IM2COL, TENSOR_IM2COL },
	{ PTX_MOD_IM2COL_W, TENSOR_IM2COL_W }, { PTX_MOD_IM2COL_W_128, TENSOR_IM2COL_W_128 },
	{ PTX_MOD_IM2COL_NO_OFFS, TENSOR_IM2COL_NO_OFFSETS }, { 0, 0 } },
  ranks[] = { { PTX_MOD_1D, 1 }, { PTX_MOD_2D, 2 }, { PTX_MOD_3D, 3 }, { PTX_MOD_4D, 4 }, { PTX_MOD_5D, 5 },
	  { 0, 0 } },
  operations[] = { { PTX_MOD_ADD, ATOM_ADD }, { PTX_MOD_MIN, ATOM_MIN }, { PTX_MOD_MAX, ATOM_MAX },
	  { PTX_MOD_INC, ATOM_INC }, { PTX_MOD_DEC, ATOM_DEC }, { PTX_MOD_AND, ATOM_AND },
	  { PTX_MOD_OR, ATOM_OR }, { PTX_MOD_XOR, ATOM_XOR }, { 0, 0 } },
  flags[] = { { PTX_MOD_BULK_GROUP, BULK_BY_GROUP }, { PTX_MOD_MULTICAST_CLUSTER, BULK_MULTICAST },
	  { PTX_MOD_CP_MASK, BULK_BYTE_MASK }, { PTX_MOD_L2_CACHE_HINT, BULK_HINT },
	  { PTX_MOD_READ, BULK_READ }, { PTX_MOD_CTA_GROUP_1, BULK_PAIRED },
	  { PTX_MOD_CTA_GROUP_2, BULK_OF_PAIR }, { 0, 0 } };

/* How many words of the list the instruction has; their values or-ed together. */
static unsigned find_words(const struct ptx_insn *insn, const struct word *list, uint8_t *values)
{
	unsigned found = 0;

	for (; list->modifier; list++)
		if (insn_has(insn, list->modifier)) {
			*values |= list->value;
			found++;
		}
	return found;
}

/* The place that a state space names; .shared alone is none. */
static uint8_t place_of(const struct ptx_insn *insn, unsigned space, bool is_first)
{
	bool cta = insn_has(insn, PTX_MOD_SHARED_CTA), cluster = insn_has(insn, PTX_MOD_SHARED_CLUSTER);

	if (space == PTX_GLOBAL)
		return BULK_GLOBAL;
	if (space != PTX_SHARED)
		return BULK_NOWHERE;
	if (cta && cluster) /* from one to the other */
		return is_first ? BULK_CLUSTER : BULK_CTA;
	return cluster ? BULK_CLUSTER : cta ? BULK_CTA : BULK_NOWHERE;
}

static uint8_t kind_of(const struct ptx_insn *insn)
{
	return insn_has(insn, PTX_MOD_COMMIT_GROUP)  ? BULK_COMMITS
		: insn_has(insn, PTX_MOD_WAIT_GROUP) ? BULK_WAITS
		: insn_has(insn, PTX_MOD_PREFETCH)   ? BULK_PREFETCHES
		: insn_has(insn, PTX_MOD_REDUCE)     ? BULK_REDUCES
						     : BULK_COPIES;
}

struct refusal {
	const char **why, **hint;
};

static bool refuse_word(struct refusal r, const char *why, const char *hint)
{
	*r.why = why;
	*r.hint = hint;
	return false;
}

/* ---- a copy's places ---- */

static bool places_are_right(const struct bulk_form *f)
{
	bool tensor = f->mode != TENSOR_NONE;

	if (f->kind == BULK_PREFETCHES)
		return f->from == BULK_GLOBAL && f->to == BULK_NOWHERE;
	if (f->from == BULK_CTA)
		return f->to == BULK_GLOBAL || (f->to == BULK_CLUSTER && !tensor);
	return f->from == BULK_GLOBAL && f->kind == BULK_COPIES &&
		(f->to == BULK_CTA || f->to == BULK_CLUSTER);
}

static bool end_is_right(const struct ptx_insn *insn, const struct bulk_form *f, struct refusal r)
{
	bool has_barrier = insn_has(insn, PTX_MOD_MBARRIER_COMPLETE_TX);

	if (f->kind == BULK_PREFETCHES)
		return (!has_barrier && !(f->flags & BULK_BY_GROUP)) ||
			refuse_word(r, "tells nobody of its end", NULL);
	if (f->to == BULK_GLOBAL)
		return (f->flags & BULK_BY_GROUP && !has_barrier) ||
			refuse_word(r, "needs '.bulk_group'", ".bulk_group");
	return (has_barrier && !(f->flags & BULK_BY_GROUP)) ||
		refuse_word(r, "needs '.mbarrier::complete_tx::bytes'", ".mbarrier::complete_tx::bytes");
}

static bool flags_are_right(const struct bulk_form *f, struct refusal r)
{
	if (f->flags & BULK_MULTICAST && (f->to != BULK_CLUSTER || f->from != BULK_GLOBAL))
		return refuse_word(r, "cannot have '.multicast::cluster'", ".shared::cluster.global");
	if (f->flags & BULK_BYTE_MASK && (f->to != BULK_GLOBAL || f->mode || f->kind != BULK_COPIES))
		return refuse_word(r, "cannot have '.cp_mask'", NULL);
	if (f->flags & BULK_HINT && f->to == BULK_CLUSTER && f->from == BULK_CTA)
		return refuse_word(r, "cannot have '.L2::cache_hint'", NULL);
	if (f->flags & BULK_PAIRED && (!f->mode || f->from != BULK_GLOBAL || f->kind != BULK_COPIES))
		return refuse_word(r, "cannot have '.cta_group'", NULL);
	return !(f->flags & BULK_READ) || refuse_word(r, "cannot have '.read'", NULL);
}

/* ---- tensors ---- */

static bool mode_is_right(const struct bulk_form *f, struct refusal r)
{
	bool loads = f->from == BULK_GLOBAL;

	switch (f->mode) {
	case TENSOR_TILE:
		return true;
	case TENSOR_GATHER4:
	case TENSOR_SCATTER4:
		if (f->rank != 2 || f->kind == BULK_REDUCES || loads != (f->mode == TENSOR_GATHER4))
			return refuse_word(r,
				"is not defined: rows are gathered from, or scattered to, "
				"tensors of two dimensions",
				NULL);
		return true;
	default:
		if (f->rank < 3)
			return refuse_word(r, "is not defined: im2col needs three dimensions or more", NULL);
		if (loads == (f->mode == TENSOR_IM2COL_NO_OFFSETS))
			return refuse_word(
				r, "is not defined in this direction", loads ? ".im2col" : ".im2col_no_offs");
		return true;
	}
}

static bool decode_tensor(const struct ptx_insn *insn, struct bulk_form *f, struct refusal r)
{
	unsigned found = find_words(insn, modes, &f->mode);

	if (!insn_has(insn, PTX_MOD_TENSOR)) {
		if (found || find_words(insn, ranks, &f->rank))
			return refuse_word(r, "has no tensor", ".tensor");
		return true;
	}
	if (find_words(insn, ranks, &f->rank) != 1)
		return refuse_word(r, "needs the number of dimensions", ".1d .2d .3d .4d .5d");
	if (found > 1)
		return refuse_word(r, "has two modes", NULL);
	f->mode = found ? f->mode : TENSOR_TILE;
	return true;
}

/* ---- reductions ---- */

#define T(type) (UINT64_C(1) << PTX_##type)

static uint64_t reduced_types(const struct bulk_form *f, bool keeps_subnormals)
{
	uint64_t narrow = T(U32) | T(S32), wide = T(U64) | T(S64), half = T(F16) | T(BF16);
	bool is_global = f->to == BULK_GLOBAL;

	switch (f->operation) {
	case ATOM_ADD:
		return keeps_subnormals ? (is_global ? half : 0)
					: narrow | T(U64) | (is_global ? T(F32) | T(F64) : 0);
	case ATOM_MIN:
	case ATOM_MAX:
		return keeps_subnormals ? 0 : narrow | (is_global ? wide | half : 0);
	case ATOM_INC:
	case ATOM_DEC:
		return keeps_subnormals ? 0 : T(U32);
	default:
		return keeps_subnormals ? 0 : T(B32) | (is_global ? T(B64) : 0);
	}
}

static bool reduction_is_right(const struct ptx_insn *insn, struct bulk_form *f, struct refusal r)
{
	bool keeps_subnormals = insn_has(insn, PTX_MOD_NOFTZ);

	if (find_words(insn, operations, &f->operation) != 1)
		return refuse_word(r, "needs one operation", ".add .min .max .inc .dec .and .or .xor");
	if (f->mode)
		return (!insn->type_count && !keeps_subnormals) ||
			refuse_word(r, "takes no type: the tensor has one", NULL);
	if (insn->type_count != 1)
		return refuse_word(r, "needs a type", NULL);
	if (reduced_types(f, keeps_subnormals) >> insn->types[0] & 1)
		return true;
	if (reduced_types(f, !keeps_subnormals) >> insn->types[0] & 1)
		return refuse_word(r, keeps_subnormals ? "cannot have '.noftz'" : "needs '.noftz'", NULL);
	return refuse_word(r, "is not defined for this type and operation", NULL);
}

/* ---- whole ---- */

/* Words that the decoding knows of: every other one is wrong. */
static bool is_known(const struct bulk_form *f, unsigned modifier)
{
	static const struct word others[] = { { PTX_MOD_ASYNC, 0 }, { PTX_MOD_BULK, 0 },
		{ PTX_MOD_TENSOR, 0 }, { PTX_MOD_SHARED_CTA, 0 }, { PTX_MOD_SHARED_CLUSTER, 0 },
		{ PTX_MOD_MBARRIER_COMPLETE_TX, 0 }, { 0, 0 } };
	static const struct word *const lists[] = { others, modes, ranks, flags };

	for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct word *w = lists[i]; w->modifier; w++)
			if (w->modifier == modifier)
				return true;
	if (f->kind == BULK_PREFETCHES)
		return modifier == PTX_MOD_PREFETCH || modifier == PTX_MOD_L2;
	if (f->kind != BULK_REDUCES)
		return false;
	for (const struct word *w = operations; w->modifier; w++)
		if (w->modifier == modifier)
			return true;
	return modifier == PTX_MOD_REDUCE || modifier == PTX_MOD_NOFTZ;
}

/* commit_group, wait_group, wait_group.read. */
static bool decode_group(const struct ptx_insn *insn, struct bulk_form *f, struct refusal r)
{
	bool reads = insn_has(insn, PTX_MOD_READ);
	unsigned words = 3 + reads;

	f->flags = reads ? BULK_READ : 0;
	if (insn->modifier_count != words || insn->space || insn->type_count ||
		(reads && f->kind == BULK_COMMITS))
		return refuse_word(r, "takes no further modifiers", NULL);
	return true;
}

bool bulk_decode(const struct ptx_insn *insn, struct bulk_form *f, const char **why, const char **hint)
{
	struct refusal r = { why, hint };

	*f = (struct bulk_form){ .kind = kind_of(insn) };
	if (f->kind >= BULK_COMMITS)
		return decode_group(insn, f, r);
	for (uint32_t i = 0; i < insn->modifier_count; i++)
		if (!is_known(f, insn->modifiers[i]))
			return refuse_word(r, "has a modifier that it does not take", NULL);
	find_words(insn, flags, &f->flags);
	if (!insn_has(insn, PTX_MOD_ASYNC) || !insn_has(insn, PTX_MOD_BULK))
		return refuse_word(r, "is not defined", "cp.reduce.async.bulk");
	if (f->kind == BULK_PREFETCHES)
		f->from = place_of(insn, insn->space, true);
	else
		f->to = place_of(insn, insn->space, true), f->from = place_of(insn, insn->space2, false);
	if (!decode_tensor(insn, f, r))
		return false;
	if (!places_are_right(f) || (f->kind == BULK_PREFETCHES && insn->space2))
		return refuse_word(r, "is not defined between these state spaces",
			f->kind == BULK_PREFETCHES ? ".global"
						   : ".shared::cluster.global .global.shared::cta");
	if (f->kind == BULK_PREFETCHES && !insn_has(insn, PTX_MOD_L2))
		return refuse_word(r, "needs '.L2'", ".L2");
	if (!end_is_right(insn, f, r) || !flags_are_right(f, r) || (f->mode && !mode_is_right(f, r)))
		return false;
	if (f->kind == BULK_REDUCES)
		return reduction_is_right(insn, f, r);
	return !insn->type_count || refuse_word(r, "takes no type", NULL);
}

unsigned bulk_coordinates(const struct bulk_form *f)
{
	return f->mode == TENSOR_GATHER4 || f->mode == TENSOR_SCATTER4 ? 5 : f->rank;
}

unsigned bulk_offsets(const struct bulk_form *f)
{
	return f->mode == TENSOR_IM2COL                                        ? f->rank - 2u
		: f->mode == TENSOR_IM2COL_W || f->mode == TENSOR_IM2COL_W_128 ? 2
									       : 0;
}

unsigned tensormap_field_of(const struct ptx_insn *insn)
{
	static const uint16_t words[TENSORMAP_FIELDS] = { PTX_MOD_GLOBAL_ADDRESS, PTX_MOD_RANK,
		PTX_MOD_BOX_DIM, PTX_MOD_GLOBAL_DIM, PTX_MOD_GLOBAL_STRIDE, PTX_MOD_ELEMENT_STRIDE,
		PTX_MOD_ELEMTYPE, PTX_MOD_INTERLEAVE_LAYOUT, PTX_MOD_SWIZZLE_MODE, PTX_MOD_SWIZZLE_ATOMICITY,
		PTX_MOD_FILL_MODE };
	unsigned field = 0;

	while (field < TENSORMAP_FIELDS && !insn_has(insn, words[field]))
		field++;
	return field;
}
