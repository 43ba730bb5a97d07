/* host/driver/memory/driver_tensor.c -- tensor maps: descriptors of tiles of a tensor for the copies by the
 * hardware (TMA). They are checked as a driver checks them and hold what they were made of; the instructions
 * that use them are refused by name when a kernel with them is launched. What is right and what is wrong was
 * measured on an H200 (tests/host/codes). */
#include "host/driver/driver.h"

/* What lies in the 128 bytes, which are opaque to programs. */
struct tensor_map {
	uint64_t address;
	uint32_t sizes[5]; /* less one */
	uint32_t type, rank, interleave, swizzle;
	uint64_t strides[4];
	uint16_t box[5];
	uint8_t steps[5], promotion, fill;
};
_Static_assert(sizeof(struct tensor_map) <= sizeof(CUtensorMap), "a tensor map has 128 bytes");

struct tensor {
	const cuuint64_t *sizes, *strides;
	const cuuint32_t *box, *steps;
	unsigned type, rank, interleave, swizzle;
};

/* Bytes of an element; 0: chips before sm_100 have no such type. */
static uint64_t element_bytes(unsigned type)
{
	static const uint8_t bytes[] = { [CU_TENSOR_MAP_DATA_TYPE_UINT8] = 1,
		[CU_TENSOR_MAP_DATA_TYPE_UINT16] = 2,
		[CU_TENSOR_MAP_DATA_TYPE_UINT32] = 4,
		[CU_TENSOR_MAP_DATA_TYPE_INT32] = 4,
		[CU_TENSOR_MAP_DATA_TYPE_UINT64] = 8,
		[CU_TENSOR_MAP_DATA_TYPE_INT64] = 8,
		[CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = 2,
		[CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = 4,
		[CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = 8,
		[CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = 2,
		[CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = 4,
		[CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = 4,
		[CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = 4 };

	return type < sizeof bytes ? bytes[type] : 0;
}

static bool is_integer_tensor(unsigned type)
{
	return type <= CU_TENSOR_MAP_DATA_TYPE_INT64;
}

/* To what addresses and strides are aligned. */
static uint64_t alignment(unsigned interleave)
{
	return interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
}

static bool extents_are_right(const struct tensor *t)
{
	uint64_t tile = element_bytes(t->type);

	for (unsigned i = 0; i < t->rank; i++) {
		if (!t->sizes[i] || t->sizes[i] > UINT64_C(1) << 32 || !t->box[i] || t->box[i] > 256 ||
			!t->steps[i] || t->steps[i] > 8)
			return false;
		tile *= t->box[i];
	}
	for (unsigned i = 0; i + 1 < t->rank; i++)
		if (t->strides[i] % alignment(t->interleave) || t->strides[i] >= UINT64_C(1) << 40)
			return false;
	return tile <= 227 << 10; /* the shared memory of a CTA of sm_90 */
}

static bool layout_is_right(const struct tensor *t)
{
	uint64_t inner = t->box[0] * element_bytes(t->type);

	if (t->interleave > CU_TENSOR_MAP_INTERLEAVE_32B || t->swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
		return false;
	if (t->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
		return t->rank >= 3;
	return inner % 16 == 0 && (!t->swizzle || inner <= UINT64_C(16) << t->swizzle);
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
	const cuuint32_t *element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
	CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
	const struct tensor t = { sizes, strides, box, element_strides, type, rank, interleave, swizzle };
	struct tensor_map m = { (uintptr_t)address, .type = type, .rank = rank, .interleave = interleave,
		.swizzle = swizzle, .promotion = (uint8_t)promotion, .fill = (uint8_t)fill };

	if (!map || !sizes || !strides || !box || !element_strides || !rank || rank > 5 ||
		!element_bytes(type) || (unsigned)promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
		(unsigned)fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA ||
		(fill && is_integer_tensor(type)))
		return CUDA_ERROR_INVALID_VALUE;
	if (!layout_is_right(&t) || !extents_are_right(&t) || m.address % alignment(interleave))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < rank; i++) {
		m.sizes[i] = (uint32_t)(sizes[i] - 1);
		m.box[i] = (uint16_t)box[i];
		m.steps[i] = (uint8_t)element_strides[i];
		if (i + 1 < rank)
			m.strides[i] = strides[i];
	}
	memset(map, 0, sizeof *map);
	memcpy(map, &m, sizeof m);
	return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
	struct tensor_map m;

	if (!map || !address)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&m, map, sizeof m);
	m.address = (uintptr_t)address;
	if (m.address % alignment(m.interleave))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(map, &m, sizeof m);
	return CUDA_SUCCESS;
}
