/* memsys/texture/texture.h -- textures, samplers and surfaces: descriptors behind 64-bit handles, and the
 * arithmetic of sampling (address modes, filtering, formats). Knows nothing of PTX; who times the accesses
 * asks which texels were touched.
 *
 * Sources: CUDA C Programming Guide, appendix "Texture Fetching" (point and linear filtering, 1.8 fixed-point
 * weights) and its table of cube faces; PTX ISA, "Texture Instructions" and the tables of texture and surface
 * properties.
 *
 * Values are stored row by row. Where the texels of an array are for those who time the access says
 * block_linear.c. */
#ifndef MEMSYS_TEXTURE_TEXTURE_H
#define MEMSYS_TEXTURE_TEXTURE_H

#include "memsys/memory.h"
#include <string.h>

/* In the order in which PTX enumerates them: queries return these numbers. */
enum texture_address { ADDRESS_WRAP, ADDRESS_MIRROR, ADDRESS_CLAMP_OGL, ADDRESS_CLAMP, ADDRESS_BORDER };
enum texture_filter { FILTER_POINT, FILTER_LINEAR };
enum texel_type { TEXEL_UNSIGNED, TEXEL_SIGNED, TEXEL_FLOAT };
enum surface_mode { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO };
enum texture_layout {
	LAYOUT_PITCH,        /* rows at the pitch that the program gave */
	LAYOUT_LINEAR,       /* linear memory: one row, fetched by index: 0 outside */
	LAYOUT_BLOCK_LINEAR, /* an array */
};
enum texture_kind { TEXTURE_FREE, TEXTURE_FETCHED, TEXTURE_SAMPLER, TEXTURE_SURFACE };

struct texel_format {
	uint8_t type;     /* enum texel_type */
	uint8_t bytes;    /* of a channel: 1, 2, 4 */
	uint8_t channels; /* 1, 2, 4 */
};

struct texture_sampler {
	uint8_t address[3]; /* enum texture_address, for x, y, z */
	uint8_t filter, mip_filter;
	bool is_normalized; /* coordinates from 0 to 1 */
	bool is_raw;        /* integer texels are read as integers, not as fractions */
	bool is_srgb;       /* 8-bit unsigned texels are sRGB: made linear before filtering, alpha excepted */
	float bias, min_level, max_level;
	uint32_t border[4]; /* bits of what lies outside: floats, or integers if texels are read as integers
			     */
};

struct texture_level {
	addr base;
	uint32_t width, height, depth; /* texels; 1 where there is no such dimension */
	uint64_t pitch, slice;         /* bytes from row to row, from slice (or layer) to slice */
};

#define TEXTURE_LEVELS 17
struct texture {
	uint8_t kind;   /* enum texture_kind */
	bool is_bound;  /* has memory */
	uint8_t layout; /* enum texture_layout */
	bool is_cube, is_layered;
	struct texel_format format;
	uint32_t layers; /* faces included; 1 if not layered */
	uint32_t level_count;
	struct texture_level levels[TEXTURE_LEVELS];
	addr start; /* the memory that it lies in */
	uint64_t bytes;
	struct texture_sampler sampler;
};

static inline uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static inline float bits_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline unsigned texel_bytes(struct texel_format f)
{
	return (unsigned)f.bytes * f.channels;
}

/* -- handles (texture_table.c). A handle is a number that nothing else looks like; 0 is none. -- */

uint64_t texture_create(struct device_memory *memory, enum texture_kind kind);
void texture_destroy(struct device_memory *memory, uint64_t handle);
struct texture *texture_find(const struct device_memory *memory, uint64_t handle); /* NULL: no such handle */

uint64_t texture_next(const struct device_memory *memory, uint64_t handle); /* live, behind this one; 0 first,
									       0: none */

struct texture_table;
struct texture_table *texture_table_new(void);
void texture_table_free(struct texture_table *table);

/* The sampler of a texture to which nothing was said: point, wrap, texel coordinates, level range open. */
struct texture_sampler texture_default_sampler(void);

/* -- fetching (texture.c) -- */

/* One lane's fetch. Coordinates are texel indices if is_integer, else floats; those beyond dims are not
 * looked at. */
struct texel_request {
	uint8_t dims; /* 1, 2, 3 */
	bool is_cube; /* dims 3: a direction */
	bool is_integer;
	union {
		float f;
		int32_t i;
	} at[3];
	uint32_t layer;
	int32_t offset[3]; /* texels */
	float level;
};

#define TEXTURE_ROWS 4
/* What it came to: four 32-bit words (floats, or integers if texels are read as such), and the first texel of
 * each row of texels that was read, as it lies on a chip, for those who time the access. */
struct texel_result {
	uint32_t value[4];
	uint32_t touched_count;
	addr touched[TEXTURE_ROWS];
};

/* t is bound; s is its own sampler or another. Missing channels read as 0, the fourth as 1. */
void texture_fetch(const struct texture *t, const struct texture_sampler *s, const struct texel_request *q,
	struct texel_result *r);
/* One component of the four texels that linear filtering would blend: (0,1) (1,1) (1,0) (0,0). */
void texture_gather(const struct texture *t, const struct texture_sampler *s, const struct texel_request *q,
	unsigned component, struct texel_result *r);
/* The level at which the longer of two gradients spans one texel, with 8 fraction bits. */
float texture_gradient_level(const struct texture *t, const struct texture_sampler *s, unsigned dims,
	const float dx[3], const float dy[3]);

/* -- surfaces (surface.c) -- */

struct surface_request {
	uint8_t dims;
	bool is_layered;
	uint8_t mode;   /* enum surface_mode */
	bool is_sample; /* x counts texels, not bytes */
	int32_t at[3];
	uint32_t layer;
	unsigned bytes; /* of the access */
};
enum surface_outcome { SURFACE_INSIDE, SURFACE_OUTSIDE, SURFACE_FAULT, SURFACE_MISALIGNED };
/* Where the access falls: if INSIDE, *location, and *timed for those who time it. OUTSIDE: reads as 0, is not
 * written. */
enum surface_outcome surface_location(
	const struct texture *t, const struct surface_request *q, addr *location, addr *timed);

/* -- arrays (block_linear.c) -- */

/* From row to row of an array whose rows have so many bytes, and the rows of a slice (or layer): whole
 * blocks.
 */
uint64_t block_linear_pitch(uint64_t row, uint32_t height);
uint64_t block_linear_rows(uint32_t height);
/* Where the byte x of row y of a slice lies on a chip. */
addr block_linear_address(const struct texture_level *l, uint64_t slice, uint64_t y, uint64_t x);

/* -- texels (texel.c) -- */

/* Whether fetches return floats. */
bool texture_reads_floats(const struct texture *t, const struct texture_sampler *s);
/* What a fetch of this texel alone returns. */
void texel_decode(
	const struct texture *t, const struct texture_sampler *s, const uint8_t *texel, uint32_t value[4]);
/* Four components to a texel of the format; integers saturate. Returns its bytes. */
unsigned surface_pack(struct texel_format format, const uint32_t component[4], uint8_t texel[16]);
float half_to_float(uint16_t half);
uint16_t float_to_half(float value); /* nearest, ties to even */

#endif
