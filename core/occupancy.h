/* core/occupancy.h -- how many CTAs of a kernel fit on one SM, and what limits them. The dispatcher, the
 * command line and the host API's occupancy calls all answer from here. */
#ifndef CORE_OCCUPANCY_H
#define CORE_OCCUPANCY_H

#include <stdint.h>

struct sm_limits {
	uint32_t threads, warps, ctas, registers, shared_bytes, barriers;
	uint32_t register_granularity; /* registers are given to a warp in multiples of this (Fermi: 64) */
	uint32_t shared_granularity;   /* bytes (Fermi: 128) */
	uint32_t max_registers_per_thread; /* Fermi: 63 */
	uint32_t max_threads_per_cta, max_shared_per_cta;
};

enum occupancy_limit { LIMIT_THREADS, LIMIT_WARPS, LIMIT_CTAS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_TOO_BIG };
const char *occupancy_limit_name(enum occupancy_limit limit);

struct occupancy {
	uint32_t ctas;              /* per SM; 0: the CTA does not fit at all */
	uint32_t warps;             /* ctas x warps of a CTA */
	double ratio;               /* of limits->warps */
	enum occupancy_limit limit; /* what ran out first */
};

/* What a warp and a CTA take, in allocation units. A kernel that would like more registers than an
 * instruction can name gets that many (ptxas would spill the rest; the model charges no spill traffic). */
uint32_t occupancy_warp_registers(const struct sm_limits *limits, uint32_t registers);
uint32_t occupancy_cta_shared(const struct sm_limits *limits, uint32_t bytes);

/* registers: per thread; shared: bytes per CTA, static and dynamic. */
struct occupancy occupancy_of(
	const struct sm_limits *limits, uint32_t threads, uint32_t registers, uint32_t shared);

#endif
