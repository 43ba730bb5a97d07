/* tests/ptx/conformance/control/call_text.h -- the programs of call.c: functions, and bodies that call them.
 * As in control_text.h. */

/* clang-format off */

/* Calls `name` with one 32-bit argument and one 32-bit result. */
#define CALL(result, name, argument) \
	"{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], " argument "; call (p1), " name ", (p0); " \
	"ld.param.b32 " result ", [p1]; } "
/* The same through the register %f. */
#define CALL_POINTER \
	"{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], %a; " \
	"prototype: .callprototype (.param .b32 _) _ (.param .b32 _); call (p1), %f, (p0), prototype; " \
	"ld.param.b32 %r, [p1]; } "
/* A function of one 32-bit argument x and result r. */
#define FUNCTION(name, text) \
	".func (.param .b32 r) " name "(.param .b32 x) { .reg .b32 %x, %y, %z; .reg .pred %q; " \
	"ld.param.b32 %x, [x]; " text "} "
#define RETURN(value) "st.param.b32 [r], " value "; ret; "
#define PARITY(name, other, zero) \
	FUNCTION(name, "setp.ne.u32 %q, %x, 0; @%q bra more; " RETURN(zero) "more: sub.u32 %y, %x, 1; " \
		CALL("%z", other, "%y") RETURN("%z"))
#define FOUR \
	FUNCTION("f0_#", "add.u32 %y, %x, 1; " RETURN("%y")) \
	FUNCTION("f1_#", "mul.lo.u32 %y, %x, 3; " RETURN("%y")) \
	FUNCTION("f2_#", "xor.b32 %y, %x, 0xff; " RETURN("%y")) \
	FUNCTION("f3_#", "sub.u32 %y, %x, 9; " RETURN("%y"))

static const char double_plus[] =
	FUNCTION("f#", "mad.lo.u32 %y, %x, 2, 1; " RETURN("%y"));

static const char chain[] =
	FUNCTION("g#", "mul.lo.u32 %y, %x, %x; mov.b32 %x, 0; mov.b32 %z, 0; " RETURN("%y"))
	FUNCTION("f#", CALL("%y", "g#", "%x") "add.u32 %z, %x, 1; " CALL("%z", "g#", "%z")
		"mad.lo.u32 %y, %y, 3, %z; add.u32 %y, %y, %x; " RETURN("%y"));

static const char chain_body[] =
	"mul.lo.u32 %y, %a, 5; "
	CALL("%r", "f#", "%a")
	"add.u32 %r, %r, %y; ";

static const char widths[] =
	".func (.param .b64 r) f#(.param .b8 a, .param .b16 b, .param .b32 c, .param .b64 d) { "
	".reg .b32 %x, %y; "
	".reg .b64 %u, %v; ld.param.s8 %x, [a]; ld.param.u16 %y, [b]; "
	"add.s32 %x, %x, %y; cvt.s64.s32 %u, %x; "
	"ld.param.u32 %x, [c]; cvt.u64.u32 %v, %x; add.u64 %u, %u, %v; ld.param.u64 %v, [d]; "
	"add.u64 %u, %u, %v; st.param.b64 [r], %u; ret; } ";

static const char widths_body[] =
	"{ .param .b8 p0; .param .b16 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4; .reg .b16 %h; "
	".reg .b64 %d; cvt.u16.u32 %h, %a; st.param.b8 [p0], %a; st.param.b16 [p1], %h; "
	"st.param.b32 [p2], %a; mul.wide.u32 %d, %a, 3; st.param.b64 [p3], %d; "
	"call (p4), f#, (p0, p1, p2, p3); ld.param.b64 %d, [p4]; cvt.u32.u64 %r, %d; } ";

static const char structure[] =
	".func (.param .align 8 .b8 r[12]) f#(.param .align 8 .b8 s[12]) { .reg .b32 %x, %y, %z; "
	"ld.param.v2.b32 {%x, %y}, [s]; ld.param.b32 %z, [s+8]; st.param.b32 [r], %z; "
	"st.param.b32 [r+4], %y; "
	"st.param.b32 [r+8], %x; ret; } ";

static const char structure_body[] =
	"{ .param .align 8 .b8 p0[12]; .param .align 8 .b8 p1[12]; add.u32 %x, %a, 1; add.u32 %y, %a, 2; "
	"st.param.b32 [p0], %a; st.param.b32 [p0+4], %x; st.param.b32 [p0+8], %y; call (p1), f#, (p0); "
	"ld.param.b32 %x, [p1]; ld.param.b32 %y, [p1+4]; ld.param.b32 %z, [p1+8]; "
	"} mad.lo.u32 %r, %y, 10, %x; mad.lo.u32 %r, %z, 100, %r; mad.lo.u32 %r, %a, 1000, %r; ";

