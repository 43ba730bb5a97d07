/* tests/ptx/conformance/control.c -- control flow: divergence, loops, unstructured jumps, brx.idx. What each
 * lane computes does not depend on how the warp re-converges. Calls stand in call.c. */
#include "cuda.h"
#include "conform.h"

static uint64_t low(uint64_t value)
{
	return value & 0xffffffff;
}

static struct form *program(const char *name, reference_function *reference, const char *body)
{
	struct form *f = form_add(reference, OUT(B32), IN(B32), "%s", name);

	return form_body(f, "\t{\n\t.reg .b32 %%x, %%y, %%z;\n\t.reg .pred %%q, %%o;\n%s\t}\n", body);
}

/* Predicate %q is bit n of a. */
#define BIT(n) "\tshr.u32 %x, %a, " #n ";\n\tand.b32 %x, %x, 1;\n\tsetp.ne.b32 %q, %x, 0;\n"

/* -- branches -- */

static bool ref_nest(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = a & 1 ? a & 2 ? a & 4 ? 7 : 3 : a & 8 ? 9 : 1 : a & 2 ? 2 : a & 16 ? 16 : 0;
	out[0] = low(out[0] + 100 * (a & 1));
	return true;
}

static const char nest[] = BIT(0) "\t@%q bra one;\n" BIT(1) "\t@%q bra zero_one;\n" BIT(
	4) "\tmov.b32 %r, 0;\n\t@!%q bra zero;\n\tmov.b32 %r, 16;\nzero:\n\tbra "
	   "even;\nzero_one:\n\tmov.b32 %r, 2;\neven:\n\tbra end;\n"
	   "one:\n" BIT(1) "\t@%q bra one_one;\n" BIT(
		   3) "\tmov.b32 %r, 1;\n\t@!%q bra odd;\n\tmov.b32 %r, 9;\n\tbra "
		      "odd;\none_one:\n" BIT(2) "\tselp.b32 %r, 7, 3, %q;\nodd:\n\tadd.u32 %r, %r, "
						"100;\nend:\n";

/* Guards on arithmetic, loads, stores and comparisons. */
static bool ref_guards(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = low(a & 1 ? a + 5 : a - 5);
	if (a & 1)
		out[0] = low(out[0] * 3);
	if (!(a & 1))
		out[0] ^= 0xff;
	return true;
}

static const char guards[] = "\tst.global.b32 [%m], %a;\n" BIT(
	0) "\t@%q add.u32 %r, %a, 5;\n\t@!%q sub.u32 %r, %a, 5;\n"
	   "\t@%q st.global.b32 [%m], %r;\n\t@!%q st.global.b32 [%m+4], %r;\n\t@%q ld.global.b32 %y, [%m];\n"
	   "\t@!%q ld.global.b32 %y, [%m+4];\n\t@%q mul.lo.u32 %r, %y, 3;\n\t@!%q xor.b32 %r, %y, 0xff;\n";

/* Short-circuit conditions: jumps into common tails. */
static bool ref_tails(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = ((a & 1) && (a & 2)) || (a & 4) ? 10 : (a & 8) ? 20 : 30;
	out[0] += (a & 2) ? 1 : 0;
	return true;
}

static const char tails[] =
	BIT(0) "\t@!%q bra third;\n" BIT(1) "\t@%q bra yes;\nthird:\n" BIT(2) "\t@%q bra yes;\n" BIT(
		3) "\t@%q bra maybe;\n\tmov.b32 %r, 30;\n\tbra join;\nyes:\n\tmov.b32 %r, 10;\n\tbra "
		   "join;\nmaybe:\n\tmov.b32 %r, 20;\njoin:\n" BIT(1) "\t@%q add.u32 %r, %r, 1;\n";

static bool ref_exit(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? 77 : low(in[0] + 1);
	return true;
}

/* Odd lanes store and leave; the others go on. */
static const char leave[] =
	BIT(0) "\t@!%q bra stay;\n\tmov.b32 %r, 77;\n\tst.global.b32 [%out], %r;\n\texit;\nstay:\n"
	       "\tadd.u32 %r, %a, 1;\n";
