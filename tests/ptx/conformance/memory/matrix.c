/* tests/ptx/conformance/memory/matrix.c -- mma, ldmatrix, stmatrix, movmatrix: the layout of fragments, lane
 * by lane. Floating-point elements are small integers, so that every order and width of accumulation gives
 * the same sum. wmma stands in wmma.c. */
#include <stdio.h>
#include "../suite/conform.h"

enum { WARP = 32 };

/* Elements of an mma operand. */
enum element { E_F16, E_BF16, E_TF32, E_F64, E_S8, E_U8, E_S4, E_U4, E_B1, ELEMENTS };

static const struct {
	const char *name;
	unsigned bits;
	bool is_integer;
} elements[ELEMENTS] = { { "f16", 16, false }, { "bf16", 16, false }, { "tf32", 32, false },
	{ "f64", 64, false }, { "s8", 8, true }, { "u8", 8, true }, { "s4", 4, true }, { "u4", 4, true },
	{ "b1", 1, true } };

struct shape {
	int m, n, k;
	enum element a, b;
	enum type d;                          /* F32, F16X2, S32, F64 */
	const char *target, *middle, *behind; /* .satfinite before the types; .xor.popc behind them */
	int c_step; /* c is c_step times the number of the accumulator in the warp's matrix, less 64 for
		       floats */
};

/* Registers of a lane. */
static unsigned a_registers(const struct shape *s)
{
	unsigned bits = elements[s->a].bits == 64 ? 64 : 32;

	return (unsigned)(s->m * s->k) * elements[s->a].bits / WARP / bits;
}

static unsigned b_registers(const struct shape *s)
{
	unsigned bits = elements[s->b].bits == 64 ? 64 : 32;

	return (unsigned)(s->n * s->k) * elements[s->b].bits / WARP / bits;
}

static unsigned d_registers(const struct shape *s)
{
	return (unsigned)(s->m * s->n) / WARP / (s->d == F16X2 ? 2 : 1);
}

static double decode(enum element e, uint64_t word, unsigned i)
{
	unsigned bits = elements[e].bits;

	switch (e) {
	case E_F16:
		return value_of(F16, word >> 16 * i & 0xffff);
	case E_BF16:
		return value_of(BF16, word >> 16 * i & 0xffff);
	case E_TF32:
		return f32_of(word);
	case E_F64:
		return f64_of(word);
	case E_S8:
	case E_S4:
		return (double)sign_extend(word >> bits * i, bits);
	default:
		return (double)zero_extend(word >> bits * i, bits);
	}
}

/* Lane l = 4 g + t holds of A, in register r, the elements t * per ... of row g (odd registers: row g + 8), 4
 * * per columns further on for each pair; of B the same with columns for rows; of D row g + 8 (r / 2), column
 * 2 t + r % 2. */
static double a_at(const struct shape *s, const struct tuples *t, uint32_t first, int row, int k)
{
	unsigned per = elements[s->a].bits == 64 ? 1 : 32 / elements[s->a].bits;
	unsigned column = (unsigned)k, block = column / (4 * per),
		 lane = (unsigned)row % 8 * 4 + column % (4 * per) / per;
	unsigned r = s->m == 16 ? 2 * block + (unsigned)row / 8 : block;

	return decode(s->a, t->in[r][first + lane], column % per);
}

static double b_at(const struct shape *s, const struct tuples *t, uint32_t first, int k, int column)
{
	unsigned per = elements[s->b].bits == 64 ? 1 : 32 / elements[s->b].bits;
	unsigned row = (unsigned)k, block = row / (4 * per),
		 lane = (unsigned)column * 4 + row % (4 * per) / per;

	return decode(s->b, t->in[a_registers(s) + block][first + lane], row % per);
}

/* The accumulator before: made in the program from the lane and the register. */
static double c_at(const struct shape *s, unsigned lane, unsigned n)
{
	double number = lane * (unsigned)(s->m * s->n / WARP) + n;

	return elements[s->a].is_integer ? (double)(int32_t)((int64_t)number * s->c_step)
					 : number * s->c_step - 64;
}

static double product(const struct shape *s, double a, double b)
{
	if (s->a != E_B1)
		return a * b;
	return s->behind[1] == 'x' ? a != b : a && b;
}

static uint64_t encode(const struct shape *s, double sum)
{
	switch (s->d) {
	case F32:
		return bits_of_f32((float)sum);
	case F64:
		return bits_of_f64(sum);
	case F16X2:
		return round_to(F16, sum);
	default:
		if (s->middle[0])
			sum = sum > 2147483647.0 ? 2147483647.0 : sum < -2147483648.0 ? -2147483648.0 : sum;
		return (uint64_t)(int64_t)sum & 0xffffffff;
	}
}

