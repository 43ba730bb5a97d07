/* frontend/check_variables.c -- initial values against the variables that receive them, and where the variables of
 * a function lie. */
#include "frontend/check.h"


static bool is_float_value(const struct ptx_init *init)
{
	return init->value.kind == PTX_FLOAT32_BITS || init->value.kind == PTX_FLOAT64_BITS;
}

static void check_single(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_init *init)
{
	if (init->symbol || init->mask)
		return;
	if (is_float_value(init) && !ptx_type_is_float(v->type) &&
		!(v->type == (init->value.kind == PTX_FLOAT32_BITS ? PTX_B32 : PTX_B64)))
		parse_error(p, init->place, NULL, "'%.200s' is .%s: a floating-point value does not suit it", v->name,
			ptx_type_name(v->type));
}

/* Values that a list at this level may hold: elements of all the dimensions below, vectors included. */
static uint64_t capacity(const struct ptx_var *v, uint32_t dimension)
{
	uint64_t count = v->vector;

	for (uint32_t i = dimension; i < v->dimensions; i++)
		count *= v->dimension[i];
	return count;
}

static void check_list(struct ptx_parser *p, const struct ptx_var *v, const struct ptx_init *init, uint32_t dimension)
{
	uint64_t room = capacity(v, dimension), used = 0, inner = dimension < v->dimensions ? capacity(v, dimension + 1) : 1;

	for (const struct ptx_init *item = init->list; item; item = item->next) {
		if (item->is_list && dimension >= v->dimensions) {
			parse_error(p, item->place, NULL, "'%.200s' has %u dimensions: too many braces", v->name, v->dimensions);
			return;
		}
		used += item->is_list ? inner : 1;
		if (used > room) {
			parse_error(p, item->place, NULL, "more values than '%.200s' has elements (%llu)", v->name,
				(unsigned long long)room);
			return;
		}
		if (item->is_list)
			check_list(p, v, item, dimension + 1);
		else
			check_single(p, v, item);
	}
}

void check_initialiser(struct ptx_parser *p, const struct ptx_var *v)
{
	const struct ptx_init *init = v->init;

	if (!init)
		return;
	if (!init->is_list && v->dimensions)
		parse_error(p, init->place, NULL, "'%.200s' is an array: its values stand in braces", v->name);
	else if (init->is_list)
		check_list(p, v, init, 0);
	else
		check_single(p, v, init);
}

static uint64_t place(struct ptx_var *v, uint64_t offset)
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
		param = place(v, param);
	for (struct ptx_var *v = f->returns; v; v = v->next)
		result = place(v, result);
	for (struct ptx_var *v = f->variables; v; v = v->next) {
		if (v->space == PTX_LOCAL)
			local = place(v, local);
		else if (v->space == PTX_SHARED)
			shared = place(v, shared);
	}
	f->param_bytes = param > UINT32_MAX ? UINT32_MAX : (uint32_t)param;
	f->local_bytes = local > UINT32_MAX ? UINT32_MAX : (uint32_t)local;
	f->shared_bytes = shared > UINT32_MAX ? UINT32_MAX : (uint32_t)shared;
}
