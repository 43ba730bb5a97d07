/* tests/ptx/conformance/integer.c -- integer arithmetic. */
#include "conform.h"

static bool ref_add(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = (in[0] + in[1]) & type_mask(f->out[0]);
	return true;
}

void integer_forms(void)
{
	static const enum type all[] = { U16, S16, U32, S32, U64, S64 };

	for (int i = 0; i < 6; i++)
		form_add(ref_add, OUT(all[i]), IN(all[i], all[i]), "add.%s", type_name(all[i]));
}
