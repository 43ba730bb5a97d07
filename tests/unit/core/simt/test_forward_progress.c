/* Lanes of one warp that wait for each other: locks, tickets, flags; kernels with timing, without, and on the
 * machine whose queues hold one entry. */
#include "tests/unit/core/kernel_rig.h"

#define SM_60 ".version 5.0\n.target sm_60"

static const char *const tiny[] = { "sm.lsu_queue=1", "sm.lsu_in_flight=1", "sm.response_queue=1",
	"sm.instruction_buffer=1", "sm.l1d.index=linear", "sm.l1d.sets=1", "sm.l1d.ways=1", "sm.l1d.mshrs=1",
	"sm.l1d.mshr_merge=1", "sm.l1d.miss_queue=1", "l2.mshrs=1", "l2.request_queue=1", "l2.reply_queue=1",
	"l2.dram_queue=1", "l2.fill_queue=1", "dram.read_queue=1", "dram.write_queue=1", "dram.check=true",
	"dram.reply_queue=1" };

enum mode { FUNCTIONAL, TIMED, TINY, MODES };

/* As bench_new, but with settings of the machine. */
static struct bench *bench_in(enum mode mode, const char *header, const char *body, uint32_t words)
{
	struct bench *b = bench_new(header, body, words);

	gpu_free(b->gpu);
	cr_assert(config_set(b->config, "gpu.hang_instructions=20000000", &b->diags));
	for (size_t i = 0; mode == TINY && i < sizeof(tiny) / sizeof(*tiny); i++)
		cr_assert(config_set(b->config, tiny[i], &b->diags));
	b->gpu = gpu_new(b->config, &b->diags);
	diag_print(&b->diags, stderr);
	cr_assert_not_null(b->gpu);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), words * 4, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, words * 4);
	return b;
}

/* Word 0 of the result in every mode; `ctas` CTAs of `block` threads. At most so many warp instructions. One
 * warp alone runs on the tiny machine too: of several, one may starve there while others hammer on the lock.
 */
static void expect_count(const char *body, uint32_t ctas, uint32_t block, uint32_t count, uint64_t most)
{
	for (int mode = 0; mode < (ctas * block > 32 ? TINY : MODES); mode++) {
		struct bench *b = bench_in(mode, SM_80, body, 64);

		bench_run(b, ctas, block, mode == FUNCTIONAL);
		cr_assert_eq(b->result.outcome, GPU_DONE, "mode %d: %s", mode, b->result.fault.text);
		cr_assert_eq(b->at[0], count, "mode %d: %u, not %u", mode, b->at[0], count);
		cr_assert_lt(b->result.warp_instructions, most, "mode %d: %llu", mode,
			(unsigned long long)b->result.warp_instructions);
		bench_free(b);
	}
}

/* An entry k with %rd1 = the address of the result; %r0 = %laneid, %r1 = %tid.x. */
#define LOCKS \
	".global .u32 lock;\n.global .u32 outer;\n.global .u32 next;\n.global .u32 serving;\n.global .u32 " \
	"flags[64];\n"
#define ENTRY(code) \
	".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<19>;\n.reg .b64 %rd<9>;\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r0, %laneid;\nmov.u32 %r1, %tid.x;\n" code "\nret;\n}\n"
#define SPIN(label, lock) \
	label ": atom.global.cas.b32 %r2, [" lock "], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra " label ";" \
	      "\n"
#define INCREMENT \
	"ld.volatile.global.u32 %r3, [%rd1];\nadd.u32 %r3, %r3, 1;\nst.volatile.global.u32 [%rd1], " \
	"%r3;\nmembar.gl;\n"
#define UNLOCK(lock) "atom.global.exch.b32 %r4, [" lock "], 0;\n"

/* while (atomicCAS(&lock, 0, 1)); critical section; atomicExch(&lock, 0); */
Test(progress, a_lock_among_all_lanes)
{
	expect_count(LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK("lock")), 1, 32, 32, 4000);
}

Test(progress, a_lock_among_warps_and_ctas)
{
	expect_count(LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK("lock")), 1, 128, 128, UINT64_MAX);
	expect_count(LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK("lock")), 2, 32, 64, UINT64_MAX);
}

