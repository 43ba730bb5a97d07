/* tests/unit/frontend/check/test_refused.c -- what cannot be executed refuses only the kernels that reach
 * it. */
#include "tests/unit/frontend/parse_rig.h"

static struct ptx_image *image;

static void fini(void)
{
	ptx_image_free(image);
	image = NULL;
	tear_down();
}

TestSuite(refused, .init = set_up, .fini = fini);

#define UNKNOWN    "multimem.st.relaxed.sys.global.u32 [v], 1;"
#define GOOD(name) ".visible .entry " name "() { ret; }\n"

static void lower_keeping(const char *rest)
{
	static const struct ptx_lowering lowering = { .timed_code = PTX_AS_WRITTEN };
	static char text[4096];

	snprintf(text, sizeof text, HEADER ".global .b32 v; %s", rest);
	accept_text(text);
	image = ptx_lower_kernels(&module, 1, &lowering, &diags);
}

static const char *refusal(const char *name)
{
	return ptx_image_kernel(image, name)->refusal;
}

Test(refused, a_function_that_nothing_calls_is_a_warning)
{
	lower_keeping(".func unused() { " UNKNOWN " ret; }\n" GOOD("k"));
	cr_assert(image);
	cr_expect_null(refusal("k"));
	cr_expect(ptx_image_kernel(image, "k")->uop_count);
	cr_expect_eq(diags.errors, 0);
	cr_assert_eq(diags.warnings, 1);
	cr_expect_str_eq(diags.items[0].message,
		"'multimem.st.relaxed.sys.global.u32' accesses the memory of several GPUs at once, and one "
		"GPU is simulated");
	cr_expect_eq(diags.items[0].line, 4);
}

Test(refused, a_kernel_that_reaches_it_is_refused_and_the_others_are_not)
{
	lower_keeping(".func f() { ret; }\n.func g() { call f; " UNKNOWN " ret; }\n" GOOD(
		"good") ".visible .entry one() { call g; ret; }\n.visible .entry two() { call g; ret; }\n"
			".visible .entry calls() { call f; ret; }\n");
	cr_assert(image);
	cr_expect_null(refusal("good"));
	cr_expect_null(refusal("calls"));
	cr_expect_str_eq(refusal("one"),
		"a.ptx:5:21: 'multimem.st.relaxed.sys.global.u32' accesses the memory of several GPUs at "
		"once, and one GPU is simulated");
	cr_expect_str_eq(refusal("two"), refusal("one"));
	cr_expect_eq(diags.warnings, 1, "said once");
}

Test(refused, if_no_kernel_is_left_it_is_an_error)
{
	lower_keeping(
		".visible .entry k() { " UNKNOWN " ret; }\n.visible .entry k2() { " UNKNOWN " ret; }\n");
	cr_expect_null(image);
	cr_expect_eq(diags.errors, 2);
	cr_expect_eq(diags.warnings, 0);
}

Test(refused, a_name_that_no_module_defines_is_an_error)
{
	lower_keeping(".extern .func missing();\n.func unused() { call missing; ret; }\n" GOOD("k"));
	cr_expect_null(image);
	cr_expect_eq(diags.errors, 1);
}

Test(refused, otherwise_each_is_an_error)
{
	static char text[] = HEADER ".global .b32 v; .func unused() { " UNKNOWN " ret; }\n" GOOD("k");

	accept_text(text);
	image = ptx_lower(module, &diags);
	cr_expect_null(image);
	cr_expect_eq(diags.errors, 1);
}
