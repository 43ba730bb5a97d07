/* tests/ptx/conformance/memory/atomic.c -- atom and red: all operations and types on memory of the thread's
 * own, in global and shared memory and through generic addresses; many threads on one word, where only what
 * any order gives is compared. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include "spaces.h"

enum operation { AND, OR, XOR, EXCH, CAS, ADD, INC, DEC, MIN, MAX };
static const char *const operations[] = { "and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min",
	"max" };

/* -- floating-point sums; each rounds once, to nearest even -- */

/* With the last bit set if it is inexact: rounding that to a short type again rounds the sum once. */
static double odd_sum(double a, double b)
{
	double sum;

	fesetround(FE_TOWARDZERO);
	feclearexcept(FE_INEXACT);
	sum = a + b;
	if (fetestexcept(FE_INEXACT))
		sum = f64_of(bits_of_f64(sum) | 1);
	fesetround(FE_TONEAREST);
	return sum;
}

static uint64_t short_sum(enum type type, uint64_t a, uint64_t b)
{
	return round_to(type, odd_sum(value_of(type, a), value_of(type, b)));
}

static uint64_t flush(uint64_t bits)
{
	return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static uint64_t sum(enum type type, uint64_t a, uint64_t b, bool is_flushed)
{
	switch (type) {
	case F32:
		if (is_flushed)
			return flush(bits_of_f32(f32_of(flush(a)) + f32_of(flush(b))));
		return bits_of_f32(f32_of(a) + f32_of(b));
	case F64:
		return bits_of_f64(f64_of(a) + f64_of(b));
	case F16:
	case BF16:
		return short_sum(type, a, b);
	case F16X2:
	case BF16X2: {
		enum type half = type == F16X2 ? F16 : BF16;

		return short_sum(half, a & 0xffff, b & 0xffff) | short_sum(half, a >> 16, b >> 16) << 16;
	}
	default:
		return (a + b) & type_mask(type);
	}
}

/* -- one operation: memory holds a before; tag: operation, type, subnormal f32 are flushed -- */

static uint64_t after(const struct form *f, const uint64_t *in)
{
	enum type type = (enum type)f->tag[1];
	uint64_t a = in[0], b = in[1];

	switch ((enum operation)f->tag[0]) {
	case AND:
		return a & b;
	case OR:
		return a | b;
	case XOR:
		return a ^ b;
	case EXCH:
		return b;
	case CAS:
		return a == b ? in[2] : a;
	case ADD:
		return sum(type, a, b, f->tag[2]);
	case INC:
		return a >= b ? 0 : a + 1;
	case DEC:
		return a == 0 || a > b ? b : a - 1;
	case MIN:
		return number_of(type, a) < number_of(type, b) ? a : b;
	default:
		return number_of(type, a) > number_of(type, b) ? a : b;
	}
}

static bool ref_atom(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0];
	out[1] = after(f, in);
	return true;
}

static bool ref_red(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = after(f, in);
	return true;
}

static bool is_float(enum type type)
{
	return type == F16 || type == BF16 || type == F16X2 || type == BF16X2 || type == F32 || type == F64;
}

/* Pairs that are equal more often than at random. */
static const uint64_t cas_list[] = { 0, 1, 2, 0x7fff, 0x8000, 0xffff };
static const struct values cas_values = { cas_list, 6, false };

static void finish(struct form *f, enum operation operation, enum type type, const struct space *s)
{
	f->tag[0] = operation;
	f->tag[1] = type;
	f->tag[2] = type == F32 && s->name[0] == 'g';
	f->samples = 512;
	for (uint32_t k = 0; operation == CAS && k < 2; k++)
		f->values[k] = &cas_values;
	for (uint32_t k = 0; is_float(type) && k < f->outs; k++)
		f->compare[k] = COMPARE_NAN;
	if (type == BF16 || type == BF16X2)
		f->target = "sm_90";
}

