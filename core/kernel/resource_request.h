/* core/kernel/resource_request.h -- what a CTA of a kernel asks an SM for: how many registers its threads
 * get, and why so many; its shared memory. From the kernel's directives, the estimate of libptx and the
 * configuration. */
#ifndef CORE_KERNEL_RESOURCE_REQUEST_H
#define CORE_KERNEL_RESOURCE_REQUEST_H

#include "core/kernel/occupancy.h"
#include "frontend/ptx.h"

enum register_source {
	REGISTERS_ESTIMATED, /* libptx (frontend/allocate/registers.c) */
	REGISTERS_MAXNREG,   /* .maxnreg is less than the estimate */
	REGISTERS_BOUNDS,  /* .maxntid or .reqntid, with .minnctapersm: more would not let as many CTAs fit */
	REGISTERS_JIT,     /* CU_JIT_MAX_REGISTERS is less than the estimate */
	REGISTERS_CHIP,    /* an instruction cannot name as many as were estimated */
	REGISTERS_OVERRIDE /* sm.registers_override */
};
const char *register_source_name(enum register_source source); /* "estimate", ".maxnreg" ... */

struct kernel_registers {
	uint32_t count; /* per thread, before rounding to units */
	enum register_source source;
};

/* Registers per thread with which a kernel starts that has setmaxnreg, from .maxnreg or .maxntid (.reqntid)
 * with .minnctapersm; 0: it has none, or nobody says how many, and setmaxnreg is ignored (as by ptxas). Both
 * are for sm_90a, whose SMs have 64K registers. */
uint32_t kernel_entry_registers(const struct ptx_kernel *kernel);

/* As ptxas does: .maxnreg and launch bounds cap what the kernel would like; CU_JIT_MAX_REGISTERS (as ptxas's
 * -maxrregcount) caps kernels that have neither. A kernel that would like more than its cap gets its cap
 * (ptxas spills the rest, and so does scheduled code, frontend/optimise/spill.c; PTX as written does not). */
struct kernel_registers registers_of(const struct sm_limits *limits, const struct ptx_kernel *kernel);

/* Static shared memory, and dynamic behind it at its alignment; bytes. */
uint64_t kernel_shared_bytes(const struct ptx_kernel *kernel, uint64_t dynamic);

/* threads, dynamic_shared (bytes): of a CTA, which gets fewer registers than estimated where only so it fits
 * on an SM, and all that are live at once still do. */
struct cta_resource_request cta_resource_request_of(const struct sm_limits *limits,
	const struct ptx_kernel *kernel, uint64_t threads, uint64_t dynamic_shared);

#endif
