/* frontend/tables/special.c -- special registers that stand for something simpler: performance monitors and
 * the driver's environment registers read as zero, but for %envreg1 and 2, the address of a cooperative
 * launch's grid barrier. */
#include "frontend/tables/special.h"
#include "frontend/tables/opcode.h"
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct { const char *name; uint16_t sreg; } synonyms[] = {
	{ "%aggr_smem_size", PTX_SREG_TOTAL_SMEM_SIZE },
};
/* clang-format on */

#define RESERVED "%reserved_smem_offset_"

/* clang-format off */
static const struct { const char *name; uint32_t value; } constants[] = {
	{ "%tid.w", 0 }, { "%ntid.w", 0 }, { "%ctaid.w", 0 }, { "%nctaid.w", 0 }, { "%clusterid.w", 0 },
	{ "%nclusterid.w", 0 },
	{ "%cluster_ctaid.w", 0 }, { "%cluster_nctaid.w", 0 },
	{ RESERVED "begin", 0 }, { RESERVED "end", RESERVED_SHARED_BYTES },
	{ RESERVED "cap", RESERVED_SHARED_BYTES },
	{ RESERVED "0", 0 }, { RESERVED "1", RESERVED_SHARED_BYTES / 2 },
};
/* clang-format on */

bool special_is_reserved_shared(const char *name)
{
	return name && !strncmp(name, RESERVED, strlen(RESERVED));
}

/* Whole vectors: lists of their components. */
/* clang-format off */
#define READS(sreg_, name_) { .kind = PTX_OP_SREG, .component = -1, .sreg = PTX_SREG_##sreg_, .name = name_ }
#define IS(number, name_) \
	{ .kind = PTX_OP_VALUE, .component = -1, .value = { PTX_INT, number }, .name = name_ }
#define XYZ(id, name) \
	{ READS(id##_X, name ".x"), READS(id##_Y, name ".y"), READS(id##_Z, name ".z"), IS(0, name ".w") }
/* clang-format on */
static const struct {
	const char *name;
	struct ptx_operand components[4];
} vectors[] = {
	{ "%tid", XYZ(TID, "%tid") },
	{ "%ntid", XYZ(NTID, "%ntid") },
	{ "%ctaid", XYZ(CTAID, "%ctaid") },
	{ "%nctaid", XYZ(NCTAID, "%nctaid") },
	{ "%clusterid", XYZ(CLUSTERID, "%clusterid") },
	{ "%nclusterid", XYZ(NCLUSTERID, "%nclusterid") },
	{ "%cluster_ctaid", XYZ(CLUSTER_CTAID, "%cluster_ctaid") },
	{ "%cluster_nctaid", XYZ(CLUSTER_NCTAID, "%cluster_nctaid") },
};

static bool is_vector(const char *name, struct ptx_operand *operand)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		if (strcmp(name, vectors[i].name))
			continue;
		operand->kind = PTX_OP_VECTOR;
		operand->elements = (struct ptx_operand *)(uintptr_t)vectors[i].components; /* only read */
		operand->element_count = 4;
		return true;
	}
	return false;
}

static void set_value(struct ptx_operand *operand, uint64_t value)
{
	operand->kind = PTX_OP_VALUE;
	operand->value = (struct ptx_value){ PTX_INT, value };
}

/* %envreg0 to 31, %pm0 to 7, %pm0_64 to 7. */
static bool is_numbered(const char *name)
{
	unsigned number;
	int end = 0;

	if (sscanf(name, "%%envreg%2u%n", &number, &end) == 1 && !name[end])
		return number < 32;
	end = 0;
	if (sscanf(name, "%%pm%1u%n", &number, &end) == 1)
		return number < 8 && (!name[end] || !strcmp(name + end, "_64"));
	return false;
}

unsigned special_type(const char *name)
{
	size_t length = strlen(name);

	if (length > 3 && !strcmp(name + length - 3, "_64"))
		return PTX_U64;
	return PTX_U32;
}

bool special_register(const char *name, struct ptx_operand *operand)
{
	if (name[0] != '%')
		return false;
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++)
		if (!strcmp(name, synonyms[i].name)) {
			operand->kind = PTX_OP_SREG;
			operand->sreg = synonyms[i].sreg;
			return true;
		}
	for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		if (!strcmp(name, constants[i].name)) {
			set_value(operand, constants[i].value);
			return true;
		}
	if (is_vector(name, operand))
		return true;
	if (!is_numbered(name))
		return false;
	set_value(operand, 0);
	return true;
}
