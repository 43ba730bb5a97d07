/* tests/ptx/conformance/arithmetic/video.c -- the video instructions: scalar ones (vadd vsub vabsdiff vmin
 * vmax vshl vshr vmad vset) and those on two or four parts (vadd2 ... vset4), over a sample of types,
 * selectors, masks and secondary operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../suite/conform.h"

enum operation { VADD, VSUB, VABSDIFF, VMIN, VMAX, VAVRG, VSHL, VSHR, VMAD, VSET };
enum secondary { PLAIN, ADD, MIN, MAX, MERGE };
enum scale { NO_SCALE = 0, SHR7 = 7, SHR15 = 15 };

static const char *const operations[] = { "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg", "vshl", "vshr",
	"vmad", "vset" };
static const char *const secondaries[] = { "", ".add", ".min", ".max", "" };
static const char *const comparisons[] = { "eq", "ne", "lt", "le", "gt", "ge" };
static const char *const parts[] = { "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1" };
enum { WORD, B0, B1, B2, B3, H0, H1, PARTS };

struct video {
	enum operation operation;
	enum secondary secondary;
	int comparison;
	enum type d, a, b;
	bool is_saturated, is_wrapped;
	int d_part, a_part, b_part; /* scalar */
	bool is_negated[3], plus_one;
	enum scale scale;
	int lanes;                    /* of 2 and 4 */
	int a_select[4], b_select[4]; /* element i comes from part n of {b, a} */
	unsigned mask;
};

static __int128 clamp(__int128 value, bool is_signed, unsigned bits)
{
	__int128 low = is_signed ? -((__int128)1 << (bits - 1)) : 0,
		 high = ((__int128)1 << (bits - is_signed)) - 1;

	return value < low ? low : value > high ? high : value;
}

static bool fits(__int128 value, bool is_signed, unsigned bits)
{
	return clamp(value, is_signed, bits) == value;
}

/* A number of some width out of a word. */
static __int128 extract(uint64_t word, unsigned at, unsigned bits, bool is_signed)
{
	return is_signed ? (__int128)sign_extend(word >> at, bits) : (__int128)zero_extend(word >> at, bits);
}

static void part_place(int part, unsigned *at, unsigned *bits)
{
	*bits = part == WORD ? 32 : part < H0 ? 8 : 16;
	*at = part == WORD ? 0 : part < H0 ? 8 * (unsigned)(part - B0) : 16 * (unsigned)(part - H0);
}

static __int128 select_part(uint64_t word, int part, enum type type)
{
	unsigned at, bits;

	part_place(part, &at, &bits);
	return extract(word, at, bits, type_is_signed(type));
}

static bool compare(int comparison, __int128 a, __int128 b)
{
	switch (comparison) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	default:
		return a >= b;
	}
}

static __int128 shift_count(const struct video *v, __int128 b)
{
	return v->is_wrapped ? b & 31 : b > 32 ? 32 : b;
}

static __int128 operate(const struct video *v, __int128 a, __int128 b)
{
	switch (v->operation) {
	case VADD:
		return a + b;
	case VSUB:
		return a - b;
	case VABSDIFF:
		return a < b ? b - a : a - b;
	case VMIN:
		return a < b ? a : b;
	case VMAX:
		return a > b ? a : b;
	case VAVRG:
		return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
	case VSHL:
		return (__int128)((unsigned __int128)a << shift_count(v, b));
	case VSHR:
		return a >> shift_count(v, b);
	default:
		return compare(v->comparison, a, b);
	}
}

/* -- scalar -- */

static uint64_t merge(uint64_t value, int part, uint64_t c)
{
	unsigned at, bits;

	part_place(part, &at, &bits);
	return (c & ~(zero_extend(~0ull, bits) << at)) | zero_extend(value, bits) << at;
}

/* Intermediate results have 34 bits: what is larger (vshl) is open where its size matters, and so is what a
 * minimum or maximum makes of a result that is none of the destination's. */
