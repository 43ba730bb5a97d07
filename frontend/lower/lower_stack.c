/* frontend/lower/lower_stack.c -- memory from the stack: alloca, stacksave, stackrestore. */
#include "frontend/lower/lower.h"

#define DEFAULT_ALIGN 8u
#define MOST_ALIGN    (1u << 20)

static bool find_align(struct lower *l, const struct ptx_operand *o, uint64_t *align)
{
	*align = DEFAULT_ALIGN;
	if (o->kind == PTX_OP_NONE)
		return true;
	if (constant_operand(o, align) && *align && *align <= MOST_ALIGN && !(*align & (*align - 1)))
		return true;
	lower_refuse(l, &o->location, "an alignment must be a power of two, at most %u", MOST_ALIGN);
	return false;
}

/* Addresses are those of local memory; with .u32 they, and sizes, have 32 bits. */
static void set_width(struct draft *d, unsigned bits)
{
	if (bits == 32)
		d->uop.mods |= MOD_SAT;
}

void lower_alloca(struct lower *l)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	ref to = result(l, operand(l, 0), bits), size = source(l, operand(l, 1), bits, false);
	uint64_t align;
	struct draft *d;

	if (!find_align(l, operand(l, 2), &align))
		return;
	l->kernel->needs_stack = true;
	d = emit(l, UOP_ALLOCA);
	d->dst[0] = to;
	d->src[0] = size;
	d->uop.imm = (int64_t)align;
	set_width(d, bits);
}

/* stacksave and stackrestore */
void lower_stack(struct lower *l)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	bool saves = l->insn->opcode == PTX_STACKSAVE;
	ref r = saves ? result(l, operand(l, 0), bits) : source(l, operand(l, 0), bits, false);
	struct draft *d = emit(l, saves ? UOP_STACKSAVE : UOP_STACKRESTORE);

	if (saves)
		d->dst[0] = r;
	else
		d->src[0] = r;
	set_width(d, bits);
}
