/* tests/blackwell/pairs.c -- tensor copies of pairs of CTAs (.cta_group): whose shared memory a box lands in,
 * and whose mbarrier is told. A wrong one leaves a CTA waiting for ever, which the simulator reports. */
#include "hopper.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum { CTAS = 4, WIDE = 64, HIGH = 64, BOX_WIDE = 32, BOX_HIGH = 16, WORDS = BOX_WIDE * BOX_HIGH };

static const struct form {
	const char *text;
	bool is_multicast, is_pair;
} list[] = {
	{ "cp.async.bulk.tensor.2d.cta_group::1.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
		false, false },
	{ "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
		false, true },
	{ "cp.async.bulk.tensor.2d.cta_group::1.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
	  "multicast::cluster",
		true, false },
	{ "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
	  "multicast::cluster",
		true, true },
};
enum { FORMS = sizeof list / sizeof *list };

static uint32_t tensor[HIGH][WIDE], result[CTAS][WORDS];

/* One CTA issues, with addresses of the CTAs `to` and `told`; each waits for as many bytes as `awaited` says.
 */
static const char kernel[] =
	".version 8.6\n.target sm_100a\n.address_size 64\n"
	".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 awaited, .param .u32 "
	"issuer, "
	".param .u32 to, .param .u32 told, .param .u32 mask, .param .u32 x, .param .u32 y) {\n"
	".reg .b32 %%r<24>; .reg .b64 %%d<12>; .reg .b16 %%h; .reg .pred %%p<4>;\n"
	".shared .align 1024 .b8 tile[2048]; .shared .align 8 .b8 bar[8];\n"
	"mov.u32 %%r0, tile; mov.u32 %%r1, bar; mov.u32 %%r2, %%cluster_ctarank; mov.u32 %%r3, %%tid.x;\n"
	"mov.b64 %%d0, map; cvta.param.u64 %%d0, %%d0; ld.param.u64 %%d1, [out]; ld.param.u64 %%d2, "
	"[awaited];\n"
	"ld.param.u32 %%r4, [issuer]; ld.param.u32 %%r5, [to]; ld.param.u32 %%r6, [told];\n"
	"ld.param.u32 %%r7, [mask]; cvt.u16.u32 %%h, %%r7; ld.param.u32 %%r8, [x]; ld.param.u32 %%r9, [y];\n"
	"mad.wide.u32 %%d2, %%r2, 4, %%d2; ld.global.u32 %%r10, [%%d2]; mad.wide.u32 %%d1, %%r2, 2048, "
	"%%d1;\n"
	"shl.b32 %%r11, %%r3, 6; add.u32 %%r12, %%r0, %%r11; cvt.u64.u32 %%d3, %%r11; add.u64 %%d1, %%d1, "
	"%%d3;\n"
	"mov.u32 %%r13, 0;\nCLEAR: add.u32 %%r14, %%r12, %%r13; st.shared.u32 [%%r14], 7;\n"
	"add.u32 %%r13, %%r13, 4; setp.lt.u32 %%p0, %%r13, 64; @%%p0 bra CLEAR;\n"
	"setp.ne.u32 %%p1, %%r3, 0; @%%p1 bra READY;\nmbarrier.init.shared::cta.b64 [%%r1], 1;\n"
	"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r1], %%r10;\nREADY: fence.proxy.async;\n"
	"fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;\n@%%p1 bra "
	"SENT;\n"
	"setp.ne.u32 %%p2, %%r2, %%r4; @%%p2 bra SENT;\n"
	"mapa.shared::cluster.u32 %%r15, %%r0, %%r5; mapa.shared::cluster.u32 %%r16, %%r1, %%r6;\n"
	"%s [%%r15], [%%d0, {%%r8, %%r9}], [%%r16]%s;\nSENT: barrier.cluster.arrive; barrier.cluster.wait;\n"
	"@%%p1 bra LANDED; setp.eq.u32 %%p3, %%r10, 0; @%%p3 bra LANDED;\n"
	"WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p3, [%%r1], 0; @!%%p3 bra WAIT;\n"
	"LANDED: barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %%r13, 0;\n"
	"DUMP: add.u32 %%r14, %%r12, %%r13; ld.shared.u32 %%r17, [%%r14]; st.global.u32 [%%d1], %%r17;\n"
	"add.u64 %%d1, %%d1, 4; add.u32 %%r13, %%r13, 4; setp.lt.u32 %%p0, %%r13, 64; @%%p0 bra "
	"DUMP;\nret;\n}\n";