static void mma_lane(const struct shape *s, struct tuples *t, uint32_t first, unsigned lane)
{
	for (unsigned n = 0; n < (unsigned)(s->m * s->n / WARP); n++) {
		int row = (int)(lane / 4 + 8 * (n / 2)), column = (int)(lane % 4 * 2 + n % 2);
		double sum = c_at(s, lane, n);

		for (int k = 0; k < s->k; k++)
			sum += product(s, a_at(s, t, first, row, k), b_at(s, t, first, k, column));
		if (s->d == F16X2)
			t->want[n / 2][first + lane] |= encode(s, sum) << 16 * (n % 2);
		else
			t->want[n][first + lane] = encode(s, sum);
	}
}

static void ref_mma(const struct form *f, struct tuples *t)
{
	for (uint32_t first = 0; first < t->count; first += WARP)
		for (unsigned lane = 0; lane < WARP; lane++)
			mma_lane(f->data, t, first, lane);
}

/* Small integers, in pairs where an element has 16 bits. */
static const uint64_t f16_list[] = { 0, 0x3c00bc00, 0x40004200, 0xc4003c00, 0x4500c600, 0x0000c700,
	0x48003c00, 0xbc004000 };
static const uint64_t bf16_list[] = { 0, 0x3f80bf80, 0x40004040, 0xc0803f80, 0x40a0c0c0, 0x0000c0e0,
	0x41003f80, 0xbf804000 };
static const uint64_t f32_list[] = { 0, 0x3f800000, 0xbf800000, 0x40400000, 0xc0a00000, 0x40e00000,
	0x41000000, 0x3f000000 };
static const uint64_t f64_list[] = { 0, 0x3ff0000000000000, 0xbff0000000000000, 0x4008000000000000,
	0xc014000000000000, 0x401c000000000000, 0x4020000000000000, 0x3fe0000000000000 };
static const struct values lists[] = { { f16_list, 8, true }, { bf16_list, 8, true }, { f32_list, 8, true },
	{ f64_list, 8, true } };

/* The accumulators into c0, c1, ...: numbers of the warp's matrix times c_step. */
static size_t c_text(const struct shape *s, char *text, size_t size)
{
	unsigned count = (unsigned)(s->m * s->n / WARP);
	size_t used = (size_t)snprintf(text, size,
		".reg .b32 %%n, %%c<8>; .reg .f32 %%f<8>; .reg .f64 %%d<8>; .reg .b16 %%h<8>; "
		"mul.lo.u32 %%n, %%lane, %u; ",
		count);

	for (unsigned n = 0; n < count; n++) {
		const char *step = elements[s->a].is_integer
			? "add.u32 %%c%u, %%n, %u; mul.lo.s32 %%c%u, %%c%u, %d; "
			: "add.u32 %%c%u, %%n, %u; mad.lo.s32 %%c%u, %%c%u, %d, -64; ";

		used += (size_t)snprintf(text + used, size - used, step, n, n, n, n, s->c_step);
		if (s->d == F32)
			used += (size_t)snprintf(text + used, size - used,
				"cvt.rn.f32.s32 %%f%u, %%c%u; mov.b32 %%c%u, %%f%u; ", n, n, n, n);
		if (s->d == F64)
			used += (size_t)snprintf(
				text + used, size - used, "cvt.rn.f64.s32 %%d%u, %%c%u; ", n, n);
		if (s->d == F16X2)
			used += (size_t)snprintf(text + used, size - used,
				"cvt.rn.f32.s32 %%f%u, %%c%u; cvt.rn.f16.f32 %%h%u, %%f%u; ", n, n, n, n);
		if (s->d == F16X2 && n % 2)
			used += (size_t)snprintf(
				text + used, size - used, "mov.b32 %%c%u, {%%h%u, %%h%u}; ", n / 2, n - 1, n);
	}
	return used;
}

static size_t list_text(
	char *text, size_t size, const char *prefix, const char *names, unsigned first, unsigned count)
{
	size_t used = 0;

	for (unsigned i = 0; i < count; i++)
		used += names ? (size_t)snprintf(
					text + used, size - used, "%s%%%c", i ? ", " : "", names[first + i])
			      : (size_t)snprintf(text + used, size - used, "%s%%%s%u", i ? ", " : "", prefix,
					first + i);
	return used;
}

