/* Occupancy: the rules of the CUDA occupancy calculator, chip by chip, and the dispatcher's admission against
 * them.
 *
 * Sources of limits and units: the CUDA C Programming Guide's table of technical specifications per compute
 * capability, and cuda_occupancy.h (CUDA 7.0 for 1.x to 5.x, 11 for 6.x to 8.x): units of registers and
 * shared memory, sub-partitions, reserved shared memory. Expected CTAs are worked out with those rules; the
 * comment shows how. */
#include "core/kernel/resource_request.h"
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#define KB 1024u

enum chip { CC10, CC13, CC20, CC30, CC35, CC37, CC52, CC60, CC61, CC70, CC75, CC80, CC86, CC90, CHIPS };

/* warps, CTAs, registers (SM, CTA), unit, files, shared (SM, CTA), unit, reserved, most registers, most
 * threads */
#define CHIP(w, c, rs, rc, ru, n, ss, sc, su, res, r, t) \
	{ \
		.threads = 32 * (w), .warps = w, .ctas = c, .registers = rs, .max_registers_per_cta = rc, \
		.register_granularity = ru, .warp_granularity = n, .shared_bytes = ss, \
		.max_shared_per_cta = sc, .shared_granularity = su, .shared_reserved = res, \
		.max_registers_per_thread = r, .max_threads_per_cta = t, .barriers = 16 * (c), \
		.max_barriers = 16 \
	}
static struct sm_limits chips[CHIPS] = {
	[CC10] = CHIP(24, 8, 8192, 8192, 256, 2, 16 * KB, 16 * KB, 512, 0, 124, 512),
	[CC13] = CHIP(32, 8, 16384, 16384, 512, 2, 16 * KB, 16 * KB, 512, 0, 124, 512),
	[CC20] = CHIP(48, 8, 32768, 32768, 64, 2, 48 * KB, 48 * KB, 128, 0, 63, 1024),
	[CC30] = CHIP(64, 16, 65536, 65536, 256, 4, 48 * KB, 48 * KB, 256, 0, 63, 1024),
	[CC35] = CHIP(64, 16, 65536, 65536, 256, 4, 48 * KB, 48 * KB, 256, 0, 255, 1024),
	[CC37] = CHIP(64, 16, 131072, 65536, 256, 4, 112 * KB, 48 * KB, 256, 0, 255, 1024),
	[CC52] = CHIP(64, 32, 65536, 65536, 256, 4, 96 * KB, 48 * KB, 256, 0, 255, 1024),
	[CC60] = CHIP(64, 32, 65536, 65536, 256, 2, 64 * KB, 48 * KB, 256, 0, 255, 1024),
	[CC61] = CHIP(64, 32, 65536, 65536, 256, 4, 96 * KB, 48 * KB, 256, 0, 255, 1024),
	[CC70] = CHIP(64, 32, 65536, 65536, 256, 4, 96 * KB, 96 * KB, 256, 0, 255, 1024),
	[CC75] = CHIP(32, 16, 65536, 65536, 256, 4, 64 * KB, 64 * KB, 256, 0, 255, 1024),
	[CC80] = CHIP(64, 32, 65536, 65536, 256, 4, 164 * KB, 163 * KB, 128, 1024, 255, 1024),
	[CC86] = CHIP(48, 16, 65536, 65536, 256, 4, 100 * KB, 99 * KB, 128, 1024, 255, 1024),
	[CC90] = CHIP(64, 32, 65536, 65536, 256, 4, 228 * KB, 227 * KB, 128, 1024, 255, 1024),
};

static const struct sm_limits *limits_of(enum chip chip)
{
	struct sm_limits *l = &chips[chip];

	l->register_allocation = chip <= CC13 ? REGISTERS_BY_CTA : REGISTERS_BY_WARP;
	l->has_double_units = chip == CC20;
	return l;
}

struct figure {
	enum chip chip;
	uint32_t threads, registers, shared, barriers, ctas;
	enum occupancy_limit limit;
};

