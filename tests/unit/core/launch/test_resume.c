/* A launch that is taken in its middle (cta_state.c, take_launch.c) and goes on in another machine
 * (resume.c): its values are those of a whole run, and bytes that are not such a state are refused. */
#include "tests/unit/core/machine_rig.h"
#include "core/gpu/point.h"
#include "core/kernel/launch.h"
#include "core/simt/resume.h"
#include "core/simt/cta_state.h"
#include "core/simt/warp.h"
#include "sim/base/random.h"

enum { CTAS = 9, THREADS = 80, WORDS = CTAS * THREADS };

/* Each thread sums numbers of its neighbour, which come by shared memory, in a loop whose length depends on
 * the lane; a branch leaves lanes on two ways, and local memory has a part of the sum. */
static const char sums[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<6>;\n.reg .pred %q<4>;\n"
	".shared .align 4 .u32 s[96];\n.local .align 4 .u32 l[2];\n"
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"shl.b32 %r5, %r1, 2;\nmov.u32 %r6, s;\nadd.u32 %r6, %r6, %r5;\nmov.u32 %r7, 0;\nmov.u32 %r8, %r4;\n"
	"st.local.u32 [l], %r4;\n"
	"L:\nst.shared.u32 [%r6], %r8;\nbar.sync 0;\nxor.b32 %r9, %r1, 1;\nshl.b32 %r9, %r9, 2;\nmov.u32 "
	"%r10, s;\n"
	"add.u32 %r10, %r10, %r9;\nld.shared.u32 %r11, [%r10];\nbar.sync 0;\nand.b32 %r12, %r11, 3;\n"
	"setp.eq.u32 %q1, %r12, 0;\n@%q1 bra M;\nmad.lo.u32 %r8, %r8, 5, %r11;\nbra N;\nM:\n"
	"ld.local.u32 %r13, [l];\nadd.u32 %r13, %r13, %r11;\nst.local.u32 [l], %r13;\nadd.u32 %r8, %r8, 7;\n"
	"N:\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %q2, %r7, 12;\n@%q2 bra L;\n"
	"ld.local.u32 %r13, [l];\nadd.u32 %r8, %r8, %r13;\nst.global.u32 [%rd3], %r8;\nret;\n}\n";

/* The machine with its buffer, and what is taken of the launch. */
struct stop {
	struct machine *machine;
	struct launch launch;
	uint64_t buffer;
	struct launch_resume taken;
	uint32_t memory[WORDS], at_end[WORDS]; /* then; of the whole run */
	uint64_t instructions;                 /* of warps, of the whole run */
	bool is_taken;
};

static void set_up(struct stop *s, const char *one, const char *two)
{
	const char *sets[] = { one, one ? two : NULL, NULL };

	*s = (struct stop){ .machine = machine_new(sums, sets) };
	s->buffer = memory_allocate(gpu_memory(s->machine->gpu), WORDS * 4, 256);
	memset(memory_host(s->buffer), 0, WORDS * 4);
	s->launch = (struct launch){ .kernel = &s->machine->image->kernels[0],
		.grid = { CTAS, 1, 1 },
		.block = { THREADS, 1, 1 },
		.params = (const uint8_t *)&s->buffer };
}

/* There is device memory for one machine at a time. */
static void machine_goes(struct stop *s)
{
	machine_free(s->machine);
	s->machine = NULL;
}

static void tear_down(struct stop *s)
{
	resume_free(&s->taken);
	if (s->machine)
		machine_goes(s);
}

static void take(void *user)
{
	struct stop *s = user;
	const struct launch *launch;
	addr local;
	const char *wrong = gpu_take_launch(s->machine->gpu, &s->taken, &launch, &local);

	cr_assert_null(wrong, "%s", wrong);
	memcpy(s->memory, memory_host(s->buffer), sizeof(s->memory));
	s->is_taken = true;
}

static void run(struct stop *s)
{
	run_launch(s->machine->gpu, &s->launch, false, &s->machine->result);
	cr_assert_eq(s->machine->result.outcome, GPU_DONE, "%s", s->machine->result.fault.text);
}

/* Runs the launch whole, and takes it on the way. */
static void take_at(struct stop *s, enum gpu_point_kind kind, uint64_t value)
{
	set_up(s, "gpu.sms=2", "gpu.dispatch.max_ctas_per_sm=2");
	gpu_set_point(s->machine->gpu,
		&(struct gpu_point){ .kind = kind, .value = value, .reached = take, .user = s });
	run(s);
	cr_assert(s->is_taken, "the launch ends before %llu", (unsigned long long)value);
	memcpy(s->at_end, memory_host(s->buffer), sizeof(s->at_end));
	s->instructions = s->machine->result.stats.warp_instructions;
}

static void goes_on_in(const struct stop *from, const char *one, const char *two)
{
	struct stop s;

	set_up(&s, one, two);
	cr_assert_eq(s.buffer, from->buffer);
	memcpy(memory_host(s.buffer), from->memory, sizeof(from->memory));
	s.taken = resume_copy(&from->taken);
	s.launch.resume = &s.taken;
	cr_assert(resume_fits(&s.launch, &s.taken));
	run(&s);
	cr_assert_arr_eq(memory_host(s.buffer), from->at_end, WORDS * 4);
	cr_assert_eq(s.machine->result.stats.ctas, CTAS - (s.taken.next_cta - s.taken.count),
		"those that had not ended");
	cr_assert_eq(s.machine->result.stats.warp_instructions + from->taken.known.warp_instructions,
		from->instructions);
	tear_down(&s);
}

Test(resume, a_launch_goes_on_in_any_machine)
{
	static const struct {
		enum gpu_point_kind kind;
		uint64_t value;
	} points[] = { { POINT_INSTRUCTIONS, 1 }, { POINT_INSTRUCTIONS, 20000 },
		{ POINT_INSTRUCTIONS, 60000 }, { POINT_CYCLE, 700 }, { POINT_CYCLE, 2001 } };

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		struct stop s;

		take_at(&s, points[i].kind, points[i].value);
		cr_assert_gt(s.taken.count, 0);
		machine_goes(&s);
		goes_on_in(&s, "gpu.sms=2", "gpu.dispatch.max_ctas_per_sm=2");
		goes_on_in(&s, "gpu.sms=5", "sm.scheduler.policy=lrr");
		goes_on_in(&s, "gpu.sms=1", "gpu.dispatch.max_ctas_per_sm=1");
		tear_down(&s);
	}
}