static void atom_form(const struct space *s, enum operation operation, enum type type)
{
	const char *o = operations[operation], *n = type_name(type),
		   *noftz = is_float(type) && type != F32 && type != F64 ? ".noftz" : "";
	unsigned bits = type_bits(type);
	bool is_cas = operation == CAS;
	struct form *f = form_add(ref_atom, OUT(type, type), is_cas ? IN(type, type, type) : IN(type, type),
		"atom%s.%s%s.%s%s", s->suffix, o, noftz, n, s->remark);

	form_body(f, "%sst%s.b%u [%%p], %%a; atom%s.%s%s.%s %%r, [%%p], %%b%s; ld%s.b%u %%s, [%%p]; %s",
		s->begin, s->suffix, bits, s->suffix, o, noftz, n, is_cas ? ", %c" : "", s->suffix, bits,
		SPACE_END);
	finish(f, operation, type, s);
	if (operation == CAS || operation == EXCH)
		return;
	f = form_add(
		ref_red, OUT(type), IN(type, type), "red%s.%s%s.%s%s", s->suffix, o, noftz, n, s->remark);
	form_body(f, "%sst%s.b%u [%%p], %%a; red%s.%s%s.%s [%%p], %%b; ld%s.b%u %%r, [%%p]; %s", s->begin,
		s->suffix, bits, s->suffix, o, noftz, n, s->suffix, bits, SPACE_END);
	finish(f, operation, type, s);
}

static void space_forms(const struct space *s)
{
	static const struct {
		enum operation operation;
		enum type type;
	} list[] = { { AND, B32 }, { AND, B64 }, { OR, B32 }, { OR, B64 }, { XOR, B32 }, { XOR, B64 },
		{ EXCH, B32 }, { EXCH, B64 }, { CAS, B16 }, { CAS, B32 }, { CAS, B64 }, { ADD, U32 },
		{ ADD, S32 }, { ADD, U64 }, { INC, U32 }, { DEC, U32 }, { MIN, U32 }, { MIN, S32 },
		{ MIN, U64 }, { MIN, S64 }, { MAX, U32 }, { MAX, S32 }, { MAX, U64 }, { MAX, S64 },
		{ ADD, F32 }, { ADD, F64 }, { ADD, F16 }, { ADD, F16X2 }, { ADD, BF16 }, { ADD, BF16X2 } };

	for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
		atom_form(s, list[i].operation, list[i].type);
}

/* -- 128 bits: memory holds {a, b} -- */

static bool ref_exch_128(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (int k = 0; k < 4; k++)
		out[k] = in[k];
	return true;
}

/* Compared with {c, d}; {e, f} is stored. */
static bool ref_cas_128(const struct form *f, const uint64_t *in, uint64_t *out)
{
	bool is_equal = in[0] == in[2] && in[1] == in[3];

	out[0] = in[0];
	out[1] = in[1];
	out[2] = is_equal ? in[4] : in[0];
	out[3] = is_equal ? in[5] : in[1];
	return true;
}

static void wide_forms(const struct space *s)
{
	static const uint64_t few[] = { 0, 0x8000000000000001 };
	static const struct values list = { few, 2, true };
	struct form *f = form_add(ref_exch_128, OUT(B64, B64, B64, B64), IN(B64, B64, B64, B64),
		"atom%s.exch.b128%s", s->suffix, s->remark);

	form_body(f,
		"%s.reg .b128 %%q, %%o; st%s.v2.b64 [%%p], {%%a, %%b}; mov.b128 %%q, {%%c, %%d}; "
		"atom%s.exch.b128 %%o, [%%p], %%q; mov.b128 {%%r, %%s}, %%o; "
		"ld%s.v2.b64 {%%t, %%u}, [%%p]; %s",
		s->begin, s->suffix, s->suffix, s->suffix, SPACE_END);
	f->version = 83;
	f->target = "sm_90";
	f->samples = 256;
	f = form_add(ref_cas_128, OUT(B64, B64, B64, B64), IN(B64, B64, B64, B64, B64, B64),
		"atom%s.cas.b128%s", s->suffix, s->remark);
	form_body(f,
		"%s.reg .b128 %%q, %%n, %%o; st%s.v2.b64 [%%p], {%%a, %%b}; mov.b128 %%q, {%%c, %%d}; "
		"mov.b128 %%n, {%%e, %%f}; atom%s.cas.b128 %%o, [%%p], %%q, %%n; "
		"mov.b128 {%%r, %%s}, %%o; ld%s.v2.b64 {%%t, %%u}, [%%p]; %s",
		s->begin, s->suffix, s->suffix, s->suffix, SPACE_END);
	f->version = 83;
	f->target = "sm_90";
	f->samples = 256;
	for (int k = 0; k < 4; k++)
		f->values[k] = &list;
}