static const struct figure paper_observers[] = {
	/* 1.x: a CTA's warps in twos, its registers in units of 256 (1.0) or 512 (1.3) */
	{ CC10, 256, 10, 0, 0, 3, LIMIT_THREADS },   /* 8 x 32 x 10 = 2560; 8192 / 2560 = 3 */
	{ CC10, 256, 11, 0, 0, 2, LIMIT_REGISTERS }, /* 2816 */
	{ CC10, 96, 20, 0, 0, 3, LIMIT_REGISTERS },  /* 3 -> 4 warps: 2560 */
	{ CC10, 64, 9, 0, 0, 8, LIMIT_CTAS },        /* 576 -> 768 */
	{ CC13, 256, 16, 0, 0, 4, LIMIT_THREADS },   /* 4096 */
	{ CC13, 256, 17, 0, 0, 3, LIMIT_REGISTERS }, /* 4352 -> 4608 */
	{ CC13, 128, 10, 4000, 0, 4, LIMIT_SHARED }, /* 4000 -> 4096 */
	/* 2.0: warps in units of 64, in two files; cuda_occupancy.h's exceptions */
	{ CC20, 256, 20, 0, 0, 6, LIMIT_THREADS }, /* 640: 25 a file, 50 warps */
	{ CC20, 64, 16, 0, 0, 8, LIMIT_CTAS }, { CC20, 256, 21, 0, 0, 5, LIMIT_REGISTERS }, /* 672 -> 768: 21
											       a file, 42
											       warps */
	{ CC20, 256, 23, 0, 0, 5, LIMIT_REGISTERS },  /* 736 -> 768: as many */
	{ CC20, 192, 25, 0, 0, 6, LIMIT_REGISTERS },  /* 800 -> 832: 19 a file, 38 warps */
	{ CC20, 192, 29, 0, 0, 5, LIMIT_REGISTERS },  /* 928 -> 1024: 16 a file, 32 warps */
	{ CC20, 192, 28, 0, 0, 6, LIMIT_REGISTERS },  /* 896: 18 a file, 36 warps */
	{ CC20, 96, 53, 0, 0, 6, LIMIT_REGISTERS },   /* 1696 -> 1728: no exception; 9 a file, 18 warps */
	{ CC20, 256, 63, 0, 0, 2, LIMIT_REGISTERS },  /* 2048: 8 a file */
	{ CC20, 256, 200, 0, 0, 2, LIMIT_REGISTERS }, /* no more than 63 can be named */
	{ CC20, 32, 52, 0, 0, 8, LIMIT_CTAS },
	{ CC20, 288, 57, 0, 0, 1, LIMIT_REGISTERS }, /* 1824 -> 1856: 8 a file (17 in one pool would not do
							either) */
	{ CC20, 544, 60, 0, 0, 0, LIMIT_REGISTERS }, /* 1920: 17 x 1920 = 32640 would fit one pool; 2 files of
							8 */
	{ CC20, 1024, 40, 0, 0, 0, LIMIT_REGISTERS }, /* 1280 x 32 = 40960 */
	{ CC20, 128, 10, 12289, 0, 3, LIMIT_SHARED }, /* -> 12416 */
	{ CC20, 128, 10, 12288, 0, 4, LIMIT_SHARED }, { CC20, 1025, 10, 0, 0, 0, LIMIT_TOO_BIG },
	{ CC20, 32, 10, 49153, 0, 0, LIMIT_TOO_BIG }, { CC20, 0, 10, 0, 0, 0, LIMIT_TOO_BIG },
	{ CC20, 32, 10, 0, 17, 0, LIMIT_TOO_BIG }, { CC20, 32, 10, 0, 16, 8, LIMIT_CTAS }, /* 16 a CTA for all
											      8 */
	/* 3.x */
	{ CC30, 256, 32, 0, 0, 8, LIMIT_THREADS },    /* 1024: 16 a file, 64 warps */
	{ CC30, 256, 33, 0, 0, 6, LIMIT_REGISTERS },  /* 1056 -> 1280: 12 a file, 48 warps */
	{ CC30, 128, 63, 0, 0, 8, LIMIT_REGISTERS },  /* 2048: 8 a file */
	{ CC35, 128, 100, 0, 0, 4, LIMIT_REGISTERS }, /* 3200 -> 3328: 4 a file, 16 warps (19 in one pool: 4)
						       */
	{ CC35, 96, 100, 0, 0, 5, LIMIT_REGISTERS },  /* 16 warps / 3; one pool of 19 would give 6 */
	{ CC37, 128, 100, 0, 0, 9, LIMIT_REGISTERS }, /* 32768 / 3328 = 9 a file, 36 warps */
	{ CC37, 1024, 65, 0, 0, 0, LIMIT_REGISTERS }, /* 2304 x 32 = 73728, and a CTA has at most 65536 */
	{ CC37, 128, 16, 20000, 0, 5, LIMIT_SHARED }, /* 20000 -> 20224; 114688 / 20224 */
	/* 5.x, 6.x, 7.x */
	{ CC52, 64, 32, 0, 0, 32, LIMIT_CTAS }, { CC52, 64, 32, 3073, 0, 29, LIMIT_SHARED }, /* 3328; 98304 /
												3328 = 29 */
	{ CC60, 96, 72, 0, 0, 9, LIMIT_REGISTERS },   /* 2304: 14 a file of two, 28 warps */
	{ CC60, 32, 168, 0, 0, 12, LIMIT_REGISTERS }, /* 5376: 6 a file of two */
	{ CC61, 32, 168, 0, 0, 12, LIMIT_REGISTERS }, /* 3 a file of four */
	{ CC61, 32, 200, 0, 0, 8, LIMIT_REGISTERS },  /* 6400: 2 a file of four */
	{ CC60, 32, 200, 0, 0, 10, LIMIT_REGISTERS }, /* 5 a file of two */
	{ CC70, 1024, 64, 0, 0, 1, LIMIT_REGISTERS }, /* 2048: 8 a file, 32 warps */
	{ CC70, 1024, 65, 0, 0, 0, LIMIT_REGISTERS }, { CC75, 256, 64, 0, 0, 4, LIMIT_THREADS }, /* 32 warps
												  */
	{ CC75, 256, 80, 0, 0, 3, LIMIT_REGISTERS }, /* 2560: 6 a file, 24 warps */
	/* 8.x, 9.0: 1 KB of each CTA for the system */
	{ CC80, 128, 32, 40 * KB, 0, 4, LIMIT_SHARED }, /* 41 KB; 164 / 41 */
	{ CC80, 128, 32, 40 * KB + 1, 0, 3, LIMIT_SHARED }, { CC80, 128, 32, 163 * KB, 0, 1, LIMIT_SHARED },
	{ CC80, 128, 32, 0, 0, 16, LIMIT_THREADS }, { CC86, 256, 40, 0, 0, 6, LIMIT_THREADS }, /* 1280: 12 a
												  file, 48
												  warps */
	{ CC86, 256, 41, 0, 0, 5, LIMIT_REGISTERS },        /* 1312 -> 1536: 10 a file, 40 warps */
	{ CC86, 128, 32, 8 * KB, 0, 11, LIMIT_SHARED },     /* 9 KB; 100 / 9 */
	{ CC90, 384, 168, 0, 0, 1, LIMIT_REGISTERS },       /* 5376: 3 a file, 12 warps */
	{ CC90, 128, 128, 56 * KB, 0, 4, LIMIT_REGISTERS }, /* 4096: 4 a file; 228 / 57 = 4 */
	{ CC90, 128, 80, 75 * KB, 0, 3, LIMIT_SHARED },     /* 76 KB; 228 / 76 */
};

