/* tests/unit/core/exec/test_matrix_loads.c -- ldmatrix, stmatrix, movmatrix, and whole kernels of matrix
 * products. */
#include "frontend/tables/matrix.h"
#include "frontend/tables/opcode.h"
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/core/matrix_rig.h"
#include "sim/stats/stat.h"
#include <math.h>

static uint16_t shared_half(const struct rig *r, unsigned offset)
{
	uint16_t half;

	memcpy(&half, r->shared + offset, 2);
	return half;
}

/* Row r of matrix i lies at 16 * (a permutation of 8 i + r). */
static unsigned row_place(unsigned i, unsigned row)
{
	return (8 * i + row) * 7 % 32 * 16 + 512;
}

static struct uop rows_uop(unsigned code, unsigned count, bool transposed)
{
	struct uop u = U(LDMATRIX, .code = (uint16_t)code, .bytes = 16, .vector = (uint8_t)count,
		.space = SPACE_SHARED, .imm = 512, .mods = (uint8_t)(MOD_SAT | (transposed ? MOD_HI : 0)),
		.extra_sources = count == 4 && code == UOP_STMATRIX);

	for (unsigned i = 0; i < 4; i++) {
		u.dst[i] = code == UOP_LDMATRIX ? (uint16_t)(1 + i) : UOP_NONE;
		u.src[i] = i == 0 ? 0 : (uint16_t)i;
	}
	return u;
}

Test(matrix, ldmatrix_gives_each_lane_two_neighbours_of_a_row)
{
	static struct rig r;

	for_each_level(table) for (unsigned count = 1; count <= 4;
				   count *= 2) for (unsigned transposed = 0; transposed < 2; transposed++)
	{
		struct uop u = rows_uop(UOP_LDMATRIX, count, transposed);

		rig_init(&r);
		for (unsigned i = 0; i < sizeof(r.shared); i++)
			r.shared[i] = (uint8_t)(i * 37 + (i >> 8));
		for (unsigned lane = 0; lane < 8 * count; lane++)
			r.registers[0][lane] = row_place(lane / 8, lane % 8) - 512;
		for (unsigned lane = 8 * count; lane < 32; lane++)
			r.registers[0][lane] = 0xdeadbee1; /* nobody asks for it */
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert(!r.x.faulted);
		for (unsigned i = 0; i < count; i++)
			for (unsigned lane = 0; lane < 32; lane++)
				for (unsigned e = 0; e < 2; e++) {
					unsigned row = transposed ? lane % 4 * 2 + e : lane / 4;
					unsigned column = transposed ? lane / 4 : lane % 4 * 2 + e;

					cr_assert_eq((uint16_t)(r.registers[1 + i][lane] >> 16 * e),
						shared_half(&r, row_place(i, row) + 2 * column));
				}
	}
}

Test(matrix, stmatrix_undoes_ldmatrix)
{
	static struct rig r;
	static const uint16_t fourth[] = { 4 };
	uint8_t before[512];

	for_each_level(table) for (unsigned transposed = 0; transposed < 2; transposed++)
	{
		struct uop load = rows_uop(UOP_LDMATRIX, 4, transposed),
			   store = rows_uop(UOP_STMATRIX, 4, transposed);

		rig_init(&r);
		r.x.extra = fourth;
		for (unsigned i = 0; i < sizeof(r.shared); i++)
			r.shared[i] = (uint8_t)(i * 37 + (i >> 8));
		for (unsigned lane = 0; lane < 32; lane++)
			r.registers[0][lane] = row_place(lane / 8, lane % 8) - 512;
		memcpy(before, r.shared + 512, 512);
		rig_run(&r, table, &load, UINT32_MAX);
		memset(r.shared + 512, 0, 512);
		rig_run(&r, table, &store, UINT32_MAX);
		cr_assert_arr_eq(r.shared + 512, before, 512);
	}
}

