/* tests/hopper/bulk.c -- bulk copies of bytes in a row: every direction, reductions, byte counts at the
 * mbarrier, groups. */
#include "bulk_rig.h"
#include <math.h>

static struct bulk_rig rig;
static unsigned form_count;

static CUfunction form_of(const char *body)
{
	form_count++;
	return rig_kernel(body);
}

/* ---- copies ---- */

static void try_loads(const char *body, unsigned times)
{
	static uint8_t want[SHARED];
	CUfunction kernel = form_of(body);

	for (unsigned i = 0; i < times; i++) {
		uint32_t bytes = 16 * rig_below(&rig, 400), to = 16 * rig_below(&rig, (SHARED - 6400) / 16),
			 from = 16 * rig_below(&rig, (GLOBAL - 6400) / 16);

		rig_fill(&rig);
		must(rig_run(&rig, kernel, 1, (uint32_t[4]){ bytes, to, from }, NULL), body);
		memcpy(want, rig.before[0], SHARED);
		memcpy(want + to, rig.memory + from, bytes);
		rig_same(rig.after[0], want, SHARED, body);
		rig_same(rig.memory_after, rig.memory, GLOBAL, body);
	}
}

static void try_stores(const char *body, unsigned times)
{
	static uint8_t want[GLOBAL];
	CUfunction kernel = form_of(body);

	for (unsigned i = 0; i < times; i++) {
		uint32_t bytes = 16 * rig_below(&rig, 400), from = 16 * rig_below(&rig, (SHARED - 6400) / 16),
			 to = 16 * rig_below(&rig, (GLOBAL - 6400) / 16);

		rig_fill(&rig);
		must(rig_run(&rig, kernel, 1, (uint32_t[4]){ bytes, from, to }, NULL), body);
		memcpy(want, rig.memory, GLOBAL);
		memcpy(want + to, rig.before[0] + from, bytes);
		rig_same(rig.memory_after, want, GLOBAL, body);
		rig_same(rig.after[0], rig.before[0], SHARED, body);
	}
}

static void try_moves(const char *body, unsigned times)
{
	static uint8_t want[SHARED];
	CUfunction kernel = form_of(body);

	for (unsigned i = 0; i < times; i++) {
		uint32_t bytes = 16 * rig_below(&rig, 400), from = 16 * rig_below(&rig, 600),
			 to = 16384 + 16 * rig_below(&rig, 600);

		rig_fill(&rig);
		must(rig_run(&rig, kernel, 1, (uint32_t[4]){ bytes, from, to }, NULL), body);
		memcpy(want, rig.before[0], SHARED);
		memcpy(want + to, rig.before[0] + from, bytes);
		rig_same(rig.after[0], want, SHARED, body);
	}
}

#define PLACES "add.u32 $y4, $s, $b; cvt.u64.u32 $x1, $c; add.u64 $x1, $g, $x1;\n"

static void try_copies(void)
{
	try_loads(RIG_EXPECT("$a") PLACES
		"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$y4], [$x1], "
		"$a, [$bar];\n" RIG_WAIT,
		12);
	try_loads(RIG_EXPECT("$a") PLACES
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$y4], "
		"[$x1], $a, [$bar];\n" RIG_WAIT,
		6);
	try_loads(PLACES
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [$y4], "
		"[$x1], $a, [$bar], $hint;\n" RIG_EXPECT("$a") RIG_WAIT,
		6);
	try_loads(RIG_EXPECT("$a") PLACES
		"cp.async.bulk.prefetch.L2.global [$x1], $a;\n"
		"cp.async.bulk.prefetch.L2.global.L2::cache_hint [$x1], $a, $hint;\n"
		"add.u32 $y4, $y4, -48; add.u64 $x1, $x1, -32;\n"
		"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint "
		"[$y4+48], [$x1+32], $a, [$bar], $hint;\n" RIG_WAIT,
		4);
	try_stores(PLACES "cp.async.bulk.global.shared::cta.bulk_group [$x1], [$y4], $a;\n" RIG_STORED, 12);
	try_stores(PLACES "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [$x1], [$y4], $a, "
			  "$hint;\n" RIG_STORED,
		4);
	try_moves(RIG_EXPECT("$a") "add.u32 $y4, $s, $b; add.u32 $y5, $s, $c;\n"
				   "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
				   "[$y5], [$y4], $a, [$bar];\n" RIG_WAIT,
		8);
	fact(2, "complete_tx of a copy may come before expect_tx of its phase");
}

/* ---- reductions ---- */

enum operation { ADD, MIN, MAX, INC, DEC, AND, OR, XOR };

