/* Offsets at and beyond the ends of what a kernel can name: the code of a chip has the values, or the fault
 * at its line, of the code as written. */
#include "frontend/ptx.h"
#include "memsys/memory.h"
#include "sim/base/diag.h"
#include "sim/config/config.h"
#include "tests/unit/core/run_launch.h"
#include "tests/unit/core/launch_none.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 32
#define WORDS   4 /* of each thread */

/* ---- random modules ---- */

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % n;
}

/* What can be named, with its size and its instructions. */
static const struct place {
	const char *space, *name;
	int64_t bytes;
	bool is_stored;
} places[] = {
	{ "param", "block", 48, false }, { "const", "table", 40, false }, { "shared", "tile", 64, true },
	{ "local", "own", 32, true }, { "param", "last", 4, false }, /* too short for some */
};
#define PLACES (sizeof(places) / sizeof(*places))

/* Near either end, or far away. */
static int64_t offset_near(int64_t bytes)
{
	static const int64_t far[] = { 1 << 24, -(1 << 24), 1000000000, -1000000000, INT32_MAX, INT32_MIN,
		UINT32_MAX, INT64_C(1) << 32, -(INT64_C(1) << 32), INT64_C(1) << 62, INT64_MAX, INT64_MIN };

	int64_t step = below(8) ? 4 : 1;

	switch (below(4)) {
	case 0:
		return ((int64_t)below(8) - 4) * step;
	case 1:
		return bytes + ((int64_t)below(8) - 4) * step;
	case 2:
		return (int64_t)below((uint32_t)bytes) / 8 * 8;
	default:
		return (int64_t)((uint64_t)far[below(sizeof(far) / sizeof(*far))] + below(3) * 4);
	}
}

/* Nothing that is loaded is in vain. */
#define SUM \
	"mad.lo.u32 %%r13, %%r13, 3, %%r4;\nmad.lo.u32 %%r13, %%r13, 3, %%r5;\nmad.lo.u32 %%r13, %%r13, 3, " \
	"%%r6;\nmad.lo.u32 %%r13, %%r13, 3, %%r7;\nadd.u64 %%rd6, %%rd6, %%rd4;\n"

/* One access of 32 or 64 bits, or of a vector, in one of the ways to name its place; into *text. */
static void access_of(char *text, size_t size, const struct place *p, int64_t offset)
{
	static const char *const loads[] = { "ld.%s.u32 %%r4, ", "ld.%s.v2.u32 {%%r4, %%r5}, ",
		"ld.%s.v4.u32 {%%r4, %%r5, %%r6, %%r7}, ", "ld.%s.u64 %%rd4, ", "ld.%s.u8 %%r4, " };
	char load[64], address[128] = "", setup[256] = "";
	bool stores = p->is_stored && below(3) == 0;

	snprintf(load, sizeof(load), loads[below(5)], p->space);
	switch (below(p->space[0] == 's' ? 4 : 3)) {
	case 0:
		snprintf(address, sizeof(address), "[%s+%lld]", p->name, (long long)offset);
		break;
	case 1:
		snprintf(setup, sizeof(setup), "mov.u64 %%rd5, %s;\n", p->name);
		snprintf(address, sizeof(address), "[%%rd5+%lld]", (long long)offset);
		break;
	case 2:
		snprintf(setup, sizeof(setup), "mov.u64 %%rd5, %s;\nadd.s64 %%rd5, %%rd5, %lld;\n", p->name,
			(long long)offset);
		snprintf(address, sizeof(address), "[%%rd5]");
		break;
	default:
		snprintf(setup, sizeof(setup), "mov.u32 %%r8, %s;\nadd.s32 %%r8, %%r8, %d;\n", p->name,
			(int32_t)offset);
		snprintf(address, sizeof(address), "[%%r8]");
	}
	if (stores)
		snprintf(text, size, "%sst.%s.u32 %s, %%r1;\n", setup, p->space, address);
	else
		snprintf(text, size, "%s%s%s;\n" SUM, setup, load, address);
}

/* A kernel with accesses to three places, of which one may lie outside. */
static void write_module(char *text, size_t size)
{
	char accesses[3][1024];
	uint32_t wild = below(3);

	for (uint32_t i = 0; i < 3; i++) {
		const struct place *p = &places[below(i == wild ? PLACES : PLACES - 1)];

		access_of(accesses[i], sizeof(accesses[i]), p, i == wild ? offset_near(p->bytes) : 0);
	}
	snprintf(text, size,
		".version 7.0\n.target sm_70\n.address_size 64\n"
		".const .align 16 .b32 table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};\n"
		".visible .entry k(.param .u64 out, .param .align 16 .b8 block[48], .param .u32 last)\n{\n"
		".reg .b32 %%r<20>;\n.reg .b64 %%rd<20>;\n"
		".shared .align 16 .b8 tile[64];\n.local .align 16 .b8 own[32];\n"
		"ld.param.u64 %%rd1, [out];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, 7;\n"
		"mov.u32 %%r13, 0;\nmov.u64 %%rd6, 0;\nmov.u32 %%r4, 0;\nmov.u32 %%r5, 0;\nmov.u32 %%r6, "
		"0;\nmov.u32 %%r7, 0;\nmov.u64 %%rd4, 0;\n"
		"st.shared.u32 [tile], %%r2;\nst.shared.u32 [tile+4], %%r2;\nst.local.u32 [own], %%r1;\n"
		"st.local.u32 [own+28], %%r2;\n"
		"%s%s%s"
		"cvt.u32.u64 %%r9, %%rd6;\nshr.u64 %%rd6, %%rd6, 32;\ncvt.u32.u64 %%r10, %%rd6;\n"
		"mul.wide.u32 %%rd2, %%r1, 16;\nadd.u64 %%rd3, %%rd1, %%rd2;\n"
		"ld.shared.u32 %%r12, [tile];\nadd.u32 %%r11, %%r13, %%r12;\nld.shared.u32 %%r12, [tile+4];\n"
		"ld.local.u32 %%r14, [own+28];\nadd.u32 %%r12, %%r12, %%r14;\n"
		"st.global.u32 [%%rd3], %%r10;\nst.global.u32 [%%rd3+4], %%r11;\nst.global.u32 [%%rd3+8], "
		"%%r9;\n"
		"st.global.u32 [%%rd3+12], %%r12;\nret;\n}\n",
		accesses[0], accesses[1], accesses[2]);
}

