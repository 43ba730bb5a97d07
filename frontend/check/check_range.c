/* frontend/check/check_range.c -- numbers that have a range: constant operands, alignments, how much of a
 * small memory is taken. */
#include "frontend/check/check.h"

#define MOST_SHARED 49152u /* bytes that one entry declares */
#define MOST_CONST  65536u /* bytes of .const in a module */

static void check_between(const struct check *c, uint32_t index, uint64_t least, uint64_t most)
{
	const struct ptx_operand *o = &c->insn->operands[index];

	if (index < c->insn->operand_count && o->kind == PTX_OP_VALUE &&
		(o->value.bits < least || o->value.bits > most))
		parse_error(c->p, o->location, NULL, "%lld is out of range: '%.100s' takes %llu to %llu here",
			(long long)o->value.bits, check_word(c), (unsigned long long)least,
			(unsigned long long)most);
}

static void check_alignment(const struct check *c, uint32_t index)
{
	const struct ptx_operand *o = &c->insn->operands[index];

	if (index < c->insn->operand_count && o->kind == PTX_OP_VALUE &&
		(!o->value.bits || o->value.bits & (o->value.bits - 1)))
		parse_error(c->p, o->location, NULL, "an alignment must be a power of two");
}

void check_ranges(const struct check *c)
{
	switch (c->insn->opcode) {
	case PTX_BFE:
		check_between(c, 2, 0, 255);
		check_between(c, 3, 0, 255);
		break;
	case PTX_BFI:
		check_between(c, 3, 0, 255);
		check_between(c, 4, 0, 255);
		break;
	case PTX_PMEVENT:
		check_between(c, 0, 0, form_has(c->insn->form, PTX_MOD_MASK) ? 0xffff : 15);
		break;
	case PTX_APPLYPRIORITY:
	case PTX_DISCARD:
		check_between(c, 1, 128, 128);
		break;
	case PTX_ALLOCA:
		check_alignment(c, 2);
		break;
	default:
		break;
	}
}

/* lop3 has a pair d|p with a boolean operation and only then; elect always. */
void check_pair_needed(const struct check *c)
{
	bool is_pair = c->insn->operand_count && c->insn->operands[0].kind == PTX_OP_PAIR;

	if (c->insn->opcode != PTX_LOP3 && c->insn->opcode != PTX_ELECT)
		return;
	if (needs_pair(c->insn) && !is_pair)
		parse_error(c->p, c->insn->location, "d|p", "'%.100s' has a predicate as its second result",
			check_word(c));
	else if (is_pair && !needs_pair(c->insn))
		parse_error(
			c->p, c->insn->operands[0].location, NULL, "'%.100s' has one result", check_word(c));
}

/* An address whose base is a variable, where the instruction names no state space; what a parameter can be
 * used for. */
void check_named_base(const struct check *c, const struct ptx_operand *base)
{
	const struct ptx_var *v = base->variable;
	bool is_store = c->insn->opcode == PTX_ST, is_load = c->insn->opcode == PTX_LD;

	if (!is_store && !is_load)
		return;
	if (!c->insn->space && (v->space == PTX_CONST || v->space == PTX_PARAM))
		parse_error(c->p, base->location, NULL, "'%.200s' is in .%s, which '%.100s' does not name",
			check_shown(base), ptx_space_name(v->space), check_word(c));
	else if (is_store && v->is_param_in && v->owner && !v->owner->is_entry)
		parse_error(c->p, base->location, NULL,
			"'%.200s' is an input of the function and cannot be written", check_shown(base));
	else if (is_load && v->is_param_out)
		parse_error(c->p, base->location, NULL,
			"'%.200s' is a result of the function and cannot be read", check_shown(base));
}

void check_signature(struct ptx_parser *p, const struct ptx_function *f)
{
	for (const struct ptx_var *v = f->returns; v && f->returns->next; v = v->next)
		if (v->space == PTX_PARAM) {
			parse_error(p, v->location, NULL, "several results stand in .reg, not in .param");
			return;
		}
	if (f->is_entry && f->shared_bytes > MOST_SHARED)
		parse_error(p, f->location, "use .extern .shared and a launch parameter",
			"'%.200s' declares %llu bytes of .shared: there are %u", f->name,
			(unsigned long long)f->shared_bytes, MOST_SHARED);
}

void check_const_bytes(struct ptx_parser *p)
{
	uint64_t bytes = 0;

	for (const struct ptx_var *v = p->module->variables; v; v = v->next) {
		if (v->space != PTX_CONST || v->linkage == PTX_EXTERN)
			continue;
		bytes = ((bytes + v->align - 1) & ~(v->align - 1)) + v->bytes;
		if (bytes > MOST_CONST) {
			parse_error(p, v->location, NULL,
				"'%.200s' does not fit: the module's .const variables take more than %u "
				"bytes",
				v->name, MOST_CONST);
			return;
		}
	}
}
