/* frontend/coverage.c -- all forms of each opcode, through parser, checks and lowering.
 *
 * The forms of an opcode are the words that its modifiers, types, state spaces and vector widths make: at most one
 * modifier of each group (groups.c). Hints that change no value (cache operators, priorities, prefetch sizes) are
 * taken one at a time, not with each other. Each word becomes an instruction with operands that suit it, a line of
 * a module; lines without an error are valid forms, lines that the lowering does not refuse are executed. What is
 * only for other chips is tried there. */
#include "frontend/coverage.h"
#include "frontend/check.h"
#include "frontend/groups.h"
#include "frontend/ptx.h"
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 256u
#define LONGEST_WORD 1024u /* more than any 12 modifiers take */
#define BATCH        256u /* lines of a module */
#define MOST_GROUPS  24u

/* Chips on which forms are tried, the first that accepts one counts. */
static const char *const heads[] = {
	".version 9.0\n.target sm_100a\n",
	".version 9.0\n.target sm_90a\n",
	".version 9.0\n.target sm_120a\n",
	".version 6.3\n.target sm_60\n",
};

static const char surroundings[] =
	".address_size 64\n.global .texref tex;\n.global .samplerref sampler;\n.global .surfref surf;\n"
	".extern .shared .align 16 .b8 smem[];\n.func nothing() { ret; }\n.entry k(.param .align 16 .b8 in[256]) {\n"
	".reg .pred %p<8>; .reg .b16 %h<20>; .reg .b32 %r<140>; .reg .b64 %d<40>; .reg .b128 %q<8>;\n"
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

static char *make_text(const struct coverage *c, const char *head, const uint32_t *which, uint32_t count, size_t *size)
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
static void mark(const struct diag_list *diags, uint32_t before, uint32_t count, bool *marks)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].kind == DIAG_ERROR && diags->items[i].line > before &&
			diags->items[i].line <= before + count)
			marks[diags->items[i].line - before - 1] = true;
}

/* Parses the lines; marks those with errors. */
static struct ptx_module *parse_lines(struct coverage *c, const char *head, const uint32_t *which, uint32_t count, bool *marks)
{
	struct diag_list diags;
	struct ptx_module *module;
	size_t size;
	char *text = make_text(c, head, which, count, &size);

	diag_init(&diags);
	diags.limit = SIZE_MAX;
	memset(marks, 0, count);
	module = ptx_parse(text, size, "form", &diags);
	mark(&diags, count_lines(head) + count_lines(surroundings), count, marks);
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
	mark(&diags, count_lines(head) + count_lines(surroundings), count, marks);
	diag_fini(&diags);
	if (image)
		ptx_image_free(image);
}

/* Which of the lines this head accepts, and which of those are executed; returns those left over, in which. */
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

static void settle_batch(struct coverage *c)
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

static void add_line(struct coverage *c, const char *word, const char *operands)
{
	struct line *line = &c->lines[c->count];

	memset(line, 0, sizeof(*line));
	if (strlen(word) + strlen(operands) + 3 > LONGEST_LINE)
		return;
	strcat(strcat(strcat(strcpy(line->text, word), " "), operands), ";");
	line->word = (uint8_t)strlen(word);
	if (++c->count == BATCH)
		settle_batch(c);
}

/* -- operands that suit a form -- */

struct text {
	char at[LONGEST_LINE];
	size_t length;
};

/* What does not fit is left out: such a line is too long to be a form. */
static void append_part(struct text *t, const char *part, size_t length)
{
	if (t->length + length >= LONGEST_LINE)
		length = LONGEST_LINE - 1 - t->length;
	memcpy(t->at + t->length, part, length);
	t->length += length;
	t->at[t->length] = 0;
}

static void append(struct text *t, const char *part)
{
	append_part(t, part, strlen(part));
}

static void append_name(struct text *t, char letter, unsigned number)
{
	char name[] = { '%', letter, (char)('0' + number / 10), (char)('0' + number % 10), 0 };

	if (number < 10) {
		name[2] = name[3];
		name[3] = 0;
	}
	append(t, name);
}

static char class_of(unsigned bits)
{
	return bits == 1 ? 'p' : bits <= 16 ? 'h' : bits == 32 ? 'r' : bits == 64 ? 'd' : 'q';
}

