/* tests/blackwell/product.c -- tcgen05.mma of every kind, dense and sparse, of one CTA and of a pair, weight
 * stationary, with A in shared and in tensor memory, with scale factors, lanes that are left alone, a scale
 * of D, columns of B that are zero; against sums over matrices. Shared and tensor memory are random bits, and
 * descriptors are random, too. */
#include "tensor_memory.h"
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 128, STEPS = 4, WORDS = 16, USED = 368 /* columns that are looked at */ };
enum kind { K_F16, K_TF32, K_F8F6F4, K_I8, K_MXF8F6F4, K_MXF4, K_MXF4NVF4, KINDS };

static const char *const kind_names[] = { "f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4" };
static const uint8_t dense_k[] = { 16, 8, 32, 32, 32, 64, 64 };

static struct form {
	enum kind kind;
	bool is_pair, is_sparse, is_ws, in_tensor, has_mask, has_zeros, shifts;
	unsigned scales; /* along k; 0: none */
	unsigned scale_d;
	unsigned number;
} list[160];
static unsigned count;

/* One product, and what the program reads of it: 16 words of 64 bits. */
struct step {
	unsigned m, n, k;
	enum element a, b;
	enum number d;
	bool negates_a, negates_b, across_a, across_b, clamps, adds, is_e4m3;
	unsigned selector, id_a, id_b, align;
	struct descriptor da, db;
	uint64_t zeros;
	uint32_t mask[8];
	unsigned number; /* of the step */
	unsigned column, a_column, meta_column, sa_column, sb_column;
};

/* ---- the program ---- */

static void add_forms(enum kind kind, unsigned scales)
{
	for (unsigned variant = 0; variant < 12; variant++) {
		struct form f = { .kind = kind, .scales = scales, .number = count };

		f.in_tensor = variant & 1;
		f.is_sparse = variant & 2;
		f.is_pair = variant >= 4 && variant < 8;
		f.is_ws = variant >= 8;
		if (f.is_ws && scales)
			continue;
		f.has_mask = !scales && !f.is_ws && (count / 2) % 2;
		f.has_zeros = f.is_ws && count % 3;
		f.shifts = f.in_tensor && !f.is_ws && !scales && count % 5 % 3 == 0; /* not with use or fill
										      */
		f.scale_d = kind <= K_TF32 && !f.is_ws ? count * 5 % 16 : 0;
		list[count++] = f;
	}
}

static void print_mma(FILE *to, const struct form *f)
{
	static const char *const uses[] = { "", "fill", "use", "lastuse", "discard" };
	unsigned use = f->number % 5;

	fprintf(to, "tcgen05.mma%s%s.cta_group::%d.kind::%s", f->is_ws ? ".ws" : "",
		f->is_sparse ? ".sp" : "", f->is_pair ? 2 : 1, kind_names[f->kind]);
	if (f->scales)
		fprintf(to, ".block_scale.%s",
			f->number % 2            ? f->scales == 4 ? "block16" : "block32"
				: f->scales == 4 ? "scale_vec::4X"
				: f->scales == 2 ? "scale_vec::2X"
						 : "scale_vec::1X");
	if (f->shifts)
		fprintf(to, ".ashift");
	if (use)
		fprintf(to, ".collector::%s%s::%s", f->is_ws ? "b" : "a",
			f->is_ws ? (const char *[]){ "0", "1", "2", "3" }[f->number % 4] : "", uses[use]);
	fprintf(to, " [%%t], %s, %%d2", f->in_tensor ? "[%ra]" : "%d1");
	if (f->is_sparse)
		fprintf(to, ", [%%rm]");
	fprintf(to, ", %%ri");
	if (f->scales)
		fprintf(to, ", [%%rsa], [%%rsb]");
	if (f->has_mask)
		fprintf(to,
			f->is_pair ? ", {%%k0,%%k1,%%k2,%%k3,%%k4,%%k5,%%k6,%%k7}"
				   : ", {%%k0,%%k1,%%k2,%%k3}");
	fprintf(to, ", %%p1");
	if (f->has_zeros)
		fprintf(to, ", %%d3");
	if (f->scale_d)
		fprintf(to, ", %u", f->scale_d);
	fprintf(to, ";\n");
}

/* words: those of a step, of 64 bits: a, b, instruction descriptor, whether D counts, addresses of metadata
 * and of both scales, zeros, the address of D and of A, masks in pairs. */
