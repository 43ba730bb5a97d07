/* memsys/texture/texture.c -- what a texture fetch returns.
 *
 * A coordinate becomes, per dimension, one texel (point) or two with a weight of 8 fraction bits (linear),
 * each moved back into the texture by the address mode or found to lie outside. Weights are integers and
 * products are summed in double precision, so that the result is the same on every machine. */
#include "memsys/texture/texture.h"
#include <math.h>
#include <string.h>

#define FAR 1073741824.0 /* texel indices stay within int32_t, offsets included */

/* The texels that a coordinate selects in one dimension. */
struct axis {
	int32_t index[2];
	bool is_outside[2];
	uint32_t weight[2]; /* of 256 */
	unsigned taps;
};

/* -- coordinates -- */

static int32_t modulo(int32_t index, int32_t size)
{
	int32_t rest = index % size;

	return rest < 0 ? rest + size : rest;
}

/* Moves a texel index into 0 .. size - 1. False: it lies outside, and the border's colour stands there. */
static bool fold_index(int32_t *index, uint32_t size, unsigned mode)
{
	int32_t n = (int32_t)size, twice;

	if (*index >= 0 && *index < n)
		return true;
	switch (mode) {
	case ADDRESS_WRAP:
		*index = modulo(*index, n);
		return true;
	case ADDRESS_MIRROR:
		twice = modulo(*index, 2 * n);
		*index = twice < n ? twice : 2 * n - 1 - twice;
		return true;
	case ADDRESS_BORDER:
		return false;
	default:
		*index = *index < 0 ? 0 : n - 1;
		return true;
	}
}

static int32_t to_index(double x)
{
	return !(x > -FAR) ? (x != x ? 0 : (int32_t)-FAR) : x > FAR ? (int32_t)FAR : (int32_t)x;
}

/* A coordinate in texels, reduced to one period where the mode is periodic. *direction: -1 in a mirrored
 * period. */
static float scale_coordinate(float x, uint32_t size, unsigned mode, bool is_normalized, int32_t *direction)
{
	float period;

	*direction = 1;
	if (!is_normalized)
		return x;
	period = floorf(x);
	if (mode == ADDRESS_WRAP) {
		x -= period;
	} else if (mode == ADDRESS_MIRROR) {
		bool is_odd = fmodf(period, 2) != 0;

		x = is_odd ? 1 - (x - period) : x - period;
		*direction = is_odd ? -1 : 1;
	}
	return x * (float)size;
}

/* Periodic modes need normalised coordinates; without them they clamp. */
static unsigned effective_mode(unsigned mode, bool is_normalized)
{
	return !is_normalized && mode != ADDRESS_BORDER ? ADDRESS_CLAMP : mode;
}

static void finish_axis(struct axis *a, uint32_t size, unsigned mode)
{
	for (unsigned i = 0; i < a->taps; i++)
		a->is_outside[i] = !fold_index(&a->index[i], size, mode);
}

static struct axis point_axis(double x, int32_t offset)
{
	return (struct axis){ .index = { to_index(floor(x)) + offset }, .weight = { 256 }, .taps = 1 };
}

static struct axis linear_axis(double x, int32_t offset)
{
	double from = x - 0.5, whole = floor(from);
	int32_t index = to_index(whole) + offset;
	uint32_t weight = from - whole >= 0 ? (uint32_t)floor((from - whole) * 256 + 0.5) : 0;

	return (struct axis){ .index = { index, index + 1 }, .weight = { 256 - weight, weight }, .taps = 2 };
}

/* How a fetch looks at its texture: the level, the layer, whether to blend. */
struct sight {
	const struct texture *t;
	const struct texture_sampler *s;
	const struct texture_level *level;
	uint32_t layer;
	bool is_linear;
	struct axis axis[3];
};

static uint32_t extent(const struct texture_level *l, unsigned dimension)
{
	return dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth;
}

/* The face that a direction points at, and where on it, from 0 to 1. Of equal components the later one wins.
 */
static unsigned cube_face(const float d[3], float *s, float *t)
{
	float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]), major, u, v;
	unsigned face;

	if (x > y && x > z) {
		face = d[0] < 0;
		major = x;
		u = d[0] < 0 ? d[2] : -d[2];
		v = -d[1];
	} else if (y > z) {
		face = 2 + (d[1] < 0);
		major = y;
		u = d[0];
		v = d[1] < 0 ? -d[2] : d[2];
	} else {
		face = 4 + (d[2] < 0);
		major = z;
		u = d[2] < 0 ? -d[0] : d[0];
		v = -d[1];
	}
	*s = (u / major + 1) / 2;
	*t = (v / major + 1) / 2;
	return face;
}

