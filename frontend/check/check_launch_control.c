/* frontend/check/check_launch_control.c -- clusterlaunchcontrol: its words and operands, as ptxas takes them.
 */
#include "frontend/check/check_word.h"

static bool check_try(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_shared = insn->space == PTX_SHARED,
	     is_multicast = word_has(insn, PTX_MOD_MULTICAST_CLUSTER_ALL);
	unsigned count = 3u + is_shared + is_multicast;

	if (!word_has(insn, PTX_MOD_ASYNC) || !word_has(insn, PTX_MOD_MBARRIER_COMPLETE_TX) ||
		insn->modifier_count != count || insn->type_count != 1 || insn->types[0] != PTX_B128 ||
		(insn->space && !is_shared) || is_shared != word_has(insn, PTX_MOD_SHARED_CTA))
		return wrong_word(p, insn,
			"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128",
			"is not defined");
	return true;
}

static bool check_query(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool asks = word_has(insn, PTX_MOD_IS_CANCELED), all = word_has(insn, PTX_MOD_GET_FIRST_CTAID);
	unsigned parts = HOW_MANY(
		insn, PTX_MOD_GET_FIRST_CTAID_X, PTX_MOD_GET_FIRST_CTAID_Y, PTX_MOD_GET_FIRST_CTAID_Z);

	if (asks + all + parts != 1 || insn->modifier_count != 2 || insn->space || insn->type_count != 2 ||
		insn->types[0] != (asks ? PTX_PRED : PTX_B32) || insn->types[1] != PTX_B128 ||
		insn->vector != (all ? 4 : 1))
		return wrong_word(p, insn,
			".is_canceled.pred.b128, .get_first_ctaid.v4.b32.b128, .get_first_ctaid::x.b32.b128",
			"is not defined");
	return true;
}

bool check_launch_control_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (word_has(insn, PTX_MOD_TRY_CANCEL))
		return check_try(p, insn);
	if (word_has(insn, PTX_MOD_QUERY_CANCEL))
		return check_query(p, insn);
	return wrong_word(p, insn, ".try_cancel or .query_cancel", "needs an operation");
}

void check_launch_control(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;

	if (insn->operand_count != 2) {
		parse_error(c->p, insn->location, NULL, "'%.100s' takes 2 operands, not %u", check_word(c),
			insn->operand_count);
		return;
	}
	if (word_has(insn, PTX_MOD_TRY_CANCEL)) {
		check_address_in(c, &o[0], insn->space);
		check_address_in(c, &o[1], insn->space);
		return;
	}
	if (insn->vector == 4 && (o[0].kind != PTX_OP_VECTOR || o[0].element_count != 4))
		parse_error(c->p, o[0].location, NULL, "'%.100s' takes 4 registers in braces", check_word(c));
	for (unsigned i = 0; insn->vector == 4 && o[0].kind == PTX_OP_VECTOR && i < o[0].element_count; i++)
		if (o[0].elements[i].kind != PTX_OP_SINK)
			check_value(c, &o[0].elements[i], &(struct want){ PTX_B32, false, true });
	if (insn->vector != 4)
		check_value(c, &o[0], &(struct want){ insn->types[0], false, true });
	check_value(c, &o[1], &(struct want){ PTX_B128, false, false });
}
