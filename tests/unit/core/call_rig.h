/* tests/unit/core/call_rig.h -- whole kernels on the whole machine, in both modes: one word of output for
 * each thread, the same from the timing and the functional core. */
#ifndef TESTS_CORE_CALL_RIG_H
#define TESTS_CORE_CALL_RIG_H

#include "frontend/ptx.h"
#include "memsys/memory.h"
#include "sim/base/diag.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"
#include "tests/unit/core/run_launch.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL_THREADS 96 /* at most */

/* A kernel that puts its thread's number into %r1, does something that leaves a word in %r2, and stores it.
 */
#define KERNEL(body) \
	".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg " \
	".b64 %rd<16>;\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n" body \
	"mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r2;\nret;\n}\n"
/* ld.param, mov, mov in front; mul, add, st, ret behind */
#define KERNEL_INSTRUCTIONS 7

/* %r2 = f(%r1) */
#define CALL_F \
	KERNEL("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), f, (a); ld.param.b32 %r2, " \
	       "[b]; }\n")

struct call_run {
	uint32_t out[CALL_THREADS];
	struct launch_result result;
};

static inline void load_symbols(struct gpu *gpu, struct ptx_image *image)
{
	for (uint32_t i = 0; i < image->symbol_count; i++) {
		struct ptx_symbol *s = &image->symbols[i];

		s->address = memory_allocate(gpu_memory(gpu), s->size ? s->size : 1, s->align);
		memset(memory_host(s->address), 0, s->size);
		if (s->data)
			memcpy(memory_host(s->address), s->data, s->size);
		cr_assert_eq(s->reloc_count, 0, "addresses of variables in data are the loader's");
	}
	ptx_image_relocate(image);
}

static inline void run_mode(
	struct call_run *r, const char *text, uint32_t threads, uint32_t stack_limit, bool functional)
{
	struct config *config = config_new();
	struct diag_list diags;

	diag_init(&diags);
	cr_assert(config_set(config, "dram.check=true", &diags));
	struct gpu *gpu = gpu_new(config, &diags);
	struct ptx_module *module = ptx_parse(text, strlen(text), "test.ptx", &diags);
	diag_print(&diags, stderr);
	cr_assert(gpu && module && !diags.errors);
	struct ptx_image *image = ptx_lower(module, &diags);
	diag_print(&diags, stderr);
	cr_assert(image);
	load_symbols(gpu, image);
	uint64_t p = memory_allocate(gpu_memory(gpu), 4 * CALL_THREADS, 256);
	memset(memory_host(p), 0, 4 * CALL_THREADS);
	struct launch launch = { .kernel = ptx_image_kernel(image, "k"),
		.grid = { 1, 1, 1 },
		.block = { threads, 1, 1 },
		.stack_limit = stack_limit,
		.params = (const uint8_t *)&p };
	run_launch(gpu, &launch, functional, &r->result);
	memcpy(r->out, memory_host(p), sizeof(r->out));
	ptx_image_free(image);
	ptx_module_free(module);
	gpu_free(gpu);
	config_free(config);
	diag_fini(&diags);
}

/* Both modes must come to the same: outcome, values, instructions. The functional one's is returned. */
static inline struct call_run run_module(const char *text, uint32_t threads, uint32_t stack_limit)
{
	static struct call_run timed, functional;

	run_mode(&timed, text, threads, stack_limit, false);
	run_mode(&functional, text, threads, stack_limit, true);
	cr_assert_eq(timed.result.outcome, functional.result.outcome);
	if (timed.result.outcome == GPU_DONE) {
		cr_assert_arr_eq(timed.out, functional.out, sizeof(timed.out));
		cr_assert_eq(timed.result.warp_instructions, functional.result.warp_instructions);
		cr_assert_eq(timed.result.thread_instructions, functional.result.thread_instructions);
	}
	return functional;
}

/* The same without a header. */
static inline struct call_run run_both(const char *body, uint32_t threads, uint32_t stack_limit)
{
	char *text = malloc(65536);
	struct call_run r;

	snprintf(text, 65536, ".version 7.3\n.target sm_52\n.address_size 64\n%s", body);
	r = run_module(text, threads, stack_limit);
	free(text);
	return r;
}

static inline struct call_run expect_values(
	const char *body, uint32_t threads, uint32_t (*expected)(uint32_t t))
{
	struct call_run r = run_both(body, threads, 0);

	cr_assert_eq(r.result.outcome, GPU_DONE, "%s", r.result.fault.text);
	for (uint32_t t = 0; t < threads; t++)
		cr_assert_eq(r.out[t], expected(t), "thread %u: %u, expected %u", t, r.out[t], expected(t));
	return r;
}

static inline void expect_fault(const char *body, uint32_t stack_limit, const char *text)
{
	struct call_run r = run_both(body, 32, stack_limit);

	cr_assert_eq(r.result.outcome, GPU_FAULT);
	cr_assert(strstr(r.result.fault.text, text), "'%s' does not hold '%s'", r.result.fault.text, text);
}

#endif
