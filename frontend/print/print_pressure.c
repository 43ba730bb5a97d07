/* frontend/print/print_pressure.c -- how many registers are in use along a kernel: a line for each
 * instruction of the PTX text, with a bar, and a mark where they are most. */
#include "frontend/parse/arena.h"
#include "frontend/ptx.h"
#include <string.h>

#define WIDEST_BAR 24u

/* Where each line of the module's text begins. */
static const char **find_source_lines(const struct ptx_module *m, uint32_t *count, struct ptx_arena *arena)
{
	const char **lines, *end = m->text + m->text_size;
	uint32_t n = 1;

	for (const char *at = m->text; at < end; at++)
		n += *at == '\n';
	lines = arena_alloc(arena, (n + 1) * sizeof *lines);
	*count = 0;
	for (const char *at = m->text; at;) {
		lines[(*count)++] = at;
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	lines[n] = end + 1;
	return lines;
}

/* The line without blanks around it, tabs as blanks. */
static void print_source_line(const char *text, const char *next, FILE *stream)
{
	while (next > text && strchr(" \t\r\n", next[-1]))
		next--;
	while (text < next && strchr(" \t", *text))
		text++;
	for (; text < next; text++)
		fputc(*text == '\t' ? ' ' : *text, stream);
	fputc('\n', stream);
}

/* The largest numbers among the micro-operations that come from one line. */
static void find_most(
	const struct ptx_kernel *k, uint32_t first, uint32_t *end, uint32_t *registers, uint32_t *predicates)
{
	*registers = *predicates = 0;
	for (*end = first; *end < k->uop_count && k->uops[*end].line == k->uops[first].line; ++*end) {
		*registers = k->live_registers[*end] > *registers ? k->live_registers[*end] : *registers;
		*predicates = k->live_predicates[*end] > *predicates ? k->live_predicates[*end] : *predicates;
	}
}

static void print_bar(uint32_t value, uint32_t most, FILE *stream)
{
	uint32_t width = most > WIDEST_BAR ? (value * WIDEST_BAR + most / 2) / most : value;
	uint32_t whole = most > WIDEST_BAR ? WIDEST_BAR : most;

	for (uint32_t i = 0; i < whole; i++)
		fputc(i < width ? '#' : ' ', stream);
}

void ptx_print_pressure(const struct ptx_kernel *kernel, FILE *stream)
{
	struct ptx_arena *arena = arena_new();
	uint32_t count, end, registers, predicates, most = 0, most_predicates = 0;
	const char **lines = find_source_lines(kernel->module, &count, arena);

	for (uint32_t i = 0; i < kernel->uop_count; i++) {
		most = kernel->live_registers[i] > most ? kernel->live_registers[i] : most;
		most_predicates = kernel->live_predicates[i] > most_predicates ? kernel->live_predicates[i]
									       : most_predicates;
	}
	fprintf(stream, "kernel %s: at most %u register%s and %u predicate%s in use at once\n", kernel->name,
		most, most == 1 ? "" : "s", most_predicates, most_predicates == 1 ? "" : "s");
	fprintf(stream, "%7s %5s %5s\n", "line", "regs", "preds");
	for (uint32_t i = 0; i < kernel->uop_count; i = end) {
		uint32_t line = kernel->uops[i].line;

		find_most(kernel, i, &end, &registers, &predicates);
		fprintf(stream, "%7u %5u %5u  ", line, registers, predicates);
		print_bar(registers, most, stream);
		fputs(registers == most && most ? " > " : "   ", stream);
		if (line && line <= count)
			print_source_line(lines[line - 1],
				line < count ? lines[line] : kernel->module->text + kernel->module->text_size,
				stream);
		else
			fputc('\n', stream);
	}
	arena_free(arena);
}
