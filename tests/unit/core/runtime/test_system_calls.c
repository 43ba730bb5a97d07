/* System calls and barriers within functions, from PTX to what they do, with timing and without. */
#include "tests/unit/core/kernel_rig.h"
#include <stdio.h>

#define EXTERNS \
	".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n" \
	".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n" \
	".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param " \
	".b64 s);\n" \
	".global .align 1 .b8 format[12] = {116, 37, 100, 32, 37, 46, 49, 102, 10, 0};\n" /* "t%d %.1f\n" */ \
	".global .align 1 .b8 what[4] = {120, 62, 48, 0};\n"

/* The two arguments in local memory: the thread, and its half as a double. */
static const char printing[] = EXTERNS KERNEL(
	".local .align 8 .b8 block[16];\n.reg .b64 %s<4>;\n.reg .f64 %d;\ncvt.rn.f64.u32 %d, %r0;\nmul.f64 "
	"%d, %d, 0d3fe0000000000000;\n"
	"st.local.u32 [block], %r0;\nst.local.f64 [block+8], %d;\nmov.u64 %s1, block;\ncvta.local.u64 %s1, "
	"%s1;\n"
	"mov.u64 %s2, format;\ncvta.global.u64 %s2, %s2;\n"
	"{ .param .b64 p0; .param .b64 p1; .param .b32 q;\nst.param.b64 [p0], %s2;\nst.param.b64 [p1], %s1;\n"
	"call.uni (q), vprintf, (p0, p1);\nld.param.b32 %r3, [q]; }\nst.global.u32 [%rd0], %r3;");

static char *output_of(struct bench *b, bool errors)
{
	char *text[2];
	size_t size[2];
	FILE *out = open_memstream(&text[0], &size[0]), *error = open_memstream(&text[1], &size[1]);

	gpu_flush_output(b->gpu, out, error);
	fclose(out);
	fclose(error);
	free(text[!errors]);
	return text[errors];
}

Test(system_calls, a_kernel_prints)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, printing, 24);
		char *text, expected[1024] = "", line[32];

		bench_run(b, 1, 24, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (unsigned i = 0; i < 24; i++) {
			snprintf(line, sizeof(line), "t%u %.1f\n", i, i / 2.0);
			strcat(expected, line);
			cr_assert_eq(b->at[i], 2);
		}
		text = output_of(b, false);
		cr_assert_str_eq(text, expected);
		free(text);
		bench_free(b);
	}
}

/* A block for each thread, filled, read back and freed; all at once would not fit twice. */
static const char allocating[] = EXTERNS KERNEL(
	"{ .param .b64 p0; .param .b64 q;\nst.param.b64 [p0], 4096;\ncall.uni (q), malloc, "
	"(p0);\nld.param.b64 %rd2, [q]; }\n"
	"setp.eq.s64 %p1, %rd2, 0;\nmov.u32 %r3, 0;\n@%p1 bra done;\nst.u32 [%rd2], %r0;\nst.u32 "
	"[%rd2+4092], %r0;\n"
	"ld.u32 %r3, [%rd2];\nld.u32 %r4, [%rd2+4092];\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, 1;\n"
	"{ .param .b64 p0;\nst.param.b64 [p0], %rd2;\ncall.uni free, (p0); }\ndone: st.global.u32 [%rd0], "
	"%r3;");

Test(system_calls, a_kernel_allocates)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, allocating, 256);

		cr_assert(gpu_set_heap(b->gpu, 256 * 4096));
		for (int n = 0; n < 3; n++) {
			bench_run(b, 4, 64, functional);
			cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
			for (unsigned i = 0; i < 256; i++)
				cr_assert_eq(b->at[i], 2 * i + 1, "launch %d thread %u: %u", n, i, b->at[i]);
		}
		bench_free(b);
	}
}

static const char asserting[] = EXTERNS KERNEL(
	"setp.ne.u32 %p1, %r0, 3;\n@%p1 bra done;\nmov.u64 %rd2, what;\ncvta.global.u64 %rd2, %rd2;\n"
	"{ .param .b64 a; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;\nst.param.b64 [a], "
	"%rd2;\n"
	"st.param.b64 [f], %rd2;\nst.param.b32 [l], 7;\nst.param.b64 [n], %rd2;\nst.param.b64 [s], 1;\n"
	"call.uni __assertfail, (a, f, l, n, s); }\ndone:");

Test(system_calls, a_kernel_asserts)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, asserting, 32);
		char *text;

		bench_run(b, 1, 32, functional);
		cr_assert(b->result.outcome == GPU_FAULT && b->result.fault.kind == FAULT_ASSERT);
		text = output_of(b, true);
		cr_assert_str_eq(
			text, "x>0:7: x>0: block: [0,0,0], thread: [3,0,0] Assertion `x>0` failed.\n");
		free(text);
		bench_free(b);
	}
}

