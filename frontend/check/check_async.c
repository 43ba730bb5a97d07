/* frontend/check/check_async.c -- cp.async and mbarrier: words and operands, as the vendor's assembler takes
 * them. Bulk copies: check_bulk.c. */
#include "frontend/check/check_word.h"

#include <stdio.h>

static bool takes_only(struct ptx_parser *p, const struct ptx_insn *insn, const uint16_t *list)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++) {
		const uint16_t *allowed = list;

		while (*allowed != MODIFIERS_END && *allowed != insn->modifiers[i])
			allowed++;
		if (*allowed != MODIFIERS_END)
			continue;
		parse_error(p, insn->location, NULL, "'%.100s' does not take '.%s'", insn->form->spelling,
			ptx_modifier_name(insn->modifiers[i]));
		return false;
	}
	return true;
}

#define ONLY(p, insn, ...) takes_only(p, insn, (const uint16_t[]){ __VA_ARGS__, MODIFIERS_END })

/* .shared, .shared::cta or nothing, and .b64. */
static bool names_object(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (insn->space2 || (insn->space && insn->space != PTX_SHARED))
		return wrong_word(p, insn, ".shared", "cannot have this state space");
	if (insn->type_count != 1 || insn->types[0] != PTX_B64)
		return wrong_word(p, insn, ".b64", "has another type");
	return !word_has(insn, PTX_MOD_SHARED_CTA) || is_available(p, insn, 80, 78);
}

/* ---- cp.async ---- */

static bool is_thread_copy(const struct ptx_insn *insn)
{
	return word_has(insn, PTX_MOD_ASYNC) && !word_has(insn, PTX_MOD_BULK) &&
		!word_has(insn, PTX_MOD_REDUCE);
}

static bool is_group_operation(const struct ptx_insn *insn)
{
	return word_has(insn, PTX_MOD_COMMIT_GROUP) || word_has(insn, PTX_MOD_WAIT_GROUP) ||
		word_has(insn, PTX_MOD_WAIT_ALL);
}

static bool check_copy_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool has_hint = word_has(insn, PTX_MOD_L2_CACHE_HINT), has_prefetch;

	if (!ONLY(p, insn, PTX_MOD_ASYNC, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_SHARED_CTA, PTX_MOD_L2_CACHE_HINT,
		    PTX_MOD_L2_64B, PTX_MOD_L2_128B, PTX_MOD_L2_256B))
		return false;
	if (word_has(insn, PTX_MOD_CA) + word_has(insn, PTX_MOD_CG) != 1)
		return wrong_word(p, insn, ".ca or .cg", "lacks a modifier");
	if (insn->space != PTX_SHARED || insn->space2 != PTX_GLOBAL)
		return wrong_word(p, insn, ".shared.global", "copies from .global to .shared");
	if (insn->type_count)
		return wrong_word(p, insn, NULL, "takes no type");
	has_prefetch = word_has(insn, PTX_MOD_L2_64B) || word_has(insn, PTX_MOD_L2_128B) ||
		word_has(insn, PTX_MOD_L2_256B);
	return is_available(p, insn, 80, has_hint || has_prefetch ? 74 : 70);
}

bool check_async_copy_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (!is_thread_copy(insn))
		return check_bulk_word(p, insn);
	if (is_group_operation(insn)) {
		if (insn->modifier_count != 2 || insn->space || insn->type_count)
			return wrong_word(p, insn, NULL, "takes no further modifiers");
		return is_available(p, insn, 80, 70);
	}
	if (word_has(insn, PTX_MOD_MBARRIER))
		return ONLY(p, insn, PTX_MOD_ASYNC, PTX_MOD_MBARRIER, PTX_MOD_ARRIVE, PTX_MOD_NOINC,
			       PTX_MOD_SHARED_CTA) &&
			(word_has(insn, PTX_MOD_ARRIVE) ||
				wrong_word(p, insn, "cp.async.mbarrier.arrive", "is not defined")) &&
			names_object(p, insn) && is_available(p, insn, 80, 70);
	return check_copy_word(p, insn);
}