static void mma_form(const struct shape *s)
{
	enum type out[5] = { NONE }, in[7] = { NONE };
	unsigned as = a_registers(s), bs = b_registers(s), ds = d_registers(s);
	char c[2048], a_list[64], b_list[64], c_list[64], d_list[64];
	const char *d_name = s->d == F16X2 ? "f16" : type_name(s->d);
	struct form *f;

	for (unsigned i = 0; i < ds; i++)
		out[i] = s->d;
	for (unsigned i = 0; i < as + bs; i++)
		in[i] = s->a == E_F64 ? F64 : B32;
	c_text(s, c, sizeof c);
	list_text(a_list, sizeof a_list, "", "abcdef", 0, as);
	list_text(b_list, sizeof b_list, "", "abcdef", as, bs);
	list_text(c_list, sizeof c_list, s->d == F64 ? "d" : "c", NULL, 0, ds);
	list_text(d_list, sizeof d_list, "", "rstu", 0, ds);
	f = form_add(NULL, out, in, "mma.sync.aligned.m%dn%dk%d.row.col%s.%s.%s.%s.%s%s%s", s->m, s->n, s->k,
		s->middle, d_name, elements[s->a].name, elements[s->b].name, d_name, s->behind,
		s->c_step < 0 ? " downward" : "");
	form_body(f, "{ %smma.sync.aligned.m%dn%dk%d.row.col%s.%s.%s.%s.%s%s {%s}, {%s}, {%s}, {%s}; } ", c,
		s->m, s->n, s->k, s->middle, d_name, elements[s->a].name, elements[s->b].name, d_name,
		s->behind, d_list, a_list, b_list, c_list);
	f->reference_all = ref_mma;
	f->data = s;
	f->target = s->target;
	f->block = WARP;
	f->samples = 512;
	for (unsigned i = 0; i < as + bs && !elements[s->a].is_integer; i++)
		f->values[i] = &lists[s->a];
}

static void mma_forms(void)
{
	static const struct shape shapes[] = {
		{ 16, 8, 8, E_F16, E_F16, F32, "sm_75", "", "", 1 },
		{ 16, 8, 8, E_F16, E_F16, F16X2, "sm_75", "", "", 1 },
		{ 16, 8, 16, E_F16, E_F16, F32, "sm_80", "", "", 1 },
		{ 16, 8, 16, E_F16, E_F16, F16X2, "sm_80", "", "", 1 },
		{ 16, 8, 8, E_BF16, E_BF16, F32, "sm_80", "", "", 1 },
		{ 16, 8, 16, E_BF16, E_BF16, F32, "sm_80", "", "", 1 },
		{ 16, 8, 4, E_TF32, E_TF32, F32, "sm_80", "", "", 1 },
		{ 16, 8, 8, E_TF32, E_TF32, F32, "sm_80", "", "", 1 },
		{ 8, 8, 4, E_F64, E_F64, F64, "sm_80", "", "", 1 },
		{ 8, 8, 16, E_S8, E_S8, S32, "sm_75", "", "", 3 },
		{ 8, 8, 16, E_U8, E_S8, S32, "sm_75", "", "", 3 },
		{ 8, 8, 16, E_S8, E_U8, S32, "sm_75", ".satfinite", "", 16909060 },
		{ 16, 8, 16, E_S8, E_S8, S32, "sm_80", "", "", 3 },
		{ 16, 8, 16, E_U8, E_U8, S32, "sm_80", "", "", 16909060 },
		{ 16, 8, 32, E_S8, E_S8, S32, "sm_80", "", "", 3 },
		{ 16, 8, 32, E_U8, E_S8, S32, "sm_80", "", "", -3 },
		{ 16, 8, 32, E_S8, E_S8, S32, "sm_80", ".satfinite", "", 16909060 },
		{ 16, 8, 32, E_S8, E_U8, S32, "sm_80", ".satfinite", "", -16909060 },
		{ 8, 8, 32, E_S4, E_S4, S32, "sm_75", "", "", 3 },
		{ 8, 8, 32, E_U4, E_S4, S32, "sm_75", "", "", 3 },
		{ 16, 8, 32, E_S4, E_U4, S32, "sm_80", "", "", 3 },
		{ 16, 8, 64, E_S4, E_S4, S32, "sm_80", "", "", 3 },
		{ 16, 8, 64, E_U4, E_U4, S32, "sm_80", ".satfinite", "", 16909060 },
		{ 8, 8, 128, E_B1, E_B1, S32, "sm_75", "", ".xor.popc", 3 },
		{ 16, 8, 128, E_B1, E_B1, S32, "sm_80", "", ".xor.popc", 3 },
		{ 16, 8, 256, E_B1, E_B1, S32, "sm_80", "", ".and.popc", 3 },
	};

	for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
		mma_form(&shapes[i]);
}

/* -- ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements -- */

