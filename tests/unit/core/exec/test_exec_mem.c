/* Loads, stores, atomics, faults, generic addresses. */
#include "tests/unit/core/exec_rig.h"
#include "frontend/module.h"

static struct rig r;
static struct device_memory *memory;
static addr a, b;

static void free_memory(void)
{
	memory_free(memory);
	memory = NULL;
}

TestSuite(exec_mem, .fini = free_memory);

static void start(void)
{
	rig_init(&r);
	if (!memory) {
		memory = memory_new(1 << 24);
		cr_assert_neq(memory, NULL);
		a = memory_allocate(memory, 8192, 0);
		b = memory_allocate(memory, 8192, 0);
	}
	r.x.memory = memory;
	for (unsigned i = 0; i < 8192; i++)
		((uint8_t *)memory_host(a))[i] = (uint8_t)(i * 7),
			  ((uint8_t *)memory_host(b))[i] = (uint8_t)(i * 13);
}

static void addresses(unsigned row, addr base, unsigned stride)
{
	for (unsigned l = 0; l < 32; l++)
		rig_set(&r, row, 8, l, base + l * stride);
}

static uint64_t in_memory(addr address, unsigned bytes, bool is_signed)
{
	uint64_t v = 0;

	memcpy(&v, memory_host(address), bytes);
	if (is_signed && bytes < 8 && v >> (8 * bytes - 1) & 1)
		v |= UINT64_MAX << 8 * bytes;
	return v;
}

/* A compiler may keep s[-100 + k] as the register s - 400 and the offset 400 + 4 k. */
Test(exec_mem, a_32_bit_address_and_its_offset_wrap_around)
{
	for_each_level(table)
	{
		struct uop store = U(ST, .src = { 4, 2 }, .space = SPACE_SHARED, .mods = MOD_SAT, .imm = 400);
		struct uop load = U(
			LD, .dst = { 3 }, .src = { 5 }, .space = SPACE_SHARED, .mods = MOD_SAT, .imm = -1024);

		store.bytes = load.bytes = store.reg_bytes = load.reg_bytes = 4,
		store.vector = load.vector = 1;
		start();
		for (unsigned l = 0; l < 32; l++) {
			rig_set(&r, 4, 4, l, (uint32_t)-400 + 4 * l);
			rig_set(&r, 5, 4, l, 1024 + 4 * (31 - l));
			rig_set(&r, 2, 4, l, 1000 + l);
		}
		rig_run(&r, table, &store, UINT32_MAX);
		rig_run(&r, table, &load, 0x7fff0ff1);
		cr_assert_not(r.x.faulted);
		for (unsigned l = 0; l < 32; l++)
			if (0x7fff0ff1 >> l & 1)
				cr_assert_eq(rig_get(&r, 3, 4, l), 1000 + 31 - l);
	}
}

Test(exec_mem, loads_every_width_and_vector_with_extension)
{
	for_each_level(table) for (unsigned n = 0; n < 4 * 3 * 2 * 2 * 3; n++)
	{
		unsigned bytes = 1u << n % 4, vector = 1u << n / 4 % 3, reg = n / 12 % 2 ? 8 : 4,
			 sign = n / 24 % 2;
		unsigned stride = n / 48 == 0 ? bytes * vector : n / 48 == 1 ? 0 : 64;
		lane_mask active = n % 5 ? UINT32_MAX : 0x80010ff0;
		struct uop u = U(LD, .dst = { 8, 10, 12, 14 }, .src = { 0 }, .imm = 32);

		if (bytes > reg || bytes * vector > 32)
			continue;
		u.bytes = (uint8_t)bytes, u.vector = (uint8_t)vector, u.reg_bytes = (uint8_t)reg;
		u.flags = sign ? UOP_SIGN_EXTEND : 0;
		start();
		addresses(0, a, stride);
		rig_run(&r, table, &u, active);
		cr_assert_not(r.x.faulted);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned e = 0; e < vector; e++) {
				addr at = a + 32 + l * stride + e * bytes;
				uint64_t want =
					in_memory(at, bytes, sign) & (reg == 8 ? UINT64_MAX : UINT32_MAX);

				cr_assert_eq(rig_get(&r, 8 + 2 * e, reg, l), active >> l & 1 ? want : 0);
				if (active >> l & 1)
					cr_assert_eq(r.x.address[l], at - e * bytes);
			}
	}
}

Test(exec_mem, lets_a_load_overwrite_its_address)
{
	for_each_level(table)
	{
		struct uop u = U(LD, .dst = { 1, 0 }, .src = { 0 }, .vector = 2);

		start();
		addresses(0, a, 8);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert(r.registers[1][l] == in_memory(a + 8 * l, 4, false) &&
				r.registers[0][l] == in_memory(a + 8 * l + 4, 4, false));
	}
}

