/* tests/fuzz/hold.h -- what must hold for any text that is given to libptx, and for the execution of what
 * comes out of it.
 *
 * No crash, no leak, no undefined behaviour; refused input has an error message with it; an accepted module,
 * printed, is accepted again and prints the same; what can be lowered, as written and scheduled, can be
 * relocated, printed, and run for a few thousand instructions: to its end, to a fault or to a deadlock that
 * is reported. */
#ifndef FUZZ_HOLD_H
#define FUZZ_HOLD_H

#include "core/exec/device_fault.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/launch.h"
#include "core/functional/functional.h"
#include "core/runtime/services.h"
#include "frontend/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

static char *hold_print(const struct ptx_module *m)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ptx_print_module(m, stream);
	fclose(stream);
	return text;
}

static void hold_round_trip(const struct ptx_module *m)
{
	struct diag_list diags;
	char *first = hold_print(m), *second;
	struct ptx_module *again;

	diag_init(&diags);
	again = ptx_parse(first, strlen(first), "printed", &diags);
	if (!again) {
		fputs(first, stderr);
		diag_print(&diags, stderr);
	}
	MUST(again);
	second = hold_print(again);
	MUST(!strcmp(first, second));
	free(first);
	free(second);
	ptx_module_free(again);
	diag_fini(&diags);
}

#define HOLD_BUFFER 16384

/* 40 threads of one CTA; pointers among the parameters lead to a small allocation. */
static void hold_run(struct ptx_kernel *k, struct device_memory *memory, addr buffer)
{
	struct launch launch = { .kernel = k, .grid = { 1, 1, 1 }, .block = { 40, 1, 1 } };
	struct device_fault fault = { .kind = FAULT_NONE };
	struct services *services;
	struct functional *functional;
	struct kernel_run r;
	uint8_t *params;

	if (k->local_bytes > 65536 || k->shared_bytes > 65536 || k->rows > 4096)
		return;
	services = services_new(memory);
	functional = functional_new(memory, services, 2, 8);
	memset(memory_host(buffer), 0, HOLD_BUFFER);
	params = calloc(1, k->param_bytes + 8);
	for (uint32_t i = 0; i + 8 <= k->param_bytes; i += 8)
		memcpy(params + i, &buffer, 8);
	launch.params = params;
	kernel_run_init(&r, &launch, 1);
	if (r.local_bytes <= 65536)
		functional_run(functional, &r, 2000, &fault);
	functional_abandon(functional);
	kernel_run_fini(&r);
	free(params);
	functional_free(functional);
	services_free(services);
}

static void hold_image(struct ptx_image *image)
{
	static struct device_memory *memory;
	static addr buffer;
	char *text = NULL;
	size_t size;
	FILE *stream;

	if (!memory) {
		memory = memory_new(UINT64_C(1) << 30);
		buffer = memory_allocate(memory, HOLD_BUFFER, 256);
	}
	for (uint32_t i = 0; i < image->symbol_count; i++)
		image->symbols[i].address = buffer + 512 * (uint64_t)i;
	ptx_image_relocate(image);
	stream = open_memstream(&text, &size);
	for (uint32_t i = 0; i < image->kernel_count; i++) {
		hold_run(&image->kernels[i], memory, buffer);
		ptx_print_kernel(&image->kernels[i], stream);
		ptx_print_cfg(&image->kernels[i], stream);
	}
	fclose(stream);
	free(text);
}

/* As a chip would issue it: what can be lowered as written can be lowered so, too. */
static void hold_scheduled(struct ptx_module *m)
{
	static const struct ptx_lowering chip = { .timed_code = PTX_SCHEDULED, .sm = 80 };
	struct diag_list diags;
	struct ptx_image *image;

	diag_init(&diags);
	image = ptx_lower_as(&m, 1, &chip, &diags);
	MUST(image || diags.errors);
	if (image)
		hold_image(image);
	ptx_image_free(image);
	diag_fini(&diags);
}

static void hold(const char *text, size_t size)
{
	struct diag_list diags;
	struct ptx_module *m;
	struct ptx_image *image = NULL;
	size_t errors;

	diag_init(&diags);
	m = ptx_parse(text, size, "input", &diags);
	MUST(m || diags.errors);
	if (m) {
		hold_round_trip(m);
		errors = diags.errors;
		image = ptx_lower(m, &diags);
		MUST(image || diags.errors > errors);
	}
	if (image) {
		hold_image(image);
		hold_scheduled(m);
	}
	ptx_image_free(image);
	ptx_module_free(m);
	diag_fini(&diags);
}

#endif
