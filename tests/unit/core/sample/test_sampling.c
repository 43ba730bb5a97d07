/* Which CTAs of a kernel are timed, what follows for the others, and all statistics of the run (sampling.h).
 * The error that is allowed is 3 %, of which 1.8 % are for what is systematic. */
#include "core/sample/repeats.h"
#include "tests/unit/core/sample/sample_rig.h"

#define RESIDENT 10

static const struct sample_config config = { .error = 0.03, .allowance = 0.6, .least_units = 3 };
static struct hand_run h;
static uint64_t now, skipped[20][2], jumps; /* first CTA, and CTAs, of each jump */

static void set_up(void)
{
	rig_begin();
	rig.chip.sampling = sampling_new(&config, rig.chip.stat_tree);
	now = jumps = 0;
}

static void tear_down(void)
{
	sampling_kernel_free(&h.run);
	rig_end();
	sampling_free(rig.chip.sampling);
}

TestSuite(sampling, .init = set_up, .fini = tear_down);

static void start_kernel(uint32_t ctas)
{
	hand_run(&h, ctas, RESIDENT);
	cr_assert(!sampling_skips(&rig.chip, &h.run));
	rig.chip.run_count = 1;
	sampling_kernel_starts(&rig.chip, &h.run);
}

/* Cycles of a CTA, with a pear in each. A CTA has five warp instructions, of a thread each, and an apple. */
static uint64_t steady(uint64_t cta)
{
	(void)cta;
	return 10;
}

static void run_without_timing(uint64_t ctas)
{
	skipped[jumps][0] = h.run.next_cta;
	skipped[jumps++][1] = ctas;
	h.run.next_cta += ctas;
	h.run.untimed_ctas += ctas;
	h.run.thread_instructions += 5 * ctas;
	sampling_skipped(&rig.chip, &h.run, ctas, 5 * ctas);
}

/* The dispatcher starts CTAs one after the other, each when the one before has ended. */
static struct sample_estimate run_kernel(uint32_t ctas, uint64_t (*takes)(uint64_t cta))
{
	struct kernel_run *run = &h.run, *runs[] = { run };

	start_kernel(ctas);
	rig.chip.runs = runs;
	now = 1;
	run->start_cycle = 1;
	while (run->next_cta < ctas) {
		bool holds = sampling_holds(&rig.chip, run, now);

		sampling_cut(&rig.chip);
		if (holds) {
			cr_assert_eq(sampling_due(&rig.chip), run);
			run_without_timing(sampling_to_skip(run));
			continue;
		}
		rig.fruit.pears += takes(run->next_cta);
		now += takes(run->next_cta++);
		h.on_sm[0].stats.warp_instructions += 5;
		h.on_sm[0].stats.thread_instructions += 5;
		rig.fruit.apples++;
	}
	run->end_cycle = now;
	rig.chip.run_count = 0;
	return sampling_kernel_ended(&rig.chip, run);
}

static void expect_jumps(uint64_t count, const uint64_t expected[][2])
{
	cr_assert_eq(jumps, count, "%lu jumps", (unsigned long)jumps);
	for (uint64_t i = 0; i < count; i++)
		cr_expect(skipped[i][0] == expected[i][0] && skipped[i][1] == expected[i][1],
			"jump %lu: %lu CTAs from %lu on", (unsigned long)i, (unsigned long)skipped[i][1],
			(unsigned long)skipped[i][0]);
}

/* A chunk is ten CTAs. The first two are not looked at, ten in a row have been as fast by CTA 120. Behind
 * each jump three chunks are not measured and two are, and another chunk is taken to be under way: 60 CTAs,
 * which each jump leaves of its distance.
 *   - 400 CTAs is the first distance, four times what has been measured: 340 are skipped. 460 + 50 = 510.
 *   - 1600, four times as many: 1540. 2050 + 50 = 2100.
 *   - 4940, half of the 9880 CTAs behind the beginning, so that there are three units: 4880. 6980 + 50 =
 * 7030.
 *   - 2960 are left but the last ten; a quarter of them is left to be timed, so 2220: 2160. 9190 + 50 = 9240.
 *   - 750 are left, so 563: 503. 9743 + 50 = 9793.
 *   - 197 are left, of which three quarters are no more than the shortest distance, 4 x 60; so all of them:
 * 137. 9930 + 50 = 9980, and nothing is left before the last ten. */