/* Both branches of warp 0 wait in a function, called from different places, one of them two calls deep. */
static const char waiting[] =
	".shared .align 4 .u32 s[64];\n"
	".func put (.param .b32 at, .param .b32 v)\n{\n.reg .b32 %a<4>;\n.reg .pred %q;\nld.param.b32 %a1, "
	"[at];\nld.param.b32 %a2, [v];\n"
	"st.shared.u32 [%a1], %a2;\nbarrier.sync 0;\nsetp.lt.u32 %q, %a2, 116;\n@%q ret;\nadd.u32 %a3, %a1, "
	"0;\nret;\n}\n"
	".func put2 (.param .b32 at, .param .b32 v)\n{\n.reg .b32 %a<4>;\nld.param.b32 %a1, "
	"[at];\nld.param.b32 %a2, [v];\n"
	"{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %a1;\nst.param.b32 [y], %a2;\ncall put, (x, y); "
	"}\nret;\n}\n" KERNEL("mov.u32 %r5, s;\nshl.b32 %r3, %r2, 2;\nadd.u32 %r3, %r3, %r5;\nxor.b32 %r4, "
			      "%r2, 33;\nshl.b32 %r4, %r4, 2;\n"
			      "add.u32 %r4, %r4, %r5;\nadd.u32 %r6, %r2, 100;\nand.b32 %r7, %r2, "
			      "1;\nsetp.eq.u32 %p1, %r7, 0;\nsetp.lt.u32 %p2, %r2, 32;\n"
			      "and.pred %p1, %p1, %p2;\n@%p1 bra even;\n"
			      "{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %r3;\nst.param.b32 [y], "
			      "%r6;\ncall put, (x, y); }\nbra done;\n"
			      "even:\n{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %r3;\nst.param.b32 "
			      "[y], %r6;\ncall put2, (x, y); }\n"
			      "done: ld.shared.u32 %r8, [%r4];\nst.global.u32 [%rd0], %r8;");

Test(system_calls, barriers_within_functions_wait_for_all_paths)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, waiting, 64);

		bench_run(b, 1, 64, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < 64; i++)
			cr_assert_eq(b->at[i], (i ^ 33) + 100, "thread %u: %u", i, b->at[i]);
		bench_free(b);
	}
}

/* A path returns while another of its warp is still parked in a call that the first one never made. */
static const char returning[] =
	".shared .align 4 .u32 s[64];\n"
	".func (.param .b32 r) inner (.param .b32 at)\n{\n.reg .b32 %a<4>;\nld.param.b32 %a1, "
	"[at];\nbarrier.sync 0;\n"
	"ld.shared.u32 %a2, [%a1];\nst.param.b32 [r], %a2;\nret;\n}\n"
	".func (.param .b32 r) outer (.param .b32 at, .param .b32 odd)\n{\n.reg .b32 %a<4>;\n.reg .pred "
	"%q;\nld.param.b32 %a1, [at];\n"
	"ld.param.b32 %a2, [odd];\nsetp.eq.u32 %q, %a2, 0;\n@%q bra even;\nbarrier.sync 0;\nld.shared.u32 "
	"%a3, [%a1];\n"
	"st.param.b32 [r], %a3;\nret;\neven:\n{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %a1;\ncall "
	"(y), inner, (x);\n"
	"ld.param.b32 %a3, [y]; }\nst.param.b32 [r], %a3;\nret;\n}\n" KERNEL(
		"mov.u32 %r5, s;\nshl.b32 %r3, %r2, 2;\nadd.u32 %r3, %r3, %r5;\nxor.b32 %r4, %r2, "
		"33;\nshl.b32 %r4, %r4, 2;\n"
		"add.u32 %r4, %r4, %r5;\nadd.u32 %r6, %r2, 100;\nand.b32 %r7, %r2, 1;\nst.shared.u32 [%r3], "
		"%r6;\n"
		"{ .param .b32 x; .param .b32 y; .param .b32 z;\nst.param.b32 [x], %r4;\nst.param.b32 [y], "
		"%r7;\n"
		"call (z), outer, (x, y);\nld.param.b32 %r8, [z]; }\nst.global.u32 [%rd0], %r8;");

Test(system_calls, a_path_returns_past_the_calls_of_others)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80, returning, 64);

		bench_run(b, 1, 64, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < 64; i++)
			cr_assert_eq(b->at[i], (i ^ 33) + 100, "thread %u: %u", i, b->at[i]);
		bench_free(b);
	}
}