static void place_axes(struct sight *v, const struct texel_request *q, const float at[3], bool is_normalized)
{
	for (unsigned i = 0; i < 3; i++) {
		uint32_t size = extent(v->level, i);
		unsigned mode = q->is_cube ? ADDRESS_CLAMP : effective_mode(v->s->address[i], is_normalized);
		int32_t direction = 1, offset = q->offset[i];
		double x;

		if (i >= q->dims || (q->is_cube && i == 2)) {
			v->axis[i] = (struct axis){ .weight = { 256 }, .taps = 1 };
			continue;
		}
		x = q->is_integer ? (double)q->at[i].i
				  : (double)scale_coordinate(at[i], size, mode, is_normalized, &direction);
		v->axis[i] = v->is_linear && !q->is_integer ? linear_axis(x, direction * offset)
							    : point_axis(x, direction * offset);
		finish_axis(&v->axis[i], size, mode);
	}
}

static uint32_t limit_layer(uint32_t value, uint32_t count)
{
	return value < count ? value : count - 1;
}

static void prepare_level(struct sight *v, const struct texel_request *q, unsigned level, bool is_linear)
{
	float at[3] = { q->at[0].f, q->at[1].f, q->at[2].f };
	uint32_t faces = q->is_cube ? 6 : 1, layer = limit_layer(q->layer, v->t->layers / faces);

	v->level = &v->t->levels[level];
	v->is_linear = is_linear;
	v->layer = layer * faces;
	if (q->is_cube)
		v->layer += cube_face((const float[3]){ at[0], at[1], at[2] }, &at[0], &at[1]);
	place_axes(v, q, at, (v->s->is_normalized || q->is_cube) && !q->is_integer);
}

/* -- reading -- */

/* *timed: where it lies on a chip */
static addr texel_address(const struct sight *v, unsigned x, unsigned y, unsigned z, addr *timed)
{
	const struct texture_level *l = v->level;
	uint64_t slice = v->t->is_layered || v->t->is_cube ? v->layer : (uint32_t)v->axis[2].index[z];
	uint64_t row = (uint32_t)v->axis[1].index[y],
		 byte = (uint64_t)(uint32_t)v->axis[0].index[x] * texel_bytes(v->t->format);
	addr location = l->base + slice * l->slice + row * l->pitch + byte;

	*timed = v->t->layout == LAYOUT_BLOCK_LINEAR ? block_linear_address(l, slice, row, byte) : location;
	return location;
}

static bool is_outside(const struct sight *v, unsigned x, unsigned y, unsigned z)
{
	return v->axis[0].is_outside[x] || v->axis[1].is_outside[y] || v->axis[2].is_outside[z];
}

/* Reads one tap; *timed, where it lies on a chip, is set unless it lies outside. */
static bool read_tap(
	const struct sight *v, unsigned x, unsigned y, unsigned z, uint32_t value[4], addr *timed)
{
	if (is_outside(v, x, y, z)) {
		memset(value, 0, sizeof(v->s->border)); /* of the channels that there are */
		memcpy(value, v->s->border, v->t->format.channels * sizeof(float));
		return false;
	}
	texel_decode(v->t, v->s, memory_host(texel_address(v, x, y, z, timed)), value);
	return true;
}

static void touch_texel(struct texel_result *r, addr timed)
{
	if (r->touched_count < TEXTURE_ROWS)
		r->touched[r->touched_count++] = timed;
}

/* The weighted sum of up to eight texels. Those without weight are not looked at: they may be infinite. */
static void blend(const struct sight *v, struct texel_result *r)
{
	const struct axis *ax = &v->axis[0], *ay = &v->axis[1], *az = &v->axis[2];
	double sum[4] = { 0 };

	for (unsigned z = 0; z < az->taps; z++)
		for (unsigned y = 0; y < ay->taps; y++) {
			bool is_touched = false;

			for (unsigned x = 0; x < ax->taps; x++) {
				double weight = (double)ax->weight[x] * ay->weight[y] * az->weight[z];
				uint32_t value[4];
				addr timed;

				if (weight == 0)
					continue;
				if (read_tap(v, x, y, z, value, &timed) && !is_touched) {
					touch_texel(r, timed);
					is_touched = true;
				}
				for (unsigned c = 0; c < 4; c++)
					sum[c] += weight * (double)bits_float(value[c]);
			}
		}
	for (unsigned c = 0; c < 4; c++)
		r->value[c] = float_bits((float)(sum[c] / 16777216.0));
}