struct type {
	const char *name;
	unsigned bytes;
	char kind; /* u, s, b, f, h (f16), g (bf16) */
};
static const struct type u32 = { "u32", 4, 'u' }, s32 = { "s32", 4, 's' }, u64 = { "u64", 8, 'u' },
			 s64 = { "s64", 8, 's' }, b32 = { "b32", 4, 'b' }, b64 = { "b64", 8, 'b' },
			 f32 = { "f32", 4, 'f' }, f64 = { "f64", 8, 'f' }, f16 = { "f16", 2, 'h' },
			 bf16 = { "bf16", 2, 'g' };

static double half_value(uint16_t bits, char kind)
{
	int exponent_bits = kind == 'h' ? 5 : 8, fraction_bits = 15 - exponent_bits,
	    bias = (1 << (exponent_bits - 1)) - 1;
	int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
	int fraction = bits & ((1 << fraction_bits) - 1);
	double value = exponent ? ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)
				: ldexp(fraction, 1 - bias - fraction_bits);

	return bits >> 15 ? -value : value;
}

/* The nearest half, by trying all of one sign: finite values alone. */
static uint16_t nearest_half(double value, char kind)
{
	uint16_t most = kind == 'h' ? 0x7bff : 0x7f7f, low = 0, high = most;
	double size = fabs(value);

	while (low < high) { /* the largest half that is not above */
		uint16_t middle = (uint16_t)((low + high + 1) / 2);

		if (half_value(middle, kind) <= size)
			low = middle;
		else
			high = (uint16_t)(middle - 1);
	}
	if (low < most) {
		double below = size - half_value(low, kind),
		       above = half_value((uint16_t)(low + 1), kind) - size;

		low = (uint16_t)(low + (above < below || (above == below && low % 2)));
	}
	return (uint16_t)(low | (signbit(value) ? 0x8000 : 0));
}

static uint64_t reduce_float(enum operation operation, struct type t, uint64_t a, uint64_t b)
{
	union {
		uint32_t u;
		float f;
	} x = { (uint32_t)a }, y = { (uint32_t)b };
	union {
		uint64_t u;
		double f;
	} p = { a }, q = { b };

	if (t.bytes == 4)
		return x.f += y.f, x.u;
	if (t.bytes == 8)
		return p.f += q.f, p.u;
	p.f = half_value((uint16_t)a, t.kind);
	q.f = half_value((uint16_t)b, t.kind);
	p.f = operation == ADD ? p.f + q.f : operation == MIN ? fmin(p.f, q.f) : fmax(p.f, q.f);
	return nearest_half(p.f, t.kind);
}

static uint64_t reduced(enum operation operation, struct type t, uint64_t a, uint64_t b)
{
	int64_t x = t.bytes == 4 ? (int32_t)a : (int64_t)a, y = t.bytes == 4 ? (int32_t)b : (int64_t)b;
	bool less = t.kind == 's' ? x < y : a < b;

	if (t.kind == 'f' || t.kind == 'h' || t.kind == 'g')
		return reduce_float(operation, t, a, b);
	switch (operation) {
	case ADD:
		return a + b;
	case MIN:
		return less ? a : b;
	case MAX:
		return less ? b : a;
	case INC:
		return a >= b ? 0 : a + 1;
	case DEC:
		return !a || a > b ? b : a - 1;
	case AND:
		return a & b;
	case OR:
		return a | b;
	default:
		return a ^ b;
	}
}

/* Numbers whose sums are neither subnormal nor infinite. */
static void tame(uint8_t *bytes, size_t count, struct type t)
{
	for (size_t i = 0; i < count; i += t.bytes) {
		if (t.kind == 'f' && t.bytes == 4)
			bytes[i + 3] = (uint8_t)((bytes[i + 3] & 0x80) | 0x40 | (bytes[i + 3] & 3));
		if (t.kind == 'f' && t.bytes == 8)
			bytes[i + 7] = (uint8_t)((bytes[i + 7] & 0x80) | 0x40);
		if (t.kind == 'h')
			bytes[i + 1] = (uint8_t)(bytes[i + 1] & 0xbb);
		if (t.kind == 'g')
			bytes[i + 1] = (uint8_t)((bytes[i + 1] & 0x80) | 0x40 | (bytes[i + 1] & 1));
	}
}

static void reduce_all(
	uint8_t *to, const uint8_t *from, uint32_t bytes, enum operation operation, struct type t)
{
	for (uint32_t i = 0; i < bytes; i += t.bytes) {
		uint64_t a = 0, b = 0, r;

		memcpy(&a, to + i, t.bytes);
		memcpy(&b, from + i, t.bytes);
		r = reduced(operation, t, a, b);
		memcpy(to + i, &r, t.bytes);
	}
}

static const char *const operation_names[] = { "add", "min", "max", "inc", "dec", "and", "or", "xor" };