/* A register for a type, number `first`, or as many in braces as the vector has. */
static void append_register(struct text *t, unsigned bits, unsigned vector, unsigned first)
{
	if (vector == 1) {
		append_name(t, class_of(bits), first);
		return;
	}
	append(t, "{");
	for (unsigned i = 0; i < vector; i++) {
		append(t, i ? ", " : "");
		append_name(t, class_of(bits), first + i);
	}
	append(t, "}");
}

static void append_address(struct text *t, const struct ptx_insn *insn)
{
	if (insn->space != PTX_PARAM)
		append(t, "[%d1]");
	else if (insn->opcode == PTX_LD && !form_has(insn->form, PTX_MOD_PARAM_FUNC))
		append(t, "[in]");
	else
		append(t, "[arg]");
}

static void append_constant(struct text *t, const struct ptx_insn *insn)
{
	append(t, insn->opcode == PTX_PMEVENT ? "3" : "128");
}

/* One operand by its letter in opcodes.def; number: a register of its own. */
static void append_operand(struct text *t, char letter, const struct ptx_insn *insn, unsigned number)
{
	unsigned first = ptx_type_bits(insn->types[0]), wide = form_has(insn->form, PTX_MOD_WIDE) ? 2 * first : first;
	unsigned second = insn->type_count > 1 ? ptx_type_bits(insn->types[1]) : first;
	unsigned last = insn->type_count ? ptx_type_bits(insn->types[insn->type_count - 1]) : first;

	if (strchr("DLS0s", letter))
		append_register(t, first, insn->vector, number);
	else if (strchr("Ww", letter))
		append_register(t, wide, 1, number);
	else if (letter == '1')
		append_register(t, second, 1, number);
	else if (letter == 'v')
		append_register(t, last, 1, number);
	else if (strchr("IuM", letter))
		append_register(t, 32, 1, number);
	else if (strchr("PQp", letter))
		append_register(t, 1, 1, number);
	else if (letter == 'i')
		append_constant(t, insn);
	else if (letter == 'm')
		append_address(t, insn);
	else if (letter == 'b')
		append(t, "L");
	else
		append_register(t, 64, 1, number);
	if (letter == 'S' && needs_pair(insn))
		append(t, "|%p1");
}

/* As many operands as are wanted of those that may be missing; true if that was possible. */
static bool make_operands(struct text *t, const struct ptx_insn *insn, unsigned optional)
{
	const char *letters = operand_letters(insn);
	unsigned number = 1;
	bool may_be_missing = false;

	t->length = 0;
	t->at[0] = 0;
	for (; *letters && *letters != '*'; letters++) {
		if (*letters == '?') {
			may_be_missing = true;
			continue;
		}
		if (may_be_missing && !optional--)
			return true;
		append(t, number > 1 ? ", " : "");
		append_operand(t, *letters, insn, number++);
	}
	return may_be_missing ? !optional : !optional && !*letters;
}

/* -- forms from the tables -- */

struct forms {
	struct coverage *c;
	unsigned opcode;
	const struct opcode_row *row;
	uint16_t choices[MOST_GROUPS][24]; /* of each group, ended by GROUP_END */
	bool is_hint[MOST_GROUPS];
	unsigned groups;
	struct ptx_form form;
	struct ptx_insn insn;
};

static bool is_hint(unsigned modifier)
{
	static const uint16_t hints[] = { PTX_MOD_CA, PTX_MOD_L1_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_64B };

	if (modifier == PTX_MOD_L2_CACHE_HINT || modifier == PTX_MOD_UNIFIED)
		return true;
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (group_of(modifier) >= 0 && group_of(modifier) == group_of(hints[i]))
			return true;
	return false;
}

/* Sorts the modifiers of a row into groups; those that stand by themselves make a group of one. */
static void sort_modifiers(struct forms *f)
{
	int group[MOST_GROUPS];
	unsigned length[MOST_GROUPS];

	f->groups = 0;
	for (const uint16_t *m = f->row->modifiers; *m != MODIFIERS_END; m++) {
		int g = group_of(*m);
		unsigned at = 0;

		if (*m == PTX_MOD_SHARED_CTA || *m == PTX_MOD_SHARED_CLUSTER || *m == PTX_MOD_PARAM_ENTRY || *m == PTX_MOD_PARAM_FUNC)
			continue; /* state spaces */
		while (at < f->groups && (g < 0 || group[at] != g))
			at++;
		if (at == f->groups) {
			group[at] = g;
			length[at] = 0;
			f->is_hint[at] = is_hint(*m);
			f->groups++;
		}
		f->choices[at][length[at]++] = *m;
		f->choices[at][length[at]] = GROUP_END;
	}
}

