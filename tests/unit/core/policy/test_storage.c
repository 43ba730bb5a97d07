/* What policies say that they store on a chip: every row is whole, and two sums that papers print. */
#include "core/gpu/policy_interfaces.h"
#include "sim/policy/policy.h"
#include <criterion/criterion.h>
#include <string.h>

static const struct policy_interface *interface_of;

static const struct policy_class *class_named(const char *name)
{
	for (size_t i = 0; policy_interfaces[i]; i++)
		for (size_t c = 0; policy_interfaces[i]->classes[c]; c++)
			if (strcmp(policy_interfaces[i]->classes[c]->name, name) == 0) {
				interface_of = policy_interfaces[i];
				return policy_interfaces[i]->classes[c];
			}
	return NULL;
}

/* Bits of the policy's rows for each `of`. */
static uint64_t bits_of(const char *name, const char *of)
{
	const struct policy_class *class = class_named(name);
	void *policy = policy_blank(interface_of, class);
	uint64_t sum = 0;

	for (const struct policy_storage *s = class->storage; s->what; s++)
		sum += strcmp(s->of, of) == 0 ? policy_storage_bits(s, policy) : 0;
	policy_prototype_free(policy);
	return sum;
}

Test(storage, every_row_says_what_for_what_and_from_where)
{
	size_t rows = 0;

	for (size_t i = 0; policy_interfaces[i]; i++)
		for (size_t c = 0; policy_interfaces[i]->classes[c]; c++) {
			const struct policy_storage *s = policy_interfaces[i]->classes[c]->storage;

			for (; s && s->what; s++, rows++)
				cr_assert(*s->what && s->of && *s->of && s->source && *s->source, "%s",
					policy_interfaces[i]->classes[c]->name);
		}
	cr_assert_gt(rows, 12);
}

Test(storage, sums_that_papers_print)
{
	/* MRPB, section 5.3: at most 3 KB for the 48 warps of an SM; WarpPool, Table 1: 5.23 KB an SM */
	cr_assert_eq(bits_of("mrpb", "warp slot of an SM") * 48, 3 * 1024 * 8);
	cr_assert_float_eq((double)bits_of("warppool", "SM") / 8 / 1024, 5.23, 0.001);
	/* the filter of MeDiC's release has 512 bits */
	cr_assert_eq(bits_of("wbyp", "L2 slice"), 512);
}
