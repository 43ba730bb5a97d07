/* memsys/coalesce.c -- the coalescer and the bank conflicts of shared memory.
 *
 * Rules of compute capability 2.x (CUDA C Programming Guide, appendix on compute capabilities): whatever the
 * order of the lanes, one request per line touched. The hardware's ways to find the lines are not published;
 * here lanes are taken in order, so requests leave in order of the lowest lane that they serve.
 *
 * Speed: the regular patterns first, each recognised by one pass without branches. All lanes in one line;
 * consecutive elements; lines that only ascend from lane to lane; otherwise the lanes of a line are found by
 * comparing all with the first that is left. */
#include "memsys/coalesce.h"
#include "memsys/lane_keys.h"
#include <string.h>

#define SLOTS     64 /* of the hash table; at most 32 keys */
#define MAX_BANKS 64

struct key_set {
	uint8_t slot[SLOTS]; /* index of a key + 1; 0: free */
	uint64_t key[32];
	uint32_t count;
};

static void set_clear(struct key_set *s)
{
	memset(s->slot, 0, sizeof(s->slot));
	s->count = 0;
}

/* The key's index, in order of first appearance; *is_new: it appeared now. */
static inline uint32_t set_index(struct key_set *s, uint64_t key, bool *is_new)
{
	uint32_t h = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 58);

	while (s->slot[h]) {
		if (s->key[s->slot[h] - 1] == key) {
			*is_new = false;
			return s->slot[h] - 1u;
		}
		h = (h + 1) % SLOTS;
	}
	s->key[s->count] = key;
	s->slot[h] = (uint8_t)++s->count;
	*is_new = true;
	return s->count - 1;
}

/* The bits in which any lane differs from the first active one: of all lanes, since the others mostly have an
 * active one's address. */
static uint64_t differing(const addr address[32], uint32_t active)
{
	addr first = address[__builtin_ctz(active)];
	uint64_t differ = 0;

	for (int i = 0; i < 32; i++)
		differ |= address[i] ^ first;
	return differ;
}

/* Do all active lanes agree with the first one in the bits of mask? */
static bool is_uniform(const addr address[32], uint32_t active, uint64_t mask)
{
	addr first = address[__builtin_ctz(active)];
	uint64_t differ = 0;

	if (!(differing(address, active) & mask))
		return true;
	if (active == UINT32_MAX)
		return false;
	for (int i = 0; i < 32; i++)
		differ |= (address[i] ^ first) & -(uint64_t)(active >> i & 1);
	return !(differ & mask);
}

/* Do all 32 lanes access elements of so many bytes that follow one another? */
static bool is_consecutive(const addr address[32], uint32_t bytes)
{
	uint64_t differ = 0;

	if (address[31] - address[0] != 31 * (uint64_t)bytes)
		return false;
	for (uint32_t i = 0; i < 32; i++)
		differ |= address[i] ^ (address[0] + i * bytes);
	return !differ;
}

static inline void put_request(struct line_request *r, addr line, uint32_t lanes)
{
	*r = (struct line_request){ .line = line, .lanes = lanes };
}

/* Lanes [first, end). */
static inline uint32_t lanes_between(uint32_t first, uint32_t end)
{
	return UINT32_MAX >> (32 - end) & UINT32_MAX << first;
}

/* Of 32 consecutive elements; bytes: a power of two. */
static uint32_t consecutive(const addr address[32], uint32_t bytes, uint64_t mask, struct line_request *out)
{
	uint32_t size = (uint32_t)__builtin_ctz(bytes), count = 0;
	addr start = address[0];

	for (uint32_t lane = 0; lane < 32;) {
		addr line = address[lane] & mask;
		uint64_t end = (line - mask - start + bytes - 1) >> size; /* the first lane behind the line;
									     -mask: its size */
		uint32_t next = end < 32 ? (uint32_t)end : 32;

		put_request(&out[count++], line, lanes_between(lane, next));
		lane = next;
	}
	return count;
}

