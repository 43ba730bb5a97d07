/* core/lookahead/pending.c -- stores that wait for the end of their epoch, and loads that read them: see
 * pending.h. */
#include "core/lookahead/pending.h"
#include "core/exec/write.h"
#include "sim/base/xalloc.h"

void pending_fini(struct pending_stores *p)
{
	free(p->writes);
	free(p->words);
	*p = (struct pending_stores){ 0 };
}

/* ---- writes ---- */

/* The bits in which the addresses of a block of a power of two bytes may differ, so that it contains all
 * accesses. */
static addr block_of(const addr *address, lane_mask mask, addr first, unsigned bytes)
{
	addr differ = 0;

	for (lane_mask rest = mask; rest; rest &= rest - 1) {
		unsigned l = first_lane(rest);

		differ |= (address[l] ^ first) | ((address[l] + bytes - 1) ^ first);
	}
	return differ ? UINT64_MAX >> __builtin_clzll(differ) : 0;
}

static void take_write(struct pending_write *to, const struct exec_write *from, cycles now)
{
	const struct uop *u = from->uop;
	unsigned rows = store_pieces(u) * (piece_bytes(u) == 8 ? 2 : 1);

	bug_if(u->code != UOP_ST, "micro-operation %u waits for the end of an epoch", u->code);
	to->write.uop = u;
	to->write.mask = from->mask;
	to->write.extra = from->extra;
	memcpy(to->write.address, from->address, sizeof(from->address));
	memcpy(to->write.data, from->data, rows * sizeof(from->data[0]));
	to->cycle = now;
	to->first = from->address[first_lane(from->mask)];
	to->block = block_of(from->address, from->mask, to->first, (unsigned)u->bytes * u->vector);
}

/* The block of a write that is about to be added. */
static void widen_pending_block(struct pending_stores *p, const struct pending_write *w)
{
	addr low = w->first & ~w->block, high = w->first | w->block;

	p->low = p->count && p->low < low ? p->low : low;
	p->high = p->count && p->high > high ? p->high : high;
}

void pending_take(struct pending_stores *p, struct exec *x, cycles now)
{
	for (uint32_t i = 0; i < x->write_count; i++) {
		if (p->count == p->capacity) {
			p->capacity = p->capacity ? 2 * p->capacity : 16;
			p->writes = xrealloc(p->writes, p->capacity * sizeof(*p->writes));
		}
		take_write(&p->writes[p->count], &x->writes[i], now);
		widen_pending_block(p, &p->writes[p->count]);
		p->count++;
	}
	x->write_count = 0;
}

cycles pending_next(const struct pending_stores *p)
{
	return p->applied < p->count ? p->writes[p->applied].cycle : SIM_NEVER;
}

const struct exec_write *pending_take_next(struct pending_stores *p, cycles cycle)
{
	return pending_next(p) == cycle ? &p->writes[p->applied++].write : NULL;
}

void pending_clear(struct pending_stores *p)
{
	bug_if(p->applied != p->count, "stores are forgotten that have not taken effect");
	p->count = p->applied = p->indexed = p->word_count = 0;
	p->epoch++;
}

/* ---- words ---- */