/* -- vectors: elements one by one; memory holds {a, b}, {c, d} is added -- */

static bool ref_vector(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (int k = 0; k < 2; k++) {
		out[k] = in[k];
		out[2 + k] = sum(f->in[k], in[k], in[2 + k], f->in[k] == F32);
	}
	return true;
}

static void vector_form(enum type type, const char *noftz)
{
	unsigned bits = type_bits(type);
	const char *n = type_name(type);
	struct form *f = form_add(ref_vector, OUT(type, type, type, type), IN(type, type, type, type),
		"atom.global.add%s.v2.%s", noftz, n);

	form_body(f,
		"st.global.v2.b%u [%%m], {%%a, %%b}; "
		"atom.global.add%s.v2.%s {%%r, %%s}, [%%m], {%%c, %%d}; "
		"ld.global.v2.b%u {%%t, %%u}, [%%m]; ",
		bits, noftz, n, bits);
	f->version = 81;
	f->target = "sm_90";
	for (int k = 0; k < 4; k++)
		f->compare[k] = COMPARE_NAN;
}

/* -- qualifiers do not change values -- */

static void qualifier_forms(void)
{
	static const char *const list[] = { ".relaxed.cta.global", ".acquire.gpu.global",
		".release.sys.global", ".acq_rel.gpu.global", ".relaxed.gpu", ".acq_rel.cta", ".global.gpu",
		".sys.global" };

	for (int i = 0; i < 8; i++) {
		struct form *f = form_add(ref_atom, OUT(U32, U32), IN(U32, U32), "atom%s.add.u32", list[i]);

		form_body(f,
			"st.global.b32 [%%m], %%a; atom%s.add.u32 %%r, [%%m], %%b; "
			"ld.global.b32 %%s, [%%m]; ",
			list[i]);
		f->tag[0] = ADD;
		f->tag[1] = U32;
		f->samples = 64;
	}
	struct form *f = form_add(ref_red, OUT(U32), IN(U32, U32), "atom.global.add.u32 to _");
	form_body(
		f, "st.global.b32 [%%m], %%a; atom.global.add.u32 _, [%%m], %%b; ld.global.b32 %%r, [%%m]; ");
	f->tag[0] = ADD;
	f->tag[1] = U32;
}

/* -- many threads on one word of shared memory: the CTA has 128 -- */

enum { CTA = 128 };

/* Result 0 is the word after all of them, of the operands of one CTA. tag: operation, type, start. */
static void ref_contended(const struct form *f, struct tuples *t)
{
	for (uint32_t first = 0; first < t->count; first += CTA) {
		struct form one = *f;
		uint64_t in[2] = { (uint64_t)f->tag[3], 0 };

		for (uint32_t i = 0; i < CTA; i++) {
			in[1] = t->in[0][first + i];
			in[0] = after(&one, in);
		}
		for (uint32_t i = 0; i < CTA; i++)
			t->want[0][first + i] = in[0];
	}
}

static void contended_form(enum operation operation, enum type type, uint64_t start)
{
	struct form *f = form_add(NULL, OUT(type), IN(type), "red.shared.%s.%s of a CTA on one word",
		operations[operation], type_name(type));
	unsigned bits = type_bits(type);

	form_body(f,
		"{ .shared .align 8 .b8 x#[8]; .reg .pred %%first; mov.b%u %%r, 0x%llx; "
		"mov.u32 %%word, %%tid.x; setp.eq.u32 %%first, %%word, 0; "
		"@%%first st.shared.b%u [x#], %%r; bar.sync 0; red.shared.%s.%s [x#], %%a; bar.sync 0; "
		"ld.shared.b%u %%r, [x#]; } ",
		bits, (unsigned long long)start, bits, operations[operation], type_name(type), bits);
	f->reference_all = ref_contended;
	f->tag[0] = operation;
	f->tag[1] = type;
	f->tag[3] = (int64_t)start;
	f->block = CTA;
	f->samples = 512;
}

