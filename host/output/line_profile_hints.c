/* host/output/line_profile_hints.c -- the lines that lost most issue slots, and what they waited for, in
 * words. */
#include "host/output/line_profile.h"
#include <ctype.h>
#include <string.h>

#define TOP_LINES     10
#define HINT_LEAST    2    /* percent of the lost slots that a line must have lost to get a hint */
#define IDLE_LEAST    20   /* percent of the kernel's slots without a warp from which on it is said */
#define FEW_LANES     24.0 /* below: said */
#define MANY_REQUESTS 2.0  /* per access; from there on: said */

void profile_format_causes(const struct line_counts *counts, char *text, size_t size)
{
	enum slot_cause order[SLOT_COUNT];
	uint32_t count = profile_causes(counts, order);
	size_t at = 0;

	*text = '\0';
	for (uint32_t i = 0; i < count && i < 2; i++) {
		double share = profile_percent(counts->slots[order[i]], profile_lost(counts));

		if (i && share < 10)
			break;
		at += (size_t)snprintf(
			text + at, size - at, "%s%s %.0f %%", i ? ", " : "", slot_names[order[i]], share);
	}
}

const char *profile_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* -- lines in words -- */

/* At white space, a semicolon, or the one colon of a label: a name may have two (shared::cta). */
static const char *end_of_word(const char *text, const char *end)
{
	for (; text < end && !isspace((unsigned char)*text) && *text != ';'; text++)
		if (*text == ':' && (text + 1 == end || text[1] != ':'))
			break;
		else if (*text == ':')
			text++;
	return text;
}

/* Behind white space, labels and the guard: where the instruction begins. */
static const char *skip_to_opcode(const char *text, const char *end)
{
	for (;;) {
		const char *word;

		while (text < end && isspace((unsigned char)*text))
			text++;
		word = end_of_word(text, end);
		if (word < end && *word == ':')
			text = word + 1;
		else if (text < end && (*text == '@' || *text == '{'))
			text = *text == '{' ? text + 1 : word;
		else
			return text;
	}
}

static void print_opcode(const struct profile_kernel *k, const struct profile_line *l, FILE *stream)
{
	size_t length;
	const char *text = profile_source_line(k->functions[l->function].source, l->number, &length),
		   *end = text + length;

	for (text = skip_to_opcode(text, end); text < end && !isspace((unsigned char)*text) && *text != ';';
		text++)
		fputc(*text, stream);
}

static void print_location(const struct profile_kernel *k, const struct profile_line *l, FILE *stream)
{
	fprintf(stream, "line %u", l->number);
	if (l->function)
		fprintf(stream, " of function %s", k->functions[l->function].name);
	if (l->origin)
		fprintf(stream, " [%s:%u]", profile_file_name(l->origin), l->origin_line);
}

/* An instruction, and what is known of its accesses to memory: (ld.global.f32: L1 hit rate 3 %, 412 cycles).
 */
static void print_instruction(const struct profile_kernel *k, const struct profile_line *l, FILE *stream)
{
	const struct line_counts *c = &l->counts;
	const char *between = ": ";

	fputs(" (", stream);
	print_opcode(k, l, stream);
	if (profile_l1_loads(c)) {
		fprintf(stream, "%sL1 hit rate %.0f %%", between,
			profile_percent(c->l1_hits, profile_l1_loads(c)));
		between = ", ";
	}
	if (c->accesses && (double)c->requests >= MANY_REQUESTS * (double)c->accesses) {
		fprintf(stream, "%s%.1f line requests per access", between,
			(double)c->requests / (double)c->accesses);
		between = ", ";
	}
	if (c->conflict_cycles && c->executions) {
		fprintf(stream, "%s%.1f conflict cycles per access", between,
			(double)c->conflict_cycles / (double)c->executions);
		between = ", ";
	}
	if (c->loads)
		fprintf(stream, "%slatency %.0f cycles", between, (double)c->latency / (double)c->loads);
	fputc(')', stream);
}

static const struct line_wait *longest_wait(const struct line_counts *c)
{
	const struct line_wait *longest = NULL;

	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++)
		if (c->waits[i].slots && (!longest || c->waits[i].slots > longest->slots))
			longest = &c->waits[i];
	return longest;
}

