/* frontend/parse/instruction.c -- builds statements of a body: instructions with their operands, labels,
 * branch targets. */
#include "frontend/parse/form.h"
#include "frontend/parse/parser.h"
#include <stdlib.h>
#include <string.h>

#define DEEPEST_OPERAND 3
#define LONGEST_WORD    512u

struct node *node_append(struct node *list, struct node *item)
{
	list->last->next = item;
	list->last = item;
	list->list_count++;
	return list;
}

/* {a, b}, (a, b), a|b: the nodes become an array of operands. */
struct node *node_list(
	struct ptx_parser *p, struct ptx_location location, enum ptx_operand_kind kind, struct node *list)
{
	struct node *node = node_new(p, location, kind);
	uint32_t count = list ? list->list_count : 0, i = 0;

	node->operand.elements = arena_array_of(p->arena, struct ptx_operand, count);
	node->operand.element_count = count;
	for (struct node *item = list; item; item = item->next) {
		node->operand.elements[i++] = item->operand;
		if (item->depth >= node->depth)
			node->depth = item->depth + 1;
		if (item->is_generic || item->mask)
			parse_error(p, item->operand.location, NULL, "this can stand in an initialiser only");
	}
	if (node->depth > DEEPEST_OPERAND) {
		parse_error(p, location, NULL, "operands nested too deeply");
		node->operand.element_count = 0;
		node->depth = 0;
	}
	return node;
}

/* [base+offset], or with more behind a comma a texture operand: [texture, {x, y}]. */
struct node *node_address(
	struct ptx_parser *p, struct ptx_location location, struct node *base, struct node *rest)
{
	struct node *node;
	enum ptx_operand_kind kind = base->operand.kind;

	if (rest) {
		base->last = base;
		base->next = rest;
		base->last = rest->last;
		base->list_count = rest->list_count + 1;
		return node_list(p, location, PTX_OP_TEXTURE, base);
	}
	node = node_new(p, location, PTX_OP_ADDRESS);
	if ((kind != PTX_OP_NAME && kind != PTX_OP_VALUE) || base->operand.negated) {
		parse_error(p, base->operand.location, NULL,
			"an address is a name, a constant, or the sum of both");
		return node;
	}
	node->operand.value = base->operand.value;
	if (node->operand.value.kind == PTX_FLOAT32_BITS || node->operand.value.kind == PTX_FLOAT64_BITS)
		parse_error(p, base->operand.location, NULL, "an address must be an integer");
	if (kind == PTX_OP_NAME) {
		base->operand.value.bits = 0;
		node->operand.base = arena_copy(p->arena, &base->operand, sizeof(base->operand));
	}
	return node;
}

/* `ld .global` in two words. */
struct ptx_name *join_words(struct ptx_parser *p, struct ptx_name *word, struct ptx_name *suffix)
{
	char text[LONGEST_WORD];

	if (word->length + suffix->length >= sizeof(text))
		return word;
	memcpy(text, word->text, word->length);
	memcpy(text + word->length, suffix->text, suffix->length);
	return names_intern(&p->names, text, word->length + suffix->length);
}

void add_label(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name)
{
	struct ptx_label *label = arena_new_of(p->arena, struct ptx_label);

	label->name = name->text;
	label->target = p->function->insn_count;
	label->location = location;
	if (name->labels && name->labels->depth == p->scope->depth) {
		struct ptx_label *first = name->labels->thing;

		parse_error(p, location, NULL, "label '%.200s' is already on line %u", name->text,
			first->location.line);
		p->last_label = NULL;
		return;
	}
	bind_label(p, name, label);
	*p->labels_end = label;
	p->labels_end = &label->next;
	p->last_label = label;
}

