/* tests/unit/frontend/optimise/optimise_rig.h -- short programs, and the names of what frontend/optimise
 * makes of them. */
#ifndef TESTS_UNIT_FRONTEND_OPTIMISE_RIG_H
#define TESTS_UNIT_FRONTEND_OPTIMISE_RIG_H

#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER \
	".version 6.4\n.target sm_75\n.address_size 64\n.const .align 8 .b32 table[4] = {5, 6, 7, 8};\n" \
	".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<19>;\n" \
	".reg .b64 %rd<19>;\n.reg .f32 %f<9>;\n.shared .align 4 .b8 tile[1024];\n"
#define FOOTER "\nret;\n}\n"

static struct ptx_module *module;
static struct ptx_image *image;
static const struct ptx_kernel *k;

static void lower(const char *body, uint32_t timed_code, uint32_t sm)
{
	struct ptx_lowering how = { .timed_code = timed_code, .sm = sm };
	size_t size = strlen(body) + 1024;
	char *text = malloc(size);
	struct diag_list diags;

	snprintf(text, size, "%s%s%s", HEADER, body, FOOTER);
	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	image = module ? ptx_lower_as(&module, 1, &how, &diags) : NULL;
	diag_print(&diags, stderr);
	cr_assert(image);
	k = &image->kernels[0];
	diag_fini(&diags);
	free(text);
}

static void done(void)
{
	ptx_image_free(image);
	ptx_module_free(module);
}

/* Behind the stack pointer, with which every kernel begins. */
#define UOPS (k->uops + 1)

/* The names of all micro-operations but that, one after the other. */
static const char *made_for(const char *body, uint32_t sm)
{
	static char names[2048];
	size_t used = 0;

	lower(body, PTX_SCHEDULED, sm);
	names[0] = '\0';
	cr_assert_eq(k->uops[0].code, UOP_STEP);
	for (uint32_t i = 1; i < k->uop_count; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s%s", i > 1 ? " " : "",
			k->uops[i].flags & UOP_GUARDED ? "@" : "", uop_name(k->uops[i].code));
	done();
	return names;
}

#define STORED                    "\nst.shared.u32 [tile], %r9;"
#define MADE(body, names)         cr_expect_str_eq(made_for(body, 75), names)
#define MADE_FOR(sm, body, names) cr_expect_str_eq(made_for(body, sm), names)

#endif