static void print_steps(FILE *to, const struct form *f)
{
	fprintf(to,
		"mov.u32 %%i, 0;\nSTEP: ld.global.u64 %%d1, [%%d9]; ld.global.u64 %%d2, [%%d9+8]; "
		"ld.global.u32 %%ri, [%%d9+16]; ld.global.u32 %%r1, [%%d9+24]; ld.global.u32 %%rm, "
		"[%%d9+32];\n"
		"ld.global.u32 %%rsa, [%%d9+40]; ld.global.u32 %%rsb, [%%d9+48]; ld.global.u64 %%d3, "
		"[%%d9+56];\n"
		"ld.global.u32 %%t, [%%d9+64]; ld.global.u32 %%ra, [%%d9+72];\n"
		"setp.ne.u32 %%p1, %%r1, 0; add.u64 %%d1, %%d1, %%d7; add.u64 %%d2, %%d2, %%d7;\n"
		"add.u32 %%t, %%t, %%base; add.u32 %%ra, %%ra, %%base; add.u32 %%rm, %%rm, %%base; add.u32 "
		"%%rsa, "
		"%%rsa, %%base; add.u32 %%rsb, %%rsb, %%base;\n");
	for (unsigned i = 0; i < 8; i++)
		fprintf(to, "ld.global.u32 %%k%u, [%%d9+%u];\n", i, 80 + 4 * i);
	print_mma(to, f);
	fprintf(to,
		"add.u64 %%d9, %%d9, %u; add.u32 %%i, %%i, 1; setp.lt.u32 %%p1, %%i, %u; @%%p1 bra STEP;\n",
		8 * WORDS, STEPS);
	fprintf(to,
		f->is_pair
			? "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::"
			  "cluster."
			  "b64 [%%bar], %%h1;\n"
			: "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%bar];\n");
}

/* The image of a CTA, and its columns: memory goes down the lanes. */
static void print_start(FILE *to, const struct form *f)
{
	int group = f->is_pair ? 2 : 1;

	fprintf(to,
		".entry f%u(.param .u64 image, .param .u64 in, .param .u64 out, .param .u64 steps) {\n"
		".reg .b32 %%r<16>, %%k<8>, %%t, %%i, %%ri, %%ra, %%rm, %%rsa, %%rsb, %%base, %%bar, %%x, "
		"%%w, "
		"%%rank; "
		".reg .b64 %%d<12>; .reg .pred %%p<4>; .reg .b16 %%h<2>;\n"
		"ld.param.u64 %%d4, [image]; ld.param.u64 %%d5, [in]; ld.param.u64 %%d6, [out]; ld.param.u64 "
		"%%d9, "
		"[steps];\n"
		"mov.u32 %%x, %%tid.x; mov.u32 %%r5, sm; add.u32 %%bar, %%r5, %u; mov.u16 %%h1, 3;\n"
		"mov.u32 %%rank, %%ctaid.x; mad.wide.u32 %%d4, %%rank, %u, %%d4; mad.wide.u32 %%d5, %%rank, "
		"%u, "
		"%%d5; mad.wide.u32 %%d6, %%rank, %u, %%d6;\n"
		"shr.u32 %%w, %%x, 5; setp.eq.u32 %%p0, %%w, 0; setp.eq.u32 %%p2, %%x, 0;\n"
		"@!%%p0 bra HAS; add.u32 %%r1, %%bar, 8; "
		"tcgen05.alloc.cta_group::%d.sync.aligned.shared::cta.b32 "
		"[%%r1], 512; tcgen05.relinquish_alloc_permit.cta_group::%d.sync.aligned;\n"
		"HAS: @%%p2 mbarrier.init.shared.b64 [%%bar], 1;\n"
		"mad.wide.u32 %%d4, %%x, 16, %%d4; mad.lo.u32 %%r6, %%x, 16, %%r5; mov.u32 %%i, 0;\n"
		"COPY: ld.global.v4.u32 {%%r0,%%r1,%%r2,%%r3}, [%%d4]; st.shared.v4.u32 [%%r6], "
		"{%%r0,%%r1,%%r2,%%r3}; add.u64 %%d4, %%d4, 2048; add.u32 %%r6, %%r6, 2048; add.u32 %%i, "
		"%%i, "
		"2048; setp.lt.u32 %%p1, %%i, %u; @%%p1 bra COPY;\n"
		"bar.sync 0; ld.shared.u32 %%base, [%%bar+8];\n"
		"mad.wide.u32 %%d5, %%x, 4, %%d5; mad.wide.u32 %%d6, %%x, 4, %%d6; shl.b32 %%t, %%w, 21; "
		"add.u32 "
		"%%t, %%t, %%base; mov.u32 %%ra, %%t; mov.u32 %%i, 0;\n"
		"FILL:\n",
		f->number, IMAGE, IMAGE, USED * LANES * 4, USED * LANES * 4, group, group, IMAGE);
	for (unsigned i = 0; i < 8; i++)
		fprintf(to, "ld.global.u32 %%k%u, [%%d5+%u];\n", i, 512 * i);
	fprintf(to,
		"tcgen05.st.sync.aligned.32x32b.x8.b32 [%%t], {%%k0,%%k1,%%k2,%%k3,%%k4,%%k5,%%k6,%%k7};\n"
		"add.u64 %%d5, %%d5, 4096; add.u32 %%t, %%t, 8; add.u32 %%i, %%i, 8; setp.lt.u32 %%p1, %%i, "
		"%u; "
		"@%%p1 bra FILL;\n"
		"tcgen05.wait::st.sync.aligned; fence.proxy.async; tcgen05.fence::before_thread_sync; "
		"bar.sync "
		"0;\n%s"
		"tcgen05.fence::after_thread_sync; shr.u32 %%r5, %%r5, 4; cvt.u64.u32 %%d7, %%r5;\n",
		USED, f->is_pair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "");
}

