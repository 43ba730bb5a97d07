/* core/exec/write.h -- how stores and atomics take effect: at once in shared and local memory (exec_store.c),
 * at commit in global memory (exec.c). */
#ifndef CORE_EXEC_WRITE_H
#define CORE_EXEC_WRITE_H

#include "core/exec/exec.h"
#include "core/exec/mbarrier_update.h"
#include "memsys/memory.h"
#include "core/exec/arithmetic/formats.h"
#include <string.h>

/* A space as a warp sees it: address a of lane l is at base + l * lane_bytes + a. Device memory: base 0, an
 * address is a pointer; local memory: one thread after the other. */
struct view {
	uintptr_t base;
	size_t lane_bytes;
};

static inline void *view_at(struct view view, unsigned lane, addr address)
{
	return (void *)(view.base + lane * view.lane_bytes + (uintptr_t)address);
}

static inline lane_mask first_lane(lane_mask mask)
{
	return (lane_mask)__builtin_ctz(mask);
}

/* Do 32 lanes access consecutive elements of so many bytes? */
static inline bool is_contiguous(const addr *address, unsigned bytes)
{
	uint64_t difference = 0;

	if (address[WARP_SIZE - 1] - address[0] != (WARP_SIZE - 1) * bytes)
		return false;
	for (unsigned l = 0; l < WARP_SIZE; l++)
		difference |= address[l] ^ (address[0] + l * bytes);
	return !difference;
}

/* Element `index` of a store, `bytes` wide, from a row of 32- or (wide) 64-bit words. Accesses of a warp
 * either coincide or are apart, being aligned: so elements may be stored one after the other, and lane order
 * decides. */
static inline void store_element(struct view view, const addr *address, lane_mask mask, const void *row,
	bool wide, unsigned bytes, unsigned index)
{
	const uint8_t *from = row;
	unsigned step = wide ? 8 : 4, offset = index * bytes;

	if (mask == UINT32_MAX && step == bytes && !view.lane_bytes && is_contiguous(address, bytes)) {
		memcpy(view_at(view, 0, address[0] + offset), from, WARP_SIZE * bytes);
		return;
	}
#define STORE_LANES(n) \
	do { \
		if (mask == UINT32_MAX) \
			for (unsigned l = 0; l < WARP_SIZE; l++) \
				memcpy(view_at(view, l, address[l] + offset), from + l * step, n); \
		else \
			for (lane_mask rest = mask; rest; rest &= rest - 1) { \
				unsigned l = first_lane(rest); \
				memcpy(view_at(view, l, address[l] + offset), from + l * step, n); \
			} \
	} while (0)
	switch (bytes) {
	case 1:
		STORE_LANES(1);
		break;
	case 2:
		STORE_LANES(2);
		break;
	case 4:
		STORE_LANES(4);
		break;
	case 8:
		STORE_LANES(8);
		break;
	default:
		bug("a store of %u bytes", bytes);
	}
#undef STORE_LANES
}

/* Room for what is to take effect in the commit phase. */
static inline struct exec_write *new_write(struct exec *x)
{
	bug_if(x->write_count >= EXEC_WRITES, "more than %d stores and atomics await commit", EXEC_WRITES);
	return &x->writes[x->write_count++];
}

/* A store goes in pieces: its elements, or the halves of those of 128 bits. */
static inline unsigned piece_bytes(const struct uop *u)
{
	return u->bytes > 8 ? 8 : u->bytes;
}

static inline unsigned store_pieces(const struct uop *u)
{
	return u->bytes > 8 ? 2u * u->vector : u->vector;
}

/* Elements that were `_` are not stored. */
static inline bool is_written(const struct uop *u, unsigned piece)
{
	return u->code != UOP_ST || !(u->compare >> (u->bytes > 8 ? piece / 2 : piece) & 1);
}

