/* frontend/check/check_texture.c -- tex, tld4, txq, suld, sust, sured, suq, istypep: which forms there are,
 * and operands in their own shapes: [texture, sampler, {coordinates}], offsets, references. The verdicts are
 * those of the vendor's assembler. */
#include "frontend/check/check_word.h"

static const struct texture_geometry geometries[] = {
	{ PTX_MOD_1D, 1, 1, 1, false, false, false },
	{ PTX_MOD_2D, 2, 2, 2, false, false, false },
	{ PTX_MOD_3D, 4, 4, 4, false, false, false },
	{ PTX_MOD_A1D, 2, 1, 1, true, false, false },
	{ PTX_MOD_A2D, 4, 2, 2, true, false, false },
	{ PTX_MOD_CUBE, 4, 4, 0, false, true, false },
	{ PTX_MOD_ACUBE, 4, 4, 0, true, true, false },
	{ PTX_MOD_2DMS, 4, 0, 2, false, false, true },
	{ PTX_MOD_A2DMS, 4, 0, 2, true, false, true },
};
#define GEOMETRIES (sizeof(geometries) / sizeof(geometries[0]))

/* The one geometry of the instruction; NULL if there is none, or several. */
const struct texture_geometry *texture_geometry_of(const struct ptx_insn *insn)
{
	const struct texture_geometry *found = NULL;

	for (size_t i = 0; i < GEOMETRIES; i++) {
		if (!word_has(insn, geometries[i].modifier))
			continue;
		if (found)
			return NULL;
		found = &geometries[i];
	}
	return found;
}

static bool fetch_types(struct ptx_parser *p, const struct ptx_insn *insn, const struct texture_geometry *g)
{
	unsigned to = insn->types[0], from = insn->types[1];
	bool is_half = to == PTX_F16 || to == PTX_F16X2;

	if (insn->type_count != 2 || (to != PTX_F32 && to != PTX_U32 && to != PTX_S32 && !is_half) ||
		(from != PTX_F32 && from != PTX_S32) ||
		(insn->opcode == PTX_TLD4 && (is_half || from == PTX_S32)))
		return wrong_word(
			p, insn, "tex.2d.v4.f32.f32", "needs the types of its result and of its coordinates");
	if (insn->vector != (to == PTX_F16X2 ? 2 : 4))
		return wrong_word(p, insn, to == PTX_F16X2 ? ".v2" : ".v4", "has another number of results");
	if (g->is_float && from != PTX_F32)
		return wrong_word(p, insn, ".f32", "needs floating-point coordinates");
	if (g->is_multisampled && from != PTX_S32)
		return wrong_word(p, insn, ".s32", "needs integer coordinates");
	return true;
}

static bool fetch_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct texture_geometry *g = texture_geometry_of(insn);
	unsigned modes = HOW_MANY(insn, PTX_MOD_BASE, PTX_MOD_LEVEL, PTX_MOD_GRAD);
	bool is_gather = insn->opcode == PTX_TLD4;

	if (!g)
		return wrong_word(p, insn, ".1d .2d .3d .a1d .a2d .cube .acube", "needs one geometry");
	if (modes > 1 || (is_gather && modes))
		return wrong_word(
			p, insn, NULL, "takes one of '.base', '.level' and '.grad' at most, tld4 none");
	if (g->is_multisampled && HOW_MANY(insn, PTX_MOD_LEVEL, PTX_MOD_GRAD))
		return wrong_word(p, insn, NULL, "is not defined: a multi-sample texture has one level");
	if (is_gather && HOW_MANY(insn, PTX_MOD_R, PTX_MOD_G, PTX_MOD_B, PTX_MOD_A) != 1)
		return wrong_word(p, insn, ".r .g .b .a", "needs one component");
	if (is_gather && !HOW_MANY(insn, PTX_MOD_2D, PTX_MOD_A2D, PTX_MOD_CUBE, PTX_MOD_ACUBE))
		return wrong_word(p, insn, ".2d .a2d .cube .acube", "is not defined for this geometry");
	return fetch_types(p, insn, g);
}