/* The loop's test stands at its end, the acquisition goes by an unconditional branch back. */
Test(progress, a_lock_whose_loop_is_left_in_the_middle)
{
	expect_count(
		LOCKS ENTRY(
			"L: atom.global.cas.b32 %r2, [lock], 0, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra GOT;\n"
			"bra L;\nGOT:" INCREMENT UNLOCK("lock")),
		1, 32, 32, 5000);
}

/* A test by plain loads before the exchange; nothing says that others write. */
Test(progress, a_loop_of_plain_loads)
{
	expect_count(LOCKS ENTRY("T: ld.global.u32 %r2, [lock];\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra T;\n"
				 "atom.global.cas.b32 %r2, [lock], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra "
				 "T;\n" INCREMENT UNLOCK("lock")),
		1, 32, 32, 20000);
}

Test(progress, back_off_with_nanosleep)
{
	expect_count(LOCKS ENTRY("mov.u32 %r5, 8;\nbra L;\nS: nanosleep.u32 %r5;\nmin.u32 %r6, %r5, "
				 "128;\nadd.u32 %r5, %r6, %r5;\n" SPIN("L", "lock") INCREMENT UNLOCK("lock")),
		1, 32, 32, 8000);
	expect_count(LOCKS ENTRY("mov.u32 %r5, 8;\nL: atom.global.cas.b32 %r2, [lock], 0, 1;\nsetp.eq.u32 "
				 "%p1, %r2, 0;\n@%p1 bra GOT;\n"
				 "nanosleep.u32 %r5;\nmin.u32 %r6, %r5, 128;\nadd.u32 %r5, %r6, %r5;\nbra "
				 "L;\nGOT:" INCREMENT UNLOCK("lock")),
		1, 32, 32, 5000);
}

/* A register changes in each pass: it takes more passes, no eternity. */
Test(progress, a_loop_that_counts_its_passes)
{
	expect_count(
		LOCKS ENTRY(
			"mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\natom.global.cas.b32 %r2, [lock], 0, 1;\n"
			"setp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\n" INCREMENT UNLOCK("lock")),
		1, 8, 8, 8 * 4096 * 5);
}

/* The lock is tried a few times between other work, in a loop within the loop. */
Test(progress, a_loop_of_bounded_trials)
{
	expect_count(LOCKS ENTRY("A: mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\natom.global.cas.b32 %r2, "
				 "[lock], 0, 1;\n"
				 "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra GOT;\nsetp.lt.u32 %p2, %r5, 7;\n@%p2 "
				 "bra L;\nbra A;\nGOT:" INCREMENT UNLOCK("lock")),
		1, 32, 32, 40000);
}

/* Lanes take tickets in reverse: the first served is the last in its path. */
Test(progress, a_ticket_lock)
{
	expect_count(
		LOCKS ENTRY("atom.global.add.u32 %r5, [next], 1;\nxor.b32 %r5, %r5, 31;\n"
			    "W: ld.volatile.global.u32 %r6, [serving];\nsetp.ne.u32 %p1, %r5, %r6;\n@%p1 bra "
			    "W;\n" INCREMENT "add.u32 %r6, %r6, 1;\nst.volatile.global.u32 [serving], %r6;"),
		1, 32, 32, 8000);
}

#define CELL "mul.wide.u32 %rd2, %r0, 4;\nmov.u64 %rd3, flags;\nadd.s64 %rd2, %rd2, %rd3;\n"

