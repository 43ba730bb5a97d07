/* tests/ptx/conformance/control/call.c -- calls: parameters of all kinds, recursion, indirect calls, calls in
 * divergent code. */
#include "program.h"
#include "call_text.h"

static uint64_t low(uint64_t value)
{
	return value & 0xffffffff;
}

/* -- plain calls -- */

static bool ref_double_plus(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(2 * in[0] + 1);
	return true;
}

/* f calls g twice; registers of the caller keep their values. */
static bool ref_chain(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0], g1 = low(x * x), g2 = low((x + 1) * (x + 1));

	out[0] = low(g1 * 3 + g2 + x + 5 * x);
	return true;
}

/* All widths, two results' worth of bits in one struct, a pointer and an array by value. */
static bool ref_widths(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = low((uint64_t)((int64_t)(int8_t)a + (int64_t)(uint16_t)a) + a + a * 3);
	return true;
}

/* A struct of bytes goes in and comes back; the callee changes its own copy. */
static bool ref_struct(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	/* returned {c, b, a}: c + 10 b + 100 a; and what the caller had: 1000 a */
	out[0] = low((a + 2) + 10 * (a + 1) + 100 * a + 1000 * a);
	return true;
}

/* No result; the callee writes through a pointer. */
static bool ref_store(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(in[0] + 41);
	return true;
}

/* -- recursion -- */

static bool ref_factorial(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t result = 1;

	for (uint64_t n = in[0] & 15; n > 1; n--)
		result = low(result * n);
	out[0] = result;
	return true;
}

static uint64_t fibonacci(uint64_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static bool ref_fibonacci(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = fibonacci(in[0] & 7);
	return true;
}

/* Even and odd call each other. */
static bool ref_parity(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1;
	return true;
}

/* Each activation has local memory of its own: it is read behind the inner call. */
static bool ref_depot(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t n = in[0] & 7;

	out[0] = 0;
	for (uint64_t i = 0; i <= n; i++)
		out[0] += i * 10 + 1;
	return true;
}

/* -- divergence -- */

static bool ref_branch(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(in[0] & 1 ? 2 * in[0] + 1 : in[0] & 2 ? 2 * (in[0] + 7) + 1 : in[0]);
	return true;
}

static bool ref_guarded(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? low(2 * in[0] + 1) : 55;
	return true;
}

/* Some lanes return early, others from within a loop. */
static bool ref_early(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0] & 31, sum = 0;

	if (x & 1) {
		out[0] = 1000 + x;
		return true;
	}
	for (uint64_t i = 0; i < 100; i++) {
		sum += i;
		if (sum > x) {
			out[0] = sum;
			return true;
		}
	}
	return true;
}

/* Some lanes leave the thread in the function. */
static bool ref_exit(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? 0 : low(in[0] + 3);
	return true;
}

/* A call in a loop, each lane its own number of rounds. */
static bool ref_loop(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0];

	for (uint64_t n = in[0] & 15; n > 0; n--)
		x = low(2 * x + 1);
	out[0] = x;
	return true;
}

/* -- indirect calls -- */

static bool ref_indirect(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	switch (a & 3) {
	case 0:
		out[0] = low(a + 1);
		break;
	case 1:
		out[0] = low(a * 3);
		break;
	case 2:
		out[0] = a ^ 0xff;
		break;
	default:
		out[0] = low(a - 9);
	}
	return true;
}

/* A function calls what it is given. */

/* -- linkage and kinds of parameters -- */

/* Special registers and shared memory are the same inside a function; a barrier may stand there. */
static void ref_shared(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i ^ 127];
}

static bool ref_literal(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(41 + in[0]);
	return true;
}

void call_forms(void)
{
	struct form *f;

	program("call", ref_double_plus, double_plus, plain_body);
	program("call.uni", ref_double_plus, double_plus, uniform_body);
	program("call with a literal", ref_literal, double_plus, literal_body);
	program("call of a .weak function", ref_double_plus, weak, plain_body);
	program("call of a function declared before", ref_double_plus, declared, CALL("%r", "g#", "%a"));
	program("call: functions that call", ref_chain, chain, chain_body);
	program("call: parameters of all widths", ref_widths, widths, widths_body);
	program("call: structures by value", ref_struct, structure, structure_body);
	program("call: a pointer to global memory", ref_store, by_pointer, by_pointer_body);
	program("call: a pointer to local memory", ref_store, by_pointer, local_pointer_body);
	program("call: recursion", ref_factorial, factorial, factorial_body);
	program("call: recursion, twice", ref_fibonacci, fibonacci_text, fibonacci_body)->samples = 128;
	program("call: recursion through another", ref_parity, parity, parity_body);
	program("call: local memory of each activation", ref_depot, depot, fibonacci_body);
	program("call in branches", ref_branch, double_plus, branch_body);
	program("call under a guard", ref_guarded, double_plus, guarded_body);
	program("call: returns from several places", ref_early, early, early_body);
	program("call: exit in a function", ref_exit, leave, leave_body);
	program("call in a loop", ref_loop, double_plus, loop_body);
	program("call through a register", ref_indirect, four, chosen_body);
	program("call through a table", ref_indirect, four_table, table_body);
	program("call through a table with .calltargets", ref_indirect, four_table, targets_body);
	program("call through a parameter", ref_indirect, apply, apply_body);
	f = program("call: a barrier and shared memory in a function", NULL, in_shared, plain_body);
	f->reference_all = ref_shared;
}
