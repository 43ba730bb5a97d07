/* core/lsu/bulk_lines.c -- see bulk_lines.h. */
#include "core/lsu/bulk_lines.h"

#define LINE_BYTES 128u

/* Goes on to the next run of bytes of which the tensor holds some; there may be none. */
static void next_run(struct bulk_lines *l, const struct bulk_copy *c)
{
	uint32_t bytes, rows;

	if (!c->form.mode)
		return;
	bytes = (uint32_t)c->map.box[0] * tensor_element(c->map.type)->bits / 8;
	rows = tensor_rows(c);
	l->walk.copy = c;
	while (l->walk.row < rows) {
		struct tensor_part part = tensor_held(&l->walk, tensor_row_from(c), bytes);

		l->at = (addr)(l->walk.base + part.first);
		l->end = (addr)(l->walk.base + part.end);
		tensor_walk_next(&l->walk);
		if (bulk_lines_left(l))
			return;
	}
}

void bulk_lines_start(struct bulk_lines *l, const struct bulk_copy *c)
{
	*l = (struct bulk_lines){ .at = c->form.from == BULK_GLOBAL ? c->from : c->to };
	l->end = l->at + c->bytes;
	if (c->form.mode) {
		tensor_walk_start(&l->walk, c);
		l->end = l->at;
		next_run(l, c);
	} else if ((c->form.flags & BULK_BYTE_MASK) && !c->byte_mask) {
		l->end = l->at;
	}
}

/* Adds the bytes [from, to) of the line. */
static void add_range(uint32_t mask[4], uint32_t from, uint32_t to)
{
	for (uint32_t i = from / 32; i * 32 < to; i++) {
		uint32_t low = from > i * 32 ? from - i * 32 : 0, above = (i + 1) * 32 - to;

		mask[i] |= UINT32_MAX << low & (to < (i + 1) * 32 ? UINT32_MAX >> above : UINT32_MAX);
	}
}

struct line_request bulk_lines_next(struct bulk_lines *l, const struct bulk_copy *c)
{
	addr line = l->at / LINE_BYTES * LINE_BYTES;
	struct line_request r = { .line = line, .lanes = UINT32_C(1) << c->lane, .collisions = 1 };

	while (bulk_lines_left(l) && l->at - line < LINE_BYTES) {
		addr end = l->end - line < LINE_BYTES ? l->end : line + LINE_BYTES;

		add_range(r.byte_mask, (uint32_t)(l->at - line), (uint32_t)(end - line));
		l->at = end;
		if (!bulk_lines_left(l))
			next_run(l, c);
	}
	for (uint32_t i = 0; c->form.flags & BULK_BYTE_MASK && i < 4; i++)
		r.byte_mask[i] &= c->byte_mask | (uint32_t)c->byte_mask << 16;
	return r;
}