void add_targets(struct ptx_parser *p, struct ptx_location location, struct node *names, bool is_call)
{
	struct ptx_label *label = p->last_label;
	uint32_t i = 0;

	if (is_call ? !needs(p, location, ".calltargets", 21, 20)
		    : !needs(p, location, ".branchtargets", 60, 30))
		return;
	if (!label || label->targets || label->prototype || label->target != p->function->insn_count) {
		parse_error(
			p, location, "L: .branchtargets A, B;", "a list of targets needs a label in front");
		return;
	}
	label->targets = arena_array_of(p->arena, const char *, names->list_count);
	label->target_count = names->list_count;
	label->is_call_list = is_call;
	if (!is_call)
		label->target_labels = arena_array_of(p->arena, struct ptx_label *, names->list_count);
	for (struct node *item = names; item; item = item->next, i++) {
		label->targets[i] = item->operand.name;
		if (!is_call)
			resolve_target(p, &label->target_labels[i], name_of(item->operand.name),
				item->operand.location);
	}
}

/* Operands whose name is a label, and never a variable that happens to be called so. */
static bool wants_label(const struct ptx_form *form, uint32_t operand)
{
	return (form->opcode == PTX_BRA && operand == 0) || (form->opcode == PTX_BRX && operand == 1);
}

static void add_operands(
	struct ptx_parser *p, struct ptx_insn *insn, const struct ptx_form *form, struct node *nodes)
{
	uint32_t count = nodes ? nodes->list_count : 0, i = 0;

	if (count > PTX_MAX_OPERANDS) {
		parse_error(p, nodes->operand.location, NULL, "'%s' with %u operands: there are at most %d",
			form->opcode_name, count, PTX_MAX_OPERANDS);
		return;
	}
	insn->operand_count = (uint8_t)count;
	insn->operands = arena_array_of(p->arena, struct ptx_operand, count);
	for (struct node *node = nodes; node; node = node->next, i++) {
		if (node->is_generic || node->mask)
			parse_error(p, node->operand.location, NULL, "this can stand in an initialiser only");
		insn->operands[i] = node->operand;
		resolve_operand(p, &insn->operands[i], wants_label(form, i));
	}
}

static void add_guard(struct ptx_parser *p, struct ptx_insn *insn, struct node *guard)
{
	insn->has_guard = true;
	insn->guard_negated = guard->operand.negated;
	insn->guard = guard->operand;
	insn->guard.negated = false;
}

/* A function's instructions grow in a buffer of the parser and move to the arena when it ends (see
 * function_end). */
static struct ptx_insn *new_insn(struct ptx_parser *p, struct ptx_function *f)
{
	struct ptx_insn *insn;

	if (f->insn_count == p->insn_capacity) {
		p->insn_capacity = p->insn_capacity ? 2 * p->insn_capacity : 256;
		p->insns = realloc(p->insns, p->insn_capacity * sizeof(*p->insns));
		if (!p->insns)
			abort();
	}
	f->insns = p->insns;
	insn = &f->insns[f->insn_count++];
	memset(insn, 0, sizeof(*insn));
	return insn;
}

/* The guard is resolved in place: its instruction may still move while the function grows, so that a name
 * which would have to wait for the end of the scope is no predicate register anyway. */
static void resolve_guard(struct ptx_parser *p, struct ptx_insn *insn)
{
	struct ptx_operand *copy = arena_copy(p->arena, &insn->guard, sizeof(insn->guard));

	resolve_operand(p, copy, false);
	insn->guard = *copy;
}

void add_instruction(struct ptx_parser *p, struct ptx_location location, struct node *guard,
	struct ptx_name *word, struct node *operands)
{
	struct ptx_form *form = form_of(p, location, word);
	struct ptx_insn *insn;

	if (form) {
		insn = new_insn(p, p->function);
		insn->opcode = form->opcode;
		insn->opcode_name = form->opcode_name;
		insn->form = form;
		memcpy(insn->modifiers, form->modifiers, sizeof(insn->modifiers));
		memcpy(insn->types, form->types, sizeof(insn->types));
		insn->modifier_count = form->modifier_count;
		insn->type_count = form->type_count;
		insn->space = form->space;
		insn->space2 = form->space2;
		insn->vector = form->vector;
		insn->location = location;
		if (guard) {
			add_guard(p, insn, guard);
			resolve_guard(p, insn);
		}
		add_operands(p, insn, form, operands);
	}
	arena_reset(p->scratch);
}
