/* tests/ptx/conformance/arithmetic/select.c -- comparison and selection of integers and bits: setp set selp
 * slct. */
#include "../suite/conform.h"

static const char *const comparisons[] = { "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs" };
enum { EQ, NE, LT, LE, GT, GE, LO, LS, HI, HS, COMPARISONS };
static const char *const booleans[] = { "", ".and", ".or", ".xor" };
enum { PLAIN, AND, OR, XOR };

/* tag[0]: comparison, tag[1]: boolean operator, tag[2]: the third operand is negated. */
static bool compared(const struct form *f, const uint64_t *in)
{
	__int128 a = number_of(f->in[0], in[0]), b = number_of(f->in[0], in[1]);

	switch (f->tag[0]) {
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case LT:
	case LO:
		return a < b;
	case LE:
	case LS:
		return a <= b;
	case GT:
	case HI:
		return a > b;
	default:
		return a >= b;
	}
}

static bool combined(const struct form *f, bool result, const uint64_t *in)
{
	bool c = f->tag[2] ? !in[2] : in[2];

	switch (f->tag[1]) {
	case AND:
		return result && c;
	case OR:
		return result || c;
	case XOR:
		return result != c;
	default:
		return result;
	}
}

/* p = (a op b) bool c, q = !(a op b) bool c: q is not the complement of p. */
static bool ref_setp(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = combined(f, compared(f, in), in);
	out[1] = combined(f, !compared(f, in), in);
	return true;
}

static bool ref_set(const struct form *f, const uint64_t *in, uint64_t *out)
{
	bool is_true = combined(f, compared(f, in), in);

	if (f->out[0] == F32)
		out[0] = is_true ? bits_of_f32(1) : 0;
	else
		out[0] = is_true ? 0xffffffff : 0;
	return true;
}

static bool ref_selp(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[2] ? in[0] : in[1];
	return true;
}

static bool ref_slct(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = sign_extend(in[2], 32) >= 0 ? in[0] : in[1];
	return true;
}

/* A zero selects the first, a negative zero too; a NaN the second. With .ftz a denormal is a zero. tag: ftz.
 */
static bool ref_slct_f32(const struct form *f, const uint64_t *in, uint64_t *out)
{
	float c = f32_of(in[2]);

	if (f->tag[0] && (in[2] & 0x7f800000) == 0)
		c = 0;
	out[0] = c >= 0 ? in[0] : in[1];
	return true;
}

static bool is_legal(int comparison, enum type t)
{
	bool is_bits = t == B16 || t == B32 || t == B64;

	if (is_bits)
		return comparison <= NE;
	return comparison < LO || !type_is_signed(t);
}

/* setp with a plain predicate, and a pair. */
static void setp_form(int comparison, enum type t)
{
	const char *c = comparisons[comparison], *n = type_name(t);
	struct form *f = form_add(ref_setp, OUT(PRED), IN(t, t), "setp.%s.%s", c, n);

	f->tag[0] = comparison;
	f = form_add(ref_setp, OUT(PRED, PRED), IN(t, t), "setp.%s.%s p|q", c, n);
	f->tag[0] = comparison;
	f->samples = 512;
}

static void setp_boolean_form(int comparison, int boolean, bool is_negated, enum type t)
{
	const char *c = comparisons[comparison], *b = booleans[boolean], *n = type_name(t);
	struct form *f = form_add(ref_setp, OUT(PRED, PRED), IN(t, t, PRED), "setp.%s%s.%s p|q%s", c, b, n,
		is_negated ? ", !c" : "");

	form_body(f, "setp.%s%s.%s %%r|%%s, %%a, %%b, %s%%c; ", c, b, n, is_negated ? "!" : "");
	f->tag[0] = comparison;
	f->tag[1] = boolean;
	f->tag[2] = is_negated;
	f->samples = 512;
}

static void set_form(int comparison, int boolean, bool is_negated, enum type d, enum type t)
{
	const char *c = comparisons[comparison], *b = booleans[boolean];
	struct form *f = boolean
		? form_add(ref_set, OUT(d), IN(t, t, PRED), "set.%s%s.%s.%s%s", c, b, type_name(d),
			  type_name(t), is_negated ? " !c" : "")
		: form_add(ref_set, OUT(d), IN(t, t), "set.%s.%s.%s", c, type_name(d), type_name(t));

	if (is_negated)
		form_body(f, "set.%s%s.%s.%s %%r, %%a, %%b, !%%c; ", c, b, type_name(d), type_name(t));
	f->tag[0] = comparison;
	f->tag[1] = boolean;
	f->tag[2] = is_negated;
	f->samples = 512;
}

static void comparison_forms(void)
{
	static const enum type types[] = { B16, U16, S16, B32, U32, S32, B64, U64, S64 };
	static const enum type results[] = { U32, S32, F32 };

	for (int i = 0; i < 9; i++)
		for (int c = EQ; c < COMPARISONS; c++) {
			if (!is_legal(c, types[i]))
				continue;
			setp_form(c, types[i]);
			for (int b = AND; b <= XOR; b++)
				setp_boolean_form(c, b, (b + c + i) % 2, types[i]);
			for (int d = 0; d < 3; d++)
				set_form(c, PLAIN, false, results[d], types[i]);
			set_form(c, AND + (c + i + 1) % 3, (c + i) % 2, results[(c + i + 1) % 3], types[i]);
		}
}

static void selection_forms(void)
{
	static const enum type types[] = { B16, U16, S16, B32, U32, S32, F32, B64, U64, S64, F64 };

	for (int i = 0; i < 11; i++) {
		const char *n = type_name(types[i]);
		enum type t = types[i];

		form_add(ref_selp, OUT(t), IN(t, t, PRED), "selp.%s", n)->samples = 256;
		form_add(ref_slct, OUT(t), IN(t, t, S32), "slct.%s.s32", n)->samples = 256;
		form_add(ref_slct_f32, OUT(t), IN(t, t, F32), "slct.%s.f32", n)->samples = 256;
		form_add(ref_slct_f32, OUT(t), IN(t, t, F32), "slct.ftz.%s.f32", n)->tag[0] = 1;
	}
}

void select_forms(void)
{
	comparison_forms();
	selection_forms();
}
