/* memsys/coalesce.c -- the coalescer and the bank conflicts of shared memory.
 *
 * Rules of compute capability 2.x (CUDA C Programming Guide, appendix on compute capabilities): whatever the order of
 * the lanes, one request per line touched. The hardware's ways to find the lines are not published; here lanes are
 * taken in order, so requests leave in order of the lowest lane that they serve.
 *
 * Speed: a warp whose lanes share one line is found by one pass of comparisons without branches; otherwise each lane
 * is compared with the request of the lane before it, and only then looked up in a hash table of 64 slots. So the worst
 * case, 32 lanes in 32 lines, is linear too. */
#include "memsys/coalesce.h"
#include <string.h>

#define SLOTS 64                /* of the hash table; at most 32 keys */
#define MAX_BANKS 64

struct key_set {
	uint8_t slot[SLOTS];    /* index of a key + 1; 0: free */
	uint64_t key[32];
	uint32_t count;
};

static void set_clear(struct key_set *s)
{
	memset(s->slot, 0, sizeof(s->slot));
	s->count = 0;
}

/* The key's index, in order of first appearance; *is_new tells whether it appeared now. */
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

/* Do all active lanes agree with the first one in the bits of mask? */
static bool is_uniform(const addr address[32], uint32_t active, uint64_t mask)
{
	addr first = address[__builtin_ctz(active)];
	uint64_t differ = 0;

	if (active == UINT32_MAX)
		for (int i = 0; i < 32; i++)
			differ |= address[i] ^ first;
	else
		for (int i = 0; i < 32; i++)
			differ |= (address[i] ^ first) & -(uint64_t)(active >> i & 1);
	return !(differ & mask);
}

static uint32_t one_request_each(const addr address[32], uint32_t active, uint64_t mask, struct line_request *out)
{
	struct key_set lines;
	uint32_t current = 0;

	set_clear(&lines);
	for (uint32_t rest = active; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		addr line = address[lane] & mask;
		bool is_new = false;

		if (!lines.count || out[current].line != line)
			current = set_index(&lines, line, &is_new);
		if (is_new)
			out[current] = (struct line_request){ .line = line };
		out[current].lanes |= UINT32_C(1) << lane;
	}
	return lines.count;
}

/* A naturally aligned access of at most 32 bytes lies within one word of the mask. */
static void mark_bytes(const addr address[32], uint32_t bytes, struct line_request *r)
{
	uint32_t ones = (uint32_t)((UINT64_C(1) << bytes) - 1);

	for (uint32_t rest = r->lanes; rest; rest &= rest - 1) {
		uint32_t offset = (uint32_t)address[__builtin_ctz(rest)] & 127;

		r->byte_mask[offset / 32] |= ones << offset % 32;
	}
}

uint32_t coalesce(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity, bool with_bytes,
	struct line_request out[MAX_LINE_REQUESTS])
{
	uint64_t mask = ~(uint64_t)(granularity - 1);
	uint32_t count = 1;

	if (!active)
		return 0;
	if (is_uniform(address, active, mask))
		out[0] = (struct line_request){ .line = address[__builtin_ctz(active)] & mask, .lanes = active };
	else
		count = one_request_each(address, active, mask, out);
	if (with_bytes)
		for (uint32_t i = 0; i < count; i++)
			mark_bytes(address, bytes, &out[i]);
	return count;
}

uint32_t coalesce_parts(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity, bool with_bytes,
	struct line_request out[MAX_LINE_REQUESTS])
{
	uint32_t lanes = bytes > 4 ? 128 / bytes : 32, count = 0;

	for (uint32_t first = 0; first < 32; first += lanes)
		count += coalesce(address, active & UINT32_MAX >> (32 - lanes) << first, bytes, granularity, with_bytes, out + count);
	return count;
}

/* Cycles for lanes that go together: the most distinct words that any one bank must give. */
static uint32_t pass_cycles(const addr address[32], uint32_t active, uint32_t words, uint32_t banks)
{
	uint8_t load[MAX_BANKS] = { 0 };
	uint32_t most = 0;
	struct key_set seen;

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

uint32_t shared_cycles(const addr address[32], uint32_t active, uint32_t bytes, uint32_t banks)
{
	uint32_t words = bytes > 4 ? bytes / 4 : 1, group = 32 / words, total = 0;

	bug_if(!banks || banks > MAX_BANKS, "shared memory with %u banks", banks);
	if (!active)
		return 1;
	if (words == 1 && (is_uniform(address, active, ~UINT64_C(3)) || (banks == 32 && is_unit_stride(address, active))))
		return 1;
	for (uint32_t first = 0; first < 32; first += group) {
		uint32_t lanes = active & (UINT32_MAX >> (32 - group)) << first;

		if (lanes)
			total += pass_cycles(address, lanes, words, banks);
	}
	return total;
}

uint32_t quarter_warps(uint32_t active)
{
	return !!(active & 0xff) + !!(active & 0xff00) + !!(active & 0xff0000) + !!(active & 0xff000000);
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