static bool check_operand_count(const struct check *c, unsigned least, unsigned most)
{
	unsigned have = c->insn->operand_count;

	if (have >= least && have <= most)
		return true;
	parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %s%u operand%s, not %u", check_word(c),
		least == most          ? ""
			: have < least ? "at least "
				       : "at most ",
		have < least ? least : most, (have < least ? least : most) == 1 ? "" : "s", have);
	return false;
}

static bool is_small_integer(const struct ptx_operand *o, uint64_t most)
{
	return o->kind == PTX_OP_VALUE && o->value.kind <= PTX_UINT && o->value.bits <= most;
}

/* cp.async copies 4, 8 or 16 bytes, past the L1 only 16. */
static bool check_copy_size(const struct check *c, const struct ptx_operand *size)
{
	bool is_cg = word_has(c->insn, PTX_MOD_CG);
	uint64_t bytes = size->value.bits;

	if (is_small_integer(size, 16) && (bytes == 16 || (!is_cg && (bytes == 4 || bytes == 8))))
		return true;
	parse_error(c->p, size->location, NULL, "'%.100s' copies %s bytes", check_word(c),
		is_cg ? "16" : "4, 8 or 16");
	return false;
}

/* How many bytes are read, the rest being zero; or a predicate: none. */
static void check_source_size(const struct check *c, const struct ptx_operand *o, uint64_t size)
{
	const struct ptx_module *m = c->p->module;

	if (o->kind == PTX_OP_REG && o->variable->type == PTX_PRED) {
		if (m->version_major * 10 + m->version_minor < 75)
			parse_error(c->p, o->location, ".version 7.5",
				"a predicate here is newer than the module's version");
	} else if (o->kind == PTX_OP_VALUE && !is_small_integer(o, size)) {
		parse_error(c->p, o->location, NULL, "'%.100s' reads at most the %u bytes that it copies",
			check_word(c), (unsigned)size);
	} else {
		check_value(c, o, &(struct want){ PTX_U32, false, false });
	}
}

static void check_copy_operands(const struct check *c)
{
	const struct ptx_operand *o = c->insn->operands;
	bool has_policy = word_has(c->insn, PTX_MOD_L2_CACHE_HINT);

	if (!check_operand_count(c, has_policy ? 4 : 3, has_policy ? 5 : 4))
		return;
	check_address_in(c, &o[0], PTX_SHARED);
	check_address_in(c, &o[1], PTX_GLOBAL);
	if (!check_copy_size(c, &o[2]))
		return;
	if (c->insn->operand_count > (has_policy ? 4 : 3))
		check_source_size(c, &o[3], o[2].value.bits);
	if (has_policy)
		check_value(c, &o[c->insn->operand_count - 1], &(struct want){ PTX_U64, false, false });
}

void check_async_copy(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;

	if (!is_thread_copy(insn)) {
		check_bulk(c);
	} else if (word_has(insn, PTX_MOD_WAIT_GROUP)) {
		if (check_operand_count(c, 1, 1) && !is_small_integer(&insn->operands[0], UINT64_MAX))
			parse_error(c->p, insn->operands[0].location, NULL,
				"'%.100s' needs an integer constant here", check_word(c));
	} else if (is_group_operation(insn)) {
		check_operand_count(c, 0, 0);
	} else if (word_has(insn, PTX_MOD_MBARRIER)) {
		if (check_operand_count(c, 1, 1))
			check_address_in(c, &insn->operands[0], insn->space);
	} else {
		check_copy_operands(c);
	}
}

/* ---- mbarrier ---- */

