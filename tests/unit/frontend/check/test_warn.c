/* tests/unit/frontend/check/test_warn.c -- warnings: what is valid but looks wrong, and what does not. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(warn, .init = set_up, .fini = tear_down);

static void expect_warnings(const char *body, const char *message)
{
	accept_body(body);
	if (!message) {
		cr_expect_eq(diags.warnings, 0, "%s: %s", body, diags.count ? diags.items[0].message : "");
		return;
	}
	cr_assert_eq(diags.count, 1, "%s: %zu messages", body, diags.count);
	cr_expect_str_eq(diags.items[0].message, message, "%s\n  got:      %s\n  expected: %s", body,
		diags.items[0].message, message);
}

/* clang-format off */
Test(warn, each_kind_of_suspicion_has_its_message)
{
	static const char *const cases[][2] = {
		{ "add.s32 %r1, %r2, 1;", "'%r2' is read but never written" },
		{ "@%p1 mov.u32 %r1, 1;", "'%p1' is read but never written" },
		{ "ld.global.u32 %r1, [%d1];", "'%d1' is read but never written" },
		{ "add.s32 %r1, %r2, 1; mov.u32 %r2, 1;", "'%r2' is read before it is written" },
		{ "mov.u32 %r1, %r2; @%p1 bra L; mov.u32 %r2, 1; L: setp.eq.u32 %p1, %r1, 1;", NULL },
		{ "bra L; mov.u32 %r1, 1; L:", "this is never reached: no label stands in front" },
		{ "mov.u32 %r1, 1; shl.b32 %r2, %r1, 32;", "a shift by 32 leaves nothing of 32 bits" },
		{ "mov.u64 %d1, 1; shr.s64 %d2, %d1, 64;", "a shift by 64 leaves nothing of 64 bits" },
		{ "mov.u32 %r1, 4294967296;", "the constant is cut to 32 bits" },
		{ "mov.u16 %h1, -32769;", "the constant is cut to 16 bits" },
		{ ".shared .align 16 .b8 s[64]; ld.shared.v2.u32 {%r1, %r2}, [s+4];",
			"'ld.shared.v2.u32' needs an address that is a multiple of 8, the offset is none" },
		{ "mov.u32 %r1, 1; T: .branchtargets A; brx.idx %r1, T; mov.u32 %r2, 1; A:",
			"this is never reached: no label stands in front" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (!cases[i][1])
			continue;
		expect_warnings(cases[i][0], cases[i][1]);
	}
}

/* clang-format off */
Test(warn, what_may_be_right_gives_no_warning)
{
	static const char *const bodies[] = {
		"mov.u32 %r1, 1; L: @%p1 add.s32 %r2, %r3, 1; mov.u32 %r3, %r1; "
		"setp.eq.s32 %p1, %r3, 1; @%p1 bra L;",
		"bra M; L: add.s32 %r1, %r2, 1; ret; M: mov.u32 %r2, 5; bra L;",
		"trap; ret;", "ld.local.u32 %r1, [16];",
		"mov.u32 %r1, 4294967295; mov.s32 %r2, -2147483648; mov.u16 %h1, 65535; mov.u16 %h2, -32768;",
		"mov.u32 %r1, 7; shl.b32 %r2, %r1, 31; shf.l.wrap.b32 %r3, %r1, %r2, 40;",
		".shared .align 4 .b8 s[64]; ld.shared.v2.u32 {%r1, %r2}, [s+4];",
		"ld.param.u64 %d1, [out]; ld.global.u64 %d2, [%d1+4]; mov.b64 %d3, {%r1, %r2}; "
		"mov.u32 %r1, %r3;mov.u32 %r2, 1; mov.u32 %r3, 1; bra L; L:",
	};
	/* clang-format on */

	for (size_t i = 0; i + 1 < sizeof bodies / sizeof bodies[0]; i++)
		expect_warnings(bodies[i], NULL);
	accept_module(".func (.reg .b32 r) f(.reg .b32 a) { mov.b32 r, a; ret; }");
	cr_expect_eq(diags.warnings, 0);
}