static void print_end(FILE *to, const struct form *f)
{
	fprintf(to,
		"WAIT: mbarrier.try_wait.parity.shared.b64 %%p1, [%%bar], 0; @!%%p1 bra WAIT;\n"
		"tcgen05.fence::after_thread_sync; mov.u32 %%i, 0;\n"
		"READ: tcgen05.ld.sync.aligned.32x32b.x8.b32 {%%k0,%%k1,%%k2,%%k3,%%k4,%%k5,%%k6,%%k7}, "
		"[%%w]; "
		"tcgen05.wait::ld.sync.aligned;\n");
	for (unsigned i = 0; i < 8; i++)
		fprintf(to, "st.global.u32 [%%d6+%u], %%k%u;\n", 512 * i, i);
	fprintf(to,
		"add.u64 %%d6, %%d6, 4096; add.u32 %%w, %%w, 8; add.u32 %%i, %%i, 8; setp.lt.u32 %%p1, %%i, "
		"%u; "
		"@%%p1 bra READ;\n"
		"tcgen05.fence::before_thread_sync; bar.sync 0; @!%%p0 bra DONE; "
		"tcgen05.dealloc.cta_group::%d.sync.aligned.b32 %%base, 512;\n"
		"DONE: %s ret;\n}\n",
		USED, f->is_pair ? 2 : 1,
		f->is_pair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "");
}

static void print_kernel(FILE *to, const struct form *f)
{
	print_start(to, f);
	fprintf(to,
		"mov.u32 %%w, %%ra; setp.eq.u32 %%p3, %%rank, 0; and.pred %%p2, %%p2, %%p3; @!%%p2 bra "
		"WAIT;\n");
	print_steps(to, f);
	print_end(to, f);
}

static CUmodule make_module(void)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	CUmodule module;

	fprintf(to,
		".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n");
	for (unsigned i = 0; i < count; i++)
		print_kernel(to, &list[i]);
	fclose(to);
	if (getenv("SHOW"))
		fputs(text, stderr);
	module = hopper_module(text);
	free(text);
	return module;
}

/* ---- what is to come out ---- */

static uint8_t image[2][IMAGE];
static uint32_t memory[2][USED][LANES], out[2][USED][LANES];
static uint64_t words[STEPS][WORDS];
static double a[MOST_M][MOST_K], b[MOST_N][MOST_K]; /* a: by stored element */
static uint8_t places[STEPS][MOST_M][MOST_K];

/* D's element (m, n): layouts A to G of the ISA. */
static uint32_t *d_at(const struct form *f, const struct step *s, unsigned m, unsigned n, unsigned *lane)
{
	unsigned cta = 0, column = n, half = s->n / 2, quarter = s->n / 4;

	if (f->is_pair && s->m == 256) { /* A */
		cta = m / 128;
		*lane = m % 128;
	} else if (f->is_pair && !f->is_sparse) { /* B */
		cta = m / 64;
		*lane = m % 64 + n / half * 64;
		column = n % half;
	} else if (f->is_pair) { /* C */
		cta = m / 64;
		*lane = m % 64 / 16 * 32 + m % 16 + s->align;
	} else if (s->m == 128) { /* D */
		*lane = m;
	} else if (s->m == 64 && f->is_ws) { /* E */
		*lane = m + n / half * 64;
		column = n % half;
	} else if (s->m == 64) { /* F */
		*lane = m / 16 * 32 + m % 16 + s->align;
	} else { /* G */
		*lane = m + n / quarter * 32;
		column = n % quarter;
	}
	return &memory[cta][s->column + column][*lane];
}