Test(sampling, units_are_spread_over_the_grid)
{
	static const uint64_t expected[][2] = { { 120, 340 }, { 510, 1540 }, { 2100, 4880 }, { 7030, 2160 },
		{ 9240, 503 }, { 9793, 137 } };
	struct sample_estimate e;

	rig_warms();
	e = run_kernel(10000, steady);
	expect_jumps(6, expected);
	cr_expect_eq(e.sampled_kernels, 1);
	cr_expect_eq(e.skipped_ctas, 340 + 1540 + 4880 + 2160 + 503 + 137);
	cr_expect_eq(e.skipped_warps, 5 * e.skipped_ctas);
	cr_expect_eq(e.timed_warps, 5 * (10000 - e.skipped_ctas));
	cr_expect_eq(e.threads, 5 * 10000);
	cr_expect_eq(e.cycles, 10 * 10000);
}

/* All statistics are those of 10000 CTAs, each with an apple. */
Test(sampling, all_statistics_are_estimated)
{
	struct stat_estimate estimate;
	struct stat_trust trust;
	double low, high;

	rig_warms();
	cr_expect(!sampling_estimates(&rig.chip, &estimate, &trust));
	run_kernel(10000, steady);
	cr_assert(sampling_estimates(&rig.chip, &estimate, &trust));
	near(trust.allowance, 0.018, 1e-12);
	near(trust.share, 0.956, 1e-12);
	near(stat_estimate_value(rig.chip.stat_tree, &estimate, trust, "fruit.apples", &low, &high), 10000,
		1e-6);
	near(high - low, 2 * 0.018 * 9560, 1e-6);
	stat_estimate_free(&estimate);
}

/* Chunks behind a jump are slower, as the caches are disturbed: they are estimated by units, too. Ends of a
 * grid do not matter where it is long. */
static uint64_t slower_behind_jumps(uint64_t cta)
{
	return jumps && cta < skipped[jumps - 1][0] + skipped[jumps - 1][1] + 3 * RESIDENT ? 17 : 10;
}

Test(sampling, what_a_jump_disturbs_is_not_measured)
{
	struct sample_estimate e;

	rig_warms();
	e = run_kernel(10000, slower_behind_jumps);
	cr_expect_eq(e.cycles, 10 * 10000);
}

/* 11 cycles for each CTA up to 300, then 10. The first unit, the 50 CTAs before 120, stands for half of the
 * first jump, too: 220 CTAs at 11 cycles each. Six more units of 20 CTAs stand for what is left of the 9560
 * that were skipped, at 10: these two make the speed of what was skipped, and of six times 30 CTAs that were
 * timed behind jumps. Of the others, 120 took 11 cycles. */
static uint64_t slower_at_first(uint64_t cta)
{
	return cta < 300 ? 11 : 10;
}

Test(sampling, units_stand_for_half_the_jump_on_either_side)
{
	struct stat_estimate estimate;
	struct sample_estimate e;
	struct stat_trust trust;
	double slow = 50 + 340 / 2, fast = 6 * 20 + 9560 - 340 / 2, unmeasured = 9560 + 6 * 30;

	rig_warms();
	e = run_kernel(10000, slower_at_first);
	cr_expect_eq(e.units, 7);
	near((double)e.cycles,
		11 * 120 + 10 * (10000 - 120 - unmeasured) +
			(11 * slow + 10 * fast) / (slow + fast) * unmeasured,
		1);
	/* and so are pears, which are counted and estimated as all statistics are */
	cr_assert(sampling_estimates(&rig.chip, &estimate, &trust));
	near(stat_estimate_value(rig.chip.stat_tree, &estimate, trust, "fruit.pears", NULL, NULL),
		(double)e.cycles, 1);
	stat_estimate_free(&estimate);
}

/* Five jumps as above, over 340, 1540, 4200, 1650 and 375 CTAs; the unit behind the last one ends at 8475.
 * 155 are left then but the last ten, too few for a jump: seven more units of 20 fit in, up to 8615. The next
 * one would end at 8635, among the last ten, which begin no more CTAs. */
Test(sampling, the_last_ctas_are_in_no_unit)
{
	struct sample_estimate e;

	rig_warms();
	e = run_kernel(8640, steady);
	cr_expect_eq(e.skipped_ctas, 340 + 1540 + 4200 + 1650 + 375);
	cr_expect_eq(e.units, 1 + 5 + 7);
}

static uint64_t ever_faster(uint64_t cta)
{
	return 10 + 10000 / (100 + cta);
}