Test(resume, ctas_start_in_the_order_of_their_numbers_and_those_in_the_middle_first)
{
	struct stop s;
	struct kernel_run *run = calloc(1, sizeof(*run));
	uint64_t first;

	take_at(&s, POINT_INSTRUCTIONS, 40000);
	kernel_run_init(run, &s.launch, 0);
	cr_assert(resume_begin(run, &s.taken));
	first = run->next_cta;
	cr_assert_eq(first, run->resume.next_cta - run->resume.count);
	for (uint64_t place = first; place < run->resume.next_cta; place++) {
		cr_assert_not_null(resume_state(run, place));
		cr_assert_eq(resume_number(run, place), run->resume.ctas[place - first].number);
		cr_assert(place == first || resume_number(run, place) > resume_number(run, place - 1));
	}
	cr_assert_null(resume_state(run, run->resume.next_cta), "it has not begun");
	cr_assert_eq(resume_number(run, run->resume.next_cta), run->resume.next_cta);
	cr_assert_eq(run->ctas_done, first, "the others have ended");
	kernel_run_fini(run);
	free(run);
	tear_down(&s);
}

/* Whether the launch could go on with its first CTA's state so changed. */
static bool fits_with(const struct stop *s, size_t size, size_t at, uint64_t number)
{
	struct launch_resume r = resume_copy(&s->taken);
	bool fits;

	r.ctas[0].size = size;
	if (at + sizeof(number) <= size)
		memcpy(r.ctas[0].bytes + at, &number, sizeof(number));
	fits = resume_fits(&s->launch, &r);
	resume_free(&r);
	return fits;
}

Test(resume, bytes_that_are_no_state_of_the_launch_are_refused)
{
	struct stop s;
	size_t whole, none = SIZE_MAX;
	struct sim_random *r = sim_random_new(3, 0);

	take_at(&s, POINT_INSTRUCTIONS, 30000);
	whole = s.taken.ctas[0].size;
	cr_assert(fits_with(&s, whole, none - 8, 0), "as it is");
	for (size_t size = 0; size < whole; size += size < 2000 ? 1 : 977)
		cr_assert_not(fits_with(&s, size, none - 8, 0), "%zu of %zu bytes", size, whole);
	cr_assert_not(fits_with(&s, whole, 0, CTAS), "a number behind the grid");
	cr_assert_not(fits_with(&s, whole, 8, 0), "no warp lives");
	cr_assert_not(fits_with(&s, whole, 8, UINT64_MAX), "more warps than the CTA has");
	cr_assert_not(fits_with(&s, whole, 16, UINT64_MAX), "warps at barriers that have exited");
	for (size_t barrier = 0; barrier < ALL_BARRIERS; barrier++)
		cr_assert_not(fits_with(&s, whole, 24 + barrier * 48, s.taken.ctas[0].live),
			"warps wait at barrier %zu that run or wait at another", barrier);
	for (int i = 0; i < 2000; i++) /* whatever they are: it is decided, under AddressSanitizer too */
		fits_with(&s, whole, sim_random_below(r, (uint32_t)(whole < 4000 ? whole : 4000)) & ~7u,
			(uint64_t)sim_random_bits(r) << (i % 33));
	sim_random_free(r);
	tear_down(&s);
}

Test(resume, states_in_a_wrong_order_or_of_another_launch_are_refused)
{
	struct stop s;
	struct launch_resume r;
	struct launch other;

	take_at(&s, POINT_INSTRUCTIONS, 40000);
	cr_assert_gt(s.taken.count, 1);
	r = resume_copy(&s.taken);
	r.next_cta = CTAS + 1;
	cr_assert_not(resume_fits(&s.launch, &r), "more CTAs than the grid has");
	r.next_cta = r.ctas[r.count - 1].number;
	cr_assert_not(resume_fits(&s.launch, &r), "one that has not begun");
	resume_free(&r);
	r = resume_copy(&s.taken);
	struct cta_state swapped = r.ctas[0];
	r.ctas[0] = r.ctas[1];
	r.ctas[1] = swapped;
	cr_assert_not(resume_fits(&s.launch, &r), "numbers fall");
	resume_free(&r);
	other = s.launch;
	other.block[0] = THREADS - 32;
	cr_assert_not(resume_fits(&other, &s.taken), "a warp less");
	tear_down(&s);
}
