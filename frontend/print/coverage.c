/* frontend/print/coverage.c -- all forms of each opcode, through parser, checks and lowering.
 *
 * The forms of an opcode are the words that its modifiers, types, state spaces and vector widths make: at
 * most one modifier of each group (groups.c). Hints that change no value (cache operators, priorities,
 * prefetch sizes) are taken one at a time, not with each other. Each word becomes an instruction with
 * operands that suit it, a line of a module; lines without an error are valid forms, lines that the lowering
 * does not refuse are executed. What is only for other chips is tried there. */
#include "frontend/print/coverage.h"
#include "frontend/print/coverage_parts.h"
#include "frontend/ptx.h"
#include <stdlib.h>
#include <string.h>

#define BATCH 256u /* lines of a module */

/* Chips on which forms are tried, the first that accepts one counts. */
static const char *const heads[] = {
	".version 9.0\n.target sm_100a\n",
	".version 9.0\n.target sm_90a\n",
	".version 9.0\n.target sm_120a\n",
	".version 9.0\n.target sm_103a\n",
	".version 6.3\n.target sm_60\n",
};

static const char surroundings[] =
	".address_size 64\n.global .texref tex;\n.global .surfref surf;\n"
	".extern .shared .align 16 .b8 smem[];\n.func nothing() { ret; }\n.entry k(.param .align 16 .b8 "
	"in[256]) {\n"
	".reg .pred %p<8>; .reg .b8 %b<4>; .reg .b16 %h<20>; .reg .b32 %r<140>; .reg .b64 %d<40>; .reg "
	".b128 %q<8>;\n"
	".reg .f32 %f<20>; .reg .f64 %g<20>; .param .align 16 .b8 arg[256];\nL: T: .branchtargets L;\n";

struct line {
	char text[LONGEST_LINE]; /* the instruction */
	uint8_t word;            /* length of its word */
	bool is_valid, is_refused;
};

struct coverage {
	FILE *out;
	enum coverage_output output;
	struct line *lines;
	uint32_t count;
	/* of the opcode at hand, and in all */
	uint64_t valid, refused, total_valid, total_refused;
};

/* -- a batch of lines -- */

static char *make_text(
	const struct coverage *c, const char *head, const uint32_t *which, uint32_t count, size_t *size)
{
	char *text;
	FILE *stream = open_memstream(&text, size);

	if (!stream)
		abort();
	fputs(head, stream);
	fputs(surroundings, stream);
	for (uint32_t i = 0; i < count; i++)
		fprintf(stream, "%s\n", c->lines[which[i]].text);
	fputs("}\n", stream);
	fclose(stream);
	return text;
}

static uint32_t count_lines(const char *text)
{
	uint32_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

/* Marks the lines that messages speak of: those before the first one belong to the surroundings. */
static void mark_lines(const struct diag_list *diags, uint32_t before, uint32_t count, bool *marks)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].kind == DIAG_ERROR && diags->items[i].line > before &&
			diags->items[i].line <= before + count)
			marks[diags->items[i].line - before - 1] = true;
}

/* Parses the lines; marks those with errors. */
static struct ptx_module *parse_lines(
	struct coverage *c, const char *head, const uint32_t *which, uint32_t count, bool *marks)
{
	struct diag_list diags;
	struct ptx_module *module;
	size_t size;
	char *text = make_text(c, head, which, count, &size);

	diag_init(&diags);
	diags.limit = SIZE_MAX;
	memset(marks, 0, count);
	module = ptx_parse(text, size, "form", &diags);
	mark_lines(&diags, count_lines(head) + count_lines(surroundings), count, marks);
	diag_fini(&diags);
	free(text);
	return module;
}