static char *add_word(char *at, const char *word)
{
	*at++ = '.';
	return stpcpy(at, word);
}

static void spell_form(const struct forms *f, const char *space, char *word)
{
	char width[] = { 'v', (char)('0' + f->form.vector), 0 }, *at = stpcpy(word, ptx_opcode_name(f->opcode));

	for (unsigned i = 0; i < f->form.modifier_count; i++)
		at = add_word(at, ptx_modifier_name(f->form.modifiers[i]));
	if (*space)
		at = add_word(at, space);
	if (f->form.vector > 1)
		at = add_word(at, width);
	for (unsigned i = 0; i < f->form.type_count; i++)
		at = add_word(at, ptx_type_name(f->form.types[i]));
}

/* The form is complete: its instruction goes into the batch, once for each number of operands that it takes. */
static void add_form(struct forms *f, const char *space)
{
	char word[LONGEST_WORD];
	struct text operands;

	spell_form(f, space, word);
	f->form.spelling = word;
	f->insn.form = &f->form;
	f->insn.opcode = (uint16_t)f->opcode;
	f->insn.type_count = f->form.type_count;
	memcpy(f->insn.types, f->form.types, sizeof(f->insn.types));
	f->insn.vector = f->form.vector;
	f->insn.space = f->form.space;
	f->insn.modifier_count = f->form.modifier_count;
	if (type_fault(&f->insn))
		return;
	if (make_operands(&operands, &f->insn, 0))
		add_line(f->c, word, operands.at);
	if (make_operands(&operands, &f->insn, 1))
		add_line(f->c, word, operands.at);
}

static void choose_types(struct forms *f, const char *space, unsigned position)
{
	if (position == 3 || !f->row->types[position]) {
		add_form(f, space);
		return;
	}
	for (unsigned type = PTX_PRED; type < PTX_TYPE_COUNT; type++) {
		if (!(f->row->types[position] >> type & 1))
			continue;
		f->form.types[position] = (uint8_t)type;
		f->form.type_count = (uint8_t)(position + 1);
		choose_types(f, space, position + 1);
	}
	f->form.type_count = (uint8_t)position;
}

static void choose_vector(struct forms *f, const char *space)
{
	for (uint8_t vector = 1; vector <= 8; vector = (uint8_t)(vector * 2)) {
		if (!(opcode_vectors(f->opcode) & vector))
			continue;
		f->form.vector = vector;
		choose_types(f, space, 0);
	}
}

static void choose_space(struct forms *f)
{
	static const struct { const char *name; uint8_t space; uint16_t modifier; } named[] = {
		{ "shared::cta", PTX_SHARED, PTX_MOD_SHARED_CTA }, { "shared::cluster", PTX_SHARED, PTX_MOD_SHARED_CLUSTER },
		{ "param::entry", PTX_PARAM, PTX_MOD_PARAM_ENTRY }, { "param::func", PTX_PARAM, PTX_MOD_PARAM_FUNC },
	};
	uint32_t spaces = opcode_spaces(f->opcode);

	for (unsigned space = 0; space <= PTX_TEX; space++) {
		f->form.space = (uint8_t)space;
		if (spaces >> space & 1)
			choose_vector(f, ptx_space_name(space));
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		const uint16_t *m = f->row->modifiers;

		while (*m != MODIFIERS_END && *m != named[i].modifier)
			m++;
		if (*m == MODIFIERS_END || !(spaces >> named[i].space & 1))
			continue;
		f->form.space = named[i].space;
		f->form.modifier_bits[*m / 64] |= (uint64_t)1 << *m % 64;
		choose_vector(f, named[i].name);
		f->form.modifier_bits[*m / 64] &= ~((uint64_t)1 << *m % 64);
	}
}

