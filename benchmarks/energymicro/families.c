/* families.c -- what the kernels execute, and how much of the chip takes part. */
#include "energymicro.h"

/* -- chains: what a line does, in the reference -- */

#define STEP(name) static void name(struct warp *w, unsigned n, unsigned c, unsigned line)
#define L          (&w->lane[n])
#define NEXT       ((c + 1) % CHAINS)

STEP(int_add)
{
	L->r[c] += L->r[NEXT];
}
STEP(int_logic)
{
	L->r[c] ^= L->r[NEXT];
}
STEP(int_mul)
{
	L->r[c] *= L->y;
}
STEP(int_mad)
{
	L->r[c] = L->r[c] * L->y + L->x;
}
STEP(int_div)
{
	L->r[c] = L->x / L->r[c];
}
STEP(fp_add)
{
	L->f[c] = line ? L->fx - L->f[c] : L->f[c] + L->fy;
}
STEP(fp_mul)
{
	L->f[c] *= line ? L->fx : L->fy;
}
STEP(fp_fma)
{
	L->f[c] = line ? fmaf(L->f[c], L->fx, L->fy) : fmaf(L->f[c], L->fy, L->fx);
}
STEP(fp_fma_two)
{
	L->f[c] = fmaf(L->f[c], L->fy, L->fy);
}
STEP(fp_fma_one)
{
	L->f[c] = fmaf(L->f[c], -1.0f, 3.0f);
}
STEP(fp_div)
{
	L->f[c] /= line ? L->fx : L->fy;
}
STEP(rcp)
{
	L->f[c] = 1 / L->f[c];
}
STEP(square_root)
{
	L->f[c] = sqrtf(L->f[c]);
}
STEP(sine)
{
	L->f[c] = sinf(L->f[c]);
}
STEP(exponential)
{
	L->f[c] = line == 6 ? 1 / L->f[c] : exp2f(L->f[c]);
}
STEP(logarithm)
{
	L->f[c] = line == 5 ? fmaxf(L->f[c], L->fx) : log2f(L->f[c]);
}
STEP(dp_add)
{
	L->g[c] = line ? L->gx - L->g[c] : L->g[c] + L->gy;
}
STEP(dp_mul)
{
	L->g[c] *= line ? L->gx : L->gy;
}
STEP(dp_fma)
{
	L->g[c] = line ? fma(L->g[c], L->gx, L->gy) : fma(L->g[c], L->gy, L->gx);
}
STEP(dp_div)
{
	L->g[c] = L->gx / L->g[c];
}
STEP(move)
{
	L->r[c] = n % 2 ? L->r[NEXT] : L->r[c];
}
STEP(none)
{
}

STEP(divergence)
{
	L->f[c] = fmaf(L->f[c], L->fy, n % 2 ? L->fy : L->fx);
}

STEP(conversion)
{
	if (line == 0)
		L->r[c] = (uint32_t)(int32_t)L->f[c];
	else
		L->f[c] = (float)(int32_t)L->r[c];
}

STEP(comparison)
{
	if (line == 0)
		fp_fma_two(w, n, c, 0);
	else
		L->p[c] ^= L->f[c] < L->fx;
}

STEP(ballot)
{
	if (line == 0) {
		L->p[c] = L->r[c] > L->x;
	} else if (line == 1) {
		L->s[c] = 0;
		for (unsigned i = 0; i < w->lanes; i++)
			L->s[c] |= (uint32_t)w->lane[i].p[c] << i;
	} else {
		L->r[c] = L->r[c] * L->y + L->s[c];
	}
}

/* Lanes exchange in pairs: the first of a pair keeps what the second needs. */
STEP(shuffle)
{
	uint32_t mine = L->r[c];

	if (n % 2)
		return;
	L->r[c] = w->lane[n + 1].r[c];
	w->lane[n + 1].r[c] = mine;
}

/* In both halves -1 times what was there, plus 10: 3 and 7 in turn. */
STEP(half)
{
	L->r[c] ^= 0x42004200 ^ 0x47004700;
}
/* Each element of the 16 by 8 matrix: 8 products of 1 by 1, then of 1 by -1. */
STEP(tensor)
{
	L->f[c] += line ? -8 : 8;
}

