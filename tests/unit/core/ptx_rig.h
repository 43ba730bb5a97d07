/* tests/unit/core/ptx_rig.h -- straight-line PTX on the bench of exec_rig.h: text in, lowered, executed
 * micro-operation by micro-operation for one warp with lanes 0 .. 31 in %tid.x; data goes in and out through
 * shared memory. */
#ifndef TESTS_CORE_PTX_RIG_H
#define TESTS_CORE_PTX_RIG_H

#include "exec_rig.h"
#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"

/* Runs the only kernel of a module on a rig whose shared memory has been filled. */
static inline void rig_run_ptx(struct rig *r, const exec_function *table, const char *text)
{
	struct diag_list diags;
	struct ptx_module *module;
	struct ptx_image *image;
	const struct ptx_kernel *k;

	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "rig.ptx", &diags);
	image = module ? ptx_lower(module, &diags) : NULL;
	if (!image)
		diag_print(&diags, stderr);
	cr_assert(image, "%s", text);
	k = image->kernels;
	cr_assert_leq(k->rows, 64);
	r->x.constants = (const uint32_t(*)[32])k->constants;
	r->x.extra = k->extra;
	for (uint32_t i = 0; i < k->preload_count; i++)
		for (unsigned l = 0; l < 32; l++)
			r->registers[k->preloads[i].row][l] = l;
	for (uint32_t i = 0; i < k->uop_count && k->uops[i].code != UOP_EXIT; i++)
		rig_run(r, table, &k->uops[i], UINT32_MAX);
	cr_assert_not(r->x.faulted);
	ptx_image_free(image);
	ptx_module_free(module);
	diag_fini(&diags);
}

#endif
