/* tests/ptx/conformance/memory/spaces.h -- the state spaces that a thread can write, for the forms of
 * memory.c and atomic.c. */
#ifndef SPACES_H
#define SPACES_H

#include "../suite/conform.h"

/* A body that begins with `begin` has %p, the address of 32 bytes of the thread's own, aligned to 16, in this
 * space or as a generic address into it; it ends with SPACE_END. `suffix` goes behind the opcode. */
struct space {
	const char *name, *suffix, *remark, *begin;
	bool is_generic;
};

enum { SPACES = 6 };

#define SPACE_END "} "
extern const struct space spaces[SPACES];

#endif
