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
#define FAST  "sm.bulk_latency=500"

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

/* Cycles of a store of so many bytes until its group has been written. */
static uint32_t store_time(unsigned bytes, const char *set)
{
	char body[512];

	snprintf(body, sizeof(body), "%s" STORE "%s%u;\n%s", START, "[%d0], [%r1], ", bytes, WAIT_ALL STOP);
	return measure(body, set);
}

static uint32_t load_time(unsigned bytes, const char *set)
{
	char body[1024];

	snprintf(body, sizeof(body), "%s%u;\n%s%s%u%s",
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], ", bytes, START, LOAD "[%r1], [%d0], ",
		bytes, ", [%r3];\n" UNTIL_LOADED STOP);
	return measure(body, set);
}

/* With one request under way, each of the copy's lines takes a round trip to the L2 and back, which the L2's
 * pipeline is a part of; before the first, the copy's own latency passes. */
Test(bulk, a_copy_takes_its_latency_and_the_round_trips_of_its_lines)
{
	uint32_t one = store_time(128, "sm.bulk_latency=100 sm.bulk_in_flight=1 l2.rop_latency=100");
	uint32_t two = store_time(256, "sm.bulk_latency=100 sm.bulk_in_flight=1 l2.rop_latency=100");
	uint32_t eight = store_time(1024, "sm.bulk_latency=100 sm.bulk_in_flight=1 l2.rop_latency=100");
	uint32_t later = store_time(128, "sm.bulk_latency=141 sm.bulk_in_flight=1 l2.rop_latency=100");
	uint32_t farther = store_time(1024, "sm.bulk_latency=100 sm.bulk_in_flight=1 l2.rop_latency=120");
	uint32_t together = store_time(1024, "sm.bulk_latency=100 l2.rop_latency=100");

	cr_assert(two - one > 100 && two - one < 160, "%u, %u", one, two);
	cr_assert_eq(eight, one + 7 * (two - one), "%u, %u, %u", one, two, eight);
	cr_assert_eq(later, one + 41, "%u, %u", one, later);
	cr_assert_eq(farther, eight + 8 * 20, "%u, %u", eight, farther);
	cr_assert(together > one + 7 && together < two, "%u, %u, %u", one, two, together);
}

/* A thread that waits looks again and again, so that loads are only as exact as that. */
Test(bulk, a_load_from_dram_lands_later)
{
	static const char once[] = "sm.bulk_latency=100 sm.bulk_in_flight=1 sm.bulk_miss_latency=0";
	uint32_t one = load_time(128, once), eight = load_time(1024, once);
	uint32_t later = load_time(128, "sm.bulk_latency=1100 sm.bulk_miss_latency=0");
	uint32_t missed = load_time(128, "sm.bulk_latency=100 sm.bulk_miss_latency=1000");

	cr_assert(eight > 4 * one && eight < 8 * one, "%u, %u", one, eight);
	cr_assert(later + 25 > one + 1000 && later < one + 1025, "%u, %u", one, later);
	cr_assert(missed + 25 > later && missed < later + 25, "%u, %u", later, missed);
}

Test(bulk, the_unit_takes_one_copy_after_the_other)
{
	static const char twice[] =
		START STORE "[%d0], [%r1], 128;\n" STORE "[%d0+1024], [%r1], 128;\n" WAIT_ALL STOP;
	uint32_t one = measure(START STORE "[%d0], [%r1], 128;\n" WAIT_ALL STOP, "sm.bulk_interval=300");
	uint32_t two = measure(twice, "sm.bulk_interval=300");
	uint32_t slow = measure(twice, "sm.bulk_interval=700");

	cr_assert(two >= one + 295 && two <= one + 305, "%u, %u", one, two);
	cr_assert_eq(slow, two + 400, "%u, %u", two, slow);
}

/* Two CTAs send each other copies of 128 bytes and wait for their own: cycles of one of them. */
static uint32_t exchange(unsigned copies, const char *set)
{
	static const char copy[] = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
				   "[%r2], [%r1], 128, [%r7];\n";
	char text[4096];
	struct kernel_rig *r;
	uint32_t took;

	snprintf(text, sizeof(text),
		".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out) "
		".reqnctapercluster 2, 1, 1\n{\n.reg .pred %%p; .reg .b32 %%r<16>; .reg .b64 %%d<2>;\n"
		".shared .align 128 .b8 tile[4096]; .shared .align 8 .b8 bar[16];\n"
		"ld.param.u64 %%d1, [out]; mov.u32 %%r1, tile; mov.u32 %%r3, bar;\n"
		"mbarrier.init.shared::cta.b64 [%%r3], 1;\n"
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%r3], %u;\n"
		"mov.u32 %%r8, %%cluster_ctarank; xor.b32 %%r8, %%r8, 1;\n"
		"mapa.shared::cluster.u32 %%r2, %%r1, %%r8; mapa.shared::cluster.u32 %%r7, %%r3, %%r8;\n"
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nmov.u32 %%r4, "
		"%%clock;\n%s%s%s"
		"AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %%p, [%%r3], 0;\n@!%%p bra AGAIN;\n"
		"mov.u32 %%r5, %%clock; sub.u32 %%r6, %%r5, %%r4; st.global.u32 [%%d1], %%r6;\n"
		"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret;\n}\n",
		copies * 128, copy, copies > 1 ? copy : "", copies > 2 ? copy : "");
	r = rig_new_chip("configs/h200.yaml", text, set);
	params[0] = rig_buffer(r, 256);
	rig_launch(r, 2, 1, params, false);
	rig_expect_done(r);
	took = *(const uint32_t *)memory_host(params[0]);
	rig_free(r);
	return took;
}

