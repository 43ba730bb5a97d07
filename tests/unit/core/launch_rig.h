/* tests/unit/core/launch_rig.h -- one kernel at a time on the whole machine, with and without timing. */
#ifndef TESTS_CORE_LAUNCH_RIG_H
#define TESTS_CORE_LAUNCH_RIG_H

#include "frontend/ptx.h"
#include "memsys/memory.h"
#include "sim/base/diag.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"
#include "tests/unit/core/run_launch.h"
#include "tests/unit/core/launch_none.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel_rig {
	struct config *config;
	struct diag_list diags;
	struct gpu *gpu;
	struct ptx_module *module;
	struct ptx_image *image;
	struct ptx_kernel *kernel;
	struct launch_result result;
};

/* set: NAME=VALUE, or several with spaces between them; NULL: none */
static inline void set_options(struct config *config, const char *set, struct diag_list *diags)
{
	char *copy = set ? strdup(set) : NULL, *rest = copy;

	for (char *one; rest && (one = strsep(&rest, " "));)
		cr_assert(config_set(config, one, diags));
	free(copy);
}

/* chip: the file of a configuration, or NULL; whole: a module; set: as in set_options. */
static inline struct kernel_rig *rig_new_chip(const char *chip, const char *whole, const char *set)
{
	struct kernel_rig *r = calloc(1, sizeof(*r));

	diag_init(&r->diags);
	r->config = config_new();
	cr_assert(!chip || config_load(r->config, chip, &r->diags), "%s", chip);
	set_no_launch_cost(r->config, &r->diags);
	cr_assert(config_set(r->config, "dram.check=true", &r->diags));
	cr_assert(config_set(r->config, "gpu.sms=2", &r->diags));
	set_options(r->config, set, &r->diags);
	r->gpu = gpu_new(r->config, &r->diags);
	r->module = ptx_parse(whole, strlen(whole), "test.ptx", &r->diags);
	if (!r->gpu || !r->module)
		diag_print(&r->diags, stderr);
	cr_assert(r->gpu && r->module);
	r->image = ptx_lower(r->module, &r->diags);
	if (!r->image)
		diag_print(&r->diags, stderr);
	cr_assert(r->image);
	r->kernel = &r->image->kernels[0];
	return r;
}

static inline struct kernel_rig *rig_new_module(const char *whole, const char *set)
{
	return rig_new_chip(NULL, whole, set);
}

/* text: what stands behind the header of a module for sm_90. */
static inline struct kernel_rig *rig_new(const char *text, const char *set)
{
	char *whole = malloc(strlen(text) + 100);
	struct kernel_rig *r;

	sprintf(whole, ".version 8.7\n.target sm_90\n.address_size 64\n%s", text);
	r = rig_new_module(whole, set);
	free(whole);
	return r;
}

/* A kernel of a file. */
static inline struct kernel_rig *rig_open(const char *path, const char *kernel)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");
	struct kernel_rig *r;

	cr_assert(f, "%s", path);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	r = rig_new_module(text, NULL);
	r->kernel = ptx_image_kernel(r->image, kernel);
	cr_assert(r->kernel);
	return r;
}

static inline void rig_free(struct kernel_rig *r)
{
	ptx_image_free(r->image);
	ptx_module_free(r->module);
	gpu_free(r->gpu);
	config_free(r->config);
	diag_fini(&r->diags);
	free(r);
}

static inline uint64_t rig_buffer(struct kernel_rig *r, size_t bytes)
{
	uint64_t p = memory_allocate(gpu_memory(r->gpu), bytes, 256);

	cr_assert(p);
	memset(memory_host(p), 0, bytes);
	return p;
}

static inline void rig_launch(
	struct kernel_rig *r, uint32_t grid, uint32_t block, const void *params, bool functional)
{
	struct launch launch = {
		.kernel = r->kernel, .grid = { grid, 1, 1 }, .block = { block, 1, 1 }, .params = params
	};

	memset(&r->result, 0, sizeof(r->result));
	run_launch(r->gpu, &launch, functional, &r->result);
}

static inline void rig_expect_done(struct kernel_rig *r)
{
	cr_assert_eq(r->result.outcome, GPU_DONE, "%s", r->result.fault.text);
}

#endif
