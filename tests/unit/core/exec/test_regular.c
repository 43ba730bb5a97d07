/* The short way of loads and stores (core/exec/memory/regular.h) does what the usual one does: the same
 * registers, the same memory, the same faults, whatever the addresses are. */
#include "tests/unit/core/exec_rig.h"

#define AREA 1024u /* bytes of the allocation, and of shared memory */

static struct rig r;
static struct device_memory *memory;
static addr area;

/* What an access leaves. */
struct outcome {
	uint32_t registers[64][32];
	uint8_t memory[AREA], shared[AREA];
	bool faulted;
	struct device_fault fault;
};

/* How the addresses of half a warp lie. */
enum shape { FOLLOW, SAME, REVERSED, SCATTERED, SHAPES };

static uint64_t offset_of(enum shape shape, uint64_t first, unsigned lane, unsigned bytes, uint64_t *random)
{
	switch (shape) {
	case FOLLOW:
		return first + (uint64_t)lane * bytes;
	case SAME:
		return first;
	case REVERSED:
		return first + (uint64_t)(15 - lane) * bytes;
	default:
		return rig_random(random) % (AREA / bytes) * bytes;
	}
}

static struct outcome run(
	const exec_function *table, const struct uop *u, lane_mask active, uint64_t seed, bool brief)
{
	struct outcome o;
	uint64_t state = seed;

	rig_init(&r);
	r.x.memory = memory;
	r.x.shared_bytes = AREA;
	for (unsigned i = 0; i < AREA; i++)
		((uint8_t *)memory_host(area))[i] = (uint8_t)rig_random(&state),
			  r.shared[i] = (uint8_t)(i * 11);
	for (unsigned row = 8; row < 16; row++)
		for (unsigned l = 0; l < 32; l++)
			r.registers[row][l] = (uint32_t)rig_random(&state);
	/* an access that ends at the allocation's last byte, or one too far, or begins in the middle of a
	 * word */
	for (unsigned half = 0; half < 2; half++) {
		enum shape shape = (enum shape)(rig_random(&state) % SHAPES);
		uint64_t first = rig_random(&state) % (AREA / u->bytes) * u->bytes,
			 kind = rig_random(&state) % 8;

		if (kind > 1)
			first %= AREA - 16 * u->bytes + u->bytes, first -= first % u->bytes;
		first += kind == 2 ? 2 : 0;
		for (unsigned l = 0; l < 16; l++) {
			uint64_t offset = offset_of(shape, first, l, u->bytes, &state) - (uint64_t)u->imm;

			if (!(active >> (16 * half + l) & 1) && seed & 2) /* nobody asks for it */
				offset = rig_random(&state);

			if (u->mods & MOD_SAT)
				rig_set(&r, 4, 4, 16 * half + l, offset >> u->scale);
			else
				rig_set(&r, 4, 8, 16 * half + l,
					u->space == SPACE_GLOBAL ? area + offset : offset);
		}
	}
	r.x.range_cache[(uintptr_t)u / sizeof(*u) % RANGE_CACHE] = memory_find(memory, area);
	r.x.is_unobserved = brief;
	rig_run(&r, table, u, active);
	exec_commit(&r.x);
	memset(&o, 0, sizeof(o));
	memcpy(o.registers, r.registers, sizeof(o.registers));
	memcpy(o.memory, memory_host(area), AREA);
	memcpy(o.shared, r.shared, AREA);
	o.faulted = r.x.faulted;
	o.fault = r.fault;
	return o;
}

static struct uop access_number(unsigned n)
{
	struct uop u = { .code = n & 1 ? UOP_LD : UOP_ST, .src = { 4, 8, UOP_NONE, UOP_NONE }, .vector = 1 };

	u.dst[0] = n & 1 ? 12 : UOP_NONE;
	if (n & 32) /* into the rows of its own addresses */
		u.dst[0] = n & 1 ? 4 : UOP_NONE;
	u.bytes = u.reg_bytes = n & 2 ? 8 : 4;
	u.space = n & 4 ? SPACE_SHARED : SPACE_GLOBAL;
	u.mods = (n & 4) && (n & 8) ? MOD_SAT : 0;
	u.scale = u.mods && (n & 16) ? 2 : 0;
	u.imm = n & 16 ? 64 : 0;
	u.unit = UNIT_LDST;
	return u;
}

Test(regular, the_short_way_leaves_what_the_usual_one_does)
{
	uint64_t state = 12345;
	unsigned faults = 0, rounds = 0;

	memory = memory_new(1 << 24);
	cr_assert_neq(memory, NULL);
	area = memory_allocate(memory, AREA, 0);
	for_each_level(table) for (unsigned n = 0; n < 64 * 40; n++)
	{
		struct uop u = access_number(n % 64);
		lane_mask few = (lane_mask)rig_random(&state);
		/* all lanes, or some, or lanes of one half, or few */
		lane_mask active = n / 64 % 8 < 4 ? UINT32_MAX
			: n / 64 % 8 == 4         ? few << 16
			: n / 64 % 8 == 5         ? few >> 16
			: n / 64 % 8 == 6
			? few & (lane_mask)rig_random(&state) & (lane_mask)rig_random(&state)
			: few;
		uint64_t seed = rig_random(&state) | 1;

		if (!active)
			continue;
		struct outcome usual = run(table, &u, active, seed, false),
			       brief = run(table, &u, active, seed, true);

		cr_assert_eq(usual.faulted, brief.faulted, "access %u", n);
		cr_assert_not(
			memcmp(usual.registers, brief.registers, sizeof(usual.registers)), "access %u", n);
		cr_assert_not(memcmp(usual.memory, brief.memory, AREA), "access %u", n);
		cr_assert_not(memcmp(usual.shared, brief.shared, AREA), "access %u", n);
		cr_assert(!usual.faulted ||
				(usual.fault.address == brief.fault.address &&
					usual.fault.lane == brief.fault.lane),
			"access %u", n);
		faults += usual.faulted;
		rounds++;
	}
	cr_assert(faults > rounds / 20 && faults < rounds / 2, "%u of %u accesses fault", faults, rounds);
	memory_free(memory);
}
