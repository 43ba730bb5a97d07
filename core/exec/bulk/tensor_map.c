/* core/exec/bulk/tensor_map.c -- see tensor_map.h. */
#include "core/exec/bulk/tensor_map.h"
#include "frontend/module.h"
#include "frontend/tables/bulk.h"
#include <stddef.h>

/* In the order of CUtensorMapDataType. The packed types are those of sm_100. */
static const struct tensor_element elements[] = {
	{ 8, 16, PTX_NO_TYPE, false },
	{ 16, 16, PTX_NO_TYPE, false },
	{ 32, 16, PTX_U32, false },
	{ 32, 16, PTX_S32, false },
	{ 64, 16, PTX_U64, false },
	{ 64, 16, PTX_S64, false },
	{ 16, 16, PTX_F16, true },
	{ 32, 16, PTX_F32, true },
	{ 64, 16, PTX_F64, true },
	{ 16, 16, PTX_BF16, true },
	{ 32, 16, PTX_F32, true }, /* subnormals are flushed */
	{ 32, 16, PTX_F32, true }, /* tf32 */
	{ 32, 16, PTX_F32, true },
	{ 4, 16, PTX_NO_TYPE, false },
	{ 4, 8, PTX_NO_TYPE, false },
	{ 6, 12, PTX_NO_TYPE, false },
};

const struct tensor_element *tensor_element(unsigned type)
{
	return type < sizeof elements / sizeof *elements ? &elements[type] : NULL;
}

static const char *box_fault(const struct tensor_map *m)
{
	unsigned dimensions = m->kind == MAP_TILED ? m->rank + 1u : 2;

	for (unsigned i = 0; i < dimensions; i++)
		if (!m->box[i] || m->box[i] > (m->kind == MAP_TILED || !i ? 256 : 1024))
			return "the tensor map's box has a side that is 0 or too long";
	for (unsigned i = 0; i <= m->rank; i++)
		if (!m->steps[i] || m->steps[i] > 8)
			return "the tensor map has an element stride that is not 1 to 8";
	return NULL;
}

const char *tensor_map_fault(const struct tensor_map *m, bool has_rest)
{
	const struct tensor_element *e = tensor_element(m->type);
	uint32_t inner;

	if (has_rest || m->rank >= TENSOR_DIMS || !e || m->swizzle > 3 || m->atoms > 3 || m->fill > 1 ||
		m->interleave > 2 || m->kind >= MAP_KINDS)
		return "the address is not that of a tensor map";
	if (m->interleave)
		return "the tensor map is of an interleaved layout, which is not executed";
	if (box_fault(m))
		return box_fault(m);
	if (m->kind >= MAP_IM2COL_WIDE && (m->swizzle < 2 || m->atoms > 1))
		return "the swizzle of a tensor map of im2col::w is of 64 bytes, or of 128 in chunks of 16 "
		       "or 32";
	inner = (uint32_t)m->box[0] * e->bits / 8;
	if (inner % e->granule || inner == 0)
		return "the inner side of the tensor map's box is no multiple of 16 bytes";
	if (m->swizzle && inner / e->granule > 1u << m->swizzle)
		return "the inner side of the tensor map's box is longer than the span of its swizzle";
	if (m->address % 16)
		return "the tensor map's address is no multiple of 16";
	for (unsigned i = 0; i < m->rank; i++)
		if (m->strides[i] % 16)
			return "the tensor map has a stride that is no multiple of 16";
	return NULL;
}

/* elemtype of PTX has another order than the driver's types. */
static uint8_t type_of_ptx(uint64_t value)
{
	return (uint8_t)(value == 8 ? 10 : value == 9 || value == 10 ? value - 1 : value);
}

const char *tensor_map_replace(struct tensor_map *m, unsigned field, unsigned dimension, uint64_t value)
{
	if (dimension >= TENSOR_DIMS || (field == TENSORMAP_STRIDE && dimension >= TENSOR_DIMS - 1))
		return "a tensor map has no such dimension";
	switch ((enum tensormap_field)field) {
	case TENSORMAP_ADDRESS:
		m->address = value;
		break;
	case TENSORMAP_RANK: /* less one, as PTX counts it here */
		if (value >= TENSOR_DIMS)
			return "a tensor has 1 to 5 dimensions";
		m->rank = (uint8_t)value;
		break;
	case TENSORMAP_BOX:
		if (!value || value > 256)
			return "a side of a box has 1 to 256 elements";
		m->box[dimension] = (uint16_t)value;
		break;
	case TENSORMAP_SIZE:
		m->sizes[dimension] = (uint32_t)(value - 1);
		break;
	case TENSORMAP_STRIDE:
		m->strides[dimension] = value;
		break;
	case TENSORMAP_STEP:
		if (!value || value > 8)
			return "an element stride is 1 to 8";
		m->steps[dimension] = (uint8_t)value;
		break;
	case TENSORMAP_TYPE:
		m->type = type_of_ptx(value);
		break;
	case TENSORMAP_INTERLEAVE:
		m->interleave = (uint8_t)value;
		break;
	case TENSORMAP_SWIZZLE:
		m->swizzle = (uint8_t)value;
		break;
	case TENSORMAP_ATOMS:
		m->atoms = (uint8_t)value;
		break;
	case TENSORMAP_FILL:
		m->fill = (uint8_t)value;
		break;
	case TENSORMAP_COPY:
		break;
	}
	return NULL;
}
