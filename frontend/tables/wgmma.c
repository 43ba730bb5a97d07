/* frontend/tables/wgmma.c -- the words of wgmma taken apart. */
#include "frontend/tables/wgmma.h"
#include "frontend/parse/form.h"
#include "frontend/tables/matrix.h"
#include "frontend/tables/opcode.h"
#include <stdio.h>
#include <string.h>

static bool is_not(const char **why, const char **hint, const char *text, const char *instead)
{
	*why = text;
	*hint = instead;
	return false;
}

/* n and k stand in the word alone. */
static bool find_shape(const struct ptx_insn *insn, unsigned *n, unsigned *k)
{
	const char *at = strstr(insn->form->spelling, ".m64n");

	return at && form_has(insn->form, PTX_MOD_M64NXKX) && sscanf(at, ".m64n%3uk%3u", n, k) == 2;
}

static bool suits(const struct wgmma_form *f, bool is_integer)
{
	return f->n && f->n <= 256 && f->n % (is_integer && f->n > 32 ? 16 : 8) == 0 &&
		f->k == WGMMA_BYTES * 8 / ptx_type_bits(f->a) * (f->is_sparse ? 2 : 1);
}

/* Whether D of that type may be summed from A and B of theirs. */
static bool suit_types(const struct wgmma_form *f, int family)
{
	switch (family) {
	case MATRIX_F16:
		return f->a == f->b && (f->d == PTX_F16 || f->d == PTX_F32);
	case MATRIX_BF16:
	case MATRIX_TF32:
		return f->a == f->b && f->d == PTX_F32;
	case MATRIX_FP8:
		return matrix_family_of(f->b) == family && (f->d == PTX_F16 || f->d == PTX_F32);
	case MATRIX_INT8:
		return matrix_family_of(f->b) == family && f->d == PTX_S32;
	case MATRIX_B1:
		return f->a == f->b && f->d == PTX_S32 && !f->is_sparse;
	default:
		return false;
	}
}

/* D, A, B, then of a sparse A its metadata and their selector, scale-d, the signs of A and B, and which of
 * the two in memory are transposed. */
static void place_operands(struct wgmma_form *f)
{
	uint8_t next = 3;

	if (f->is_sparse) {
		f->metadata = next;
		next += 2;
	}
	f->scale_d = next++;
	if (f->has_scales) {
		f->scale_a = next;
		next += 2;
	}
	if (f->is_transposable && !f->in_registers)
		f->transpose_a = next++;
	if (f->is_transposable)
		f->transpose_b = next++;
	f->operands = next;
}

static bool decode_mma_async(
	const struct ptx_insn *insn, struct wgmma_form *f, const char **why, const char **hint)
{
	int family;

	if (insn->type_count != 3)
		return is_not(why, hint, "needs the types of D, A and B", NULL);
	f->d = insn->types[0];
	f->a = insn->types[1];
	f->b = insn->types[2];
	f->is_sparse = form_has(insn->form, PTX_MOD_SP);
	family = matrix_family_of(f->a);
	if (!suit_types(f, family))
		return is_not(why, hint, "has types that do not go together", NULL);
	if (!find_shape(insn, &f->n, &f->k))
		return is_not(why, hint, "needs a shape", ".m64n8k16 to .m64n256k16");
	if (!suits(f, f->d == PTX_S32))
		return is_not(why, hint, "has a shape that does not exist for this type", NULL);
	f->is_transposable = family == MATRIX_F16 || family == MATRIX_BF16;
	f->has_scales = f->d != PTX_S32;
	f->in_registers = insn->operand_count > 1 && insn->operands[1].kind == PTX_OP_VECTOR;
	f->d_registers = f->n / (f->d == PTX_F16 ? 4 : 2);
	f->selectors = f->is_sparse ? ptx_type_bits(f->a) < 16 ? 1 : 2 : 0;
	f->version = family == MATRIX_INT8 && f->a != f->b ? 84 : f->is_sparse ? 82 : 80;
	place_operands(f);
	return true;
}

bool wgmma_decode(const struct ptx_insn *insn, struct wgmma_form *f, const char **why, const char **hint)
{
	static const uint16_t kinds[] = { [WGMMA_MULTIPLIES] = PTX_MOD_MMA_ASYNC,
		[WGMMA_FENCES] = PTX_MOD_FENCE,
		[WGMMA_COMMITS] = PTX_MOD_COMMIT_GROUP,
		[WGMMA_WAITS] = PTX_MOD_WAIT_GROUP };
	unsigned found = 0;

	*f = (struct wgmma_form){ .version = 80 };
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (form_has(insn->form, kinds[i])) {
			f->what = (enum wgmma_what)i;
			found++;
		}
	if (found != 1)
		return is_not(why, hint, "is not defined",
			"wgmma.mma_async, wgmma.fence, wgmma.commit_group or wgmma.wait_group");
	if (!form_has(insn->form, PTX_MOD_SYNC))
		return is_not(why, hint, "needs '.sync'", ".sync.aligned");
	if (f->what == WGMMA_MULTIPLIES)
		return decode_mma_async(insn, f, why, hint);
	f->operands = f->what == WGMMA_WAITS;
	return true;
}