/* Of all 32 lanes, whose keys ascend: a line's lanes stand together. */
static uint32_t coalesce_ascending(
	const addr address[32], const uint32_t key[32], uint64_t mask, struct line_request *out)
{
	uint32_t ends = ~lanes_like_next(key), count = 0, lane = 0;

	for (ends |= UINT32_C(1) << 31; ends; ends &= ends - 1) {
		uint32_t last = (uint32_t)__builtin_ctz(ends);

		put_request(&out[count++], address[lane] & mask, lanes_between(lane, last + 1));
		lane = last + 1;
	}
	return count;
}

static uint32_t by_comparison(const addr address[32], const uint32_t key[32], uint32_t active, uint64_t mask,
	struct line_request *out)
{
	uint32_t count = 0;

	for (uint32_t rest = active; rest;) {
		uint32_t first = (uint32_t)__builtin_ctz(rest), lanes = lanes_equal(key, key[first]) & rest;

		put_request(&out[count++], address[first] & mask, lanes);
		rest &= ~lanes;
	}
	return count;
}

/* Of lines so far from each other that 32 bits do not tell them apart. */
static uint32_t by_table(const addr address[32], uint32_t active, uint64_t mask, struct line_request *out)
{
	struct key_set lines;

	set_clear(&lines);
	for (uint32_t rest = active; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		bool is_new;
		uint32_t i = set_index(&lines, address[lane] & mask, &is_new);

		if (is_new)
			put_request(&out[i], address[lane] & mask, 0);
		out[i].lanes |= UINT32_C(1) << lane;
	}
	return lines.count;
}

/* differ: the bits in which any lane, active or not, differs from the first active one. */
static uint32_t one_request_each(
	const addr address[32], uint32_t active, uint64_t mask, uint64_t differ, struct line_request *out)
{
	uint32_t key[32] LANE_KEYS, shift = (uint32_t)__builtin_ctzll(mask);

	if (differ >> shift >> 32)
		return by_table(address, active, mask, out);
	for (uint32_t i = 0; i < 32; i++)
		key[i] = (uint32_t)(address[i] >> shift);
	if (active == UINT32_MAX && lanes_ascend(key))
		return coalesce_ascending(address, key, mask, out);
	return by_comparison(address, key, active, mask, out);
}

/* Bits as nibbles of ones: bit 0 becomes bits 0 to 3. */
static inline uint32_t as_nibbles(uint32_t bits)
{
	bits = (bits | bits << 12) & 0x000f000f;
	bits = (bits | bits << 6) & 0x03030303;
	bits = (bits | bits << 3) & 0x11111111;
	return bits * 15;
}

/* Several lanes' words of a line, aligned */
static void mark_words(const addr address[32], struct line_request *r)
{
	uint32_t words = 0;

	if (r->lanes == UINT32_MAX)
		for (uint32_t i = 0; i < 32; i++)
			words |= UINT32_C(1) << ((uint32_t)address[i] / 4 & 31);
	else
		for (uint32_t rest = r->lanes; rest; rest &= rest - 1)
			words |= UINT32_C(1) << ((uint32_t)address[__builtin_ctz(rest)] / 4 & 31);
	for (uint32_t i = 0; i < 4; i++)
		r->byte_mask[i] = as_nibbles(words >> 8 * i & 0xff);
}

/* A naturally aligned access of at most 32 bytes lies within one word of the mask. */
static void mark_bytes(const addr address[32], uint32_t bytes, struct line_request *r)
{
	uint32_t ones = (uint32_t)((UINT64_C(1) << bytes) - 1);

	if (bytes == 4 && r->lanes & (r->lanes - 1)) {
		mark_words(address, r);
		return;
	}
	for (uint32_t rest = r->lanes; rest; rest &= rest - 1) {
		uint32_t offset = (uint32_t)address[__builtin_ctz(rest)] & 127;

		r->byte_mask[offset / 32] |= ones << offset % 32;
	}
}

