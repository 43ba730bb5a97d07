/* frontend/print/print_pressure.c -- how many registers are in use along a kernel: a line for each
 * instruction of the PTX text, with a bar, and a mark where they are most. */
#include "frontend/parse/arena.h"
#include "frontend/ptx.h"
#include <string.h>

#define WIDEST_BAR 24u

struct ptx_lines {
	struct ptx_arena *arena;
	const char **starts, *end; /* of the text */
	uint32_t count;
};

struct ptx_lines *ptx_lines_new(const struct ptx_module *m)
{
	struct ptx_arena *arena = arena_new();
	struct ptx_lines *l = arena_alloc(arena, sizeof(*l));
	uint32_t most = 1;

	l->arena = arena;
	l->end = m->text + m->text_size;
	for (const char *at = m->text; at < l->end; at++)
		most += *at == '\n';
	l->starts = arena_alloc(arena, most * sizeof(*l->starts));
	for (const char *at = m->text; at;) {
		l->starts[l->count++] = at;
		at = memchr(at, '\n', (size_t)(l->end - at));
		at = at ? at + 1 : NULL;
	}
	return l;
}

void ptx_lines_free(struct ptx_lines *l)
{
	if (l)
		arena_free(l->arena);
}

/* The line without blanks around it, tabs as blanks. */
static void print_source_line(const struct ptx_lines *l, uint32_t line, FILE *stream)
{
	const char *text = l->starts[line - 1], *next = line < l->count ? l->starts[line] : l->end;

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

void ptx_print_pressure(const struct ptx_kernel *kernel, const struct ptx_lines *lines, FILE *stream)
{
	uint32_t end, registers, predicates, most = 0, most_predicates = 0;

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
		if (line && line <= lines->count)
			print_source_line(lines, line, stream);
		else
			fputc('\n', stream);
	}
}
