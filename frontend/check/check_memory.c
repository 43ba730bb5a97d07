/* frontend/check/check_memory.c -- loads, stores, atomics and what steers caches: which memory order, scope,
 * cache operator and hint go with which state space, and which with each other. The rules are those of the
 * ISA as the vendor's assembler enforces them. Each returns NULL, or what is wrong, to be said behind the
 * instruction's name. */
#include "frontend/check/check_word.h"

typedef const char *rule(const struct ptx_insn *insn);

static unsigned strong_orders(const struct ptx_insn *insn)
{
	return HOW_MANY(
		insn, PTX_MOD_VOLATILE, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_ACQ_REL);
}

static unsigned l2_priorities(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_L2_EVICT_NORMAL, PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST);
}

static unsigned prefetch_sizes(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_L2_64B, PTX_MOD_L2_128B, PTX_MOD_L2_256B);
}

static unsigned access_bits(const struct ptx_insn *insn)
{
	return insn->type_count ? ptx_type_bits(insn->types[0]) * insn->vector : 0;
}

/* .global, or no space at all. */
static bool may_be_global(const struct ptx_insn *insn)
{
	return !insn->space || insn->space == PTX_GLOBAL;
}

/* Orders and scopes that this instruction has at all. */
static const char *wrong_order(const struct ptx_insn *insn)
{
	bool is_load = insn->opcode == PTX_LD, is_store = insn->opcode == PTX_ST,
	     is_atomic = !is_load && !is_store;

	if ((is_load && HOW_MANY(insn, PTX_MOD_RELEASE, PTX_MOD_ACQ_REL)) ||
		(is_store && HOW_MANY(insn, PTX_MOD_ACQUIRE, PTX_MOD_ACQ_REL)) ||
		(insn->opcode == PTX_RED && HOW_MANY(insn, PTX_MOD_ACQUIRE, PTX_MOD_ACQ_REL)) ||
		(is_atomic && HOW_MANY(insn, PTX_MOD_WEAK, PTX_MOD_VOLATILE)) ||
		(is_atomic && word_has(insn, PTX_MOD_MMIO) && !word_has(insn, PTX_MOD_ASYNC)))
		return "cannot have this memory order";
	if (strong_orders(insn) + word_has(insn, PTX_MOD_WEAK) > 1)
		return "has more than one memory order";
	if (scopes(insn->form) > 1)
		return "has more than one scope";
	if (is_atomic)
		return NULL;
	if (scopes(insn->form) && !HOW_MANY(insn, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE))
		return "has a scope, which goes with '.relaxed', '.acquire' or '.release' only";
	if (strong_orders(insn) &&
		(insn->space == PTX_LOCAL || insn->space == PTX_CONST || insn->space == PTX_PARAM))
		return "is not defined: only .global and .shared memory has an order among threads";
	return NULL;
}

static const char *wrong_mmio(const struct ptx_insn *insn)
{
	if (!word_has(insn, PTX_MOD_MMIO))
		return NULL;
	if (word_has(insn, PTX_MOD_ASYNC))
		return word_has(insn, PTX_MOD_RELEASE) ? NULL
						       : "is not defined: '.mmio' goes with '.release'";
	if (!word_has(insn, PTX_MOD_RELAXED) || !word_has(insn, PTX_MOD_SYS))
		return "is not defined: '.mmio' goes with '.relaxed.sys'";
	if (!may_be_global(insn) || insn->vector > 1)
		return "is not defined: '.mmio' is for single accesses to .global";
	return NULL;
}

static const char *wrong_operator(const struct ptx_insn *insn)
{
	bool is_store = insn->opcode == PTX_ST;

	if (is_store ? HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_LU, PTX_MOD_CV, PTX_MOD_NC)
		     : HOW_MANY(insn, PTX_MOD_WB, PTX_MOD_WT))
		return "cannot have this cache operator";
	if (cache_operators(insn->form) > 1)
		return "has more than one cache operator";
	if (cache_operators(insn->form) && strong_orders(insn))
		return "has a memory order: a cache operator cannot stand beside it";
	if (word_has(insn, PTX_MOD_NC) && insn->space != PTX_GLOBAL)
		return "is not defined: '.nc' is for .global";
	if (word_has(insn, PTX_MOD_NC) && (strong_orders(insn) || word_has(insn, PTX_MOD_WEAK)))
		return "has a memory order: '.nc' cannot stand beside it";
	if (word_has(insn, PTX_MOD_NC) && HOW_MANY(insn, PTX_MOD_LU, PTX_MOD_CV))
		return "cannot have this cache operator beside '.nc'";
	return NULL;
}

