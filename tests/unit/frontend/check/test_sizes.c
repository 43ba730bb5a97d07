/* tests/unit/frontend/check/test_sizes.c -- sizes beyond what 32 bits or the host's memory hold are refused
 * with a message. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(sizes, .init = set_up, .fini = tear_down);

/* By the checks or by the lowering. */
static void refuse_lowering(const char *rest, const char *expected)
{
	struct ptx_image *image;
	char *rendered, text[2048];

	snprintf(text, sizeof text, HEADER "%s", rest);
	image = parse(text) ? ptx_lower(module, &diags) : NULL;
	rendered = diag_render(&diags, DIAG_ERROR);
	cr_expect_null(image, "accepted: %s", rest);
	cr_expect(strstr(rendered, expected), "got:\n%s\nexpected:\n%s", rendered, expected);
	free(rendered);
	ptx_image_free(image);
}

Test(sizes, shared_memory_does_not_wrap)
{
	refuse_lowering(
		".entry k() { .shared .b8 a[4294967312]; ret; }", "'k' declares 4294967312 bytes of .shared");
	refuse_lowering(".entry k() { .shared .b8 a[2147483648], b[2147483648]; ret; }",
		"'k' declares 4294967296 bytes of .shared");
	refuse_lowering(".shared .b8 a[1099511627776]; .entry k() { .reg .b64 d; mov.b64 d, a; ret; }",
		"'k' has 1099511627776 bytes of shared memory");
}

/* Of the module, of all functions that a kernel reaches; what nothing names does not count. */
Test(sizes, shared_memory_with_sizes_is_that_of_the_chips)
{
	struct ptx_image *image;

	refuse_lowering(".shared .b8 a[40000], b[9153]; .entry k() { st.shared.u8 [a], 1; st.shared.u8 [b], "
			"1; ret; }",
		"'k' has 49153 bytes of shared memory: at most 49152");
	refuse_lowering(".shared .b8 a[40000]; .func f() { .shared .b8 b[9153]; st.shared.u8 [b], 1; ret; } "
			".entry k() { st.shared.u8 [a], 1; call f; ret; }",
		"'k' has 49153 bytes of shared memory: at most 49152");
	accept_text(HEADER ".shared .b8 a[40000], b[9152], c[40000]; .entry k() { st.shared.u8 [a], 1; "
			   "st.shared.u8 [b], 1; ret; }");
	image = ptx_lower(module, &diags);
	cr_assert(image, "refused");
	cr_expect_eq(image->kernels[0].shared_bytes, 49152);
	ptx_image_free(image);
}

Test(sizes, parameters_do_not_wrap)
{
	refuse_lowering(
		".entry k(.param .b8 p[4294967300]) { .reg .b32 a; ld.param.b32 a, [p+4294967296]; ret; }",
		"the parameters take 4294967300 bytes: there are 32764");
}

Test(sizes, local_memory_does_not_wrap)
{
	refuse_lowering(".entry k() { .local .b8 a[4294967312]; ret; }",
		"'k' needs more local memory than can be executed");
	refuse_lowering(".func f(.param .b8 x[4294967312]) { ret; } .entry k() { ret; }",
		"'f' needs more local memory than can be executed");
}

Test(sizes, initial_data_end_somewhere)
{
	char text[1024] = "";

	for (int i = 0; i < 5; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			".global .b8 a%d[268435456] = {1};\n", i);
	refuse_lowering(text, "with 'a4' more than 1073741824 bytes of variables are initialised");
}

Test(sizes, arrays_and_registers_are_counted_in_64_bits)
{
	refuse_module(".global .b64 a[2147483648][2147483648][4];\n",
		"a.ptx:4:28: error: the array is too large\n"
		"    4 | .global .b64 a[2147483648][2147483648][4];\n"
		"      |                            ^\n");
	refuse_module(".entry k() { .reg .b32 %r<4294967297>; ret; }\n",
		"a.ptx:4:27: error: 4294967297 registers: there can be 4194304\n"
		"    4 | .entry k() { .reg .b32 %r<4294967297>; ret; }\n"
		"      |                           ^\n");
}
