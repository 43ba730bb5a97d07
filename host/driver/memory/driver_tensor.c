/* host/driver/memory/driver_tensor.c -- tensor maps: descriptors of tiles of a tensor for the copies by the
 * hardware (core/exec/bulk/tensor_map.h). They are checked as a driver checks them. What is right and what is
 * wrong of tiled ones was measured on an H200 (tests/host/device/error_codes); of im2col it is what the
 * manual of the driver says. */
#include "core/exec/bulk/tensor_map.h"
#include "host/driver/driver.h"

_Static_assert(sizeof(CUtensorMap) == TENSOR_MAP_BYTES, "a tensor map has 128 bytes");

struct tensor {
	const cuuint64_t *sizes, *strides;
	const cuuint32_t *box, *steps;
	unsigned type, rank, interleave, swizzle;
};

/* Bytes of an element; 0: chips before sm_100 have no such type. */
static uint64_t element_bytes(unsigned type)
{
	return type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ ? tensor_element(type)->bits / 8u : 0;
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

/* Maps of im2col::w, and swizzles in chunks of more than 16 bytes, came with compute capability 10.0. */
static bool is_blackwell(void)
{
	return driver.gpu && gpu_properties(driver.gpu)->compute_major >= 10;
}

/* The bytes of a row of shared memory within which chunks change places: log 2 of them, less 4. */
static unsigned span_of(unsigned swizzle)
{
	return swizzle < CU_TENSOR_MAP_SWIZZLE_128B ? swizzle : CU_TENSOR_MAP_SWIZZLE_128B;
}

/* What tiles and im2col have in common. */
static bool sizes_are_right(const struct tensor *t)
{
	for (unsigned i = 0; i < t->rank; i++)
		if (!t->sizes[i] || t->sizes[i] > UINT64_C(1) << 32 || !t->steps[i] || t->steps[i] > 8)
			return false;
	for (unsigned i = 0; i + 1 < t->rank; i++)
		if (t->strides[i] % alignment(t->interleave) || t->strides[i] >= UINT64_C(1) << 40)
			return false;
	return true;
}

/* Of the box only every step-th element along a dimension comes to shared memory, but for the innermost one.
 */
static bool extents_are_right(const struct tensor *t)
{
	uint64_t tile = element_bytes(t->type);

	if (!sizes_are_right(t))
		return false;
	for (unsigned i = 0; i < t->rank; i++) {
		if (!t->box[i] || t->box[i] > 256)
			return false;
		tile *= i ? (t->box[i] + t->steps[i] - 1) / t->steps[i] : t->box[i];
	}
	return tile <= 227 << 10; /* the shared memory of a CTA of sm_90 */
}

static bool layout_is_right(const struct tensor *t)
{
	uint64_t inner = t->box[0] * element_bytes(t->type);

	if (t->interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
		t->swizzle >
			(is_blackwell() ? CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B : CU_TENSOR_MAP_SWIZZLE_128B))
		return false;
	if (t->interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
		return t->rank >= 3;
	return inner % 16 == 0 && (!t->swizzle || inner <= UINT64_C(16) << span_of(t->swizzle));
}

static bool modes_are_right(const struct tensor *t, unsigned promotion, unsigned fill)
{
	return element_bytes(t->type) && promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
		fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA &&
		!(fill && is_integer_tensor(t->type));
}

static struct tensor_map map_of(const struct tensor *t, void *address, unsigned promotion, unsigned fill)
{
	struct tensor_map m = { .address = (uintptr_t)address,
		.rank = (uint8_t)(t->rank - 1),
		.type = (uint8_t)t->type,
		.interleave = (uint8_t)t->interleave,
		.swizzle = (uint8_t)span_of(t->swizzle),
		.atoms = (uint8_t)(t->swizzle - span_of(t->swizzle)),
		.promotion = (uint8_t)promotion,
		.fill = (uint8_t)fill };

	for (unsigned i = 0; i < t->rank; i++) {
		m.sizes[i] = (uint32_t)(t->sizes[i] - 1);
		m.steps[i] = (uint8_t)t->steps[i];
		if (i + 1 < t->rank)
			m.strides[i] = t->strides[i];
	}
	return m;
}

static CUresult put_map(CUtensorMap *map, const struct tensor_map *m)
{
	memset(map, 0, sizeof *map);
	memcpy(map, m, sizeof *m);
	return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
	const cuuint32_t *element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
	CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
	const struct tensor t = { sizes, strides, box, element_strides, type, rank, interleave, swizzle };
	struct tensor_map m;

	if (!map || !sizes || !strides || !box || !element_strides || !rank || rank > TENSOR_DIMS ||
		!modes_are_right(&t, promotion, fill) || !layout_is_right(&t) || !extents_are_right(&t) ||
		(uintptr_t)address % alignment(interleave))
		return CUDA_ERROR_INVALID_VALUE;
	m = map_of(&t, address, promotion, fill);
	for (unsigned i = 0; i < rank; i++)
		m.box[i] = (uint16_t)box[i];
	return put_map(map, &m);
}

/* The corners of the box of pixels, whose offsets have fewer bits the more there are. They begin with the
 * innermost dimension, as sizes do: CUTLASS, whose convolutions run on chips, gives those of W, H and D in
 * this order (cute/atom/copy_traits_sm90_im2col.hpp), which the driver's manual leaves open. False: out of
 * range, or the box is empty. */
static bool put_corners(struct tensor_map *m, const int *lower, const int *upper)
{
	unsigned count = m->rank - 1u;
	int most = count == 1 ? 32767 : count == 2 ? 127 : 15;

	for (unsigned i = 0; i < count; i++) {
		int low = lower[i], high = upper[i];

		if (low < -most - 1 || low > most || high < -most - 1 || high > most ||
			(int64_t)m->sizes[i + 1] + high < low)
			return false;
		m->lower[i] = (int16_t)low;
		m->upper[i] = (int16_t)high;
	}
	return true;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *sizes, const cuuint64_t *strides, const int *lower, const int *upper,
	cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *element_strides,
	CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
	CUtensorMapFloatOOBfill fill)
{
	const cuuint32_t box[2] = { channels, pixels };
	const struct tensor t = { sizes, strides, box, element_strides, type, rank, interleave, swizzle };
	struct tensor_map m;

	if (!map || !sizes || !strides || !lower || !upper || !element_strides || rank < 3 ||
		rank > TENSOR_DIMS || !channels || channels > 256 || !pixels || pixels > 1024 ||
		!modes_are_right(&t, promotion, fill) || !layout_is_right(&t) || !sizes_are_right(&t) ||
		(uintptr_t)address % alignment(interleave))
		return CUDA_ERROR_INVALID_VALUE;
	m = map_of(&t, address, promotion, fill);
	m.kind = MAP_IM2COL;
	m.box[0] = (uint16_t)channels;
	m.box[1] = (uint16_t)pixels;
	return put_corners(&m, lower, upper) ? put_map(map, &m) : CUDA_ERROR_INVALID_VALUE;
}

/* Its box has one pixel along H and D, and as many channels and pixels as a map of im2col. */
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
	void *address, const cuuint64_t *sizes, const cuuint64_t *strides, int lower, int upper,
	cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *element_strides,
	CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
	CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
	const cuuint32_t box[2] = { channels, mode ? 128 : pixels };
	const struct tensor t = { sizes, strides, box, element_strides, type, rank, interleave, swizzle };
	struct tensor_map m;

	if (map && sizes && strides && element_strides && !is_blackwell())
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!map || !sizes || !strides || !element_strides || rank < 3 || rank > TENSOR_DIMS || !channels ||
		channels > 256 || !box[1] || box[1] > 1024 || mode > CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128 ||
		interleave || swizzle < CU_TENSOR_MAP_SWIZZLE_64B ||
		swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B || !modes_are_right(&t, promotion, fill) ||
		!layout_is_right(&t) || !sizes_are_right(&t) || (uintptr_t)address % 16 || lower < -32768 ||
		lower > 32767 || upper < -32768 || upper > 32767 || (int64_t)sizes[1] - 1 + upper < lower)
		return CUDA_ERROR_INVALID_VALUE;
	m = map_of(&t, address, promotion, fill);
	m.kind = mode ? MAP_IM2COL_WIDE_128 : MAP_IM2COL_WIDE;
	m.box[0] = (uint16_t)channels;
	m.box[1] = (uint16_t)box[1];
	m.lower[0] = (int16_t)lower;
	m.upper[0] = (int16_t)upper;
	return put_map(map, &m);
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