/* Chunk by chunk the speed has changed by more than a third of 3 % until the CTAs of a window of chunks take
 * as long, within 1 %, as those of the window before it. */
Test(sampling, a_speed_that_changes_is_not_steady)
{
	double last = 0, before = 0;

	rig_warms();
	run_kernel(10000, ever_faster);
	cr_assert_gt(jumps, 0);
	cr_expect_gt(skipped[0][0], 120);
	for (uint64_t cta = skipped[0][0] - 2 * 16 * RESIDENT; cta < skipped[0][0]; cta++)
		*(cta < skipped[0][0] - 16 * RESIDENT ? &before : &last) += (double)ever_faster(cta);
	near(before / last, 1, 0.01);
}

/* Without warming sixteen chunks are timed behind a jump, as the L2 evicts nothing: a jump leaves 19 x 10
 * CTAs.
 */
Test(sampling, without_warming_more_is_timed_behind_a_jump)
{
	run_kernel(10000, steady);
	cr_assert_gt(jumps, 1);
	cr_expect_eq(skipped[0][0], 120);
	cr_expect_eq(skipped[0][1], 760 - 190, "four times 190, with which it is just worth it");
	cr_expect_eq(skipped[1][0], 690 + 16 * 10 + 2 * 10);
}

/* 24 times as many CTAs as the machine holds */
Test(sampling, kernels_with_few_ctas_are_timed_whole)
{
	run_kernel(239, steady);
	cr_expect_null(h.run.sample);
	cr_expect_eq(jumps, 0);
	cr_expect(!sampling_needs_steps(&rig.chip, &h.run));
	h.run.ctas = 240;
	cr_expect(sampling_needs_steps(&rig.chip, &h.run));
}

Test(sampling, kernels_beside_others_are_timed_whole)
{
	rig.chip.run_count = 2;
	hand_run(&h, 10000, RESIDENT);
	sampling_kernel_starts(&rig.chip, &h.run);
	cr_expect_null(h.run.sample);
}

/* ---- intervals ---- */

static struct sample_unit even_unit(double time, double warps, double weight)
{
	return (struct sample_unit){ { { time / 2, warps / 2 }, { time / 2, warps / 2 } }, weight, false };
}

/* Units of 100, 110 and 90 cycles with 50 warp instructions: two cycles each, and residuals of 0, 10 and -10.
 * Their standard deviation is sqrt(200 x 3 / 2 x 3) / 300 = 10 % with two degrees of freedom, that of the
 * ratio sqrt(300) / 150. With what is known before, 1 % with three degrees: sqrt((3 x 0.0001 + 2 x 0.01) / 5)
 * = 6.372
 * %, and of the ratio 2 x that / sqrt(3) = 0.07357. Five degrees: t = 2.571. Of 1000 warp instructions that
 * were skipped: sqrt(73.57^2 + 20 x 6.372^2) = 78.89, times t is 202.8; and 1.8 % of 2000 are 36: 206.0. */
Test(sampling, the_interval_of_what_was_skipped)
{
	struct sample_unit units[] = { even_unit(100, 50, 1), even_unit(110, 50, 1), even_unit(90, 50, 1) };
	struct sample_measured m = { units, 3, 1000, 0 };
	struct sample_estimate e = { .cycles = 300 };

	sampling_extrapolate(&e, &m, &config);
	cr_expect_eq(e.cycles, 2300);
	near(sample_half_width(&e), 206.0, 0.1);
}

/* 150 cycles behind jumps were counted with 50 of the warp instructions. */
Test(sampling, what_was_timed_and_not_measured_is_replaced)
{
	struct sample_unit units[] = { even_unit(100, 50, 1), even_unit(100, 50, 1) };
	struct sample_measured m = { units, 2, 1050, 150 };
	struct sample_estimate e = { .cycles = 350 };

	sampling_extrapolate(&e, &m, &config);
	cr_expect_eq(e.cycles, 350 + 2100 - 150);
}

/* Second halves take 2.2 cycles an instruction, first ones 2: of 1000 as much may still be wrong, 200 cycles.
 * What chance may do is 1 % x sqrt(3 / 4) with four degrees of freedom (t = 2.776), of 2100 cycles by sqrt(1
 * / 2 + 1 / 20): 37.5; and 1.8 % of them are 37.8. */