ParameterizedTestParameters(occupancy, is_what_the_calculator_says)
{
	return cr_make_param_array(const struct figure, (void *)paper_observers,
		sizeof(paper_observers) / sizeof(*paper_observers));
}

ParameterizedTest(const struct figure *f, occupancy, is_what_the_calculator_says)
{
	struct cta_resource_request d = { f->threads, f->registers, f->shared, f->barriers };
	struct occupancy o = occupancy_of(limits_of(f->chip), &d);

	cr_expect_eq(o.ctas, f->ctas, "chip %u: %u threads, %u registers, %u bytes: %u CTAs, not %u", f->chip,
		f->threads, f->registers, f->shared, o.ctas, f->ctas);
	cr_expect_eq(o.limit, f->limit, "chip %u: %u threads, %u registers, %u bytes: limited by %s", f->chip,
		f->threads, f->registers, f->shared, occupancy_limit_name(o.limit));
	cr_expect_eq(o.warps, o.ctas * ((f->threads + 31) / 32));
}

Test(occupancy, barriers_can_limit)
{
	struct sm_limits l = *limits_of(CC20);

	l.barriers = 16;
	struct occupancy o = occupancy_of(&l, &(struct cta_resource_request){ 64, 16, 0, 5 });
	cr_expect_eq(o.ctas, 3);
	cr_expect_eq(o.limit, LIMIT_BARRIERS);
}