static const char *wrong_hint(const struct ptx_insn *insn)
{
	unsigned l1 = l1_priorities(insn->form), l2 = l2_priorities(insn), sizes = prefetch_sizes(insn);
	bool has_policy = word_has(insn, PTX_MOD_L2_CACHE_HINT);

	if (!l1 && !l2 && !sizes && !has_policy)
		return NULL;
	if (!may_be_global(insn))
		return "cannot have a hint for caches: it is for .global";
	if (l1 > 1 || l2 > 1 || sizes > 1)
		return "has contradicting hints for caches";
	if (l1 && (cache_operators(insn->form) || word_has(insn, PTX_MOD_VOLATILE)))
		return "cannot have an eviction priority beside a cache operator or '.volatile'";
	if (has_policy && word_has(insn, PTX_MOD_VOLATILE))
		return "cannot have a cache policy beside '.volatile'";
	if (l2 && access_bits(insn) != 256)
		return "cannot have an eviction priority for the L2: it is for .v8.b32 and .v4.b64";
	if (sizes && insn->opcode == PTX_ST)
		return "prefetches nothing: it is a store";
	return NULL;
}

static const char *wrong_shape(const struct ptx_insn *insn)
{
	unsigned bits = access_bits(insn);

	if (insn->opcode == PTX_ST && insn->space == PTX_CONST)
		return "is not defined: .const cannot be written";
	if (insn->space == PTX_REG || insn->space == PTX_SREG)
		return "is not defined: registers are no memory";
	if (bits > 256 || (bits > 128 && (!may_be_global(insn) || insn->types[0] == PTX_B128)))
		return "is too wide: a vector has at most 16 bytes";
	if (insn->opcode == PTX_LDU && !may_be_global(insn))
		return "is not defined: 'ldu' is for .global";
	return NULL;
}

static const char *wrong_prefetch(const struct ptx_insn *insn)
{
	bool is_uniform = insn->opcode == PTX_PREFETCHU;

	if (word_has(insn, PTX_MOD_TENSORMAP))
		return insn->modifier_count > 1 ? "has too many levels" : NULL;
	if (insn->modifier_count != 1)
		return "needs one level";
	if (insn->space && (is_uniform || (insn->space != PTX_GLOBAL && insn->space != PTX_LOCAL)))
		return is_uniform ? "takes a generic address only"
				  : "is not defined: it is for .global and .local";
	if (HOW_MANY(insn, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_EVICT_NORMAL) && !may_be_global(insn))
		return "is not defined: an eviction priority is for .global";
	return NULL;
}

static const char *wrong_line(const struct ptx_insn *insn)
{
	if (insn->modifier_count != 1)
		return "needs one level";
	return may_be_global(insn) ? NULL : "is not defined: it is for .global";
}

static bool report_word(struct ptx_parser *p, const struct ptx_insn *insn, const char *what)
{
	if (what)
		parse_error(p, insn->location, NULL, "'%.100s' %s", insn->form->spelling, what);
	return !what;
}

static const char *first_wrong(const struct ptx_insn *insn, rule *const *rules, unsigned count)
{
	const char *what = NULL;

	for (unsigned i = 0; i < count && !what; i++)
		what = rules[i](insn);
	return what;
}

/* st.async and red.async that release: to global memory, of single words, which only sums have of 64 bits.
 * Other red.async have the order and scope that they need. */
static const char *wrong_async(const struct ptx_insn *insn)
{
	bool is_sum = word_has(insn, PTX_MOD_ADD), is_store = insn->opcode == PTX_ST;
	unsigned bits = insn->type_count ? ptx_type_bits(insn->types[0]) : 0;

	if (!word_has(insn, PTX_MOD_ASYNC))
		return NULL;
	if (!is_store && bits == 64 && !is_sum)
		return "is not defined: of 64 bits there are sums alone";
	if (!word_has(insn, PTX_MOD_RELEASE))
		return is_store || (word_has(insn, PTX_MOD_RELAXED) && word_has(insn, PTX_MOD_CLUSTER))
			? NULL
			: "needs '.relaxed.cluster'";
	if (insn->vector > 1 || !may_be_global(insn) || bits < (is_store ? 16 : 32))
		return "is not defined: it is for single words of .global";
	return word_has(insn, PTX_MOD_GPU) || word_has(insn, PTX_MOD_SYS)
		? NULL
		: "is not defined: its scope is .gpu or .sys";
}