static const char guarded_ret[] =
	BIT(0) "\tmov.b32 %r, 77;\n\t@%q st.global.b32 [%out], %r;\n\t@%q ret;\n\tadd.u32 %r, %a, 1;\n";

/* -- loops -- */

static bool ref_count(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t sum = 0;

	for (uint64_t n = in[0] & 63; n > 0; n--)
		sum = low(sum * 3 + n);
	out[0] = sum;
	return true;
}

static const char counted[] =
	"\tmov.b32 %r, 0;\n\tand.b32 %x, %a, 63;\n\tsetp.eq.b32 %q, %x, 0;\n\t@%q bra done;\nloop:\n"
	"\tmad.lo.u32 %r, %r, 3, %x;\n\tsub.u32 %x, %x, 1;\n\tsetp.ne.b32 %q, %x, 0;\n\t@%q bra "
	"loop;\ndone:\n";

/* Collatz with a break and a continue. */
static bool ref_break(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = (in[0] & 0xff) + 1, steps = 0;

	for (int i = 0; i < 100; i++) {
		if (x == 1)
			break;
		steps = low(steps + x);
		if (!(x & 1)) {
			x >>= 1;
			continue;
		}
		x = 3 * x + 1;
	}
	out[0] = low(steps * 1000 + x);
	return true;
}

static const char broken[] =
	"\tand.b32 %x, %a, 255;\n\tadd.u32 %x, %x, 1;\n\tmov.b32 %y, 0;\n\tmov.b32 %z, 0;\nloop:\n"
	"\tsetp.ge.u32 %q, %y, 100;\n\t@%q bra done;\n\tsetp.eq.u32 %q, %x, 1;\n\t@%q bra done;\n\tadd.u32 "
	"%z, %z, %x;\n"
	"\tadd.u32 %y, %y, 1;\n\tand.b32 %word, %x, 1;\n\tsetp.ne.b32 %q, %word, 0;\n\t@%q bra "
	"odd;\n\tshr.u32 %x, %x, 1;\n"
	"\tbra loop;\nodd:\n\tmad.lo.u32 %x, %x, 3, 1;\n\tbra loop;\ndone:\n\tmad.lo.u32 %r, %z, 1000, %x;\n";

/* Two loops, the inner one leaves both. */
static bool ref_outer(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t limit = in[0] & 31, count = 0;

	for (uint64_t i = 0; i < 6; i++)
		for (uint64_t j = 0; j <= i; j++) {
			if (i * 4 + j > limit)
				goto done;
			count = low(count * 7 + j);
		}
	count += 1000000;
done:
	out[0] = low(count);
	return true;
}

static const char outer[] =
	"\t.reg .b32 %limit;\n\tand.b32 %limit, %a, 31;\n\tmov.b32 %r, 0;\n\tmov.b32 %x, 0;\nfirst:\n"
	"\tsetp.ge.u32 %q, %x, 6;\n\t@%q bra all;\n\tmov.b32 %y, 0;\nsecond:\n\tsetp.gt.u32 %q, %y, "
	"%x;\n\t@%q bra next;\n"
	"\tmad.lo.u32 %z, %x, 4, %y;\n\tsetp.gt.u32 %o, %z, %limit;\n\t@%o bra done;\n\tmad.lo.u32 %r, %r, "
	"7, %y;\n"
	"\tadd.u32 %y, %y, 1;\n\tbra second;\nnext:\n\tadd.u32 %x, %x, 1;\n\tbra first;\nall:\n\tadd.u32 %r, "
	"%r, 1000000;\ndone:\n";

/* A loop with two entries: no structured program has one. */
static bool ref_irreducible(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0] & 15, r = 0;
	bool is_second = in[0] & 16;

	for (;;) {
		if (!is_second)
			r = low(r * 2 + x);
		is_second = false;
		r = low(r + 3);
		if (x == 0)
			break;
		x--;
	}
	out[0] = r;
	return true;
}