static void lower_lines(struct ptx_module *module, const char *head, uint32_t count, bool *marks)
{
	struct diag_list diags;
	struct ptx_image *image;

	diag_init(&diags);
	diags.limit = SIZE_MAX;
	memset(marks, 0, count);
	image = ptx_lower(module, &diags);
	mark_lines(&diags, count_lines(head) + count_lines(surroundings), count, marks);
	diag_fini(&diags);
	if (image)
		ptx_image_free(image);
}

/* Which of the lines this head accepts, and which of those are executed; returns those left over, in which.
 */
static uint32_t try_head(struct coverage *c, const char *head, uint32_t *which, uint32_t count)
{
	uint32_t good[BATCH], good_count = 0, left = 0;
	bool marks[BATCH];
	struct ptx_module *module = parse_lines(c, head, which, count, marks);

	for (uint32_t i = 0; i < count; i++) {
		c->lines[which[i]].is_valid = !marks[i];
		if (marks[i])
			which[left++] = which[i];
		else
			good[good_count++] = which[i];
	}
	if (!module && good_count)
		module = parse_lines(c, head, good, good_count, marks);
	if (!module)
		return left;
	lower_lines(module, head, good_count, marks);
	for (uint32_t i = 0; i < good_count; i++)
		c->lines[good[i]].is_refused = marks[i];
	ptx_module_free(module);
	return left;
}

static void sync_batch(struct coverage *c)
{
	uint32_t which[BATCH], left = c->count;

	for (uint32_t i = 0; i < left; i++)
		which[i] = i;
	for (size_t h = 0; h < sizeof(heads) / sizeof(heads[0]) && left; h++)
		left = try_head(c, heads[h], which, left);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct line *line = &c->lines[i];

		if (!line->is_valid)
			continue;
		c->valid++;
		c->refused += line->is_refused;
		if (c->output == COVERAGE_VALID)
			fprintf(c->out, "%s\n", line->text);
		else if (c->output == COVERAGE_REFUSED && line->is_refused)
			fprintf(c->out, "%.*s\n", line->word, line->text);
	}
	c->count = 0;
}

void coverage_add(struct coverage *c, const char *word, const char *operands)
{
	struct line *line = &c->lines[c->count];

	memset(line, 0, sizeof(*line));
	if (strlen(word) + strlen(operands) + 3 > LONGEST_LINE)
		return;
	strcat(strcat(strcat(strcpy(line->text, word), " "), operands), ";");
	line->word = (uint8_t)strlen(word);
	if (++c->count == BATCH)
		sync_batch(c);
}

/* -- all opcodes -- */

static void cover_opcode(struct coverage *c, unsigned opcode)
{
	c->valid = c->refused = 0;
	if (!coverage_templates(c, opcode))
		coverage_forms(c, opcode);
	if (opcode == PTX_WGMMA)
		coverage_products(c);
	if (opcode == PTX_TCGEN05)
		coverage_tensor_memory(c);
	sync_batch(c);
	c->total_valid += c->valid;
	c->total_refused += c->refused;
	if (c->output == COVERAGE_TABLE)
		fprintf(c->out, "%-22s %8llu %9llu %8llu\n", ptx_opcode_name(opcode),
			(unsigned long long)c->valid, (unsigned long long)(c->valid - c->refused),
			(unsigned long long)c->refused);
}

void ptx_print_coverage(FILE *stream, enum coverage_output output)
{
	struct coverage c = { .out = stream, .output = output };

	c.lines = calloc(BATCH, sizeof(*c.lines));
	if (!c.lines)
		abort();
	if (output == COVERAGE_TABLE)
		fprintf(stream, "%-22s %8s %9s %8s\n", "opcode", "forms", "executed", "refused");
	for (unsigned opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++)
		cover_opcode(&c, opcode);
	if (output != COVERAGE_VALID)
		fprintf(stream, "%-22s %8llu %9llu %8llu\n", "total", (unsigned long long)c.total_valid,
			(unsigned long long)(c.total_valid - c.total_refused),
			(unsigned long long)c.total_refused);
	free(c.lines);
}