static const char *wrong_bulk_store(const struct ptx_insn *insn)
{
	if (!word_has(insn, PTX_MOD_BULK) || !insn->space || word_has(insn, PTX_MOD_SHARED_CTA))
		return NULL;
	return "is not defined: it is for .shared::cta";
}

void check_bulk_store(const struct check *c)
{
	const struct ptx_operand *o = c->insn->operands;

	if (c->insn->operand_count != 3) {
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes 3 operands, not %u", check_word(c),
			c->insn->operand_count);
		return;
	}
	check_address_in(c, &o[0], c->insn->space);
	if (o[1].kind == PTX_OP_VALUE ? o[1].value.bits % 8 != 0
				      : o[1].kind != PTX_OP_REG && o[1].kind != PTX_OP_NAME)
		parse_error(
			c->p, o[1].location, NULL, "'%.100s' writes a multiple of 8 bytes", check_word(c));
	if (o[1].kind == PTX_OP_REG && ptx_type_bits(o[1].variable->type) == 32)
		needs_version(c->p, o[1].location, "a size of 32 bits", 90);
	if (o[2].kind != PTX_OP_VALUE || o[2].value.kind > PTX_UINT || o[2].value.bits)
		parse_error(c->p, o[2].location, "0", "'%.100s' writes zeros", check_word(c));
}

bool check_load_or_store(struct ptx_parser *p, const struct ptx_insn *insn)
{
	static rule *const rules[] = { wrong_shape, wrong_order, wrong_mmio, wrong_operator, wrong_hint,
		wrong_async, wrong_bulk_store };

	if (insn->opcode != PTX_LDU && HOW_MANY(insn, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_RELAXED) &&
		!scopes(insn->form)) {
		parse_error(p, insn->location, ".cta, .cluster, .gpu or .sys", "'%.100s' needs a scope",
			insn->form->spelling);
		return false;
	}
	return report_word(p, insn, first_wrong(insn, rules, sizeof rules / sizeof *rules));
}

bool check_atomic_order(struct ptx_parser *p, const struct ptx_insn *insn)
{
	static rule *const rules[] = { wrong_order, wrong_hint, wrong_async };

	return report_word(p, insn, first_wrong(insn, rules, sizeof rules / sizeof *rules));
}

bool check_prefetch(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_line = insn->opcode == PTX_APPLYPRIORITY || insn->opcode == PTX_DISCARD;

	return report_word(p, insn, is_line ? wrong_line(insn) : wrong_prefetch(insn));
}

/* createpolicy.fractional: a primary priority, perhaps a secondary one; .range: of an address range; .cvt: of
 * a property. */
static const char *wrong_policy(const struct ptx_insn *insn)
{
	unsigned first = HOW_MANY(insn, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_EVICT_NORMAL,
		PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_UNCHANGED);
	unsigned kinds = HOW_MANY(insn, PTX_MOD_FRACTIONAL, PTX_MOD_RANGE, PTX_MOD_CVT);

	if (kinds != 1)
		return "needs one of '.fractional', '.range' and '.cvt'";
	if (word_has(insn, PTX_MOD_CVT))
		return first || !word_has(insn, PTX_MOD_L2) ? "is not defined: write 'createpolicy.cvt.L2'"
							    : NULL;
	if (!first || insn->modifier_count > 3)
		return "needs a primary eviction priority, and may have a secondary one";
	if (insn->modifier_count == 3 && insn->modifiers[2] != PTX_MOD_L2_EVICT_FIRST &&
		insn->modifiers[2] != PTX_MOD_L2_EVICT_UNCHANGED)
		return "cannot have this secondary priority: it is evict_first or evict_unchanged";
	return word_has(insn, PTX_MOD_RANGE) && !may_be_global(insn) ? "is not defined: it is for .global"
								     : NULL;
}

bool check_policy(struct ptx_parser *p, const struct ptx_insn *insn)
{
	return report_word(p, insn, wrong_policy(insn));
}
