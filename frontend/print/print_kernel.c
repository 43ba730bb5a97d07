/* frontend/print/print_kernel.c -- kernels for people: micro-operations one a line, control flow as DOT. */
#include "frontend/tables/matrix.h"
#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"

#include <inttypes.h>
#include <string.h>

static void print_launched(const struct ptx_kernel *k, const struct ptx_launch_value *v, FILE *stream)
{
	if (v->kind == PTX_LAUNCH_REGISTER)
		fputs(ptx_sreg_name(v->which), stream);
	else
		fprintf(stream, "%s[%u]",
			v->kind == PTX_LAUNCH_CONSTANT ? k->image->symbols[v->symbol].name : "param",
			v->which);
}

static void print_constant(const struct ptx_kernel *k, uint16_t row, bool is_wide, FILE *stream)
{
	uint64_t value = 0;

	for (uint32_t r = 0; r < k->reloc_count; r++)
		if (k->relocs[r].row == row) {
			fprintf(stream, "%s%+" PRId64, k->image->symbols[k->relocs[r].symbol].name,
				k->relocs[r].addend);
			return;
		}
	for (uint32_t v = 0; v < k->launch_value_count; v++)
		if (k->launch_values[v].row == row) {
			print_launched(k, &k->launch_values[v], stream);
			return;
		}
	memcpy(&value, k->constants[row], is_wide ? 8 : 4);
	fprintf(stream, value < 10 ? "%" PRIu64 : "0x%" PRIx64, value);
}

/* .param accesses of calls execute elsewhere, but are loads and stores all the same. */
static bool is_memory_uop(const struct uop *u)
{
	return u->unit == UNIT_LDST || u->code == UOP_LD || u->code == UOP_ST;
}

/* Whether the operation's name ends in a 64-bit type, whose constants take two rows. */
static bool is_wide(const struct uop *u, int s)
{
	const char *name = uop_name(u->code);
	size_t length = strlen(name);

	if (is_memory_uop(u))
		return s == 0 || u->reg_bytes == 8;
	if ((u->code >= UOP_SHL_B16 && u->code <= UOP_SHR_S64 && s == 1) ||
		(u->code >= UOP_BFE_U32 && u->code <= UOP_BFE_S64 && s > 0))
		return false; /* counts, positions and lengths */
	return length > 2 && !strcmp(name + length - 2, "64");
}

/* What kind of instruction a step is. */
static const char *step_name(const struct uop *u)
{
	switch (u->latency_class) {
	case CLASS_FP_ADD:
	case CLASS_FP_MUL:
	case CLASS_FP_MAD:
		return "f32";
	case CLASS_DP_ADD:
	case CLASS_DP_MAD:
		return "f64";
	case CLASS_SFU:
	case CLASS_CONVERT:
	case CLASS_CONVERT_INT:
	case CLASS_CONVERT_WIDE:
	case CLASS_CONVERT_HALF:
		return "special";
	default:
		return "integer";
	}
}

static void print_operand(
	const struct ptx_kernel *k, const struct uop *u, int s, bool is_source, FILE *stream)
{
	uint16_t o = is_source ? u->src[s] : u->dst[s];
	bool predicate = uop_operand_is_predicate(u, s, is_source);

	if (o == UOP_NONE)
		fputs("_", stream);
	else if (predicate)
		fprintf(stream, o & UOP_CONSTANT ? "%u" : "p%u", o & (unsigned)~UOP_CONSTANT);
	else if (o & UOP_CONSTANT)
		print_constant(k, o & (uint16_t)~UOP_CONSTANT, is_wide(u, s), stream);
	else
		fprintf(stream, "r%u", o);
}

static int last_used(const uint16_t *operands)
{
	int last = 4;

	while (last > 0 && operands[last - 1] == UOP_NONE)
		last--;
	return last;
}

static bool is_product(const struct uop *u)
{
	return u->code >= UOP_MMA_FLOAT && u->code <= UOP_MMA_BIT;
}