/* ---- how it ends ---- */

struct rig {
	struct config *config;
	struct gpu *gpu;
	uint64_t out;
	struct diag_list diags;
};

static struct rig rig_start(void)
{
	struct rig r = { .config = config_new() };

	diag_init(&r.diags);
	set_no_launch_cost(r.config, &r.diags);
	cr_assert(config_set(r.config, "gpu.sms=1", &r.diags));
	r.gpu = gpu_new(r.config, &r.diags);
	cr_assert(r.gpu);
	r.out = memory_allocate(gpu_memory(r.gpu), THREADS * WORDS * 4, 256);
	return r;
}

static void rig_end(struct rig *r)
{
	gpu_free(r->gpu);
	config_free(r->config);
	diag_fini(&r->diags);
}

struct ending {
	enum gpu_outcome outcome;
	enum fault_kind kind;
	uint32_t line;
	uint32_t words[THREADS * WORDS];
};

static void place_symbols(const struct rig *r, struct ptx_image *image, bool is_there)
{
	for (uint32_t i = 0; i < image->symbol_count; i++) {
		struct ptx_symbol *s = &image->symbols[i];

		if (!is_there) {
			memory_release(gpu_memory(r->gpu), s->address);
			continue;
		}
		s->address = memory_allocate(gpu_memory(r->gpu), s->size, s->align);
		memcpy(memory_host(s->address), s->data, s->size);
	}
	if (is_there)
		ptx_image_relocate(image);
}

static struct ending end_of(struct rig *r, struct ptx_image *image, bool is_functional)
{
	uint32_t bytes = image->kernels[0].param_bytes;
	uint8_t *params = calloc(1, bytes); /* no more, so that a read beyond is found */
	struct launch launch = {
		.kernel = &image->kernels[0], .grid = { 1, 1, 1 }, .block = { THREADS, 1, 1 }
	};
	struct launch_result result;
	struct ending e;

	memset(&e, 0, sizeof(e));
	memcpy(params, &r->out, sizeof(r->out));
	for (uint32_t i = sizeof(r->out); i < bytes; i++)
		params[i] = (uint8_t)i;
	launch.params = params;
	memset(memory_host(r->out), 0, sizeof(e.words));
	run_launch(r->gpu, &launch, is_functional, &result);
	e.outcome = result.outcome;
	e.kind = result.fault.kind;
	e.line = result.fault.line;
	if (result.outcome == GPU_DONE)
		memcpy(e.words, memory_host(r->out), sizeof(e.words));
	cr_assert(gpu_recover(r->gpu));
	free(params);
	return e;
}

static struct ptx_image *lower_for(struct ptx_module *module, uint32_t sm, struct diag_list *diags)
{
	struct ptx_lowering how = { .timed_code = sm ? PTX_SCHEDULED : PTX_AS_WRITTEN, .sm = sm };

	return ptx_lower_as(&module, 1, &how, diags);
}

/* Whether it ended in a fault. */
static bool try_module(struct rig *r, const char *text)
{
	static const uint32_t chips[] = { 0, 20, 75, 90 };
	struct ptx_module *module = ptx_parse(text, strlen(text), "random.ptx", &r->diags);
	struct ending first;

	if (!module)
		diag_print(&r->diags, stderr);
	cr_assert(module, "%s", text);
	for (uint32_t i = 0; i < 4; i++) {
		struct ptx_image *image = lower_for(module, chips[i], &r->diags);

		cr_assert(image, "%s", text);
		place_symbols(r, image, true);
		for (int timed = 0; timed < 2; timed++) {
			struct ending e = end_of(r, image, !timed);

			if (!i && !timed)
				first = e;
			cr_expect(!memcmp(&e, &first, sizeof(e)),
				"sm_%u, %s: %d %d line %u, as written: %d %d line %u\n%s", chips[i],
				timed ? "timed" : "untimed", e.outcome, e.kind, e.line, first.outcome,
				first.kind, first.line, text);
		}
		place_symbols(r, image, false);
		ptx_image_free(image);
	}
	ptx_module_free(module);
	return first.outcome == GPU_FAULT;
}

Test(offsets, at_and_beyond_each_end_are_those_of_the_code_as_written, HANG_GUARD)
{
	static char text[4096];
	struct rig r = rig_start();
	uint32_t modules = 4000 / one_in_or(40, 10), faults = 0;

	for (uint32_t i = 0; i < modules; i++) {
		state = 1 + i + modules * slot_of_commit();
		write_module(text, sizeof(text));
		faults += try_module(&r, text);
	}
	cr_assert_gt(faults, modules / 3, "%u of %u", faults, modules);
	cr_assert_lt(faults, modules * 3 / 4, "%u of %u", faults, modules);
	rig_end(&r);
}