Test(exec_mem, stores_at_commit_and_the_last_lane_wins)
{
	for_each_level(table)
	{
		struct uop u = U(ST, .src = { 0, 2, 3, 4 }, .vector = 4), v = U(ST, .src = { 0, 2 });

		start();
		u.extra = 1, u.extra_sources = 1, r.extra[1] = UOP_CONSTANT | 3;
		addresses(0, b, 16);
		for (unsigned l = 0; l < 32; l++)
			r.registers[2][l] = l, r.registers[3][l] = 100 + l, r.registers[4][l] = 200 + l,
			r.constants[3][l] = 7;
		rig_run(&r, table, &u, 0xfffffffe);
		cr_assert_eq(r.x.write_count, 1);
		cr_assert_eq(in_memory(b + 16, 1, false), 16 * 13 & 255, "nothing before commit");
		memset(r.registers[2], 0xff, 128); /* the record keeps what was issued */
		exec_commit(&r.x);
		cr_assert_eq(r.x.write_count, 0);
		cr_assert_eq(in_memory(b + 1, 1, false), 13, "inactive lane");
		for (unsigned l = 1; l < 32; l++)
			cr_assert(in_memory(b + 16 * l, 4, false) == l &&
				in_memory(b + 16 * l + 4, 4, false) == 100 + l &&
				in_memory(b + 16 * l + 8, 4, false) == 200 + l &&
				in_memory(b + 16 * l + 12, 4, false) == 7);
		addresses(0, b, 0);
		for (unsigned l = 0; l < 32; l++)
			r.registers[2][l] = l;
		rig_run(&r, table, &v, 0x00ffffff);
		exec_commit(&r.x);
		cr_assert_eq(in_memory(b, 4, false), 23);
	}
}

static void expect_fault(const exec_function *table, const struct uop *u, lane_mask active,
	enum fault_kind kind, unsigned lane)
{
	struct rig before = r;

	rig_run(&r, table, u, active);
	cr_assert(r.x.faulted);
	cr_assert_eq(r.fault.kind, kind, "kind %d, not %d", r.fault.kind, kind);
	cr_assert_eq(r.fault.lane, lane, "lane %u, not %u", r.fault.lane, lane);
	cr_assert_eq(r.fault.address, r.x.address[lane]);
	cr_assert_eq(r.x.write_count, 0);
	cr_assert(!memcmp(before.registers, r.registers, sizeof(r.registers)));
	cr_assert(!memcmp(before.shared, r.shared, sizeof(r.shared)));
}

Test(exec_mem, tells_kind_lane_and_neighbour)
{
	for_each_level(table)
	{
		struct uop ld = U(LD, .dst = { 2 }, .src = { 0 }, .line = 12), st = U(ST, .src = { 0, 2 });
		struct uop shared = U(ST, .src = { 4, 2 }, .space = SPACE_SHARED, .mods = MOD_SAT);
		struct uop local = U(LD, .dst = { 2 }, .src = { 4 }, .space = SPACE_LOCAL, .mods = MOD_SAT);
		struct uop param = U(LD_PARAM, .dst = { 2 }, .src = { UOP_NONE }, .imm = 252);

		start();
		addresses(0, b + 8192 - 4 * 20, 4);
		expect_fault(table, &ld, 0xfffffff0, FAULT_OUT_OF_BOUNDS, 20);
		cr_assert(r.fault.line == 12 && !r.fault.is_store && r.fault.bytes == 4 &&
			r.fault.nearest.start == b);
		start();
		addresses(0, b + 8192 - 4 * 20, 4);
		rig_run(&r, table, &ld, 0x000fffff);
		cr_assert_not(r.x.faulted, "inactive lanes may point anywhere");
		start();
		addresses(0, a, 4);
		rig_set(&r, 0, 8, 5, a + 2);
		expect_fault(table, &st, UINT32_MAX, FAULT_MISALIGNED, 5);
		cr_assert(r.fault.is_store);
		start();
		addresses(0, UINT64_MAX - 127, 4);
		expect_fault(table, &ld, UINT32_MAX, FAULT_OUT_OF_BOUNDS, 0);
		start();
		memset(r.cache, 0, sizeof(r.cache));
		addresses(0, 0, 4);
		expect_fault(table, &ld, UINT32_MAX, FAULT_OUT_OF_BOUNDS, 0);
		start();
		for (unsigned l = 0; l < 32; l++)
			r.registers[4][l] = 4 * l;
		r.registers[4][9] = 4096, r.registers[4][10] = 0xfffffffc;
		expect_fault(table, &shared, UINT32_MAX, FAULT_SHARED_OUT_OF_BOUNDS, 9);
		start();
		r.registers[4][31] = 256;
		expect_fault(table, &local, UINT32_MAX, FAULT_LOCAL_OUT_OF_BOUNDS, 31);
		start();
		r.params[252] = 9;
		rig_run(&r, table, &param, UINT32_MAX);
		cr_assert(!r.x.faulted && r.registers[2][17] == 9 && r.x.space == SPACE_PARAM &&
			r.x.address[3] == 252);
		param.imm = 256;
		expect_fault(table, &param, UINT32_MAX, FAULT_OUT_OF_BOUNDS, 0);
		r.x.shared_bytes = 0, r.x.faulted = false;
		expect_fault(table, &shared, 1, FAULT_SHARED_OUT_OF_BOUNDS, 0);
	}
}

