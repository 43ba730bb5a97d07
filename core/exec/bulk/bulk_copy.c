/* core/exec/bulk/bulk_copy.c -- see bulk_copy.h. */
#include "core/exec/bulk/bulk_copy.h"
#include "core/exec/bulk/tensor_walk.h"
#include "core/exec/mbarrier.h"
#include "core/exec/write.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define GRANULE 16u /* bytes that stay together in shared memory */

/* What fills f16 and bf16 elements outside of a tensor if NaNs are asked for (exec_half.c); wider types have
 * it repeated. */
#define OUT_OF_BOUNDS_NAN 0x7ff7

/* ---- the queue ---- */

struct bulk_copy *bulk_queue_add(struct bulk_queue *q)
{
	if (q->count == q->capacity) {
		q->capacity = q->capacity ? 2 * q->capacity : 32;
		q->copies = xrealloc(q->copies, q->capacity * sizeof(*q->copies));
	}
	return &q->copies[q->count++];
}

uint8_t *bulk_queue_room(struct bulk_queue *q, uint32_t bytes)
{
	if (q->size < bytes) {
		q->size = bytes;
		q->bytes = xrealloc(q->bytes, bytes);
	}
	return q->bytes;
}

void bulk_queue_fini(struct bulk_queue *q)
{
	free(q->copies);
	free(q->bytes);
}

/* ---- shared memory ---- */

uint8_t *bulk_shared(const struct bulk_copy *c, addr address, uint32_t bytes)
{
	uint32_t top = (uint32_t)(address >> CLUSTER_RANK_SHIFT), rank = top ? top - 1 : c->seat.rank;
	uint32_t offset = (uint32_t)address & CLUSTER_OFFSET;

	if (address >> 32 || offset > c->shared_bytes || bytes > c->shared_bytes - offset)
		return NULL;
	if (rank == c->seat.rank)
		return c->shared + offset;
	if (!c->seat.memory || rank >= c->seat.memory->ctas || c->seat.memory->state[rank] != MEMBER_RUNS)
		return NULL;
	return c->seat.memory->shared[rank] + offset;
}

/* The same with another CTA's rank. */
static addr address_in(addr address, uint32_t rank)
{
	return (addr)(rank + 1) << CLUSTER_RANK_SHIFT | (address & CLUSTER_OFFSET);
}

/* Where the granule at an offset of shared memory lies after the swizzle (PTX ISA, "Swizzling modes"): chunks
 * of 16, 32 or 64 bytes change places within the span by the bits of the address above those of 128 bytes. */
static uint32_t swizzle(const struct tensor_map *m, uint32_t offset)
{
	uint32_t atom = m->swizzle == 3 ? (m->atoms == 3 ? 2u : m->atoms ? 1u : 0u) : 0u;
	uint32_t bits = (1u << m->swizzle) - 1;

	if (!m->swizzle)
		return offset;
	bits = bits >> atom;
	return offset ^ ((offset >> 7 & bits) << (4 + atom));
}

uint32_t bulk_granule(const struct bulk_copy *c, addr start, uint32_t i)
{
	uint32_t offset = ((uint32_t)start & CLUSTER_OFFSET) + i * GRANULE;

	return c->form.mode ? swizzle(&c->map, offset) : offset;
}

/* Whether the halves of a granule change places, in alternate rows of 128 bytes. */
static bool is_flipped(const struct tensor_map *m, uint32_t offset)
{
	return m->swizzle == 3 && m->atoms == 2 && (offset >> 7 & 1);
}

static void move_granule(const struct tensor_map *m, uint32_t offset, uint8_t *to, const uint8_t *from)
{
	uint8_t granule[GRANULE];

	if (!is_flipped(m, offset)) {
		memcpy(to, from, GRANULE);
		return;
	}
	memcpy(granule, from + 8, 8);
	memcpy(granule + 8, from, 8);
	memcpy(to, granule, GRANULE);
}

static void write_box(const struct bulk_copy *c, uint8_t *shared, uint32_t offset, const uint8_t *bytes)
{
	const struct tensor_map *m = &c->map;

	for (uint32_t i = 0; i < c->bytes; i += GRANULE)
		move_granule(m, offset + i, shared + swizzle(m, offset + i), bytes + i);
}

static void read_box(const struct bulk_copy *c, const uint8_t *shared, uint32_t offset, uint8_t *bytes)
{
	const struct tensor_map *m = &c->map;

	for (uint32_t i = 0; i < c->bytes; i += GRANULE)
		move_granule(m, offset + i, bytes + i, shared + swizzle(m, offset + i));
}

/* ---- reading ---- */

uint32_t bulk_box_bytes(const struct bulk_copy *c)
{
	return tensor_rows(c) * tensor_row_bytes(c);
}

