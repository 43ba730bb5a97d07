/* tests/unit/core/machine_rig.h -- an assembled machine with one PTX module: launch a kernel, read
 * statistics. */
#ifndef TESTS_CORE_MACHINE_RIG_H
#define TESTS_CORE_MACHINE_RIG_H

#include "frontend/ptx.h"
#include "memsys/memory.h"
#include "sim/base/diag.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"
#include "tests/unit/core/run_launch.h"
#include "tests/unit/core/launch_none.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine {
	struct config *config;
	struct diag_list diags;
	struct gpu *gpu;
	struct ptx_module *module;
	struct ptx_image *image;
	struct launch_result result;
};

/* A module for the target, such as "sm_35". sets: "path=value", NULL-terminated. */
static inline struct machine *machine_new_for(const char *target, const char *body, const char *const *sets)
{
	struct machine *m = calloc(1, sizeof(*m));
	size_t size = strlen(body) + 128;
	char *text = malloc(size);

	snprintf(text, size, ".version %s\n.target %s\n.address_size 64\n%s",
		atoi(target + 3) < 70           ? "3.2"
			: atoi(target + 3) < 90 ? "7.7"
						: "8.6",
		target, body);
	diag_init(&m->diags);
	m->config = config_new();
	set_no_launch_cost(m->config, &m->diags);
	cr_assert(config_set(m->config, "dram.check=true", &m->diags));
	for (; *sets; sets++)
		cr_assert(config_set(m->config, *sets, &m->diags));
	m->gpu = gpu_new(m->config, &m->diags);
	config_check_unknown(m->config, &m->diags);
	m->module = ptx_parse(text, strlen(text), "test.ptx", &m->diags);
	diag_print(&m->diags, stderr);
	cr_assert(m->gpu && m->module && !m->diags.errors);
	m->image = ptx_lower(m->module, &m->diags);
	diag_print(&m->diags, stderr);
	cr_assert(m->image);
	free(text);
	return m;
}

static inline struct machine *machine_new(const char *body, const char *const *sets)
{
	return machine_new_for("sm_20", body, sets);
}

static inline void machine_free(struct machine *m)
{
	ptx_image_free(m->image);
	ptx_module_free(m->module);
	gpu_free(m->gpu);
	config_free(m->config);
	diag_fini(&m->diags);
	free(m);
}

static inline void machine_launch_as(
	struct machine *m, uint32_t grid, uint32_t block, const uint64_t *params, bool functional)
{
	struct launch launch = { .kernel = &m->image->kernels[0],
		.grid = { grid, 1, 1 },
		.block = { block, 1, 1 },
		.params = (const uint8_t *)params };
	char message[256];
	const char *wrong = gpu_check_launch(m->gpu, &launch, message, sizeof(message));

	cr_assert_null(wrong, "%s", wrong);
	run_launch(m->gpu, &launch, functional, &m->result);
}

static inline void machine_launch(struct machine *m, uint32_t grid, uint32_t block, const uint64_t *params)
{
	machine_launch_as(m, grid, block, params, false);
}

static inline uint64_t machine_stat(struct machine *m, const char *name)
{
	return (uint64_t)stat_value(gpu_stats(m->gpu), NULL, name);
}

#endif
