/* frontend/print/coverage_form.c -- the candidates that the tables give: every word that an opcode's
 * modifiers, types, state spaces and vector widths make, with operands that suit it. */
#include "frontend/print/coverage_parts.h"
#include "frontend/tables/groups.h"
#include <stdio.h>
#include <string.h>

#define LONGEST_WORD 1024u /* more than any 12 modifiers take */
#define MOST_GROUPS  24u

/* -- operands that suit a form -- */

void append_part(struct text *t, const char *part, size_t length)
{
	size_t room = LONGEST_LINE - 1 - t->length;

	if (length > room)
		length = room;
	memcpy(t->at + t->length, part, length);
	t->length += length;
	t->at[t->length] = 0;
}

static void append_text(struct text *t, const char *part)
{
	append_part(t, part, strlen(part));
}

void append_name(struct text *t, char letter, unsigned number)
{
	char name[] = { '%', letter, (char)('0' + number / 10), (char)('0' + number % 10), 0 };

	if (number < 10) {
		name[2] = name[3];
		name[3] = 0;
	}
	append_text(t, name);
}

char class_of(unsigned bits)
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
	append_text(t, "{");
	for (unsigned i = 0; i < vector; i++) {
		append_text(t, i ? ", " : "");
		append_name(t, class_of(bits), first + i);
	}
	append_text(t, "}");
}

static void append_address(struct text *t, const struct ptx_insn *insn)
{
	if (insn->space != PTX_PARAM)
		append_text(t, "[%d1]");
	else if (insn->opcode == PTX_LD && !form_has(insn->form, PTX_MOD_PARAM_FUNC))
		append_text(t, "[in]");
	else
		append_text(t, "[arg]");
}

static void append_constant(struct text *t, const struct ptx_insn *insn)
{
	append_text(t, insn->opcode == PTX_PMEVENT ? "3" : "128");
}

/* One operand by its letter in opcodes.def; number: a register of its own. */
static void append_operand(struct text *t, char letter, const struct ptx_insn *insn, unsigned number)
{
	unsigned first = ptx_type_bits(insn->types[0]),
		 wide = form_has(insn->form, PTX_MOD_WIDE) ? 2 * first : first;
	unsigned second = insn->type_count > 1 ? ptx_type_bits(insn->types[1]) : first;
	unsigned last = insn->type_count ? ptx_type_bits(insn->types[insn->type_count - 1]) : first;

	if (strchr("DLST0s", letter))
		append_register(t, first, insn->vector, number);
	else if (strchr("Ww", letter))
		append_register(t, wide, 1, number);
	else if (letter == '1')
		append_register(t, second, 1, number);
	else if (letter == 'v')
		append_register(t, last, 1, number);
	else if (strchr("IuEr", letter))
		append_register(t, 32, 1, number);
	else if (strchr("PQp", letter))
		append_register(t, 1, 1, number);
	else if (strchr("il", letter))
		append_constant(t, insn);
	else if (letter == 'm')
		append_address(t, insn);
	else if (letter == 'b')
		append_text(t, "L");
	else
		append_register(t, 64, 1, number);
	if (letter == 'T' || (letter == 'S' && needs_pair(insn)))
		append_text(t, "|%p1");
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
		append_text(t, number > 1 ? ", " : "");
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
	static const uint16_t hints[] = { PTX_MOD_CA, PTX_MOD_L1_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST,
		PTX_MOD_L2_64B };

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

		if (*m == PTX_MOD_SHARED_CTA || *m == PTX_MOD_SHARED_CLUSTER || *m == PTX_MOD_PARAM_ENTRY ||
			*m == PTX_MOD_PARAM_FUNC)
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

static char *copy_word(char *at, const char *word)
{
	*at++ = '.';
	return stpcpy(at, word);
}

static void spell_form(const struct forms *f, const char *space, char *word)
{
	char width[] = { 'v', (char)('0' + f->form.vector), 0 },
	     *at = stpcpy(word, ptx_opcode_name(f->opcode));

	for (unsigned i = 0; i < f->form.modifier_count; i++)
		at = copy_word(at, ptx_modifier_name(f->form.modifiers[i]));
	if (*space)
		at = copy_word(at, space);
	if (f->form.vector > 1)
		at = copy_word(at, width);
	for (unsigned i = 0; i < f->form.type_count; i++)
		at = copy_word(at, ptx_type_name(f->form.types[i]));
}

/* The form is complete: its instruction goes into the batch, once for each number of operands that it takes.
 */
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
		coverage_add(f->c, word, operands.at);
	if (make_operands(&operands, &f->insn, 1))
		coverage_add(f->c, word, operands.at);
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
	static const struct {
		const char *name;
		uint8_t space;
		uint16_t modifier;
	} named[] = {
		{ "shared::cta", PTX_SHARED, PTX_MOD_SHARED_CTA },
		{ "shared::cluster", PTX_SHARED, PTX_MOD_SHARED_CLUSTER },
		{ "param::entry", PTX_PARAM, PTX_MOD_PARAM_ENTRY },
		{ "param::func", PTX_PARAM, PTX_MOD_PARAM_FUNC },
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

void coverage_forms(struct coverage *c, unsigned opcode)
{
	struct forms f = { .c = c, .opcode = opcode, .row = &opcode_rows[opcode] };

	if (f.row->types[0] == ANY_TYPE)
		return;
	sort_modifiers(&f);
	choose_modifier(&f, 0, false);
}