static void choose_modifier(struct forms *f, unsigned group, bool has_hint)
{
	if (group == f->groups) {
		if (modifiers_agree(&f->form, f->opcode))
			choose_space(f);
		return;
	}
	choose_modifier(f, group + 1, has_hint);
	if (has_hint && f->is_hint[group])
		return;
	for (const uint16_t *m = f->choices[group]; *m != GROUP_END; m++) {
		if (f->form.modifier_count == PTX_MAX_MODIFIERS)
			return;
		f->form.modifiers[f->form.modifier_count++] = *m;
		f->form.modifier_bits[*m / 64] |= (uint64_t)1 << *m % 64;
		choose_modifier(f, group + 1, has_hint || f->is_hint[group]);
		f->form.modifier_bits[*m / 64] &= ~((uint64_t)1 << *m % 64);
		f->form.modifier_count--;
	}
}

/* -- forms from templates -- */

struct template {
	unsigned opcode;
	const char *word, *operands;
	bool is_further; /* besides what the tables give */
};

static const struct template templates[] = {
#define TEMPLATE(id, word, operands) { PTX_##id, word, operands, false },
#define FURTHER(id, word, operands)  { PTX_##id, word, operands, true },
#include "frontend/coverage.def"
#undef TEMPLATE
#undef FURTHER
};

/* Bits of the type that begins at text, as a register holds it; 0: no type. */
static unsigned bits_at(const char *text)
{
	size_t length = strcspn(text, ".");
	unsigned bits;

	for (unsigned type = PTX_PRED; type < PTX_TEXREF; type++)
		if (strlen(ptx_type_name(type)) == length && !strncmp(ptx_type_name(type), text, length)) {
			bits = ptx_type_bits(type);
			return bits > 1 && bits < 16 ? 16 : bits;
		}
	return 0;
}

/* $n: a register for the n-th type of the word (its last one if there are fewer), a new one each time. */
static void fill_operands(struct text *t, const char *word, const char *operands)
{
	unsigned bits[PTX_MAX_TYPES * 2] = { 0 }, count = 0, number = 1;

	for (const char *at = strchr(word, '.'); at && count < PTX_MAX_TYPES * 2; at = strchr(at + 1, '.'))
		if (bits_at(at + 1))
			bits[count++] = bits_at(at + 1);
	t->length = 0;
	t->at[0] = 0;
	for (; *operands; operands++) {
		unsigned which = (unsigned)(operands[1] - '0');

		if (*operands != '$' || !count) {
			append_part(t, operands, 1);
			continue;
		}
		operands++;
		append_name(t, class_of(bits[which < count ? which : count - 1]), number++);
	}
}

static void expand(struct coverage *c, const char *operands, struct text *word, const char *rest)
{
	size_t length = word->length;
	const char *close;

	while (*rest && *rest != '{')
		append_part(word, rest++, 1);
	if (!*rest) {
		struct text filled;

		fill_operands(&filled, word->at, operands);
		add_line(c, word->at, filled.at);
	} else {
		close = strchr(rest, '}');
		for (const char *at = rest + 1; at <= close;) {
			size_t size = strcspn(at, ",}"), before = word->length;

			append_part(word, at, size);
			expand(c, operands, word, close + 1);
			word->length = before;
			word->at[before] = 0;
			at += size + 1;
		}
	}
	word->length = length;
	word->at[length] = 0;
}

/* Whether the templates stand for all forms of the opcode. */
static bool expand_templates(struct coverage *c, unsigned opcode)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
		struct text word = { .length = 0 };

		if (templates[i].opcode != opcode)
			continue;
		expand(c, templates[i].operands, &word, templates[i].word);
		found |= !templates[i].is_further;
	}
	return found;
}

/* -- all opcodes -- */

static void cover_opcode(struct coverage *c, unsigned opcode)
{
	struct forms f = { .c = c, .opcode = opcode, .row = &opcode_rows[opcode] };

	c->valid = c->refused = 0;
	if (!expand_templates(c, opcode) && f.row->types[0] != ANY_TYPE) {
		sort_modifiers(&f);
		choose_modifier(&f, 0, false);
	}
	settle_batch(c);
	c->total_valid += c->valid;
	c->total_refused += c->refused;
	if (c->output == COVERAGE_TABLE)
		fprintf(c->out, "%-22s %8llu %9llu %8llu\n", ptx_opcode_name(opcode), (unsigned long long)c->valid,
			(unsigned long long)(c->valid - c->refused), (unsigned long long)c->refused);
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
			(unsigned long long)(c.total_valid - c.total_refused), (unsigned long long)c.total_refused);
	free(c.lines);
}
