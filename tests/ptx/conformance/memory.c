/* tests/ptx/conformance/memory.c -- ld and st: all types, widths of registers, vectors and state spaces;
 * qualifiers; constants and initial values; addresses; faults. Atomics stand in atomic.c. */
#include <stdio.h>
#include "cuda.h"
#include "spaces.h"

static const enum type integers[] = { U8, S8, B8, U16, S16, B16, U32, S32, B32, U64, S64, B64 };
enum { INTEGERS = 12 };

/* Registers of 16, 32 and 64 bits that take a type. */
static const enum type registers[] = { B16, B32, B64 };

/* -- scalars: memory holds the 8 bytes of input a; the load is from byte offset tag[2] -- */

static bool ref_ld(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = (enum type)f->tag[0];

	out[0] = (uint64_t)number_of(type, in[0] >> 8 * f->tag[2]) & type_mask(f->out[0]);
	return true;
}

static void ld_form(const struct space *s, enum type type, enum type reg)
{
	unsigned bytes = type_bits(type) / 8, offset = bytes == 8 ? 0 : bytes == 4 ? 4 : bytes == 2 ? 2 : 5;
	struct form *f = form_add(ref_ld, OUT(reg), IN(B64), "ld%s.%s to .b%u%s", s->suffix, type_name(type),
		type_bits(reg), s->remark);

	form_body(f, "%s\tst%s.b64 [%%p+8], %%a;\n\tld%s.%s %%r, [%%p+%u];\n%s", s->begin, s->suffix,
		s->suffix, type_name(type), 8 + offset, SPACE_END);
	f->tag[0] = type;
	f->tag[2] = offset;
	f->samples = 128;
}

/* Memory holds b; the low bits of a go to byte offset tag[2]; all of it is read back. */
static bool ref_st(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t mask = type_mask((enum type)f->tag[0]) << 8 * f->tag[2];

	out[0] = (in[1] & ~mask) | (in[0] << 8 * f->tag[2] & mask);
	return true;
}

static void st_form(const struct space *s, enum type type, enum type reg)
{
	unsigned bytes = type_bits(type) / 8, offset = bytes == 8 ? 0 : bytes == 4 ? 4 : bytes == 2 ? 2 : 5;
	struct form *f = form_add(ref_st, OUT(B64), IN(reg, B64), "st%s.%s from .b%u%s", s->suffix,
		type_name(type), type_bits(reg), s->remark);

	form_body(f, "%s\tst%s.b64 [%%p+8], %%b;\n\tst%s.%s [%%p+%u], %%a;\n\tld%s.b64 %%r, [%%p+8];\n%s",
		s->begin, s->suffix, s->suffix, type_name(type), 8 + offset, s->suffix, SPACE_END);
	f->tag[0] = type;
	f->tag[2] = offset;
	f->samples = 128;
}

static void scalar_forms(const struct space *s)
{
	for (int i = 0; i < INTEGERS; i++)
		for (int r = 0; r < 3; r++)
			if (type_bits(registers[r]) >= type_bits(integers[i])) {
				ld_form(s, integers[i], registers[r]);
				st_form(s, integers[i], registers[r]);
			}
	ld_form(s, F32, B32);
	st_form(s, F32, B32);
	ld_form(s, F64, B64);
	st_form(s, F64, B64);
}

/* -- vectors: memory holds a and b, 16 bytes; element k is the k-th from the address on -- */

static uint64_t memory_bits(const uint64_t *in, unsigned at, unsigned bits)
{
	return zero_extend(in[at / 64] >> at % 64, bits);
}

static bool ref_ld_vector(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = (enum type)f->tag[0];
	unsigned bits = type_bits(type);

	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = (uint64_t)number_of(type, memory_bits(in, k * bits, bits)) & type_mask(f->out[k]);
	return true;
}

static const char *const vector_operands[] = { "", "", "%r, %s", "", "%r, %s, %t, %u" };

static void ld_vector_form(const struct space *s, int n, enum type type, enum type reg)
{
	const enum type *out = n == 2 ? OUT(reg, reg) : OUT(reg, reg, reg, reg);
	struct form *f = form_add(ref_ld_vector, out, IN(B64, B64), "ld%s.v%d.%s to .b%u%s", s->suffix, n,
		type_name(type), type_bits(reg), s->remark);

	form_body(f,
		"%s\tst%s.b64 [%%p+16], %%a;\n\tst%s.b64 [%%p+24], %%b;\n\tld%s.v%d.%s {%s}, [%%p+16];\n%s",
		s->begin, s->suffix, s->suffix, s->suffix, n, type_name(type), vector_operands[n], SPACE_END);
	f->tag[0] = type;
	f->samples = 64;
}

/* a, b, c, d go to memory that is all ones. */
static bool ref_st_vector(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = type_bits((enum type)f->tag[0]);

	out[0] = out[1] = ~0ull;
	for (uint32_t k = 0; k < f->ins; k++) {
		uint64_t *word = &out[k * bits / 64];
		unsigned at = k * bits % 64;

		*word = (*word & ~(zero_extend(~0ull, bits) << at)) | zero_extend(in[k], bits) << at;
	}
	return true;
}