static void fetch_level(const struct texture *t, const struct texture_sampler *s,
	const struct texel_request *q, unsigned level, struct texel_result *r)
{
	struct sight v = { .t = t, .s = s };
	bool is_linear = s->filter == FILTER_LINEAR && !q->is_integer && texture_reads_floats(t, s);
	addr timed;

	prepare_level(&v, q, level, is_linear);
	if (is_linear)
		blend(&v, r);
	else if (read_tap(&v, 0, 0, 0, r->value, &timed))
		touch_texel(r, timed);
}

/* Linear memory: by index, without address mode; 0 outside. */
static void fetch_linear(const struct texture *t, const struct texture_sampler *s,
	const struct texel_request *q, struct texel_result *r)
{
	int64_t index = q->is_integer ? q->at[0].i : to_index(floor((double)q->at[0].f));

	index += q->offset[0];
	memset(r->value, 0, sizeof(r->value));
	if (index < 0 || index >= t->levels[0].width)
		return;
	touch_texel(r, t->levels[0].base + (uint64_t)index * texel_bytes(t->format));
	texel_decode(t, s, memory_host(r->touched[0]), r->value);
}

/* -- levels -- */

static float limited_level(const struct texture *t, const struct texture_sampler *s, float level)
{
	float last = (float)(t->level_count - 1);

	level += s->bias;
	if (!(level > s->min_level))
		level = s->min_level;
	if (level > s->max_level)
		level = s->max_level;
	return !(level > 0) ? 0 : level > last ? last : level;
}

/* Two levels, blended with a weight of 8 bits. */
static void blend_levels(const struct texture *t, const struct texture_sampler *s,
	const struct texel_request *q, float level, struct texel_result *r)
{
	uint32_t fixed = (uint32_t)floorf(level * 256 + 0.5f), first = fixed >> 8, weight = fixed & 255;
	struct texel_result next = { 0 };

	fetch_level(t, s, q, first, r);
	if (!weight)
		return;
	fetch_level(t, s, q, first + 1, &next);
	for (unsigned c = 0; c < 4; c++)
		r->value[c] = float_bits((float)(((256 - weight) * (double)bits_float(r->value[c]) +
							 weight * (double)bits_float(next.value[c])) /
			256));
	for (unsigned i = 0; i < next.touched_count; i++)
		touch_texel(r, next.touched[i]);
}

void texture_fetch(const struct texture *t, const struct texture_sampler *s, const struct texel_request *q,
	struct texel_result *r)
{
	float level;

	r->touched_count = 0;
	if (t->layout == LAYOUT_LINEAR) {
		fetch_linear(t, s, q, r);
		return;
	}
	level = t->level_count > 1 ? limited_level(t, s, q->level) : 0;
	if (s->mip_filter == FILTER_LINEAR && level > 0 && texture_reads_floats(t, s))
		blend_levels(t, s, q, level, r);
	else
		fetch_level(t, s, q, (unsigned)floorf(level + 0.5f), r);
}

void texture_gather(const struct texture *t, const struct texture_sampler *s, const struct texel_request *q,
	unsigned component, struct texel_result *r)
{
	static const uint8_t order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
	struct sight v = { .t = t, .s = s };
	uint32_t value[4];
	addr timed;

	r->touched_count = 0;
	if (t->layout == LAYOUT_LINEAR) {
		memset(r->value, 0, sizeof(r->value));
		return;
	}
	prepare_level(&v, q, 0, true);
	for (unsigned i = 0; i < 4; i++) {
		if (read_tap(&v, order[i][0], order[i][1], 0, value, &timed))
			touch_texel(r, timed);
		r->value[i] = value[component];
	}
}

/* log2 of a positive number with 9 fraction bits, by repeated squaring. */
static double log2_coarse(double x)
{
	int exponent;
	double m = 2 * frexp(x, &exponent), result = exponent - 1, bit = 0.5;

	for (int i = 0; i < 9; i++, bit /= 2) {
		m *= m;
		if (m >= 2) {
			m /= 2;
			result += bit;
		}
	}
	return result;
}

float texture_gradient_level(const struct texture *t, const struct texture_sampler *s, unsigned dims,
	const float dx[3], const float dy[3])
{
	double x = 0, y = 0, longest;

	for (unsigned i = 0; i < dims; i++) {
		double size = s->is_normalized ? extent(&t->levels[0], i) : 1;

		x += (double)dx[i] * size * ((double)dx[i] * size);
		y += (double)dy[i] * size * ((double)dy[i] * size);
	}
	longest = x > y ? x : y;
	if (!(longest > 0))
		return 0;
	return (float)(longest > 1e30 ? TEXTURE_LEVELS : log2_coarse(longest) / 2);
}