Test(occupancy, is_a_share_of_the_warps)
{
	cr_expect_float_eq(
		occupancy_of(limits_of(CC20), &(struct cta_resource_request){ 256, 20, 0, 0 }).ratio, 1.0,
		1e-12);
	cr_expect_float_eq(
		occupancy_of(limits_of(CC20), &(struct cta_resource_request){ 192, 25, 0, 0 }).ratio, 0.75,
		1e-12);
}

static uint32_t next(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

static struct cta_resource_request random_demand(uint64_t *state, const struct sm_limits *l)
{
	return (struct cta_resource_request){ .threads = 1 + next(state, l->max_threads_per_cta),
		.registers = next(state, 70),
		.shared = next(state, 3) ? next(state, 20000) % (l->max_shared_per_cta + 1) : 0,
		.barriers = next(state, 17) };
}

/* CTAs of one kernel come and go at random: at each time there is room exactly if fewer are resident than
 * occupancy_of says. */
static void come_and_go(uint64_t *state, const struct sm_limits *l)
{
	struct cta_resource_request d = random_demand(state, l);
	uint32_t most = occupancy_of(l, &d).ctas, resident = 0;
	struct cta_allocation ctas[64];
	struct sm_use use = { 0 };

	for (int step = 0; most && step < 200; step++) {
		struct cta_allocation s = occupancy_allocate(l, &d);

		cr_assert_eq(occupancy_has_room(l, &use, &s), resident < most,
			"%u of %u CTAs of %u threads with %u registers and %u bytes are resident", resident,
			most, d.threads, d.registers, d.shared);
		if (resident < most && next(state, 3)) {
			occupancy_take(l, &use, &s);
			ctas[resident++] = s;
		} else if (resident) {
			uint32_t which = next(state, resident);

			occupancy_release(&use, &ctas[which]);
			ctas[which] = ctas[--resident];
		}
	}
	while (resident)
		occupancy_release(&use, &ctas[--resident]);
	for (uint32_t p = 0; p < MAX_PARTITIONS; p++)
		cr_assert_eq(use.registers[p], 0);
	cr_assert_eq(use.ctas + use.warps + use.shared + use.barriers, 0);
}

Test(occupancy, the_dispatcher_admits_as_many_as_it_says)
{
	uint64_t state = 1;

	for (enum chip chip = 0; chip < CHIPS; chip++)
		for (int i = 0; i < 400; i++)
			come_and_go(&state, limits_of(chip));
}

/* Two kernels together never take more than there is, and what one leaves is the other's. */
Test(occupancy, different_kernels_share_an_sm)
{
	uint64_t state = 7;

	for (int i = 0; i < 1000; i++) {
		const struct sm_limits *l = limits_of((enum chip)next(&state, CHIPS));
		uint32_t files = l->register_allocation == REGISTERS_BY_CTA ? 1 : l->warp_granularity;
		struct sm_use use = { 0 };

		for (int n = 0; n < 40; n++) {
			struct cta_resource_request d = random_demand(&state, l);
			struct cta_allocation s = occupancy_allocate(l, &d);

			if (!occupancy_of(l, &d).ctas || !occupancy_has_room(l, &use, &s))
				continue;
			occupancy_take(l, &use, &s);
			cr_assert(use.ctas <= l->ctas && use.warps <= l->warps &&
				use.shared <= l->shared_bytes && use.barriers <= l->barriers);
			for (uint32_t p = 0; p < MAX_PARTITIONS; p++)
				cr_assert_leq(use.registers[p], p < files ? l->registers / files : 0);
		}
	}
}

/* 64 registers are estimated for 20 values that are live at once: 1024 threads fit on a GTX 480 with 32. */
Test(occupancy, an_estimate_keeps_no_kernel_from_the_chip)
{
	struct sm_limits limits = *limits_of(CC20);
	struct ptx_kernel k = { .registers = 64, .pressure = 20 };

	cr_expect_eq(cta_resource_request_of(&limits, &k, 1024, 0).registers, 32);
	cr_expect_eq(cta_resource_request_of(&limits, &k, 256, 0).registers, 63, "as many as the chip has");
	k.pressure = 33;
	cr_expect_eq(cta_resource_request_of(&limits, &k, 1024, 0).registers, 63, "it does not fit");
	k.maxnreg = 40;
	k.pressure = 20;
	cr_expect_eq(cta_resource_request_of(&limits, &k, 1024, 0).registers, 40, "no estimate");
}
