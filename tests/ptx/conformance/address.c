/* tests/ptx/conformance/address.c -- tables in constant and global memory, initial values, addresses of all
 * kinds, entry parameters, what threads share; faults. */
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
	form_prelude(f, ".%s .align 8 .b8 table#[%d] = {%s};\n", space, TABLE_BYTES, bytes);
	form_body(f,
		"\t{\n\t.reg .b64 %%p;\n\tmov.u64 %%p, table#;\n%s%s%s\tadd.u64 %%p, %%p, %%a;\n\tld%s%s.%s "
		"%%r, [%%p];\n\t}\n",
		is_generic ? "\tcvta." : "", is_generic ? space : "", is_generic ? ".u64 %p, %p;\n" : "",
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
	initial_form("initial values: shorter than the array", ".global .align 4 .u32 x#[4] = {7, 9};\n",
		"\tld.global.u32 %r, [x#+4];\n\tld.global.u32 %s, [x#+8];\n", 9, 0);
	initial_form("initial values: none", ".global .align 4 .u32 x#[4];\n",
		"\tld.global.u32 %r, [x#];\n\tld.global.u32 %s, [x#+12];\n", 0, 0);
	initial_form("initial values: two dimensions",
		".const .align 4 .s32 x#[2][3] = {{1, -2}, {3, 4, 5}};\n",
		"\tld.const.s32 %r, [x#+4];\n\tld.const.s32 %s, [x#+12];\n", -2, 3);
	initial_form("initial values: an address",
		".global .align 4 .u32 x#[2] = {5, 6};\n.global .align 8 .u64 y# = x#;\n",
		"\t{\n\t.reg .b64 %p;\n\tld.global.u64 %p, [y#];\n\tld.global.u32 %r, [%p];\n\tld.global.u32 "
		"%s, [%p+4];\n\t}\n",
		5, 6);
	initial_form("initial values: a generic address",
		".global .align 4 .u32 x#[2] = {5, 6};\n.global .align 8 .u64 y#[2] = {generic(x#), "
		"generic(x#)+4};\n",
		"\t{\n\t.reg .b64 %p;\n\tld.global.u64 %p, [y#];\n\tld.u32 %r, [%p];\n\tld.global.u64 %p, "
		"[y#+8];\n"
		"\tld.u32 %s, [%p];\n\t}\n",
		5, 6);
	initial_form("initial values: expressions", ".const .align 4 .s32 x#[2] = {(3+4)*2, -7/2};\n",
		"\tld.const.s32 %r, [x#];\n\tld.const.s32 %s, [x#+4];\n", 14, -3);
	initial_form("initial values: floats", ".const .align 4 .f32 x#[2] = {0f3F800000, -2.5};\n",
		"\tld.const.b32 %r, [x#];\n\tld.const.b32 %s, [x#+4];\n", 0x3f800000, 0xc0200000);
	initial_form("addresses: register plus negative offset",
		".global .align 4 .u32 x#[4] = {1, 2, 3, 4};\n",
		"\t{\n\t.reg .b64 %p;\n\tmov.u64 %p, x#;\n\tadd.u64 %p, %p, 8;\n\tld.global.u32 %r, "
		"[%p+-4];\n"
		"\tld.global.u32 %s, [%p+4];\n\t}\n",
		2, 4);
	initial_form("addresses: name plus offset by mov", ".global .align 4 .u32 x#[4] = {1, 2, 3, 4};\n",
		"\t{\n\t.reg .b64 %p;\n\tmov.u64 %p, x#+8;\n\tld.global.u32 %r, [%p];\n\tmov.u64 %p, x#;\n"
		"\tld.global.u32 %s, [%p+12];\n\t}\n",
		3, 4);
	initial_form("variables: alignment and order do not overlap",
		".global .b8 x# = 1;\n.global .align 4 .u32 y# = 2;\n.global .b8 z# = 3;\n",
		"\t{\n\t.reg .b16 %x, %z;\n\tld.global.b8 %x, [x#];\n\tld.global.u32 %r, "
		"[y#];\n\tld.global.b8 %z, [z#];\n"
		"\tmov.b32 %s, {%x, %z};\n\t}\n",
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
			"%s\t{\n\t.reg .b64 %%q, %%o;\n\tcvta.to.%s.u64 %%q, %%p;\n\tcvta.%s.u64 %%o, "
			"%%q;\n\tsetp.eq.u64 %%r, %%o, %%p;\n"
			"\t}\n%s",
			s->begin, s->name, s->name, SPACE_END);
		f->tag[0] = 1;
		for (int k = 0; k < 4; k++) {
			f = form_add(
				ref_constant, OUT(PRED), NO_INPUT, "isspacep.%s of %s", asked[k], s->name);
			form_body(f, "%s\tisspacep.%s %%r, %%p;\n%s", s->begin, asked[k], SPACE_END);
			f->tag[0] = s->name[0] == asked[k][0] && s->name[1] == asked[k][1];
		}
	}
	struct form *f = form_add(ref_constant, OUT(PRED, PRED), NO_INPUT, "isspacep.const of const");
	form_prelude(f, ".const .align 4 .u32 x# = 1;\n");
	form_body(f, "\t{\n\t.reg .b64 %%p;\n\tmov.u64 %%p, x#;\n\tcvta.const.u64 %%p, "
		     "%%p;\n\tisspacep.const %%r, %%p;\n"
		     "\tisspacep.shared %%s, %%p;\n\t}\n");
	f->tag[0] = 1;
}