static unsigned rows_of_cta(const struct form *f, const struct step *s)
{
	return f->is_pair ? s->m / 2 : s->m;
}

/* Bands of lanes that D's columns are cut into, each of which has A. */
static unsigned bands_of(const struct form *f, const struct step *s)
{
	return f->is_pair && s->m == 128 && !f->is_sparse ? 2 : f->is_ws ? 128 / s->m : 1;
}

static unsigned lane_of_row(const struct form *f, const struct step *s, unsigned m, unsigned band)
{
	unsigned lane;

	d_at(f, s, m, band * (s->n / bands_of(f, s)), &lane);
	return lane;
}

static unsigned per_piece(const struct form *f, enum element type)
{
	return f->kind >= K_MXF4 ? 32 : type == EL_TF32 ? 4 : type <= EL_BF16 ? 8 : 16;
}

/* Element k of a line in shared memory: those of 4 and 6 bits stand one behind the other. */
static double shared_element(const struct form *f, unsigned cta, const struct descriptor *d,
	enum element type, bool across, unsigned line, unsigned k)
{
	unsigned per = per_piece(f, type), bits = element_bits(type), i = (across ? line : k) % per;
	const uint8_t *piece = image[cta] + piece_at(d, across, line, k, per);
	uint64_t from = 0;

	memcpy(&from, piece + i * bits / 8, i * bits / 8 + 8 <= 16 ? 8 : 16 - i * bits / 8);
	from >>= i * bits % 8;
	return element_number(type, (uint32_t)(from & ((UINT64_C(1) << bits) - 1)));
}

/* The same in tensor memory: those of 6 bits are the lower ones of a byte, those of 4 its middle. */
static double tensor_element(
	const struct form *f, const struct step *s, unsigned cta, unsigned lane, unsigned k)
{
	unsigned bits = f->kind >= K_MXF4 ? 4 : s->a == EL_TF32 ? 32 : s->a <= EL_BF16 ? 16 : 8;
	uint32_t word = memory[cta][s->a_column + k * bits / 32][lane] >> k * bits % 32;

	if (bits == 8 && element_bits(s->a) == 4)
		word >>= 2;
	return element_number(s->a, word & (uint32_t)((UINT64_C(1) << element_bits(s->a)) - 1));
}

static void read_a(const struct form *f, const struct step *s)
{
	unsigned stored = f->is_sparse ? s->k / 2 : s->k, rows = rows_of_cta(f, s);

	for (unsigned m = 0; m < s->m; m++)
		for (unsigned k = 0; k < stored; k++) {
			unsigned cta = m / rows, row = f->shifts && (m + 1) % rows ? m + 1 : m;

			a[m][k] = f->in_tensor
				? tensor_element(f, s, cta, lane_of_row(f, s, row, 0), k)
				: shared_element(f, cta, &s->da, s->a, s->across_a, m % rows, k);
			if (s->negates_a)
				a[m][k] = -a[m][k];
		}
}

/* Runs of columns that count and of columns that do not: the ISA's examples, in which the first are a use
 * span and the others a skip span. */
static bool is_left_out(const struct form *f, const struct step *s, unsigned n)
{
	unsigned part = s->n / bands_of(f, s), i = n / part;
	unsigned start = s->zeros >> 8 * i & 255, skip = (s->zeros >> 40 & 255) + 1,
		 use = (s->zeros >> 48 & 255) + 1;
	bool zero = s->zeros >> (32 + i) & 1;
	unsigned left = zero ? skip : use;

	if (!(s->zeros >> 39 & 1))
		return false;
	for (unsigned step = 0; step < start + n % part; step++)
		if (--left == 0) {
			zero = !zero;
			left = zero ? skip : use;
		}
	return zero;
}

static void read_b(const struct form *f, const struct step *s)
{
	unsigned each = f->is_pair ? s->n / 2 : s->n, shift = (unsigned)(s->zeros >> 56 & 63);

	for (unsigned n = 0; n < s->n; n++)
		for (unsigned k = 0; k < s->k; k++) {
			b[n][k] = shared_element(f, n / each, &s->db, s->b, s->across_b, n % each + shift, k);
			if (s->negates_b)
				b[n][k] = -b[n][k];
			if (f->has_zeros && is_left_out(f, s, n))
				b[n][k] = 0;
		}
}

static double scale_number(const struct form *f, const struct step *s, uint32_t bits)
{
	(void)f;
	if (s->is_e4m3)
		return number_value(E4M3, bits & 127);
	return bits == 255 ? NAN : ldexp(1, (int)bits - 127);
}