/* The same where its lanes' elements, which are aligned, follow one another. */
static void mark_range(const addr address[32], uint32_t bytes, struct line_request *r)
{
	uint32_t start = (uint32_t)address[__builtin_ctz(r->lanes)] & 127;
	uint32_t end = start + (uint32_t)__builtin_popcount(r->lanes) * bytes;

	for (uint32_t i = start / 32; 32 * i < end; i++) {
		uint32_t from = start > 32 * i ? start - 32 * i : 0,
			 to = end - 32 * i < 32 ? end - 32 * i : 32;

		r->byte_mask[i] = lanes_between(from, to);
	}
}

uint32_t coalesce(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct line_request out[MAX_LINE_REQUESTS])
{
	struct lane_pattern pattern = { .follows = active == UINT32_MAX && !(bytes & (bytes - 1)) &&
			!(address[0] & (bytes - 1)) && is_consecutive(address, bytes) };

	if (!active)
		return 0;
	if (!pattern.follows)
		pattern.differ = differing(address, active);
	return coalesce_pattern(address, active, bytes, granularity, with_bytes, pattern, out);
}

uint32_t coalesce_pattern(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct lane_pattern pattern, struct line_request out[MAX_LINE_REQUESTS])
{
	uint64_t mask = ~(uint64_t)(granularity - 1);
	uint32_t count;

	if (pattern.follows) {
		count = consecutive(address, bytes, mask, out);
		for (uint32_t i = 0; with_bytes && i < count; i++)
			mark_range(address, bytes, &out[i]);
		return count;
	}
	if (!(pattern.differ & mask)) {
		put_request(&out[0], address[__builtin_ctz(active)] & mask, active);
		count = 1;
	} else {
		count = one_request_each(address, active, mask, pattern.differ, out);
	}
	for (uint32_t i = 0; with_bytes && i < count; i++)
		mark_bytes(address, bytes, &out[i]);
	return count;
}

uint32_t coalesce_parts(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct line_request out[MAX_LINE_REQUESTS])
{
	uint32_t lanes = bytes > 4 ? 128 / bytes : 32, count = 0;

	for (uint32_t first = 0; first < 32; first += lanes)
		count += coalesce(address, active & UINT32_MAX >> (32 - lanes) << first, bytes, granularity,
			with_bytes, out + count);
	return count;
}

/* Does each lane's word lie in a bank of its own? banks: a power of two. */
static bool banks_differ(const addr address[32], uint32_t active, uint32_t banks)
{
	uint64_t seen = 0;

	for (uint32_t rest = active; rest; rest &= rest - 1) {
		uint64_t bank = UINT64_C(1) << (address[__builtin_ctz(rest)] / 4 & (banks - 1));

		if (seen & bank)
			return false;
		seen |= bank;
	}
	return true;
}

/* Of one word for each lane, not more than 16 GB apart; banks: a power of two. */
static uint32_t word_cycles(const addr address[32], uint32_t active, uint32_t banks)
{
	uint8_t load[MAX_BANKS] = { 0 };
	uint32_t key[32] LANE_KEYS, most = 0;

	for (uint32_t i = 0; i < 32; i++)
		key[i] = (uint32_t)(address[i] / 4);
	for (uint32_t rest = active; rest;) {
		uint32_t word = key[__builtin_ctz(rest)], bank = word & (banks - 1);

		rest &= ~lanes_equal(key, word);
		if (++load[bank] > most)
			most = load[bank];
	}
	return most;
}

