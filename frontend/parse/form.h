/* frontend/parse/form.h -- the word of an instruction, `ld.global.nc.v4.f32`, decoded. A module contains
 * few different words, so each is decoded and checked once and attached to its interned name. */
#ifndef FRONTEND_PARSE_FORM_H
#define FRONTEND_PARSE_FORM_H

#include "frontend/module.h"
#include "frontend/tables/names.h"

struct ptx_parser;

struct ptx_form {
	uint16_t opcode;
	uint16_t modifiers[PTX_MAX_MODIFIERS];
	uint8_t modifier_count, type_count, types[PTX_MAX_TYPES];
	uint8_t space, space2, vector;
	const char *opcode_name;
	const char *spelling;      /* the whole word */
	bool is_bad;               /* cannot be decoded: every use is reported and dropped */
	bool is_checked, is_wrong; /* by check_form */
	uint64_t modifier_bits[6]; /* one bit a modifier; see form_has */
};

/* Returns the decoded word, decoding it at its first use. Errors in it are reported at each use. NULL if
 * it cannot be decoded. */
struct ptx_form *form_of(struct ptx_parser *p, struct ptx_location location, struct ptx_name *word);

static inline bool form_has(const struct ptx_form *form, unsigned modifier)
{
	return form->modifier_bits[modifier / 64] >> modifier % 64 & 1;
}

#endif
