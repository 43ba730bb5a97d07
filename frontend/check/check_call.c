/* frontend/check/check_call.c -- calls against the function or prototype that they name, and jumps through
 * tables.
 */
#include "frontend/check/check.h"

static uint32_t length(const struct ptx_var *v)
{
	uint32_t count = 0;

	for (; v; v = v->next)
		count++;
	return count;
}

static const struct ptx_var *last_formal(const struct ptx_var *v)
{
	while (v && v->next)
		v = v->next;
	return v;
}

/* The last parameter, of any length; a call may leave it out. */
static bool is_argument_list(const struct ptx_var *formal)
{
	return formal->dimensions && !formal->bytes;
}

/* An array is passed for an array, and nothing else than a variable for a list of any length. */
static bool suits_array(const struct ptx_operand *o, const struct ptx_var *formal)
{
	if (o->kind != PTX_OP_SYMBOL)
		return !is_argument_list(formal);
	return !o->variable->dimensions == !formal->dimensions &&
		(!is_argument_list(formal) || o->variable->dimensions == 1);
}

static void check_parameter_list(struct ptx_parser *p, const struct ptx_insn *insn,
	const struct ptx_operand *list, const struct ptx_var *formal, const char *name, const char *what)
{
	uint32_t have = list ? list->element_count : 0, need = length(formal);

	if (list && have + 1 == need && is_argument_list(last_formal(formal)))
		need = have;
	if (have != need) {
		parse_error(p, list ? list->location : insn->location, NULL, "'%.200s' has %u %s%s, not %u",
			name, need, what, need == 1 ? "" : "s", have);
		return;
	}
	for (uint32_t i = 0; i < have; i++, formal = formal->next) {
		const struct ptx_operand *o = &list->elements[i];

		if (o->kind == PTX_OP_SYMBOL && formal->space == PTX_PARAM && o->variable->space != PTX_PARAM)
			parse_error(p, o->location, NULL,
				"'%.200s' is in .%s: an argument is passed in .param", o->name,
				ptx_space_name(o->variable->space));
		else if (o->kind == PTX_OP_SYMBOL && formal->space == PTX_PARAM &&
			o->variable->bytes != formal->bytes && formal->bytes && o->variable->bytes)
			parse_error(p, o->location, NULL, "'%.200s' has %llu bytes, the %s %llu", o->name,
				(unsigned long long)o->variable->bytes, what,
				(unsigned long long)formal->bytes);
		else if (formal->space == PTX_PARAM && !suits_array(o, formal))
			parse_error(p, o->location, NULL, "the %s is %s", what,
				formal->dimensions ? "an array" : "no array");
		else
			check_argument(p, o, formal, what);
	}
}

/* The function type behind `call (r), %fp, (a), list`: of the prototype, or NULL for a list of functions. */
static const struct ptx_function *prototype_of(
	struct ptx_parser *p, const struct ptx_operand *target, const struct ptx_operand *last)
{
	if (!last ||
		(last->kind != PTX_OP_LABEL && last->kind != PTX_OP_NAME && last->kind != PTX_OP_SYMBOL)) {
		parse_error(p, target->location, NULL,
			"a call through a register needs a '.callprototype' or '.calltargets'");
		return NULL;
	}
	if (last->kind == PTX_OP_LABEL && !last->label->prototype && !last->label->is_call_list)
		parse_error(p, last->location, NULL,
			"'%.200s' is neither a '.callprototype' nor a '.calltargets'", last->name);
	return last->kind == PTX_OP_LABEL ? last->label->prototype : NULL;
}

/* Prototypes and lists of targets stand before what uses them. */
static void check_order(struct ptx_parser *p, const struct ptx_operand *o)
{
	const struct ptx_location *at = &o->location;

	if (o->kind == PTX_OP_LABEL && (o->label->prototype || o->label->targets) &&
		(o->label->location.line > at->line ||
			(o->label->location.line == at->line && o->label->location.column > at->column)))
		parse_error(p, *at, NULL, "'%.200s' is declared behind this", o->name);
}

/* Calls through registers, and of functions outside the module, are the ABI's. */
static void check_abi(struct ptx_parser *p, const struct ptx_operand *target)
{
	const struct ptx_function *other = p->module->without_abi;
	bool is_missing = other || p->module->has_thread_variables;
	bool is_outside = target->kind == PTX_OP_FUNCTION && target->function->linkage == PTX_EXTERN;

	if (is_missing && (target->kind == PTX_OP_REG || is_outside))
		parse_error(p, target->location, NULL, "a call %s needs the ABI, which %s%.200s%s rule%s out",
			is_outside ? "of an external function" : "through a register",
			other ? "'" : "variables of the module in .reg or .local", other ? other->name : "",
			other ? "' with its several results" : "", other ? "s" : "");
}

void check_call(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct ptx_operand *o = insn->operands, *end = o + insn->operand_count;
	const struct ptx_operand *results = NULL, *target, *arguments = NULL;
	const struct ptx_function *f = NULL;

	if (o < end && o->kind == PTX_OP_LIST)
		results = o++;
	if (o == end || o->kind == PTX_OP_LIST) {
		parse_error(p, insn->location, "call (results), function, (arguments);",
			"a call needs a function");
		return;
	}
	target = o++;
	if (o < end && o->kind == PTX_OP_LIST)
		arguments = o++;
	if (end - o > 1) {
		parse_error(
			p, o[1].location, NULL, "a call ends with its arguments and at most one prototype");
		return;
	}
	if (o < end)
		check_order(p, o);
	check_call_register(p, target);
	check_abi(p, target);
	if (target->kind == PTX_OP_FUNCTION)
		f = target->function;
	else if (target->kind == PTX_OP_REG)
		f = prototype_of(p, target, o < end ? o : NULL);
	else if (target->kind != PTX_OP_NAME)
		parse_error(p, target->location, NULL, "'%.200s' is no function", target->name);
	if (!f)
		return;
	if (f->is_entry) {
		parse_error(
			p, target->location, NULL, "'%.200s' is an entry and cannot be called", target->name);
		return;
	}
	check_parameter_list(p, insn, results, f->returns, target->name, "result");
	check_parameter_list(p, insn, arguments, f->params, target->name, "parameter");
}

void check_branch_table(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct ptx_operand *table;

	if (insn->operand_count < 2)
		return;
	table = &insn->operands[1];
	check_order(p, table);
	if (table->kind == PTX_OP_LABEL && !table->label->target_labels)
		parse_error(p, table->location, NULL, "'%.200s' is no list of '.branchtargets'", table->name);
}