static bool ref_scalar(const struct form *f, const uint64_t *in, uint64_t *out)
{
	const struct video *v = f->data;
	bool is_signed = type_is_signed(v->d), has_c = v->secondary != PLAIN;
	__int128 t = operate(v, select_part(in[0], v->a_part, v->a), select_part(in[1], v->b_part, v->b));
	__int128 c = has_c ? number_of(v->d, in[2]) : 0;
	unsigned at, bits;

	part_place(v->d_part, &at, &bits);
	if (v->is_saturated) {
		if (!fits(t, true, 34))
			return false;
		t = clamp(t, is_signed, bits);
	}
	if ((v->secondary == MIN || v->secondary == MAX) && !fits(t, is_signed, 32))
		return false;
	switch (v->secondary) {
	case ADD:
		t += c;
		break;
	case MIN:
		t = t < c ? t : c;
		break;
	case MAX:
		t = t > c ? t : c;
		break;
	default:
		break;
	}
	out[0] = v->secondary == MERGE ? merge((uint64_t)t, v->d_part, in[2]) : (uint64_t)t & 0xffffffff;
	return true;
}

static bool is_vmad_signed(const struct video *v)
{
	return v->a == S32 || v->b == S32 || v->is_negated[0] != v->is_negated[1] || v->is_negated[2];
}

/* The product is negated by complement and increment, and so is c; with an unsigned product the complement of
 * a c of 2^31 and more is open. */
static bool ref_vmad(const struct form *f, const uint64_t *in, uint64_t *out)
{
	const struct video *v = f->data;
	bool is_signed = is_vmad_signed(v);
	__int128 c = number_of(is_signed ? S32 : U32, in[2]);
	__int128 t = select_part(in[0], v->a_part, v->a) * select_part(in[1], v->b_part, v->b);

	if (v->is_negated[2]) {
		if (v->a == U32 && v->b == U32 && in[2] >> 31)
			return false;
		t -= c;
	} else {
		t = (v->is_negated[0] != v->is_negated[1] ? -t : t) + c + v->plus_one;
	}
	t >>= v->scale;
	if (v->is_saturated)
		t = clamp(t, is_signed, 32);
	out[0] = (uint64_t)t & 0xffffffff;
	return true;
}

/* -- two and four parts -- */

/* Results that are none of the destination's are open where they are accumulated. */
static bool ref_lanes(const struct form *f, const uint64_t *in, uint64_t *out)
{
	const struct video *v = f->data;
	unsigned bits = 32 / (unsigned)v->lanes;
	bool is_signed = type_is_signed(v->d);
	uint64_t both = in[1] << 32 | in[0], sum = in[2];

	for (int i = 0; i < v->lanes; i++) {
		unsigned at = bits * (unsigned)i;
		__int128 a = extract(both, bits * (unsigned)v->a_select[i], bits, type_is_signed(v->a));
		__int128 b = extract(both, bits * (unsigned)v->b_select[i], bits, type_is_signed(v->b));
		__int128 t = operate(v, a, b);

		if (v->is_saturated)
			t = clamp(t, is_signed, bits);
		if (!(v->mask >> i & 1)) {
			out[0] |= zero_extend(in[2] >> at, bits) << at;
			continue;
		}
		if (v->secondary == ADD && !fits(t, is_signed, bits))
			return false;
		sum += (uint64_t)t;
		out[0] |= zero_extend((uint64_t)t, bits) << at;
	}
	if (v->secondary == ADD)
		out[0] = sum & 0xffffffff;
	return true;
}

/* -- forms -- */

/* Shift counts are unsigned, and so are the results of comparisons. types: bit 0 the destination's sign, 1
 * a's, 2 b's. */
static bool is_legal(enum operation operation, unsigned types)
{
	return !((operation == VSHL || operation == VSHR) && types & 4) && !(operation == VSET && types & 1);
}

static struct video *new_video(enum operation operation, unsigned types)
{
	struct video *v = calloc(1, sizeof *v);

	if (!v)
		abort();
	v->operation = operation;
	v->d = types & 1 ? S32 : U32;
	v->a = types & 2 ? S32 : U32;
	v->b = types & 4 ? S32 : U32;
	return v;
}