static const char irreducible[] = "\t.reg .b32 %n;\n\tand.b32 %n, %a, 15;\n\tmov.b32 %r, 0;\n" BIT(
	4) "\t@%q bra second;\nfirst:\n\tmad.lo.u32 %r, %r, 2, %n;\nsecond:\n\tadd.u32 %r, %r, "
	   "3;\n\tsetp.eq.b32 %q, %n, 0;\n"
	   "\t@%q bra done;\n\tsub.u32 %n, %n, 1;\n\tbra first;\ndone:\n";

/* Each lane its own number of rounds, with lanes that leave the thread in the middle. */
static bool ref_leave_loop(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t n = in[0] & 31, r = 0;

	for (uint64_t i = 0; i < n; i++) {
		r = low(r + i * i);
		if (r > 500) {
			out[0] = 999;
			return true;
		}
	}
	out[0] = r;
	return true;
}

static const char leave_loop[] =
	"\tand.b32 %x, %a, 31;\n\tmov.b32 %r, 0;\n\tmov.b32 %y, 0;\nloop:\n\tsetp.ge.u32 %q, %y, %x;\n"
	"\t@%q bra done;\n\tmad.lo.u32 %r, %y, %y, %r;\n\tadd.u32 %y, %y, 1;\n\tsetp.le.u32 %q, %r, "
	"500;\n\t@%q bra loop;\n"
	"\tmov.b32 %z, 999;\n\tst.global.b32 [%out], %z;\n\texit;\ndone:\n";

/* -- brx.idx -- */

static bool ref_switch(const struct form *f, const uint64_t *in, uint64_t *out)
{
	static const uint64_t results[] = { 100, 211, 322, 100, 544, 655, 211, 877 };

	out[0] = results[in[0] & 7] + (in[0] & 8 ? 1 : 0);
	return true;
}

/* Eight entries, two of them twice, with a fall-through from one case into the next. */
static const char branches[] = "\tand.b32 %x, %a, 7;\n"
			       "targets: .branchtargets case0, case1, case2, case0, case4, case5, case1, "
			       "case7;\n\tbrx.idx %x, targets;\n"
			       "case0:\n\tmov.b32 %r, 100;\n\tbra join;\ncase1:\n\tmov.b32 %r, 211;\n\tbra "
			       "join;\ncase2:\n\tmov.b32 %r, 322;\n\tbra join;\n"
			       "case4:\n\tmov.b32 %r, 544;\n\tbra join;\ncase5:\n\tmov.b32 %r, 600;\n\tbra "
			       "tail;\ncase7:\n\tmov.b32 %r, 822;\n"
			       "tail:\n\tadd.u32 %r, %r, 55;\njoin:\n" BIT(3) "\t@%q add.u32 %r, %r, 1;\n";

static bool ref_machine(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0], r = 1;

	for (int i = 0; i < 16; i++, x >>= 2)
		r = low((x & 3) == 0 ? r + 1 : (x & 3) == 1 ? r * 3 : (x & 3) == 2 ? r ^ 0x55 : r - 7);
	out[0] = r;
	return true;
}

/* An interpreter: a loop around a switch, each lane with a program of its own. */
static const char machine[] = "\tmov.b32 %r, 1;\n\tmov.b32 %x, %a;\n\tmov.b32 %y, 0;\n"
			      "targets: .branchtargets op0, op1, op2, op3;\nloop:\n\tand.b32 %z, %x, "
			      "3;\n\tshr.u32 %x, %x, 2;\n\tbrx.idx %z, targets;\n"
			      "op0:\n\tadd.u32 %r, %r, 1;\n\tbra next;\nop1:\n\tmul.lo.u32 %r, %r, 3;\n\tbra "
			      "next;\nop2:\n\txor.b32 %r, %r, 0x55;\n"
			      "\tbra next;\nop3:\n\tsub.u32 %r, %r, 7;\nnext:\n\tadd.u32 %y, %y, "
			      "1;\n\tsetp.lt.u32 %q, %y, 16;\n\t@%q bra loop;\n";

/* -- re-convergence: behind the join all lanes take part again -- */

static void ref_rejoin(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t other = i ^ 3;

		t->want[0][i] = low(t->in[0][other] & 1 ? t->in[0][other] * 3 : t->in[0][other] + 9);
	}
}