/* Lane 0 starts, each lane waits for the one below it, in shared memory too. */
Test(progress, a_flag_goes_from_lane_0_to_lane_31)
{
	static const char global[] =
		LOCKS ENTRY(CELL "setp.eq.u32 %p2, %r0, 0;\n@%p2 bra GO;\nW: ld.acquire.gpu.global.u32 %r3, "
				 "[%rd2+-4];\nsetp.eq.u32 %p1, %r3, 0;\n"
				 "@%p1 bra W;\nGO: @%p2 mov.u32 %r3, 0;\nadd.u32 %r3, %r3, "
				 "1;\nst.release.gpu.global.u32 [%rd2], %r3;\n"
				 "setp.eq.u32 %p3, %r0, 31;\n@%p3 st.global.u32 [%rd1], %r3;");
	static const char shared[] =
		".shared .u32 s[32];\n" ENTRY("shl.b32 %r5, %r0, 2;\nmov.u32 %r6, s;\nadd.u32 %r5, %r5, "
					      "%r6;\nsetp.ne.u32 %p2, %r0, 0;\n@!%p2 bra FIRST;\n"
					      "W: ld.volatile.shared.u32 %r3, [%r5+-4];\nsetp.eq.u32 %p1, "
					      "%r3, 0;\n@%p1 bra W;\nadd.u32 %r3, %r3, 1;\n"
					      "st.volatile.shared.u32 [%r5], %r3;\nsetp.eq.u32 %p3, %r0, "
					      "31;\n@%p3 st.global.u32 [%rd1], %r3;\nbra END;\n"
					      "FIRST: st.volatile.shared.u32 [%r5], 1;\nEND:");

	expect_count(global, 1, 32, 32, 8000);
	expect_count(shared, 1, 32, 32, 8000);
}

#define CONSUME \
	"C: ld.volatile.global.u32 %r3, [lock];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra C;\nred.global.add.u32 " \
	"[outer], 1;\n"
#define PRODUCE \
	"st.volatile.global.u32 [lock], 1;\nP: ld.volatile.global.u32 %r3, [outer];\nsetp.ne.u32 %p1, %r3, " \
	"31;\n@%p1 bra P;\n" \
	"st.global.u32 [%rd1], %r3;\n"

/* Consumers answer, and the producer waits for that; whichever branch comes first. */
Test(progress, producer_and_consumer_branches_answer_each_other)
{
	expect_count(
		LOCKS ENTRY("setp.eq.u32 %p2, %r0, 5;\n@%p2 bra B;\n" CONSUME "bra END;\nB: " PRODUCE "END:"),
		1, 32, 31, 5000);
	expect_count(
		LOCKS ENTRY("setp.ne.u32 %p2, %r0, 5;\n@%p2 bra B;\n" PRODUCE "bra END;\nB: " CONSUME "END:"),
		1, 32, 31, 5000);
}

/* Acquisition, critical section and release in functions; the lock's loop is in the callee, or around the
 * call. */
Test(progress, a_lock_in_functions)
{
	static const char acquire[] = LOCKS ".func acquire()\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n" SPIN(
		"L", "lock") "ret;\n}\n" ENTRY("call acquire, ();\n" INCREMENT UNLOCK("lock"));
	static const char within[] =
		LOCKS ".func all(.param .b64 a)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<5>;\n.reg .b64 "
		      "%rd<2>;\nld.param.u64 %rd1, [a];\n" SPIN("L", "lock")
			      INCREMENT UNLOCK("lock") "ret;\n}\n" ENTRY(
				      "{\n.param .b64 a;\nst.param.b64 [a], %rd1;\ncall all, (a);\n}");
	static const char trial[] =
		LOCKS ".func (.param .b32 got) trial()\n{\n.reg .b32 %r<3>;\natom.global.cas.b32 %r2, "
		      "[lock], 0, 1;\nst.param.b32 [got], %r2;\nret;\n}\n" ENTRY(
			      "L: {\n.param .b32 got;\ncall (got), trial, ();\nld.param.b32 %r2, "
			      "[got];\n}\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\n" INCREMENT UNLOCK("lock"));

	expect_count(acquire, 1, 32, 32, 8000);
	expect_count(within, 1, 32, 32, 8000);
	expect_count(trial, 1, 32, 32, 12000);
}

