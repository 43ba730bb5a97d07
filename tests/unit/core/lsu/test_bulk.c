/* tests/unit/core/lsu/test_bulk.c -- bulk copies: what is a fault and what it says, who waits and how long,
 * and that a copy under way is no hang. What they move: tests/hopper. */
#include "tests/unit/core/launch_rig.h"

#define HEAD \
	".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .pred %p<4>; .reg .b16 %h<4>; .reg " \
	".b32 %r<16>; " \
	".reg .b64 %d<8>;\n.shared .align 128 .b8 tile[4096];\n.shared .align 8 .b8 bar[16];\n" \
	"ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r1, tile; mov.u32 %r3, bar; mov.u32 " \
	"%r9, 16;\n" \
	"mbarrier.init.shared::cta.b64 [%r3], 1;\n"
#define TAIL "sub.u32 %r6, %r5, %r4;\nst.global.u32 [%d1], %r6;\nret;\n}\n"

static uint64_t params[2]; /* of the last run */

static struct kernel_rig *run_body(const char *body, const char *set, bool functional)
{
	char text[4096];
	struct kernel_rig *r;

	snprintf(text, sizeof(text), ".version 8.7\n.target sm_90a\n.address_size 64\n%s%s%s", HEAD, body,
		TAIL);
	r = rig_new_module(text, set);
	params[0] = rig_buffer(r, 4096);
	params[1] = rig_buffer(r, 256);
	rig_launch(r, 1, 1, params, functional);
	return r;
}

/* ---- faults ---- */

#define LOAD     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
#define STORE    "cp.async.bulk.global.shared::cta.bulk_group "
#define MULTI    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
#define WAIT_ALL "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
/* a tensor map in `out`, made from zeros: one dimension of 64 words, a box of 16 */
#define MAP \
	"tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d0;\n" \
	"tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 0, 64;\n" \
	"tensormap.replace.tile.element_stride.global.b1024.b32 [%d1], 0, 1;\n" \
	"tensormap.replace.tile.elemtype.global.b1024.b32 [%d1], 2;\n"
#define BOX "tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 0, 16;\n"
#define TENSOR \
	"cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r9}], " \
	"[%r3];\n"
#define TENSOR_2 \
	"cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r9, %r9}], " \
	"[%r3];\n"

static void expect_fault(const char *body, enum fault_kind kind, const char *message)
{
	for (int functional = 0; functional < 2; functional++) {
		struct kernel_rig *r = run_body(body, NULL, functional);

		cr_assert_eq(r->result.outcome, GPU_FAULT, "%s", body);
		cr_assert_eq(r->result.fault.kind, kind, "%s: %s", body, r->result.fault.text);
		cr_assert(strstr(r->result.fault.text, message), "%s: %s", body, r->result.fault.text);
		rig_free(r);
	}
}

Test(bulk, what_is_wrong_with_a_copy_is_a_fault_that_says_so)
{
	expect_fault(LOAD "[%r1], [%d0], 4112, [%r3];\n", FAULT_OUT_OF_BOUNDS, "load of 4112 bytes");
	expect_fault(LOAD "[%r1+8], [%d0], 16, [%r3];\n", FAULT_MISALIGNED, "store of 16 bytes at 0x8");
	expect_fault(LOAD "[%r1], [%d0+8], 16, [%r3];\n", FAULT_MISALIGNED, "load of 16 bytes");
	expect_fault(LOAD "[%r1+4096], [%d0], 32, [%r3];\n", FAULT_SHARED_OUT_OF_BOUNDS,
		"store of 32 bytes at 0x1000");
	expect_fault(LOAD "[%r1], [%d0], 16, [%r3+4];\n", FAULT_MISALIGNED, "of 8 bytes");
	expect_fault(LOAD "[%r1], [%d0], 16, [%r1];\n", FAULT_ILLEGAL_INSTRUCTION,
		"the mbarrier has not been initialised");
	expect_fault("mov.u32 %r8, 24;\n" LOAD "[%r1], [%d0], %r8, [%r3];\n", FAULT_ILLEGAL_INSTRUCTION,
		"a multiple of 16 bytes");
	expect_fault(STORE "[%d1], [%r1], 512;\n", FAULT_OUT_OF_BOUNDS, "store of 512 bytes");
	expect_fault(
		STORE "[%d1], [%r1+4096], 32;\n" WAIT_ALL, FAULT_SHARED_OUT_OF_BOUNDS, "load of 32 bytes");
	expect_fault("mov.b16 %h1, 2;\n" MULTI "[%r1], [%d0], 16, [%r3], %h1;\n", FAULT_ILLEGAL_INSTRUCTION,
		"the mask names a CTA that the cluster does not have");
}

