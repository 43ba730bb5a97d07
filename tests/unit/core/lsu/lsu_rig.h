/* tests/unit/core/lsu/lsu_rig.h -- what test_lsu.c and test_lsu_units.c share. */
#ifndef LSU_RIG_H
#define LSU_RIG_H

#include "tests/unit/core/launch_rig.h"
#include "tests/unit/core/machine_rig.h"

#define SETS(...) ((const char *const[]){ "gpu.sms=1", __VA_ARGS__ NULL })

/* %rd1: the parameter, %r1: the lane, %rd2: the lane's word, %rd3: its result, 64 KB on. Ends with the result
 * in %r9. */
#define KERNEL(body) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .b16 " \
	"%h<9>;\n.reg .pred %p<4>;\n" \
	".local .align 16 .b8 own[64];\n.shared .align 16 .b8 all[1024];\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, " \
	"%rd2;\n" \
	"add.s64 %rd3, %rd2, 65536;\n" body "st.global.u32 [%rd3], %r9;\nret;\n}\n"

/* %rd2 again, once %r2 is there */
#define THEN(register) "and.b32 %r3, " register ", 0;\ncvt.u64.u32 %rd4, %r3;\nadd.s64 %rd2, %rd2, %rd4;\n"

/* The text with each `mark` replaced; valid until two calls later. */
static inline const char *with(const char *text, const char *mark, const char *word)
{
	static char buffers[2][8192];
	static int turn;
	char *out = buffers[turn ^= 1], *to = out;
	const char *at;

	while ((at = strstr(text, mark))) {
		to += sprintf(to, "%.*s%s", (int)(at - text), text, word);
		text = at + strlen(mark);
	}
	strcpy(to, text);
	return out;
}

struct run {
	struct machine *m;
	uint32_t *words;
};

static inline struct run run_for(const char *target, const char *text, const char *const *sets)
{
	struct run r = { .m = machine_new_for(target, text, sets) };
	uint64_t p = memory_allocate(gpu_memory(r.m->gpu), 1 << 18, 256);

	r.words = memory_host(p);
	memset(r.words, 0, 1 << 18);
	for (uint32_t i = 0; i < 8192; i++)
		r.words[i] = 1000 + i;
	machine_launch(r.m, 1, 32, &p);
	cr_assert_eq(r.m->result.outcome, GPU_DONE, "%s", r.m->result.fault.text);
	return r;
}

static inline struct run run(const char *text, const char *const *sets)
{
	return run_for("sm_20", text, sets);
}

#endif