/* Element (row, column) of the rows that the lanes wrote: row i is {a, b} of lane i. */
static uint64_t row_element(const struct tuples *t, uint32_t first, unsigned row, unsigned column)
{
	return t->in[column / 4][first + row] >> 16 * (column % 4) & 0xffff;
}

/* tag: matrices, transposed. */
static void ref_ldmatrix(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t lane = i % WARP, first = i - lane;

		for (unsigned x = 0; x < (unsigned)f->tag[0]; x++)
			for (unsigned e = 0; e < 2; e++) {
				unsigned row = lane / 4, column = lane % 4 * 2 + e;

				t->want[x][i] |= row_element(t, first, 8 * x + (f->tag[1] ? column : row),
							 f->tag[1] ? row : column)
					<< 16 * e;
			}
	}
}

static const char rows[] =
	".shared .align 16 .b8 x#[512]; .reg .b64 %p; mul.wide.u32 %offset, %lane, 16; mov.u64 %p, x#; "
	"add.u64 %p, %p, %offset; ";

static void ldmatrix_form(unsigned count, bool is_transposed)
{
	const enum type *out = count == 1 ? OUT(B32) : count == 2 ? OUT(B32, B32) : OUT(B32, B32, B32, B32);
	const char *list = count == 1 ? "%r" : count == 2 ? "%r, %s" : "%r, %s, %t, %u";
	struct form *f = form_add(NULL, out, IN(B64, B64), "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16",
		count, is_transposed ? ".trans" : "");

	form_body(f,
		"{ %sst.shared.v2.b64 [%%p], {%%a, %%b}; bar.warp.sync -1; "
		"ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 {%s}, [%%p]; } ",
		rows, count, is_transposed ? ".trans" : "", list);
	f->reference_all = ref_ldmatrix;
	f->tag[0] = count;
	f->tag[1] = is_transposed;
	f->block = WARP;
	f->samples = 256;
}

/* Register x of lane l holds elements of matrix x; row i of shared memory comes back from lane i. Rows that
 * no matrix has stay ones. */
static void ref_stmatrix(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t lane = i % WARP, first = i - lane, x = lane / 8;

		t->want[0][i] = t->want[1][i] = x < (uint32_t)f->tag[0] ? 0 : ~0ull;
		for (unsigned column = 0; column < 8 && x < (uint32_t)f->tag[0]; column++) {
			unsigned row = lane % 8, r = f->tag[1] ? column : row, c = f->tag[1] ? row : column;
			uint64_t element = t->in[x][first + 4 * r + c / 2] >> 16 * (c % 2) & 0xffff;

			t->want[column / 4][i] |= element << 16 * (column % 4);
		}
	}
}

static void stmatrix_form(unsigned count, bool is_transposed)
{
	const enum type *in = count == 1 ? IN(B32) : count == 2 ? IN(B32, B32) : IN(B32, B32, B32, B32);
	const char *list = count == 1 ? "%a" : count == 2 ? "%a, %b" : "%a, %b, %c, %d";
	struct form *f = form_add(NULL, OUT(B64, B64), in, "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16",
		count, is_transposed ? ".trans" : "");

	form_body(f,
		"{ %smov.b64 %%r, -1; st.shared.v2.b64 [%%p], {%%r, %%r}; bar.warp.sync -1; "
		"stmatrix.sync.aligned.m8n8.x%u%s.shared.b16 [%%p], {%s}; bar.warp.sync -1; "
		"ld.shared.v2.b64 {%%r, %%s}, [%%p]; } ",
		rows, count, is_transposed ? ".trans" : "", list);
	f->reference_all = ref_stmatrix;
	f->tag[0] = count;
	f->tag[1] = is_transposed;
	f->target = "sm_90";
	f->block = WARP;
	f->samples = 256;
}

static void ref_movmatrix(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t lane = i % WARP, first = i - lane;

		for (unsigned e = 0; e < 2; e++) {
			unsigned row = lane % 4 * 2 + e, column = lane / 4;

			t->want[0][i] |=
				(t->in[0][first + 4 * row + column / 2] >> 16 * (column % 2) & 0xffff)
				<< 16 * e;
		}
	}
}

void matrix_forms(void)
{
	struct form *f;

	mma_forms();
	for (unsigned count = 1; count <= 4; count *= 2)
		for (int is_transposed = 0; is_transposed < 2; is_transposed++) {
			ldmatrix_form(count, is_transposed);
			stmatrix_form(count, is_transposed);
		}
	f = form_add(NULL, OUT(B32), IN(B32), "movmatrix.sync.aligned.m8n8.trans.b16");
	f->reference_all = ref_movmatrix;
	f->block = WARP;
}
