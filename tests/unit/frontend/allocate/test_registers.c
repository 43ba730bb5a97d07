/* tests/unit/frontend/allocate/test_registers.c -- registers per thread of code that is timed as PTX writes
 * it: those that the optimised code would take, while the code itself stays. */
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <string.h>

#define HEADER \
	".version 7.0\n.target sm_70\n.address_size 64\n" \
	".visible .entry k(.param .u64 out)\n{\n.reg .pred %p;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" \
	".shared .align 4 .b8 tile[1024];\n"
#define FOOTER "ret;\n}\n"

struct counted {
	unsigned registers, uops, constant_rows;
	unsigned named; /* check sum of the rows that results go to */
};

static struct counted count_as(const char *text, const struct ptx_lowering *lowering)
{
	struct diag_list diags;
	struct ptx_module *module;
	struct ptx_image *image;
	struct counted counted;

	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	cr_assert(module);
	image = ptx_lower_as(&module, 1, lowering, &diags);
	cr_assert(image);
	counted = (struct counted){ image->kernels[0].registers, image->kernels[0].uop_count,
		image->kernels[0].constant_rows, 0 };
	for (unsigned i = 0; i < counted.uops; i++)
		counted.named = 31 * counted.named + image->kernels[0].uops[i].dst[0];
	ptx_image_free(image);
	ptx_module_free(module);
	diag_fini(&diags);
	return counted;
}

static struct counted count(const char *text, unsigned sm)
{
	return count_as(text, &(struct ptx_lowering){ .timed_code = PTX_AS_WRITTEN, .sm = sm });
}

#define USE(address) \
	"ld.shared.u32 %r2, [" address "];\nbar.sync 0;\nld.shared.u32 %r3, [" address "+4];\n" \
	"add.s32 %r4, %r2, %r3;\nst.shared.u32 [" address "+8], %r4;\n"

/* Shared memory needs 32 bits of an address, and scales it itself. */
Test(registers, wide_addresses_of_shared_memory_cost_no_more)
{
	const char *narrow = HEADER "mov.u32 %r1, %tid.x;\n" USE("%r1") FOOTER;
	const char *wide = HEADER "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, tile;\n"
				  "add.s64 %rd3, %rd2, %rd1;\n" USE("%rd3") FOOTER;

	cr_expect_eq(count(wide, 75).registers, count(narrow, 75).registers);
}

/* Three addresses of device memory take three registers more than three numbers. */
Test(registers, addresses_of_device_memory_are_wide)
{
#define THREE(type, register, store) \
	"mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd7, %r0, 8;\nld.param.u64 %rd0, [out];\n" \
	"add.s64 %rd0, %rd0, %rd7;\nld.global." type \
	" " register "1, [%rd0];\n" \
		     "ld.global." type " " register "2, [%rd0+8];\nld.global." type \
						    " " register "3, [%rd0+16];\n" \
								 "bar.sync 0;\n" store
	unsigned narrow = count(HEADER THREE("u32", "%r",
					"st.global.u32 [%rd0], %r3;\nst.global.u32 [%rd0+4], %r2;\n"
					"st.global.u32 [%rd0+8], %r1;\n") FOOTER,
		75)
				  .registers;
	unsigned wide = count(HEADER THREE("u64", "%rd",
				      "st.global.u64 [%rd3], %rd2;\nst.global.u64 [%rd2], %rd1;\n"
				      "st.global.u64 [%rd1], %rd3;\n") FOOTER,
		75)
				.registers;

	cr_expect_geq(wide, narrow + 2, "%u and %u", wide, narrow);
}

/* What the chip's compiler would leave out costs nothing; it is executed all the same. */
Test(registers, what_is_computed_for_nothing_costs_none)
{
	const char *plain = HEADER "st.shared.u32 [tile], 1;\n" FOOTER;
	const char *more =
		HEADER "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r3, %r1, %r2, 77;\n"
		       "mad.lo.u32 %r4, %r3, %r2, %r1;\nst.shared.u32 [tile], 1;\n" FOOTER;

	cr_expect_eq(count(more, 75).registers, count(plain, 75).registers);
	cr_expect_eq(count(more, 75).uops, count(plain, 75).uops + 4);
}

/* A loop that would be unrolled, parameters that would become operands: the micro-operations and constants
 * are those of the PTX, whatever the chip. */
Test(registers, the_trial_leaves_the_code_as_it_is)
{
	const char *text = HEADER "ld.param.u64 %rd1, [out];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n"
				  "again:\nld.global.u32 %r3, [%rd1];\nadd.s32 %r2, %r2, %r3;\n"
				  "add.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 64;\n"
				  "@%p bra again;\nst.global.u32 [%rd1], %r2;\n" FOOTER;
	struct counted turing = count(text, 75), fermi = count(text, 20);
	const uint32_t constants = 5; /* 0, 1, 4 (64 bits: two rows), 64 */

	cr_expect_eq(turing.uops, 11);
	cr_expect_eq(fermi.uops, 11);
	cr_expect_eq(turing.constant_rows, constants, "%u", turing.constant_rows);
	cr_expect_eq(fermi.constant_rows, constants, "%u", fermi.constant_rows);
}

/* The same number as that of the code that is timed as the chip would issue it. */
Test(registers, are_those_of_scheduled_code)
{
	const char *text = HEADER "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nmov.u64 %rd2, tile;\n"
				  "add.s64 %rd3, %rd2, %rd1;\n" USE("%rd3") FOOTER;
	struct ptx_lowering scheduled = { .timed_code = PTX_SCHEDULED, .sm = 80 };

	cr_expect_eq(count(text, 80).registers, count_as(text, &scheduled).registers);
}

/* Code without products to fuse is timed as it is written, whatever `contract` says: its registers are not
 * renamed, so that the second load waits for the first. */
Test(registers, contraction_without_products_leaves_the_code_as_it_is)
{
	const char *text =
		HEADER "mov.u32 %r1, %tid.x;\nmov.u32 %r0, tile;\nadd.u32 %r0, %r0, %r1;\n"
		       "mov.u32 %r1, 1;\nst.shared.u32 [%r0], %r1;\n"
		       "again:\nld.volatile.shared.u32 %r2, [%r0];\nld.volatile.shared.u32 %r2, [%r0+4];\n"
		       "setp.eq.u32 %p, %r2, 0;\n@%p bra again;\n" FOOTER;
	struct ptx_lowering fused = { .sm = 70, .contract = PTX_CONTRACT_CHIP };

	cr_expect_eq(count_as(text, &fused).named, count(text, 70).named);
}
