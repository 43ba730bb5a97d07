/* core/kernel/resource_request.c -- registers, shared memory and barriers of a kernel's CTAs. */
#include "core/kernel/resource_request.h"

/* No cap is lower: the calling convention needs some registers. (Our choice for sm_20; ptxas 13 says 24 for
 * sm_75.) */
#define LEAST_CAP 16u

const char *register_source_name(enum register_source source)
{
	static const char *const names[] = { "estimate", ".maxnreg", "launch bounds", "CU_JIT_MAX_REGISTERS",
		"chip", "sm.registers_override" };

	return names[source];
}

static uint32_t dim3_product(const uint32_t d[3])
{
	uint64_t n = (uint64_t)d[0] * (d[1] ? d[1] : 1) * (d[2] ? d[2] : 1);

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void cap(struct kernel_registers *r, uint32_t most, enum register_source source)
{
	most = most > LEAST_CAP ? most : LEAST_CAP;
	if (r->count > most)
		*r = (struct kernel_registers){ most, source };
}

/* The most registers with which the promised CTAs of the promised size fit. A promise that no number of
 * registers can keep is ignored. */
static uint32_t bounded_registers(const struct sm_limits *limits, const struct ptx_kernel *k, uint32_t count)
{
	const uint32_t *block = k->reqntid[0] ? k->reqntid : k->maxntid;
	uint32_t ctas = k->minnctapersm ? k->minnctapersm : 1;
	struct cta_resource_request d = { .threads = dim3_product(block) };

	for (d.registers = count; block[0] && d.registers >= LEAST_CAP; d.registers--)
		if (occupancy_of(limits, &d).ctas >= ctas)
			return d.registers;
	return count;
}

uint32_t kernel_entry_registers(const struct ptx_kernel *k)
{
	uint32_t threads = dim3_product(k->reqntid[0] ? k->reqntid : k->maxntid), most;

	if (!k->changes_registers || k->maxnreg)
		return k->changes_registers ? k->maxnreg : 0;
	if (!threads || !k->minnctapersm)
		return 0;
	most = 65536 / k->minnctapersm / ((threads + 31) / 32 * 32) / 8 * 8;
	return most < 255 ? most : 255;
}

struct kernel_registers registers_of(const struct sm_limits *limits, const struct ptx_kernel *k)
{
	struct kernel_registers r = { k->registers, REGISTERS_ESTIMATED };

	if (kernel_entry_registers(k) && !limits->registers_override)
		return (struct kernel_registers){ kernel_entry_registers(k),
			k->maxnreg ? REGISTERS_MAXNREG : REGISTERS_BOUNDS };
	if (limits->registers_override)
		r = (struct kernel_registers){ limits->registers_override, REGISTERS_OVERRIDE };
	else if (k->maxnreg)
		cap(&r, k->maxnreg, REGISTERS_MAXNREG);
	else if (k->register_cap && !k->maxntid[0] && !k->reqntid[0])
		cap(&r, k->register_cap, REGISTERS_JIT);
	cap(&r, limits->max_registers_per_thread, REGISTERS_CHIP);
	if (r.source != REGISTERS_OVERRIDE)
		cap(&r, bounded_registers(limits, k, r.count), REGISTERS_BOUNDS);
	return r;
}

uint64_t kernel_shared_bytes(const struct ptx_kernel *k, uint64_t dynamic)
{
	uint64_t align = k->dynamic_align ? k->dynamic_align : 16;

	return dynamic ? (k->shared_bytes + align - 1) / align * align + dynamic : k->shared_bytes;
}

/* An estimate alone keeps no CTA from the chip that has room for the registers that are live at once: then
 * the CTA gets as many as let it fit. */
static void fit_registers(
	struct cta_resource_request *d, const struct sm_limits *limits, const struct ptx_kernel *k)
{
	uint32_t least = k->pressure > LEAST_CAP ? k->pressure : LEAST_CAP, count = d->registers;

	while (!occupancy_of(limits, d).ctas && d->registers > least)
		d->registers--;
	if (!occupancy_of(limits, d).ctas)
		d->registers = count; /* they are not what is in the way */
}

struct cta_resource_request cta_resource_request_of(
	const struct sm_limits *limits, const struct ptx_kernel *k, uint64_t threads, uint64_t dynamic_shared)
{
	uint64_t shared = dynamic_shared < UINT32_MAX ? kernel_shared_bytes(k, dynamic_shared) : UINT32_MAX;
	struct kernel_registers r = registers_of(limits, k);
	struct cta_resource_request d = { .threads = threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX,
		.registers = r.count,
		.shared = shared < UINT32_MAX ? (uint32_t)shared : UINT32_MAX,
		.barriers = k->barriers };

	if (r.source == REGISTERS_ESTIMATED || r.source == REGISTERS_CHIP)
		fit_registers(&d, limits, k);
	return d;
}