static void print_modifiers(const struct uop *u, FILE *stream)
{
	static const char *const spaces[] = { "global", "shared", "local", "const", "param", "generic" };
	static const char *const compares[] = { "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
		"leu", "gtu", "geu", "num", "nan" };
	static const char *const rounds[] = { "", ".rz", ".rm", ".rp", ".rna", ".rs" };

	if (is_memory_uop(u))
		fprintf(stream, "%s.%s.v%u.b%u", u->flags & UOP_SPILL ? ".spill" : "", spaces[u->space],
			u->vector, u->bytes * 8u);
	if (u->code == UOP_CVT_FORMAT)
		fputs(u->mods & MOD_SATFINITE ? ".satfinite" : "", stream);
	else if (u->mods & MOD_FRAME)
		fputs(".frame", stream);
	if (is_product(u))
		fprintf(stream, ".m%un%uk%u", matrix_m(u->imm), matrix_n(u->imm), matrix_k(u->imm));
	if ((u->code >= UOP_SETP_U16 && u->code <= UOP_SET_F64) || u->code == UOP_SETP_AND_B32)
		fprintf(stream, ".%s", compares[u->compare]);
	if ((u->code == UOP_LD || u->code == UOP_ST) && u->scale)
		fprintf(stream, ".x%u", 1u << u->scale);
	else
		fputs(rounds[u->round], stream);
	if (u->mods & MOD_FTZ)
		fputs(".ftz", stream);
	if ((u->mods & MOD_SAT) && !is_memory_uop(u))
		fputs(".sat", stream);
	if (u->mods & MOD_HI)
		fputs(".hi", stream);
	if (u->mods & MOD_NEGATE_C)
		fputs(".not", stream);
}

static void print_table(const struct ptx_kernel *k, const struct uop *u, FILE *stream)
{
	for (uint32_t t = 0; t < u->target; t++)
		fprintf(stream, "%s%u", t ? ", " : " to ", k->targets[(uint64_t)u->imm + t]);
	fprintf(stream, " (meet at %u)", u->reconverge);
}

static void print_parameter_slots(const struct ptx_slot *slots, uint32_t count, FILE *stream)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(stream, "%s%u+%u", i ? ", " : "", slots[i].offset, slots[i].bytes);
}

/* call name (results) (arguments): bytes of the caller's frame as offset+size. */
static void print_call(const struct ptx_kernel *k, const struct uop *u, FILE *stream)
{
	const struct ptx_call *call = &k->calls[u->imm];

	if (u->src[0] == UOP_NONE)
		fprintf(stream, " %s", k->functions[u->target].name);
	fputs(" (", stream);
	print_parameter_slots(call->results, call->result_count, stream);
	fputs(") (", stream);
	print_parameter_slots(call->arguments, call->argument_count, stream);
	fputc(')', stream);
	if (call->save_count)
		fprintf(stream, " saves %u", call->save_count);
}

static void print_uop(const struct ptx_kernel *k, const struct uop *u, FILE *stream)
{
	const char *separator = " ";

	if (u->flags & UOP_GUARDED)
		fprintf(stream, "@%sp%u ", u->flags & UOP_GUARD_NEGATED ? "!" : "", u->guard);
	fputs(uop_name(u->code), stream);
	if (u->code == UOP_STEP)
		fprintf(stream, ".%s", step_name(u));
	print_modifiers(u, stream);
	for (int s = 0; s < last_used(u->dst); s++, separator = ", ") {
		fputs(separator, stream);
		print_operand(k, u, s, false, stream);
	}
	for (int s = 0; s < last_used(u->src); s++, separator = ", ") {
		fputs(separator, stream);
		print_operand(k, u, s, true, stream);
	}
	for (uint32_t e = 0; e < u->extra_sources; e++)
		fprintf(stream, k->extra[u->extra + e] & UOP_CONSTANT ? ", c%u" : ", r%u",
			k->extra[u->extra + e] & (unsigned)~UOP_CONSTANT);
	if (u->imm && u->code != UOP_CALL && u->code != UOP_BRX && !is_product(u))
		fprintf(stream, " #%" PRId64, u->imm);
	if (u->code == UOP_BRA)
		fprintf(stream, " %u (meet at %u)", u->target, u->reconverge);
	if (u->code == UOP_BRX)
		print_table(k, u, stream);
	if (u->code == UOP_CALL)
		print_call(k, u, stream);
}

