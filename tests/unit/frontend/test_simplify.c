/* tests/unit/frontend/test_simplify.c -- programs that a compiler for the machine would make the same code of
 * take as many registers by the estimate. */
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <string.h>

#define HEADER \
	".version 3.2\n.target sm_20\n.address_size 64\n" \
	".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 4 .b8 " \
	"tile[1024];\n"
#define FOOTER "ret;\n}\n"

static unsigned estimate(const char *text)
{
	struct diag_list diags;
	struct ptx_module *module;
	struct ptx_image *image;
	unsigned registers;

	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	cr_assert(module);
	image = ptx_lower(module, &diags);
	cr_assert(image);
	registers = image->kernels[0].registers;
	ptx_image_free(image);
	ptx_module_free(module);
	diag_fini(&diags);
	return registers;
}

#define USE(address) \
	"ld.shared.u32 %r2, [" address "];\nbar.sync 0;\nld.shared.u32 %r3, [" address "+4];\n" \
	"add.s32 %r4, %r2, %r3;\nst.shared.u32 [" address "+8], %r4;\n"

/* Shared memory needs 32 bits of an address, and scales it itself. */
Test(simplify, wide_addresses_of_shared_memory_cost_no_more)
{
	unsigned narrow = estimate(HEADER "mov.u32 %r1, %tid.x;\n" USE("%r1") FOOTER);
	unsigned wide =
		estimate(HEADER "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, tile;\n"
				"add.s64 %rd3, %rd2, %rd1;\n" USE("%rd3") FOOTER);

	cr_expect_eq(wide, narrow, "%u and %u", wide, narrow);
}

/* What the upper half of an address of device memory holds counts. */
Test(simplify, addresses_of_device_memory_are_wide)
{
	unsigned shared = estimate(HEADER "mov.u64 %rd1, %clock64;\n" USE("%rd1") FOOTER);
	unsigned global = estimate(HEADER "mov.u64 %rd1, %clock64;\nld.global.u32 %r2, [%rd1];\nbar.sync 0;\n"
					  "ld.global.u32 %r3, [%rd1+4];\nadd.s32 %r4, %r2, "
					  "%r3;\nst.global.u32 [%rd1+8], %r4;\n" FOOTER);

	cr_expect_gt(global, shared, "%u and %u", global, shared);
}
