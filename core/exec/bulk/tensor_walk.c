/* core/exec/bulk/tensor_walk.c -- see tensor_walk.h.
 *
 * Tiles: the box is walked in the order of its dimensions, in steps of the element strides; so many elements
 * as there are steps in a side, rounded up. Gather and scatter: four lines, each by its own coordinate.
 * Im2col (PTX ISA, "Im2col mode"): pixels are walked along dimension 1, then 2, 3 and the last one, from the
 * coordinates on; behind the upper corner of the bounding box they go on at its lower corner. What is read
 * lies at the pixel plus the offsets.
 * Im2col::w (PTX ISA, "im2col::w and im2col::w::128 modes"): the same along W alone, then in the next image;
 * what the offset moves is the bounding box and the first pixel, which may lie on the left of the box. The
 * halo pixels are those that follow: behind the last one or, of im2col::w::128, behind each 32. Then they lie
 * behind the 128, the first ones of all four groups before the second ones, so that tcgen05.cp.4x256b takes
 * one of each group. */
#include "core/exec/bulk/tensor_walk.h"

#define WIDE_PIXELS 128u /* of im2col::w::128, and the groups of them that have a halo each */
#define WIDE_GROUPS 4u

static bool is_im2col(const struct bulk_copy *c)
{
	return c->form.mode >= TENSOR_IM2COL;
}

static bool is_wide(const struct bulk_copy *c)
{
	return c->form.mode == TENSOR_IM2COL_W || c->form.mode == TENSOR_IM2COL_W_128;
}

static bool has_four_lines(const struct bulk_copy *c)
{
	return c->form.mode == TENSOR_GATHER4 || c->form.mode == TENSOR_SCATTER4;
}

/* Elements of a side of a box of tiles, behind the first. */
static uint32_t side_of(const struct tensor_map *m, unsigned dimension)
{
	return (m->box[dimension] + m->steps[dimension] - 1u) / m->steps[dimension];
}

uint32_t tensor_rows(const struct bulk_copy *c)
{
	uint32_t rows = 1;

	if (has_four_lines(c))
		return 4;
	if (c->form.mode == TENSOR_IM2COL_W_128)
		return WIDE_PIXELS + WIDE_GROUPS * c->offset[0];
	if (is_im2col(c))
		return c->map.box[1] + (is_wide(c) ? c->offset[0] : 0u);
	for (unsigned i = 1; i <= c->map.rank; i++)
		rows *= side_of(&c->map, i);
	return rows;
}

uint32_t tensor_row_bytes(const struct bulk_copy *c)
{
	const struct tensor_element *e = tensor_element(c->map.type);

	return (uint32_t)c->map.box[0] * e->bits / 8 / e->granule * 16;
}

int64_t tensor_row_from(const struct bulk_copy *c)
{
	return (int64_t)c->at[0] * tensor_element(c->map.type)->bits / 8;
}

/* Where the row at walk->at lies. */
static void find_row(struct tensor_walk *w)
{
	const struct bulk_copy *c = w->copy;
	const struct tensor_map *m = &c->map;

	w->is_inside = true;
	w->base = (int64_t)m->address;
	for (unsigned i = 1; i <= m->rank; i++) {
		int64_t at = w->at[i] + (is_im2col(c) && !is_wide(c) && i < m->rank ? c->offset[i - 1] : 0);

		w->is_inside &= at >= 0 && at <= (int64_t)m->sizes[i];
		w->base += at * (int64_t)m->strides[i - 1];
	}
}

/* Which pixel a row of im2col::w is, counted from the first one on. */
static uint32_t wide_pixel(const struct bulk_copy *c, uint32_t row)
{
	uint32_t halo = row - WIDE_PIXELS;

	if (c->form.mode == TENSOR_IM2COL_W || row < WIDE_PIXELS)
		return row;
	return (halo % WIDE_GROUPS + 1) * (WIDE_PIXELS / WIDE_GROUPS) + halo / WIDE_GROUPS;
}

static void find_wide_pixel(struct tensor_walk *w)
{
	const struct bulk_copy *c = w->copy;
	const struct tensor_map *m = &c->map;
	int64_t step = m->steps[1], offset = c->offset[1], left = m->lower[0] + offset;
	int64_t right = (int64_t)m->sizes[1] + m->upper[0] + offset, first = c->at[1] + offset;
	int64_t pixel = wide_pixel(c, w->row), in_first = first > right ? 1 : (right - first) / step + 1;
	int64_t in_line = (right - left) / step + 1;

	w->at[1] = first + pixel * step;
	w->at[m->rank] = c->at[m->rank];
	if (pixel < in_first)
		return;
	w->at[1] = left + (pixel - in_first) % in_line * step;
	w->at[m->rank] += 1 + (pixel - in_first) / in_line;
}

void tensor_walk_start(struct tensor_walk *w, const struct bulk_copy *c)
{
	*w = (struct tensor_walk){ .copy = c };
	for (unsigned i = 0; i <= c->map.rank; i++)
		w->at[i] = c->at[i];
	if (is_wide(c))
		find_wide_pixel(w);
	find_row(w);
}

static void next_of_tile(struct tensor_walk *w)
{
	const struct tensor_map *m = &w->copy->map;

	for (unsigned i = 1; i <= m->rank; i++) {
		w->at[i] += m->steps[i];
		if (w->at[i] < (int64_t)w->copy->at[i] + side_of(m, i) * m->steps[i])
			return;
		w->at[i] = w->copy->at[i];
	}
}

static void next_pixel(struct tensor_walk *w)
{
	const struct tensor_map *m = &w->copy->map;

	for (unsigned i = 1; i < m->rank; i++) {
		w->at[i] += m->steps[i];
		if (w->at[i] <= (int64_t)m->sizes[i] + m->upper[i - 1])
			return;
		w->at[i] = m->lower[i - 1];
	}
	w->at[m->rank] += m->steps[m->rank];
}

void tensor_walk_next(struct tensor_walk *w)
{
	w->row++;
	if (has_four_lines(w->copy))
		w->at[1] = w->row < 4 ? w->copy->at[1 + w->row] : 0;
	else if (is_wide(w->copy))
		find_wide_pixel(w);
	else if (is_im2col(w->copy))
		next_pixel(w);
	else
		next_of_tile(w);
	find_row(w);
}

struct tensor_part tensor_held(const struct tensor_walk *w, int64_t from, uint32_t bytes)
{
	const struct tensor_map *m = &w->copy->map;
	int64_t line = ((int64_t)m->sizes[0] + 1) * tensor_element(m->type)->bits / 8;
	struct tensor_part part = { from, from + bytes };

	if (!w->is_inside)
		return (struct tensor_part){ from, from };
	part.first = part.first < 0 ? 0 : part.first;
	part.end = part.end > line ? line : part.end;
	if (part.end <= part.first)
		return (struct tensor_part){ from, from };
	return part;
}
