/* frontend/lower/memory/lower_texture.h -- shared by texture fetches and surface accesses: the operand
 * that names a texel. */
#ifndef FRONTEND_LOWER_MEMORY_LOWER_TEXTURE_H
#define FRONTEND_LOWER_MEMORY_LOWER_TEXTURE_H

#include "frontend/lower/lower.h"

struct texture_geometry {
	uint16_t modifier;
	uint8_t dims;
	uint16_t flags; /* enum uop_texture */
};

/* A [reference, {coordinates}] operand, lowered. */
struct texture_location {
	ref reference, sampler;
	ref row[4]; /* coordinates, then the layer */
	uint32_t rows;
};

#define MOST_TEXTURE_SOURCES 16
struct texture_sources {
	ref row[MOST_TEXTURE_SOURCES];
	uint32_t count;
};

/* NULL, after a refusal: multi-sample textures. */
const struct texture_geometry *texture_geometry(struct lower *l);
/* Element i of a vector operand; a scalar is its own element 0. */
struct ptx_operand texture_element(struct lower *l, const struct ptx_operand *o, uint32_t i);
void texture_location(struct lower *l, const struct ptx_operand *o, const struct texture_geometry *g,
	bool is_float, struct texture_location *p);
void texture_add_location(struct texture_sources *s, const struct texture_location *p);
void texture_put_sources(struct lower *l, struct draft *d, const struct texture_sources *s);

#endif