/* The instruction's modifiers after the opcode. */
static void spell_modifiers(const struct video *v, char *text, size_t size)
{
	if (v->operation == VSET)
		snprintf(text, size, ".%s.%s.%s%s", type_name(v->a), type_name(v->b),
			comparisons[v->comparison], secondaries[v->secondary]);
	else
		snprintf(text, size, ".%s.%s.%s%s%s%s", type_name(v->d), type_name(v->a), type_name(v->b),
			v->is_saturated ? ".sat" : "",
			v->operation == VSHL || v->operation == VSHR ? v->is_wrapped ? ".wrap" : ".clamp"
								     : "",
			secondaries[v->secondary]);
}

static void scalar_form(const struct video *v)
{
	char modifiers[64];
	bool has_c = v->secondary != PLAIN;
	const char *d = parts[v->d_part], *a = parts[v->a_part], *b = parts[v->b_part],
		   *o = operations[v->operation];
	struct form *f;

	spell_modifiers(v, modifiers, sizeof modifiers);
	f = form_add(ref_scalar, OUT(B32), has_c ? IN(B32, B32, B32) : IN(B32, B32), "%s%s d%s, a%s, b%s%s",
		o, modifiers, d, a, b, has_c ? ", c" : "");
	form_body(f, "%s%s %%r%s, %%a%s, %%b%s%s; ", o, modifiers, d, a, b, has_c ? ", %c" : "");
	f->data = v;
	f->samples = 384;
	if (v->operation == VSHL || v->operation == VSHR)
		f->values[1] = values_of(COUNT);
}

/* A choice of saturation, selectors and secondary operation that differs from variant to variant. */
static void choose_scalar(struct video *v, unsigned variant)
{
	v->secondary = (enum secondary)(variant % 5);
	v->is_saturated = v->operation != VSET && (variant / 5 + variant) % 2;
	v->a_part = (int)(variant * 3 % PARTS);
	v->b_part = (int)(variant * 5 / 2 % PARTS);
	v->d_part = v->secondary == MERGE ? B0 + (int)(variant % 6) : WORD;
	v->is_wrapped = variant / 3 % 2;
	v->comparison = (int)(variant % 6);
}

static void scalar_forms(void)
{
	static const enum operation list[] = { VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET };
	enum { VARIANTS = 6 };

	for (unsigned i = 0; i < 8; i++)
		for (unsigned types = 0; types < 8; types++)
			for (unsigned n = 0; n < VARIANTS; n++) {
				struct video *v;

				if (!is_legal(list[i], types))
					continue;
				v = new_video(list[i], types);
				choose_scalar(v, 7 * i + 5 * types + n + (n == 5 ? 12 : 0));
				scalar_form(v);
			}
}

static void vmad_form(struct video *v)
{
	const char *a = parts[v->a_part], *b = parts[v->b_part];
	const char *sat = v->is_saturated ? ".sat" : "", *po = v->plus_one ? ".po" : "";
	const char *scale = v->scale == SHR7 ? ".shr7" : v->scale == SHR15 ? ".shr15" : "";
	struct form *f;
	char modifiers[64];

	v->d = is_vmad_signed(v) ? S32 : U32;
	snprintf(modifiers, sizeof modifiers, ".%s.%s.%s%s%s%s", type_name(v->d), type_name(v->a),
		type_name(v->b), po, sat, scale);
	f = form_add(ref_vmad, OUT(B32), IN(B32, B32, B32), "vmad%s d, %sa%s, %sb%s, %sc", modifiers,
		v->is_negated[0] ? "-" : "", a, v->is_negated[1] ? "-" : "", b, v->is_negated[2] ? "-" : "");
	form_body(f, "vmad%s %%r, %s%%a%s, %s%%b%s, %s%%c; ", modifiers, v->is_negated[0] ? "-" : "", a,
		v->is_negated[1] ? "-" : "", b, v->is_negated[2] ? "-" : "");
	f->data = v;
	f->samples = 384;
}

