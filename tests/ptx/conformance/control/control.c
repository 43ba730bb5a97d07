/* tests/ptx/conformance/control/control.c -- control flow: divergence, loops, unstructured jumps, brx.idx.
 * What each lane computes does not depend on how the warp re-converges. Calls stand in call.c. */
#include "cuda.h"
#include "program.h"
#include "control_text.h"

static uint64_t low(uint64_t value)
{
	return value & 0xffffffff;
}

/* Predicate %q is bit n of a. */

/* -- branches -- */

static bool ref_nest(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = a & 1 ? a & 2 ? a & 4 ? 7 : 3 : a & 8 ? 9 : 1 : a & 2 ? 2 : a & 16 ? 16 : 0;
	out[0] = low(out[0] + 100 * (a & 1));
	return true;
}

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

/* Short-circuit conditions: jumps into common tails. */
static bool ref_tails(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = ((a & 1) && (a & 2)) || (a & 4) ? 10 : (a & 8) ? 20 : 30;
	out[0] += (a & 2) ? 1 : 0;
	return true;
}

static bool ref_exit(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? 77 : low(in[0] + 1);
	return true;
}

/* Odd lanes store and leave; the others go on. */

/* -- loops -- */

static bool ref_count(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t sum = 0;

	for (uint64_t n = in[0] & 63; n > 0; n--)
		sum = low(sum * 3 + n);
	out[0] = sum;
	return true;
}

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

/* -- brx.idx -- */

static bool ref_switch(const struct form *f, const uint64_t *in, uint64_t *out)
{
	static const uint64_t results[] = { 100, 211, 322, 100, 544, 655, 211, 877 };

	out[0] = results[in[0] & 7] + (in[0] & 8 ? 1 : 0);
	return true;
}

/* Eight entries, two of them twice, with a fall-through from one case into the next. */

static bool ref_machine(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0], r = 1;

	for (int i = 0; i < 16; i++, x >>= 2)
		r = low((x & 3) == 0 ? r + 1 : (x & 3) == 1 ? r * 3 : (x & 3) == 2 ? r ^ 0x55 : r - 7);
	out[0] = r;
	return true;
}

/* An interpreter: a loop around a switch, each lane with a program of its own. */

/* -- re-convergence: behind the join all lanes take part again -- */

static void ref_rejoin(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t other = i ^ 3;

		t->want[0][i] = low(t->in[0][other] & 1 ? t->in[0][other] * 3 : t->in[0][other] + 9);
	}
}

/* Barriers of a warp's parts, apart from each other. */
static void ref_parts(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i % 2 ? i ^ 2 : i ^ 4];
}

/* Threads of a warp that wait for each other at one instruction from different places. */

static bool ref_one(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = 1;
	return true;
}

/* A lock taken in a spin loop and released behind it: from sm_70 on every thread makes progress, so the lane
 * that has the lock gets to release it. A lane gives up after many tries. */

void control_forms(void)
{
	struct form *f;

	program("bra: a nest of branches", ref_nest, "", nest);
	program("guards on arithmetic, loads and stores", ref_guards, "", guards);
	program("bra: jumps into common tails", ref_tails, "", tails);
	program("exit in a branch", ref_exit, "", leave);
	program("ret under a guard", ref_exit, "", guarded_ret);
	program("loop: a count for each lane", ref_count, "", counted);
	program("loop: break and continue", ref_break, "", broken);
	program("loop: out of two at once", ref_outer, "", outer);
	program("loop: two entries", ref_irreducible, "", irreducible);
	program("loop: exit from within", ref_leave_loop, "", leave_loop);
	program("brx.idx: a switch", ref_switch, "", branches);
	program("brx.idx: an interpreter", ref_machine, "", machine);
	f = program("re-convergence behind a branch", NULL, "", rejoin);
	f->reference_all = ref_rejoin;
	f = program("bar.warp.sync of two halves apart", NULL, "", warp_parts);
	f->reference_all = ref_parts;
	program("bar.warp.sync from two places", ref_one, "", apart);
	f = program("a lock in a spin loop within a warp", ref_one, "", spin);
	f->samples = 64;
	f = program("trap", ref_one, "", "mov.b32 %r, 1; trap; ");
	f->fault = CUDA_ERROR_LAUNCH_FAILED;
}