/* The address of an mbarrier object. */
static void check_object(const struct check *c, const struct ptx_operand *o)
{
	const struct ptx_operand *base = o->kind == PTX_OP_ADDRESS ? o->base : NULL;

	check_address_in(c, o, c->insn->space);
	if (!c->insn->space && base && base->kind == PTX_OP_REG && c->p->module->address_bits == 64 &&
		ptx_type_bits(base->variable->type) == 32)
		parse_error(c->p, base->location, NULL, "'%.200s' is too narrow for a generic address",
			check_shown(base));
}

static unsigned async_operation(const struct ptx_insn *insn)
{
	static const uint16_t operations[] = { PTX_MOD_INIT, PTX_MOD_INVAL, PTX_MOD_ARRIVE,
		PTX_MOD_ARRIVE_DROP, PTX_MOD_TEST_WAIT, PTX_MOD_TRY_WAIT, PTX_MOD_PENDING_COUNT,
		PTX_MOD_EXPECT_TX, PTX_MOD_COMPLETE_TX };
	unsigned found = PTX_MODIFIER_COUNT, count = 0;

	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		bool is_extra = operations[i] == PTX_MOD_EXPECT_TX &&
			(found == PTX_MOD_ARRIVE || found == PTX_MOD_ARRIVE_DROP);

		if (!word_has(insn, operations[i]) || is_extra)
			continue;
		found = operations[i];
		count++;
	}
	return count == 1 ? found : PTX_MODIFIER_COUNT;
}

static bool is_arrival(unsigned operation)
{
	return operation == PTX_MOD_ARRIVE || operation == PTX_MOD_ARRIVE_DROP;
}

static bool is_wait(unsigned operation)
{
	return operation == PTX_MOD_TEST_WAIT || operation == PTX_MOD_TRY_WAIT;
}

static bool is_transaction(unsigned operation)
{
	return operation == PTX_MOD_EXPECT_TX || operation == PTX_MOD_COMPLETE_TX;
}

/* What may stand besides the operation itself. */
static bool check_mbarrier_modifiers(struct ptx_parser *p, const struct ptx_insn *insn, uint16_t operation)
{
	if (is_arrival(operation))
		return ONLY(p, insn, operation, PTX_MOD_EXPECT_TX, PTX_MOD_NOCOMPLETE, PTX_MOD_RELEASE,
			PTX_MOD_RELAXED, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_SHARED_CTA,
			PTX_MOD_SHARED_CLUSTER);
	if (is_wait(operation))
		return ONLY(p, insn, operation, PTX_MOD_PARITY, PTX_MOD_ACQUIRE, PTX_MOD_RELAXED, PTX_MOD_CTA,
			PTX_MOD_CLUSTER, PTX_MOD_SHARED_CTA);
	if (is_transaction(operation))
		return ONLY(p, insn, operation, PTX_MOD_RELAXED, PTX_MOD_CTA, PTX_MOD_CLUSTER,
			PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER);
	if (operation == PTX_MOD_PENDING_COUNT)
		return ONLY(p, insn, operation) &&
			(!insn->space || wrong_word(p, insn, NULL, "takes no state space"));
	return ONLY(p, insn, operation, PTX_MOD_SHARED_CTA);
}

static bool check_order(struct ptx_parser *p, const struct ptx_insn *insn, unsigned operation)
{
	int orders = word_has(insn, PTX_MOD_RELEASE) + word_has(insn, PTX_MOD_RELAXED) +
		word_has(insn, PTX_MOD_ACQUIRE);
	int scopes = word_has(insn, PTX_MOD_CTA) + word_has(insn, PTX_MOD_CLUSTER);

	if (orders != scopes || orders > 1)
		return wrong_word(p, insn, ".release.cta", "needs an order and a scope, or none of the two");
	if (word_has(insn, PTX_MOD_NOCOMPLETE) &&
		(word_has(insn, PTX_MOD_EXPECT_TX) || word_has(insn, PTX_MOD_RELAXED) ||
			word_has(insn, PTX_MOD_CLUSTER) || word_has(insn, PTX_MOD_SHARED_CLUSTER)))
		return wrong_word(p, insn, NULL, "cannot have '.noComplete' with the other modifiers");
	if (orders && word_has(insn, PTX_MOD_RELAXED) && !is_transaction(operation))
		return is_available(p, insn, 90, 86);
	return !orders || is_available(p, insn, word_has(insn, PTX_MOD_CLUSTER) ? 90 : 80, 80);
}