/* -- parameters of the entry: as a whole, in parts, by address; each way gives the same -- */

static void param_form(const char *name, unsigned version, const char *body)
{
	struct form *f = form_add(ref_constant, OUT(PRED), NO_INPUT, "%s", name);

	form_body(f,
		"\t{\n\t.reg .b64 %%p, %%q, %%x, %%y;\n\t.reg .b32 %%l, %%h;\n\t.reg .b16 "
		"%%b;\n\tld.param.u64 %%x, [in];\n%s\t}\n",
		body);
	f->tag[0] = 1;
	f->version = version;
}

static void param_forms(void)
{
	param_form("ld.param.u32 of halves", 80,
		"\tld.param.u32 %l, [in];\n\tld.param.u32 %h, [in+4];\n\tmov.b64 %y, {%l, "
		"%h};\n\tsetp.eq.u64 %r, %x, %y;\n");
	param_form("ld.param.v2.u64", 80,
		"\tld.param.v2.u64 {%p, %q}, [in];\n\tld.param.u64 %y, [out];\n\tsub.u64 %p, %p, "
		"%x;\n\tsub.u64 %q, %q, %y;\n"
		"\tor.b64 %p, %p, %q;\n\tsetp.eq.u64 %r, %p, 0;\n");
	param_form("ld.param.u8", 80,
		"\tld.param.u8 %b, [in+1];\n\tcvt.u64.u16 %p, %b;\n\tbfe.u64 %y, %x, 8, 8;\n\tsetp.eq.u64 "
		"%r, %p, %y;\n");
	param_form("ld.param through its address", 80,
		"\tmov.u64 %p, in;\n\tld.param.u64 %y, [%p];\n\tsetp.eq.u64 %r, %x, %y;\n");
	param_form("ld of a parameter's generic address", 77,
		"\tmov.u64 %p, in;\n\tcvta.param.u64 %p, %p;\n\tld.u64 %y, [%p];\n\tsetp.eq.u64 %r, %x, "
		"%y;\n");
	param_form("isspacep.param", 77,
		"\t{\n\t.reg .pred %g, %s, %m;\n\tmov.u64 %p, in;\n\tcvta.param.u64 %p, "
		"%p;\n\tisspacep.param %r, %p;\n"
		"\tisspacep.global %g, %p;\n\tisspacep.shared %s, %p;\n\tisspacep.param %m, %x;\n\tand.pred "
		"%r, %r, %g;\n"
		"\tor.pred %s, %s, %m;\n\tnot.pred %s, %s;\n\tand.pred %r, %r, %s;\n\t}\n");
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

	form_body(f, "\t{\n\t.shared .align 4 .b8 x#[512];\n\t.local .align 4 .b8 y#[16];\n\t.reg .b64 %%p, "
		     "%%q, %%n;\n\t.reg .b32 %%t;\n"
		     "\tmov.u32 %%t, %%tid.x;\n\tmul.wide.u32 %%n, %%t, 4;\n\tmov.u64 %%p, x#;\n\tadd.u64 "
		     "%%p, %%p, %%n;\n"
		     "\tst.shared.b32 [%%p], %%a;\n\tmov.u64 %%q, y#;\n\tst.local.b32 [%%q+4], "
		     "%%a;\n\tbar.sync 0;\n"
		     "\txor.b32 %%t, %%t, 1;\n\tmul.wide.u32 %%n, %%t, 4;\n\tmov.u64 %%p, x#;\n\tadd.u64 "
		     "%%p, %%p, %%n;\n"
		     "\tld.shared.b32 %%r, [%%p];\n\tld.local.b32 %%s, [%%q+4];\n\t}\n");
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
		"\t{\n\t.reg .b16 %h;\n\tld.global.b16 %h, [%m+1];\n\tcvt.u64.u16 %r, %h;\n\t}\n");
	fault_form(MISALIGNED, "fault: ld.global.b64 misaligned", "\tld.global.b64 %r, [%m+4];\n");
	fault_form(MISALIGNED, "fault: st.global.b32 misaligned",
		"\tmov.b64 %r, 0;\n\tst.global.b32 [%m+2], %i;\n");
	fault_form(MISALIGNED, "fault: st.global.v4.b32 misaligned",
		"\tmov.b64 %r, 0;\n\tst.global.v4.b32 [%m+8], {%i, %i, %i, %i};\n");
	fault_form(MISALIGNED, "fault: ld.v2.b32 generic misaligned",
		"\t{\n\t.reg .b32 %x, %y;\n\tld.v2.b32 {%x, %y}, [%m+4];\n"
		"\tmov.b64 %r, {%x, %y};\n\t}\n");
	fault_form(MISALIGNED, "fault: ld.shared.b32 misaligned",
		"\t{\n\t.shared .align 4 .b8 x#[64];\n\t.reg .b64 %p;\n\t.reg .b32 %x;\n\tmov.u64 %p, "
		"x#;\n\tld.shared.b32 %x, [%p+1];\n"
		"\tcvt.u64.u32 %r, %x;\n\t}\n");
	fault_form(MISALIGNED, "fault: atom.global.add.u32 misaligned",
		"\t{\n\t.reg .b32 %x;\n\tatom.global.add.u32 %x, [%m+2], 1;\n\tcvt.u64.u32 %r, %x;\n\t}\n");
	fault_form(ILLEGAL, "fault: ld.global.b64 of null",
		"\t{\n\t.reg .b64 %p;\n\tmov.b64 %p, 0;\n\tld.global.b64 %r, [%p];\n\t}\n");
	fault_form(ILLEGAL, "fault: st.global.b64 far outside",
		"\t{\n\t.reg .b64 %p;\n\tmov.b64 %p, 0x00ff000000000000;\n\tmov.b64 %r, 0;\n\tst.global.b64 "
		"[%p], %r;\n\t}\n");
	fault_form(ILLEGAL, "fault: ld.b32 generic of null",
		"\t{\n\t.reg .b64 %p;\n\t.reg .b32 %x;\n\tmov.b64 %p, 0;\n\tld.b32 %x, [%p];\n\tcvt.u64.u32 "
		"%r, %x;\n\t}\n");
	fault_form(ILLEGAL, "fault: atom.global.add.u32 of null",
		"\t{\n\t.reg .b64 %p;\n\t.reg .b32 %x;\n\tmov.b64 %p, 0;\n\tatom.global.add.u32 %x, [%p], "
		"1;\n"
		"\tcvt.u64.u32 %r, %x;\n\t}\n");
	fault_form(ILLEGAL, "fault: st.shared.b32 far outside",
		"\t{\n\t.reg .b64 %p;\n\tmov.b64 %p, 0xfffff0;\n\tmov.b64 %r, 0;\n\tst.shared.b32 [%p], "
		"%i;\n\t}\n");
}

void address_forms(void)
{
	table_forms();
	space_forms();
	param_forms();
	sharing_forms();
	fault_forms();
}
