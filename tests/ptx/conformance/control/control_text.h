/* tests/ptx/conformance/control/control_text.h -- the programs of control.c. %b0 to %b4 are bits of the
 * operand, %a; %x %y %z are words, %q %o predicates; the result is %r. */

/* clang-format off */

static const char nest[] =
	"@%b0 bra one; @%b1 bra zero_one; mov.pred %q, %b4; mov.b32 %r, 0; "
	"@!%q bra zero; mov.b32 %r, 16; "
	"zero: bra even; "
	"zero_one: mov.b32 %r, 2; "
	"even: bra end; "
	"one: @%b1 bra one_one; mov.pred %q, %b3; mov.b32 %r, 1; @!%q bra odd; "
	"mov.b32 %r, 9; bra odd; "
	"one_one: mov.pred %q, %b2; selp.b32 %r, 7, 3, %q; "
	"odd: add.u32 %r, %r, 100; "
	"end: ";

static const char guards[] =
	"st.global.b32 [%m], %a; mov.pred %q, %b0; @%q add.u32 %r, %a, 5; @!%q sub.u32 %r, %a, 5; "
	"@%q st.global.b32 [%m], %r; @!%q st.global.b32 [%m+4], %r; @%q ld.global.b32 %y, [%m]; "
	"@!%q ld.global.b32 %y, [%m+4]; @%q mul.lo.u32 %r, %y, 3; @!%q xor.b32 %r, %y, 0xff; ";

static const char tails[] =
	"@!%b0 bra third; @%b1 bra yes; "
	"third: @%b2 bra yes; @%b3 bra maybe; mov.b32 %r, 30; bra join; "
	"yes: mov.b32 %r, 10; bra join; "
	"maybe: mov.b32 %r, 20; "
	"join: mov.pred %q, %b1; @%q add.u32 %r, %r, 1; ";

static const char leave[] =
	"@!%b0 bra stay; mov.b32 %r, 77; st.global.b32 [%out], %r; exit; "
	"stay: add.u32 %r, %a, 1; ";

static const char guarded_ret[] =
	"mov.pred %q, %b0; mov.b32 %r, 77; @%q st.global.b32 [%out], %r; @%q ret; add.u32 %r, %a, 1; ";

static const char counted[] =
	"mov.b32 %r, 0; and.b32 %x, %a, 63; setp.eq.b32 %q, %x, 0; @%q bra done; "
	"loop: mad.lo.u32 %r, %r, 3, %x; sub.u32 %x, %x, 1; setp.ne.b32 %q, %x, 0; @%q bra loop; "
	"done: ";

static const char broken[] =
	"and.b32 %x, %a, 255; add.u32 %x, %x, 1; mov.b32 %y, 0; mov.b32 %z, 0; "
	"loop: setp.ge.u32 %q, %y, 100; @%q bra done; setp.eq.u32 %q, %x, 1; @%q bra done; "
	"add.u32 %z, %z, %x; add.u32 %y, %y, 1; and.b32 %word, %x, 1; setp.ne.b32 %q, %word, 0; @%q bra odd; "
	"shr.u32 %x, %x, 1; bra loop; "
	"odd: mad.lo.u32 %x, %x, 3, 1; bra loop; "
	"done: mad.lo.u32 %r, %z, 1000, %x; ";

static const char outer[] =
	".reg .b32 %limit; and.b32 %limit, %a, 31; mov.b32 %r, 0; mov.b32 %x, 0; "
	"first: setp.ge.u32 %q, %x, 6; @%q bra all; mov.b32 %y, 0; "
	"second: setp.gt.u32 %q, %y, %x; @%q bra next; mad.lo.u32 %z, %x, 4, %y; setp.gt.u32 %o, %z, %limit; "
	"@%o bra done; mad.lo.u32 %r, %r, 7, %y; add.u32 %y, %y, 1; bra second; "
	"next: add.u32 %x, %x, 1; bra first; "
	"all: add.u32 %r, %r, 1000000; "
	"done: ";

