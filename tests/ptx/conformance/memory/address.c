/* tests/ptx/conformance/memory/address.c -- tables in constant and global memory, initial values, addresses
 * of all kinds, entry parameters, what threads share; faults. */
#include <stdio.h>
#include "cuda.h"
#include "spaces.h"

static const enum type integers[] = { U8, S8, B8, U16, S16, B16, U32, S32, B32, U64, S64, B64 };
enum { INTEGERS = 12 };

/* -- tables with initial values: byte i of a .b8 table is 37 i + 11 -- */

enum { TABLE_BYTES = 64 };

static uint64_t table_byte(uint64_t i)
{
	return (37 * i + 11) & 255;
}

/* a is a byte offset, aligned to the type: tag[0]. */
static bool ref_table(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = (enum type)f->tag[0];
	uint64_t word = 0;

	for (unsigned i = 0; i < type_bits(type) / 8; i++)
		word |= table_byte(in[0] + i) << 8 * i;
	out[0] = (uint64_t)number_of(type, word) & type_mask(f->out[0]);
	return true;
}

static void table_text(char *text, size_t size)
{
	size_t used = 0;

	for (uint64_t i = 0; i < TABLE_BYTES; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%u", i ? ", " : "", (unsigned)table_byte(i));
}

static void table_form(const char *space, bool is_generic, enum type type, enum type reg)
{
	static const uint64_t offsets[] = { 0, 8, 16, 24, 32, 40, 48, 56 };
	static const struct values list = { offsets, 8, true };
	char bytes[TABLE_BYTES * 6];
	struct form *f = form_add(ref_table, OUT(reg), IN(U64), "ld%s%s.%s to .b%u from a table%s%s",
		is_generic ? "" : ".", is_generic ? "" : space, type_name(type), type_bits(reg),
		is_generic ? " in " : "", is_generic ? space : "");

	table_text(bytes, sizeof bytes);
	form_prelude(f, ".%s .align 8 .b8 table#[%d] = {%s}; ", space, TABLE_BYTES, bytes);
	form_body(f,
		"{ .reg .b64 %%p; mov.u64 %%p, table#; %s%s%sadd.u64 %%p, %%p, %%a; ld%s%s.%s %%r, [%%p]; "
		"} ",
		is_generic ? "cvta." : "", is_generic ? space : "", is_generic ? ".u64 %p, %p; " : "",
		is_generic ? "" : ".", is_generic ? "" : space, type_name(type));
	f->values[0] = &list;
	f->tag[0] = type;
	f->samples = 32;
}

static bool ref_constant(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = (uint64_t)f->tag[k] & type_mask(f->out[k]);
	return true;
}

static void initial_form(const char *name, const char *declaration, const char *body, int64_t r, int64_t s)
{
	struct form *f = form_add(ref_constant, OUT(B32, B32), NO_INPUT, "%s", name);

	form_prelude(f, "%s", declaration);
	form_body(f, "%s", body);
	f->tag[0] = r;
	f->tag[1] = s;
}

static void table_forms(void)
{
	static const char *const tables[] = { "const", "global" };

	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < INTEGERS; i++)
			table_form(tables[s], false, integers[i], type_bits(integers[i]) < 32 ? B32 : B64);
		for (int i = 0; i < INTEGERS; i += 3)
			table_form(tables[s], true, integers[i], type_bits(integers[i]) < 32 ? B32 : B64);
	}
	initial_form("initial values: shorter than the array", ".global .align 4 .u32 x#[4] = {7, 9}; ",
		"ld.global.u32 %r, [x#+4]; ld.global.u32 %s, [x#+8]; ", 9, 0);
	initial_form("initial values: none", ".global .align 4 .u32 x#[4]; ",
		"ld.global.u32 %r, [x#]; ld.global.u32 %s, [x#+12]; ", 0, 0);
	initial_form("initial values: two dimensions",
		".const .align 4 .s32 x#[2][3] = {{1, -2}, {3, 4, 5}}; ",
		"ld.const.s32 %r, [x#+4]; ld.const.s32 %s, [x#+12]; ", -2, 3);
	initial_form("initial values: an address",
		".global .align 4 .u32 x#[2] = {5, 6}; .global .align 8 .u64 y# = x#; ",
		"{ .reg .b64 %p; ld.global.u64 %p, [y#]; ld.global.u32 %r, [%p]; "
		"ld.global.u32 %s, [%p+4]; } ",
		5, 6);
	initial_form("initial values: a generic address",
		".global .align 4 .u32 x#[2] = {5, 6}; "
		".global .align 8 .u64 y#[2] = {generic(x#), generic(x#)+4}; ",
		"{ .reg .b64 %p; ld.global.u64 %p, [y#]; ld.u32 %r, [%p]; ld.global.u64 %p, [y#+8]; "
		"ld.u32 %s, [%p]; } ",
		5, 6);
	initial_form("initial values: expressions", ".const .align 4 .s32 x#[2] = {(3+4)*2, -7/2}; ",
		"ld.const.s32 %r, [x#]; ld.const.s32 %s, [x#+4]; ", 14, -3);
	initial_form("initial values: floats", ".const .align 4 .f32 x#[2] = {0f3F800000, -2.5}; ",
		"ld.const.b32 %r, [x#]; ld.const.b32 %s, [x#+4]; ", 0x3f800000, 0xc0200000);
	initial_form("addresses: register plus negative offset",
		".global .align 4 .u32 x#[4] = {1, 2, 3, 4}; ",
		"{ .reg .b64 %p; mov.u64 %p, x#; add.u64 %p, %p, 8; ld.global.u32 %r, [%p+-4]; "
		"ld.global.u32 %s, [%p+4]; } ",
		2, 4);
	initial_form("addresses: name plus offset by mov", ".global .align 4 .u32 x#[4] = {1, 2, 3, 4}; ",
		"{ .reg .b64 %p; mov.u64 %p, x#+8; ld.global.u32 %r, [%p]; mov.u64 %p, x#; "
		"ld.global.u32 %s, [%p+12]; } ",
		3, 4);
	initial_form("variables: alignment and order do not overlap",
		".global .b8 x# = 1; .global .align 4 .u32 y# = 2; .global .b8 z# = 3; ",
		"{ .reg .b16 %x, %z; ld.global.b8 %x, [x#]; ld.global.u32 %r, [y#]; "
		"ld.global.b8 %z, [z#]; mov.b32 %s, {%x, %z}; } ",
		2, 0x30001);
}