static void st_vector_form(const struct space *s, int n, enum type type, enum type reg)
{
	const enum type *in = n == 2 ? IN(reg, reg) : IN(reg, reg, reg, reg);
	struct form *f = form_add(ref_st_vector, OUT(B64, B64), in, "st%s.v%d.%s from .b%u%s", s->suffix, n,
		type_name(type), type_bits(reg), s->remark);

	form_body(f,
		"%s\tmov.b64 %%r, -1;\n\tst%s.b64 [%%p+16], %%r;\n\tst%s.b64 [%%p+24], %%r;\n\tst%s.v%d.%s "
		"[%%p+16], {%s};\n"
		"\tld%s.b64 %%r, [%%p+16];\n\tld%s.b64 %%s, [%%p+24];\n%s",
		s->begin, s->suffix, s->suffix, s->suffix, n, type_name(type),
		n == 2 ? "%a, %b" : "%a, %b, %c, %d", s->suffix, s->suffix, SPACE_END);
	f->tag[0] = type;
	f->samples = 64;
}

static void vector_forms(const struct space *s)
{
	static const struct {
		enum type type, reg;
	} list[] = { { B8, B16 }, { U8, B32 }, { S8, B32 }, { B16, B16 }, { U16, B32 }, { S16, B64 },
		{ B32, B32 }, { S32, B64 }, { F32, B32 }, { U32, B32 }, { B64, B64 }, { F64, B64 },
		{ U64, B64 } };

	for (int i = 0; i < 13; i++)
		for (int n = 2; n <= 4; n += 2) {
			if (type_bits(list[i].type) * (unsigned)n > 128)
				continue;
			ld_vector_form(s, n, list[i].type, list[i].reg);
			st_vector_form(s, n, list[i].type, list[i].reg);
		}
}

/* -- qualifiers do not change values: a round trip of a word -- */

static bool ref_same(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = in[k];
	return true;
}

static void qualifier_forms(void)
{
	static const char *const loads[] = { "ld.volatile.global", "ld.global.ca", "ld.global.cg",
		"ld.global.cs", "ld.global.lu", "ld.global.cv", "ld.weak.global", "ld.relaxed.cta.global",
		"ld.relaxed.gpu.global", "ld.relaxed.sys.global", "ld.acquire.cta.global",
		"ld.acquire.gpu.global", "ld.acquire.sys.global", "ld.mmio.relaxed.sys.global",
		"ld.global.L1::evict_last", "ld.global.L1::no_allocate", "ld.global.L2::64B",
		"ld.global.L2::128B", "ld.global.L2::256B", "ld.volatile", "ld.relaxed.gpu",
		"ld.acquire.sys" };
	static const char *const stores[] = { "st.volatile.global", "st.global.wb", "st.global.cg",
		"st.global.cs", "st.global.wt", "st.weak.global", "st.relaxed.cta.global",
		"st.relaxed.gpu.global", "st.relaxed.sys.global", "st.release.cta.global",
		"st.release.gpu.global", "st.release.sys.global", "st.mmio.relaxed.sys.global",
		"st.global.L1::evict_first", "st.volatile", "st.relaxed.sys", "st.release.gpu" };
	struct form *f;

	for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
		f = form_add(ref_same, OUT(B32), IN(B32), "%s.b32", loads[i]);
		form_body(f, "\tst.global.b32 [%%m], %%a;\n\t%s.b32 %%r, [%%m];\n", loads[i]);
		f->version = 82;
		f->target = "sm_80";
		f->samples = 64;
	}
	for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++) {
		f = form_add(ref_same, OUT(B32), IN(B32), "%s.b32", stores[i]);
		form_body(f, "\t%s.b32 [%%m], %%a;\n\tld.global.b32 %%r, [%%m];\n", stores[i]);
		f->version = 82;
		f->target = "sm_80";
		f->samples = 64;
	}
	/* read-only loads: of the operands themselves, which nobody writes; %in has moved behind the one
	 * operand */
	form_body(form_add(ref_same, OUT(B32), IN(B32), "ld.global.nc.b32"),
		"\tsub.u64 %%in, %%in, %%step;\n\tld.global.nc.b32 %%r, [%%in];\n");
	form_body(form_add(ref_same, OUT(B32), IN(B32), "ldu.global.b32"),
		"\tsub.u64 %%in, %%in, %%step;\n\tldu.global.b32 %%r, [%%in];\n");
	form_body(form_add(ref_same, OUT(B64), IN(B64), "ld.volatile.shared.b64"),
		"\t{\n\t.shared .align 8 .b8 x#[1024];\n\t.reg .b64 %%p;\n\t.reg .b32 %%t;\n\tmov.u64 %%p, "
		"x#;\n\tmov.u32 %%t, %%tid.x;\n"
		"\tmul.wide.u32 %%offset, %%t, 8;\n\tadd.u64 %%p, %%p, %%offset;\n\tst.volatile.shared.b64 "
		"[%%p], %%a;\n"
		"\tld.volatile.shared.b64 %%r, [%%p];\n\t}\n");
	f = form_add(ref_same, OUT(B64, B64), IN(B64, B64), "ld.global.b128");
	form_body(f, "\t{\n\t.reg .b128 %%q;\n\tst.global.v2.b64 [%%m], {%%a, %%b};\n\tld.global.b128 %%q, "
		     "[%%m];\n"
		     "\tst.global.b128 [%%m+16], %%q;\n\tld.global.v2.b64 {%%r, %%s}, [%%m+16];\n\t}\n");
	f->version = 83;
	f->target = "sm_75";
}

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

static void address_forms(void)
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

void memory_forms(void)
{
	for (int i = 0; i < SPACES; i++) {
		scalar_forms(&spaces[i]);
		vector_forms(&spaces[i]);
	}
	qualifier_forms();
	table_forms();
	address_forms();
	param_forms();
	sharing_forms();
	fault_forms();
}
