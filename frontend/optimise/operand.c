/* frontend/optimise/operand.c -- which constants instructions take as operands: immediates, and what lies in
 * the constant bank because a launch fixes it (parameters, the sizes of grid and CTA, .const memory at
 * a known place).
 *
 * On all generations from Fermi on an arithmetic instruction reads one operand from a constant bank or as an
 * immediate, and zero from a register that is always zero; addresses and data of memory instructions come
 * from registers ("cuda-binary-utilities", instruction set reference; Jia et al., "Dissecting the NVIDIA
 * Volta GPU architecture via microbenchmarking", 2018, chapter 2). */
#include "frontend/optimise/optimise.h"

ref launch_constant(struct lower *l, ref r)
{
	uint32_t sreg = r & ~REF_KIND;

	if ((r & REF_KIND) != REF_PRELOAD ||
		!((sreg >= PTX_SREG_NTID_X && sreg <= PTX_SREG_NTID_Z) ||
			(sreg >= PTX_SREG_NCTAID_X && sreg <= PTX_SREG_NCTAID_Z)))
		return REF_NONE;
	return REF_CONSTANT | bank_launch(&l->bank, PTX_LAUNCH_REGISTER, sreg, false);
}

static uint32_t bytes_of_access(const struct draft *d)
{
	return (uint32_t)d->uop.bytes * (d->uop.vector ? d->uop.vector : 1);
}

/* Whether so many bytes (a power of two) at the offset are, aligned, among those of something of that size.
 */
static bool is_place(int64_t offset, uint32_t bytes, uint64_t size)
{
	return offset >= 0 && bytes <= size && (uint64_t)offset <= size - bytes && !(offset & (bytes - 1));
}

bool is_among_parameters(const struct lower *l, const struct draft *d, int64_t offset)
{
	return is_place(offset, bytes_of_access(d), l->kernel->param_bytes);
}

ref parameter_constant(struct lower *l, const struct draft *d)
{
	const struct uop *u = &d->uop;

	if (u->code != UOP_LD_PARAM || d->src[0] != REF_NONE || u->vector > 1 || u->bytes != u->reg_bytes ||
		(u->bytes != 4 && u->bytes != 8) || d->dst[0] == REF_NONE ||
		!is_among_parameters(l, d, u->imm))
		return REF_NONE;
	return REF_CONSTANT | bank_launch(&l->bank, PTX_LAUNCH_PARAMETER, (uint32_t)u->imm, u->bytes == 8);
}

ref loaded_constant(struct lower *l, const struct draft *d, ref base, uint32_t element)
{
	const struct uop *u = &d->uop;
	const struct ptx_symbol *s;
	uint32_t symbol, bytes = bytes_of_access(d);
	int64_t offset;

	if (u->code != UOP_LD || u->space != SPACE_CONST || u->bytes != u->reg_bytes ||
		(u->bytes != 4 && u->bytes != 8) || u->flags & UOP_VOLATILE ||
		(base & REF_KIND) != REF_CONSTANT ||
		!bank_symbol(&l->bank, base & ~REF_KIND, &symbol, &offset))
		return REF_NONE;
	s = &l->image->symbols[symbol];
	offset = sum_of_offsets(offset, u->imm);
	if (s->space != PTX_CONST || s->is_extern || !is_place(offset, bytes, s->size) || offset > INT32_MAX)
		return REF_NONE;
	return REF_CONSTANT |
		bank_constant(&l->bank, symbol, (uint32_t)offset + element * u->bytes, u->bytes == 8);
}

bool is_bank_read(const struct lower *l, ref r)
{
	struct bank_place place;

	return (r & REF_KIND) == REF_CONSTANT && r != REF_NONE && bank_place(&l->bank, r & ~REF_KIND, &place);
}

bool immediate(const struct lower *l, ref r, bool is_wide, uint64_t *value)
{
	return (r & REF_KIND) == REF_CONSTANT && bank_immediate(&l->bank, r & ~REF_KIND, is_wide, value);
}

bool is_sum_with_number(const struct lower *l, const struct draft *d, ref *base, int64_t *by)
{
	bool is_wide = d->uop.code == UOP_ADD_B64 || d->uop.code == UOP_SUB_B64;
	bool is_difference = d->uop.code == UOP_SUB_B32 || d->uop.code == UOP_SUB_B64;
	uint32_t number = is_difference || !is_register(d->src[1]) ? 1 : 0;
	uint64_t value;

	if (d->uop.code != UOP_ADD_B32 && d->uop.code != UOP_ADD_B64 && !is_difference)
		return false;
	*base = d->src[1 - number];
	if (!is_register(*base) || !immediate(l, d->src[number], is_wide, &value))
		return false;
	*by = is_wide ? (int64_t)value : (int32_t)value;
	*by = is_difference ? (int64_t)(0 - (uint64_t)*by) : *by;
	return true;
}

static bool is_zero(const struct lower *l, ref r)
{
	uint64_t value;

	return (immediate(l, r, false, &value) || immediate(l, r, true, &value)) && !value;
}

bool takes_place(const struct lower *l, ref r)
{
	return (r & REF_KIND) == REF_CONSTANT && r != REF_NONE && !is_zero(l, r) &&
		!(loads_constants(l) && is_bank_read(l, r));
}

static bool is_multiply_add(const struct draft *d)
{
	return d->uop.code == UOP_MAD_LO_B32 || d->uop.code == UOP_MAD_WIDE_S32 ||
		d->uop.code == UOP_MAD_WIDE_U32;
}

/* A factor that many products share is kept in a register: it costs no more than once. */
static bool is_pair(const struct lower *l, const struct draft *d, ref a, ref b)
{
	uint64_t value;

	return is_multiply_add(d) && (immediate(l, a, false, &value) || immediate(l, b, false, &value));
}

/* A shuffle has its lane, its bounds and the mask of all lanes in the instruction. */
static bool is_part_of_shuffle(const struct lower *l, uint32_t s, ref constant)
{
	uint64_t value;

	return s && immediate(l, constant, false, &value) && (s < 3 || value == UINT32_MAX);
}

bool may_be_constant(const struct lower *l, const struct draft *d, uint32_t s, ref constant)
{
	if (d->uop.code == UOP_SHFL)
		return s < 4 && is_part_of_shuffle(l, s, constant);
	if (d->uop.code == UOP_ST && s > 0 && s < 4)
		return is_zero(l, constant);
	if (d->uop.code == UOP_CVTA || d->uop.code == UOP_CVTA_TO)
		return s == 0;
	if (d->uop.unit == UNIT_LDST || d->uop.code >= UOP_LD || s >= 4)
		return false;
	for (uint32_t o = 0; o < 4; o++)
		if (o != s && takes_place(l, d->src[o]) && takes_place(l, constant) &&
			!is_pair(l, d, d->src[o], constant))
			return false;
	return true;
}
