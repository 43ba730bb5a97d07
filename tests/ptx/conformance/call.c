/* tests/ptx/conformance/call.c -- calls: parameters of all kinds, recursion, indirect calls, calls in
 * divergent code. */
#include "conform.h"

static uint64_t low(uint64_t value)
{
	return value & 0xffffffff;
}

static struct form *program(
	const char *name, reference_function *reference, const char *prelude, const char *body)
{
	struct form *f = form_add(reference, OUT(B32), IN(B32), "%s", name);

	form_prelude(f, "%s", prelude);
	return form_body(f, "\t{\n\t.reg .b32 %%x, %%y, %%z;\n\t.reg .pred %%q, %%o;\n%s\t}\n", body);
}

#define BIT(n) "\tshr.u32 %x, %a, " #n ";\n\tand.b32 %x, %x, 1;\n\tsetp.ne.b32 %q, %x, 0;\n"

/* Calls `name` with one 32-bit argument and one 32-bit result. */
#define CALL(result, name, argument) \
	"\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], " argument ";\n\tcall (p1), " name \
	", (p0);\n" \
	"\tld.param.b32 " result ", [p1];\n\t}\n"

/* A function of one 32-bit argument x and result r. */
#define FUNCTION(name, text) \
	".func (.param .b32 r) " name "(.param .b32 x)\n{\n\t.reg .b32 %x, %y, %z;\n\t.reg .pred %q;\n" \
	"\tld.param.b32 %x, [x];\n" text "}\n"
#define RETURN(value) "\tst.param.b32 [r], " value ";\n\tret;\n"

/* -- plain calls -- */

static bool ref_double_plus(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(2 * in[0] + 1);
	return true;
}

static const char double_plus[] = FUNCTION("f#", "\tmad.lo.u32 %y, %x, 2, 1;\n" RETURN("%y"));

/* f calls g twice; registers of the caller keep their values. */
static bool ref_chain(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0], g1 = low(x * x), g2 = low((x + 1) * (x + 1));

	out[0] = low(g1 * 3 + g2 + x + 5 * x);
	return true;
}

static const char chain[] = FUNCTION(
	"g#", "\tmul.lo.u32 %y, %x, %x;\n\tmov.b32 %x, 0;\n\tmov.b32 %z, 0;\n" RETURN("%y"))
	FUNCTION("f#", CALL("%y", "g#", "%x") "\tadd.u32 %z, %x, 1;\n" CALL("%z", "g#",
			       "%z") "\tmad.lo.u32 %y, %y, 3, %z;\n\tadd.u32 %y, %y, %x;\n" RETURN("%y"));
static const char chain_body[] = "\tmul.lo.u32 %y, %a, 5;\n" CALL("%r", "f#", "%a") "\tadd.u32 %r, %r, %y;\n";

/* All widths, two results' worth of bits in one struct, a pointer and an array by value. */
static bool ref_widths(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	out[0] = low((uint64_t)((int64_t)(int8_t)a + (int64_t)(uint16_t)a) + a + a * 3);
	return true;
}

static const char widths[] =
	".func (.param .b64 r) f#(.param .b8 a, .param .b16 b, .param .b32 c, .param .b64 d)\n{\n"
	"\t.reg .b32 %x, %y;\n\t.reg .b64 %u, %v;\n\tld.param.s8 %x, [a];\n\tld.param.u16 %y, "
	"[b];\n\tadd.s32 %x, %x, %y;\n"
	"\tcvt.s64.s32 %u, %x;\n\tld.param.u32 %x, [c];\n\tcvt.u64.u32 %v, %x;\n\tadd.u64 %u, %u, "
	"%v;\n\tld.param.u64 %v, [d];\n"
	"\tadd.u64 %u, %u, %v;\n\tst.param.b64 [r], %u;\n\tret;\n}\n";