static const char by_pointer[] =
	".func f#(.param .b64 p, .param .b32 x) { .reg .b64 %p; .reg .b32 %x; ld.param.b64 %p, [p]; "
	"ld.param.b32 %x, [x]; add.u32 %x, %x, 41; st.b32 [%p+4], %x; ret; } ";

static const char by_pointer_body[] =
	"{ .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %m; st.param.b32 [p1], %a; call f#, (p0, p1); "
	"} ld.global.b32 %r, [%m+4]; ";

static const char local_pointer_body[] =
	"{ .local .align 8 .b8 depot#[16]; .reg .b64 %p; .param .b64 p0; .param .b32 p1; mov.u64 %p, depot#; "
	"cvta.local.u64 %p, %p; st.param.b64 [p0], %p; st.param.b32 [p1], %a; call f#, (p0, p1); "
	"ld.b32 %r, [%p+4]; } ";

static const char factorial[] =
	".func (.param .b32 r) f#(.param .b32 x); "
	FUNCTION("f#", "setp.gt.u32 %q, %x, 1; @%q bra more; " RETURN("1") "more: sub.u32 %y, %x, 1; "
		CALL("%z", "f#", "%y") "mul.lo.u32 %y, %x, %z; " RETURN("%y"));

static const char factorial_body[] =
	"and.b32 %x, %a, 15; "
	CALL("%r", "f#", "%x");

static const char fibonacci_text[] =
	".func (.param .b32 r) f#(.param .b32 x); "
	FUNCTION("f#", "setp.ge.u32 %q, %x, 2; @%q bra more; " RETURN("%x") "more: sub.u32 %y, %x, 1; "
		CALL("%z", "f#", "%y") "sub.u32 %y, %x, 2; " CALL("%y", "f#", "%y") "add.u32 %y, %y, %z; "
		RETURN("%y"));

static const char fibonacci_body[] =
	"and.b32 %x, %a, 7; "
	CALL("%r", "f#", "%x");

static const char parity[] =
	".func (.param .b32 r) odd#(.param .b32 x); "
	PARITY("even#", "odd#", "0")
	PARITY("odd#", "even#", "1");

static const char parity_body[] =
	"and.b32 %x, %a, 15; "
	CALL("%r", "even#", "%x");

static const char depot[] =
	".func (.param .b32 r) f#(.param .b32 x); "
	FUNCTION("f#", ".local .align 4 .b8 mine[8]; mad.lo.u32 %y, %x, 10, 1; st.local.b32 [mine+4], %y; "
		"mov.b32 %z, 0; setp.eq.u32 %q, %x, 0; @%q bra last; sub.u32 %y, %x, 1; " CALL("%z", "f#",
		"%y") "last: ld.local.b32 %y, [mine+4]; add.u32 %y, %y, %z; " RETURN("%y"));

static const char branch_body[] =
	"@%b0 bra odd; mov.pred %q, %b1; mov.b32 %r, %a; @!%q bra join; add.u32 %y, %a, 7; "
	CALL("%r", "f#", "%y")
	"bra join; "
	"odd: "
	CALL("%r", "f#", "%a")
	"join: ";

static const char guarded_body[] =
	"mov.pred %q, %b0; mov.b32 %r, 55; { .param .b32 p0; .param .b32 p1; st.param.b32 [p0], %a; "
	"@%q call (p1), f#, (p0); ld.param.b32 %y, [p1]; } selp.b32 %r, %y, %r, %q; ";

static const char early[] =
	FUNCTION("f#", "and.b32 %y, %x, 1; setp.eq.b32 %q, %y, 0; @%q bra even; add.u32 %y, %x, 1000; "
		RETURN("%y") "even: mov.b32 %y, 0; mov.b32 %z, 0; loop: add.u32 %y, %y, %z; "
		"setp.gt.u32 %q, %y, %x; @!%q bra next; " RETURN("%y") "next: add.u32 %z, %z, 1; "
		"bra loop; ");

static const char early_body[] =
	"and.b32 %x, %a, 31; "
	CALL("%r", "f#", "%x");

static const char leave[] =
	FUNCTION("f#", "and.b32 %y, %x, 1; setp.ne.b32 %q, %y, 0; @%q exit; add.u32 %y, %x, 1; "
		RETURN("%y"));

static const char leave_body[] =
	CALL("%r", "f#", "%a")
	"add.u32 %r, %r, 2; ";

