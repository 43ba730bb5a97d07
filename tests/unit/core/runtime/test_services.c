/* What the system does for kernels: the heap, printf, assertions; each as a micro-operation and its commit.
 */
#include "core/runtime/device_printf.h"
#include "core/kernel/kernel_run.h"
#include "core/runtime/heap.h"
#include "core/runtime/services.h"
#include "core/simt/warp.h"
#include "frontend/ptx.h"
#include "tests/unit/core/exec_rig.h"
#include <stdio.h>
#include <stdlib.h>

/* A warp of CTA (3, 0, 0), threads 64 .. 95 of 48 x 2 x 1, with device memory and services. */
struct system {
	struct rig rig;
	struct device_memory *memory;
	struct services *services;
	struct ptx_module module;
	struct ptx_kernel kernel;
	struct launch launch;
	struct kernel_run run;
	struct cta cta;
	struct warp warp;
	addr strings, next;
};

static struct system *system_new(void)
{
	struct system *s = aligned_alloc(64, (sizeof(*s) + 63) / 64 * 64);

	memset(s, 0, sizeof(*s));
	rig_init(&s->rig);
	s->memory = memory_new(64 << 20);
	cr_assert_not_null(s->memory);
	s->services = services_new(s->memory);
	s->module.file = "test.ptx";
	s->kernel = (struct ptx_kernel){ .name = "k", .module = &s->module };
	s->launch = (struct launch){ .kernel = &s->kernel, .grid = { 5, 1, 1 }, .block = { 48, 2, 1 } };
	s->run = (struct kernel_run){ .launch = &s->launch,
		.kernel = &s->kernel,
		.shared_bytes = s->rig.x.shared_bytes,
		.local_bytes = s->rig.x.local_bytes };
	s->cta = (struct cta){ .id = { 3, 0, 0 }, .run = &s->run, .shared = s->rig.shared };
	s->warp = (struct warp){ .cta = &s->cta, .index = 2, .local = s->rig.local };
	s->rig.x.warp = &s->warp;
	s->rig.x.memory = s->memory;
	s->rig.x.services = s->services;
	s->rig.x.serve = services_apply;
	s->strings = s->next = memory_allocate(s->memory, 65536, 256);
	return s;
}

static void system_free(struct system *s)
{
	services_free(s->services);
	memory_free(s->memory);
	free(s);
}

/* A string in device memory. */
static addr put(struct system *s, const char *text)
{
	addr at = s->next;

	memcpy(memory_host(at), text, strlen(text) + 1);
	s->next += strlen(text) + 1;
	return at;
}

static void set_all(struct system *s, unsigned row, uint64_t value)
{
	for (unsigned l = 0; l < 32; l++)
		rig_set(&s->rig, row, 8, l, value);
}

/* Sources in rows 0, 2, 4, 6; the result in row 8. */
static void call(struct system *s, const exec_function *table, enum ptx_syscall which, lane_mask active)
{
	static struct uop u;

	u = (struct uop){
		.code = UOP_SYSCALL, .imm = which, .dst = { 8 }, .src = { 0, 2, 4, 6 }, .line = 17
	};
	rig_run(&s->rig, table, &u, active);
	cr_assert_eq(s->rig.x.write_count, 1, "nothing happens before the commit");
	exec_commit(&s->rig.x);
}

/* What was printed; the caller's to free. */
static char *printed(struct system *s, bool errors)
{
	char *text[2];
	size_t size[2];
	FILE *out = open_memstream(&text[0], &size[0]), *error = open_memstream(&text[1], &size[1]);

	services_flush(s->services, out, error);
	fclose(out);
	fclose(error);
	free(text[!errors]);
	return text[errors];
}

/* ---- the heap ---- */