/* Lanes wait in one function, with an address in a register, while one works with words in another. */
Test(progress, lanes_in_different_functions_keep_their_registers)
{
	static const char body[] = LOCKS
		".func acquire(.param .b64 a)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 "
		"%rd<2>;\nld.param.u64 %rd1, [a];\n"
		"L: atom.global.cas.b32 %r2, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\nret;\n}\n"
		".func section(.param .b64 a)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<2>;\n"
		"mov.u32 %r1, %laneid;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r1, 2;\nadd.u32 %r4, %r1, "
		"3;\nadd.u32 %r5, %r1, 4;\n"
		"ld.param.u64 %rd1, [a];\nld.volatile.global.u32 %r6, [%rd1];\nadd.u32 %r2, %r2, "
		"%r3;\nadd.u32 %r4, %r4, %r5;\n"
		"add.u32 %r2, %r2, %r4;\nadd.u32 %r6, %r6, %r2;\nst.volatile.global.u32 [%rd1], "
		"%r6;\nret;\n}\n" ENTRY(
			"mov.u64 %rd2, lock;\n{\n.param .b64 a;\nst.param.b64 [a], %rd2;\ncall acquire, "
			"(a);\n}\n"
			"{\n.param .b64 a;\nst.param.b64 [a], %rd1;\ncall section, (a);\n}\n" UNLOCK("lock"));

	expect_count(body, 1, 32, 4 * 496 + 32 * 10, 20000);
}

Test(progress, two_locks_one_within_the_other)
{
	expect_count(
		LOCKS ENTRY(SPIN("A", "outer") SPIN("B", "lock") INCREMENT UNLOCK("lock") UNLOCK("outer")), 1,
		32, 32, 8000);
	/* even lanes take only the inner one */
	expect_count(LOCKS ENTRY("and.b32 %r5, %r0, 1;\nsetp.eq.u32 %p3, %r5, 0;\n@%p3 bra B;\n" SPIN(
			     "A", "outer") SPIN("B", "lock")
				     INCREMENT UNLOCK("lock") "@!%p3 atom.global.exch.b32 %r4, [outer], 0;"),
		1, 32, 32, 12000);
}

/* for (i = 0; i < 5; i++) { lock; critical section with a branch in it; unlock; if (i > lane) break; } */
Test(progress, a_loop_with_a_break_around_the_lock)
{
	uint32_t count = 0;

	for (uint32_t lane = 0; lane < 32; lane++)
		count += lane < 4 ? lane + 1 : 5;
	expect_count(
		LOCKS ENTRY("mov.u32 %r7, 0;\nI:\n" SPIN("L",
			"lock") "and.b32 %r8, %r0, 1;\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra EVEN;\n" INCREMENT
				"bra DONE;\nEVEN:\n" INCREMENT
				"DONE:\n" UNLOCK("lock") "add.u32 %r7, %r7, 1;\nsetp.gt.u32 %p3, %r7, "
							 "%r0;\n@%p3 bra OUT;\n"
							 "setp.lt.u32 %p4, %r7, 5;\n@%p4 bra I;\nOUT:"),
		1, 32, count, 60000);
}

/* The holder waits at the end of an if within the critical section's own loop. */
Test(progress, try_lock_with_a_done_flag)
{
	expect_count(
		LOCKS ENTRY("mov.u32 %r7, 0;\nL: atom.global.cas.b32 %r2, [lock], 0, 1;\nsetp.ne.u32 %p1, "
			    "%r2, 0;\n@%p1 bra NO;\n" INCREMENT UNLOCK(
				    "lock") "mov.u32 %r7, 1;\nNO: setp.eq.u32 %p2, %r7, 0;\n@%p2 bra L;"),
		1, 32, 32, 5000);
}

/* Lanes come together again behind the lock: the vote names all, in one instruction. */
Test(progress, the_warp_is_whole_again_behind_the_lock)
{
	expect_count(
		LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK(
			"lock") "vote.sync.ballot.b32 %r5, 1, 0xffffffff;\nsetp.ne.u32 %p3, %r5, -1;\n@%p3 "
				"trap;\n"
				"bar.sync 0;\nactivemask.b32 %r6;\nsetp.ne.u32 %p3, %r6, -1;\n@%p3 trap;"),
		1, 96, 96, UINT64_MAX);
}

/* Some lanes skip to the next pass and come to the shuffle later; the others await them there. */
Test(progress, lanes_come_to_one_instruction_at_different_times)
{
	/* i from lane & 1 to 4: odd lanes start at 1 and skip that pass with a `continue` of their own */
	expect_count(ENTRY("and.b32 %r7, %r0, 1;\nneg.s32 %r7, %r7;\nmov.u32 %r8, 0;\nI: setp.lt.s32 %p2, "
			   "%r7, 0;\nadd.u32 %r7, %r7, 1;\n"
			   "@%p2 bra I2;\nredux.sync.add.u32 %r3, %r0, 0xffffffff;\nadd.u32 %r8, %r8, %r3;\n"
			   "I2: setp.lt.s32 %p3, %r7, 3;\n@%p3 bra I;\nred.global.add.u32 [%rd1], %r8;"),
		1, 32, 32 * 3 * 496, 1000);
}