/* The sum of an atomic add; global memory flushes subnormal f32 operands and sums, shared memory does not. */
static inline uint32_t atomic_flush(uint32_t bits, bool flush)
{
	return flush && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

static inline uint32_t atomic_sum_f32(uint32_t a, uint32_t b, bool flush)
{
	union {
		uint32_t u;
		float f;
	} x = { atomic_flush(a, flush) }, y = { atomic_flush(b, flush) };

	x.f += y.f;
	return x.f != x.f ? UINT32_C(0x7fffffff) : atomic_flush(x.u, flush);
}

static inline uint64_t atomic_sum_f64(uint64_t a, uint64_t b)
{
	const uint64_t quiet = UINT64_C(0x0008000000000000);
	union {
		uint64_t u;
		double f;
	} x = { a }, y = { b }, sum = { .f = x.f + y.f };

	if (sum.f == sum.f)
		return sum.u;
	return x.f != x.f ? a | quiet : y.f != y.f ? b | quiet : UINT64_C(0xfff8000000000000);
}

static inline bool is_half(enum ptx_type type)
{
	return type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2;
}

/* add, min, max of halves, each of a packed pair for itself; subnormals stay. */
static inline uint32_t atomic_half(const struct uop *u, uint32_t old, uint32_t b)
{
	bool is_packed = u->type == PTX_F16X2 || u->type == PTX_BF16X2;
	struct format f = format_of(u->type);
	uint32_t result = 0;

	for (unsigned shift = 0; shift < (is_packed ? 32u : 16u); shift += 16) {
		double p = format_decode(old >> shift & 0xffff, f), q = format_decode(b >> shift & 0xffff, f);
		double r = u->compare == ATOM_ADD ? p + q
			: u->compare == ATOM_MIN  ? min_f64(p, q, false)
						  : max_f64(p, q, false);

		result |= format_encode(r, f, ROUND_RN, false) << shift;
	}
	return result;
}

static inline uint64_t atomic_add(enum ptx_type type, uint64_t old, uint64_t b, bool flush)
{
	return type == PTX_F32    ? atomic_sum_f32((uint32_t)old, (uint32_t)b, flush)
		: type == PTX_F64 ? atomic_sum_f64(old, b)
				  : old + b;
}

static inline bool atomic_less(enum ptx_type type, uint64_t a, uint64_t b)
{
	return type == PTX_S32 ? (int32_t)a < (int32_t)b : type == PTX_S64 ? (int64_t)a < (int64_t)b : a < b;
}

/* What an atomic leaves behind where `old` was. */
static inline uint64_t atomic_result(const struct uop *u, uint64_t old, uint64_t b, uint64_t swap, bool flush)
{
	if (is_half(u->type))
		return atomic_half(u, (uint32_t)old, (uint32_t)b);
	switch ((enum uop_atomic)u->compare) {
	case ATOM_ADD:
		return atomic_add(u->type, old, b, flush);
	case ATOM_MIN:
		return atomic_less(u->type, b, old) ? b : old;
	case ATOM_MAX:
		return atomic_less(u->type, old, b) ? b : old;
	case ATOM_INC:
		return old >= b ? 0 : old + 1;
	case ATOM_DEC:
		return old == 0 || old > b ? b : old - 1;
	case ATOM_AND:
		return old & b;
	case ATOM_OR:
		return old | b;
	case ATOM_XOR:
		return old ^ b;
	case ATOM_EXCH:
		return b;
	case ATOM_CAS:
		return old == b ? swap : old;
	}
	bug("atomic operation %u", u->compare);
}

/* Memory of 2, 4 or 8 bytes as one value. */
static inline uint64_t fetch(const void *location, unsigned bytes)
{
	uint64_t b64;
	uint32_t b32;
	uint16_t b16;

	if (bytes == 4)
		return memcpy(&b32, location, 4), b32;
	if (bytes == 8)
		return memcpy(&b64, location, 8), b64;
	return memcpy(&b16, location, 2), b16;
}

static inline void put_back(void *location, uint64_t value, unsigned bytes)
{
	memcpy(location, &value, bytes == 4 ? 4 : bytes == 8 ? 8 : 2);
}

/* data: row n of a recorded write as one value. */
static inline uint64_t write_value(const struct exec_write *w, unsigned n, unsigned lane)
{
	return w->uop->bytes == 8 ? fetch((const uint8_t *)w->data[2 * n] + 8 * lane, 8) : w->data[n][lane];
}

/* exch and cas on 128 bits: data rows 0 and 1 are the halves of the operand, 2 and 3 those of the new value.
 */
static inline void apply_atomic_b128(const struct exec_write *w, struct view view)
{
	const struct uop *u = w->uop;

	for (lane_mask rest = w->mask; rest; rest &= rest - 1) {
		unsigned l = first_lane(rest), first = 0;
		uint64_t old[2], value[2];
		void *location = view_at(view, l, w->address[l]);

		memcpy(old, location, 16);
		for (unsigned half = 0; half < 2; half++)
			value[half] = fetch((const uint8_t *)w->data[2 * half] + 8 * l, 8);
		if (u->compare == ATOM_CAS)
			first = memcmp(old, value, 16) ? 4 : 2;
		for (unsigned half = 0; half < 2 && first == 2; half++)
			value[half] = fetch((const uint8_t *)w->data[2 * (first + half)] + 8 * l, 8);
		memcpy(location, first == 4 ? old : value, 16);
		for (unsigned half = 0; half < 2 && u->dst[0] != UOP_NONE; half++)
			put_back((uint8_t *)w->registers[u->dst[0] + 2 * half] + 8 * l, old[half], 8);
	}
}

/* The row that receives the old value of element e; UOP_NONE: none. */
static inline uint16_t old_value_row(const struct exec_write *w, unsigned e)
{
	const struct uop *u = w->uop;

	return e < 4 ? u->dst[e] : u->extra_dests ? w->extra[u->extra_sources + e - 4] : UOP_NONE;
}

/* Element e of one lane. */
static inline void apply_atomic_element(
	const struct exec_write *w, struct view view, bool flush, unsigned l, unsigned e)
{
	const struct uop *u = w->uop;
	unsigned bytes = u->bytes;
	uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
	void *location = view_at(view, l, w->address[l] + e * bytes);
	uint64_t old = fetch(location, bytes), b = write_value(w, e, l) & mask;
	uint64_t swap = u->compare == ATOM_CAS ? write_value(w, 1, l) & mask : 0;
	uint16_t row = old_value_row(w, e);

	put_back(location, atomic_result(u, old, b, swap, flush), bytes);
	if (row == UOP_NONE)
		return;
	if (bytes == 8)
		put_back((uint8_t *)w->registers[row] + 8 * l, old, 8);
	else
		w->registers[row][l] = (uint32_t)old;
}

static inline void apply_atomic(const struct exec_write *w, struct view view, bool flush)
{
	if (w->uop->bytes > 8) {
		apply_atomic_b128(w, view);
		return;
	}
	for (lane_mask rest = w->mask; rest; rest &= rest - 1)
		for (unsigned e = 0; e < w->uop->vector; e++)
			apply_atomic_element(
				w, view, flush && !(w->in_shared & rest & -rest), first_lane(rest), e);
}

/* Rows of an ASYNC_WRITE's data, 64 bits a lane: the places of the mbarriers. */
#define ASYNC_BARRIERS 6

/* Data, then the bytes at the mbarrier. What is wrong, or NULL. */
static inline const char *apply_async_lane(const struct exec_write *w, unsigned l)
{
	const struct uop *u = w->uop;
	uint8_t *to = memory_host(w->address[l]);
	addr barrier = fetch((const uint8_t *)w->data[ASYNC_BARRIERS] + 8 * l, 8);

	for (unsigned n = 0; n < u->vector; n++, to += u->bytes)
		put_back(to, atomic_result(u, fetch(to, u->bytes), write_value(w, n, l), 0, false), u->bytes);
	return mbarrier_complete(memory_host(barrier), (uint32_t)u->bytes * u->vector);
}

/* Of a recorded MBARRIER or ASYNC_WRITE. */
static inline const char *apply_mbarrier_lane(const struct exec_write *w, unsigned l)
{
	uint64_t before;

	if (w->uop->code == UOP_ASYNC_WRITE)
		return apply_async_lane(w, l);
	return mbarrier_update(w->uop, memory_host(w->address[l]),
		w->uop->src[1] == UOP_NONE ? NULL : &w->data[0][l], &before);
}

/* A load from another CTA's shared memory. */
static inline void apply_load_element(const struct exec_write *w, unsigned l, unsigned e)
{
	const struct uop *u = w->uop;
	uint16_t row = e < 4 ? u->dst[e] : w->extra[u->extra_sources + e - 4];
	const uint8_t *location = (const uint8_t *)memory_host(w->address[l]) + e * u->bytes;
	unsigned bytes = u->bytes < 8 ? u->bytes : 8, up = 64 - 8 * bytes;

	for (unsigned n = 0; n < (u->bytes > 8 ? 2u : 1u) && row != UOP_NONE; n++) {
		uint64_t value = 0;

		memcpy(&value, location + 8 * n, bytes);
		if (u->flags & UOP_SIGN_EXTEND)
			value = (uint64_t)((int64_t)(value << up) >> up);
		if (u->bytes > 4 || u->reg_bytes == 8)
			put_back((uint8_t *)w->registers[row + 2 * n] + 8 * l, value, 8);
		else
			w->registers[row][l] =
				(uint32_t)(u->reg_bytes < 4 ? value & ((UINT64_C(1) << 8 * u->reg_bytes) - 1)
							    : value);
	}
}

static inline void apply_load(const struct exec_write *w)
{
	for (lane_mask rest = w->mask; rest; rest &= rest - 1)
		for (unsigned e = 0; e < w->uop->vector; e++)
			apply_load_element(w, first_lane(rest), e);
}

/* A surface store: so many bytes of each lane, which may lie anywhere. */
static inline void apply_texels(const struct exec_write *w)
{
	for (lane_mask rest = w->mask; rest; rest &= rest - 1) {
		unsigned l = first_lane(rest), left = w->texel_bytes;
		uint8_t *location = memory_host(w->address[l]);

		for (unsigned i = 0; left; i++, location += 4) {
			unsigned now = left < 4 ? left : 4;

			memcpy(location, &w->data[i][l], now);
			left -= now;
		}
	}
}

static inline void apply_store(const struct exec_write *w, struct view view)
{
	unsigned bytes = piece_bytes(w->uop);

	for (unsigned n = 0; n < store_pieces(w->uop); n++)
		if (is_written(w->uop, n))
			store_element(view, w->address, w->mask, w->data[bytes == 8 ? 2 * n : n], bytes == 8,
				bytes, n);
}

#endif
