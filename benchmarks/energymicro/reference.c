/* reference.c -- what the kernels compute, on the CPU. */
#include "energymicro.h"

/* -- chains: all warps compute the same, lane by lane -- */

uint32_t operand_bits(const struct family *f, double operand)
{
	float value = (float)operand;
	uint32_t bits;

	if (f->type == TYPE_U32 || f->operands_are_bits)
		return (uint32_t)operand;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static void begin_lane(struct lane *lane, const struct family *f, unsigned n)
{
	*lane = (struct lane){ .x = operand_bits(f, f->x),
		.y = operand_bits(f, f->y),
		.fx = (float)f->x,
		.fy = (float)f->y,
		.gx = f->x,
		.gy = f->y };
	for (unsigned c = 0; c < CHAINS; c++) {
		uint32_t i = n * CHAINS + c;

		lane->r[c] = i;
		if (f->type == TYPE_U32)
			lane->r[c] = i * (uint32_t)f->apart + (uint32_t)f->first;
		else
			lane->f[c] = fmaf((float)i, (float)f->apart, (float)f->first);
		lane->g[c] = (double)lane->f[c];
	}
}

static uint64_t result_of(const struct lane *lane, enum type type)
{
	struct lane sum = *lane;
	uint32_t bits, predicates = 0;
	uint64_t result;

	for (unsigned c = 0; c < CHAINS; c++)
		predicates += (uint32_t)lane->p[c] << c;
	for (unsigned c = 1; c < CHAINS; c++) {
		sum.r[0] += sum.r[c];
		sum.f[0] += sum.f[c];
		sum.g[0] += sum.g[c];
	}
	memcpy(&bits, type == TYPE_F32 ? (void *)&sum.f[0] : (void *)&sum.r[0], sizeof bits);
	memcpy(&result, &sum.g[0], sizeof result);
	return type == TYPE_F64 ? result : (uint64_t)predicates << 32 | bits;
}

static void chain_results(const struct kernel *k, const struct shape *s, uint64_t *want)
{
	const struct family *f = k->family;
	unsigned repeats = s->repeats * chain_unroll(f);
	struct warp w = { .lanes = s->lanes };

	for (unsigned n = 0; n < w.lanes; n++)
		begin_lane(&w.lane[n], f, n);
	for (unsigned i = 0; i < repeats; i++)
		for (unsigned line = 0; line < MOST_LINES && f->lines[line]; line++)
			for (unsigned c = 0; c < CHAINS; c++)
				for (unsigned n = 0; n < w.lanes; n++)
					f->step(&w, n, c, line);
	for (size_t i = 0; i < (size_t)s->ctas * s->threads; i++)
		if (i % WARP < w.lanes)
			want[i] = result_of(&w.lane[i % WARP], f->type);
}

/* Errors of steps add up, each relative to the value or to the scale; where a step halves them, no more than
 * two remain. The sum of the chains has rounding errors of its own. */
double reference_tolerance(const struct kernel *k, const struct shape *s)
{
	const struct family *f = k->family;
	double steps = f->contracts ? 2 : (double)s->repeats * chain_unroll(f);

	return f->tolerance * steps + CHAINS * 0x1p-24;
}

/* -- streams -- */

/* f32 words lie between 0.5 and 1, so that chains of steps stay finite. */
uint32_t stream_word(const struct stream *s, uint32_t offset)
{
	uint32_t word = offset / 4 * 2654435761u;

	return s->pairs ? 0x3f000000 | word >> 9 : word;
}

struct walker {
	uint32_t offset, state[CHAINS];
};

static struct walker walker_of(const struct stream *stream, const struct shape *s, size_t thread)
{
	uint32_t id = (uint32_t)thread;
	struct walker w = { .offset = (id % WARP * stream->stride + id / WARP * s->chunk) & s->mask };

	for (unsigned c = 0; c < CHAINS; c++)
		w.state[c] = (id * CHAINS + c) * 2654435761u;
	return w;
}

/* Where word c of this repetition is. */
static uint32_t place(struct walker *w, const struct stream *stream, const struct shape *s, unsigned c)
{
	if (!stream->random)
		return w->offset + c * stream->apart;
	w->state[c] = w->state[c] * 1664525 + 1013904223;
	return w->state[c] >> 4 & s->mask & ~3u;
}

static float value_at(const struct stream *s, uint32_t offset)
{
	uint32_t word = stream_word(s, offset);
	float value;

	memcpy(&value, &word, sizeof value);
	return value;
}

static uint64_t pairs_result(const struct stream *stream, const struct shape *s, size_t thread)
{
	struct walker w = walker_of(stream, s, thread);
	float sum = 0;
	uint32_t bits;

	for (unsigned i = 0; i < s->repeats; i++) {
		for (unsigned c = 0; c < CHAINS; c += 2) {
			float a = value_at(stream, place(&w, stream, s, c));
			float b = value_at(stream, place(&w, stream, s, c + 1)), v = a - b;

			for (unsigned n = 0; n < stream->steps; n++)
				v = fmaf(v, a, -b);
			sum += v;
		}
		w.offset = (w.offset + s->step) & s->mask;
	}
	memcpy(&bits, &sum, sizeof bits);
	return bits;
}

static uint64_t stream_result(const struct stream *stream, const struct shape *s, size_t thread)
{
	struct walker w = walker_of(stream, s, thread);
	uint32_t sum = 0, last = 0;

	if (stream->pairs)
		return pairs_result(stream, s, thread);
	for (unsigned i = 0; i < s->repeats; i++) {
		for (unsigned c = 0; c < CHAINS; c++)
			sum += stream_word(stream, place(&w, stream, s, c));
		last = w.offset;
		w.offset = (w.offset + s->step) & s->mask;
	}
	if (stream->access == ACCESS_READ)
		return sum;
	return stream->space == SPACE_SHARED ? last : 0;
}

void reference_results(const struct kernel *k, const struct shape *s, uint64_t *want)
{
	if (!k->family->stream.space) {
		chain_results(k, s, want);
		return;
	}
	for (size_t i = 0; i < (size_t)s->ctas * s->threads; i++)
		if (i % WARP < s->lanes)
			want[i] = stream_result(&k->family->stream, s, i);
}

/* All that write to a word write the same: the offset of the first word of their chunk and lane. */
void reference_memory(const struct kernel *k, const struct shape *s, uint32_t *words)
{
	const struct stream *stream = &k->family->stream;

	for (size_t i = 0; i < (size_t)s->ctas * s->threads; i++) {
		struct walker w = walker_of(stream, s, i);

		for (unsigned r = 0; r < s->repeats && i % WARP < s->lanes; r++) {
			for (unsigned c = 0; c < CHAINS; c++) {
				uint32_t *word = &words[place(&w, stream, s, c) / 4];

				*word = stream->access == ACCESS_ADD ? *word + 1 : w.offset;
			}
			w.offset = (w.offset + s->step) & s->mask;
		}
	}
}
