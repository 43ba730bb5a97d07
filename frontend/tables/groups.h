/* frontend/tables/groups.h -- modifiers of which an instruction takes at most one: roundings, cache
 * operators, scopes ...; and the state spaces and vector widths that each opcode takes. One table for the
 * checks and for the coverage. */
#ifndef FRONTEND_TABLES_GROUPS_H
#define FRONTEND_TABLES_GROUPS_H

#include <stdint.h>

struct modifier_group {
	const char *what;          /* "a cache operator" */
	const uint16_t *modifiers; /* ended by GROUP_END */
};
#define GROUP_END 0xffff

extern const struct modifier_group modifier_groups[];
extern const unsigned modifier_group_count;

/* The group of a modifier, or -1: it stands by itself. */
int group_of(unsigned modifier);

/* Masks of 1 << enum ptx_space; bit 0 (PTX_NO_SPACE): the space may be missing. */
uint32_t opcode_spaces(unsigned opcode);
/* Mask of the vector widths themselves: 1 | 2 | 4 | 8. */
uint32_t opcode_vectors(unsigned opcode);

#endif
