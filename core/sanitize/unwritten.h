/* core/sanitize/unwritten.h -- which bytes of device memory nobody has written. */
#ifndef CORE_SANITIZE_UNWRITTEN_H
#define CORE_SANITIZE_UNWRITTEN_H

#include "sim/base/types.h"

struct unwritten {
	uint8_t **blocks;
	uint64_t count;
};

/* Addresses outside device memory are never marked. */
void unwritten_mark(struct unwritten *unwritten, addr start, uint64_t bytes, bool is_unwritten);
bool unwritten_is(const struct unwritten *unwritten, addr address);
/* The first such byte, counted from start; bytes: there is none. */
uint64_t unwritten_first(const struct unwritten *unwritten, addr start, uint64_t bytes);
void unwritten_free(struct unwritten *unwritten);

#endif