static void print_header(const struct ptx_kernel *k, FILE *stream)
{
	fprintf(stream,
		"kernel %s: %u micro-operations, %u blocks, %u registers (pressure %u), %u rows, %u "
		"predicates\n",
		k->name, k->uop_count, k->block_count, k->registers, k->pressure, k->rows, k->predicates);
	fprintf(stream,
		"  %u constant rows, %u bytes of parameters, %u of shared, %u of local memory, %u barriers\n",
		k->constant_rows, k->param_bytes, k->shared_bytes, k->local_bytes, k->barriers);
	for (uint32_t i = 0; i < k->param_count; i++)
		fprintf(stream, "  param %u: %u bytes %s\n", k->params[i].offset, k->params[i].size,
			k->params[i].name);
	for (uint32_t i = 0; i < k->preload_count; i++)
		fprintf(stream, "  r%u = %s\n", k->preloads[i].row, ptx_sreg_name(k->preloads[i].sreg));
}

void ptx_print_kernel(const struct ptx_kernel *kernel, FILE *stream)
{
	print_header(kernel, stream);
	for (uint32_t i = 0; i < kernel->uop_count; i++) {
		const struct uop *u = &kernel->uops[i];
		uint32_t f = ptx_kernel_function(kernel, i);

		if (f && kernel->functions[f].entry == i)
			fprintf(stream, "function %s: a frame of %u bytes\n", kernel->functions[f].name,
				kernel->functions[f].frame);
		fprintf(stream, "%c%5u  ", u->flags & UOP_LEADER ? '>' : ' ', i);
		print_uop(kernel, u, stream);
		fprintf(stream, "  // line %u\n", u->line);
	}
}

static uint32_t end_of_block(const struct ptx_kernel *k, uint32_t first)
{
	uint32_t i = first;

	while (i + 1 < k->uop_count && !(k->uops[i + 1].flags & UOP_LEADER))
		i++;
	return i;
}

static void print_edges(const struct ptx_kernel *k, uint32_t first, uint32_t last, FILE *stream)
{
	const struct uop *u = &k->uops[last];
	bool guarded = u->flags & UOP_GUARDED,
	     goes_on = guarded ||
		(u->code != UOP_BRA && u->code != UOP_BRX && u->code != UOP_EXIT && u->code != UOP_RET);

	if (u->code == UOP_BRA) {
		fprintf(stream, "  b%u -> b%u%s;\n", first, u->target, guarded ? " [label=taken]" : "");
		if (guarded && u->reconverge < k->uop_count)
			fprintf(stream, "  b%u -> b%u [style=dotted, constraint=false, label=meet];\n", first,
				u->reconverge);
	}
	for (uint32_t t = 0; u->code == UOP_BRX && t < u->target; t++)
		fprintf(stream, "  b%u -> b%u [label=%u];\n", first, k->targets[(uint64_t)u->imm + t], t);
	if (goes_on && last + 1 < k->uop_count)
		fprintf(stream, "  b%u -> b%u;\n", first, last + 1);
}

void ptx_print_cfg(const struct ptx_kernel *kernel, FILE *stream)
{
	fprintf(stream, "digraph \"%s\" {\n  node [shape=box, fontname=monospace];\n", kernel->name);
	for (uint32_t first = 0, last; first < kernel->uop_count; first = last + 1) {
		last = end_of_block(kernel, first);
		fprintf(stream, "  b%u [label=\"lines %u to %u\\l", first, kernel->uops[first].line,
			kernel->uops[last].line);
		for (uint32_t i = first; i <= last; i++) {
			fprintf(stream, "%u  ", i);
			print_uop(kernel, &kernel->uops[i], stream);
			fputs("\\l", stream);
		}
		fputs("\"];\n", stream);
		print_edges(kernel, first, last, stream);
	}
	fputs("}\n", stream);
}