/* Scale factor i of a row of A (column of B): in each quarter of the lanes 32 lines a column. */
static double scale_of_a(const struct form *f, const struct step *s, unsigned m, unsigned i)
{
	unsigned rows = rows_of_cta(f, s), row = m % rows;

	return scale_number(
		f, s, memory[m / rows][s->sa_column + row / 32][row % 32] >> 8 * (s->id_a + i) & 255);
}

static double scale_of_b(const struct form *f, const struct step *s, unsigned m, unsigned n, unsigned i)
{
	unsigned part = s->n / bands_of(f, s), quarter = n / part * 2, line = n % part;

	return scale_number(f, s,
		memory[m / rows_of_cta(f, s)][s->sb_column + line / 32][quarter * 32 + line % 32] >>
				8 * (s->id_b + i) &
			255);
}

static void perform(const struct form *f, const struct step *s)
{
	static uint32_t next[2][USED][LANES];
	unsigned stored = f->is_sparse ? s->k / 2 : s->k, lane;

	read_a(f, s);
	read_b(f, s);
	memcpy(next, memory, sizeof(next));
	for (unsigned m = 0; m < s->m; m++)
		for (unsigned n = 0; n < s->n; n++) {
			const uint32_t *d = d_at(f, s, m, n, &lane);
			uint32_t now = s->d == F16 ? *d & 0xffff : *d;
			double sum = s->adds ? number_value(s->d, now) * ldexp(1, -(int)f->scale_d) : 0;

			for (unsigned k = 0; k < stored; k++) {
				unsigned at = f->is_sparse ? places[s->number][m][k] : k;
				double x = a[m][k], y = b[n][at];

				if (f->scales) {
					x *= scale_of_a(f, s, m, at * f->scales / s->k);
					y *= scale_of_b(f, s, m, n, at * f->scales / s->k);
				}
				sum += x * y;
			}
			if (!(s->mask[m / rows_of_cta(f, s) * 4 + lane / 32] >> lane % 32 & 1))
				(&next[0][0][0])[d - &memory[0][0][0]] = number_result(s->d, sum, s->clamps);
		}
	memcpy(memory, next, sizeof(next));
}

/* ---- random steps ---- */

static unsigned pick(uint64_t *state, unsigned among)
{
	return (unsigned)(random_bits(state) % among);
}

static void choose_types(const struct form *f, struct step *s, uint64_t *state)
{
	static const enum element narrow[] = { EL_E4M3, EL_E5M2, EL_E2M3, EL_E3M2, EL_E2M1 };

	s->d = F32;
	switch (f->kind) {
	case K_F16:
		s->d = pick(state, 3) ? F32 : F16;
		s->a = s->b = s->d == F32 && pick(state, 2) ? EL_BF16 : EL_F16;
		break;
	case K_TF32:
		s->a = s->b = EL_TF32;
		break;
	case K_F8F6F4:
		s->d = pick(state, 2) ? F32 : F16; /* fallthrough */
	case K_MXF8F6F4:
		s->a = narrow[pick(state, 5)];
		s->b = narrow[pick(state, 5)];
		break;
	case K_I8:
		s->d = S32;
		s->a = pick(state, 2) ? EL_S8 : EL_U8;
		s->b = pick(state, 2) ? EL_S8 : EL_U8;
		s->clamps = pick(state, 2);
		break;
	default:
		s->a = s->b = EL_E2M1;
	}
}

static void choose_shape(const struct form *f, struct step *s, uint64_t *state)
{
	unsigned step = f->is_pair ? 16 : 8;

	s->k = dense_k[f->kind] * (f->is_sparse ? 2 : 1);
	s->m = f->is_pair ? 128 << pick(state, 2) : f->is_ws ? 32 << pick(state, 3) : 64 << pick(state, 2);
	if (f->shifts)
		s->m = f->is_pair ? s->m : 128;
	if (f->scales)
		s->m = f->is_pair && (f->is_sparse || pick(state, 2)) ? 256 : 128;
	if (f->kind == K_I8)
		step = f->is_pair ? 32 : 16;
	if (s->across_b && element_bits(s->b) <= 8)
		step = f->is_pair ? 32 : 16;
	s->n = pick(state, 8) ? step * (1 + pick(state, 64 / step)) : step * (1 + pick(state, 256 / step));
	if (f->is_ws)
		s->n = pick(state, 4) ? 64 : f->is_sparse || pick(state, 2) ? 128 : 256;
	s->align = (f->is_pair ? s->m == 128 && f->is_sparse : s->m == 64 && !f->is_ws) && pick(state, 2) ? 16
													  : 0;
}