static void vmad_forms(void)
{
	static const enum scale scales[] = { NO_SCALE, SHR7, SHR15 };
	enum { NOTHING, NEGATED_A, NEGATED_B, NEGATED_C, PLUS_ONE, WAYS };

	for (unsigned types = 0; types < 8; types += 2)
		for (unsigned way = NOTHING; way < WAYS; way++)
			for (unsigned n = 0; n < 3; n++) {
				struct video *v = new_video(VMAD, types);

				v->is_negated[0] = way == NEGATED_A;
				v->is_negated[1] = way == NEGATED_B;
				v->is_negated[2] = way == NEGATED_C;
				v->plus_one = way == PLUS_ONE;
				v->scale = scales[n];
				v->is_saturated = (n + way) % 2;
				v->a_part = (int)((n * 2 + way) % PARTS);
				v->b_part = (int)((n * 3 + types) % PARTS);
				vmad_form(v);
			}
}

/* Selectors and masks name the highest part first: .h10, .b3210. */
static void spell_select(const struct video *v, const int *select, char *text)
{
	*text++ = '.';
	*text++ = v->lanes == 2 ? 'h' : 'b';
	for (int i = v->lanes - 1; i >= 0; i--)
		*text++ = (char)('0' + select[i]);
	*text = '\0';
}

static void spell_mask(const struct video *v, char *text)
{
	*text++ = '.';
	*text++ = v->lanes == 2 ? 'h' : 'b';
	for (int i = v->lanes - 1; i >= 0; i--)
		if (v->mask >> i & 1)
			*text++ = (char)('0' + i);
	*text = '\0';
}

/* Default selectors and masks are left out. */
static void lanes_form(struct video *v, bool is_default)
{
	char modifiers[64], a[8] = "", b[8] = "", d[8] = "";
	const char *o = operations[v->operation];
	struct form *f;

	if (!is_default) {
		spell_select(v, v->a_select, a);
		spell_select(v, v->b_select, b);
		spell_mask(v, d);
	}
	spell_modifiers(v, modifiers, sizeof modifiers);
	f = form_add(ref_lanes, OUT(B32), IN(B32, B32, B32), "%s%d%s d%s, a%s, b%s, c", o, v->lanes,
		modifiers, d, a, b);
	form_body(f, "%s%d%s %%r%s, %%a%s, %%b%s, %%c; ", o, v->lanes, modifiers, d, a, b);
	f->data = v;
	f->samples = 384;
}

static void choose_lanes(struct video *v, unsigned variant, bool is_default)
{
	uint64_t state = variant;

	v->secondary = variant % 3 == 0 ? ADD : PLAIN;
	v->is_saturated = v->operation != VSET && v->secondary == PLAIN && variant % 2;
	v->comparison = (int)(variant / 2 % 6);
	v->mask = is_default ? (1u << v->lanes) - 1
			     : 1 + (unsigned)(random_word(&state) % ((1u << v->lanes) - 1));
	for (int i = 0; i < v->lanes; i++) {
		v->a_select[i] = is_default ? i : (int)(random_word(&state) % (2 * (unsigned)v->lanes));
		v->b_select[i] =
			is_default ? v->lanes + i : (int)(random_word(&state) % (2 * (unsigned)v->lanes));
	}
}

static void lanes_forms(int lanes)
{
	static const enum operation list[] = { VADD, VSUB, VABSDIFF, VMIN, VMAX, VAVRG, VSET };
	enum { VARIANTS = 4 };

	for (unsigned i = 0; i < 7; i++)
		for (unsigned types = 0; types < 8; types++)
			for (unsigned n = 0; n < VARIANTS; n++) {
				struct video *v;

				if (!is_legal(list[i], types))
					continue;
				v = new_video(list[i], types);
				v->lanes = lanes;
				choose_lanes(v, 31 * i + 5 * types + n, n < 1);
				lanes_form(v, n < 1);
			}
}

void video_forms(void)
{
	scalar_forms();
	vmad_forms();
	lanes_forms(2);
	lanes_forms(4);
}
