/* Latencies of conversions by what they convert, and of instructions between lanes: chains of one kind take
 * as long as their own class says, and as long as the class that they are like until it says so. */
#include "core/gpu/gpu_internal.h"
#include "tests/unit/core/machine_rig.h"

enum { LINKS = 100 };

/* Cycles of a launch of one warp with a chain of so many links. */
static uint64_t run(const char *link, const char *set, const char *more)
{
	const char *const sets[] = { "gpu.sms=1", set, more, NULL };
	static char text[20000];
	char *to = text;
	struct machine *m;
	uint64_t p, all;

	to += sprintf(to,
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<9>; "
		".reg .b64 %%d<4>; .reg .f32 %%f<3>; .reg .f64 %%g<3>; .reg .b16 %%h<3>; .reg .pred %%p<3>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; mov.f32 %%f1, 0f3f800000; mov.u64 %%d2, "
		"%%d1;\n");
	for (uint32_t i = 0; i < LINKS; i++)
		to += sprintf(to, "%s\n", link);
	sprintf(to, "mov.b32 %%r2, %%f1; add.u32 %%r1, %%r1, %%r2;\nst.global.u32 [%%d1], %%r1;\nret;\n}\n");
	m = machine_new_for("sm_80", text, sets);
	p = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 1, 32, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	all = machine_stat(m, "gpu.cycles");
	machine_free(m);
	return all;
}

/* `own` makes the chain longer by `more` cycles a link; `like` does, too, as long as `own` is not set. */
static void belongs(const char *link, const char *own, const char *like, uint64_t more)
{
	uint64_t first = run(link, "sm.latency.guard=0", "sm.latency.guard=0"), second = run(link, own, own),
		 third = run(link, like, like);

	cr_expect_leq(llabs((long long)(second - first) - (long long)more * LINKS), LINKS,
		"%s with %s: %llu, %llu", link, own, (unsigned long long)first, (unsigned long long)second);
	cr_expect_leq(llabs((long long)(third - first) - (long long)more * LINKS), LINKS,
		"%s with %s: %llu, %llu", link, like, (unsigned long long)first, (unsigned long long)third);
}

Test(classes, of_conversions)
{
	belongs("cvt.rzi.s32.f32 %r1, %f1; mov.b32 %f1, %r1;", "sm.latency.convert_int=40",
		"sm.latency.convert=40", 30);
	belongs("cvt.rzi.s64.f32 %d2, %f1; mov.b64 {%r2, %r1}, %d2; mov.b32 %f1, %r1;",
		"sm.latency.convert_wide=40", "sm.latency.convert=40", 30);
	belongs("cvt.f64.f32 %g1, %f1; mov.b64 {%r2, %r1}, %g1; mov.b32 %f1, %r1;",
		"sm.latency.convert_wide=40", "sm.latency.convert=40", 30);
	belongs("cvt.rn.f16.f32 %h1, %f1; mov.b32 %f1, {%h1, %h1};", "sm.latency.convert_half=40",
		"sm.latency.convert=40", 30);
}

Test(classes, of_conversions_from_integers_are_the_plain_one)
{
	uint64_t plain =
		run("cvt.rn.f32.s32 %f1, %r1; mov.b32 %r1, %f1;", "sm.latency.convert=10", "gpu.seed=1");

	cr_expect_eq(plain,
		run("cvt.rn.f32.s32 %f1, %r1; mov.b32 %r1, %f1;", "sm.latency.convert_int=40",
			"sm.latency.convert_wide=40"));
}

Test(classes, of_products)
{
	belongs("mul.hi.u32 %r1, %r1, 5;", "sm.latency.int_high=40", "sm.latency.int_mul=40", 30);
}

Test(classes, of_what_lanes_exchange)
{
	belongs("shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", "sm.latency.shuffle=40", "sm.latency.int_mul=40",
		30);
	belongs("match.any.sync.b32 %r1, %r1, -1;", "sm.latency.match=40", "sm.latency.int_mul=40", 30);
	belongs("redux.sync.add.u32 %r1, %r1, -1;", "sm.latency.reduce=40", "sm.latency.int_mul=40", 30);
	belongs("setp.ne.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r1, %p1, -1;", "sm.latency.vote=40",
		"sm.latency.vote=40", 30);
}
