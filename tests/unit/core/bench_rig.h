/* tests/unit/core/bench_rig.h -- PTX without control flow, from its text to its results: a kernel is parsed,
 * lowered and executed by one warp on a bench of its own (exec_rig.h), at each vector level. Inputs and
 * outputs are words in shared memory: those of lane l from byte 128 * l on; parameter pb points to the same
 * bytes as global memory. Byte i of the parameter block is 3 * i + 1. */
#ifndef TESTS_CORE_BENCH_RIG_H
#define TESTS_CORE_BENCH_RIG_H

#include "exec_rig.h"
#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"
#include <stdio.h>
#include <stdlib.h>

#define LANE_BYTES 128

struct ptx_rig {
	struct diag_list diags;
	struct ptx_module *module;
	struct ptx_image *image;
	struct ptx_kernel *kernel;
};

/* %d0 holds the address of the lane's own bytes in shared memory, %p7 lane & 1; then comes the text. */
#define PTX_RIG_HEAD \
	".version 9.0\n.target sm_100a\n.address_size 64\n" \
	".visible .entry k(.param .u32 pa, .param .u64 pb, .param .align 16 .b8 pc[64])\n{\n" \
	".reg .pred %%p<8>; .reg .b8 %%x<8>; .reg .b16 %%h<16>; .reg .b32 %%r<32>; .reg .b64 %%d<32>; " \
	".reg .b128 %%q<8>; .reg .f32 %%f<8>; .reg .f64 %%g<8>; .reg .v4 .b32 %%v4; .reg .v2 .b32 %%v2; " \
	".reg .v2 .b64 %%w2;\n" \
	".shared .align 16 .b8 bench[4096]; .local .align 16 .b8 mine[64];\n" \
	".reg .b32 %%lane; mov.u32 %%lane, %%laneid; mul.wide.u32 %%d0, %%lane, 128; and.b32 %%r0, %%lane, " \
	"1; " \
	"setp.ne.u32 %%p7, %%r0, 0;\n%s\nret;\n}\n"

static inline void ptx_rig_init(struct ptx_rig *r, const char *text)
{
	static char whole[65536];

	memset(r, 0, sizeof *r);
	diag_init(&r->diags);
	snprintf(whole, sizeof whole, PTX_RIG_HEAD, text);
	r->module = ptx_parse(whole, strlen(whole), "test.ptx", &r->diags);
	r->image = r->module ? ptx_lower(r->module, &r->diags) : NULL;
	if (!r->image)
		diag_print(&r->diags, stderr);
	cr_assert(r->image, "refused: %s", text);
	r->kernel = &r->image->kernels[0];
}

static inline void ptx_rig_fini(struct ptx_rig *r)
{
	ptx_image_free(r->image);
	ptx_module_free(r->module);
	diag_fini(&r->diags);
}

static inline lane_mask ptx_rig_mask(const struct rig *r, const struct uop *u)
{
	if (!(u->flags & UOP_GUARDED))
		return UINT32_MAX;
	return u->flags & UOP_GUARD_NEGATED ? ~r->predicates[u->guard] : r->predicates[u->guard];
}

/* Runs the kernel once. shared: 4096 bytes, in and out. Registers start as garbage. */
static inline void ptx_rig_run(
	const struct ptx_rig *p, const exec_function *table, struct rig *r, uint8_t *shared)
{
	static _Alignas(64) uint32_t rows[512][32];
	const struct ptx_kernel *k = p->kernel;

	cr_assert_leq(k->rows, 512);
	rig_init(r);
	memset(rows, 0xa5, sizeof rows);
	for (uint32_t i = 0; i < k->preload_count; i++)
		for (unsigned l = 0; l < 32; l++)
			rows[k->preloads[i].row][l] = k->preloads[i].sreg == PTX_SREG_LANEID ? l : 0;
	r->x.registers = rows;
	r->x.constants = (const uint32_t(*)[32])k->constants;
	r->x.extra = k->extra;
	r->x.shared = shared;
	r->cache[0] = (struct memory_range){ (uintptr_t)shared, (uintptr_t)shared + sizeof rows[0] * 32 };
	for (int i = 1; i < RANGE_CACHE; i++)
		r->cache[i] = r->cache[0];
	for (unsigned i = 0; i < sizeof r->params; i++)
		r->params[i] = (uint8_t)(3 * i + 1);
	memcpy(r->params + 8, &r->cache[0].start, 8);
	r->x.param_bytes = k->param_bytes;
	for (uint32_t i = 0; i < k->uop_count && k->uops[i].code != UOP_EXIT; i++) {
		rig_run(r, table, &k->uops[i], ptx_rig_mask(r, &k->uops[i]));
		cr_assert_not(r->x.faulted, "fault at line %u", k->uops[i].line);
		exec_commit(&r->x);
	}
}

static inline uint64_t bench_get(const uint8_t *shared, unsigned lane, unsigned offset, unsigned bytes)
{
	uint64_t value = 0;

	memcpy(&value, shared + LANE_BYTES * lane + offset, bytes);
	return value;
}

static inline void bench_set(uint8_t *shared, unsigned lane, unsigned offset, unsigned bytes, uint64_t value)
{
	memcpy(shared + LANE_BYTES * lane + offset, &value, bytes);
}

#endif