bool bulk_each_range(const struct bulk_copy *c, bulk_range *holds, void *user)
{
	uint32_t rows = tensor_rows(c),
		 bytes = (uint32_t)c->map.box[0] * tensor_element(c->map.type)->bits / 8;
	struct tensor_walk w;

	for (tensor_walk_start(&w, c); w.row < rows; tensor_walk_next(&w)) {
		struct tensor_part part = tensor_held(&w, tensor_row_from(c), bytes);

		if (part.end > part.first &&
			!holds(user, (addr)(w.base + part.first), (uint32_t)(part.end - part.first)))
			return false;
	}
	return true;
}

static void fill_bytes(const struct bulk_copy *c, uint8_t *bytes, uint32_t count)
{
	bool is_nan = c->map.fill && tensor_element(c->map.type)->is_float;

	for (uint32_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(!is_nan ? 0 : i % 2 ? OUT_OF_BOUNDS_NAN >> 8 : OUT_OF_BOUNDS_NAN & 255);
}

/* f32 as the types with other names have it: without subnormals, as the nearest tf32. */
static uint32_t convert_single(unsigned type, uint32_t bits)
{
	enum { FTZ = 10, TF32 = 11, TF32_FTZ = 12 };

	if ((type == FTZ || type == TF32_FTZ) && !(bits & 0x7f800000))
		bits &= 0x80000000;
	if (type >= TF32 && (bits & 0x7f800000) != 0x7f800000)
		bits = (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
	return bits;
}

static void convert_row(const struct bulk_copy *c, uint8_t *bytes, uint32_t count)
{
	uint32_t word;

	if (c->map.type < 10 || c->map.type > 12)
		return;
	for (uint32_t i = 0; i < count; i += 4) {
		memcpy(&word, bytes + i, 4);
		word = convert_single(c->map.type, word);
		memcpy(bytes + i, &word, 4);
	}
}

/* A row of the box. Packed types have a gap behind the bytes of each granule. */
static void read_row(const struct tensor_walk *w, uint8_t *bytes, uint32_t count)
{
	const struct bulk_copy *c = w->copy;
	uint32_t each = tensor_element(c->map.type)->granule;
	int64_t from = tensor_row_from(c);

	if (each == GRANULE) {
		struct tensor_part part = tensor_held(w, from, count);
		uint32_t before = (uint32_t)(part.first - from), held = (uint32_t)(part.end - part.first);

		fill_bytes(c, bytes, before);
		memcpy(bytes + before, memory_host((addr)(w->base + part.first)), held);
		fill_bytes(c, bytes + before + held, count - before - held);
		convert_row(c, bytes + before, held);
		return;
	}
	memset(bytes, 0, count);
	for (uint32_t i = 0; i < count; i += GRANULE, from += each) {
		struct tensor_part part = tensor_held(w, from, each);

		memcpy(bytes + i + (part.first - from), memory_host((addr)(w->base + part.first)),
			(size_t)(part.end - part.first));
	}
}

static void read_tensor(const struct bulk_copy *c, uint8_t *bytes)
{
	uint32_t rows = tensor_rows(c), each = tensor_row_bytes(c);
	struct tensor_walk w;

	for (tensor_walk_start(&w, c); w.row < rows; tensor_walk_next(&w))
		read_row(&w, bytes + (size_t)w.row * each, each);
}

const char *bulk_read(const struct bulk_copy *c, uint8_t *bytes)
{
	if (c->form.kind >= BULK_TENSOR)
		return NULL;
	if (c->form.kind == BULK_CANCELS) {
		uint32_t answer[4] = { 0 };

		c->control->cancel(c->control->machine, c->warp, answer);
		memcpy(bytes, answer, CANCEL_BYTES);
	} else if (c->form.from != BULK_GLOBAL) {
		uint32_t offset = (uint32_t)c->from & CLUSTER_OFFSET;

		if (c->form.mode)
			read_box(c, c->shared, offset, bytes);
		else
			memcpy(bytes, c->shared + offset, c->bytes);
	} else if (c->form.mode) {
		read_tensor(c, bytes);
	} else {
		memcpy(bytes, memory_host(c->from), c->bytes);
	}
	return NULL;
}

/* ---- writing ---- */

/* Element by element, as atomics do. */
static void reduce_bytes(const struct bulk_copy *c, uint8_t *to, const uint8_t *bytes, uint32_t count)
{
	const struct uop u = { .type = c->type, .compare = c->form.operation };
	unsigned size = ptx_type_bits((enum ptx_type)c->type) / 8;

	for (uint32_t i = 0; i < count; i += size)
		put_back(to + i, atomic_result(&u, fetch(to + i, size), fetch(bytes + i, size), 0, true),
			size);
}

static void write_masked(const struct bulk_copy *c, uint8_t *to, const uint8_t *bytes)
{
	for (uint32_t i = 0; i < c->bytes; i++)
		if (c->byte_mask >> i % 16 & 1)
			to[i] = bytes[i];
}

static void write_row(const struct tensor_walk *w, const uint8_t *bytes, uint32_t count)
{
	const struct bulk_copy *c = w->copy;
	uint32_t each = tensor_element(c->map.type)->granule;
	int64_t from = tensor_row_from(c);

	for (uint32_t i = 0; i < count; i += GRANULE, from += each) {
		struct tensor_part part = tensor_held(w, from, each);
		uint8_t *to = memory_host((addr)(w->base + part.first));
		const uint8_t *at = bytes + i + (part.first - from);

		if (part.end <= part.first)
			continue;
		if (c->form.kind == BULK_REDUCES)
			reduce_bytes(c, to, at, (uint32_t)(part.end - part.first));
		else
			memcpy(to, at, (size_t)(part.end - part.first));
	}
}

static const char *write_global(const struct bulk_copy *c, const uint8_t *bytes)
{
	uint8_t *to = memory_host(c->to);
	struct tensor_walk w;

	if (c->form.mode) {
		uint32_t rows = tensor_rows(c), each = tensor_row_bytes(c);

		for (tensor_walk_start(&w, c); w.row < rows; tensor_walk_next(&w))
			write_row(&w, bytes + (size_t)w.row * each, each);
	} else if (c->form.kind == BULK_REDUCES) {
		reduce_bytes(c, to, bytes, c->bytes);
	} else if (c->form.flags & BULK_BYTE_MASK) {
		write_masked(c, to, bytes);
	} else {
		memcpy(to, bytes, c->bytes);
	}
	return NULL;
}

/* To one CTA, whose mbarrier is told. */
static const char *write_shared(const struct bulk_copy *c, addr to, addr barrier, const uint8_t *bytes)
{
	uint32_t offset = (uint32_t)to & CLUSTER_OFFSET;
	uint8_t *place = bulk_shared(c, to, c->bytes), *object = bulk_shared(c, barrier, 8);

	if (!place || !object)
		return "the CTA that the copy is for has exited before it landed";
	if (c->form.mode)
		write_box(c, place - offset, offset, bytes);
	else if (c->form.kind == BULK_REDUCES)
		reduce_bytes(c, place, bytes, c->bytes);
	else
		memcpy(place, bytes, c->bytes);
	return mbarrier_complete(object, c->bytes);
}

/* One of them. */
static const char *arrive(const struct bulk_copy *c, addr barrier)
{
	uint8_t *object = bulk_shared(c, barrier, 8);
	const char *wrong;
	struct mbarrier b;
	uint64_t bits;

	if (!object)
		return "the CTA of an mbarrier has exited before the tensor cores were done";
	memcpy(&bits, object, 8);
	b = mbarrier_unpack(bits);
	wrong = mbarrier_change(&b, MBARRIER_ARRIVE, 0, false);
	bits = mbarrier_pack(b);
	memcpy(object, &bits, 8);
	return wrong;
}

static const char *arrive_at_all(const struct bulk_copy *c)
{
	const char *wrong = NULL;

	if (!(c->form.flags & BULK_MULTICAST))
		return arrive(c, c->barrier);
	for (uint32_t ctas = c->ctas; ctas && !wrong; ctas &= ctas - 1)
		wrong = arrive(c, address_in(c->barrier, (uint32_t)__builtin_ctz(ctas)));
	return wrong;
}

addr bulk_barrier(const struct bulk_copy *c, uint32_t rank)
{
	uint32_t named = (uint32_t)(c->barrier >> CLUSTER_RANK_SHIFT),
		 odd = (named ? named - 1 : c->seat.rank) & 1;

	if ((c->form.flags & BULK_OF_PAIR) == BULK_OF_PAIR)
		rank = (rank & ~1u) | odd;
	return address_in(c->barrier, rank);
}

const char *bulk_write(const struct bulk_copy *c, const uint8_t *bytes)
{
	const char *wrong = NULL;

	if (c->form.kind == BULK_ARRIVES)
		return arrive_at_all(c);
	if (c->form.kind == BULK_TENSOR)
		return c->tensor.perform(&c->tensor);
	if (c->form.to == BULK_GLOBAL)
		return write_global(c, bytes);
	if (!(c->form.flags & BULK_MULTICAST))
		return write_shared(c, c->to, c->barrier, bytes);
	for (uint32_t ctas = c->ctas; ctas && !wrong; ctas &= ctas - 1) {
		uint32_t rank = (uint32_t)__builtin_ctz(ctas);

		wrong = write_shared(c, address_in(c->to, rank), bulk_barrier(c, rank), bytes);
	}
	return wrong;
}
