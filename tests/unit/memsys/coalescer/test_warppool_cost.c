/* What WarpPool adds to an SM: Table 1 at the paper's sizes, and how it follows the parameters. */
#include "memsys/coalescer/warppool_cost.h"
#include <criterion/criterion.h>

static const struct warppool_sizes paper = { .instruction_entries = 16 * 8,
	.coalescers = 2,
	.tags = 32 * 2,
	.merges = 4,
	.thread_map = 8,
	.metadata = 32 * 8 * 4 };

Test(warppool_cost, the_papers_sizes_give_the_rows_of_table_1)
{
	static const struct {
		uint64_t entries, bytes;
		double dynamic_mw, static_mw, total_mw;
	} rows[WARPPOOL_PARTS] = {
		{ 128, 592, 41.4, 0.4, 41.8 },
		{ 2, 512, 24.1, 0.2, 24.3 },
		{ 64, 992, 43.8, 0.5, 44.3 },
		{ 8, 321, 9.8, 0.1, 9.9 },
		{ 1024, 2944, 19.9, 2.1, 22.0 },
	};
	struct warppool_cost cost = warppool_cost(&paper);

	for (uint32_t i = 0; i < WARPPOOL_PARTS; i++) {
		const struct warppool_part_cost *p = &cost.part[i];

		cr_assert_eq(p->entries, rows[i].entries, "row %u", i);
		cr_assert_eq(p->bits, 8 * rows[i].bytes, "row %u", i);
		cr_assert_float_eq(p->dynamic_mw, rows[i].dynamic_mw, 1e-9, "row %u", i);
		cr_assert_float_eq(p->static_mw, rows[i].static_mw, 1e-9, "row %u", i);
		cr_assert_float_eq(p->dynamic_mw + p->static_mw, rows[i].total_mw, 1e-9, "row %u", i);
	}
}

/* The paper cuts its sum off at two digits: 5.235 KB. */
Test(warppool_cost, the_sums_are_those_printed)
{
	struct warppool_cost cost = warppool_cost(&paper);

	cr_assert_eq(cost.bytes, 592 + 512 + 992 + 321 + 2944);
	cr_assert_eq(cost.bytes * 100 / 1024, 523);
	cr_assert_float_eq(cost.dynamic_mw, 139.0, 1e-9);
	cr_assert_float_eq(cost.static_mw, 3.3, 1e-9);
}

Test(warppool_cost, each_parameter_scales_its_structures_alone)
{
	struct warppool_sizes sizes = paper;
	struct warppool_cost cost;

	sizes.merges = 8;
	sizes.metadata = 32 * 8 * 8;
	cost = warppool_cost(&sizes);
	cr_assert_eq(cost.part[WARPPOOL_INTER_QUEUES].bits, 64 * (32 + 8 * 23));
	cr_assert_eq(cost.part[WARPPOOL_MSHR_METADATA].entries, 2048);
	cr_assert_float_eq(cost.part[WARPPOOL_MSHR_METADATA].static_mw, 4.2, 1e-9);
	cr_assert_eq(cost.part[WARPPOOL_THREAD_MAP].bits, 8 * 321);
	sizes = paper;
	sizes.coalescers = 4;
	sizes.instruction_entries = 16;
	cost = warppool_cost(&sizes);
	cr_assert_float_eq(cost.part[WARPPOOL_INTRA_COALESCERS].dynamic_mw, 48.2, 1e-9);
	cr_assert_eq(cost.part[WARPPOOL_INSTRUCTION_QUEUES].bits, 37 * 16);
	cr_assert_eq(cost.bytes, 74 + 1024 + 992 + 321 + 2944);
}