static const char widths_body[] =
	"\t{\n\t.param .b8 p0;\n\t.param .b16 p1;\n\t.param .b32 p2;\n\t.param .b64 p3;\n\t.param .b64 p4;\n"
	"\t.reg .b16 %h;\n\t.reg .b64 %d;\n\tcvt.u16.u32 %h, %a;\n\tst.param.b8 [p0], %a;\n\tst.param.b16 "
	"[p1], %h;\n"
	"\tst.param.b32 [p2], %a;\n\tmul.wide.u32 %d, %a, 3;\n\tst.param.b64 [p3], %d;\n\tcall (p4), f#, "
	"(p0, p1, p2, p3);\n"
	"\tld.param.b64 %d, [p4];\n\tcvt.u32.u64 %r, %d;\n\t}\n";

/* A struct of bytes goes in and comes back; the callee changes its own copy. */
static bool ref_struct(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t a = in[0];

	/* returned {c, b, a}: c + 10 b + 100 a; and what the caller had: 1000 a */
	out[0] = low((a + 2) + 10 * (a + 1) + 100 * a + 1000 * a);
	return true;
}

static const char structure[] =
	".func (.param .align 8 .b8 r[12]) f#(.param .align 8 .b8 s[12])\n{\n\t.reg .b32 %x, %y, %z;\n"
	"\tld.param.v2.b32 {%x, %y}, [s];\n\tld.param.b32 %z, [s+8];\n\tst.param.b32 [r], "
	"%z;\n\tst.param.b32 [r+4], %y;\n"
	"\tst.param.b32 [r+8], %x;\n\tret;\n}\n";
static const char structure_body[] =
	"\t{\n\t.param .align 8 .b8 p0[12];\n\t.param .align 8 .b8 p1[12];\n\tadd.u32 %x, %a, 1;\n"
	"\tadd.u32 %y, %a, 2;\n\tst.param.b32 [p0], %a;\n\tst.param.b32 [p0+4], %x;\n\tst.param.b32 [p0+8], "
	"%y;\n"
	"\tcall (p1), f#, (p0);\n\tld.param.b32 %x, [p1];\n\tld.param.b32 %y, [p1+4];\n\tld.param.b32 %z, "
	"[p1+8];\n\t}\n"
	"\tmad.lo.u32 %r, %y, 10, %x;\n\tmad.lo.u32 %r, %z, 100, %r;\n\tmad.lo.u32 %r, %a, 1000, %r;\n";

/* No result; the callee writes through a pointer. */
static bool ref_store(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(in[0] + 41);
	return true;
}

static const char by_pointer[] =
	".func f#(.param .b64 p, .param .b32 x)\n{\n\t.reg .b64 %p;\n\t.reg .b32 %x;\n\tld.param.b64 %p, "
	"[p];\n"
	"\tld.param.b32 %x, [x];\n\tadd.u32 %x, %x, 41;\n\tst.b32 [%p+4], %x;\n\tret;\n}\n";
static const char by_pointer_body[] =
	"\t{\n\t.param .b64 p0;\n\t.param .b32 p1;\n\tst.param.b64 [p0], %m;\n\tst.param.b32 [p1], %a;\n"
	"\tcall f#, (p0, p1);\n\t}\n\tld.global.b32 %r, [%m+4];\n";
static const char local_pointer_body[] =
	"\t{\n\t.local .align 8 .b8 depot#[16];\n\t.reg .b64 %p;\n\t.param .b64 p0;\n\t.param .b32 p1;\n"
	"\tmov.u64 %p, depot#;\n\tcvta.local.u64 %p, %p;\n\tst.param.b64 [p0], %p;\n\tst.param.b32 [p1], "
	"%a;\n"
	"\tcall f#, (p0, p1);\n\tld.b32 %r, [%p+4];\n\t}\n";

/* -- recursion -- */

static bool ref_factorial(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t result = 1;

	for (uint64_t n = in[0] & 15; n > 1; n--)
		result = low(result * n);
	out[0] = result;
	return true;
}

