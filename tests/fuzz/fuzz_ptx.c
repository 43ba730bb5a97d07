/* tests/fuzz/fuzz_ptx.c -- libFuzzer on libptx: scanner, grammar, checks, printer and the lowering behind
 * them, and on the execution of what comes out.
 *
 * What must hold for any input: no crash, no leak, no undefined behaviour; refused input has an error message
 * with it; an accepted module, printed, is accepted again and prints the same; what can be lowered can be
 * relocated, printed, and run for a few thousand instructions: to its end, to a fault or to a deadlock that
 * is reported. The mutator works on words and lines, so that most inputs get past the scanner. */
#include "core/functional.h"
#include "frontend/ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

static char *print_module(const struct ptx_module *m)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ptx_print_module(m, stream);
	fclose(stream);
	return text;
}

static void check_round_trip(const struct ptx_module *m)
{
	struct diag_list diags;
	char *first = print_module(m), *second;
	struct ptx_module *again;

	diag_init(&diags);
	again = ptx_parse(first, strlen(first), "printed", &diags);
	if (!again) {
		fputs(first, stderr);
		diag_print(&diags, stderr);
	}
	MUST(again);
	second = print_module(again);
	MUST(!strcmp(first, second));
	free(first);
	free(second);
	ptx_module_free(again);
	diag_fini(&diags);
}

/* 40 threads of one CTA; pointers among the parameters lead to a small allocation. */
static void run(struct ptx_kernel *k)
{
	static struct device_memory *memory;
	static struct functional *functional;
	static addr buffer;
	struct launch launch = { .kernel = k, .grid = { 1, 1, 1 }, .block = { 40, 1, 1 } };
	struct device_fault fault = { .kind = FAULT_NONE };
	struct kernel_run r;
	uint8_t *params;

	if (k->local_bytes > 65536 || k->shared_bytes > 65536 || k->rows > 4096)
		return;
	if (!memory) {
		memory = memory_new(UINT64_C(1) << 30);
		functional = functional_new(memory, 2, 8);
		buffer = memory_allocate(memory, 65536, 256);
	}
	params = calloc(1, k->param_bytes + 8);
	for (uint32_t i = 0; i + 8 <= k->param_bytes; i += 8)
		memcpy(params + i, &buffer, 8);
	launch.params = params;
	kernel_run_init(&r, &launch, 1);
	for (int i = 0; i < 4 && !functional_run(functional, &r, 2000, &fault); i++)
		;
	functional_abandon(functional);
	kernel_run_fini(&r);
	free(params);
}

static void lower(struct ptx_module *m, struct diag_list *diags)
{
	size_t errors = diags->errors, size;
	struct ptx_image *image = ptx_lower(m, diags);
	char *text = NULL;
	FILE *stream;

	MUST(image || diags->errors > errors);
	if (!image)
		return;
	for (uint32_t i = 0; i < image->symbol_count; i++)
		image->symbols[i].address = DEVICE_BASE + 4096 * (uint64_t)i;
	ptx_image_relocate(image);
	stream = open_memstream(&text, &size);
	for (uint32_t i = 0; i < image->kernel_count; i++) {
		run(&image->kernels[i]);
		ptx_print_kernel(&image->kernels[i], stream);
		ptx_print_cfg(&image->kernels[i], stream);
	}
	fclose(stream);
	free(text);
	ptx_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag_list diags;
	struct ptx_module *m;

	diag_init(&diags);
	m = ptx_parse((const char *)data, size, "input", &diags);
	MUST(m || diags.errors);
	if (m) {
		check_round_trip(m);
		lower(m, &diags);
	}
	ptx_module_free(m);
	diag_fini(&diags);
	return 0;
}

/* ---- the mutator ---- */

static const char *const words[] = {
#define OPCODE(id, spelling, ...) spelling,
#include "frontend/opcodes.def"
#undef OPCODE
#define MODIFIER(id, spelling) "." spelling,
#include "frontend/modifiers.def"
#undef MODIFIER
#define SREG(id, spelling, type, is_fixed) spelling,
#include "frontend/sregs.def"
#undef SREG
	".b8",
	".b16",
	".b32",
	".b64",
	".b128",
	".u8",
	".u16",
	".u32",
	".u64",
	".s8",
	".s16",
	".s32",
	".s64",
	".f16",
	".f16x2",
	".bf16",
	".bf16x2",
	".f32",
	".f64",
	".pred",
	".v2",
	".v4",
	".v8",
	".global",
	".shared",
	".local",
	".const",
	".param",
	".reg",
	".tex",
	".entry",
	".func",
	".visible",
	".extern",
	".weak",
	".common",
	".align",
	".maxntid",
	".reqntid",
	".branchtargets",
	".callprototype",
	".calltargets",
	"generic",
	"mask",
	"WARP_SZ",
	"0x7fffffff",
	"0x8000000000000000",
	"0f7F800000",
	"0d7FF0000000000000",
	"-1",
	"0",
	"1",
	"255",
	"4294967295U",
	"{",
	"}",
	"(",
	")",
	"[",
	"]",
	"+",
	"-",
	"*",
	"/",
	"%",
	"<<",
	">>",
	"?",
	":",
	"!",
	"~",
	"|",
	"&",
	"^",
	"=",
	"_",
	",",
	";",
	"@",
	"@!",
	"//",
	"/*",
	"\"",
	"\n",
};

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 8;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$' || c == '%';
}

/* The word or single character at a random place: its start and end. */
static void find_token(const uint8_t *data, size_t size, size_t at, size_t *start, size_t *end)
{
	*start = at;
	*end = at + 1;
	if (!is_word(data[at]))
		return;
	while (*start && is_word(data[*start - 1]))
		--*start;
	if (*start && data[*start - 1] == '.')
		--*start;
	while (*end < size && is_word(data[*end]))
		++*end;
}

static void find_line(const uint8_t *data, size_t size, size_t at, size_t *start, size_t *end)
{
	*start = *end = at;
	while (*start && data[*start - 1] != '\n')
		--*start;
	while (*end < size && data[*end] != '\n')
		++*end;
	*end += *end < size;
}

/* Replaces data[start..end) by text; the new size, or the old one if there is no room. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t start, size_t end, const void *text,
	size_t length)
{
	if (size - (end - start) + length > max_size)
		return size;
	memmove(data + start + length, data + end, size - end);
	memcpy(data + start, text, length);
	return size - (end - start) + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t start, end, from, to, length;
	unsigned what = next_random(&seed) % 10;
	uint8_t copy[512];
	const char *word;

	if (size < 8 || what == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	find_token(data, size, next_random(&seed) % size, &start, &end);
	if (what < 4) { /* a word of the language */
		word = words[next_random(&seed) % (sizeof words / sizeof *words)];
		return splice(data, size, max_size, start, end, word, strlen(word));
	}
	if (what < 7) /* a word of this text */
		find_token(data, size, next_random(&seed) % size, &from, &to);
	else
		find_line(data, size, next_random(&seed) % size, &from, &to);
	if (what >= 8) /* a line before another, or in its place */
		find_line(data, size, start, &start, &end);
	if (what == 8)
		end = start;
	length = to - from < sizeof copy ? to - from : sizeof copy;
	memcpy(copy, data + from, length);
	return splice(data, size, max_size, start, end, copy, length);
}
