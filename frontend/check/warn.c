/* frontend/check/warn.c -- what is valid but looks wrong: registers that are read and never written, or only
 * later; code that nothing reaches; shift counts, literals and offsets that cannot be meant. Only what is
 * certain is reported: compilers' output gives no warning. */
#include "frontend/analyse/cfg.h"
#include "frontend/check/check.h"
#include <string.h>

#define NEVER          UINT32_MAX
#define MOST_REGISTERS (1u << 20) /* of a function that is looked at */

/* When a register is first read and written, in the order of the text: index of the instruction + 1; a
 * parameter is written at 0. */
struct use {
	uint32_t read, written;
	const struct ptx_operand *reader;
};

struct watch {
	struct ptx_parser *p;
	const struct ptx_function *f;
	struct use *uses;
	uint32_t insn; /* at hand */
};

/* -- which registers an instruction reads and writes -- */

typedef void visit_function(
	void *object, const struct ptx_operand *o, uint32_t reg, bool is_read, bool is_written);

static void visit_register(
	const struct ptx_operand *o, bool is_read, bool is_written, visit_function *visit, void *object)
{
	bool is_component = o->component >= 0;
	uint32_t component = is_component ? (uint32_t)o->component : 0;
	uint32_t first = o->variable->index + o->index * o->variable->vector + component;
	uint32_t count = is_component ? 1 : o->variable->vector;

	for (uint32_t i = 0; i < count && o->variable->owner; i++) /* the module's: other functions write them
								    */
		visit(object, o, first + i, is_read, is_written);
}

static void visit_operand(
	const struct ptx_operand *o, bool is_read, bool is_written, visit_function *visit, void *object)
{
	if (o->kind == PTX_OP_REG)
		visit_register(o, is_read, is_written, visit, object);
	if (o->base)
		visit_operand(o->base, true, false, visit, object);
	for (uint32_t i = 0; i < o->element_count; i++)
		visit_operand(&o->elements[i], is_read || o->kind == PTX_OP_TEXTURE,
			is_written && o->kind != PTX_OP_TEXTURE, visit, object);
}

/* Operands that the table leaves open may be either. */
static void visit_insn(const struct ptx_insn *insn, visit_function *visit, void *object)
{
	const char *letters = insn->opcode == PTX_CALL ? "*" : operand_letters(insn);

	if (insn->has_guard)
		visit_operand(&insn->guard, true, false, visit, object);
	for (uint32_t i = 0; i < insn->operand_count; i++) {
		bool is_open, is_written;

		while (*letters == '?')
			letters++;
		is_open = !*letters || *letters == '*' || *letters == 'X' || *letters == 'x';
		is_written = *letters >= 'A' && *letters <= 'Z';
		visit_operand(
			&insn->operands[i], is_open || !is_written, is_open || is_written, visit, object);
		letters += *letters && *letters != '*';
	}
}

static void note_use(void *object, const struct ptx_operand *o, uint32_t reg, bool is_read, bool is_written)
{
	struct watch *w = object;
	struct use *use = &w->uses[reg];

	if (is_read && use->read == NEVER && !is_written) {
		use->read = w->insn;
		use->reader = o;
	}
	if (is_written && use->written == NEVER)
		use->written = w->insn;
}

static void find_uses(struct watch *w)
{
	memset(w->uses, 0xff, w->f->register_count * sizeof(*w->uses));
	for (const struct ptx_var *v = w->f->params; v; v = v->next)
		for (uint32_t i = 0; v->space == PTX_REG && i < v->vector; i++)
			w->uses[v->index + i].written = 0;
	for (w->insn = 1; w->insn <= w->f->insn_count; w->insn++)
		visit_insn(&w->f->insns[w->insn - 1], note_use, w);
}

/* -- read before it is written, whatever way was taken -- */

static bool ends_thread(unsigned opcode)
{
	return opcode == PTX_RET || opcode == PTX_EXIT || opcode == PTX_TRAP;
}

/* Control flow of the function, NULL if it has jumps through tables. The end of the text is an instruction of
 * its own. */
static struct cfg *find_flow(const struct watch *w)
{
	uint32_t count = w->f->insn_count + 1;
	uint8_t *flow = arena_alloc(w->p->scratch, count);
	uint32_t *target = arena_alloc(w->p->scratch, count * sizeof(*target));

	for (uint32_t i = 0; i < w->f->insn_count; i++) {
		const struct ptx_insn *insn = &w->f->insns[i];

		if (insn->opcode == PTX_BRX)
			return NULL;
		flow[i] = ends_thread(insn->opcode) ? (insn->has_guard ? CFG_CUT : CFG_STOP) : CFG_NEXT;
		if (insn->opcode == PTX_BRA && insn->operands[0].kind == PTX_OP_LABEL) {
			flow[i] = insn->has_guard ? CFG_BRANCH : CFG_JUMP;
			target[i] = insn->operands[0].label->target;
		}
	}
	flow[count - 1] = CFG_STOP;
	return cfg_build(flow, target, count, w->p->scratch);
}

struct writers {
	uint32_t reg;
	bool found;
};

static void look_for(void *object, const struct ptx_operand *o, uint32_t reg, bool is_read, bool is_written)
{
	struct writers *x = object;

	x->found |= is_written && reg == x->reg;
}