static const char factorial[] = ".func (.param .b32 r) f#(.param .b32 x);\n" FUNCTION(
	"f#", "\tsetp.gt.u32 %q, %x, 1;\n\t@%q bra more;\n" RETURN("1") "more:\n\tsub.u32 %y, %x, 1;\n" CALL(
		      "%z", "f#", "%y") "\tmul.lo.u32 %y, %x, %z;\n" RETURN("%y"));
static const char factorial_body[] = "\tand.b32 %x, %a, 15;\n" CALL("%r", "f#", "%x");

static uint64_t fibonacci(uint64_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static bool ref_fibonacci(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = fibonacci(in[0] & 7);
	return true;
}

static const char fibonacci_text[] = ".func (.param .b32 r) f#(.param .b32 x);\n" FUNCTION("f#",
	"\tsetp.ge.u32 %q, %x, 2;\n\t@%q bra more;\n" RETURN("%x") "more:\n\tsub.u32 %y, %x, 1;\n" CALL("%z",
		"f#",
		"%y") "\tsub.u32 %y, %x, 2;\n" CALL("%y", "f#", "%y") "\tadd.u32 %y, %y, %z;\n" RETURN("%y"));
static const char fibonacci_body[] = "\tand.b32 %x, %a, 7;\n" CALL("%r", "f#", "%x");

/* Even and odd call each other. */
static bool ref_parity(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1;
	return true;
}

#define PARITY(name, other, zero) \
	FUNCTION(name, "\tsetp.ne.u32 %q, %x, 0;\n\t@%q bra more;\n" RETURN( \
			       zero) "more:\n\tsub.u32 %y, %x, 1;\n" CALL("%z", other, "%y") RETURN("%z"))
static const char parity[] = ".func (.param .b32 r) odd#(.param .b32 x);\n" PARITY("even#", "odd#", "0")
	PARITY("odd#", "even#", "1");
static const char parity_body[] = "\tand.b32 %x, %a, 15;\n" CALL("%r", "even#", "%x");

/* Each activation has local memory of its own: it is read behind the inner call. */
static bool ref_depot(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t n = in[0] & 7;

	out[0] = 0;
	for (uint64_t i = 0; i <= n; i++)
		out[0] += i * 10 + 1;
	return true;
}

static const char depot[] = ".func (.param .b32 r) f#(.param .b32 x);\n" FUNCTION("f#",
	"\t.local .align 4 .b8 mine[8];\n\tmad.lo.u32 %y, %x, 10, 1;\n\tst.local.b32 [mine+4], "
	"%y;\n\tmov.b32 %z, 0;\n"
	"\tsetp.eq.u32 %q, %x, 0;\n\t@%q bra last;\n\tsub.u32 %y, %x, 1;\n" CALL("%z", "f#",
		"%y") "last:\n\tld.local.b32 %y, [mine+4];\n\tadd.u32 %y, %y, %z;\n" RETURN("%y"));

/* -- divergence -- */

static bool ref_branch(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = low(in[0] & 1 ? 2 * in[0] + 1 : in[0] & 2 ? 2 * (in[0] + 7) + 1 : in[0]);
	return true;
}

static const char branch_body[] =
	BIT(0) "\t@%q bra odd;\n" BIT(1) "\tmov.b32 %r, %a;\n\t@!%q bra join;\n\tadd.u32 %y, %a, 7;\n" CALL(
		"%r", "f#", "%y") "\tbra join;\nodd:\n" CALL("%r", "f#", "%a") "join:\n";

static bool ref_guarded(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? low(2 * in[0] + 1) : 55;
	return true;
}

static const char guarded_body[] =
	BIT(0) "\tmov.b32 %r, 55;\n\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], %a;\n"
	       "\t@%q call (p1), f#, (p0);\n\tld.param.b32 %y, [p1];\n\t}\n\tselp.b32 %r, %y, %r, %q;\n";

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

static const char early[] = FUNCTION("f#",
	"\tand.b32 %y, %x, 1;\n\tsetp.eq.b32 %q, %y, 0;\n\t@%q bra even;\n\tadd.u32 %y, %x, 1000;\n" RETURN(
		"%y") "even:\n\tmov.b32 %y, 0;\n\tmov.b32 %z, 0;\nloop:\n\tadd.u32 %y, %y, "
		      "%z;\n\tsetp.gt.u32 %q, %y, %x;\n"
		      "\t@!%q bra next;\n" RETURN("%y") "next:\n\tadd.u32 %z, %z, 1;\n\tbra loop;\n");
static const char early_body[] = "\tand.b32 %x, %a, 31;\n" CALL("%r", "f#", "%x");

/* Some lanes leave the thread in the function. */
static bool ref_exit(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & 1 ? 0 : low(in[0] + 3);
	return true;
}

static const char leave[] = FUNCTION("f#",
	"\tand.b32 %y, %x, 1;\n\tsetp.ne.b32 %q, %y, 0;\n\t@%q exit;\n\tadd.u32 %y, %x, 1;\n" RETURN("%y"));
static const char leave_body[] = CALL("%r", "f#", "%a") "\tadd.u32 %r, %r, 2;\n";

/* A call in a loop, each lane its own number of rounds. */
static bool ref_loop(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t x = in[0];

	for (uint64_t n = in[0] & 15; n > 0; n--)
		x = low(2 * x + 1);
	out[0] = x;
	return true;
}

static const char loop_body[] =
	"\tmov.b32 %r, %a;\n\tand.b32 %y, %a, 15;\nagain:\n\tsetp.eq.b32 %q, %y, 0;\n\t@%q bra done;\n" CALL(
		"%r", "f#", "%r") "\tsub.u32 %y, %y, 1;\n\tbra again;\ndone:\n";

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

#define FOUR \
	FUNCTION("f0_#", "\tadd.u32 %y, %x, 1;\n" RETURN("%y")) \
	FUNCTION("f1_#", "\tmul.lo.u32 %y, %x, 3;\n" RETURN("%y")) \
	FUNCTION("f2_#", "\txor.b32 %y, %x, 0xff;\n" RETURN("%y")) \
	FUNCTION("f3_#", "\tsub.u32 %y, %x, 9;\n" RETURN("%y"))

static const char four[] = FOUR;
static const char four_table[] = FOUR ".global .align 8 .u64 table#[4] = {f0_#, f1_#, f2_#, f3_#};\n";

#define CALL_POINTER \
	"\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], %a;\n" \
	"prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n\tcall (p1), %f, (p0), prototype;\n" \
	"\tld.param.b32 %r, [p1];\n\t}\n"

static const char chosen_body[] = "\t.reg .b64 %f, %g;\n" BIT(
	0) "\tmov.u64 %f, f0_#;\n\tmov.u64 %g, f1_#;\n\tselp.b64 %f, %g, %f, %q;\n"
	   "\tmov.u64 %g, f2_#;\n\tand.b32 %y, %a, 3;\n\tsetp.eq.u32 %o, %y, 2;\n\tselp.b64 %f, %g, %f, %o;\n"
	   "\tmov.u64 %g, f3_#;\n\tsetp.eq.u32 %o, %y, 3;\n\tselp.b64 %f, %g, %f, %o;\n" CALL_POINTER;
static const char table_body[] =
	"\t.reg .b64 %f;\n\tand.b32 %x, %a, 3;\n\tmul.wide.u32 %offset, %x, 8;\n\tmov.u64 %f, table#;\n"
	"\tadd.u64 %f, %f, %offset;\n\tld.global.u64 %f, [%f];\n" CALL_POINTER;
static const char targets_body[] =
	"\t.reg .b64 %f;\n\tand.b32 %x, %a, 3;\n\tmul.wide.u32 %offset, %x, 8;\n\tmov.u64 %f, table#;\n"
	"\tadd.u64 %f, %f, %offset;\n\tld.global.u64 %f, [%f];\n\t{\n\t.param .b32 p0;\n\t.param .b32 "
	"p1;\n\tst.param.b32 [p0], %a;\n"
	"targets: .calltargets f0_#, f1_#, f2_#, f3_#;\n\tcall (p1), %f, (p0), targets;\n\tld.param.b32 %r, "
	"[p1];\n\t}\n";

/* A function calls what it is given. */
static const char apply[] =
	FOUR ".global .align 8 .u64 table#[4] = {f0_#, f1_#, f2_#, f3_#};\n"
	     ".func (.param .b32 r) apply#(.param .b64 f, .param .b32 x)\n{\n\t.reg .b64 %f;\n\t.reg .b32 "
	     "%x;\n\tld.param.b64 %f, [f];\n"
	     "\tld.param.b32 %x, [x];\n\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], %x;\n"
	     "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n\tcall (p1), %f, (p0), "
	     "prototype;\n\tld.param.b32 %x, [p1];\n\t}\n"
	     "\tst.param.b32 [r], %x;\n\tret;\n}\n";
static const char apply_body[] =
	"\t.reg .b64 %f;\n\tand.b32 %x, %a, 3;\n\tmul.wide.u32 %offset, %x, 8;\n\tmov.u64 %f, table#;\n"
	"\tadd.u64 %f, %f, %offset;\n\tld.global.u64 %f, [%f];\n\t{\n\t.param .b64 p0;\n\t.param .b32 "
	"p1;\n\t.param .b32 p2;\n"
	"\tst.param.b64 [p0], %f;\n\tst.param.b32 [p1], %a;\n\tcall (p2), apply#, (p0, p1);\n\tld.param.b32 "
	"%r, [p2];\n\t}\n";

/* -- linkage and kinds of parameters -- */

static const char weak[] = ".weak " FUNCTION("f#", "\tmad.lo.u32 %y, %x, 2, 1;\n" RETURN("%y"));
static const char declared[] =
	".func (.param .b32 r) f#(.param .b32 x);\n.func (.param .b32 r) g#(.param .b32 x)\n{\n\t.reg .b32 "
	"%y;\n"
	"\tld.param.b32 %y, [x];\n" CALL("%y", "f#", "%y")
		RETURN("%y") "}\n" FUNCTION("f#", "\tmad.lo.u32 %y, %x, 2, 1;\n" RETURN("%y"));

/* Special registers and shared memory are the same inside a function; a barrier may stand there. */
static void ref_shared(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i ^ 127];
}

