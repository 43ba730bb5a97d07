/* tests/unit/frontend/parse/test_parse_errors.c -- the exact words of what the parser and its checks
 * refuse. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(parse_errors, .init = set_up, .fini = tear_down);

Test(parse_errors, a_missing_comma)
{
	refuse_body("mov.u32 %r1 %r2;",
		"a.ptx:5:13: error: unexpected '%r2', expected ';' or ','\n"
		"    5 | mov.u32 %r1 %r2;\n      |             ^\n");
}

Test(parse_errors, several_errors_in_one_run_in_the_order_of_the_text)
{
	refuse_body("add.s32 %r1, %r2, %r9;\nmvo.u32 %r1, 1;\nld.global.u32 %r1, [%d1;\nadd.f32 %f1, %f2, "
		    "1;\nbra nowhere;",
		"a.ptx:5:19: error: name '%r9' is not declared\n    5 | add.s32 %r1, %r2, %r9;\n"
		"      |                   ^ '.reg %r<8>' declares %r0 to %r7\n"
		"a.ptx:6:1: error: unknown instruction 'mvo'\n    6 | mvo.u32 %r1, 1;\n      | ^ did you "
		"mean 'mov'?\n"
		"a.ptx:7:24: error: unexpected ';', expected ',' or ']'\n    7 | ld.global.u32 %r1, [%d1;\n"
		"      |                        ^\n"
		"a.ptx:8:19: error: 'add.f32' takes no integer literal\n    8 | add.f32 %f1, %f2, 1;\n"
		"      |                   ^ write 1.0\n"
		"a.ptx:9:5: error: label 'nowhere' is not declared\n    9 | bra nowhere;\n      |     ^\n");
}

Test(parse_errors, a_wrong_head_does_not_spoil_the_body_or_the_rest)
{
	refuse_module(".vizible .entry k() { .reg .b32 x; mov.u32 x, y; }\n.entry j() { ret }\n",
		"a.ptx:4:1: error: unexpected '.vizible'\n    4 | .vizible .entry k() { .reg .b32 x; mov.u32 "
		"x, y; }\n"
		"      | ^ did you mean '.visible'?\n"
		"a.ptx:5:18: error: unexpected '}'\n    5 | .entry j() { ret }\n      |                  "
		"^\n");
}

Test(parse_errors, a_module_needs_version_and_target)
{
	parse("// nothing\n");
	expect_errors(
		"a.ptx:1:1: error: the module has no '.version'\n    1 | // nothing\n      | ^ .version 3.2\n"
		"a.ptx:1:1: error: the module has no '.target'\n    1 | // nothing\n      | ^ .target "
		"sm_20\n");
}

static void expect_message(const char *body, const char *message)
{
	char text[4096];

	snprintf(text, sizeof text,
		HEADER
		".global .u32 gv; .entry e() { ret; } .func (.param .b32 r) fn(.param .b32 a) { ret; }\n"
		".visible .entry k(.param .u64 out) { .param .b32 x; .reg .v4 .u32 %%v; %s\n%s\nret; }\n",
		REGISTERS, body);
	parse(text);
	cr_expect_null(module, "accepted: %s", body);
	cr_expect_eq(diags.errors, 1, "%s: %zu errors", body, diags.errors);
	if (diags.count)
		cr_expect_str_eq(diags.items[0].message, message, "%s\n  got:      %s\n  expected: %s", body,
			diags.items[0].message, message);
}

/* clang-format off */
Test(parse_errors, each_kind_of_mistake_in_an_instruction_has_its_message)
{
	static const char *const cases[][2] = {
		{ "add.s32 %r1, %r2;", "'add.s32' takes 3 operands, not 2" },
		{ "ret %r1;", "'ret' takes 0 operands, not 1" },
		{ "add.s32 %d1, %r2, %r3;", "'%d1' is a .b64 register and does not suit 'add.s32'" },
		{ "add.s32 %r1, %f2, %r3;", "'%f2' is a .f32 register and does not suit 'add.s32'" },
		{ "add.s32 5, %r2, %r3;", "a constant cannot be written" },
		{ "add.s32 _, %r2, %r3;", "'_' cannot stand here" },
		{ "add.s32 %r1, [%d1], %r3;", "an address in brackets cannot stand here" },
		{ "add.s32 %r1, -%r2, %r3;", "'%r2' cannot be negated here" },
		{ "add.s32 %r1, %tid.x, %r3;", "'%tid.x' can be read by 'mov' and 'cvt' only" },
		{ "add.foo.s32 %r1, %r2, %r3;", "unknown modifier '.foo' of 'add'" },
		{ "add.wide.s32 %r1, %r2, %r3;", "'add' does not take '.wide'" },
		{ "add %r1, %r2, %r3;", "'add' needs a type" },
		{ "add.s32.s32 %r1, %r2, %r3;", "'add' takes no further type" },
		{ "add.b32 %r1, %r2, %r3;", "'add' is not defined for '.b32'" },
		{ "shl.s32 %r1, %r2, 3;", "'shl' is not defined for '.s32'" },
		{ "shl.b64 %d1, %d2, %d3;", "'%d3' is a .b64 register and does not suit 'shl.b64'" },
		{ "mul.s32 %r1, %r2, %r3;", "'mul.s32' must say which half of the product it wants" },
		{ "mul.wide.s64 %d1, %d2, %d3;",
			"'mul.wide.s64' is not defined: '.wide' is for 16 and 32 bits" },
		{ "mad.lo.sat.s32 %r1, %r2, %r3, %r4;",
			"'mad.lo.sat.s32' cannot saturate: among integers only '.hi.sat.s32' of a sum can" },
		{ "add.sat.u32 %r1, %r2, %r3;",
			"'add.sat.u32' cannot have '.sat': it is for .s32, .f32 and .f16" },
		{ "add.ftz.f64 %g1, %g2, %g3;", "'add.ftz.f64' cannot have '.ftz': it is for .f32 and .f16" },
		{ "fma.f32 %f1, %f2, %f3, %f4;", "'fma.f32' needs a rounding modifier" },
		{ "div.f32 %f1, %f2, %f3;", "'div.f32' needs a rounding modifier" },
		{ "sin.f32 %f1, %f2;", "'sin.f32' needs '.approx'" },
		{ "setp.s32 %p1, %r1, %r2;", "'setp.s32' needs one comparison" },
		{ "setp.lt.b32 %p1, %r1, %r2;",
			"'setp.lt.b32' is not defined: bits are compared with '.eq' or '.ne' only" },
		{ "setp.lo.s32 %p1, %r1, %r2;",
			"'setp.lo.s32' is not defined: '.lo', '.ls', '.hi', '.hs' are for unsigned types" },
		{ "setp.lt.s32 %r1, %r1, %r2;", "'%r1' is a .b32 register and does not suit 'setp.lt.s32'" },
		{ "selp.b32 %r1, %r2, %r3, %r4;", "'%r4' is a .b32 register and does not suit 'selp.b32'" },
		{ "cvt.s32.f32 %r1, %f1;", "'cvt.s32.f32' needs a rounding modifier" },
		{ "cvt.rn.f64.f32 %g1, %f1;", "'cvt.rn.f64.f32' cannot round: the result is wider" },
		{ "cvt.sat.s64.s32 %d1, %r1;", "'cvt.sat.s64.s32' cannot saturate: every value fits" },
		{ "mov.f32 %f1, 1;", "'mov.f32' takes no integer literal" },
		{ "mov.u32 %r1, 1.5;", "'mov.u32' takes no floating-point literal" },
		{ "mov.f32 %f1, %f2+4;", "a constant can be added to an integer register only" },
		{ "mov.u32 %r1, gv;", "the address of 'gv' does not suit 'mov.u32'" },
		{ "L: mov.u64 %d1, L;", "a label has no address that could be used" },
		{ "mov.b64 %d1, {%r1, %r2, %r3};", "3 elements do not suit 'mov.b64'" },
		{ "mov.u32 %r1, %v.q;", "name '%v.q' is not declared" },
		{ "ld.global.v2.u32 {%r1}, [%d1];", "'ld.global.v2.u32' takes 2 elements, not 1" },
		{ "ld.global.v2.u32 %r1, [%d1];", "'ld.global.v2.u32' takes 2 elements in braces" },
		{ "ld.global.u32 %r1, %d1;", "'ld.global.u32' needs an address in brackets" },
		{ "ld.global.u32 %r1, [%d1-4];", "'-' behind a name" },
		{ "ld.global.u32 %r1, [%f1];", "'%f1' is a .f32 register and holds no address" },
		{ "ld.shared.u32 %r1, [gv];", "'gv' is in .global, 'ld.shared.u32' is for .shared" },
		{ "ld.global.u64 %r1, [%d1];", "'%r1' is a .b32 register and does not suit 'ld.global.u64'" },
		{ "ld.acquire.global.u32 %r1, [%d1];", "'ld.acquire.global.u32' needs a scope" },
		{ "st.param.u64 [out], %d1;", "'out' is a parameter of an entry and cannot be written" },
		{ "st.const.u32 [%d1], %r1;", "'st.const.u32' is not defined: .const cannot be written" },
		{ "atom.global.u32 %r1, [%d1], 1;", "'atom.global.u32' needs one operation" },
		{ "atom.global.add.s64 %d1, [%d1], 1;",
			"'atom.global.add.s64' is not defined for this type" },
		{ "atom.global.cas.b32 %r1, [%d1], 1;", "'atom.global.cas.b32' takes 4 operands, not 3" },
		{ "shfl.idx.b32 %r1, %r2, 3, 31;",
			"'shfl.idx.b32' is gone: sm_70 and later need the '.sync' form" },
		{ "bar.arrive 0;", "'bar.arrive' takes 2 operands, not 1" },
		{ "cp.async.cg.shared.global [%r1], [%d1], 8;",
			"'cp.async.cg.shared.global' copies 16 bytes" },
		{ "@%r1 ret;", "a guard must be a predicate register, '%r1' is none" },
		{ "bra %d1;", "label '%d1' is not declared" },
		{ "call nofn;", "name 'nofn' is not declared" },
		{ "call e;", "'e' is an entry and cannot be called" },
		{ "call (x), fn, (x, x);", "'fn' has 1 parameter, not 2" },
		{ "call fn, (x);", "'fn' has 1 result, not 0" },
		{ "call (x), %d1, (x);",
			"a call through a register needs a '.callprototype' or '.calltargets'" },
		{ "L: brx.idx %r1, L;", "'L' is no list of '.branchtargets'" },
		{ ".branchtargets A;", "a list of targets needs a label in front" },
		{ "L: L: ret;", "label 'L' is already on line 6" },
		{ ".reg .b32 %r1;", "'%r1' is already declared on line 5" },
		{ ".reg .b32 a, a;", "'a' is already declared on line 6" },
		{ "mov.u32 %r1, 7/0;", "division by zero in a constant expression" },
		{ "mov.u32 %r1, %r2*2;",
			"only constants can be computed with; a name takes '+' and a constant" },
		{ "mov.u32 %r1, 089;", "malformed number '089'" },
		{ "mov.f32 %f1, 0f3f80;", "malformed number '0f3f80'" },
		{ "mov.u32 %r1, 123456789012345678901;", "the number is too large" },
		{ "mov.u64 %d1, 0xff(gv);", "this can stand in an initialiser only" },
		{ "mov.u32 %r1, %tidx;", "name '%tidx' is not declared" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_message(cases[i][0], cases[i][1]);
}

/* clang-format off */
Test(parse_errors, each_kind_of_mistake_in_a_declaration_has_its_message)
{
	static const char *const cases[][2] = {
		{ ".global .pred p;", "a predicate must be a register, 'p' is in .global" },
		{ ".global x;", "'x' has no type" },
		{ ".reg .u32 x;", "'.reg' can be declared within a function only" },
		{ ".global .align 3 .b8 x;", "an alignment must be a power of two, at most 1048576" },
		{ ".global .b32 x[];", "'x' needs a size or an initialiser" },
		{ ".global .b32 x[2][];", "only the first dimension can be left open" },
		{ ".global .b32 x[1.5];", "a dimension must be an integer constant" },
		{ ".global .b32 x[0x7fffffffffffffff];", "the array is too large" },
		{ ".global .b32 x<5000>;", "5000 variables: there can be 4096" },
		{ ".shared .b32 x = 1;", "'x' is in .shared: only .global and .const can be initialised" },
		{ ".global .b32 x[2] = {1,2,3};", "more than the 2 values of 'x'" },
		{ ".global .b32 x[2] = {{1},2};", "'x' has 1 dimension: too many braces" },
		{ ".global .b32 x[2][2] = {1,2};", "braces are missing: 'x' has another dimension" },
		{ ".global .b32 x[2] = 1;", "the values of 'x' stand in braces" },
		{ ".global .u32 x = 1.5;", "'x' is .u32: a floating-point value does not suit it" },
		{ ".global .f32 x = 1;", "'x' is .f32: an integer does not suit it" },
		{ ".global .u64 x = y;", "symbol 'y' is not declared" },
		{ ".global .b32 x; .global .b32 x;", "'x' is already declared on line 4" },
		{ ".entry k() { ret; } .entry k() { ret; }", "'k' is already defined on line 4" },
		{ ".func f(.param .b32 a); .func f(.param .b64 a) { ret; }",
			"'f' does not agree with its declaration on line 4 (1 parameters)" },
		{ ".entry k(.reg .u32 a) { ret; }", "a parameter of an entry must be in .param" },
		{ ".entry k() .maxntid 1,2,3,4 { ret; }", "expected one to three numbers" },
		{ ".entry k() .maxntid 0 { ret; }", "0 is out of range" },
		{ ".entry k() { .reg .b32 %r<9999999>; ret; }", "9999999 registers: there can be 4194304" },
		{ ".alias g, f;", "'f' is no function that was declared before" },
		{ ".target sm_20", "a second '.target'" },
		{ "/* no end", "comment without an end" },
		{ ".section .debug_info {", "'.section' without an end" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[4096];

		snprintf(text, sizeof text, HEADER "%s\n", cases[i][0]);
		parse(text);
		cr_expect_null(module, "accepted: %s", cases[i][0]);
		cr_assert_geq(diags.count, 1, "%s", cases[i][0]);
		cr_expect_str_eq(diags.items[0].message, cases[i][1], "%s\n  got:      %s\n  expected: %s",
			cases[i][0], diags.items[0].message, cases[i][1]);
	}
}

Test(parse_errors, an_undeclared_name_is_reported_once_in_a_function)
{
	refuse_body("add.s32 %x, %x, %x;\nadd.s32 %x, %x, %x;",
		"a.ptx:5:9: error: name '%x' is not declared\n"
		"    5 | add.s32 %x, %x, %x;\n      |         ^\n");
}

Test(parse_errors, reading_stops_after_twenty_errors)
{
	char body[4096] = "", text[8192];

	for (int i = 0; i < 100; i++)
		strcat(body, "add.s32 %r1, %r2;\n");
	snprintf(text, sizeof text, HEADER ".entry k() { %s\n%s ret; }", REGISTERS, body);
	parse(text);
	cr_expect_eq(diags.errors, 20);
}

Test(parse_errors, absurd_nesting_is_an_error_and_not_a_crash)
{
	enum { DEEP = 100000 };
	char *text = malloc(DEEP + 200);
	int length = sprintf(text, HEADER ".global .b32 x = ");

	memset(text + length, '(', DEEP);
	text[length + DEEP] = 0;
	cr_expect_null(parse(text));
	length = sprintf(text, HEADER ".entry k() ");
	memset(text + length, '{', DEEP);
	text[length + DEEP] = 0;
	cr_expect_null(parse(text));
	cr_expect_str_eq(diags.items[diags.count - 1].message, "nested too deeply");
	free(text);
}