/* Whether some way from a write leads to the block, or to the instruction within it. */
static bool is_written_before(const struct watch *w, const struct cfg *cfg, uint32_t reg, uint32_t reader)
{
	uint32_t *stack = arena_alloc(w->p->scratch, cfg->count * sizeof(*stack)), depth = 0;
	bool *seen = arena_alloc(w->p->scratch, cfg->count);
	uint32_t own = cfg->block_of[reader], end = reader;

	for (stack[depth++] = own; depth;) {
		uint32_t b = stack[--depth];
		const struct cfg_block *block = &cfg->blocks[b];
		struct writers x = { reg, false };

		for (uint32_t i = block->first; i < end && i < block->end && i < w->f->insn_count; i++)
			visit_insn(&w->f->insns[i], look_for, &x);
		if (x.found)
			return true;
		end = NEVER;
		for (uint32_t i = 0; i < block->predecessor_count; i++) {
			uint32_t before = cfg->predecessors[block->predecessors + i];

			if (!seen[before]) {
				seen[before] = true;
				stack[depth++] = before;
			}
		}
	}
	return false;
}

static void warn_unwritten(struct watch *w)
{
	struct cfg *cfg = NULL;
	bool has_flow = false;

	for (uint32_t reg = 0; reg < w->f->register_count; reg++) {
		const struct use *use = &w->uses[reg];

		if (use->read == NEVER || use->written < use->read)
			continue;
		if (use->written == NEVER) {
			parse_warning(w->p, use->reader->location, NULL, "'%.200s' is read but never written",
				check_shown(use->reader));
			continue;
		}
		if (!has_flow)
			cfg = find_flow(w);
		has_flow = true;
		if (cfg && cfg->blocks[cfg->block_of[use->read - 1]].is_reachable &&
			!is_written_before(w, cfg, reg, use->read - 1))
			parse_warning(w->p, use->reader->location, NULL,
				"'%.200s' is read before it is written", check_shown(use->reader));
	}
}

/* -- code that nothing reaches -- */

static void warn_unreachable(struct watch *w)
{
	const struct ptx_label *label = w->f->labels;
	bool is_dead = false;

	for (uint32_t i = 0; i < w->f->insn_count; i++) {
		const struct ptx_insn *insn = &w->f->insns[i];
		bool goes_away = !insn->has_guard &&
			(ends_thread(insn->opcode) || insn->opcode == PTX_BRA || insn->opcode == PTX_BRX);

		for (; label && label->target <= i; label = label->next)
			is_dead = false;
		if (is_dead && !goes_away)
			parse_warning(w->p, insn->location, NULL,
				"this is never reached: no label stands in front");
		is_dead = goes_away;
	}
}

/* -- numbers that cannot be meant -- */

static bool is_integer_constant(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_VALUE && o->value.kind <= PTX_UINT && !o->name;
}

static void warn_shift(struct watch *w, const struct ptx_insn *insn)
{
	const struct ptx_operand *count = &insn->operands[2];

	if ((insn->opcode == PTX_SHL || insn->opcode == PTX_SHR) && is_integer_constant(count) &&
		count->value.bits >= ptx_type_bits(insn->types[0]))
		parse_warning(w->p, count->location, NULL, "a shift by %llu leaves nothing of %u bits",
			(unsigned long long)count->value.bits, ptx_type_bits(insn->types[0]));
}

/* A literal of more bits than the operation reads: neither its sign nor zeros are cut off, but digits. */
static void warn_literals(struct watch *w, const struct ptx_insn *insn)
{
	const char *letters = insn->opcode == PTX_CALL ? "*" : operand_letters(insn);
	unsigned bits = ptx_type_bits(insn->types[0]);

	for (uint32_t i = 0; i < insn->operand_count && *letters && *letters != '*' && *letters != '?';
		i++, letters++) {
		const struct ptx_operand *o = &insn->operands[i];
		int64_t value = (int64_t)o->value.bits;

		if (*letters != '0' || bits < 8 || bits > 32 || !is_integer_constant(o))
			continue;
		if (value > (int64_t)((UINT64_C(1) << bits) - 1) || value < -(INT64_C(1) << (bits - 1)))
			parse_warning(w->p, o->location, NULL, "the constant is cut to %u bits", bits);
	}
}

/* An access to a variable at an offset that breaks the alignment which the access needs. */
static void warn_alignment(struct watch *w, const struct ptx_insn *insn)
{
	const struct ptx_operand *o = insn->opcode == PTX_ST ? &insn->operands[0] : &insn->operands[1];
	uint64_t bytes = (uint64_t)ptx_type_bits(insn->types[0]) / 8 * insn->vector;

	if ((insn->opcode != PTX_LD && insn->opcode != PTX_ST) || !insn->type_count ||
		o->kind != PTX_OP_ADDRESS || !o->base || o->base->kind != PTX_OP_SYMBOL || !bytes)
		return;
	if (o->base->variable->align >= bytes && o->value.bits % bytes)
		parse_warning(w->p, o->location, NULL,
			"'%.100s' needs an address that is a multiple of %llu, the offset is none",
			insn->form->spelling, (unsigned long long)bytes);
}

static void warn_numbers(struct watch *w)
{
	for (uint32_t i = 0; i < w->f->insn_count; i++) {
		const struct ptx_insn *insn = &w->f->insns[i];

		if (insn->operand_count > 2)
			warn_shift(w, insn);
		warn_literals(w, insn);
		if (insn->operand_count > 1)
			warn_alignment(w, insn);
	}
}

void warn_function(struct ptx_parser *p, const struct ptx_function *f)
{
	struct watch w = { .p = p, .f = f };

	if (!f->has_body || f->register_count > MOST_REGISTERS)
		return;
	w.uses = arena_array_of(p->scratch, struct use, f->register_count);
	find_uses(&w);
	warn_unwritten(&w);
	warn_unreachable(&w);
	warn_numbers(&w);
	arena_reset(p->scratch);
}