/* Lane 0 waits for what lane 1 writes; the rest await it at an instruction of the whole warp. */
Test(progress, a_matrix_instruction_awaits_all_lanes)
{
	expect_count(
		LOCKS ENTRY("setp.ne.u32 %p2, %r0, 0;\n@%p2 bra M;\nW: ld.volatile.global.u32 %r3, [lock];\n"
			    "setp.eq.u32 %p1, %r3, 0;\n@%p1 bra W;\nM: setp.eq.u32 %p3, %r0, 1;\n@%p3 "
			    "st.volatile.global.u32 [lock], 1;\n"
			    "mad.lo.u32 %r4, %r0, 131074, 65536;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r5, "
			    "%r4;\n"
			    "setp.eq.u32 %p4, %r0, 0;\n@%p4 st.global.u32 [%rd1], %r5;"),
		1, 32, 8 << 16, 300);
}

/* Loops that end by themselves are left alone: as many instructions as on a machine that would not look. */
Test(progress, long_diverged_loops_cost_what_they_cost)
{
	static const char body[] = ENTRY("mul.lo.u32 %r5, %r0, 300;\nmov.u32 %r3, 0;\nmov.u32 %r4, 0;\n"
					 "L: ld.global.u32 %r6, [%rd1];\nadd.u32 %r4, %r4, %r6;\nadd.u32 "
					 "%r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r5;\n@%p1 bra L;\n"
					 "add.u32 %r4, %r4, 1;\nst.global.u32 [%rd1+128], %r4;");
	uint64_t counts[2];

	for (int old = 0; old < 2; old++) {
		struct bench *b = bench_in(FUNCTIONAL, old ? SM_60 : SM_80, body, 64);

		bench_run(b, 1, 32, true);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		counts[old] = b->result.warp_instructions;
		bench_free(b);
	}
	cr_assert_eq(counts[0], counts[1], "%llu, not %llu", (unsigned long long)counts[0],
		(unsigned long long)counts[1]);
}

/* Before sm_70 the lock is out of reach; the kernel is stopped, and told where it spins. */
Test(progress, old_targets_spin_until_a_limit_that_names_the_line)
{
	static const char body[] = LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK("lock"));

	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_60, body, 64);

		gpu_free(b->gpu);
		cr_assert(config_set(b->config, "gpu.hang_instructions=3000", &b->diags));
		cr_assert(config_set(b->config, "gpu.hang_check=0", &b->diags));
		b->gpu = gpu_new(b->config, &b->diags);
		bench_load(b);
		b->out = memory_allocate(gpu_memory(b->gpu), 256, 256);
		bench_run(b, 1, 32, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT);
		cr_assert_eq(b->result.fault.kind, FAULT_HANG);
		cr_assert_not_null(strstr(b->result.fault.text,
					   "hang: the kernel has not ended after 3000 warp instructions "
					   "(gpu.hang_instructions) (kernel k, CTA 0,0,0"),
			"%s", b->result.fault.text);
		cr_assert_not_null(
			strstr(b->result.fault.text, "warp 0 runs at line "), "%s", b->result.fault.text);
		cr_assert_not_null(
			strstr(b->result.fault.text, "with 31 of its 32 lanes"), "%s", b->result.fault.text);
		bench_free(b);
	}
}

/* Twice the same, also with other timing. */
Test(progress, runs_repeat)
{
	static const char body[] = LOCKS ENTRY(SPIN("L", "lock") INCREMENT UNLOCK("lock"));
	struct launch_result results[2];

	for (int i = 0; i < 2; i++) {
		struct bench *b = bench_in(TIMED, SM_80, body, 64);

		bench_run(b, 2, 64, false);
		results[i] = b->result;
		bench_free(b);
	}
	cr_assert_eq(results[0].warp_instructions, results[1].warp_instructions);
	cr_assert_eq(results[0].core_cycles, results[1].core_cycles);
}