Test(services, the_heap_gives_the_first_gap_that_is_large_enough)
{
	struct device_memory *memory = memory_new(1 << 20);
	struct heap *heap = heap_new(memory, 4096);
	addr a = heap_allocate(heap, 1), b = heap_allocate(heap, 33), c = heap_allocate(heap, 16), range;

	cr_assert(a && a % 16 == 0 && b == a + 16 && c == b + 48,
		"in whole units of 16 bytes, one after the other");
	range = memory_find(memory, c + 15).end;
	cr_assert(range == a + 4096, "loads and stores find the heap among the allocations");
	cr_assert(heap_release(heap, a) && heap_release(heap, b));
	cr_assert_eq(heap_allocate(heap, 64), a, "the two have merged");
	cr_assert_eq(heap_allocate(heap, 4096 - 80), c + 16, "all the rest");
	cr_assert_eq(heap_allocate(heap, 1), 0, "nothing is left");
	cr_assert(heap_release(heap, c));
	cr_assert_eq(heap_allocate(heap, 17), 0, "too large for the gap");
	cr_assert_eq(heap_allocate(heap, 16), c);
	cr_assert(!heap_release(heap, a + 16) && !heap_release(heap, a + 8) &&
		!heap_release(heap, a + 4096) && !heap_release(heap, 64));
	cr_assert(heap_release(heap, c) && !heap_release(heap, c), "not twice");
	heap_free(heap);
	memory_free(memory);
}