static const char irreducible[] =
	".reg .b32 %n; and.b32 %n, %a, 15; mov.b32 %r, 0; @%b4 bra second; "
	"first: mad.lo.u32 %r, %r, 2, %n; "
	"second: add.u32 %r, %r, 3; setp.eq.b32 %q, %n, 0; @%q bra done; sub.u32 %n, %n, 1; bra first; "
	"done: ";

static const char leave_loop[] =
	"and.b32 %x, %a, 31; mov.b32 %r, 0; mov.b32 %y, 0; "
	"loop: setp.ge.u32 %q, %y, %x; @%q bra done; mad.lo.u32 %r, %y, %y, %r; add.u32 %y, %y, 1; "
	"setp.le.u32 %q, %r, 500; @%q bra loop; mov.b32 %z, 999; st.global.b32 [%out], %z; exit; "
	"done: ";

static const char branches[] =
	"and.b32 %x, %a, 7; "
	"targets: .branchtargets case0, case1, case2, case0, case4, case5, case1, case7; "
	"brx.idx %x, targets; "
	"case0: mov.b32 %r, 100; bra join; "
	"case1: mov.b32 %r, 211; bra join; "
	"case2: mov.b32 %r, 322; bra join; "
	"case4: mov.b32 %r, 544; bra join; "
	"case5: mov.b32 %r, 600; bra tail; "
	"case7: mov.b32 %r, 822; "
	"tail: add.u32 %r, %r, 55; "
	"join: mov.pred %q, %b3; @%q add.u32 %r, %r, 1; ";

static const char machine[] =
	"mov.b32 %r, 1; mov.b32 %x, %a; mov.b32 %y, 0; "
	"targets: .branchtargets op0, op1, op2, op3; "
	"loop: and.b32 %z, %x, 3; shr.u32 %x, %x, 2; brx.idx %z, targets; "
	"op0: add.u32 %r, %r, 1; bra next; "
	"op1: mul.lo.u32 %r, %r, 3; bra next; "
	"op2: xor.b32 %r, %r, 0x55; bra next; "
	"op3: sub.u32 %r, %r, 7; "
	"next: add.u32 %y, %y, 1; setp.lt.u32 %q, %y, 16; @%q bra loop; ";

static const char rejoin[] =
	"@%b0 bra odd; add.u32 %y, %a, 9; bra join; "
	"odd: mul.lo.u32 %y, %a, 3; "
	"join: bar.warp.sync -1; shfl.sync.bfly.b32 %r, %y, 3, 0x1f, -1; ";

static const char warp_parts[] =
	"and.b32 %x, %lane, 1; setp.ne.b32 %q, %x, 0; @%q bra odd; bar.warp.sync 0x55555555; "
	"shfl.sync.bfly.b32 %r, %a, 4, 0x1f, 0x55555555; bra join; "
	"odd: bar.warp.sync 0xaaaaaaaa; shfl.sync.bfly.b32 %r, %a, 2, 0x1f, 0xaaaaaaaa; "
	"join: ";

static const char apart[] =
	"and.b32 %x, %lane, 1; setp.ne.b32 %q, %x, 0; @%q bra odd; bar.warp.sync -1; mov.b32 %r, 1; "
	"bra join; "
	"odd: bar.warp.sync -1; mov.b32 %r, 1; "
	"join: ";

static const char spin[] =
	".reg .b64 %lock; shr.u32 %x, %i, 5; mul.wide.u32 %offset, %x, 2048; mul.wide.u32 %lock, %i, 64; "
	"sub.u64 %lock, %m, %lock; add.u64 %lock, %lock, %offset; mov.b32 %r, 1; mov.b32 %y, 0; "
	"try: atom.global.cas.b32 %x, [%lock], 0, 1; setp.eq.b32 %q, %x, 0; @%q bra taken; "
	"add.u32 %y, %y, 1; "
	"setp.lt.u32 %o, %y, 20000; @%o bra try; mov.b32 %r, 0; bra given_up; "
	"taken: atom.global.exch.b32 %x, [%lock], 0; "
	"given_up: ";

/* clang-format on */