/* -- the table and the hints -- */

static uint32_t find_top(const struct profile_kernel *k, const struct profile_line *top[TOP_LINES])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < k->line_count; i++) {
		uint64_t lost = profile_lost(&k->lines[i].counts);
		uint32_t at;

		if (!lost || (count == TOP_LINES && lost <= profile_lost(&top[count - 1]->counts)))
			continue;
		for (at = count < TOP_LINES ? count++ : count - 1;
			at && profile_lost(&top[at - 1]->counts) < lost; at--)
			top[at] = top[at - 1];
		top[at] = &k->lines[i];
	}
	return count;
}

static void print_hint_row(
	const struct profile_kernel *k, const struct profile_line *l, uint64_t slots, int width, FILE *stream)
{
	const struct profile_function *f = &k->functions[l->function];
	uint64_t lost = profile_lost(&l->counts);
	char causes[64];
	size_t length;
	const char *text = profile_source_line(f->source, l->number, &length), *end = text + length;

	while (text < end && isspace((unsigned char)*text))
		text++;
	profile_format_causes(&l->counts, causes, sizeof(causes));
	fprintf(stream, "%8.2f  %8.2f  %6u  %-*s  %.*s%s%s\n", profile_percent(lost, profile_lost(&k->total)),
		profile_percent(lost, slots), l->number, width, causes, (int)(end - text), text,
		l->function ? "  // of function " : "", l->function ? f->name : "");
}

static void print_hint(const struct profile_kernel *k, const struct profile_line *l, FILE *stream)
{
	const struct line_counts *c = &l->counts;
	const struct line_wait *wait = longest_wait(c);
	uint64_t lost = profile_lost(c);
	enum slot_cause order[SLOT_COUNT];

	if (profile_percent(lost, profile_lost(&k->total)) < HINT_LEAST)
		return;
	profile_causes(c, order);
	print_location(k, l, stream);
	fprintf(stream, ": %.0f %% of the lost slots", profile_percent(lost, profile_lost(&k->total)));
	if (wait && 2 * wait->slots > lost) {
		fputs(": waits for the result of ", stream);
		print_location(k, &k->lines[wait->producer], stream);
		print_instruction(k, &k->lines[wait->producer], stream);
	} else {
		fprintf(stream, ": %s", slot_help[order[0]]);
		print_instruction(k, l, stream);
	}
	if (c->executions && (double)c->lanes < FEW_LANES * (double)c->executions)
		fprintf(stream, "; %.1f of 32 lanes active", (double)c->lanes / (double)c->executions);
	fputc('\n', stream);
}

/* Slots that are no line's fault. */
static void print_idle(const struct profile_kernel *k, uint64_t slots, FILE *stream)
{
	double share = profile_percent(k->slots[SLOT_no_warp], slots);

	if (share >= IDLE_LEAST)
		fprintf(stream,
			"no line: %.0f %% of the kernel's slots: %s (too few CTAs, or CTAs that end at "
			"different times)\n",
			share, slot_help[SLOT_no_warp]);
}

static int causes_width(const struct profile_line *l)
{
	char causes[64];

	profile_format_causes(&l->counts, causes, sizeof(causes));
	return (int)strlen(causes);
}

void profile_print_hints(const struct profile_kernel *k, FILE *stream)
{
	const struct profile_line *top[TOP_LINES];
	uint32_t count = find_top(k, top);
	uint64_t slots = 0;
	int width = (int)sizeof("lost to") - 1;

	if (!count)
		return;
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		slots += k->slots[i];
	for (uint32_t i = 0; i < count; i++)
		width = causes_width(top[i]) > width ? causes_width(top[i]) : width;
	fprintf(stream,
		"\nlines that lost most issue slots (%% of all that lines lost, %% of the kernel's):\n%8s  "
		"%8s  %6s  %-*s  PTX\n",
		"lost %", "slots %", "line", width, "lost to");
	for (uint32_t i = 0; i < count; i++)
		print_hint_row(k, top[i], slots, width, stream);
	fputs("\nin words:\n", stream);
	print_idle(k, slots, stream);
	for (uint32_t i = 0; i < count; i++)
		print_hint(k, top[i], stream);
}
