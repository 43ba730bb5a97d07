/* tests/ptx/conformance/memory/wmma.c -- wmma: load, multiply, store through shared memory, in every layout.
 * What lanes hold is not looked at: it is the machine's own affair. Floating-point elements are small
 * integers, as in matrix.c. */
#include <stdio.h>
#include "../suite/conform.h"

enum { WARP = 32 };

/* A kind of matrix product: elements of A and B, of C and D; registers of a fragment by shape. */
struct kind {
	const char *ab, *types; /* as in wmma.load.a and at the end of wmma.mma */
	enum type element, d;   /* F16, BF16, F32 for tf32, S8, U8, F64; F32, F16, S32, F64 */
	int m, n, k;
	unsigned a_registers, b_registers, c_registers;
	const char *target;
};

struct product {
	struct kind kind;
	bool a_column, b_column, c_column, d_column;
};

static unsigned bytes_of(enum type type)
{
	return type_bits(type) / 8;
}

static unsigned a_bytes(const struct kind *k)
{
	return (unsigned)(k->m * k->k) * bytes_of(k->element);
}

static unsigned b_bytes(const struct kind *k)
{
	return (unsigned)(k->n * k->k) * bytes_of(k->element);
}

static unsigned d_bytes(const struct kind *k)
{
	return (unsigned)(k->m * k->n) * bytes_of(k->d);
}

/* Operands of a lane that hold its part of a matrix of so many bytes: words of 8 bytes, or one of 4. */
static unsigned words(unsigned bytes)
{
	return bytes < 256 ? 1 : bytes / 256;
}

/* Element p of a matrix in memory, which the lanes wrote with operands from first_word on. */
static double stored(const struct kind *k, const struct tuples *t, uint32_t first, unsigned first_word,
	unsigned bytes, unsigned p)
{
	unsigned at = p * bytes_of(k->element), lane = at / (bytes / WARP), inside = at % (bytes / WARP);
	uint64_t word =
		t->in[first_word + inside / 8][first + lane] >> 8 * (inside % 8) & type_mask(k->element);

	return type_bits(k->element) == 8 ? (double)number_of(k->element, word) : value_of(k->element, word);
}

static unsigned place(bool is_column, int rows, int columns, int row, int column)
{
	return (unsigned)(is_column ? column * rows + row : row * columns + column);
}

static double element_of_d(
	const struct product *p, const struct tuples *t, uint32_t first, int row, int column)
{
	const struct kind *k = &p->kind;
	double sum = (double)place(p->c_column, k->m, k->n, row, column) - 64;

	for (int i = 0; i < k->k; i++)
		sum += stored(k, t, first, 0, a_bytes(k), place(p->a_column, k->m, k->k, row, i)) *
			stored(k, t, first, words(a_bytes(k)), b_bytes(k),
				place(p->b_column, k->k, k->n, i, column));
	return sum;
}

static uint64_t encode(enum type type, double value)
{
	switch (type) {
	case F16:
		return round_to(F16, value);
	case F32:
		return bits_of_f32((float)value);
	case F64:
		return bits_of_f64(value);
	default:
		return (uint64_t)(int64_t)value & 0xffffffff;
	}
}

static void ref_wmma(const struct form *f, struct tuples *t)
{
	const struct product *p = f->data;
	const struct kind *k = &p->kind;

	for (uint32_t first = 0; first < t->count; first += WARP)
		for (int row = 0; row < k->m; row++)
			for (int column = 0; column < k->n; column++) {
				unsigned at = place(p->d_column, k->m, k->n, row, column) * bytes_of(k->d);
				unsigned share = d_bytes(k) / WARP, lane = at / share, inside = at % share;

				t->want[inside / 8][first + lane] |=
					encode(k->d, element_of_d(p, t, first, row, column))
					<< 8 * (inside % 8);
			}
}