static void try_reduction(bool to_global, enum operation operation, struct type t, const char *more)
{
	static uint8_t want[GLOBAL], *start;
	uint32_t bytes = 16 * (1 + rig_below(&rig, 100));
	char body[1024];
	CUfunction kernel;

	if (to_global)
		snprintf(body, sizeof(body),
			PLACES "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s%s.%s [$x1], "
			       "[$y4], $a;\n" RIG_STORED,
			operation_names[operation], more, t.name);
	else
		snprintf(body, sizeof(body),
			RIG_EXPECT("$a") "add.u32 $y4, $s, $b; add.u32 $y5, $s, $c;\n"
					 "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::"
					 "complete_tx::bytes.%s%s.%s [$y5], "
					 "[$y4], $a, [$bar];\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 "
					 "$p1, [$bar], 0; "
					 "@!$p1 bra WAIT;\n",
			operation_names[operation], more, t.name);
	kernel = form_of(body);
	rig_fill(&rig);
	tame(rig.before[0], SHARED, t);
	tame(rig.memory, GLOBAL, t);
	must(rig_run(&rig, kernel, 1, (uint32_t[4]){ bytes, 4096, 16384 }, NULL), body);
	start = to_global ? rig.memory : rig.before[0];
	memcpy(want, start, SHARED);
	reduce_all(want + 16384, rig.before[0] + 4096, bytes, operation, t);
	rig_same(to_global ? rig.memory_after : rig.after[0], want, SHARED, body);
}

static void try_reductions(void)
{
	const struct type narrow[] = { u32, s32 }, wide[] = { u64, s64 }, half[] = { f16, bf16 };

	for (int to_global = 0; to_global < 2; to_global++) {
		for (int i = 0; i < 2; i++)
			for (int op = ADD; op <= MAX; op++)
				try_reduction(to_global, (enum operation)op, narrow[i], "");
		try_reduction(to_global, ADD, u64, "");
		try_reduction(to_global, INC, u32, "");
		try_reduction(to_global, DEC, u32, "");
		for (int op = AND; op <= XOR; op++)
			try_reduction(to_global, (enum operation)op, b32, "");
	}
	for (int i = 0; i < 2; i++)
		for (int op = MIN; op <= MAX; op++) {
			try_reduction(true, (enum operation)op, wide[i], "");
			try_reduction(true, (enum operation)op, half[i], "");
		}
	for (int op = AND; op <= XOR; op++)
		try_reduction(true, (enum operation)op, b64, "");
	try_reduction(true, ADD, f32, "");
	try_reduction(true, ADD, f64, "");
	try_reduction(true, ADD, f16, ".noftz");
	try_reduction(true, ADD, bf16, ".noftz");
}

/* ---- groups ---- */

/* A thread that does not wait for its group overwrites the source before it is read. One that waits for the
 * read may; and what it wrote is there when it has waited for the group. */
static void try_groups(void)
{
	static const char store[] = "cp.async.bulk.global.shared::cta.bulk_group [$g], [$s], 16384;\n"
				    "cp.async.bulk.commit_group;\n";
	static const char spoil[] =
		"mov.b32 $y7, -1; mov.u32 $y8, 0; SPOIL: add.u32 $y9, $s, $y8; "
		"st.shared.b32 [$y9], $y7; add.u32 $y8, $y8, 4; setp.lt.u32 $p2, $y8, 16384; "
		"@$p2 bra SPOIL;\n";
	static const char look[] = "ld.global.b32 $y7, [$g+16380]; st.shared.b32 [$s+20000], $y7;\n";
	char body[2048];

	rig_fill(&rig);
	snprintf(body, sizeof(body), "%scp.async.bulk.wait_group.read 0;\n%scp.async.bulk.wait_group 0;\n%s",
		store, spoil, look);
	must(rig_run(&rig, form_of(body), 1, (uint32_t[4]){ 0 }, NULL), "wait_group.read");
	rig_same(rig.memory_after, rig.before[0], 16384, "wait_group.read: what the source held");
	rig_same(rig.after[0] + 20000, rig.before[0] + 16380, 4, "wait_group: what the copy wrote");
	snprintf(body, sizeof(body),
		"%s%scp.async.bulk.global.shared::cta.bulk_group [$g+32768], [$s+16384], 16;\n"
		"cp.async.bulk.commit_group; cp.async.bulk.wait_group 1;\n%scp.async.bulk.wait_group 0;\n",
		store, "", look);
	must(rig_run(&rig, form_of(body), 1, (uint32_t[4]){ 0 }, NULL), "wait_group 1");
	rig_same(rig.after[0] + 20000, rig.before[0] + 16380, 4, "wait_group 1: the older group");
	rig_same(rig.memory_after + 32768, rig.before[0] + 16384, 16, "wait_group 0: the younger group");
	fact(20, "wait_group waits for the writes of the thread's groups, wait_group.read for the reads");
}

int main(int argc, char **argv)
{
	rig_start(&rig);
	try_copies();
	try_reductions();
	try_groups();
	forms(form_count);
	return hopper_end();
}