Test(services, the_heap_keeps_blocks_apart)
{
	enum { BLOCKS = 200 };
	struct device_memory *memory = memory_new(1 << 20);
	struct heap *heap = heap_new(memory, 65536);
	addr at[BLOCKS] = { 0 };
	uint64_t size[BLOCKS] = { 0 }, state = 5;

	for (unsigned n = 0; n < 20000; n++) {
		unsigned i = (unsigned)(rig_random(&state) % BLOCKS);

		if (at[i]) {
			for (uint64_t j = 0; j < size[i]; j++)
				cr_assert_eq(((uint8_t *)memory_host(at[i]))[j], (uint8_t)i);
			cr_assert(heap_release(heap, at[i]));
			at[i] = 0;
			continue;
		}
		size[i] = 1 + rig_random(&state) % 900;
		at[i] = heap_allocate(heap, size[i]);
		if (at[i])
			memset(memory_host(at[i]), (int)i, size[i]);
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		cr_assert(!at[i] || heap_release(heap, at[i]));
	cr_assert_neq(heap_allocate(heap, 65536), 0, "all of it is one gap again");
	heap_free(heap);
	memory_free(memory);
}

Test(services, malloc_serves_lanes_in_order_and_zero_when_it_is_exhausted)
{
	for_each_level(table)
	{
		struct system *s = system_new();

		cr_assert(services_set_heap(s->services, 1024));
		for (unsigned l = 0; l < 32; l++)
			rig_set(&s->rig, 0, 8, l, l == 3 ? 0 : 64);
		call(s, table, PTX_SYSCALL_MALLOC, 0x7fffffff);
		cr_assert_eq(rig_get(&s->rig, 8, 8, 3), 0, "of nothing");
		for (unsigned l = 0, n = 0; l < 31; l++) {
			uint64_t block = rig_get(&s->rig, 8, 8, l);

			if (l == 3)
				continue;
			cr_assert_eq(block, n < 16 ? rig_get(&s->rig, 8, 8, 0) + 64 * n : 0, "lane %u", l);
			n++;
		}
		cr_assert_eq(rig_get(&s->rig, 8, 8, 31), 0, "not active");
		cr_assert(!services_set_heap(s->services, 2048), "too late");
		system_free(s);
	}
}

Test(services, free_twice_or_of_what_is_foreign_is_a_fault)
{
	for_each_level(table)
	{
		struct system *s = system_new();

		set_all(s, 0, 256);
		call(s, table, PTX_SYSCALL_MALLOC, 1);
		rig_set(&s->rig, 0, 8, 0, rig_get(&s->rig, 8, 8, 0));
		rig_set(&s->rig, 0, 8, 1, 0);
		call(s, table, PTX_SYSCALL_FREE, 3);
		cr_assert(!s->rig.x.faulted, "null may be freed");
		call(s, table, PTX_SYSCALL_FREE, 1);
		cr_assert(s->rig.x.faulted && s->rig.fault.kind == FAULT_ILLEGAL_INSTRUCTION);
		cr_assert_not_null(strstr(s->rig.fault.text, "freed already"), "%s", s->rig.fault.text);
		cr_assert_not_null(strstr(s->rig.fault.text, "test.ptx:17:"), "%s", s->rig.fault.text);
		system_free(s);
	}
}

/* ---- printf ---- */

/* Arguments as a compiler packs them, and what C's printf makes of them. */
static void expect_format(struct system *s, const char *format, const void *arguments, size_t size, int count,
	const char *expected)
{
	struct lane_memory m = { .memory = s->memory, .local = s->rig.local, .local_bytes = 256 };
	struct text text = { 0 };
	int got;

	memcpy(s->rig.local + 64, arguments, size);
	got = device_printf(&text, &m, put(s, format), LOCAL_WINDOW + 64);
	cr_assert_eq(got, count, "'%s' has %d arguments, not %d", format, count, got);
	cr_assert(text.size == strlen(expected) && !memcmp(text.data ?: "", expected, text.size),
		"'%s' gives '%.*s', not '%s'", format, (int)text.size, text.data, expected);
	free(text.data);
}

Test(services, printf_knows_the_conversions_of_c)
{
	struct system *s = system_new();
	const int32_t minus = -5;
	const double half = 2.5;
	const struct {
		int32_t a;
		int64_t b;
		int32_t c;
		double d;
	} mixed = { -1, -2, 3, 0.125 };
	const int32_t ints[] = { 6, -42, 3, 7 }, letter = 'x';
	const uint64_t big = 0xfedcba9876543210;

	expect_format(s, "plain", "", 0, 0, "plain");
	expect_format(s, "100%%|%", "", 0, 0, "100%|%");
	expect_format(s, "%d|", &minus, 4, 1, "-5|");
	expect_format(s, "%+05d %u %x", (const int32_t[]){ 7, -1, 255 }, 12, 3, "+0007 4294967295 ff");
	expect_format(s, "%d %lld %i %g", &mixed, sizeof(mixed), 4, "-1 -2 3 0.125");
	expect_format(s, "%*d|%-*d|%.*d", (const int32_t[]){ 6, -42, 3, 7, 4, 9 }, 24, 6, "   -42|7  |0009");
	expect_format(s, "%*d|", (const int32_t[]){ -6, 42 }, 8, 2, "42    |");
	expect_format(s, "%llx %lu %zu", (const uint64_t[]){ big, 1, 2 }, 24, 3, "fedcba9876543210 1 2");
	expect_format(s, "%hhd %hd %#o", (const int32_t[]){ 0x1ff, 0x18000, 8 }, 12, 3, "-1 -32768 010");
	expect_format(s, "%c%c", (const int32_t[]){ letter, 'y' }, 8, 2, "xy");
	expect_format(s, "%.3f %e %G %a", (const double[]){ half, half, 1e-10, 1 }, 32, 4,
		"2.500 2.500000e+00 1E-10 0x1p+0");
	expect_format(s, "%8.3f|%-8.1f|", (const double[]){ half, half }, 16, 2, "   2.500|2.5     |");
	expect_format(s, "%p", &big, 8, 1, "0xfedcba9876543210");
	expect_format(s, "%y %5k %d", ints, 4, 1, "%y %5k 6");
	expect_format(s, "%n%d", ints, 4, 1, "%n6");
	system_free(s);
}

Test(services, printf_reads_strings_through_generic_pointers)
{
	struct system *s = system_new();
	const uint64_t pointers[] = { put(s, "device"), LOCAL_WINDOW + 200, 0, SHARED_WINDOW + 8 };
	struct lane_memory m = { .memory = s->memory,
		.local = s->rig.local,
		.local_bytes = 256,
		.shared = s->rig.shared,
		.shared_bytes = 64 };
	struct text text = { 0 };

	strcpy((char *)s->rig.local + 200, "local");
	strcpy((char *)s->rig.shared + 8, "shared");
	memcpy(s->rig.local + 64, pointers, sizeof(pointers));
	cr_assert_eq(device_printf(&text, &m, put(s, "%s|%8.3s|%-7s|%s"), LOCAL_WINDOW + 64), 4);
	text_append(&text, "", 1);
	cr_assert_str_eq(text.data, "device|     loc|(null) |shared");
	free(text.data);
	system_free(s);
}

Test(services, printf_prints_at_the_flush_lane_by_lane)
{
	for_each_level(table)
	{
		struct system *s = system_new();
		char *text;

		set_all(s, 0, put(s, "lane %d\n"));
		for (unsigned l = 0; l < 32; l++) {
			rig_set(&s->rig, 2, 8, l, LOCAL_WINDOW + 16);
			memcpy(s->rig.local + 256 * l + 16, &l, 4);
		}
		call(s, table, PTX_SYSCALL_VPRINTF, 0x80000005);
		cr_assert_eq(s->rig.registers[8][2], 1, "one argument");
		cr_assert_eq(s->rig.registers[8][3], 0, "not active");
		set_all(s, 0, 0);
		call(s, table, PTX_SYSCALL_VPRINTF, 2);
		cr_assert_eq(s->rig.registers[8][1], UINT32_MAX, "a null format");
		text = printed(s, false);
		cr_assert_str_eq(text, "lane 0\nlane 2\nlane 31\n");
		free(text);
		text = printed(s, false);
		cr_assert_str_eq(text, "", "once");
		free(text);
		system_free(s);
	}
}

Test(services, the_oldest_output_is_lost_when_the_buffer_is_full)
{
	struct system *s = system_new();
	const exec_function *table = exec_table();
	char *text;

	cr_assert(services_set_output(s->services, 20));
	for (unsigned l = 0; l < 32; l++) {
		rig_set(&s->rig, 2, 8, l, LOCAL_WINDOW);
		memcpy(s->rig.local + 256 * l, &l, 4);
	}
	set_all(s, 0, put(s, "line %02d\n"));
	call(s, table, PTX_SYSCALL_VPRINTF, UINT32_MAX);
	text = printed(s, false);
	cr_assert_str_eq(text, "line 30\nline 31\n");
	free(text);
	call(s, table, PTX_SYSCALL_VPRINTF, 0xf);
	text = printed(s, true);
	cr_assert_not_null(
		strstr(text, "the first 2 of what the kernel printed are lost: its buffer has 20 bytes"),
		"%s", text);
	free(text);
	system_free(s);
}

Test(services, printf_of_a_stray_pointer_is_a_fault_with_the_address)
{
	for_each_level(table)
	{
		struct system *s = system_new();

		set_all(s, 0, put(s, "%s"));
		set_all(s, 2, LOCAL_WINDOW);
		memcpy(s->rig.local, &(uint64_t){ 0x1234 }, 8);
		call(s, table, PTX_SYSCALL_VPRINTF, 1);
		cr_assert(s->rig.x.faulted && s->rig.fault.kind == FAULT_OUT_OF_BOUNDS &&
			s->rig.fault.address == 0x1234);
		cr_assert_not_null(strstr(s->rig.fault.text, "0x1234"), "%s", s->rig.fault.text);
		system_free(s);
	}
}

Test(services, arguments_that_end_behind_local_memory_are_a_fault)
{
	struct system *s = system_new();

	set_all(s, 0, put(s, "%d %d"));
	set_all(s, 2, LOCAL_WINDOW + 252);
	call(s, exec_table(), PTX_SYSCALL_VPRINTF, 4);
	cr_assert(s->rig.x.faulted && s->rig.fault.address == LOCAL_WINDOW + 256 && s->rig.fault.lane == 2);
	system_free(s);
}

/* ---- what whoever starts kernels answers ---- */

static uint64_t seen[8];

static uint64_t answer(void *user, const struct device_call *c)
{
	struct system *s = user;

	seen[0] = c->which;
	seen[1] = c->cta;
	seen[2] = c->thread;
	memcpy(seen + 3, c->arguments, 3 * sizeof(*seen));
	lane_memory_write(c->memory, c->arguments[0], &s->next, 4);
	return 5;
}

Test(services, other_calls_are_answered_by_the_host)
{
	struct system *s = system_new();
	uint32_t written;

	set_all(s, 0, LOCAL_WINDOW + 8);
	set_all(s, 2, 9);
	set_all(s, 4, 1);
	services_answer(s->services, answer, s);
	call(s, exec_table(), PTX_SYSCALL_DEVICE_ATTRIBUTE, 4);
	cr_assert_not(s->rig.x.faulted);
	cr_expect(seen[0] == PTX_SYSCALL_DEVICE_ATTRIBUTE && seen[2] % 32 == 2);
	cr_expect(seen[3] == LOCAL_WINDOW + 8 && seen[4] == 9 && seen[5] == 1);
	cr_expect_eq(s->rig.registers[8][2], 5, "the result");
	memcpy(&written, s->rig.x.local + 2 * s->rig.x.local_bytes + 8, 4);
	cr_expect_eq(written, (uint32_t)s->next, "and what was written for it");
	set_all(s, 0, LOCAL_WINDOW + 254);
	call(s, exec_table(), PTX_SYSCALL_DEVICE_ATTRIBUTE, 4);
	cr_expect(s->rig.x.faulted && s->rig.fault.kind == FAULT_OUT_OF_BOUNDS, "not all of it is there");
	system_free(s);
}

Test(services, without_a_host_they_are_faults)
{
	struct system *s = system_new();

	call(s, exec_table(), PTX_SYSCALL_LAUNCH_V2, 1);
	cr_expect(s->rig.x.faulted && s->rig.fault.kind == FAULT_ILLEGAL_INSTRUCTION);
	system_free(s);
}

/* ---- assertions ---- */

Test(services, an_assertion_says_who_failed_and_stops_the_kernel)
{
	for_each_level(table)
	{
		struct system *s = system_new();
		char *text;

		set_all(s, 0, put(s, "x > 0"));
		set_all(s, 2, put(s, "a.cu"));
		for (unsigned l = 0; l < 32; l++)
			s->rig.registers[4][l] = 42;
		set_all(s, 6, put(s, "f(int)"));
		s->rig.x.extra = (const uint16_t[]){ 6 };
		call(s, table, PTX_SYSCALL_ASSERTFAIL, 0x11);
		cr_assert(s->rig.x.faulted && s->rig.fault.kind == FAULT_ASSERT && s->rig.fault.lane == 0);
		cr_assert_not_null(
			strstr(s->rig.fault.text, "assertion: `x > 0` failed"), "%s", s->rig.fault.text);
		text = printed(s, true);
		cr_assert_str_eq(text,
			"a.cu:42: f(int): block: [3,0,0], thread: [16,1,0] Assertion `x > 0` failed.\n"
			"a.cu:42: f(int): block: [3,0,0], thread: [20,1,0] Assertion `x > 0` failed.\n");
		free(text);
		call(s, table, PTX_SYSCALL_ASSERTFAIL, 0x11);
		text = printed(s, true);
		cr_assert_str_eq(text, "", "nothing more after a fault");
		free(text);
		system_free(s);
	}
}