Test(exec_mem, crosses_allocations_lane_by_lane)
{
	for_each_level(table)
	{
		struct uop u = U(LD, .dst = { 2 }, .src = { 0 });

		start();
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, 8, l, (l & 1 ? a : b) + 4 * l);
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert_not(r.x.faulted);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(r.registers[2][l], in_memory((l & 1 ? a : b) + 4 * l, 4, false));
	}
}

/* In 32 bits, so that a negative index and the offset may meet in the array. */
Test(exec_mem, scales_addresses_of_shared_memory)
{
	for_each_level(table)
	{
		struct uop ld = U(LD, .dst = { 2 }, .src = { 0 }, .space = SPACE_SHARED, .mods = MOD_SAT,
			.scale = 2, .imm = 16);

		start();
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, 4, l, l - 3);
		r.shared[4] = 7;
		rig_run(&r, table, &ld, UINT32_MAX);
		cr_assert(!r.x.faulted && r.x.address[0] == 4 && r.x.address[31] == 4 * 28 + 16);
		cr_assert_eq(r.registers[2][0] & 255, 7);
	}
}

Test(exec_mem, resolves_generic_addresses)
{
	for_each_level(table)
	{
		struct uop ld = U(LD, .dst = { 2 }, .src = { 0 }, .space = SPACE_GENERIC);
		struct uop st = U(ST, .src = { 0, 2 }, .space = SPACE_GENERIC);
		struct uop cvta = U(CVTA, .dst = { 4 }, .src = { 6 }, .imm = SPACE_SHARED);
		struct uop to = U(CVTA_TO, .dst = { 8 }, .src = { 4 }, .imm = SPACE_SHARED);
		struct uop is = U(ISSPACEP, .dst = { 1 }, .src = { 0 }, .imm = SPACE_GLOBAL);

		start();
		addresses(0, SHARED_WINDOW + 16, 4);
		r.shared[16] = 5;
		rig_run(&r, table, &ld, 0xffff);
		cr_assert(r.x.space == SPACE_SHARED && r.x.address[3] == 28 && r.registers[2][0] == 5);
		for (unsigned l = 0; l < 32; l++) {
			rig_set(&r, 0, 8, l,
				l % 3 == 0           ? b + 4 * l
					: l % 3 == 1 ? SHARED_WINDOW + 4 * l
						     : LOCAL_WINDOW + 8);
			r.registers[2][l] = 1000 + l;
			rig_set(&r, 6, 8, l, l);
		}
		rig_run(&r, table, &is, UINT32_MAX);
		cr_assert_eq(r.predicates[1], 0x49249249);
		rig_run(&r, table, &st, UINT32_MAX);
		cr_assert(r.x.space == SPACE_GENERIC && r.x.space_mask[0] == 0x49249249 &&
			r.x.space_mask[1] == 0x92492492 && r.x.space_mask[2] == 0x24924924);
		exec_commit(&r.x);
		memset(r.registers[2], 0, 128);
		rig_run(&r, table, &ld, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(r.registers[2][l], 1000 + l);
		cr_assert(in_memory(b + 12, 4, false) == 1003 && r.local[256 * 5 + 8] == (1005 & 255));
		rig_run(&r, table, &cvta, UINT32_MAX);
		rig_run(&r, table, &to, UINT32_MAX);
		cr_assert(rig_get(&r, 4, 8, 7) == SHARED_WINDOW + 7 && rig_get(&r, 8, 8, 7) == 7);
		rig_set(&r, 0, 8, 4, SHARED_WINDOW + 4096);
		memset(r.registers[2], 0, 128);
		expect_fault(table, &ld, UINT32_MAX, FAULT_SHARED_OUT_OF_BOUNDS, 4);
	}
}

static uint32_t run_atomic(const exec_function *table, unsigned op, unsigned type, uint32_t old, uint32_t x,
	uint32_t y, bool shared, uint32_t *result)
{
	struct uop u = U(ATOM, .dst = { 4 }, .src = { 0, 2, 3 },
		.space = shared ? SPACE_SHARED : SPACE_GLOBAL, .compare = (uint8_t)op, .type = (uint8_t)type);
	void *place = shared ? r.shared : memory_host(a);

	rig_set(&r, 0, 8, 3, shared ? 0 : a);
	r.registers[2][3] = x, r.registers[3][3] = y, r.registers[4][3] = 0;
	memcpy(place, &old, 4);
	rig_run(&r, table, &u, 8);
	cr_assert_not(r.x.faulted);
	exec_commit(&r.x);
	memcpy(result, place, 4);
	return r.registers[4][3];
}

Test(exec_mem, applies_each_atomic_and_returns_the_old_value)
{
	static const struct {
		unsigned op, type;
		uint32_t old, x, y, global, shared;
	} cases[] = {
		{ ATOM_ADD, PTX_U32, 0xffffffff, 2, 0, 1, 1 },
		{ ATOM_MIN, PTX_S32, 1, 0xffffffff, 0, 0xffffffff, 0xffffffff },
		{ ATOM_MIN, PTX_U32, 1, 0xffffffff, 0, 1, 1 },
		{ ATOM_MAX, PTX_S32, 1, 0xffffffff, 0, 1, 1 },
		{ ATOM_MAX, PTX_U32, 1, 0xffffffff, 0, 0xffffffff, 0xffffffff },
		{ ATOM_INC, PTX_U32, 4, 5, 0, 5, 5 },
		{ ATOM_INC, PTX_U32, 5, 5, 0, 0, 0 },
		{ ATOM_INC, PTX_U32, 6, 5, 0, 0, 0 },
		{ ATOM_DEC, PTX_U32, 0, 5, 0, 5, 5 },
		{ ATOM_DEC, PTX_U32, 6, 5, 0, 5, 5 },
		{ ATOM_DEC, PTX_U32, 5, 5, 0, 4, 4 },
		{ ATOM_AND, PTX_B32, 12, 10, 0, 8, 8 },
		{ ATOM_OR, PTX_B32, 12, 10, 0, 14, 14 },
		{ ATOM_XOR, PTX_B32, 12, 10, 0, 6, 6 },
		{ ATOM_EXCH, PTX_B32, 12, 10, 0, 10, 10 },
		{ ATOM_CAS, PTX_B32, 12, 12, 99, 99, 99 },
		{ ATOM_CAS, PTX_B32, 12, 13, 99, 12, 12 },
		{ ATOM_ADD, PTX_F32, 0x3f800000, 0x40000000, 0, 0x40400000, 0x40400000 },
		{ ATOM_ADD, PTX_F32, 1, 1, 0, 0, 2 },
		{ ATOM_ADD, PTX_F32, 0x80000001, 0x80000001, 0, 0x80000000, 0x80000002 },
		{ ATOM_ADD, PTX_F32, 0x7f800000, 0xff800000, 0, 0x7fffffff, 0x7fffffff },
	};

	for_each_level(table)
	{
		start();
		for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
			for (unsigned shared = 0; shared < 2; shared++) {
				uint32_t result,
					old = run_atomic(table, cases[n].op, cases[n].type, cases[n].old,
						cases[n].x, cases[n].y, shared, &result);

				cr_assert_eq(old, cases[n].old);
				cr_assert_eq(result, shared ? cases[n].shared : cases[n].global,
					"case %u: %x", n, result);
			}
	}
}

Test(exec_mem, serialises_lanes_on_one_address)
{
	for_each_level(table)
	{
		struct uop u = U(ATOM, .dst = { 6 }, .src = { 0, 2 }, .bytes = 8, .reg_bytes = 8,
				   .type = PTX_U64),
			   red;
		uint64_t zero = 0;

		start();
		memcpy(memory_host(a), &zero, 8);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, 8, l, a), rig_set(&r, 2, 8, l, UINT64_C(0x100000000));
		rig_run(&r, table, &u, 0xf0f0f0f0);
		red = u;
		red.dst[0] = UOP_NONE;
		rig_run(&r, table, &red, 1);
		exec_commit(&r.x);
		cr_assert_eq(in_memory(a, 8, false), UINT64_C(0x1100000000));
		cr_assert_eq(rig_get(&r, 6, 8, 5), UINT64_C(0x100000000));
		cr_assert_eq(rig_get(&r, 6, 8, 0), 0);
		cr_assert_eq(rig_get(&r, 6, 8, 31), UINT64_C(0xf00000000));
	}
}
