/* frontend/print/coverage_tcgen05.c -- the candidate forms of tcgen05.mma, ld and st: each kind, group,
 * matrix A in both memories, collectors; each shape and number of registers. */
#include "frontend/print/coverage_parts.h"
#include "frontend/tables/tcgen05.h"
#include <stdio.h>

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static const char *const kinds[] = { "f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4" };
static const char *const scale_words[] = { "", ".block_scale", ".block_scale.scale_vec::1X",
	".block_scale.scale_vec::2X", ".block_scale.scale_vec::4X", ".block_scale.block16",
	".block_scale.block32" };
static const char *const matrix_words[] = { "", ".sp", ".ws", ".ws.sp" };
static const char *const uses[] = { "", "::fill", "::use", "::lastuse", "::discard" };

/* variant: bit 0: A is in tensor memory, 1: lanes are named, 2: a scale of D, or columns of B */
static void print_product_operands(
	char *text, unsigned matrix, unsigned scale, unsigned group, unsigned variant)
{
	bool is_ws = matrix >= 2;

	sprintf(text, "[%%r1], %s, %%d2%s, %%r3%s%s, %%p1%s", variant & 1 ? "[%r2]" : "%d1",
		matrix & 1 ? ", [%r4]" : "", scale ? ", [%r5], [%r6]" : "",
		!(variant & 2)       ? ""
			: group == 2 ? ", {%r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14}"
				     : ", {%r7, %r8, %r9, %r10}",
		!(variant & 4)  ? ""
			: is_ws ? ", %d3"
				: ", 1");
}

static void add_products(struct coverage *c, unsigned kind, unsigned matrix, unsigned scale, const char *use)
{
	char word[128], operands[160];

	for (unsigned group = 1; group <= 2; group++)
		for (unsigned variant = 0; variant < 16; variant++) {
			snprintf(word, sizeof(word), "tcgen05.mma%s.cta_group::%u.kind::%s%s%s%s",
				matrix_words[matrix], group, kinds[kind], scale_words[scale],
				variant & 8 ? ".ashift" : "", use);
			print_product_operands(operands, matrix, scale, group, variant);
			coverage_add(c, word, operands);
		}
}

static void add_collected(struct coverage *c, unsigned kind, unsigned matrix, unsigned scale)
{
	char use[40];

	for (unsigned i = 0; i < COUNT(uses); i++)
		for (unsigned buffer = 0; buffer < (matrix >= 2 && i ? 4u : 1u); buffer++) {
			if (!i)
				use[0] = 0;
			else if (matrix >= 2)
				snprintf(use, sizeof(use), ".collector::b%u%s", buffer, uses[i]);
			else
				snprintf(use, sizeof(use), ".collector::a%s", uses[i]);
			add_products(c, kind, matrix, scale, use);
		}
}

/* ---- loads and stores ---- */

static const char *const transfer_shapes[] = { "16x64b", "16x128b", "16x256b", "32x32b", "16x32bx2" };
static const char *const reductions[] = { "", ".min.u32", ".max.u32", ".min.s32", ".max.s32", ".min.f32",
	".max.f32", ".min.abs.f32", ".max.abs.f32", ".min.NaN.f32", ".max.NaN.f32", ".min.abs.NaN.f32",
	".max.abs.NaN.f32" };

static void add_transfer(struct coverage *c, unsigned shape, unsigned count, unsigned reduction, bool loads)
{
	const char *half = shape == TENSOR_16X32BX2 ? ", 16" : "";
	char word[128], operands[LONGEST_LINE], list[LONGEST_LINE] = "{";
	int used = 1;

	for (unsigned i = 1; i <= count * tcgen05_registers(shape); i++)
		used += sprintf(list + used, "%s%%r%u", i > 1 ? ", " : "", i);
	strcpy(list + used, "}");
	for (unsigned packs = 0; packs < 2; packs++) {
		snprintf(word, sizeof(word), "tcgen05.%s.sync.aligned.%s.x%u%s%s",
			!loads              ? "st"
				: reduction ? "ld.red"
					    : "ld",
			transfer_shapes[shape], count,
			!packs          ? ""
				: loads ? ".pack::16b"
					: ".unpack::16b",
			reduction ? reductions[reduction] : ".b32");
		if (loads)
			snprintf(operands, sizeof(operands), "%.1100s%s, [%%r130]%s", list,
				reduction ? ", %r131" : "", half);
		else
			snprintf(operands, sizeof(operands), "[%%r130]%s, %.1100s", half, list);
		coverage_add(c, word, operands);
	}
}

void coverage_tensor_memory(struct coverage *c)
{
	for (unsigned kind = 0; kind < COUNT(kinds); kind++)
		for (unsigned matrix = 0; matrix < COUNT(matrix_words); matrix++)
			for (unsigned scale = 0; scale < COUNT(scale_words); scale++)
				add_collected(c, kind, matrix, scale);
	for (unsigned shape = 0; shape < COUNT(transfer_shapes); shape++)
		for (unsigned count = 1; count * tcgen05_registers(shape) <= TENSOR_LANES; count *= 2) {
			for (unsigned reduction = 0; reduction < COUNT(reductions); reduction++)
				add_transfer(c, shape, count, reduction, true);
			add_transfer(c, shape, count, 0, false);
		}
}
