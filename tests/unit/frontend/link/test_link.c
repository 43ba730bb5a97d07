/* tests/unit/frontend/link/test_link.c -- several modules as one program: what a name stands for, and what
 * does not fit. */
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct diag_list diags;
static struct ptx_module *modules[4];
static size_t count;
static struct ptx_image *image;

static void set_up(void)
{
	diag_init(&diags);
	count = 0;
}

static void fini(void)
{
	ptx_image_free(image);
	image = NULL;
	for (size_t i = 0; i < count; i++)
		ptx_module_free(modules[i]);
	diag_fini(&diags);
}

TestSuite(link, .init = set_up, .fini = fini);

#define HEADER ".version 6.4\n.target sm_50\n.address_size 64\n"

static void add(const char *rest)
{
	static const char *const names[] = { "a.ptx", "b.ptx", "c.ptx", "d.ptx" };
	char text[4096];

	snprintf(text, sizeof text, HEADER "%s", rest);
	modules[count] = ptx_parse(text, strlen(text), names[count], &diags);
	if (!modules[count])
		diag_print(&diags, stderr);
	cr_assert(modules[count]);
	count++;
}

static struct ptx_image *linked(void)
{
	image = ptx_lower_linked(modules, count, &diags);
	if (!image)
		diag_print(&diags, stderr);
	cr_assert(image, "refused");
	return image;
}

static void expect_refusal(const char *message)
{
	image = ptx_lower_linked(modules, count, &diags);
	cr_assert(!image, "accepted");
	char *text = diag_render(&diags, DIAG_ERROR);
	cr_expect(strstr(text, message), "'%s' does not hold '%s'", text, message);
	free(text);
}

/* The line in its own file where the function begins that the kernel calls first; its file in *file. */
static uint32_t line_of_callee(const struct ptx_kernel *k, const char **file)
{
	cr_assert_geq(k->function_count, 2);
	*file = k->functions[1].module->file;
	return k->uops[k->functions[1].entry].line;
}

static void expect_callee(const char *file, uint32_t line)
{
	const char *found;
	uint32_t at = line_of_callee(&linked()->kernels[0], &found);

	cr_expect_str_eq(found, file);
	cr_expect_eq(at, line, "line %u", at);
}

#define ENTRY   ".entry k() { call f; ret; }\n"
#define EXTERN  ".extern .func f ();\n"
#define VISIBLE ".visible .func f ()\n{ ret; }\n"
#define WEAK    ".weak .func f ()\n{ membar.gl; ret; }\n"

Test(link, an_extern_function_is_another_modules)
{
	add(EXTERN ENTRY);
	add("\n" VISIBLE);
	expect_callee("b.ptx", 6);
	cr_expect_str_eq(image->kernels[0].module->file, "a.ptx");
}

Test(link, modules_may_call_each_other)
{
	add(EXTERN ".visible .func g () { call f; ret; }\n" ENTRY);
	add(".extern .func g ();\n.visible .func f () { call g; ret; }\n");
	cr_expect(linked()->kernels[0].needs_stack);
	cr_expect_eq(image->kernels[0].function_count, 3);
}

Test(link, the_first_weak_function_wins)
{
	add(WEAK ENTRY);
	add("\n\n" WEAK);
	expect_callee("a.ptx", 5);
}

Test(link, a_strong_function_wins_over_weak_ones)
{
	add(WEAK ENTRY);
	add(VISIBLE);
	add(WEAK);
	expect_callee("b.ptx", 5);
}

Test(link, a_function_without_linkage_is_its_modules_own)
{
	add(".func f ()\n{ ret; }\n" ENTRY);
	add("\n\n" VISIBLE);
	expect_callee("a.ptx", 5);
}

Test(link, two_strong_functions_are_an_error)
{
	add(VISIBLE ENTRY);
	add("\n" VISIBLE);
	expect_refusal("b.ptx:5:16: error: 'f' is already defined in a.ptx:4");
}

Test(link, a_function_that_nobody_defines_is_an_error)
{
	add(EXTERN ENTRY);
	add(".visible .func g () { ret; }\n");
	expect_refusal("a.ptx:5:19: error: 'f' is declared, but no module defines it");
}

Test(link, a_declaration_must_agree)
{
	add(EXTERN ENTRY);
	add(".visible .func f (.param .b32 a)\n{ ret; }\n");
	expect_refusal("b.ptx:4:16: error: 'f' does not agree with a.ptx:4");
}

Test(link, a_weak_entry_may_come_several_times)
{
	add(".weak .entry k() { ret; }\n.entry a() { ret; }\n");
	add(".weak .entry k() { membar.gl; ret; }\n.entry b() { ret; }\n");
	cr_assert_eq(linked()->kernel_count, 3);
	cr_expect_eq(ptx_image_kernel(image, "k")->uop_count, 1);
	cr_expect(ptx_image_kernel(image, "b"));
}

Test(link, an_alias_is_a_name_for_other_modules_too)
{
	add(EXTERN ENTRY);
	add(".visible .func f ();\n.func g ()\n{ ret; }\n.alias f, g;\n");
	expect_callee("b.ptx", 6);
	cr_expect_str_eq(image->kernels[0].functions[1].name, "g");
}

Test(link, an_alias_may_stand_in_front_of_what_it_names)
{
	add(".visible .func f ();\n.func g ();\n.alias f, g;\n" ENTRY ".func g ()\n{ ret; }\n");
	expect_callee("a.ptx", 9);
}