bool check_mbarrier_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned operation = async_operation(insn);

	if (operation == PTX_MODIFIER_COUNT)
		return wrong_word(p, insn,
			"init inval arrive arrive_drop test_wait try_wait expect_tx complete_tx "
			"pending_count",
			"needs one operation");
	if (!check_mbarrier_modifiers(p, insn, (uint16_t)operation) || !names_object(p, insn) ||
		!check_order(p, insn, operation))
		return false;
	if (word_has(insn, PTX_MOD_EXPECT_TX) || operation == PTX_MOD_COMPLETE_TX ||
		word_has(insn, PTX_MOD_SHARED_CLUSTER))
		return is_available(p, insn, 90, 80);
	if (operation == PTX_MOD_TRY_WAIT)
		return is_available(p, insn, 90, 78);
	return is_available(p, insn, 80, word_has(insn, PTX_MOD_PARITY) ? 71 : 70);
}

static void check_unsigned(const struct check *c, const struct ptx_operand *o, unsigned type)
{
	check_value(c, o, &(struct want){ type, false, false });
}

static void check_arrival(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;
	bool needs_count = word_has(insn, PTX_MOD_NOCOMPLETE) || word_has(insn, PTX_MOD_EXPECT_TX);

	if (!check_operand_count(c, needs_count ? 3 : 2, 3))
		return;
	if (word_has(insn, PTX_MOD_SHARED_CLUSTER) && o[0].kind != PTX_OP_SINK)
		parse_error(c->p, o[0].location, "_", "'%.100s' returns no state", check_word(c));
	else if (o[0].kind != PTX_OP_SINK)
		check_value(c, &o[0], &(struct want){ PTX_U64, false, true });
	check_object(c, &o[1]);
	if (o[0].kind == PTX_OP_SINK && word_has(insn, PTX_MOD_ARRIVE) && !is_available(c->p, insn, 80, 71))
		return;
	if (insn->operand_count < 3)
		return;
	check_unsigned(c, &o[2], PTX_U32);
	if (!needs_count)
		is_available(c->p, insn, 90, 78);
}

static void check_wait(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;
	bool by_parity = word_has(insn, PTX_MOD_PARITY);

	if (!check_operand_count(c, 3, word_has(insn, PTX_MOD_TRY_WAIT) ? 4 : 3))
		return;
	check_value(c, &o[0], &(struct want){ PTX_PRED, false, true });
	check_object(c, &o[1]);
	check_unsigned(c, &o[2], by_parity ? PTX_U32 : PTX_U64);
	if (by_parity && o[2].kind == PTX_OP_VALUE && o[2].value.bits > 1)
		parse_error(c->p, o[2].location, NULL, "a phase's parity is 0 or 1");
	if (insn->operand_count > 3)
		check_unsigned(c, &o[3], PTX_U32);
}

void check_mbarrier(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;
	unsigned operation = async_operation(insn);

	if (is_arrival(operation)) {
		check_arrival(c);
	} else if (is_wait(operation)) {
		check_wait(c);
	} else if (operation == PTX_MOD_PENDING_COUNT) {
		if (!check_operand_count(c, 2, 2))
			return;
		check_value(c, &o[0], &(struct want){ PTX_U32, false, true });
		check_unsigned(c, &o[1], PTX_U64);
	} else if (check_operand_count(
			   c, operation == PTX_MOD_INVAL ? 1 : 2, operation == PTX_MOD_INVAL ? 1 : 2)) {
		check_object(c, &o[0]);
		if (operation != PTX_MOD_INVAL)
			check_unsigned(c, &o[1], PTX_U32);
	}
}
