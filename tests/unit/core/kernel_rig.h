/* tests/unit/core/kernel_rig.h -- a PTX module on a small machine: parsed, lowered, run with or without
 * timing. */
#ifndef TESTS_CORE_KERNEL_RIG_H
#define TESTS_CORE_KERNEL_RIG_H

#include "frontend/ptx.h"
#include "memsys/memory.h"
#include "sim/base/diag.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"
#include "tests/unit/core/run_launch.h"
#include "tests/unit/core/launch_none.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct bench {
	struct config *config;
	struct diag_list diags;
	struct gpu *gpu;
	struct ptx_module *module;
	struct ptx_image *image;
	struct launch_result result;
	uint64_t out;       /* device address of `words` words, zero at first */
	const uint32_t *at; /* the same for the host */
};

/* Variables get their places and initial values; values that hold addresses are not filled in. */
static inline void bench_load(struct bench *b)
{
	for (uint32_t i = 0; i < b->image->symbol_count; i++) {
		struct ptx_symbol *symbol = &b->image->symbols[i];

		symbol->address = memory_allocate(gpu_memory(b->gpu), symbol->size, symbol->align);
		if (symbol->data)
			memcpy(memory_host(symbol->address), symbol->data, symbol->size);
		else
			memset(memory_host(symbol->address), 0, symbol->size);
	}
	ptx_image_relocate(b->image);
}

/* The module's text behind its header; one parameter, the address of `words` words, is expected of the entry.
 * set: "path=value" for the configuration, or NULL. */
static inline struct bench *bench_new_with(
	const char *header, const char *body, uint32_t words, const char *set)
{
	struct bench *b = calloc(1, sizeof(*b));
	size_t size = strlen(header) + strlen(body) + 64;
	char *text = malloc(size);

	snprintf(text, size, "%s\n.address_size 64\n%s", header, body);
	diag_init(&b->diags);
	b->config = config_new();
	set_no_launch_cost(b->config, &b->diags);
	cr_assert(config_set(b->config, "dram.check=true", &b->diags));
	cr_assert(config_set(b->config, "gpu.sms=2", &b->diags));
	cr_assert(config_set(b->config, "gpu.memory=67108864", &b->diags));
	cr_assert(!set || config_set(b->config, set, &b->diags));
	b->gpu = gpu_new(b->config, &b->diags);
	b->module = ptx_parse(text, strlen(text), "test.ptx", &b->diags);
	b->image = b->module ? ptx_lower(b->module, &b->diags) : NULL;
	diag_print(&b->diags, stderr);
	cr_assert(b->gpu && b->image);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), words * 4, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, words * 4);
	free(text);
	return b;
}

static inline struct bench *bench_new(const char *header, const char *body, uint32_t words)
{
	return bench_new_with(header, body, words, NULL);
}

static inline void bench_run(struct bench *b, uint32_t grid, uint32_t block, bool functional)
{
	struct launch launch = { .kernel = &b->image->kernels[0],
		.grid = { grid, 1, 1 },
		.block = { block, 1, 1 },
		.params = (const uint8_t *)&b->out };

	run_launch(b->gpu, &launch, functional, &b->result);
}

static inline void bench_free(struct bench *b)
{
	ptx_image_free(b->image);
	ptx_module_free(b->module);
	gpu_free(b->gpu);
	config_free(b->config);
	diag_fini(&b->diags);
	free(b);
}

/* An entry k that has %r0 = thread in the grid and %rd0 = address of its word; the code goes between. */
#define KERNEL(code) \
	".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<19>;\n.reg " \
	".f32 %f<9>;\n" \
	".reg .b64 %rd<9>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n" \
	"mov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, " \
	"%rd0, %rd1;\n" code "\nret;\n}\n"

#define SM_80 ".version 8.0\n.target sm_80"

/* The messages with which the module is refused; the caller's to free. NULL: it is not. */
static inline char *refusal(const char *header, const char *body)
{
	struct diag_list diags;
	size_t size = strlen(header) + strlen(body) + 64;
	char *text = malloc(size), *messages = NULL;
	struct ptx_module *module;
	struct ptx_image *image;

	snprintf(text, size, "%s\n.address_size 64\n%s", header, body);
	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "test.ptx", &diags);
	image = module ? ptx_lower(module, &diags) : NULL;
	if (!image)
		messages = diag_render(&diags, DIAG_ERROR);
	else
		ptx_image_free(image);
	ptx_module_free(module);
	diag_fini(&diags);
	free(text);
	return messages;
}

#endif
