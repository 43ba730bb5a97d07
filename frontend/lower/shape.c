/* frontend/lower/shape.c -- what kind of operand each micro-operation takes where. */
#include "frontend/uop.h"

/* The shape of each operation tells which of its operands are predicates: letters P and p. */
static const char *const shapes[UOP_CODE_COUNT] = {
#define UOP(id, shape, meaning) [UOP_##id] = shape,
#include "frontend/uops.def"
#undef UOP
};

/* The shape lists results first, then sources. */
bool uop_operand_is_predicate(const struct uop *u, int s, bool is_source)
{
	int n = 0;

	if (u->code == UOP_BAR_RED)
		return is_source ? s == 2 : u->compare != 0;
	for (const char *shape = shapes[u->code]; *shape; shape++) {
		bool writes = *shape == 'D' || *shape == 'P';

		if (writes != is_source && n++ == s)
			return *shape == 'P' || *shape == 'p';
	}
	return false;
}