Test(bulk, what_is_wrong_with_a_tensor_map_is_a_fault_that_says_so)
{
	expect_fault(TENSOR, FAULT_ILLEGAL_INSTRUCTION, "a side that is 0 or too long");
	expect_fault("st.global.b32 [%d1+124], 1;\n" MAP BOX TENSOR, FAULT_ILLEGAL_INSTRUCTION,
		"is not that of a tensor map");
	expect_fault(MAP BOX TENSOR_2, FAULT_ILLEGAL_INSTRUCTION, "another number of dimensions");
	expect_fault("add.u64 %d1, %d1, 16;\n" TENSOR, FAULT_MISALIGNED, "load of 128 bytes");
	expect_fault(MAP BOX "add.u32 %r1, %r1, 64;\n" TENSOR, FAULT_MISALIGNED, "store of 64 bytes at 0x40");
	expect_fault(MAP BOX "tensormap.replace.tile.interleave_layout.global.b1024.b32 [%d1], 1;\n" TENSOR,
		FAULT_ILLEGAL_INSTRUCTION, "an interleaved layout, which is not executed");
	expect_fault(MAP BOX "tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 0, 2000;\nmov.u32 "
			     "%r9, 1200;\n" TENSOR,
		FAULT_OUT_OF_BOUNDS, "load of 64 bytes");
	expect_fault(MAP BOX
		"tensormap.replace.tile.elemtype.global.b1024.b32 [%d1], 0;\n"
		"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%d1, {%r9}], [%r1];\n",
		FAULT_ILLEGAL_INSTRUCTION, "has no reductions");
	expect_fault(MAP BOX
		"tensormap.replace.tile.elemtype.global.b1024.b32 [%d1], 7;\n"
		"cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.bulk_group [%d1, {%r9}], [%r1];\n",
		FAULT_ILLEGAL_INSTRUCTION, "is not defined for the tensor map's type");
}

/* ---- time ---- */

#define START "mov.u32 %r4, %clock;\n"
#define STOP  "mov.u32 %r5, %clock;\n"
#define FAST  "sm.bulk_latency=500 sm.bulk_rate=16"

static uint32_t measure(const char *body, const char *set)
{
	struct kernel_rig *r = run_body(body, set, false);
	uint32_t took;

	rig_expect_done(r);
	memcpy(&took, memory_host(params[1]), 4);
	took /= 2; /* of the shader clock, twice as fast on this chip */
	rig_free(r);
	return took;
}

#define UNTIL_LOADED  "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0;\n@!%p1 bra WAIT;\n"
#define EXPECT(bytes) "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], " bytes ";\n"

Test(bulk, a_load_lands_a_latency_and_its_bytes_later)
{
	uint32_t one = measure(EXPECT("16") START LOAD "[%r1], [%d0], 16, [%r3];\n" UNTIL_LOADED STOP, FAST);
	uint32_t many =
		measure(EXPECT("4096") START LOAD "[%r1], [%d0], 4096, [%r3];\n" UNTIL_LOADED STOP, FAST);
	uint32_t two =
		measure(EXPECT("4096") START LOAD "[%r1], [%d0], 2048, [%r3];\n" LOAD
						  "[%r1+2048], [%d0+2048], 2048, [%r3];\n" UNTIL_LOADED STOP,
			FAST);
	uint32_t slow = measure(EXPECT("16") START LOAD "[%r1], [%d0], 16, [%r3];\n" UNTIL_LOADED STOP,
		"sm.bulk_latency=5000 sm.bulk_rate=16");

	cr_assert(one >= 501 && one < 620, "%u", one);
	cr_assert(many >= one + 200 && many < one + 320, "%u, %u", one, many);
	cr_assert(
		two + 60 > many && two < many + 60, "the unit takes one after the other: %u, %u", two, many);
	cr_assert(slow >= 5001 && slow < 5200, "%u", slow);
}

#define GROUP(bytes) STORE "[%d0], [%r1], " bytes ";\ncp.async.bulk.commit_group;\n"

Test(bulk, groups_wait_in_time_for_what_the_thread_committed)
{
	uint32_t all = measure(START GROUP("256") "cp.async.bulk.wait_group 0;\n" STOP, FAST);
	uint32_t reads = measure(START GROUP("256") "cp.async.bulk.wait_group.read 0;\n" STOP, FAST);
	uint32_t none = measure(START GROUP("256") "cp.async.bulk.wait_group 1;\n" STOP, FAST);
	uint32_t older = measure(START GROUP("256") GROUP("128") "cp.async.bulk.wait_group 1;\n" STOP, FAST);
	uint32_t both = measure(START GROUP("256") GROUP("128") "cp.async.bulk.wait_group 0;\n" STOP, FAST);
	uint32_t open = measure(START STORE "[%d0], [%r1], 256;\ncp.async.bulk.wait_group 0;\n" STOP, FAST);

	cr_assert(all >= 500 && all < 620, "%u", all);
	cr_assert(reads >= 16 && reads < 120, "%u", reads);
	cr_assert_lt(none, 100, "%u", none);
	cr_assert(older >= 500 && older <= both, "%u, %u", older, both);
	cr_assert_lt(open, 100, "a copy of no group is not waited for: %u", open);
}