static void ref_ones(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = 1;
}

/* Each thread draws a number; each number marks its word; all words are marked once. The operation and its
 * operand make the numbers 0 to 127 in some order. */
static void ticket_form(const char *operation, const char *operand, unsigned from)
{
	struct form *f = form_add(
		NULL, OUT(B32), NO_INPUT, "atom.shared.%s of a CTA draws each number once", operation);

	form_body(f,
		"{ .shared .align 4 .b8 x#[4]; .shared .align 4 .b8 marks#[512]; .reg .pred %%first; "
		".reg .b64 %%p, %%q; .reg .b32 %%t; mov.u32 %%t, %%tid.x; mul.wide.u32 %%offset, %%t, 4; "
		"mov.u64 %%p, marks#; add.u64 %%q, %%p, %%offset; mov.b32 %%r, 0; "
		"st.shared.b32 [%%q], %%r; mov.b32 %%r, %u; setp.eq.u32 %%first, %%t, 0; "
		"@%%first st.shared.b32 [x#], %%r; bar.sync 0; atom.shared.%s %%t, [x#], %s; "
		"mul.wide.u32 %%offset, %%t, 4; add.u64 %%p, %%p, %%offset; red.shared.add.u32 [%%p], 1; "
		"bar.sync 0; ld.shared.b32 %%r, [%%q]; } ",
		from, operation, operand);
	f->reference_all = ref_ones;
	f->block = CTA;
}

/* A lock around a plain read and write, in turns of one thread each: what a compare-and-swap loop must give.
 */
static void ref_turns(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = CTA;
}

static void lock_form(void)
{
	struct form *f =
		form_add(NULL, OUT(B32), NO_INPUT, "atom.shared.cas.b32 loop of a CTA adds one each");

	form_body(f,
		"{ .shared .align 4 .b8 x#[4]; .reg .pred %%q; .reg .b32 %%old, %%new, %%seen; "
		"mov.u32 %%word, %%tid.x; mov.b32 %%r, 0; setp.eq.u32 %%q, %%word, 0; "
		"@%%q st.shared.b32 [x#], %%r; bar.sync 0; ld.volatile.shared.b32 %%old, [x#]; "
		"again: add.u32 %%new, %%old, 1; atom.shared.cas.b32 %%seen, [x#], %%old, %%new; "
		"setp.ne.b32 %%q, %%seen, %%old; mov.b32 %%old, %%seen; @%%q bra again; bar.sync 0; "
		"ld.shared.b32 %%r, [x#]; } ");
	f->reference_all = ref_turns;
	f->block = CTA;
}

static void contended_forms(void)
{
	contended_form(ADD, U32, 5);
	contended_form(ADD, U64, 5);
	contended_form(AND, B32, 0xffffffff);
	contended_form(OR, B64, 0);
	contended_form(XOR, B32, 0x1234);
	contended_form(MIN, S32, 0x7fffffff);
	contended_form(MAX, U32, 0);
	contended_form(MIN, U64, ~0ull);
	contended_form(MAX, S64, 0x8000000000000000);
	ticket_form("add.u32", "1", 0);
	ticket_form("inc.u32", "200", 0);
	ticket_form("dec.u32", "127", 127);
	lock_form();
}

void atomic_forms(void)
{
	for (int i = 0; i < SPACES; i++) {
		const struct space *s = &spaces[i];

		if (s->name[0] == 'l')
			continue;
		space_forms(s);
		wide_forms(s);
	}
	vector_form(F32, "");
	vector_form(F16, ".noftz");
	vector_form(BF16, ".noftz");
	vector_form(F16X2, ".noftz");
	vector_form(BF16X2, ".noftz");
	qualifier_forms();
	contended_forms();
}
