/* tests/hopper/bulk_rig.h -- one CTA (or a cluster) with shared memory that is filled from `in`, a thread
 * that does what the program asks for, and shared memory dumped to `out`; for the programs about bulk copies.
 */
#ifndef TESTS_HOPPER_BULK_RIG_H
#define TESTS_HOPPER_BULK_RIG_H

#include "hopper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED = 32768, GLOBAL = 65536, MOST_CTAS = 8 };

struct bulk_rig {
	CUdeviceptr in, out, global;
	uint8_t before[MOST_CTAS][SHARED], after[MOST_CTAS][SHARED]; /* shared memory of each CTA */
	uint8_t memory[GLOBAL], memory_after[GLOBAL];
	uint64_t random;
};

static inline uint64_t rig_random(struct bulk_rig *r)
{
	r->random = r->random * 6364136223846793005u + 1442695040888963407u;
	return r->random >> 17;
}

static inline uint32_t rig_below(struct bulk_rig *r, uint32_t bound)
{
	return (uint32_t)(rig_random(r) % bound);
}

static inline void rig_start(struct bulk_rig *r)
{
	r->random = 7;
	hopper_module(".version 8.0\n.target sm_90\n.address_size 64\n"); /* starts the device */
	r->in = hopper_memory(NULL, sizeof(r->before));
	r->out = hopper_memory(NULL, sizeof(r->before));
	r->global = hopper_memory(NULL, GLOBAL);
}

/* The kernel behind variables of the module, with what all threads do first: registers $s (shared memory),
 * $bar (an mbarrier behind it), $g (global memory), $rank, $a to $d and $m (a tensor map), predicates and
 * further registers. Thread 0 of each CTA does `body`. */
static inline CUfunction rig_kernel_behind(
	const char *variables, const char *all, const char *body, CUmodule *module)
{
	static const char text[] =
		".version 8.6\n.target sm_90a\n.address_size 64\n%s\n"
		".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 global, .param .u32 a, "
		".param .u32 b, "
		".param .u32 c, .param .u32 d, .param .align 64 .b8 map[128]) {\n"
		".reg .b64 $in, $out, $g, $m, $x<8>, $hint; .reg .b32 $s, $bar, $rank, $t, $i, $v, $a, $b, "
		"$c, $d, $y<16>; .reg .b16 $h<8>; .reg .pred $p<8>;\n"
		".shared .align 1024 .b8 space[%d]; .shared .align 8 .b8 barrier[64];\n"
		"ld.param.u64 $in, [in]; ld.param.u64 $out, [out]; ld.param.u64 $g, [global];\n"
		"ld.param.u32 $a, [a]; ld.param.u32 $b, [b]; ld.param.u32 $c, [c]; ld.param.u32 $d, [d];\n"
		"mov.b64 $m, map; cvta.param.u64 $m, $m; mov.b64 $hint, 0x14f0000000000000;\n"
		"mov.u32 $s, space; mov.u32 $bar, barrier; mov.u32 $t, %%tid.x; mov.u32 $rank, "
		"%%cluster_ctarank;\n"
		"mul.wide.u32 $x0, $rank, %d; add.u64 $in, $in, $x0; add.u64 $out, $out, $x0;\n"
		"shl.b32 $i, $t, 4;\n"
		"FILL: cvt.u64.u32 $x0, $i; add.u64 $x0, $in, $x0; add.u32 $v, $s, $i;\n"
		"ld.global.v4.b32 {$y0, $y1, $y2, $y3}, [$x0]; st.shared.v4.b32 [$v], {$y0, $y1, $y2, $y3};\n"
		"add.u32 $i, $i, 2048; setp.lt.u32 $p0, $i, %d; @$p0 bra FILL;\n"
		"setp.eq.u32 $p7, $t, 0; @$p7 mbarrier.init.shared::cta.b64 [$bar], 1;\n"
		"@$p7 mbarrier.init.shared::cta.b64 [$bar+8], 1; @$p7 "
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar+8], "
		"2048; @$p7 mbarrier.init.shared::cta.b64 [$bar+16], 1;\n"
		"fence.proxy.async; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; "
		"barrier.cluster.wait;\n"
		"%s@!$p7 bra DONE;\n%s\nDONE: barrier.cluster.arrive; barrier.cluster.wait; shl.b32 $i, $t, "
		"4;\n"
		"DUMP: cvt.u64.u32 $x0, $i; add.u64 $x0, $out, $x0; add.u32 $v, $s, $i;\n"
		"ld.shared.v4.b32 {$y0, $y1, $y2, $y3}, [$v]; st.global.v4.b32 [$x0], {$y0, $y1, $y2, $y3};\n"
		"add.u32 $i, $i, 2048; setp.lt.u32 $p0, $i, %d; @$p0 bra DUMP;\nret;\n}\n";
	char *ptx = malloc(strlen(variables) + strlen(all) + strlen(body) + sizeof(text) + 64);

	sprintf(ptx, text, variables, SHARED, SHARED, SHARED, all, body, SHARED);
	*module = hopper_module(ptx);
	free(ptx);
	return hopper_kernel(*module, "k");
}

static inline CUfunction rig_kernel(const char *body)
{
	CUmodule module;

	return rig_kernel_behind("", "", body, &module);
}

/* What waits for the mbarrier's first phase. */
#define RIG_EXPECT(bytes) "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar], " bytes ";\n"
#define RIG_WAIT          "WAIT: mbarrier.try_wait.parity.shared::cta.b64 $p1, [$bar], 0; @!$p1 bra WAIT;\n"
#define RIG_STORED        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"

static inline void rig_fill(struct bulk_rig *r)
{
	for (size_t i = 0; i < sizeof(r->before); i++)
		r->before[i / SHARED][i % SHARED] = (uint8_t)rig_random(r);
	for (size_t i = 0; i < GLOBAL; i++)
		r->memory[i] = (uint8_t)rig_random(r);
}

/* From `before` and `memory` to `after` and `memory_after`. */
static inline CUresult rig_run(
	struct bulk_rig *r, CUfunction kernel, unsigned ctas, const uint32_t n[4], void *map)
{
	static uint8_t nothing[128] __attribute__((aligned(64)));
	CUresult result;

	must(cuMemcpyHtoD(r->in, r->before, (size_t)ctas * SHARED), "in");
	must(cuMemcpyHtoD(r->global, r->memory, GLOBAL), "global");
	result = hopper_launch(kernel, ctas, ctas, 128, 0,
		(void *[]){ &r->in, &r->out, &r->global, (void *)&n[0], (void *)&n[1], (void *)&n[2],
			(void *)&n[3], map ? map : nothing });
	if (result != CUDA_SUCCESS)
		return result;
	hopper_read(r->after, r->out, (size_t)ctas * SHARED);
	hopper_read(r->memory_after, r->global, GLOBAL);
	return result;
}

static inline bool rig_same(const uint8_t *got, const uint8_t *want, size_t bytes, const char *what)
{
	for (size_t i = 0; i < bytes; i++)
		if (got[i] != want[i])
			return expect(false, "%s: byte %zu is %02x, not %02x", what, i, got[i], want[i]);
	return true;
}

#endif