/* A copy that lands long after the detector of hangs has looked is waited for; bytes that nobody sends are
 * not. */
Test(bulk, a_copy_under_way_is_no_hang_and_a_wait_without_one_is)
{
	static const char look_often[] = "sm.bulk_latency=60000 gpu.hang_check=500";
	struct kernel_rig *r = run_body(
		EXPECT("16") LOAD "[%r1], [%d0], 16, [%r3];\n" START UNTIL_LOADED STOP, look_often, false);

	rig_expect_done(r);
	rig_free(r);
	for (int functional = 0; functional < 2; functional++) {
		r = run_body(EXPECT("32") LOAD "[%r1], [%d0], 16, [%r3];\n" START UNTIL_LOADED STOP,
			look_often, functional);
		cr_assert_eq(r->result.outcome, GPU_FAULT);
		cr_assert_eq(r->result.fault.kind, FAULT_HANG, "%s", r->result.fault.text);
		cr_assert(strstr(r->result.fault.text, "spins"), "%s", r->result.fault.text);
		rig_free(r);
	}
}

/* ---- forms of sm_100, which no program for Hopper has ---- */

static void expect_bytes(const char *body, addr (*where)(unsigned i), const char *what)
{
	for (int functional = 0; functional < 2; functional++) {
		char text[4096];
		struct kernel_rig *r;

		snprintf(text, sizeof(text), ".version 8.7\n.target sm_100a\n.address_size 64\n%s%s%s", HEAD,
			body, TAIL);
		r = rig_new_module(text, NULL);
		params[0] = rig_buffer(r, 4096);
		params[1] = rig_buffer(r, 4096);
		for (unsigned i = 0; i < 4096; i++)
			((uint8_t *)memory_host(params[0]))[i] = (uint8_t)(i * 7 + i / 256);
		rig_launch(r, 1, 1, params, functional);
		rig_expect_done(r);
		for (unsigned i = 0; i < 256; i++) {
			addr from = where(i);
			uint8_t want = from ? (uint8_t)((from - 1) * 7 + (from - 1) / 256) : 0;

			cr_assert_eq(
				((uint8_t *)memory_host(params[1]))[1024 + i], want, "%s: byte %u", what, i);
		}
		rig_free(r);
	}
}

/* Byte i is byte where(i) - 1 of the source; 0: none. Lines of 64 bytes, of which four are gathered. */
static addr gathered(unsigned i)
{
	static const unsigned lines[] = { 3, 0, 7, 40 };

	return lines[i / 64] < 8 ? 1 + lines[i / 64] * 128 + 64 + i % 64 : 0;
}

static addr scattered(unsigned i)
{
	return i / 64 == 1 ? 1 + 64 + i % 64 : i / 64 == 3 ? 1 + i % 64 : 0;
}

static addr masked(unsigned i)
{
	return 0x8421u >> i % 16 & 1 ? 1 + i : 0;
}

#define LINES \
	MAP "tensormap.replace.tile.rank.global.b1024.b32 [%d1], 1;\n" \
	    "tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 0, 16;\n" \
	    "tensormap.replace.tile.box_dim.global.b1024.b32 [%d1], 1, 1;\n" \
	    "tensormap.replace.tile.element_stride.global.b1024.b32 [%d1], 1, 1;\n"
#define FETCH(bytes) EXPECT(bytes) LOAD "[%r1], [%d0], " bytes ", [%r3];\n" UNTIL_LOADED
#define DUMP         "add.u64 %d3, %d1, 1024;\n" STORE "[%d3], [%r1], 256;\n" WAIT_ALL START STOP

Test(bulk, forms_of_sm_100_are_executed)
{
	expect_bytes(LINES "tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 0, 32;\n"
			   "tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 1, 8;\n"
			   "tensormap.replace.tile.global_stride.global.b1024.b64 [%d1], 0, 128;\n" EXPECT(
				   "256") "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier:"
					  ":complete_tx::bytes [%r1], "
					  "[%d1, {16, 3, 0, 7, 40}], [%r3];\n" UNTIL_LOADED DUMP,
		gathered, "gather4");
	expect_bytes(LINES "add.u64 %d3, %d1, 1024;\ntensormap.replace.tile.global_address.global.b1024.b64 "
			   "[%d1], %d3;\n"
			   "tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 0, 16;\n"
			   "tensormap.replace.tile.global_dim.global.b1024.b32 [%d1], 1, 4;\n"
			   "tensormap.replace.tile.global_stride.global.b1024.b64 [%d1], 0, 64;\n" FETCH(
				   "256") "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_"
					  "group [%d1, {0, 3, 1, -1, 9}], [%r1];\n" WAIT_ALL START STOP,
		scattered, "scatter4");
	expect_bytes(FETCH("256") "add.u64 %d3, %d1, 1024;\nmov.b16 %h1, 0x8421;\n"
				  "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d3], [%r1], 256, "
				  "%h1;\n" WAIT_ALL START STOP,
		masked, "cp_mask");
}