/* Cycles for lanes that go together: the most distinct words that any one bank must give. */
static uint32_t pass_cycles(const addr address[32], uint32_t active, uint32_t words, uint32_t banks)
{
	uint8_t load[MAX_BANKS] = { 0 };
	uint32_t most = 0;
	struct key_set seen;

	if (words == 1 && !(banks & (banks - 1)))
		return banks_differ(address, active, banks) ? 1 : word_cycles(address, active, banks);
	set_clear(&seen);
	for (uint32_t rest = active; rest; rest &= rest - 1) {
		uint32_t word = (uint32_t)(address[__builtin_ctz(rest)] / 4);

		for (uint32_t w = word; w < word + words; w++) {
			bool is_new;

			set_index(&seen, w, &is_new);
			if (is_new && ++load[w % banks] > most)
				most = load[w % banks];
		}
	}
	return most;
}

/* Active lanes at 4 bytes from each other, in order: no two share a bank if there are 32 of them. */
static bool is_unit_stride(const addr address[32], uint32_t active)
{
	uint64_t differ = 0;

	if (active != UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < 32; i++)
		differ |= address[i] ^ (address[0] + 4 * i);
	return !differ;
}

/* The passes of `group` lanes each */
static uint32_t cycles_by_groups(
	const addr address[32], uint32_t active, uint32_t words, uint32_t group, uint32_t banks)
{
	uint32_t total = 0;

	for (uint32_t first = 0; first < 32; first += group) {
		uint32_t lanes = active & (UINT32_MAX >> (32 - group)) << first;

		if (lanes)
			total += pass_cycles(address, lanes, words, banks);
	}
	return total;
}

uint32_t shared_cycles(const addr address[32], uint32_t active, uint32_t bytes, uint32_t banks)
{
	uint32_t words = bytes > 4 ? bytes / 4 : 1;

	bug_if(!banks || banks > MAX_BANKS, "shared memory with %u banks", banks);
	if (!active)
		return 1;
	if (words == 1 &&
		(is_uniform(address, active, ~UINT64_C(3)) ||
			(banks == 32 && is_unit_stride(address, active))))
		return 1;
	return cycles_by_groups(address, active, words, 32 / words, banks);
}

/* Whether lanes i and i ^ by have the same address, where both are active */
static bool pairs_agree(const addr address[32], uint32_t active, uint32_t by)
{
	for (uint32_t i = 0; i < 32; i++)
		if (active >> i & active >> (i ^ by) & 1 && address[i] != address[i ^ by])
			return false;
	return true;
}

uint32_t shared_cycles_in_pairs(const addr address[32], uint32_t active, uint32_t bytes, uint32_t banks)
{
	if ((bytes != 8 && bytes != 16) || !active ||
		(!pairs_agree(address, active, 1) && !pairs_agree(address, active, 2)))
		return shared_cycles(address, active, bytes, banks);
	return cycles_by_groups(address, active, bytes / 4, 256 / bytes, banks);
}

uint32_t quarter_warps(uint32_t active)
{
	return (uint32_t)(!!(active & 0xff) + !!(active & 0xff00) + !!(active & 0xff0000) +
		!!(active & 0xff000000));
}

uint32_t constant_cycles(const addr address[32], uint32_t active)
{
	struct key_set seen;

	if (!active || is_uniform(address, active, UINT64_MAX))
		return 1;
	set_clear(&seen);
	for (uint32_t rest = active; rest; rest &= rest - 1) {
		bool is_new;

		set_index(&seen, address[__builtin_ctz(rest)], &is_new);
	}
	return seen.count;
}

uint32_t atomic_cycles(const addr address[32], uint32_t active, uint32_t bytes)
{
	uint64_t mask = ~(uint64_t)((bytes > 4 ? bytes : 4) - 1);
	uint32_t lanes[32] = { 0 }, most = 0;
	struct key_set seen;

	if (!active)
		return 1;
	if (is_uniform(address, active, mask))
		return (uint32_t)__builtin_popcount(active);
	set_clear(&seen);
	for (uint32_t rest = active; rest; rest &= rest - 1) {
		bool is_new;
		uint32_t i = set_index(&seen, address[__builtin_ctz(rest)] & mask, &is_new);

		if (++lanes[i] > most)
			most = lanes[i];
	}
	return most;
}