static unsigned modes_of(bool across, enum element type)
{
	return !across ? 0x57 : type == EL_TF32 ? 2 : 0x55;
}

static void choose_descriptors(const struct form *f, struct step *s, uint64_t *state)
{
	unsigned stored = f->is_sparse ? s->k / 2 : s->k;

	s->da = random_descriptor(per_piece(f, s->a), s->across_a, rows_of_cta(f, s), stored,
		modes_of(s->across_a, s->a), state);
	if (f->has_zeros) {
		s->zeros = random_bits(state) | random_bits(state) << 40;
		s->zeros &= ~(UINT64_C(255) << 56) & ~(UINT64_C(7) << 36);
		s->zeros |= (uint64_t)(s->across_b ? pick(state, 2) * 16 : pick(state, 17)) << 56;
	}
	s->db = random_descriptor(per_piece(f, s->b), s->across_b,
		(f->is_pair ? s->n / 2 : s->n) + (unsigned)(s->zeros >> 56), s->k,
		modes_of(s->across_b, s->b), state);
}

/* The bits of metadata for four elements (two of 32 bits, four pairs of 4), and where the stored ones are. */
static void choose_places(const struct form *f, struct step *s, uint64_t *state)
{
	static const uint8_t pairs[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	bool is_tf32 = f->kind == K_TF32, is_wide = f->kind <= K_TF32, is_narrow = f->kind >= K_MXF4;
	unsigned rows = rows_of_cta(f, s), each = is_tf32 ? 1 : is_narrow ? 4 : 2;

	s->selector = is_wide ? pick(state, 2) : 0;
	for (unsigned m = 0; m < s->m; m++)
		for (unsigned chunk = 0; chunk < s->k / 2 / each; chunk++) {
			const uint8_t *pair = pairs[is_tf32 ? pick(state, 2) * 4 + 1 : pick(state, 6)];
			uint32_t code = is_tf32 ? pair[0] ? 14 : 4 : pair[0] | pair[1] << 2;

			for (unsigned e = 0; e < each; e++)
				places[s->number][m][chunk * each + e] =
					(uint8_t)(is_tf32           ? chunk * 2 + (code == 14)
							: is_narrow ? chunk * 8 + pair[e / 2] * 2u + e % 2
								    : chunk * 4 + pair[e]);
			for (unsigned band = 0; band < bands_of(f, s); band++) {
				unsigned lane = lane_of_row(f, s, m, band), column = chunk / 8,
					 nibble = chunk % 8;

				if (is_wide) { /* half of the chunks each in two lanes, of two rows each */
					nibble = lane % 16 / 8 * 4 + chunk % 4;
					lane = lane / 16 * 16 + lane % 8 + chunk / 4 * 8;
					column = s->selector;
				}
				memory[m / rows][s->meta_column + column][lane] =
					(memory[m / rows][s->meta_column + column][lane] &
						~(UINT32_C(15) << 4 * nibble)) |
					code << 4 * nibble;
			}
		}
}

/* What each quarter or band of the lanes must have alike. */
static void make_copies(const struct form *f, const struct step *s)
{
	for (unsigned cta = 0; cta < 2; cta++)
		for (unsigned band = 1; band < bands_of(f, s); band++)
			for (unsigned i = 0; i < 8; i++)
				memcpy(&memory[cta][s->a_column + i][128 / bands_of(f, s) * band],
					memory[cta][s->a_column + i], 4 * 128 / bands_of(f, s));
	for (unsigned cta = 0; cta < 2 && f->scales; cta++)
		for (unsigned i = 0; i < 4; i++)
			for (unsigned quarter = 1; quarter < 4; quarter++)
				memcpy(&memory[cta][s->sa_column + i][32 * quarter],
					memory[cta][s->sa_column + i], 4 * 32);
}

/* Scale factors near 1, but seldom. */
static void fill_scales(const struct step *s, unsigned column, unsigned columns, uint64_t *state)
{
	for (unsigned cta = 0; cta < 2; cta++)
		for (unsigned i = column; i < column + columns; i++)
			for (unsigned lane = 0; lane < LANES; lane++)
				for (unsigned byte = 0; byte < 4; byte++) {
					uint32_t *word = &memory[cta][i][lane];
					uint32_t bits = s->is_e4m3
						? pick(state, 16) ? 0x30 + pick(state, 16) : pick(state, 128)
						: pick(state, 64) ? 120 + pick(state, 15)
								  : pick(state, 256);

					*word = (*word & ~(UINT32_C(255) << 8 * byte)) | bits << 8 * byte;
				}
}

static uint32_t idesc_of(const struct form *f, const struct step *s)
{
	static const uint8_t codes[] = { 0, 1, 2, 0, 1, 3, 4, 5, 0, 1 };
	uint32_t type_a = f->kind >= K_MXF4 ? 1 : codes[s->a], type_b = f->kind >= K_MXF4 ? 1 : codes[s->b];
	uint32_t bits = (uint32_t)f->is_sparse << 2 | type_a << 7 | type_b << 10 |
		(uint32_t)s->negates_a << 13 | (uint32_t)s->negates_b << 14 | (uint32_t)s->across_a << 15 |
		(uint32_t)s->across_b << 16 | s->n / 8 << 17;

	if (f->scales)
		return bits | s->id_b << 4 | (uint32_t)!s->is_e4m3 << 23 | s->m / 128 << 27 | s->id_a << 29;
	return bits | s->selector | (uint32_t)s->clamps << 3 |
		(s->d == F16                  ? 0u
				: s->d == F32 ? 1u
					      : 2u)
		<< 4 |
		s->m / 16 << 24;
}

static void set_words(const struct form *f, const struct step *s, uint64_t *w)
{
	w[0] = descriptor_bits(&s->da);
	w[1] = descriptor_bits(&s->db);
	w[2] = idesc_of(f, s);
	w[3] = s->adds;
	w[4] = s->meta_column | s->align << 16;
	w[5] = s->sa_column;
	w[6] = s->sb_column;
	w[7] = s->zeros;
	w[8] = s->column | s->align << 16;
	w[9] = s->a_column | s->align << 16;
	for (unsigned i = 0; i < 4; i++)
		w[10 + i] = s->mask[2 * i] | (uint64_t)s->mask[2 * i + 1] << 32;
}

/* Columns of operands, each step its own; those of D behind them are the same for all. */
static void choose_step(const struct form *f, struct step *s, unsigned number, uint64_t *state)
{
	bool transposes = f->kind < K_MXF4;

	*s = (struct step){ .number = number,
		.a_column = number * 24,
		.sa_column = number * 24 + 8,
		.sb_column = number * 24 + 12 };
	s->meta_column = number * 2 + 24 * STEPS;
	s->column = 24 * STEPS + 2 * STEPS + pick(state, 8);
	choose_types(f, s, state);
	s->across_a =
		transposes && !f->in_tensor && pick(state, 2) && f->kind != K_F8F6F4 && f->kind != K_MXF8F6F4;
	s->across_b = transposes && pick(state, 2);
	if (f->kind == K_F8F6F4 || f->kind == K_MXF8F6F4) {
		s->across_a = !f->in_tensor && pick(state, 2);
		s->across_b = pick(state, 2);
	}
	choose_shape(f, s, state);
	if (s->column + s->n / bands_of(f, s) > USED)
		s->n = f->is_ws ? 64 : 128;
	s->negates_a = f->kind != K_I8 && pick(state, 3) == 0;
	s->negates_b = f->kind != K_I8 && pick(state, 3) == 0;
	s->adds = pick(state, 4);
	s->is_e4m3 = f->kind == K_MXF4NVF4 && f->scales == 4 && pick(state, 2);
	s->id_a = f->scales ? pick(state, 4) / f->scales * f->scales : 0;
	s->id_b = f->scales ? pick(state, 4) / f->scales * f->scales : 0;
	if (f->has_mask)
		for (unsigned i = 0; i < 8; i++)
			s->mask[i] = (uint32_t)random_bits(state) & (uint32_t)random_bits(state);
	choose_descriptors(f, s, state);
}

/* Numbers of A's and B's types everywhere, and of D's in tensor memory. */
static void fill(const struct form *f, const struct step *s, bool wild, uint64_t *state)
{
	bool is_small = f->kind >= K_F8F6F4;
	enum number type = f->kind == K_TF32 ? TF32 : s->a == EL_BF16 ? BF16 : F16;

	for (unsigned cta = 0; cta < 2; cta++) {
		for (unsigned i = 0; i < IMAGE; i += 4) {
			uint32_t bits = is_small ? (uint32_t)random_bits(state)
				: type == TF32
				? random_number(TF32, wild, state)
				: random_number(type, wild, state) | random_number(type, wild, state) << 16;

			if (f->kind == K_F8F6F4 || f->kind == K_MXF8F6F4)
				bits &= wild ? UINT32_MAX : 0xbbbbbbbb; /* no NaN or infinity of either type
									 */
			memcpy(image[cta] + i, &bits, 4);
		}
		for (unsigned c = 0; c < USED; c++)
			for (unsigned lane = 0; lane < LANES; lane++) {
				uint32_t bits;

				memcpy(&bits, image[cta] + (c * 131 + lane) * 4 % IMAGE, 4);
				memory[cta][c][lane] = c < 26 * STEPS ? bits
					: s->d == F32                 ? random_number(F32, wild, state)
					: s->d == F16                 ? random_number(F16, wild, state)
								      : (uint32_t)random_bits(state);
			}
	}
}

static CUdeviceptr d_image, d_in, d_out, d_words;

static void run(CUmodule module, const struct form *f, unsigned round, uint64_t *state)
{
	static struct step steps[STEPS];
	void *arguments[] = { &d_image, &d_in, &d_out, &d_words };
	char name[16];

	for (unsigned i = 0; i < STEPS; i++)
		choose_step(f, &steps[i], i, state);
	for (unsigned i = 1; i < STEPS; i++) /* D is of one type, in one place and layout */
		if (steps[i].d != steps[0].d)
			steps[i].adds = false;
	fill(f, &steps[0], round % 3 == 2, state);
	for (unsigned i = 0; i < STEPS; i++) {
		if (f->scales)
			fill_scales(&steps[i], steps[i].sa_column, 12, state);
		make_copies(f, &steps[i]);
		if (f->is_sparse)
			choose_places(f, &steps[i], state);
		set_words(f, &steps[i], words[i]);
	}
	must(cuMemcpyHtoD(d_image, image, sizeof(image)), "cuMemcpyHtoD");
	must(cuMemcpyHtoD(d_in, memory, sizeof(memory)), "cuMemcpyHtoD");
	must(cuMemcpyHtoD(d_words, words, sizeof(words)), "cuMemcpyHtoD");
	snprintf(name, sizeof(name), "f%u", f->number);
	must(hopper_launch(hopper_kernel(module, name), f->is_pair ? 2 : 1, f->is_pair ? 2 : 1, THREADS,
		     IMAGE + 64, arguments),
		name);
	hopper_read(out, d_out, sizeof(out));
	for (unsigned i = 0; i < STEPS; i++)
		perform(f, &steps[i]);
	for (unsigned cta = 0; cta < (f->is_pair ? 2u : 1u); cta++)
		for (unsigned c = 0; c < USED; c++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (!expect(out[cta][c][lane] == memory[cta][c][lane],
					    "kind::%s%s%s%s%s CTA %u column %u lane %u: %08x, not %08x "
					    "(m%un%u, D "
					    "from column %u)",
					    kind_names[f->kind], f->is_pair ? " pair" : "",
					    f->is_sparse ? " sparse" : "", f->is_ws ? " ws" : "",
					    f->in_tensor ? " A in tensor memory" : "", cta, c, lane,
					    out[cta][c][lane], memory[cta][c][lane], steps[STEPS - 1].m,
					    steps[STEPS - 1].n, steps[STEPS - 1].column))
					return;
}

static unsigned forms_of(enum kind kind)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += list[i].kind == kind;
	return found;
}

/* FOLDER [SEED [TIMES]]: other random numbers; so many times as many. */
int main(int argc, char **argv)
{
	unsigned rounds = argc > 3 ? (unsigned)atoi(argv[3]) : 3;
	uint64_t state = argc > 2 ? (uint64_t)atoll(argv[2]) : 11;
	CUmodule module;

	for (enum kind kind = K_F16; kind <= K_I8; kind++)
		add_forms(kind, 0);
	add_forms(K_MXF8F6F4, 1);
	add_forms(K_MXF4, 2);
	add_forms(K_MXF4NVF4, 2);
	add_forms(K_MXF4NVF4, 4);
	module = make_module();
	d_image = hopper_memory(NULL, sizeof(image));
	d_in = hopper_memory(NULL, sizeof(memory));
	d_out = hopper_memory(NULL, sizeof(out));
	d_words = hopper_memory(NULL, sizeof(words));
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < count; i++)
			run(module, &list[i], round, &state);
	fact(40, "a product is issued by one thread, and its commit tells mbarriers of both CTAs");
	fact(43, "a pair of CTAs splits M over both, and B comes from both");
	fact(44, "scale factors by their number in a word, of ue8m0 and ue4m3");
	fact(45, "instruction and matrix descriptors, every swizzle, base offsets");
	fact(46, "each layout of D: 64 rows of one CTA, 128 and 256 of a pair, weight stationary");
	for (enum kind kind = K_F16; kind < KINDS; kind++)
		printf("random kind::%s %u\n", kind_names[kind], forms_of(kind) * rounds * STEPS);
	forms(count);
	return hopper_end();
}
