/* frontend/print/coverage_wgmma.c -- the candidate forms of wgmma.mma_async: each n, each pair of types,
 * dense and sparse. A is in shared memory. */
#include "frontend/print/coverage_parts.h"
#include "frontend/tables/matrix.h"
#include <stdio.h>

static const uint8_t operand_types[] = { PTX_F16, PTX_BF16, PTX_TF32, PTX_E4M3, PTX_E5M2, PTX_S8, PTX_U8,
	PTX_B1 };
static const uint8_t result_types[] = { PTX_F16, PTX_F32, PTX_S32 };

static void product_operands(char *text, unsigned registers, bool is_sparse, bool is_float, bool is_half)
{
	int used = sprintf(text, "{");

	for (unsigned i = 1; i <= registers; i++)
		used += sprintf(text + used, "%s%%r%u", i > 1 ? ", " : "", i);
	sprintf(text + used, "}, %%d1, %%d2%s, %%p1%s%s", is_sparse ? ", %r139, 0" : "",
		is_float ? ", 1, 1" : "", is_half ? ", 0, 0" : "");
}

static void add_product(struct coverage *c, unsigned d, unsigned a, unsigned b, unsigned n, unsigned variant)
{
	bool is_sparse = variant & 1, clamps = variant & 2;
	unsigned k = 256 / ptx_type_bits(a) * (is_sparse ? 2 : 1);
	char word[128], operands[LONGEST_LINE];

	snprintf(word, sizeof(word), "wgmma.mma_async%s.sync.aligned.m64n%uk%u.%s.%s.%s%s%s",
		is_sparse ? ".sp" : "", n, k, ptx_type_name(d), ptx_type_name(a), ptx_type_name(b),
		clamps ? ".satfinite" : "", a == PTX_B1 ? ".and.popc" : "");
	product_operands(
		operands, n / (d == PTX_F16 ? 4 : 2), is_sparse, d != PTX_S32, a == PTX_F16 || a == PTX_BF16);
	coverage_add(c, word, operands);
}

void coverage_products(struct coverage *c)
{
	for (size_t a = 0; a < sizeof(operand_types); a++)
		for (size_t b = 0; b < sizeof(operand_types); b++)
			for (size_t d = 0; d < sizeof(result_types); d++)
				for (unsigned variant = 0; variant < 4; variant++)
					for (unsigned n = 8; n <= 256; n += 8)
						if (matrix_family_of(operand_types[a]) ==
							matrix_family_of(operand_types[b]))
							add_product(c, result_types[d], operand_types[a],
								operand_types[b], n, variant);
}
