/* The links from the SMs to the L2 may be narrower than those back (xbar.request_flit): stores take their
 * time. */
#include "tests/unit/core/machine_rig.h"

/* A warp stores 64 lines, one after the other. */
static uint64_t cycles_of(const char *link)
{
	const char *sets[] = { "gpu.sms=1", "gpu.partitions=4", "xbar.flit=72", "gpu.xbar_mhz=700",
		"sm.instruction.enabled=false", link, NULL };
	char text[8192], *end = text;
	struct machine *m;
	uint64_t p, taken;

	end = stpcpy(end,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<2>;\n.reg .b64 %rd<4>;\n"
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
		"add.s64 %rd3, %rd1, %rd2;\n");
	for (int i = 0; i < 64; i++)
		end += sprintf(end, "st.global.u32 [%%rd3+%d], %%r1;\n", i * 128);
	strcpy(end, "ret;\n}\n");
	m = machine_new(text, sets);
	p = memory_allocate(gpu_memory(m->gpu), 64 * 128, 256);
	machine_launch(m, 1, 32, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	taken = machine_stat(m, "gpu.cycles");
	machine_free(m);
	return taken;
}

/* 136 bytes a packet: two flits of 72, or seventeen of 8 bytes, of which each takes a cycle. */
Test(request_link, may_be_narrower)
{
	uint64_t same = cycles_of("xbar.request_flit=0"), wide = cycles_of("xbar.request_flit=72");
	uint64_t narrow = cycles_of("xbar.request_flit=8");

	cr_expect_eq(same, wide);
	cr_expect(narrow > same + 64 * 13 && narrow < same + 64 * 16, "%lu, %lu", (unsigned long)narrow,
		(unsigned long)same);
}