/* --- variables --- */

static uint64_t value_of(const char *name)
{
	const struct ptx_symbol *s = ptx_image_symbol(linked(), name);
	uint64_t value = 0;

	cr_assert(s);
	cr_expect(!s->is_extern);
	if (s->data)
		memcpy(&value, s->data, s->size < 8 ? s->size : 8);
	return value;
}

#define LOAD ".entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; st.global.u32 [x+4], %r1; ret; }\n"

static void expect_one_symbol(uint64_t value)
{
	cr_expect_eq(value_of("x"), value);
	cr_expect_eq(image->symbol_count, 1);
	for (uint32_t r = 0; r < image->kernels[0].reloc_count; r++)
		cr_expect_eq(image->kernels[0].relocs[r].symbol, 0);
}

Test(link, an_extern_variable_is_another_modules)
{
	add(".extern .global .u32 x;\n" LOAD);
	add(".visible .global .u32 x = 7;\n");
	expect_one_symbol(7);
}

Test(link, an_extern_array_needs_no_size)
{
	add(".extern .global .u32 x[];\n" LOAD);
	add(".visible .global .u32 x[2] = { 9 };\n");
	expect_one_symbol(9);
}

Test(link, an_extern_variable_may_be_declared_as_bytes)
{
	add(".extern .global .align 4 .b8 x[8];\n" LOAD);
	add(".visible .global .u32 x[2] = { 9 };\n");
	expect_one_symbol(9);
}

Test(link, the_first_weak_variable_wins)
{
	add(".weak .global .u32 x = 1;\n" LOAD);
	add(".weak .global .u32 x = 2;\n");
	expect_one_symbol(1);
}

Test(link, a_strong_variable_wins)
{
	add(".weak .global .u32 x = 1;\n" LOAD);
	add(".visible .global .u32 x = 2;\n");
	expect_one_symbol(2);
}

Test(link, common_variables_are_one_of_the_largest_size)
{
	add(".common .global .u32 x[4];\n" LOAD);
	add(".common .global .u32 x[9];\n");
	add(".common .global .u32 x[2];\n");
	expect_one_symbol(0);
	cr_expect_eq(image->symbols[0].size, 36);
}

Test(link, variables_without_linkage_are_their_modules_own)
{
	add(".global .u32 x = 1;\n" LOAD);
	add(".global .u32 x = 2;\n.entry b() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }\n");
	cr_expect_eq(value_of("x"), 1);
	cr_assert_eq(image->symbol_count, 2);
	cr_expect_eq(ptx_image_kernel(image, "b")->relocs[0].symbol, 1);
}

Test(link, a_declaration_before_the_definition_in_one_module)
{
	add(".extern .global .u32 x;\n.visible .global .u32 x = 3;\n" LOAD);
	expect_one_symbol(3);
}

Test(link, addresses_in_initialisers_reach_other_modules)
{
	add(EXTERN ".extern .global .u32 x;\n.global .u64 t[2] = { x, f };\n.entry k() { ret; }\n");
	add(".visible .func g () { ret; }\n" VISIBLE ".visible .global .u32 x = 3;\n");
	const struct ptx_symbol *t = ptx_image_symbol(linked(), "t");
	uint64_t f;

	cr_assert_eq(t->reloc_count, 1);
	cr_expect_str_eq(image->symbols[t->relocs[0].symbol].name, "x");
	memcpy(&f, t->data + 8, 8);
	cr_expect_eq(f, PTX_CODE_WINDOW + 2 * PTX_CODE_STEP, "the entry k is number 0, g 1");
}

Test(link, variables_must_agree)
{
	add(".extern .global .u32 x;\n" LOAD);
	add(".visible .global .u64 x = 7;\n");
	expect_refusal("b.ptx:4:23: error: 'x' does not agree with a.ptx:4");
}

Test(link, a_function_and_a_variable_do_not_agree)
{
	add(".extern .global .u32 f;\n.entry k() { ret; }\n");
	add(VISIBLE);
	expect_refusal("b.ptx:4:16: error: 'f' does not agree with a.ptx:4");
}

Test(link, two_strong_variables_are_an_error)
{
	add(".visible .global .u32 x = 7;\n" LOAD);
	add(".visible .global .u32 x = 7;\n");
	expect_refusal("b.ptx:4:23: error: 'x' is already defined in a.ptx:4");
}

Test(link, shared_variables_of_a_program_are_laid_out_once)
{
	add(".extern .shared .u32 x;\n" EXTERN
	    ".entry k() { .reg .b32 %r<2>; ld.shared.u32 %r1, [x]; call f; ret; }\n");
	add(".shared .u32 other[4];\n.visible .shared .u32 x;\n"
	    ".visible .func f () { .reg .b32 %r<2>; .shared .u32 own; ld.shared.u32 %r1, [other]; "
	    "st.shared.u32 [x], %r1;\n"
	    "st.shared.u32 [own], %r1; ret; }\n");
	const struct ptx_kernel *k = &linked()->kernels[0];
	int64_t first = -1, last = -1;

	cr_expect_eq(k->shared_bytes, 24);
	for (uint32_t i = 0; i < k->uop_count; i++) {
		if (k->uops[i].code == UOP_LD && first < 0)
			first = k->uops[i].imm;
		if (k->uops[i].code == UOP_ST && last < 0)
			last = k->uops[i].imm;
	}
	cr_expect_eq(first, last, "x is at one place");
}
