/* tests/ptx/conformance/arithmetic/carry.c -- carry chains: add.cc addc sub.cc subc mad.cc madc. The
 * condition code is seen through a following addc or subc with zeros. */
#include "../suite/conform.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

static wide operand(const struct form *f, const uint64_t *in, int k)
{
	return number_of(f->in[k], in[k]);
}

static uwide unsigned_sum(const struct form *f, uint64_t a, uint64_t b, unsigned carry)
{
	return (uwide)zero_extend(a, type_bits(f->in[0])) + zero_extend(b, type_bits(f->in[0])) + carry;
}

static unsigned carry_of(const struct form *f, uwide sum)
{
	return (unsigned)(sum >> type_bits(f->in[0])) & 1;
}

/* r = a + b, s = the carry */
static bool ref_add_cc(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uwide sum = unsigned_sum(f, in[0], in[1], 0);

	out[0] = (uint64_t)sum & type_mask(f->in[0]);
	out[1] = carry_of(f, sum);
	return true;
}

/* {s, r} = {b, a} + {d, c}, t = the carry */
static bool ref_add_two(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uwide low = unsigned_sum(f, in[0], in[2], 0), up = unsigned_sum(f, in[1], in[3], carry_of(f, low));

	out[0] = (uint64_t)low & type_mask(f->in[0]);
	out[1] = (uint64_t)up & type_mask(f->in[0]);
	out[2] = carry_of(f, up);
	return true;
}

/* {s, r} = {b, a} - {d, c}, t = 0 - borrow */
static bool ref_sub_two(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t mask = type_mask(f->in[0]);
	bool borrow = in[0] < in[2];

	out[0] = (in[0] - in[2]) & mask;
	out[1] = (in[1] - in[3] - borrow) & mask;
	out[2] = (in[1] < in[3] || (borrow && in[1] == in[3])) ? mask : 0;
	return true;
}

/* {s, r} = a * b + {d, c}, t = the carry; the halves of the product are unsigned. */
static bool ref_mad_two(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = type_bits(f->in[0]);
	uwide product = (uwide)in[0] * in[1];
	uwide low = unsigned_sum(f, (uint64_t)product, in[2], 0);
	uwide up = unsigned_sum(f, (uint64_t)(product >> bits), in[3], carry_of(f, low));

	out[0] = (uint64_t)low & type_mask(f->in[0]);
	out[1] = (uint64_t)up & type_mask(f->in[0]);
	out[2] = carry_of(f, up);
	return true;
}

/* r = the low word of a * b + c, s = d + carry of it + the high word (a signed product for signed types) */
static bool ref_madc_hi(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = type_bits(f->in[0]);
	uwide product = (uwide)operand(f, in, 0) * (uwide)operand(f, in, 1);
	uwide low = unsigned_sum(f, (uint64_t)product, in[2], 0);

	out[0] = (uint64_t)low & type_mask(f->in[0]);
	out[1] = ((uint64_t)(product >> bits) + in[3] + carry_of(f, low)) & type_mask(f->in[0]);
	return true;
}

/* The carry survives what does not write it: other arithmetic, memory, a branch. */
static bool ref_carry_kept(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uwide sum = unsigned_sum(f, in[0], in[1], 0);

	out[0] = (uint64_t)sum & type_mask(f->in[0]);
	out[1] = (in[0] * in[1] + in[1] + carry_of(f, sum)) & type_mask(f->in[0]);
	return true;
}

/* addc.cc is a chain of three words. */
static bool ref_add_three(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uwide one = unsigned_sum(f, in[0], in[3], 0);
	uwide two = unsigned_sum(f, in[1], in[4], carry_of(f, one));

	out[0] = (uint64_t)one & type_mask(f->in[0]);
	out[1] = (uint64_t)two & type_mask(f->in[0]);
	out[2] = (in[2] + in[5] + carry_of(f, two)) & type_mask(f->in[0]);
	return true;
}

static void chain_forms(enum type t)
{
	const char *n = type_name(t);
	struct form *f;

	form_body(form_add(ref_add_cc, OUT(t, t), IN(t, t), "add.cc.%s", n),
		"add.cc.%s %%r, %%a, %%b; addc.%s %%s, 0, 0; ", n, n);
	form_body(form_add(ref_add_two, OUT(t, t, t), IN(t, t, t, t), "addc.cc.%s", n),
		"add.cc.%s %%r, %%a, %%c; addc.cc.%s %%s, %%b, %%d; addc.%s %%t, 0, 0; ", n, n, n);
	form_body(form_add(ref_sub_two, OUT(t, t, t), IN(t, t, t, t), "subc.cc.%s", n),
		"sub.cc.%s %%r, %%a, %%c; subc.cc.%s %%s, %%b, %%d; subc.%s %%t, 0, 0; ", n, n, n);
	form_body(form_add(ref_add_three, OUT(t, t, t), IN(t, t, t, t, t, t), "addc.%s of three words", n),
		"add.cc.%s %%r, %%a, %%d; addc.cc.%s %%s, %%b, %%e; addc.%s %%t, %%c, %%f; ", n, n, n);
	f = form_add(ref_madc_hi, OUT(t, t), IN(t, t, t, t), "madc.hi.%s", n);
	form_body(f, "mad.lo.cc.%s %%r, %%a, %%b, %%c; madc.hi.%s %%s, %%a, %%b, %%d; ", n, n);
	f = form_add(ref_carry_kept, OUT(t, t), IN(t, t), "madc.lo.%s, the carry kept", n);
	form_body(f,
		"add.cc.%s %%r, %%a, %%b; st.global.b%u [%%m], %%r; bra next; "
		"next: add.u32 %%word, %%i, 1; madc.lo.%s %%s, %%a, %%b, %%b; ",
		n, type_bits(t), n);
	if (type_is_signed(t))
		return;
	f = form_add(ref_mad_two, OUT(t, t, t), IN(t, t, t, t), "madc.hi.cc.%s", n);
	form_body(f, "mad.lo.cc.%s %%r, %%a, %%b, %%c; madc.hi.cc.%s %%s, %%a, %%b, %%d; addc.%s %%t, 0, 0; ",
		n, n, n);
}

void carry_forms(void)
{
	static const enum type types[] = { U32, S32, U64, S64 };

	for (int i = 0; i < 4; i++)
		chain_forms(types[i]);
}
