/* tests/hopper/bulk_cluster.c -- bulk copies into the shared memory of other CTAs of a cluster: to one of
 * them, and to several (multicast), each with the mbarrier there; reductions there; a leader that does not
 * wait for its readers. */
#include "bulk_rig.h"

static struct bulk_rig rig;
static unsigned form_count;

static CUfunction form_of(const char *body)
{
	form_count++;
	return rig_kernel(body);
}

enum { CTAS = 4, BYTES = 2048, TO = 4096, FROM = 8192 };

#define TRY_WAIT \
	"WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $p1, [$bar], 0; @!$p1 bra WAIT;\n"

/* The CTA of rank $a copies, all whose bit is in $b wait for $c bytes of their own mbarrier. */
#define RECEIVERS \
	"mov.u32 $y8, 1; shl.b32 $y8, $y8, $rank; and.b32 $y8, $y8, $b; setp.ne.u32 $p2, $y8, 0;\n" \
	"@$p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar], $c;\n" \
	"setp.ne.u32 $p3, $rank, $a; @$p3 bra SENT;\n"
#define SENT "SENT: @!$p2 bra DONE;\n" TRY_WAIT

/* What CTA r has: `bytes` from `from` on at TO if it is one of the receivers. */
static void expect_receivers(uint32_t receivers, const uint8_t *from, const char *what)
{
	static uint8_t want[SHARED];

	for (uint32_t r = 0; r < CTAS; r++) {
		char name[200];

		memcpy(want, rig.before[r], SHARED);
		if (receivers >> r & 1)
			memcpy(want + TO, from, BYTES);
		snprintf(name, sizeof(name), "%s, to CTAs %x: CTA %u", what, receivers, r);
		rig_same(rig.after[r], want, SHARED, name);
	}
}

static void try_multicast(void)
{
	static const char body[] =
		RECEIVERS "cvt.u16.u32 $h1, $b; add.u32 $y4, $s, 4096; add.u64 $x1, $g, 8192;\n"
			  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
			  "cluster [$y4], [$x1], $c, "
			  "[$bar], $h1;\n" SENT;
	CUfunction kernel = form_of(body);

	for (uint32_t mask = 1; mask < 1 << CTAS; mask++) {
		rig_fill(&rig);
		must(rig_run(&rig, kernel, CTAS, (uint32_t[4]){ mask % CTAS, mask, BYTES }, NULL),
			"multicast");
		expect_receivers(mask, rig.memory + FROM, "multicast");
	}
	fact(17,
		"multicast: the same offset in each CTA of the mask, all bytes at its own mbarrier; the "
		"issuer only if named");
}

static void try_one_peer(void)
{
	static const char load[] =
		RECEIVERS "bfind.u32 $y5, $b; add.u32 $y4, $s, 4096; mapa.shared::cluster.u32 $y4, $y4, $y5; "
			  "mapa.shared::cluster.u32 $y6, $bar, $y5; add.u64 $x1, $g, 8192;\n"
			  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$y4], [$x1], "
			  "$c, [$y6];\n" SENT;
	static const char move[] =
		RECEIVERS "bfind.u32 $y5, $b; add.u32 $y4, $s, 4096; mapa.shared::cluster.u32 $y4, $y4, $y5; "
			  "mapa.shared::cluster.u32 $y6, $bar, $y5; add.u32 $y7, $s, 8192;\n"
			  "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$y4], "
			  "[$y7], $c, [$y6];\n" SENT;
	CUfunction kernels[2] = { form_of(load), form_of(move) };

	for (uint32_t from = 0; from < CTAS; from++)
		for (uint32_t to = 0; to < CTAS; to++)
			for (int moves = 0; moves < 2; moves++) {
				rig_fill(&rig);
				must(rig_run(&rig, kernels[moves], CTAS,
					     (uint32_t[4]){ from, 1u << to, BYTES }, NULL),
					"one peer");
				expect_receivers(1u << to,
					moves ? rig.before[from] + FROM : rig.memory + FROM,
					moves ? "from shared memory" : "from global memory");
			}
	fact(18, "without multicast the copy goes to the CTA that the address names, and to no other");
}

