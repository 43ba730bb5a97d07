/* tests/ptx/conformance/memory/memory.c -- ld and st: all types, widths of registers, vectors and state
 * spaces; qualifiers. Tables with initial values, addresses and faults stand in address.c, atomics in
 * atomic.c. */
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

	form_body(f, "%sst%s.b64 [%%p+8], %%a; ld%s.%s %%r, [%%p+%u]; %s", s->begin, s->suffix, s->suffix,
		type_name(type), 8 + offset, SPACE_END);
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

	form_body(f, "%sst%s.b64 [%%p+8], %%b; st%s.%s [%%p+%u], %%a; ld%s.b64 %%r, [%%p+8]; %s", s->begin,
		s->suffix, s->suffix, type_name(type), 8 + offset, s->suffix, SPACE_END);
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

	form_body(f, "%sst%s.b64 [%%p+16], %%a; st%s.b64 [%%p+24], %%b; ld%s.v%d.%s {%s}, [%%p+16]; %s",
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
		"%smov.b64 %%r, -1; st%s.b64 [%%p+16], %%r; st%s.b64 [%%p+24], %%r; "
		"st%s.v%d.%s [%%p+16], {%s}; ld%s.b64 %%r, [%%p+16]; ld%s.b64 %%s, [%%p+24]; %s",
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
		form_body(f, "st.global.b32 [%%m], %%a; %s.b32 %%r, [%%m]; ", loads[i]);
		f->version = 82;
		f->target = "sm_80";
		f->samples = 64;
	}
	for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++) {
		f = form_add(ref_same, OUT(B32), IN(B32), "%s.b32", stores[i]);
		form_body(f, "%s.b32 [%%m], %%a; ld.global.b32 %%r, [%%m]; ", stores[i]);
		f->version = 82;
		f->target = "sm_80";
		f->samples = 64;
	}
	/* read-only loads: of the operands themselves, which nobody writes; %in has moved behind the one
	 * operand */
	form_body(form_add(ref_same, OUT(B32), IN(B32), "ld.global.nc.b32"),
		"sub.u64 %%in, %%in, %%step; ld.global.nc.b32 %%r, [%%in]; ");
	form_body(form_add(ref_same, OUT(B32), IN(B32), "ldu.global.b32"),
		"sub.u64 %%in, %%in, %%step; ldu.global.b32 %%r, [%%in]; ");
	form_body(form_add(ref_same, OUT(B64), IN(B64), "ld.volatile.shared.b64"),
		"{ .shared .align 8 .b8 x#[1024]; .reg .b64 %%p; .reg .b32 %%t; mov.u64 %%p, x#; "
		"mov.u32 %%t, %%tid.x; mul.wide.u32 %%offset, %%t, 8; add.u64 %%p, %%p, %%offset; "
		"st.volatile.shared.b64 [%%p], %%a; ld.volatile.shared.b64 %%r, [%%p]; } ");
	f = form_add(ref_same, OUT(B64, B64), IN(B64, B64), "ld.global.b128");
	form_body(f,
		"{ .reg .b128 %%q; st.global.v2.b64 [%%m], {%%a, %%b}; ld.global.b128 %%q, [%%m]; "
		"st.global.b128 [%%m+16], %%q; ld.global.v2.b64 {%%r, %%s}, [%%m+16]; } ");
	f->version = 83;
	f->target = "sm_75";
}

void memory_forms(void)
{
	for (int i = 0; i < SPACES; i++) {
		scalar_forms(&spaces[i]);
		vector_forms(&spaces[i]);
	}
	qualifier_forms();
}