/* -- address spaces: what cvta does, cvta.to undoes; isspacep knows it -- */

static void space_forms(void)
{
	static const char *const asked[] = { "global", "shared", "local", "const" };

	for (int i = 0; i < SPACES; i++) {
		const struct space *s = &spaces[i];
		struct form *f;

		if (!s->is_generic)
			continue;
		f = form_add(ref_constant, OUT(PRED), NO_INPUT, "cvta.to.%s of cvta.%s", s->name, s->name);
		form_body(f,
			"%s{ .reg .b64 %%q, %%o; cvta.to.%s.u64 %%q, %%p; cvta.%s.u64 %%o, %%q; "
			"setp.eq.u64 %%r, %%o, %%p; } %s",
			s->begin, s->name, s->name, SPACE_END);
		f->tag[0] = 1;
		for (int k = 0; k < 4; k++) {
			f = form_add(
				ref_constant, OUT(PRED), NO_INPUT, "isspacep.%s of %s", asked[k], s->name);
			form_body(f, "%sisspacep.%s %%r, %%p; %s", s->begin, asked[k], SPACE_END);
			f->tag[0] = s->name[0] == asked[k][0] && s->name[1] == asked[k][1];
		}
	}
	struct form *f = form_add(ref_constant, OUT(PRED, PRED), NO_INPUT, "isspacep.const of const");
	form_prelude(f, ".const .align 4 .u32 x# = 1; ");
	form_body(f,
		"{ .reg .b64 %%p; mov.u64 %%p, x#; cvta.const.u64 %%p, %%p; isspacep.const %%r, %%p; "
		"isspacep.shared %%s, %%p; } ");
	f->tag[0] = 1;
}

/* -- parameters of the entry: as a whole, in parts, by address; each way gives the same -- */

static void param_form(const char *name, unsigned version, const char *body)
{
	struct form *f = form_add(ref_constant, OUT(PRED), NO_INPUT, "%s", name);

	form_body(f,
		"{ .reg .b64 %%p, %%q, %%x, %%y; .reg .b32 %%l, %%h; .reg .b16 %%b; "
		"ld.param.u64 %%x, [in]; %s} ",
		body);
	f->tag[0] = 1;
	f->version = version;
}

static void param_forms(void)
{
	param_form("ld.param.u32 of halves", 80,
		"ld.param.u32 %l, [in]; ld.param.u32 %h, [in+4]; mov.b64 %y, {%l, %h}; "
		"setp.eq.u64 %r, %x, %y; ");
	param_form("ld.param.v2.u64", 80,
		"ld.param.v2.u64 {%p, %q}, [in]; ld.param.u64 %y, [out]; sub.u64 %p, %p, %x; "
		"sub.u64 %q, %q, %y; or.b64 %p, %p, %q; setp.eq.u64 %r, %p, 0; ");
	param_form("ld.param.u8", 80,
		"ld.param.u8 %b, [in+1]; cvt.u64.u16 %p, %b; bfe.u64 %y, %x, 8, 8; "
		"setp.eq.u64 %r, %p, %y; ");
	param_form("ld.param through its address", 80,
		"mov.u64 %p, in; ld.param.u64 %y, [%p]; setp.eq.u64 %r, %x, %y; ");
	param_form("ld of a parameter's generic address", 77,
		"mov.u64 %p, in; cvta.param.u64 %p, %p; ld.u64 %y, [%p]; setp.eq.u64 %r, %x, %y; ");
	param_form("isspacep.param", 77,
		"{ .reg .pred %g, %s, %m; mov.u64 %p, in; cvta.param.u64 %p, %p; isspacep.param %r, %p; "
		"isspacep.global %g, %p; isspacep.shared %s, %p; isspacep.param %m, %x; "
		"and.pred %r, %r, %g; or.pred %s, %s, %m; not.pred %s, %s; and.pred %r, %r, %s; } ");
}

