/* frontend/check/check_variables.c -- initial values against the variables that receive them, and where the
 * variables of a function lie. */
#include "frontend/check/check.h"

static bool is_float_value(const struct ptx_init *init)
{
	return init->value.kind == PTX_FLOAT32_BITS || init->value.kind == PTX_FLOAT64_BITS;
}

static bool holds_address(const struct ptx_var *v)
{
	return v->type == PTX_U32 || v->type == PTX_U64;
}

static void check_single(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_init *init)
{
	if (init->mask && ptx_type_bits(v->type) != 8)
		parse_error(p, init->location, NULL, "'%.200s' is .%s: a mask gives one byte", v->name,
			ptx_type_name(v->type));
	else if (init->symbol && !init->mask && !holds_address(v))
		parse_error(p, init->location, NULL, "'%.200s' is .%s and holds no address", v->name,
			ptx_type_name(v->type));
	else if (init->variable && init->variable->space != PTX_GLOBAL && init->variable->space != PTX_CONST)
		parse_error(p, init->location, NULL,
			"'%.200s' is in .%s: only addresses in .global and .const are constants",
			init->symbol, ptx_space_name(init->variable->space));
	if (init->symbol || init->mask)
		return;
	if (!is_float_value(init) && ptx_type_is_float(v->type))
		parse_error(p, init->location, "write it with a point, as 1.0",
			"'%.200s' is .%s: an integer does not suit it", v->name, ptx_type_name(v->type));
	if (is_float_value(init) && !ptx_type_is_float(v->type) &&
		!(v->type == PTX_B32 || (v->type == PTX_B64 && init->value.kind == PTX_FLOAT64_BITS)))
		parse_error(p, init->location, NULL,
			"'%.200s' is .%s: a floating-point value does not suit it", v->name,
			ptx_type_name(v->type));
}

/* How many items a list at this level of braces may have; 0: there is no such level. Vectors are the last
 * one. */
static uint64_t room_at(const struct ptx_var *v, uint32_t level)
{
	if (level < v->dimensions)
		return v->dimension[level];
	return level == v->dimensions && v->vector > 1 ? v->vector : 0;
}

static void check_initialiser_list(
	struct ptx_parser *p, const struct ptx_var *v, const struct ptx_init *init, uint32_t level)
{
	uint64_t room = room_at(v, level), used = 0;
	bool is_last = !room_at(v, level + 1);

	if (!room && init->list) {
		parse_error(p, init->location, NULL, "'%.200s' has %u dimension%s: too many braces", v->name,
			v->dimensions, v->dimensions == 1 ? "" : "s");
		return;
	}
	for (const struct ptx_init *item = init->list; item; item = item->next) {
		if (++used > room) {
			parse_error(p, item->location, NULL, "more than the %llu values of '%.200s'",
				(unsigned long long)room, v->name);
			return;
		}
		if (item->property) {
			parse_error(p, item->location, NULL, "'%.200s' is no texture: it has no '%.200s'",
				v->name, item->property);
			return;
		}
		if (item->is_list) {
			check_initialiser_list(p, v, item, level + 1);
		} else if (!is_last) {
			parse_error(p, item->location, NULL,
				"braces are missing: '%.200s' has another dimension", v->name);
			return;
		} else {
			check_single(p, v, item);
		}
	}
}

void check_initialiser(struct ptx_parser *p, const struct ptx_var *v)
{
	const struct ptx_init *init = v->init;

	if (!init)
		return;
	if (!init->is_list && room_at(v, 0))
		parse_error(p, init->location, NULL, "the values of '%.200s' stand in braces", v->name);
	else if (init->is_list)
		check_initialiser_list(p, v, init, 0);
	else
		check_single(p, v, init);
}

static uint64_t element_location(struct ptx_var *v, uint64_t offset)
{
	offset = (offset + v->align - 1) & ~(v->align - 1);
	v->offset = offset;
	return offset + v->bytes;
}

/* Parameters one after the other, naturally aligned; .shared and .local variables of the body likewise. */
void place_variables(struct ptx_function *f)
{
	uint64_t param = 0, result = 0, local = 0, shared = 0;

	for (struct ptx_var *v = f->params; v; v = v->next)
		param = element_location(v, param);
	for (struct ptx_var *v = f->returns; v; v = v->next)
		result = element_location(v, result);
	for (struct ptx_var *v = f->variables; v; v = v->next) {
		if (v->space == PTX_LOCAL)
			local = element_location(v, local);
		else if (v->space == PTX_SHARED)
			shared = element_location(v, shared);
	}
	f->param_bytes = param;
	f->local_bytes = local;
	f->shared_bytes = shared;
}
