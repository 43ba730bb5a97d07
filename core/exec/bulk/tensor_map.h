/* core/exec/bulk/tensor_map.h -- tensor maps: which tensor a tensor copy reads or writes, and which box of
 * it. The driver makes them (host/driver/memory/driver_tensor.c), and tensormap.replace changes them. Their
 * 128 bytes are opaque to programs. All zeros but for the fields is a map, too, as programs make it that
 * replace each field of zeroed bytes. */
#ifndef CORE_EXEC_BULK_TENSOR_MAP_H
#define CORE_EXEC_BULK_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define TENSOR_MAP_BYTES 128
#define TENSOR_MAP_ALIGN 64
#define TENSOR_DIMS      5

enum { MAP_TILED, MAP_IM2COL, MAP_IM2COL_WIDE, MAP_IM2COL_WIDE_128, MAP_KINDS };

struct tensor_map {
	uint64_t address;
	uint64_t strides[TENSOR_DIMS - 1]; /* bytes, of dimension 1 on */
	uint32_t sizes[TENSOR_DIMS];       /* elements, less one */
	uint16_t box[TENSOR_DIMS];         /* elements; im2col: channels, then pixels */
	int16_t lower[3], upper[3];        /* im2col: corners of the box of pixels, of dimension 1 on */
	uint8_t steps[TENSOR_DIMS];        /* between elements of the box */
	uint8_t rank;                      /* less one */
	uint8_t type;                      /* as CUtensorMapDataType has it */
	uint8_t interleave, swizzle, atoms, promotion, fill, kind;
};
_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "a tensor map has 128 bytes");

/* How elements lie: in the tensor, and in the 16 bytes of a granule of shared memory. */
struct tensor_element {
	uint8_t bits;    /* in the tensor */
	uint8_t granule; /* bytes of the tensor that fill a granule */
	uint8_t type;    /* enum ptx_type of reductions; PTX_NO_TYPE: there are none */
	bool is_float;
};
/* NULL: there is no such type. */
const struct tensor_element *tensor_element(unsigned type);

/* What is wrong with a map, NULL: nothing. */
const char *tensor_map_fault(const struct tensor_map *map, bool has_rest);
/* tensormap.replace: field is enum tensormap_field. What is wrong, or NULL. */
const char *tensor_map_replace(struct tensor_map *map, unsigned field, unsigned dimension, uint64_t value);

#endif