Test(matrix, row_addresses_are_checked)
{
	static struct rig r;

	for_each_level(table)
	{
		struct uop u = rows_uop(UOP_LDMATRIX, 1, false);

		rig_init(&r);
		for (unsigned lane = 0; lane < 32; lane++)
			r.registers[0][lane] = 16 * lane;
		r.registers[0][5] = 8;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert(r.x.faulted);
		cr_assert_eq(r.fault.kind, FAULT_MISALIGNED);
		cr_assert_eq(r.fault.lane, 5);
		r.x.faulted = false;
		r.registers[0][5] = sizeof(r.shared) - 512;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert_eq(r.fault.kind, FAULT_SHARED_OUT_OF_BOUNDS);
	}
}

Test(matrix, movmatrix_transposes)
{
	static struct rig r;

	for_each_level(table)
	{
		struct uop u = U(MOVMATRIX, .dst = { 1, UOP_NONE, UOP_NONE, UOP_NONE }, .src = { 0 });

		rig_init(&r);
		for (unsigned lane = 0; lane < 32; lane++)
			r.registers[0][lane] = lane * 2 | (lane * 2 + 1) << 16; /* element (r, c) is 8 r + c
										 */
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned lane = 0; lane < 32; lane++) {
			unsigned row = lane / 4, column = lane % 4 * 2;

			cr_assert_eq(
				r.registers[1][lane], (8 * column + row) | (8 * (column + 1) + row) << 16);
		}
	}
}

/* ---- whole kernels ---- */

Test(matrix, products_take_the_time_that_is_configured)
{
	static const char *const text =
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>; .reg .f32 %f<8>;\n"
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
		"{%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
		"{%r4,%r5}, {%f0,%f1,%f2,%f3};\n"
		"mov.b32 %r6, %f0;\nret;\n}\n";
	cycles took[2];
	uint64_t p = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct kernel_rig *r = rig_new(text, i ? "sm.latency.matrix=133" : NULL);

		rig_launch(r, 1, 32, &p, false);
		rig_expect_done(r);
		took[i] = r->result.core_cycles;
		rig_free(r);
	}
	cr_assert_eq(took[1] - took[0], 200, "two dependent products, 100 cycles more each");
}

Test(matrix, half_a_warp_faults_with_the_reason)
{
	static const char *const text =
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>; .reg .f32 %f<8>;\n"
		"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4}, "
		"{%f0,%f1,%f2,%f3};\nret;\n}\n";
	uint64_t p = 0;

	for (unsigned functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = rig_new(text, NULL);

		rig_launch(r, 1, 16, &p, functional);
		cr_assert_eq(r->result.outcome, GPU_FAULT);
		cr_assert(strstr(r->result.fault.text,
				  "illegal instruction: all 32 lanes of the warp must execute it"),
			"%s", r->result.fault.text);
		rig_free(r);
	}
}

/* Bank conflicts of ldmatrix: eight rows of 16 bytes side by side, or all on the same banks. */
static uint64_t conflicts_of(unsigned step)
{
	char text[2048];
	struct kernel_rig *r;
	uint64_t conflicts;
	uint64_t p = 0;

	snprintf(text, sizeof(text),
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<8>;\n.shared .align 16 .b8 "
		"tile[4096];\nmov.u32 %%r0, %%tid.x;\n"
		"mov.u32 %%r1, tile;\nmad.lo.u32 %%r1, %%r0, %u, %%r1;\n"
		"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r2,%%r3,%%r4,%%r5}, [%%r1];\nret;\n}\n",
		step);
	r = rig_new(text, NULL);
	rig_launch(r, 1, 32, &p, false);
	rig_expect_done(r);
	conflicts = (uint64_t)stat_value(gpu_stats(r->gpu), NULL, "sm.shared_conflict_cycles");
	rig_free(r);
	return conflicts;
}

Test(matrix, ldmatrix_conflicts_by_the_rows_that_lanes_name)
{
	/* 32 rows of 16 bytes: four quarter warps, a cycle each; 128 bytes apart, all eight rows of a quarter
	 * meet */
	cr_assert_eq(conflicts_of(16), 3);
	cr_assert_eq(conflicts_of(128), 31);
}