static size_t registers(char *text, size_t size, const char *prefix, unsigned count)
{
	size_t used = 0;

	for (unsigned i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%%%s%u", i ? ", " : "", prefix, i);
	return used;
}

/* Stores of a lane's operands into its part of a matrix at base. */
static size_t fill_text(char *text, size_t size, unsigned base, unsigned bytes, unsigned first_word)
{
	size_t used = (size_t)snprintf(text, size,
		"mul.wide.u32 %%offset, %%lane, %u; add.u64 %%p, %%base, %%offset; ", bytes / WARP);

	for (unsigned i = 0; i < words(bytes); i++)
		used += (size_t)snprintf(text + used, size - used, "st.shared.b%u [%%p+%u], %%%c; ",
			bytes < 256 ? 32 : 64, base + 8 * i, "abcdef"[first_word + i]);
	return used;
}

/* C in memory: element p, in the order of its layout, is p - 64. */
static size_t c_text(const struct kind *k, char *text, size_t size)
{
	unsigned count = (unsigned)(k->m * k->n / WARP), bytes = bytes_of(k->d);
	size_t used = (size_t)snprintf(text, size,
		"mul.lo.u32 %%n, %%lane, %u; sub.s32 %%n, %%n, 64; mul.wide.u32 %%offset, %%lane, %u; "
		"add.u64 %%p, %%base, %%offset; ",
		count, count * bytes);

	for (unsigned i = 0; i < count; i++) {
		const char *convert = k->d == F32 ? "cvt.rn.f32.s32 %x, %n; st.shared.f32"
			: k->d == F64             ? "cvt.rn.f64.s32 %y, %n; st.shared.f64"
			: k->d == F16 ? "cvt.rn.f32.s32 %x, %n; cvt.rn.f16.f32 %z, %x; st.shared.b16"
				      : "st.shared.b32";
		const char *from = k->d == F32 ? "%x" : k->d == F64 ? "%y" : k->d == F16 ? "%z" : "%n";

		used += (size_t)snprintf(text + used, size - used, "%s [%%p+%u], %s; add.s32 %%n, %%n, 1; ",
			convert, 2048 + i * bytes, from);
	}
	return used;
}

static const char *layout(bool is_column)
{
	return is_column ? "col" : "row";
}

static void product_text(const struct product *p, char *text, size_t size)
{
	const struct kind *k = &p->kind;
	char a[128], b[128], c[128], d[128], shape[32];

	registers(a, sizeof a, "fa", k->a_registers);
	registers(b, sizeof b, "fb", k->b_registers);
	registers(c, sizeof c, "fc", k->c_registers);
	registers(d, sizeof d, "fd", k->c_registers);
	snprintf(shape, sizeof shape, "m%dn%dk%d", k->m, k->n, k->k);
	snprintf(text, size,
		"add.u64 %%p, %%base, 1024; add.u64 %%q, %%base, 2048; bar.warp.sync -1; "
		"wmma.load.a.sync.aligned.%s.%s.shared.%s {%s}, [%%base], %d; "
		"wmma.load.b.sync.aligned.%s.%s.shared.%s {%s}, [%%p], %d; "
		"wmma.load.c.sync.aligned.%s.%s.shared.%s {%s}, [%%q], %d; "
		"wmma.mma.sync.aligned.%s.%s.%s.%s {%s}, {%s}, {%s}, {%s}; bar.warp.sync -1; "
		"wmma.store.d.sync.aligned.%s.%s.shared.%s [%%q], {%s}, %d; bar.warp.sync -1; ",
		layout(p->a_column), shape, k->ab, a, p->a_column ? k->m : k->k, layout(p->b_column), shape,
		k->ab, b, p->b_column ? k->k : k->n, layout(p->c_column), shape, type_name(k->d), c,
		p->c_column ? k->m : k->n, layout(p->a_column), layout(p->b_column), shape, k->types, d, a, b,
		c, layout(p->d_column), shape, type_name(k->d), d, p->d_column ? k->m : k->n);
}

/* Small integers: four halves, two floats, one double in a word. */
static const uint64_t f16_list[] = { 0, 0x3c00bc0040004200, 0xc4003c0000003c00, 0x4500c6003c000000,
	0xbc00470038003800, 0x3c003c003c003c00 };
static const uint64_t bf16_list[] = { 0, 0x3f80bf8040004040, 0xc0803f8000003f80, 0x40a0c0c03f800000,
	0xbf8040e03f003f00, 0x3f803f803f803f80 };
static const uint64_t f32_list[] = { 0, 0x3f800000bf800000, 0x4040000040000000, 0xc0a000003f800000,
	0x40e000003f000000, 0x3f80000000000000 };
static const uint64_t f64_list[] = { 0, 0x3ff0000000000000, 0xbff0000000000000, 0x4008000000000000,
	0xc014000000000000, 0x3fe0000000000000 };
static const struct values f16_values = { f16_list, 6, true }, bf16_values = { bf16_list, 6, true },
			   f32_values = { f32_list, 6, true }, f64_values = { f64_list, 6, true };

static const struct values *values_for(enum type element)
{
	return element == F16     ? &f16_values
		: element == BF16 ? &bf16_values
		: element == F32  ? &f32_values
		: element == F64  ? &f64_values
				  : NULL;
}

static void wmma_form(const struct product *p)
{
	const struct kind *k = &p->kind;
	unsigned as = words(a_bytes(k)), bs = words(b_bytes(k)), ds = d_bytes(k) / 256;
	static char fill_a[512], fill_b[512], fill_c[2048], run[2048];
	enum type in[7] = { NONE }, out[5] = { NONE };
	const char *wide = k->element == F64 ? "b64" : "b32";
	struct form *f;

	for (unsigned i = 0; i < as + bs; i++)
		in[i] = (i < as ? a_bytes(k) : b_bytes(k)) < 256 ? B32 : B64;
	for (unsigned i = 0; i < ds; i++)
		out[i] = B64;
	fill_text(fill_a, sizeof fill_a, 0, a_bytes(k), 0);
	fill_text(fill_b, sizeof fill_b, 1024, b_bytes(k), as);
	c_text(k, fill_c, sizeof fill_c);
	product_text(p, run, sizeof run);
	f = form_add(NULL, out, in, "wmma.mma.sync.aligned.%s.%s.m%dn%dk%d.%s c %s d %s", layout(p->a_column),
		layout(p->b_column), k->m, k->n, k->k, k->types, layout(p->c_column), layout(p->d_column));
	form_body(f,
		"{ .shared .align 32 .b8 x#[4096]; .reg .b64 %%base, %%p, %%q, %%y; .reg .b32 %%n, %%x; "
		".reg .b16 %%z; .reg .%s %%fa<8>, %%fb<8>, %%fc<8>, %%fd<8>; mov.u64 %%base, x#; "
		"%s%s%s%smul.wide.u32 %%offset, %%lane, %u; add.u64 %%p, %%base, %%offset; "
		"ld.shared.v2.b64 {%%r, %%s}, [%%p+2048]; %s} ",
		wide, fill_a, fill_b, fill_c, run, ds * 8,
		ds == 4 ? "ld.shared.v2.b64 {%t, %u}, [%p+2064]; " : "");
	f->reference_all = ref_wmma;
	f->data = p;
	f->target = k->target;
	f->block = WARP;
	f->samples = 192;
	for (unsigned i = 0; i < as + bs; i++)
		f->values[i] = values_for(k->element);
}

static const struct kind kinds[] = {
	{ "f16", "f32.f32", F16, F32, 16, 16, 16, 8, 8, 8, "sm_75" },
	{ "f16", "f32.f32", F16, F32, 32, 8, 16, 8, 8, 8, "sm_75" },
	{ "f16", "f32.f32", F16, F32, 8, 32, 16, 8, 8, 8, "sm_75" },
	{ "f16", "f16.f16", F16, F16, 16, 16, 16, 8, 8, 4, "sm_75" },
	{ "f16", "f16.f16", F16, F16, 32, 8, 16, 8, 8, 4, "sm_75" },
	{ "bf16", "f32.bf16.bf16.f32", BF16, F32, 16, 16, 16, 4, 4, 8, "sm_80" },
	{ "bf16", "f32.bf16.bf16.f32", BF16, F32, 8, 32, 16, 2, 8, 8, "sm_80" },
	{ "tf32", "f32.tf32.tf32.f32", F32, F32, 16, 16, 8, 4, 4, 8, "sm_80" },
	{ "f64", "f64.f64.f64.f64", F64, F64, 8, 8, 4, 1, 1, 2, "sm_80" },
	{ "s8", "s32.s8.s8.s32", S8, S32, 16, 16, 16, 2, 2, 8, "sm_75" },
	{ "u8", "s32.u8.u8.s32", U8, S32, 16, 16, 16, 2, 2, 8, "sm_75" },
	{ "s8", "s32.s8.s8.s32", S8, S32, 32, 8, 16, 4, 1, 8, "sm_75" },
	{ "u8", "s32.u8.u8.s32", U8, S32, 8, 32, 16, 1, 4, 8, "sm_75" },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

void wmma_forms(void)
{
	static struct product products[4 * KINDS];

	for (unsigned i = 0; i < 4 * KINDS; i++) {
		struct product *p = &products[i];

		p->kind = kinds[i / 4];
		p->a_column = i & 1;
		p->b_column = i & 2;
		p->c_column = (i + i / 4) % 3 == 1;
		p->d_column = (i + i / 4) % 2;
		wmma_form(p);
	}
}
