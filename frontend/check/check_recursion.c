/* frontend/check/check_recursion.c -- modules without the ABI have no stack: no function that an entry can
 * reach calls itself. */
#include "frontend/check/check.h"

#define DEEPEST_CHAIN 10000u /* of calls that is followed */

/* What function->user says meanwhile. */
static char on_chain, is_followed;

static const struct ptx_function *callee_of(const struct ptx_insn *insn)
{
	for (uint32_t i = 0; insn->opcode == PTX_CALL && i < insn->operand_count; i++)
		if (insn->operands[i].kind == PTX_OP_FUNCTION)
			return insn->operands[i].function;
	return NULL;
}

static void follow_calls(struct ptx_parser *p, struct ptx_function *f, unsigned depth)
{
	if (f->user == &on_chain)
		parse_error(
			p, f->location, NULL, "'%.200s' is recursive, but the module has no ABI", f->name);
	if (f->user || depth > DEEPEST_CHAIN)
		return;
	f->user = &on_chain;
	for (uint32_t i = 0; i < f->insn_count; i++) {
		const struct ptx_function *callee = callee_of(&f->insns[i]);

		if (callee)
			follow_calls(p, (struct ptx_function *)callee, depth + 1);
	}
	f->user = &is_followed;
}

void check_recursion(struct ptx_parser *p)
{
	struct ptx_module *m = p->module;

	if (!m->without_abi && !m->has_thread_variables)
		return;
	for (struct ptx_function *f = m->functions; f; f = f->next)
		if (f->is_entry)
			follow_calls(p, f, 0);
	for (struct ptx_function *f = m->functions; f; f = f->next)
		f->user = NULL;
}