/* All CTAs add their words to those of CTA 0, whose mbarrier counts the bytes of all. */
static void try_reduction(void)
{
	static const char body[] = "mapa.shared::cluster.u32 $y4, $s, 0; mapa.shared::cluster.u32 $y6, $bar, "
				   "0; add.u32 $y4, $y4, 4096; "
				   "add.u32 $y7, $s, 8192; setp.eq.u32 $p2, $rank, 0; shl.b32 $y8, $c, 2;\n"
				   "@$p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar], $y8;\n"
				   "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
				   "bytes.add.u32 [$y4], [$y7], $c, "
				   "[$y6];\n@!$p2 bra DONE;\n" TRY_WAIT;
	static uint32_t want[SHARED / 4], add[SHARED / 4];
	CUfunction kernel = form_of(body);

	rig_fill(&rig);
	must(rig_run(&rig, kernel, CTAS, (uint32_t[4]){ 0, 0, BYTES }, NULL), "reduction");
	memcpy(want, rig.before[0], SHARED);
	for (uint32_t r = 0; r < CTAS; r++) {
		memcpy(add, rig.before[r], SHARED);
		for (uint32_t i = 0; i < BYTES / 4; i++)
			want[TO / 4 + i] += add[FROM / 4 + i];
	}
	rig_same(rig.after[0], (uint8_t *)want, SHARED, "reduction at CTA 0");
	rig_same(rig.after[1], rig.before[1], SHARED, "reduction: CTA 1");
}

/* The leader multicasts a second tile to the same place without an answer from the readers: who has not read
 * the first by then reads the second. With an answer each reader finds the first. */
static bool try_reuse(bool waits)
{
	char body[4096];
	CUfunction kernel;

	snprintf(body, sizeof(body),
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [$bar], 2048;\n"
		"setp.ne.u32 $p3, $rank, 0; @$p3 bra READ;\n"
		"mov.b16 $h1, 3; add.u32 $y4, $s, 4096; add.u64 $x1, $g, 8192;\n"
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$y4], "
		"[$x1], 2048, "
		"[$bar], $h1;\n"
		"%s"
		"add.u64 $x1, $g, 16384; mov.b16 $h1, 2;\n" /* the second: to the reader alone, told to its
							       bar + 8 */
		"add.u32 $y5, $bar, 8; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
		"multicast::cluster [$y4], [$x1], 2048, [$y5], $h1;\n"
		"bra DONE;\n"
		/* the reader is slow: it looks when the second would be there */
		"READ: WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $p1, [$bar], 0; @!$p1 "
		"bra WAIT;\n"
		"mov.u32 $y7, 0;\nSLOW: add.u32 $y7, $y7, 1; setp.lt.u32 $p2, $y7, 20000; @$p2 bra SLOW;\n"
		"ld.shared.b32 $y8, [$s+4096]; st.shared.b32 [$s+24576], $y8;\n%s"
		"add.u32 $y5, $bar, 8; WAIT2: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $p1, "
		"[$y5], 0; "
		"@!$p1 bra WAIT2;\n",
		waits ? "add.u32 $y6, $bar, 16; WAIT3: "
			"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $p1, [$y6], "
			"0; @!$p1 bra WAIT3;\n"
		      : "",
		waits ? "add.u32 $y6, $bar, 16; mapa.shared::cluster.u32 $y6, $y6, 0; "
			"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$y6];\n"
		      : "");
	kernel = form_of(body);
	rig_fill(&rig);
	must(rig_run(&rig, kernel, 2, (uint32_t[4]){ 0 }, NULL), "reuse of a buffer");
	return rig_same(rig.after[1] + 24576, rig.memory + (waits ? 8192 : 16384), 4,
		waits ? "a reader that answers" : "a reader that nobody waits for");
}

int main(void)
{
	rig_start(&rig);
	try_multicast();
	try_one_peer();
	try_reduction();
	if (try_reuse(true) & try_reuse(false))
		printf("fact 27a: a leader that does not wait for its readers overwrites what they have not "
		       "read\n");
	forms(form_count);
	return hopper_end();
}