static bool surface_shape(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned bits = insn->type_count ? ptx_type_bits(insn->types[0]) : 0;

	if (!texture_geometry_of(insn))
		return wrong_word(p, insn, ".1d .2d .3d .a1d .a2d", "needs one geometry");
	if (HOW_MANY(insn, PTX_MOD_B, PTX_MOD_P) != 1)
		return wrong_word(p, insn, ".b or .p", "needs one of '.b' and '.p'");
	if (HOW_MANY(insn, PTX_MOD_TRAP, PTX_MOD_CLAMP, PTX_MOD_ZERO) != 1)
		return wrong_word(p, insn, ".trap, .clamp or .zero", "must say what happens out of range");
	if (HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_CV, PTX_MOD_WB, PTX_MOD_WT) > 1)
		return wrong_word(p, insn, NULL, "has several cache operators");
	if (insn->type_count != 1)
		return wrong_word(p, insn, NULL, "needs one type");
	return bits * insn->vector <= 128 ||
		wrong_word(p, insn, NULL, "is too wide: a vector has at most 16 bytes");
}

static bool access_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0];
	bool is_load = insn->opcode == PTX_SULD;

	if (!surface_shape(p, insn))
		return false;
	if (is_load && word_has(insn, PTX_MOD_P))
		return wrong_word(p, insn, "suld.b", "is not defined: loads are unformatted");
	if (word_has(insn, PTX_MOD_P)
			? type != PTX_B32
			: type != PTX_B8 && type != PTX_B16 && type != PTX_B32 && type != PTX_B64)
		return wrong_word(p, insn, word_has(insn, PTX_MOD_P) ? ".b32" : ".b8 .b16 .b32 .b64",
			"is not defined for this type");
	if (is_load ? HOW_MANY(insn, PTX_MOD_WB, PTX_MOD_WT) : HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CV))
		return wrong_word(p, insn, NULL, "does not take this cache operator");
	return true;
}

static bool reduction_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0];
	bool is_logic = HOW_MANY(insn, PTX_MOD_AND, PTX_MOD_OR), is_known;

	if (!surface_shape(p, insn))
		return false;
	if (HOW_MANY(insn, PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_AND, PTX_MOD_OR) != 1)
		return wrong_word(p, insn, ".add .min .max .and .or", "needs one operation");
	if (HOW_MANY(insn, PTX_MOD_A1D, PTX_MOD_A2D))
		return wrong_word(p, insn, ".1d .2d .3d", "is not defined for layers");
	if (HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_CV, PTX_MOD_WB, PTX_MOD_WT))
		return wrong_word(p, insn, NULL, "takes no cache operator");
	if (word_has(insn, PTX_MOD_P) || is_logic)
		is_known = type == PTX_B32;
	else
		is_known = type == PTX_U32 || type == PTX_S32 ||
			(type == PTX_U64 && word_has(insn, PTX_MOD_ADD));
	return (is_known && insn->vector == 1) || wrong_word(p, insn, NULL, "is not defined for this type");
}

static bool query_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned sizes = HOW_MANY(insn, PTX_MOD_WIDTH, PTX_MOD_HEIGHT, PTX_MOD_DEPTH);
	unsigned both = sizes +
		HOW_MANY(insn, PTX_MOD_CHANNEL_DATA_TYPE, PTX_MOD_CHANNEL_ORDER, PTX_MOD_ARRAY_SIZE,
			PTX_MOD_MEMORY_LAYOUT);
	unsigned texture = HOW_MANY(insn, PTX_MOD_NORMALIZED_COORDS, PTX_MOD_NUM_MIPMAP_LEVELS,
		PTX_MOD_NUM_SAMPLES, PTX_MOD_FORCE_UNNORMALIZED_COORDS, PTX_MOD_FILTER_MODE,
		PTX_MOD_ADDR_MODE_0, PTX_MOD_ADDR_MODE_1, PTX_MOD_ADDR_MODE_2);
	unsigned level = word_has(insn, PTX_MOD_LEVEL);

	if (insn->opcode == PTX_SUQ ? both != 1 || texture || level : both + texture != 1)
		return wrong_word(p, insn, ".width .height .depth .array_size ...", "needs one query");
	if (level && sizes != 1)
		return wrong_word(p, insn, ".width .height .depth", "has no such query of a level");
	return insn->modifier_count == 1 + level ||
		wrong_word(p, insn, NULL, "has a modifier that is not known here");
}

bool check_texture_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_TEX_:
	case PTX_TLD4:
		return fetch_form(p, insn);
	case PTX_SULD:
	case PTX_SUST:
		return access_form(p, insn);
	case PTX_SURED:
		return reduction_form(p, insn);
	case PTX_TXQ:
	case PTX_SUQ:
		return query_form(p, insn);
	default: /* istypep */
		return insn->modifier_count == 1 ||
			wrong_word(p, insn, ".texref .samplerref .surfref", "needs one kind");
	}
}
