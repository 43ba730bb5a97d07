/* frontend/link/frame.c -- a function's frame in local memory: its parameters and results, .local variables,
 * the .param variables of its calls, and what calls need besides (lower_call.c, unit.c).
 *
 * The .param variables of one scope may lie where those of a scope that has ended lay, so that many calls one
 * after the other need no more than the largest. */
#include "frontend/lower/lower.h"

#define LEAST_FRAME 16u /* of a function: room for a return address, so that no recursion is free */

uint32_t frame_slot(struct lower *l, uint64_t bytes, uint64_t align)
{
	struct unit *u = &l->units[l->unit];
	uint64_t offset;

	if (!align)
		align = 1;
	offset = (u->frame + align - 1) / align * align;
	if (offset + bytes > UINT32_MAX / 64) {
		lower_refuse(l, &u->function->location, "'%s' needs more local memory than can be executed",
			u->function->name);
		return 0;
	}
	if (align > u->frame_align)
		u->frame_align = (uint32_t)align;
	u->frame = (uint32_t)(offset + bytes);
	return (uint32_t)offset;
}

bool is_argument_list(const struct ptx_var *v)
{
	return v->space == PTX_PARAM && v->dimensions && !v->bytes;
}

uint64_t frame_bytes(const struct ptx_var *v)
{
	return is_argument_list(v) ? ARGUMENT_LIST_BYTES : v->bytes;
}

bool is_frame_absolute(const struct lower *l, const struct ptx_var *v)
{
	return l->function->is_entry || (v->space == PTX_LOCAL && !v->owner);
}

bool is_in_frame(const struct lower *l, const struct ptx_var *v)
{
	return v->space == PTX_LOCAL || (v->space == PTX_PARAM && !is_kernel_parameter(l, v));
}

static void place_list(struct lower *l, struct ptx_var *list, bool (*is_wanted)(const struct ptx_var *v))
{
	for (struct ptx_var *v = list; v; v = v->next)
		if (is_wanted(v))
			v->offset = frame_slot(l, frame_bytes(v), v->align);
}

static bool is_formal(const struct ptx_var *v)
{
	return v->space == PTX_PARAM || v->space == PTX_REG;
}

static bool is_local(const struct ptx_var *v)
{
	return v->space == PTX_LOCAL;
}

/* Scopes nest: those that have ended give back their room. */
static void place_params(struct lower *l)
{
	struct unit *u = &l->units[l->unit];
	struct open {
		uint32_t end, frame;
	} *open = NULL;
	uint32_t count = 0, deepest = u->frame;

	for (struct ptx_var *v = l->function->variables; v; v = v->next) {
		if (v->space != PTX_PARAM)
			continue;
		while (count && open[count - 1].end <= v->scope_begin)
			u->frame = open[--count].frame;
		open = arena_grow(l->scratch, open, count, sizeof *open);
		open[count++] = (struct open){ v->scope_end, u->frame };
		v->user = NULL;
		v->offset = frame_slot(l, v->bytes, v->align);
		deepest = u->frame > deepest ? u->frame : deepest;
	}
	u->frame = deepest;
}

void layout_frame(struct lower *l)
{
	struct unit *u = &l->units[l->unit];

	u->frame = 0;
	u->frame_align = 16;
	if (l->unit == 0)
		place_thread_variables(l);
	if (!l->function->is_entry) {
		place_list(l, l->function->params, is_formal);
		place_list(l, l->function->returns, is_formal);
	}
	place_list(l, l->function->variables, is_local);
	place_params(l);
	if (!l->function->is_entry && u->frame < LEAST_FRAME)
		u->frame = LEAST_FRAME;
}