static const char rejoin[] =
	BIT(0) "\t@%q bra odd;\n\tadd.u32 %y, %a, 9;\n\tbra join;\nodd:\n\tmul.lo.u32 %y, %a, 3;\njoin:\n"
	       "\tbar.warp.sync -1;\n\tshfl.sync.bfly.b32 %r, %y, 3, 0x1f, -1;\n";

/* Barriers of a warp's parts, apart from each other. */
static void ref_parts(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i % 2 ? i ^ 2 : i ^ 4];
}

static const char warp_parts[] =
	"\tand.b32 %x, %lane, 1;\n\tsetp.ne.b32 %q, %x, 0;\n\t@%q bra odd;\n"
	"\tbar.warp.sync 0x55555555;\n\tshfl.sync.bfly.b32 %r, %a, 4, 0x1f, 0x55555555;\n\tbra join;\nodd:\n"
	"\tbar.warp.sync 0xaaaaaaaa;\n\tshfl.sync.bfly.b32 %r, %a, 2, 0x1f, 0xaaaaaaaa;\njoin:\n";

/* Threads of a warp that wait for each other at one instruction from different places. */
static const char apart[] =
	"\tand.b32 %x, %lane, 1;\n\tsetp.ne.b32 %q, %x, 0;\n\t@%q bra odd;\n\tbar.warp.sync -1;\n"
	"\tmov.b32 %r, 1;\n\tbra join;\nodd:\n\tbar.warp.sync -1;\n\tmov.b32 %r, 1;\njoin:\n";

static bool ref_one(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = 1;
	return true;
}

/* A lock taken in a spin loop and released behind it: from sm_70 on every thread makes progress, so the lane
 * that has the lock gets to release it. A lane gives up after many tries. */
static const char spin[] = "\t.reg .b64 %lock;\n\tshr.u32 %x, %i, 5;\n\tmul.wide.u32 %offset, %x, 2048;\n"
			   "\tmul.wide.u32 %lock, %i, 64;\n\tsub.u64 %lock, %m, %lock;\n\tadd.u64 %lock, "
			   "%lock, %offset;\n\tmov.b32 %r, 1;\n"
			   "\tmov.b32 %y, 0;\ntry:\n\tatom.global.cas.b32 %x, [%lock], 0, 1;\n\tsetp.eq.b32 "
			   "%q, %x, 0;\n\t@%q bra taken;\n"
			   "\tadd.u32 %y, %y, 1;\n\tsetp.lt.u32 %o, %y, 20000;\n\t@%o bra try;\n\tmov.b32 "
			   "%r, 0;\n\tbra given_up;\ntaken:\n"
			   "\tatom.global.exch.b32 %x, [%lock], 0;\ngiven_up:\n";

void control_forms(void)
{
	struct form *f;

	program("bra: a nest of branches", ref_nest, nest);
	program("guards on arithmetic, loads and stores", ref_guards, guards);
	program("bra: jumps into common tails", ref_tails, tails);
	program("exit in a branch", ref_exit, leave);
	program("ret under a guard", ref_exit, guarded_ret);
	program("loop: a count for each lane", ref_count, counted);
	program("loop: break and continue", ref_break, broken);
	program("loop: out of two at once", ref_outer, outer);
	program("loop: two entries", ref_irreducible, irreducible);
	program("loop: exit from within", ref_leave_loop, leave_loop);
	program("brx.idx: a switch", ref_switch, branches);
	program("brx.idx: an interpreter", ref_machine, machine);
	f = program("re-convergence behind a branch", NULL, rejoin);
	f->reference_all = ref_rejoin;
	f = program("bar.warp.sync of two halves apart", NULL, warp_parts);
	f->reference_all = ref_parts;
	program("bar.warp.sync from two places", ref_one, apart);
	f = program("a lock in a spin loop within a warp", ref_one, spin);
	f->samples = 64;
	f = program("trap", ref_one, "\tmov.b32 %r, 1;\n\ttrap;\n");
	f->fault = CUDA_ERROR_LAUNCH_FAILED;
}