/* -- levels -- */

static const struct level levels[] = {
	{ "full", "all warps that fit", CTA, WARP, true, 1 },
	{ "8warps", "8 warps on each SM", 256, WARP, false, 1 },
	{ "2warps", "2 warps on each SM", 64, WARP, false, 1 },
	{ "1warp", "a warp on each SM", 32, WARP, false, 1 },
	{ "16lanes", "all warps, 16 lanes of each", CTA, 16, true, 1 },
	{ "8lanes", "all warps, 8 lanes of each", CTA, 8, true, 1 },
	{ "1lane", "all warps, a lane of each", CTA, 1, true, 1 },
	{ "halfchip", "32 warps on every second SM", 1024, WARP, false, 2 },
	{ "1sm", "32 warps on one SM", 1024, WARP, false, 0 },
};
enum { LEVELS = sizeof levels / sizeof *levels };

#define MOST      "full 8warps 8lanes"
#define WHOLE     "full 8warps" /* all lanes must take part */
#define ALL       "full 8warps 2warps 1warp 16lanes 8lanes 1lane halfchip 1sm"
#define EACH_RATE "full 8warps 2warps 8lanes"

/* -- families -- */

#define U32(X, Y)                  .type = TYPE_U32, .x = X, .y = Y, .first = 2654435761.0, .apart = 40503
#define F32(X, Y, FIRST)           .type = TYPE_F32, .x = X, .y = Y, .first = FIRST, .apart = 0.001
#define F64(X, Y, FIRST)           .type = TYPE_F64, .x = X, .y = Y, .first = FIRST, .apart = 0.001
#define ERROR(TOLERANCE, SCALE)    .tolerance = TOLERANCE, .scale = SCALE
#define STREAM(space, access, ...) .stream = { space, access, __VA_ARGS__ }
#define ROOFLINE(STEPS, REPEATS) \
	{ \
		"roofline_" #STEPS, "f32 from DRAM, " #STEPS " multiply-adds for each two", \
			STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.b32", 4, 128, 0, .pairs = true, \
				.steps = STEPS), \
			.levels = "full", .repeats = REPEATS, .is_apart = true \
	}

const struct family families[] = {
	{ "int_add", "integer additions", { "add.u32 %r#, %r#, %r&;" }, int_add, U32(1, 1), .levels = ALL },
	{ "int_logic", "exclusive or", { "xor.b32 %r#, %r#, %r&;" }, int_logic, U32(1, 1) },
	{ "int_mul", "integer multiplications", { "mul.lo.u32 %r#, %r#, %y;" }, int_mul, U32(1, 2654435761.0),
		.repeats = 6 },
	{ "int_mad", "integer multiply-adds", { "mad.lo.u32 %r#, %r#, %y, %x;" }, int_mad,
		U32(12345, 1664525), .repeats = 6 },
	{ "int_div", "integer divisions", { "div.u32 %r#, %x, %r#;" }, int_div, .type = TYPE_U32, .x = 1e9,
		.first = 7, .apart = 11, .repeats = 1, .unroll = 1 },
	{ "fp_add", "f32 additions", { "add.rn.f32 %f#, %f#, %fy;", "sub.rn.f32 %f#, %fx, %f#;" }, fp_add,
		F32(3.7, 0.3, 1.1) },
	{ "fp_mul", "f32 multiplications", { "mul.rn.f32 %f#, %f#, %fy;", "mul.rn.f32 %f#, %f#, %fx;" },
		fp_mul, F32(1 / 1.7, 1.7, 1.1) },
	{ "fp_fma", "f32 multiply-adds of three registers",
		{ "fma.rn.f32 %f#, %f#, %fy, %fx;", "fma.rn.f32 %f#, %f#, %fx, %fy;" }, fp_fma,
		F32(1.7, -1 / 1.7, 1.1), .levels = ALL },
	{ "fp_fma_2regs", "f32 multiply-adds of two registers", { "fma.rn.f32 %f#, %f#, %fy, %fy;" },
		fp_fma_two, F32(1, -1, 1.1) },
	{ "fp_fma_1reg", "f32 multiply-adds of a register and constants",
		{ "fma.rn.f32 %f#, %f#, 0fBF800000, 0f40400000;" }, fp_fma_one, F32(1, 1, 1.1) },
	{ "compare", "f32 multiply-adds, and comparisons that write no register but a predicate",
		{ "fma.rn.f32 %f#, %f#, %fy, %fy;", "setp.lt.xor.f32 %p#, %f#, %fx, %p#;" }, comparison,
		F32(-1, -1, 1.1) },
	{ "fp_div", "f32 divisions", { "div.rn.f32 %f#, %f#, %fy;", "div.rn.f32 %f#, %f#, %fx;" }, fp_div,
		F32(1 / 1.7, 1.7, 1.1), .repeats = 1, .unroll = 1 },
	/* Errors are those that the PTX ISA states for the instruction. */
	{ "rcp", "approximate reciprocals", { "rcp.approx.ftz.f32 %f#, %f#;" }, rcp, F32(1, 1, 1.1),
		ERROR(0x1p-22, 1), .repeats = 2 },
	{ "sqrt", "approximate square roots", { "sqrt.approx.ftz.f32 %f#, %f#;" }, square_root,
		F32(1, 1, 1.1), ERROR(0x1p-22, 1), .contracts = true, .repeats = 2 },
	{ "sin", "approximate sines", { "sin.approx.ftz.f32 %f#, %f#;" }, sine, F32(1, 1, 0.3),
		ERROR(0x1p-20, 1), .repeats = 2 },
	/* 0, 1, 2, 4, 16, 65536, infinity, whose reciprocal is 0 again, and an error is forgotten */
	{ "exp", "approximate exponentials, and a reciprocal to each 6",
		{ "ex2.approx.ftz.f32 %f#, %f#;", "ex2.approx.ftz.f32 %f#, %f#;",
			"ex2.approx.ftz.f32 %f#, %f#;", "ex2.approx.ftz.f32 %f#, %f#;",
			"ex2.approx.ftz.f32 %f#, %f#;", "ex2.approx.ftz.f32 %f#, %f#;",
			"rcp.approx.ftz.f32 %f#, %f#;" },
		exponential, .type = TYPE_F32, .repeats = 2 },
	/* 65536, 16, 4, 2, 1, and about 0: the maximum is 65536 again */
	{ "log", "approximate logarithms, and a maximum to each 5",
		{ "lg2.approx.ftz.f32 %f#, %f#;", "lg2.approx.ftz.f32 %f#, %f#;",
			"lg2.approx.ftz.f32 %f#, %f#;", "lg2.approx.ftz.f32 %f#, %f#;",
			"lg2.approx.ftz.f32 %f#, %f#;", "max.f32 %f#, %f#, %fx;" },
		logarithm, .type = TYPE_F32, .x = 65536, .first = 65536, .repeats = 3 },
	{ "dp_add", "f64 additions", { "add.rn.f64 %g#, %g#, %gy;", "sub.rn.f64 %g#, %gx, %g#;" }, dp_add,
		F64(3.7, 0.3, 1.1), .repeats = 2 },
	{ "dp_mul", "f64 multiplications", { "mul.rn.f64 %g#, %g#, %gy;", "mul.rn.f64 %g#, %g#, %gx;" },
		dp_mul, F64(1 / 1.7, 1.7, 1.1), .repeats = 2 },
	{ "dp_fma", "f64 multiply-adds",
		{ "fma.rn.f64 %g#, %g#, %gy, %gx;", "fma.rn.f64 %g#, %g#, %gx, %gy;" }, dp_fma,
		F64(1.7, -1 / 1.7, 1.1), .repeats = 2 },
	{ "dp_div", "f64 divisions", { "div.rn.f64 %g#, %gx, %g#;" }, dp_div, F64(1 / 1.7, 1.7, 1.1),
		.repeats = 1, .unroll = 1 },
	{ "conversion", "conversions between f32 and integers",
		{ "cvt.rzi.s32.f32 %r#, %f#;", "cvt.rn.f32.s32 %f#, %r#;" }, conversion, .type = TYPE_F32,
		.first = 1000, .apart = 17, .repeats = 6 },
	{ "move", "selections between two registers", { "selp.b32 %r#, %r&, %r#, %q;" }, move, U32(1, 1) },
	{ "exchange", "ballots of a warp, with the comparisons and multiply-adds that they need",
		{ "setp.gt.u32 %p#, %r#, %x;", "vote.ballot.b32 %s#, %p#;", "mad.lo.u32 %r#, %r#, %y, %s#;" },
		ballot, U32(2147483648.0, 1664525), .levels = WHOLE },
	{ "shuffle", "exchanges between neighbouring lanes", { "shfl.sync.bfly.b32 %r#, %r#, 1, 31, -1;" },
		shuffle, U32(1, 1), .levels = WHOLE, .needs = 70 },
	{ "branch", "branches, each to the instruction behind it", { "@!%never bra L~; L~:" }, none,
		U32(1, 1) },
	{ "divergent", "multiply-adds on two paths, of the even and of the odd lanes",
		{ "@%q bra E~; fma.rn.f32 %f#, %f#, %fy, %fx; bra J~; E~: fma.rn.f32 %f#, %f#, %fy, %fy; "
		  "J~:" },
		divergence, F32(3.7, -1, 1.1), .repeats = 4 },
	{ "barrier", "barriers of CTAs of 8 warps", { "bar.sync 0; // #" }, none, U32(1, 1),
		.levels = "full 8warps", .repeats = 6 },
	{ "half", "multiply-adds of pairs of f16", { "fma.rn.f16x2 %r#, %r#, %y, %x;" }, half,
		.type = TYPE_U32, .x = 0x49004900, .y = 0xbc00bc00, .first = 0x42004200, .needs = 70 },
	{ "tensor", "products of matrices of f16, 16 by 8 by 8",
		{ "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f#, %u#, %v#, %w#}, {%x, %x}, {%y}, "
		  "{%f#, %u#, %v#, %w#};",
			"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f#, %u#, %v#, %w#}, {%x, %x}, "
			"{%minus}, {%f#, %u#, %v#, %w#};" },
		tensor, .type = TYPE_F32, .operands_are_bits = true, .x = 0x3c003c00, .y = 0x3c003c00,
		.first = 1, .levels = WHOLE, .needs = 80, .repeats = 1 },

	{ "shared_read", "loads of shared memory, each lane another bank",
		STREAM(SPACE_SHARED, ACCESS_READ, "ld.shared.u32", 4, 128, 4096), .levels = EACH_RATE },
	{ "shared_broadcast", "loads of shared memory, all lanes the same word",
		STREAM(SPACE_SHARED, ACCESS_READ, "ld.shared.u32", 0, 128, 4096), .levels = WHOLE },
	{ "shared_conflict2", "loads of shared memory with conflicts of 2 lanes",
		STREAM(SPACE_SHARED, ACCESS_READ, "ld.shared.u32", 8, 128, 4096), .levels = WHOLE,
		.repeats = 12 },
	{ "shared_conflict8", "loads of shared memory with conflicts of 8 lanes",
		STREAM(SPACE_SHARED, ACCESS_READ, "ld.shared.u32", 32, 128, 4096), .levels = WHOLE,
		.repeats = 6 },
	{ "shared_conflict32", "loads of shared memory with conflicts of all lanes",
		STREAM(SPACE_SHARED, ACCESS_READ, "ld.shared.u32", 128, 128, 4096), .levels = WHOLE,
		.repeats = 2 },
	{ "shared_write", "stores to shared memory, each lane another bank",
		STREAM(SPACE_SHARED, ACCESS_WRITE, "st.volatile.shared.u32", 4, 128, 4096),
		.levels = EACH_RATE, .repeats = 32 },
	{ "constant", "loads of constants, all lanes the same word",
		STREAM(SPACE_CONST, ACCESS_READ, "ld.const.u32", 0, 128, 4096), .levels = EACH_RATE },
	{ "constant_words", "loads of constants, each lane another word",
		STREAM(SPACE_CONST, ACCESS_READ, "ld.const.u32", 4, 128, 4096), .levels = WHOLE,
		.repeats = 2 },
	{ "texture", "texture fetches of neighbouring words",
		STREAM(SPACE_TEXTURE, ACCESS_READ, "tex.1d.v4.u32.s32", 4, 128, 4096), .levels = MOST,
		.repeats = 6 },
	{ "texture_lines", "texture fetches, each lane in another line",
		STREAM(SPACE_TEXTURE, ACCESS_READ, "tex.1d.v4.u32.s32", 128, 4, 4096), .levels = MOST,
		.repeats = 1 },
	{ "l1_read", "coalesced loads that hit in the L1",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.ca.u32", 4, 128, 4096), .levels = EACH_RATE },
	{ "l1_lines", "loads that hit in the L1, each lane in another line",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.ca.u32", 128, 4, 4096), .levels = MOST,
		.repeats = 2 },
	{ "l1_fill", "coalesced loads that miss in the L1 and hit in the L2",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.ca.u32", 4, 128, 262144), .levels = EACH_RATE,
		.repeats = 8 },
	{ "l2_read", "coalesced loads around the L1 that hit in the L2",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.cg.u32", 4, 128, 262144), .levels = EACH_RATE,
		.repeats = 8 },
	{ "l2_sectors", "loads around the L1 that hit in the L2, each lane in another line",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.cg.u32", 128, 4, 262144), .levels = MOST,
		.repeats = 1 },
	{ "l2_write", "coalesced stores that stay in the L2",
		STREAM(SPACE_GLOBAL, ACCESS_WRITE, "st.global.cg.u32", 4, 128, 262144), .levels = EACH_RATE,
		.repeats = 8 },
	{ "l2_write_words", "stores that stay in the L2, each lane in another line",
		STREAM(SPACE_GLOBAL, ACCESS_WRITE, "st.global.cg.u32", 128, 4, 262144), .levels = MOST,
		.repeats = 1 },
	{ "atomic", "coalesced additions to words in the L2",
		STREAM(SPACE_GLOBAL, ACCESS_ADD, "red.global.add.u32", 4, 128, 262144), .levels = EACH_RATE,
		.repeats = 2 },
	{ "atomic_same", "additions of all lanes of a warp to the same word",
		STREAM(SPACE_GLOBAL, ACCESS_ADD, "red.global.add.u32", 0, 128, 262144), .levels = MOST,
		.repeats = 1 },
	{ "dram_read", "a stream of loads from DRAM",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.cg.u32", 4, 128, 0), .levels = EACH_RATE,
		.repeats = 6 },
	{ "dram_write", "a stream of stores to DRAM",
		STREAM(SPACE_GLOBAL, ACCESS_WRITE, "st.global.cg.u32", 4, 128, 0), .levels = EACH_RATE,
		.repeats = 6 },
	{ "dram_random", "loads from DRAM, each lane from a random place",
		STREAM(SPACE_GLOBAL, ACCESS_READ, "ld.global.cg.u32", 4, 0, 1 << 24, .random = true),
		.levels = "full 8warps 2warps 8lanes 1lane", .repeats = 1 },

	/* (1 + STEPS) / 4 operations a byte */
	ROOFLINE(0, 20),
	ROOFLINE(1, 20),
	ROOFLINE(4, 20),
	ROOFLINE(24, 16),
	ROOFLINE(40, 12),
	ROOFLINE(56, 10),
	ROOFLINE(72, 8),
	ROOFLINE(96, 6),
	ROOFLINE(128, 5),
	ROOFLINE(200, 3),
	ROOFLINE(256, 3),
	ROOFLINE(400, 2),
};
const size_t family_count = sizeof families / sizeof *families;

/* -- kernels -- */

static bool has_level(const struct family *f, const char *name)
{
	const char *all = f->levels ? f->levels : MOST;
	size_t length = strlen(name);

	for (; *all; all += strcspn(all, " "), all += *all == ' ')
		if (strcspn(all, " ") == length && !strncmp(all, name, length))
			return true;
	return false;
}

size_t kernel_list(struct kernel **kernels)
{
	size_t count = 0;

	*kernels = bench_alloc(family_count * LEVELS, sizeof **kernels);
	for (size_t i = 0; i < family_count; i++)
		for (size_t j = 0; j < LEVELS; j++) {
			struct kernel *k = *kernels + count;

			if (!has_level(&families[i], levels[j].name))
				continue;
			k->family = &families[i];
			k->level = &levels[j];
			snprintf(k->name, sizeof k->name, "%s_%s", families[i].name, levels[j].name);
			count++;
		}
	return count;
}
