/* sm.flush: what a launch finds in the caches of instructions and constants. */
#include "tests/unit/core/machine_rig.h"

static const char body[] =
	".const .align 256 .b8 table[512];\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n"
	".reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.const.u32 %r1, [table];\nld.const.u32 %r2, "
	"[table+256];\n"
	"add.u32 %r3, %r1, %r2;\nst.global.u32 [%rd1], %r3;\nret;\n}\n";

static const char *const names[] = { "sm.instruction.misses", "sm.constant.misses", "sm.l15.misses" };
#define CACHES (sizeof names / sizeof *names)

/* Misses of the first and of the second launch */
static void misses(const char *flush, uint64_t first[CACHES], uint64_t second[CACHES])
{
	const char *sets[] = { "gpu.sms=1", "gpu.shader_mhz=700", "gpu.core_mhz=700", "sm.l15.enabled=true",
		flush, NULL };
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 256, 256);

	m->image->symbols[0].address = memory_allocate(gpu_memory(m->gpu), 512, 256);
	memset(memory_host(m->image->symbols[0].address), 0, 512);
	ptx_image_relocate(m->image);
	machine_launch(m, 1, 32, &p);
	for (size_t i = 0; i < CACHES; i++)
		first[i] = machine_stat(m, names[i]);
	machine_launch(m, 1, 32, &p);
	for (size_t i = 0; i < CACHES; i++)
		second[i] = machine_stat(m, names[i]) - first[i];
	machine_free(m);
}

Test(flush, a_launch_finds_code_and_constants_only_without_it)
{
	uint64_t first[CACHES], second[CACHES];

	misses("sm.flush=false", first, second);
	for (size_t i = 0; i < CACHES; i++) {
		cr_expect_gt(first[i], 0, "%s", names[i]);
		cr_expect_eq(second[i], 0, "%s", names[i]);
	}
	misses("sm.flush=true", first, second);
	for (size_t i = 0; i < CACHES; i++)
		cr_expect(first[i] && second[i] == first[i], "%s: %llu, %llu", names[i],
			(unsigned long long)first[i], (unsigned long long)second[i]);
}