/* The entry of a word, or the free one where it would be. Entries of former epochs are free. */
static struct pending_word *find_pending_word(const struct pending_stores *p, addr word)
{
	uint32_t i = (uint32_t)((word >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (p->word_capacity - 1);

	while (p->words[i].epoch == p->epoch + 1 && p->words[i].word != word)
		i = (i + 1) & (p->word_capacity - 1);
	return &p->words[i];
}

static bool is_used(const struct pending_stores *p, const struct pending_word *w)
{
	return w->epoch == p->epoch + 1; /* zeroed entries are free in any epoch */
}

/* At most half of the entries are used. */
static void grow_pending_words(struct pending_stores *p)
{
	struct pending_word *before = p->words;
	uint32_t count = p->word_capacity;

	p->word_capacity = count ? 2 * count : 1024;
	p->words = xcalloc(p->word_capacity, sizeof(*p->words));
	for (uint32_t i = 0; i < count; i++)
		if (is_used(p, &before[i]))
			*find_pending_word(p, before[i].word) = before[i];
	free(before);
}

/* Stored: `bytes` bytes of value, which do not cross a word. */
static void put_pending_bytes(struct pending_stores *p, addr address, uint64_t value, unsigned bytes)
{
	unsigned at = (unsigned)(address % 8);
	struct pending_word *w;

	if (2 * (p->word_count + 1) > p->word_capacity)
		grow_pending_words(p);
	w = find_pending_word(p, address - at);
	if (!is_used(p, w)) {
		*w = (struct pending_word){ .word = address - at, .epoch = p->epoch + 1 };
		p->word_count++;
	}
	memcpy((uint8_t *)&w->value + at, &value, bytes);
	w->bytes |= (uint8_t)(((1u << bytes) - 1) << at);
}

static void index_write(struct pending_stores *p, const struct exec_write *w)
{
	unsigned bytes = piece_bytes(w->uop);

	for (unsigned n = 0; n < store_pieces(w->uop); n++) {
		if (!is_written(w->uop, n))
			continue;
		for (lane_mask rest = w->mask; rest; rest &= rest - 1) {
			unsigned l = first_lane(rest);
			uint64_t value = bytes == 8 ? fetch((const uint8_t *)w->data[2 * n] + 8 * l, 8)
						    : w->data[n][l];

			put_pending_bytes(p, w->address[l] + n * bytes, value, bytes);
		}
	}
}

/* ---- loads ---- */

/* Whether the load may read something of a pending store, by the blocks of their addresses. */
static bool may_read(const struct pending_stores *p, addr first, addr block)
{
	if ((first | block) < p->low || (first & ~block) > p->high)
		return false;
	for (uint32_t i = 0; i < p->count; i++)
		if (!((p->writes[i].first ^ first) & ~(p->writes[i].block | block)))
			return true;
	return false;
}

/* A value of so many bytes in memory, as pending stores leave it; false: none has written to it. */
static bool read_through(const struct pending_stores *p, addr address, unsigned bytes, uint64_t *value)
{
	unsigned at = (unsigned)(address % 8), wanted = (1u << bytes) - 1;
	const struct pending_word *w = find_pending_word(p, address - at);

	if (!is_used(p, w) || !(w->bytes >> at & wanted))
		return false;
	*value = 0;
	memcpy(value, memory_host(address), bytes);
	for (unsigned b = 0; b < bytes; b++)
		if (w->bytes >> (at + b) & 1)
			memcpy((uint8_t *)value + b, (const uint8_t *)&w->value + at + b, 1);
	return true;
}

/* As a load of the micro-operation puts a value into a register. */
static void put_into_row(struct exec *x, const struct uop *u, uint16_t row, unsigned lane, uint64_t value)
{
	unsigned unused = 64 - 8u * u->bytes;
	uint32_t keep = u->reg_bytes < 4 ? (UINT32_C(1) << 8 * u->reg_bytes) - 1 : UINT32_MAX;

	if (u->flags & UOP_SIGN_EXTEND)
		value = (uint64_t)((int64_t)(value << unused) >> unused);
	if (u->reg_bytes == 8)
		memcpy((uint8_t *)x->registers[row] + 8 * lane, &value, 8);
	else
		x->registers[row][lane] = (uint32_t)value & keep;
}

static void forward_lane(struct pending_stores *p, struct exec *x, const struct uop *u, unsigned lane)
{
	uint64_t value;

	for (unsigned half = 0; half < 2 && u->bytes > 8 && u->dst[0] != UOP_NONE; half++)
		if (read_through(p, x->address[lane] + 8 * half, 8, &value))
			memcpy((uint8_t *)x->registers[u->dst[0] + 2 * half] + 8 * lane, &value, 8);
	for (unsigned e = 0; e < u->vector && u->bytes <= 8; e++) {
		uint16_t row = e < 4 ? u->dst[e] : x->extra[u->extra + u->extra_sources + e - 4];

		if (row != UOP_NONE && read_through(p, x->address[lane] + e * u->bytes, u->bytes, &value))
			put_into_row(x, u, row, lane, value);
	}
}

void pending_forward(struct pending_stores *p, struct exec *x, const struct uop *u, lane_mask mask)
{
	addr first = x->address[first_lane(mask)];
	unsigned bytes = (unsigned)u->bytes * u->vector;

	if (!may_read(p, first, block_of(x->address, mask, first, bytes)))
		return;
	for (; p->indexed < p->count; p->indexed++)
		index_write(p, &p->writes[p->indexed].write);
	for (lane_mask rest = mask; rest; rest &= rest - 1)
		forward_lane(p, x, u, first_lane(rest));
}
