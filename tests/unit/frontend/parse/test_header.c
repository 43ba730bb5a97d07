/* tests/unit/frontend/parse/test_header.c -- the head of a module, directives with their versions and
 * targets, and what is kept only to be printed back. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(header, .init = set_up, .fini = tear_down);

static void expect_first_error(const char *text, const char *message)
{
	parse(text);
	cr_assert_null(module, "accepted: %s", text);
	cr_expect_str_eq(diags.items[0].message, message, "%s\n  got:      %s\n  expected: %s", text,
		diags.items[0].message, message);
}

static void expect_printed(const char *text, const char *part)
{
	char *printed;
	size_t size;
	FILE *stream = open_memstream(&printed, &size);

	accept_text(text);
	ptx_print_module(module, stream);
	fclose(stream);
	cr_expect(strstr(printed, part), "%s\n is not in\n%s", part, printed);
	free(printed);
}

Test(header, targets_have_a_number_a_suffix_and_options)
{
	accept_text(".version 8.8\n.target sm_100f, debug, texmode_independent\n");
	cr_expect_eq(module->sm, 100);
	cr_expect_eq(module->target_suffix, 'f');
	cr_expect(module->target_debug);
	cr_expect_str_eq(module->texmode, "texmode_independent");
}

/* clang-format off */
Test(header, what_version_and_target_do_not_have_yet_is_refused)
{
	static const char *const cases[][2] = {
		{ ".version 8.5\n.target sm_100\n",
			"'sm_100' needs PTX ISA 8.6 or later (this module: 8.5)" },
		{ ".version 8.7\n.target sm_100f\n",
			"'sm_100f' needs PTX ISA 8.8 or later (this module: 8.7)" },
		{ ".version 8.7\n.target sm_80a\n", "unknown target 'sm_80a'" },
		{ ".version 5.2\n.target sm_60\n", "there is no PTX version 5.2" },
		{ ".version 2.2\n.target sm_20\n.address_size 64\n",
			"'.address_size' needs PTX ISA 2.3 or later (this module: 2.2)" },
		{ ".version 2.0\n.target sm_20\n@@DWARF .byte 1\n",
			"'@@DWARF' went away with PTX ISA 2.0 (this module: 2.0)" },
		{ ".version 7.0\n.target sm_75\n.address_size 64\n"
			".entry k() { .reg .b32 r; redux.sync.add.u32 r, 1, -1; }",
			"'redux.sync.add.u32' needs .target sm_80 or later (this module: sm_75)" },
		{ ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { wgmma.fence.sync.aligned; }",
			"'wgmma.fence.sync.aligned' needs .target sm_90a (this module: sm_90)" },
		{ ".version 7.7\n.target sm_86\n.address_size 64\n"
			".entry k() { .reg .b32 r; mov.u32 r, %cluster_ctarank; }",
			"'%cluster_ctarank' needs PTX ISA 7.8 or later (this module: 7.7)" },
		{ ".version 8.7\n.target sm_100\n.address_size 64\n"
			".entry k() { .reg .f32 f; min.f32 f, 1.0, 2.0, 3.0; }",
			"'a minimum or maximum of three' needs PTX ISA 8.8 or later (this module: 8.7)" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_first_error(cases[i][0], cases[i][1]);
	accept_text(".version 9.1\n.target sm_90\n.address_size 64\n");
	cr_expect_eq(diags.warnings, 1);
}

/* clang-format off */
Test(header, directives_are_printed_back)
{
	static const char head[] = ".version 9.0\n.target sm_90a, texmode_unified, debug\n.address_size 64\n";
	static const char *const cases[][2] = {
		{ "", ".target sm_90a, texmode_unified, debug\n" },
		{ ".global .attribute(.managed, .unified(1, 2)) .b32 a;",
			".attribute(.managed, .unified(1, 2))" },
		{ ".func .attribute(.unified(19, 95)) f() .abi_preserve 0 { ret; }",
			".func .attribute(.unified(19, 95)) f()\n.abi_preserve 0" },
		{ ".entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }",
			".reqntid 32, 1, 1\n.reqnctapercluster 2, 1, 1\n.blocksareclusters" },
		{ ".entry k() .maxclusterrank 4 .explicitcluster { ret; }",
			".maxclusterrank 4\n.explicitcluster" },
		{ ".func g();\n.func f() { ret; }\n.alias g, f;\n", ".alias g, f;" },
		{ ".file 3 \"a.cu\", 12, 13\n.pragma \"nounroll\";",
			".file 3 \"a.cu\", 12, 13\n.pragma \"nounroll\";\n" },
		{ ".entry k() { .loc 1 2 3, function_name L+4, inlined_at 1 5 6\nret; }",
			".loc 1 2 3, function_name L+4, inlined_at 1 5 6\n" },
		{ ".section .debug_str {\nL: .b8 1\n}", ".section .debug_str {\nL: .b8 1\n}\n" },
	};
	/* clang-format on */
	char text[1000];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		snprintf(text, sizeof text, "%s%s\n", head, cases[i][0]);
		expect_printed(text, cases[i][1]);
	}
}

Test(header, comments_may_hold_any_bytes)
{
	accept_module("// größe \xff\xfe\n/* \xe5\xa4\xa7 * / ** */ .entry k() { ret; } // \x01");
}

Test(header, calls_of_an_alias_reach_a_target_that_is_defined_later)
{
	struct ptx_function *f = accept_module(
		".func g();\n.func f();\n.alias g, f;\n.entry k() { call g; ret; }\n.func f() { ret; }");

	while (strcmp(f->name, "k"))
		f = f->next;
	cr_expect_str_eq(operand_of(f, 0, 0)->function->name, "f");
	cr_expect(operand_of(f, 0, 0)->function->has_body);
}
