/* frontend/check/reference.c -- what an initialiser says of a .texref, .samplerref or .surfref: `addr_mode_0
 * = wrap`. */
#include "frontend/check/check.h"
#include "frontend/lower/lower.h"
#include <string.h>

enum { TEXTURE = 1, SAMPLER = 2, SURFACE = 4 };

static const struct property {
	const char *name;
	uint8_t of;
} properties[] = {
	{ "width", TEXTURE | SURFACE },
	{ "height", TEXTURE | SURFACE },
	{ "depth", TEXTURE | SURFACE },
	{ "channel_data_type", TEXTURE | SURFACE },
	{ "channel_order", TEXTURE | SURFACE },
	{ "array_size", TEXTURE | SURFACE },
	{ "memory_layout", TEXTURE | SURFACE },
	{ "normalized_coords", TEXTURE },
	{ "num_mipmap_levels", TEXTURE },
	{ "num_samples", TEXTURE },
	{ "force_unnormalized_coords", SAMPLER },
	{ "filter_mode", TEXTURE | SAMPLER },
	{ "addr_mode_0", TEXTURE | SAMPLER },
	{ "addr_mode_1", TEXTURE | SAMPLER },
	{ "addr_mode_2", TEXTURE | SAMPLER },
};

static const struct word {
	const char *name;
	uint8_t value;
} words[] = { { "wrap", 0 }, { "mirror", 1 }, { "clamp_ogl", 2 }, { "clamp_to_edge", 3 },
	{ "clamp_to_border", 4 }, { "nearest", 0 }, { "linear", 1 } };

static const struct property *find_property(const char *name)
{
	for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++)
		if (!strcmp(properties[i].name, name))
			return &properties[i];
	return NULL;
}

static bool find_word(const char *name, uint64_t *value)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, name)) {
			*value = words[i].value;
			return true;
		}
	return false;
}

struct ptx_init *init_property(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *value)
{
	struct ptx_init *init = arena_new_of(p->arena, struct ptx_init);
	const struct ptx_operand *o = &value->operand;

	init->location = location;
	init->property = name->text;
	init->value = o->value;
	if (o->kind == PTX_OP_NAME) {
		init->symbol = o->name;
		if (!find_word(o->name, &init->value.bits))
			parse_error(p, o->location,
				"wrap mirror clamp_ogl clamp_to_edge clamp_to_border nearest linear",
				"'%.200s' is no value of a texture's property", o->name);
	} else if (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT) {
		parse_error(p, o->location, NULL, "a property is a word or an integer");
	}
	return init;
}

static void check_initialiser_names(
	struct ptx_parser *p, const struct ptx_var *v, const struct ptx_init *list)
{
	unsigned kind = v->type == PTX_TEXREF ? TEXTURE : v->type == PTX_SAMPLERREF ? SAMPLER : SURFACE;

	for (const struct ptx_init *item = list; item; item = item->next) {
		const struct property *found = item->property ? find_property(item->property) : NULL;

		if (item->is_list)
			check_initialiser_names(p, v, item->list);
		else if (!found || !(found->of & kind))
			parse_error(p, item->location, "addr_mode_0 = wrap",
				"'%.200s' is no property of a .%s", item->property ? item->property : "this",
				ptx_type_name(v->type));
	}
}

void reference_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_init *init)
{
	if (!init->is_list) {
		parse_error(p, init->location, "{ addr_mode_0 = wrap }",
			"the properties of '%.200s' stand in braces", v->name);
		return;
	}
	check_initialiser_names(p, v, init->list);
	v->properties = init;
}

void check_reference_declaration(struct ptx_parser *p, struct ptx_location location, const char *shown)
{
	const struct declaration *d = &p->declaration;
	const struct ptx_module *m = p->module;

	if (d->space == PTX_TEX && (m->version_major > 1 || m->version_minor >= 5))
		parse_error(p, location, ".global .texref", "'.tex' is gone since PTX 1.5");
	if (d->space == PTX_TEX && d->type != PTX_U32 && d->type != PTX_U64)
		parse_error(p, location, NULL, "'%.200s' is in .tex and must be .u32 or .u64", shown);
	if (d->type < PTX_TEXREF)
		return;
	if (d->space != PTX_GLOBAL && d->space != PTX_PARAM)
		parse_error(p, location, NULL, "'%.200s' is a .%s and must be in .global", shown,
			ptx_type_name(d->type));
	if (d->vector > 1)
		parse_error(p, location, NULL, "there are no vectors of .%s", ptx_type_name(d->type));
}

void check_sampler(struct ptx_parser *p, const struct ptx_var *v)
{
	if (v->type == PTX_SAMPLERREF && v->space == PTX_GLOBAL && !v->dimensions &&
		!p->module->is_independent)
		parse_error(p, v->location, "texmode_independent",
			"'%.200s': samplers apart from textures need '.target ..., texmode_independent'",
			v->name);
}

struct ptx_sampler reference_sampler(const struct ptx_var *v)
{
	struct ptx_sampler s = { 0 };

	for (const struct ptx_init *i = v->properties ? v->properties->list : NULL; i; i = i->next) {
		if (!i->property)
			continue;
		if (!strncmp(i->property, "addr_mode_", 10))
			s.address[i->property[10] - '0'] = (uint8_t)(i->value.bits > 4 ? 4 : i->value.bits);
		else if (!strcmp(i->property, "filter_mode"))
			s.filter = i->value.bits != 0;
		else if (!strcmp(i->property, "normalized_coords"))
			s.is_normalized = i->value.bits != 0;
		else if (!strcmp(i->property, "force_unnormalized_coords"))
			s.is_unnormalized = i->value.bits != 0;
	}
	return s;
}
