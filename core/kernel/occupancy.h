/* core/kernel/occupancy.h -- how many CTAs of a kernel fit on one SM, and what limits them. The dispatcher,
 * the command line and the host API's occupancy calls all answer from here.
 *
 * The rules are those of the CUDA occupancy calculator (the spreadsheet, and cuda_occupancy.h of the CUDA
 * toolkit): warps take registers in units, out of as many register files as an SM has partitions (compute
 * capability 2.0 on), or whole CTAs do (1.x); CTAs take shared memory in units, with what the system keeps
 * for itself (8.0 on). */
#ifndef CORE_KERNEL_OCCUPANCY_H
#define CORE_KERNEL_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_PARTITIONS 8 /* register files of an SM */

enum register_allocation { REGISTERS_BY_WARP, REGISTERS_BY_CTA };

struct sm_limits {
	uint32_t threads, warps, ctas, registers, shared_bytes;
	uint32_t barriers, max_barriers; /* of an SM; of a CTA */
	uint32_t register_granularity;   /* registers are given to a warp (1.x: a CTA) in multiples of this */
	/* register files, each of which takes whole warps; 1.x: warps of a CTA count in multiples of this */
	uint32_t warp_granularity;
	uint32_t register_allocation; /* enum register_allocation */
	bool has_double_units;        /* 2.x: some counts of registers are given in units of twice the size */
	uint32_t shared_granularity;  /* bytes */
	uint32_t shared_reserved;     /* bytes of each CTA for the system */
	bool has_carve_outs; /* shared memory is what sm_use.carve_out says (core/kernel/carve_out.h) */
	uint32_t max_registers_per_thread, max_registers_per_cta;
	uint32_t max_threads_per_cta, max_shared_per_cta;
	uint32_t registers_override; /* of every kernel, whatever it needs; 0: none
					(core/kernel/resource_request.h) */
};

enum occupancy_limit {
	LIMIT_THREADS,
	LIMIT_WARPS,
	LIMIT_CTAS,
	LIMIT_REGISTERS,
	LIMIT_SHARED,
	LIMIT_TOO_BIG,
	LIMIT_BARRIERS
};
const char *occupancy_limit_name(enum occupancy_limit limit);

/* What a CTA of a kernel asks for. */
struct cta_resource_request {
	uint32_t threads;
	uint32_t registers; /* per thread; at most max_registers_per_thread are given */
	uint32_t shared;    /* bytes, static and dynamic */
	uint32_t barriers;
};

struct occupancy {
	uint32_t ctas;              /* per SM; 0: the CTA does not fit at all */
	uint32_t warps;             /* ctas x warps of a CTA */
	double ratio;               /* of limits->warps */
	enum occupancy_limit limit; /* what ran out first */
};

/* How many CTAs fit on an SM that holds nothing else. */
struct occupancy occupancy_of(const struct sm_limits *limits, const struct cta_resource_request *demand);

/* What a CTA takes, in whole units of allocation. */
struct cta_allocation {
	uint32_t warps;
	uint32_t registers; /* of a warp; REGISTERS_BY_CTA: of the CTA */
	uint32_t shared, barriers;
	uint8_t placed[MAX_PARTITIONS]; /* once it is resident: the warps in each register file */
};

/* What the CTAs on an SM have taken together. */
struct sm_use {
	uint32_t ctas, warps, shared, barriers;
	uint32_t carve_out;                 /* bytes of shared memory that the SM has at present */
	uint32_t registers[MAX_PARTITIONS]; /* of each register file */
};

/* Kernels may differ from CTA to CTA. With one kernel alone there is room for exactly as many CTAs as
 * occupancy_of says, in whatever order they come and go. demand must be one of which at least one CTA fits.
 */
struct cta_allocation occupancy_allocate(
	const struct sm_limits *limits, const struct cta_resource_request *demand);
bool occupancy_has_room(
	const struct sm_limits *limits, const struct sm_use *use, const struct cta_allocation *allocation);
/* There must be room. */
void occupancy_take(const struct sm_limits *limits, struct sm_use *use, struct cta_allocation *allocation);
void occupancy_release(struct sm_use *use, const struct cta_allocation *allocation);

/* Shared memory of a CTA in whole units, without what is reserved for the system (as %total_smem_size tells).
 */
uint32_t occupancy_cta_shared(const struct sm_limits *limits, uint32_t bytes);

#endif