static const char in_shared[] = ".shared .align 4 .b8 x#[512];\n" FUNCTION("f#",
	"\t.reg .b64 %p, %n;\n\tmov.u32 %y, %tid.x;\n\tmul.wide.u32 %n, %y, 4;\n\tmov.u64 %p, x#;\n\tadd.u64 "
	"%p, %p, %n;\n"
	"\tst.shared.b32 [%p], %x;\n\tbar.sync 0;\n\txor.b32 %y, %y, 127;\n\tmul.wide.u32 %n, %y, "
	"4;\n\tmov.u64 %p, x#;\n"
	"\tadd.u64 %p, %p, %n;\n\tld.shared.b32 %y, [%p];\n" RETURN("%y"));

static const char plain_body[] = CALL("%r", "f#", "%a");
static const char uniform_body[] =
	"\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], %a;\n\tcall.uni (p1), f#, (p0);\n"
	"\tld.param.b32 %r, [p1];\n\t}\n";
static const char literal_body[] =
	"\t{\n\t.param .b32 p0;\n\t.param .b32 p1;\n\tst.param.b32 [p0], 20;\n\tcall (p1), f#, (p0);\n"
	"\tld.param.b32 %r, [p1];\n\t}\n\tadd.u32 %r, %r, %a;\n";

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