static CUfunction function_of(const struct form *f)
{
	char text[sizeof kernel + 300];

	snprintf(text, sizeof text, kernel, f->text, f->is_multicast ? ", %h" : "");
	return hopper_kernel(hopper_module(text), "k");
}

static CUtensorMap map_of(CUdeviceptr at)
{
	static CUtensorMap map __attribute__((aligned(64)));

	must(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)(uintptr_t)at,
		     (cuuint64_t[]){ WIDE, HIGH }, (cuuint64_t[]){ WIDE * 4 },
		     (cuuint32_t[]){ BOX_WIDE, BOX_HIGH }, (cuuint32_t[]){ 1, 1 },
		     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
		     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
		"cuTensorMapEncodeTiled");
	return map;
}

static void compare(const struct form *f, unsigned landed, unsigned x, unsigned y)
{
	for (unsigned rank = 0; rank < CTAS; rank++)
		for (unsigned i = 0; i < WORDS; i++) {
			unsigned row = y + i / BOX_WIDE, column = x + i % BOX_WIDE;
			uint32_t held = row < HIGH && column < WIDE ? tensor[row][column] : 0,
				 want = landed >> rank & 1 ? held : 7;

			if (!expect(result[rank][i] == want, "%s: CTA %u word %u: %u, not %u", f->text, rank,
				    i, result[rank][i], want))
				return;
		}
}

static void try_one(
	const struct form *f, CUfunction function, CUtensorMap *map, CUdeviceptr out, uint64_t *state)
{
	uint32_t issuer = (uint32_t)random_bits(state) % CTAS, to = (uint32_t)random_bits(state) % CTAS,
		 told = to, x = (uint32_t)random_bits(state) % WIDE, y = (uint32_t)random_bits(state) % HIGH,
		 mask = f->is_multicast ? 1 + (uint32_t)random_bits(state) % 15 : 1u << to,
		 awaited[CTAS] = { 0 };
	CUdeviceptr d_awaited;

	if (f->is_pair)
		told ^= (uint32_t)random_bits(state) & 1;
	for (unsigned rank = 0; rank < CTAS; rank++)
		if (mask >> rank & 1)
			awaited[!f->is_multicast     ? told
					: f->is_pair ? (rank & 2) | (told & 1)
						     : rank] += WORDS * 4;
	d_awaited = hopper_memory(awaited, sizeof awaited);
	must(hopper_launch(function, CTAS, CTAS, 32, 0,
		     (void *[]){ map, &out, &d_awaited, &issuer, &to, &told, &mask, &x, &y }),
		f->text);
	hopper_read(result, out, sizeof result);
	compare(f, mask, x, y);
}

int main(int argc, char **argv)
{
	uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned cases = argc > 3 ? (unsigned)atoi(argv[3]) : 12;
	CUdeviceptr in, out;
	CUtensorMap map;

	hopper_module(".version 8.0\n.target sm_90\n.address_size 64\n"); /* starts the device */
	for (unsigned i = 0; i < WIDE * HIGH; i++)
		tensor[i / WIDE][i % WIDE] = 1000 + i;
	in = hopper_memory(tensor, sizeof tensor);
	out = hopper_memory(NULL, sizeof result);
	map = map_of(in);
	for (unsigned number = 0; number < FORMS; number++) {
		CUfunction function = function_of(&list[number]);

		for (unsigned i = 0; i < cases; i++)
			try_one(&list[number], function, &map, out, &state);
	}
	forms(FORMS);
	return hopper_end();
}
