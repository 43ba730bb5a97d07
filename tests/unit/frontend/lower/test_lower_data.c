/* tests/unit/frontend/lower/test_lower_data.c -- initial values laid out in bytes, and what data movement is
 * refused by name. */
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag_list diags;
static struct ptx_module *module;
static struct ptx_image *image;

static void set_up(void)
{
	diag_init(&diags);
}

static void tear_down(void)
{
	ptx_image_free(image);
	image = NULL;
	ptx_module_free(module);
	module = NULL;
	diag_fini(&diags);
}

TestSuite(lower_data, .init = set_up, .fini = tear_down);

#define HEADER ".version 9.0\n.target sm_100a\n.address_size 64\n"

static bool lower(const char *text)
{
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	if (!module)
		diag_print(&diags, stderr);
	cr_assert(module);
	image = ptx_lower(module, &diags);
	return image;
}

static const struct ptx_symbol *symbol(const char *name)
{
	for (uint32_t i = 0; i < image->symbol_count; i++)
		if (!strcmp(image->symbols[i].name, name))
			return &image->symbols[i];
	cr_assert(false, "no symbol '%s'", name);
	return NULL;
}

#define BYTES(...) ((const uint8_t[]){ __VA_ARGS__ })

static void expect(const char *name, const void *bytes, size_t size)
{
	const struct ptx_symbol *s = symbol(name);

	cr_assert_eq(s->size, size, "'%s' has %lu bytes", name, s->size);
	cr_assert(s->data);
	cr_assert_arr_eq(s->data, bytes, size, "'%s'", name);
}

Test(lower_data, nested_and_short_lists_are_filled_with_zeros)
{
	static const uint32_t t[2][3] = { { 1, 2, 0 }, { 4, 0, 0 } },
			      u[2][2][2] = { { { 1, 2 }, { 3, 0 } }, { { 5, 6 } } };
	static const uint32_t v[2][2] = { { 1, 2 }, { 3, 4 } };
	static const float w[4] = { 1.0f, -2.5f, 3.0f, 0.0f };

	cr_assert(lower(HEADER ".global .u32 t[2][3] = {{1,2},{4}};\n"
			       ".global .u32 u[2][2][2] = {{{1,2},{3}},{{5,6}}};\n"
			       ".global .v2 .u32 v[2] = {{1,2},{3,4}};\n"
			       ".const .v4 .f32 w = {1.0, -2.5, 0f40400000};\n"
			       ".global .u16 open[] = {1, 0xFFFFF, -1};\n"
			       ".global .b8 bytes[6] = {1, 255, -1};\n"
			       ".global .b32 real = 1.5;\n"));
	expect("t", t, sizeof t);
	expect("u", u, sizeof u);
	expect("v", v, sizeof v);
	expect("w", w, sizeof w);
	expect("open", BYTES(1, 0, 255, 255, 255, 255), 6);
	expect("bytes", BYTES(1, 255, 255, 0, 0, 0), 6);
	expect("real", BYTES(0, 0, 0xc0, 0x3f), 4);
	cr_assert_eq(symbol("w")->align, 16);
}

/* What the loader makes of a variable, were its targets at these addresses. */
static uint64_t relocated(const struct ptx_symbol *s, uint32_t index, const uint64_t *address)
{
	const struct ptx_init_reloc *r = &s->relocs[index];
	uint64_t value = (address[r->symbol] + (uint64_t)r->addend) >> r->shift;

	return r->bytes == 8 ? value : value & ((UINT64_C(1) << 8 * r->bytes) - 1);
}

Test(lower_data, addresses_and_their_bytes_are_relocated)
{
	static const uint64_t address[] = { 0x200011223344, 0x200055667788 };
	const struct ptx_symbol *s;

	cr_assert(lower(HEADER ".global .b8 first[64];\n.const .b8 second[64];\n"
			       ".global .u64 p[3] = {first+4, generic(second), first};\n"
			       ".global .b8 bytes[5] = {0xFF(first), 0xFF00(first), 0xFF0000(second), "
			       "0xFF00000000(first), 7};\n"));
	s = symbol("p");
	cr_assert_eq(s->reloc_count, 3);
	cr_assert_eq(relocated(s, 0, address), 0x200011223348);
	cr_assert_eq(relocated(s, 1, address), 0x200055667788);
	cr_assert_eq(s->relocs[2].offset, 16);
	s = symbol("bytes");
	cr_assert_eq(s->reloc_count, 4);
	cr_assert_eq(relocated(s, 0, address), 0x44);
	cr_assert_eq(relocated(s, 1, address), 0x33);
	cr_assert_eq(relocated(s, 2, address), 0x66);
	cr_assert_eq(relocated(s, 3, address), 0x00);
	cr_assert_eq(s->relocs[3].offset, 3);
	cr_assert_eq(s->data[4], 7);
}

/* The message of a body that is refused. */
static void refused(const char *body, const char *message)
{
	char text[2048];

	snprintf(text, sizeof text,
		HEADER ".global .b32 g;\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<8>; .reg .b64 "
		       "%%d<8>;\n%s\nret;\n}\n",
		body);
	cr_assert(!lower(text), "%s is lowered", body);
	cr_assert_eq(diags.errors, 1);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.items[i].kind == DIAG_ERROR)
			cr_assert_str_eq(diags.items[i].message, message);
	ptx_module_free(module);
	module = NULL;
	diag_fini(&diags);
	diag_init(&diags);
}

Test(lower_data, what_cannot_be_executed_is_refused_by_name)
{
#define NARROW "is a 32-bit address: those of device memory, and generic ones, have 64 bits"
	refused("ld.global.u32 %r0, [%r1];", "'%r1' " NARROW);
	refused("st.u32 [%r1+4], %r0;", "'%r1' " NARROW);
	refused("atom.global.add.u32 %r0, [%r1], 1;", "'%r1' " NARROW);
}