Test(bulk, copies_within_a_cluster_have_an_interval_of_their_own)
{
	uint32_t one = exchange(1, "sm.bulk_cluster_interval=300"),
		 three = exchange(3, "sm.bulk_cluster_interval=300"),
		 slow = exchange(3, "sm.bulk_cluster_interval=700");

	cr_expect(three >= one + 590 && three <= one + 610, "%u, %u", one, three);
	cr_expect_eq(slow, three + 800, "%u, %u", three, slow);
}

/* ---- traffic ---- */

static double stat_after(const char *body, const char *set, const char *name)
{
	struct kernel_rig *r = run_body(body, set, false);
	double value = stat_value(gpu_stats(r->gpu), NULL, name);

	rig_expect_done(r);
	rig_free(r);
	return value;
}

#define AT(x)      "mov.u32 %r9, " x ";\n"
#define BOX_LOADED EXPECT("64") START TENSOR UNTIL_LOADED STOP

Test(bulk, what_a_tensor_does_not_hold_makes_no_traffic)
{
	static const char requests[] = "sm.bulk_requests::to_shared", bytes[] = "sm.bulk_bytes_under_way";

	cr_expect_eq(stat_after(AT("16") MAP BOX BOX_LOADED, NULL, requests), 1);
	cr_expect_eq(stat_after(AT("16") MAP BOX BOX_LOADED, NULL, bytes), 64);
	cr_expect_eq(stat_after(AT("56") MAP BOX BOX_LOADED, NULL, requests), 1);
	cr_expect_eq(stat_after(AT("56") MAP BOX BOX_LOADED, NULL, bytes), 32, "a sector is wanted");
	cr_expect_eq(stat_after(AT("24") MAP BOX BOX_LOADED, NULL, requests), 2, "over the end of a line");
	cr_expect_eq(stat_after(AT("64") MAP BOX BOX_LOADED, NULL, requests), 0);
	cr_expect_eq(stat_after(AT("-16") MAP BOX BOX_LOADED, NULL, requests), 0);
}

#define PREFETCH "cp.async.bulk.prefetch.L2.global "
#define PAUSE    "nanosleep.u32 20000;\n"

Test(bulk, a_prefetch_brings_lines_into_the_l2)
{
	static const char loaded[] = START EXPECT("128") LOAD "[%r1], [%d0], 128, [%r3];\n" UNTIL_LOADED STOP;
	static const char fetched[] = PREFETCH "[%d0], 4096;\n" PAUSE START EXPECT("128") LOAD
		"[%r1], [%d0], 128, [%r3];\n" UNTIL_LOADED STOP;
	static const char apart[] = "sm.bulk_miss_latency=5000";

	cr_assert_gt(measure(loaded, apart), 5000);
	cr_assert_lt(measure(fetched, apart), 1000);
	cr_assert_eq(stat_after(fetched, NULL, "sm.bulk_requests::to_l2"), 32);
	cr_assert_eq(stat_after("mov.u64 %d3, 16;\n" PREFETCH "[%d3], 4096;\n" START STOP, NULL,
			     "sm.bulk_requests::to_l2"),
		0);
}

/* The port holds one request: the thread's stores do not wait until all of the copy's have gone. */
Test(bulk, copies_and_the_load_store_unit_share_the_port)
{
	static const char copy[] = START STORE "[%d0], [%r1], 4096;\ncp.async.bulk.commit_group;\n";
	static const char stores[] = "st.global.u32 [%d1+128], %r9; st.global.u32 [%d1+132], %r9;\n"
				     "st.global.u32 [%d1+136], %r9; st.global.u32 [%d1+140], %r9;\n";
	static const char narrow[] = "sm.l1d.miss_queue=1 sm.bulk_latency=1";
	char both[1024];

	snprintf(both, sizeof(both), "%s%s%s%s%s%s", copy, stores, stores, stores, "membar.gl;\n",
		STOP WAIT_ALL);
	cr_assert_gt(stat_after(both, narrow, "sm.bulk_stalls"), 32);
	cr_assert_eq(stat_after(both, narrow, "sm.bulk_requests::to_global"), 32);
	cr_assert_lt(stat_after(both, narrow, "sm.lsu_stall_cycles"), 40, "they take turns");
}

/* ---- groups ---- */

#define GROUP(bytes) STORE "[%d0], [%r1], " bytes ";\ncp.async.bulk.commit_group;\n"

Test(bulk, groups_wait_in_time_for_what_the_thread_committed)
{
	uint32_t all = measure(START GROUP("256") "cp.async.bulk.wait_group 0;\n" STOP, FAST);
	uint32_t reads = measure(START GROUP("256") "cp.async.bulk.wait_group.read 0;\n" STOP, FAST);
	uint32_t none = measure(START GROUP("256") "cp.async.bulk.wait_group 1;\n" STOP, FAST);
	uint32_t older = measure(START GROUP("256") GROUP("128") "cp.async.bulk.wait_group 1;\n" STOP, FAST);
	uint32_t both = measure(START GROUP("256") GROUP("128") "cp.async.bulk.wait_group 0;\n" STOP, FAST);
	uint32_t open = measure(START STORE "[%d0], [%r1], 256;\ncp.async.bulk.wait_group 0;\n" STOP, FAST);

	cr_assert(all >= reads + 100 && all < 720, "%u", all);
	cr_assert(reads >= 500 && reads < 540, "%u", reads);
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