static const char loop_body[] =
	"mov.b32 %r, %a; and.b32 %y, %a, 15; "
	"again: setp.eq.b32 %q, %y, 0; @%q bra done; "
	CALL("%r", "f#", "%r")
	"sub.u32 %y, %y, 1; bra again; "
	"done: ";

static const char four[] =
	FOUR;

static const char four_table[] =
	FOUR
	".global .align 8 .u64 table#[4] = {f0_#, f1_#, f2_#, f3_#}; ";

static const char chosen_body[] =
	".reg .b64 %f, %g; mov.pred %q, %b0; mov.u64 %f, f0_#; mov.u64 %g, f1_#; selp.b64 %f, %g, %f, %q; "
	"mov.u64 %g, f2_#; and.b32 %y, %a, 3; setp.eq.u32 %o, %y, 2; selp.b64 %f, %g, %f, %o; "
	"mov.u64 %g, f3_#; setp.eq.u32 %o, %y, 3; selp.b64 %f, %g, %f, %o; "
	CALL_POINTER;

static const char table_body[] =
	".reg .b64 %f; and.b32 %x, %a, 3; mul.wide.u32 %offset, %x, 8; mov.u64 %f, table#; "
	"add.u64 %f, %f, %offset; ld.global.u64 %f, [%f]; "
	CALL_POINTER;

static const char targets_body[] =
	".reg .b64 %f; and.b32 %x, %a, 3; mul.wide.u32 %offset, %x, 8; mov.u64 %f, table#; "
	"add.u64 %f, %f, %offset; ld.global.u64 %f, [%f]; { .param .b32 p0; .param .b32 p1; "
	"st.param.b32 [p0], %a; "
	"targets: .calltargets f0_#, f1_#, f2_#, f3_#; call (p1), %f, (p0), targets; "
	"ld.param.b32 %r, [p1]; } ";

static const char apply[] =
	FOUR
	".global .align 8 .u64 table#[4] = {f0_#, f1_#, f2_#, f3_#}; "
	".func (.param .b32 r) apply#(.param .b64 f, .param .b32 x) { .reg .b64 %f; .reg .b32 %x; "
	"ld.param.b64 %f, [f]; ld.param.b32 %x, [x]; { .param .b32 p0; .param .b32 p1; "
	"st.param.b32 [p0], %x; "
	"prototype: .callprototype (.param .b32 _) _ (.param .b32 _); call (p1), %f, (p0), prototype; "
	"ld.param.b32 %x, [p1]; } st.param.b32 [r], %x; ret; } ";

static const char apply_body[] =
	".reg .b64 %f; and.b32 %x, %a, 3; mul.wide.u32 %offset, %x, 8; mov.u64 %f, table#; "
	"add.u64 %f, %f, %offset; ld.global.u64 %f, [%f]; { .param .b64 p0; .param .b32 p1; .param .b32 p2; "
	"st.param.b64 [p0], %f; st.param.b32 [p1], %a; call (p2), apply#, (p0, p1); ld.param.b32 %r, [p2]; "
	"} ";

static const char weak[] =
	".weak "
	FUNCTION("f#", "mad.lo.u32 %y, %x, 2, 1; " RETURN("%y"));

static const char declared[] =
	".func (.param .b32 r) f#(.param .b32 x); .func (.param .b32 r) g#(.param .b32 x) { .reg .b32 %y; "
	"ld.param.b32 %y, [x]; "
	CALL("%y", "f#", "%y")
	RETURN("%y")
	"} "
	FUNCTION("f#", "mad.lo.u32 %y, %x, 2, 1; " RETURN("%y"));

static const char in_shared[] =
	".shared .align 4 .b8 x#[512]; "
	FUNCTION("f#", ".reg .b64 %p, %n; mov.u32 %y, %tid.x; mul.wide.u32 %n, %y, 4; mov.u64 %p, x#; "
		"add.u64 %p, %p, %n; st.shared.b32 [%p], %x; bar.sync 0; xor.b32 %y, %y, 127; "
		"mul.wide.u32 %n, %y, 4; mov.u64 %p, x#; add.u64 %p, %p, %n; ld.shared.b32 %y, [%p]; "
		RETURN("%y"));

static const char plain_body[] =
	CALL("%r", "f#", "%a");

static const char uniform_body[] =
	"{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], %a; call.uni (p1), f#, (p0); "
	"ld.param.b32 %r, [p1]; } ";

static const char literal_body[] =
	"{ .param .b32 p0; .param .b32 p1; st.param.b32 [p0], 20; call (p1), f#, (p0); "
	"ld.param.b32 %r, [p1]; "
	"} add.u32 %r, %r, %a; ";

/* clang-format on */
