/* tests/unit/core/exec_rig.h -- one warp on a bench: registers, constants, predicates, memory, and every
 * vector level that this machine can run. */
#ifndef TESTS_CORE_EXEC_RIG_H
#define TESTS_CORE_EXEC_RIG_H

#include "core/exec/device_fault.h"
#include "memsys/memory.h"
#include "core/exec/exec.h"
#include "core/exec/levels.h"
#include <criterion/criterion.h>
#include <string.h>

struct rig {
	_Alignas(64) uint32_t registers[64][32];
	_Alignas(64) uint32_t constants[16][32];
	uint32_t predicates[16];
	uint16_t extra[4];
	uint8_t shared[4096], params[256], local[32 * 256];
	struct memory_range cache[RANGE_CACHE];
	struct device_fault fault;
	struct exec x;
};

static inline void rig_init(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	r->x.registers = r->registers;
	r->x.constants = (const uint32_t(*)[32])r->constants;
	r->x.predicates = r->predicates;
	r->x.extra = r->extra;
	r->x.params = r->params;
	r->x.param_bytes = sizeof(r->params);
	r->x.shared = r->shared;
	r->x.shared_bytes = sizeof(r->shared);
	r->x.local = r->local;
	r->x.local_bytes = sizeof(r->local) / 32;
	r->x.range_cache = r->cache;
	r->x.fault = &r->fault;
	r->x.live = UINT32_MAX;
}

/* for_each_level(table): the tables of all levels of this machine. */
static inline const exec_function *rig_level(unsigned n)
{
	static const char *const names[] = { "base", "v3", "v4" };
	const char *before = getenv("LOCKSTEP_VECTOR");
	char *wish = before ? strdup(before) : NULL;
	const exec_function *table;

	setenv("LOCKSTEP_VECTOR", names[n], 1);
	table = exec_table();
	if (wish)
		setenv("LOCKSTEP_VECTOR", wish, 1);
	else
		unsetenv("LOCKSTEP_VECTOR");
	free(wish);
	/* a level that is not there gives another one, which has had or will have its turn */
	return n && (table == exec_table_base || (n == 2 && table == rig_level(1))) ? NULL : table;
}
#define for_each_level(table) \
	for (unsigned level_ = 0; level_ < 3; level_++) \
		for (const exec_function *table = rig_level(level_); table; table = NULL)

static inline void rig_run(struct rig *r, const exec_function *table, const struct uop *u, lane_mask active)
{
	cr_assert(table[u->code], "no function for code %u", u->code);
	table[u->code](&r->x, u, active);
}

static inline uint64_t rig_get(const struct rig *r, unsigned row, unsigned bytes, unsigned lane)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)r->registers[row] + lane * (bytes == 8 ? 8 : 4), bytes == 8 ? 8 : 4);
	return value;
}

static inline void rig_set(struct rig *r, unsigned row, unsigned bytes, unsigned lane, uint64_t value)
{
	memcpy((uint8_t *)r->registers[row] + lane * (bytes == 8 ? 8 : 4), &value, bytes == 8 ? 8 : 4);
}

/* xorshift64*: the same numbers every run. */
static inline uint64_t rig_random(uint64_t *state)
{
	*state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Values that break things, integer and floating, 32 bits; every other one is random. */
static inline uint32_t rig_word(uint64_t *state)
{
	static const uint32_t edges[] = {
		0,
		1,
		2,
		15,
		16,
		31,
		32,
		33,
		63,
		64,
		127,
		128,
		255,
		256,
		0x7fff,
		0x8000,
		0xffff,
		0x7fffffff,
		0x80000000,
		0x80000001,
		0xffffffff,
		0xfffffffe,
		0x00800000,
		0x007fffff,
		0x807fffff,
		0x80800000,
		0x3f800000,
		0xbf800000,
		0x3f800001,
		0x3f7fffff,
		0x3f000000,
		0x40200000,
		0xc0200000,
		0x7f800000,
		0xff800000,
		0x7fc12345,
		0xff812345,
		0x7f7fffff,
		0xff7fffff,
		0x4f000000,
		0xcf000000,
		0x4f800000,
		0x4effffff,
		0x33800000,
		0x387fe000,
		0x477fe000,
		0x477ff000,
		0x33000000,
		0x33000001,
		0x00000003,
		0x5f000000,
		0xdf000000,
		0x5f800000,
		0x34000000,
	};
	uint64_t random = rig_random(state);

	return random >> 63 ? (uint32_t)random : edges[(random >> 8) % (sizeof(edges) / sizeof(edges[0]))];
}

static inline uint64_t rig_double(uint64_t *state)
{
	static const uint64_t edges[] = {
		0,
		1,
		0x8000000000000000,
		0x8000000000000001,
		0x7fffffffffffffff,
		0xffffffffffffffff,
		0x000fffffffffffff,
		0x0010000000000000,
		0x3ff0000000000000,
		0xbff0000000000000,
		0x3ff0000000000001,
		0x3fe0000000000000,
		0x4004000000000000,
		0xc004000000000000,
		0x7ff0000000000000,
		0xfff0000000000000,
		0x7ff8000000001234,
		0xfff0000000005678,
		0x7fefffffffffffff,
		0x41e0000000000000,
		0x41dfffffffc00000,
		0xc1e0000000000000,
		0x41f0000000000000,
		0x43e0000000000000,
		0xc3e0000000000000,
		0x43f0000000000000,
		0x36a0000000000000,
		0x3690000000000000,
		0x47efffffe0000000,
		0x47effffff0000000,
		0x380fffffffffffff,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0x100000000,
		0x3ff0000010000000,
		0x3ff0000030000000,
		0x3ff0000010000001,
	};
	uint64_t random = rig_random(state);

	return random >> 63 ? rig_random(state) : edges[(random >> 8) % (sizeof(edges) / sizeof(edges[0]))];
}

/* a micro-operation on 32-bit words, unless it says otherwise */
#pragma GCC diagnostic ignored "-Woverride-init"
#define U(id, ...) \
	(struct uop) \
	{ \
		.code = UOP_##id, .reg_bytes = 4, .bytes = 4, .vector = 1, __VA_ARGS__ \
	}

#endif