/* -- local memory is each thread's own, shared memory the CTA's -- */

/* b[i] of shared memory is what thread i ^ 1 wrote. */
static void ref_neighbour(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		t->want[0][i] = t->in[0][i ^ 1];
		t->want[1][i] = t->in[0][i];
	}
}

static void sharing_forms(void)
{
	struct form *f = form_add(NULL, OUT(B32, B32), IN(B32), "shared between threads, local not");

	form_body(f,
		"{ .shared .align 4 .b8 x#[512]; .local .align 4 .b8 y#[16]; .reg .b64 %%p, %%q, %%n; "
		".reg .b32 %%t; mov.u32 %%t, %%tid.x; mul.wide.u32 %%n, %%t, 4; mov.u64 %%p, x#; "
		"add.u64 %%p, %%p, %%n; st.shared.b32 [%%p], %%a; mov.u64 %%q, y#; "
		"st.local.b32 [%%q+4], %%a; bar.sync 0; xor.b32 %%t, %%t, 1; mul.wide.u32 %%n, %%t, 4; "
		"mov.u64 %%p, x#; add.u64 %%p, %%p, %%n; ld.shared.b32 %%r, [%%p]; "
		"ld.local.b32 %%s, [%%q+4]; } ");
	f->reference_all = ref_neighbour;
	f->samples = 256;
}

/* -- faults -- */

static void fault_form(int error, const char *name, const char *body)
{
	struct form *f = form_add(ref_constant, OUT(B64), NO_INPUT, "%s", name);

	form_body(f, "%s", body);
	f->fault = error;
	f->block = 32;
}

static void fault_forms(void)
{
	enum { MISALIGNED = CUDA_ERROR_MISALIGNED_ADDRESS, ILLEGAL = CUDA_ERROR_ILLEGAL_ADDRESS };

	fault_form(MISALIGNED, "fault: ld.global.b16 misaligned",
		"{ .reg .b16 %h; ld.global.b16 %h, [%m+1]; cvt.u64.u16 %r, %h; } ");
	fault_form(MISALIGNED, "fault: ld.global.b64 misaligned", "ld.global.b64 %r, [%m+4]; ");
	fault_form(
		MISALIGNED, "fault: st.global.b32 misaligned", "mov.b64 %r, 0; st.global.b32 [%m+2], %i; ");
	fault_form(MISALIGNED, "fault: st.global.v4.b32 misaligned",
		"mov.b64 %r, 0; st.global.v4.b32 [%m+8], {%i, %i, %i, %i}; ");
	fault_form(MISALIGNED, "fault: ld.v2.b32 generic misaligned",
		"{ .reg .b32 %x, %y; ld.v2.b32 {%x, %y}, [%m+4]; mov.b64 %r, {%x, %y}; } ");
	fault_form(MISALIGNED, "fault: ld.shared.b32 misaligned",
		"{ .shared .align 4 .b8 x#[64]; .reg .b64 %p; .reg .b32 %x; mov.u64 %p, x#; "
		"ld.shared.b32 %x, [%p+1]; cvt.u64.u32 %r, %x; } ");
	fault_form(MISALIGNED, "fault: atom.global.add.u32 misaligned",
		"{ .reg .b32 %x; atom.global.add.u32 %x, [%m+2], 1; cvt.u64.u32 %r, %x; } ");
	fault_form(ILLEGAL, "fault: ld.global.b64 of null",
		"{ .reg .b64 %p; mov.b64 %p, 0; ld.global.b64 %r, [%p]; } ");
	fault_form(ILLEGAL, "fault: st.global.b64 far outside",
		"{ .reg .b64 %p; mov.b64 %p, 0x00ff000000000000; mov.b64 %r, 0; st.global.b64 [%p], %r; } ");
	fault_form(ILLEGAL, "fault: ld.b32 generic of null",
		"{ .reg .b64 %p; .reg .b32 %x; mov.b64 %p, 0; ld.b32 %x, [%p]; cvt.u64.u32 %r, %x; } ");
	fault_form(ILLEGAL, "fault: atom.global.add.u32 of null",
		"{ .reg .b64 %p; .reg .b32 %x; mov.b64 %p, 0; atom.global.add.u32 %x, [%p], 1; "
		"cvt.u64.u32 %r, %x; } ");
	fault_form(ILLEGAL, "fault: st.shared.b32 far outside",
		"{ .reg .b64 %p; mov.b64 %p, 0xfffff0; mov.b64 %r, 0; st.shared.b32 [%p], %i; } ");
}

void address_forms(void)
{
	table_forms();
	space_forms();
	param_forms();
	sharing_forms();
	fault_forms();
}