Test(sampling, units_that_become_slower_make_the_interval_longer)
{
	struct sample_unit units[2];
	struct sample_measured m = { units, 2, 1000, 0 };
	struct sample_estimate e = { .cycles = 210 };

	for (int i = 0; i < 2; i++)
		units[i] = (struct sample_unit){ { { 50, 25 }, { 55, 25 } }, 1, false };
	sampling_extrapolate(&e, &m, &config);
	cr_expect_eq(e.cycles, 2310);
	near(sample_half_width(&e), sqrt(200 * 200 + 37.5 * 37.5 + 37.8 * 37.8), 0.1);
}

/* ---- statistics ---- */

static double value(const char *name)
{
	return stat_value(rig.chip.stat_tree, NULL, name);
}

/* 9000 cycles more or less by 1000, of which 2000 were timed, of 18000 thread instructions. */
Test(sampling, ends_of_the_interval)
{
	struct sampling *s = rig.chip.sampling;

	s->total = (struct sample_estimate){
		.cycles = 9000, .squares = 1000000, .threads = 18000, .timed_warps = 150, .skipped_warps = 450
	};
	s->counters.timed_cycles = 2000;
	near(value("sample.cycles_low"), 8000, 1e-9);
	near(value("sample.cycles_high"), 10000, 1e-9);
	near(value("sample.ipc"), 2, 1e-9);
	near(value("sample.ipc_low"), 1.8, 1e-9);
	near(value("sample.ipc_high"), 2.25, 1e-9);
	near(value("sample.timed_share"), 0.25, 1e-9);
	s->counters.timed_cycles = 8500;
	near(value("sample.cycles_low"), 8500, 1e-9); /* not less than what was timed */
	s->counters.timed_cycles = 9500;
	near(value("sample.cycles_low"), 9000, 1e-9); /* nor more than the estimate */
}

/* Something is estimated: of each statistic nothing, but each replicate has another value. */
static void estimate_of_zeros(struct stat_estimate *e)
{
	struct stat_vector v = { 0 };

	stat_vector_take(&v, rig.chip.stat_tree);
	stat_part_add(&e->all, &v, &v, 1);
	for (int i = 0; i < STAT_REPLICATES; i++) {
		stat_part_add(&e->without[i], &v, &v, 1);
		for (size_t word = 0; word < v.count; word++)
			e->without[i].words[word] = i;
	}
	e->used = 0xffff;
	stat_vector_free(&v);
}

/* What the sample knows of the machine itself: cycles and their time, at 1 GHz, are estimated, and
 * instructions and CTAs are known. */
Test(sampling, the_machines_own_counts_are_those_of_the_sample)
{
	static const struct sim_stat gpu_stats[] = { SIM_COUNT(struct gpu_stats, cycles, "", ""),
		SIM_COUNT(struct gpu_stats, picoseconds, "", ""),
		SIM_COUNT(struct gpu_stats, thread_instructions, "", ""),
		SIM_COUNT(struct gpu_stats, warp_instructions, "", ""),
		SIM_COUNT(struct gpu_stats, ctas, "", ""), SIM_STAT_END };
	static const char *const names[] = { "gpu.cycles", "gpu.picoseconds", "gpu.thread_instructions",
		"gpu.warp_instructions", "gpu.ctas" };
	static const double expected[] = { 9000 + 50, 9050 * 1000.0, 18000 + 8, 150 + 450, 30 + 70 };
	struct gpu_stats *g = &rig.chip.stats;
	struct sampling *s = rig.chip.sampling;
	struct stat_estimate e;
	struct stat_trust trust;
	double low, high;

	stat_register(rig.chip.stat_tree, "gpu", -1, gpu_stats, g, sizeof(*g));
	/* beside the kernels 50 cycles and 8 thread instructions were counted */
	*g = (struct gpu_stats){ .cycles = 2050,
		.picoseconds = 2050000,
		.thread_instructions = 4508,
		.warp_instructions = 150,
		.ctas = 30 };
	s->total = (struct sample_estimate){
		.cycles = 9000, .threads = 18000, .timed_warps = 150, .skipped_warps = 450
	};
	s->counters.timed_cycles = 2000;
	s->counters.timed_threads = 4500;
	s->counters.skipped_ctas = 70;
	estimate_of_zeros(&s->counters.estimate);
	cr_assert(sampling_estimates(&rig.chip, &e, &trust));
	for (int i = 0; i < 5; i++) {
		near(stat_estimate_value(rig.chip.stat_tree, &e, trust, names[i], &low, &high), expected[i],
			1e-6);
		cr_expect_eq(high > low, i < 2, "%s", names[i]);
	}
	near(trust.share, 0.75, 1e-12);
	stat_estimate_free(&e);
}
