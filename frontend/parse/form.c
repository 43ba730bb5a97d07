/* frontend/parse/form.c -- decodes instruction words: opcode, then modifiers, types, state spaces and vector
 * width in whatever order they were written. */
#include "frontend/parse/form.h"
#include "frontend/parse/parser.h"
#include <stdio.h>
#include <string.h>

_Static_assert(PTX_MODIFIER_COUNT <= 6 * 64, "struct ptx_form has too few modifier bits");

/* wgmma names 128 shapes: m64n8k8 to m64n256k256. */
static bool is_wgmma_shape(const char *text, size_t length)
{
	char word[16];
	unsigned n, k;
	int end = 0;

	if (length >= sizeof(word))
		return false;
	memcpy(word, text, length);
	word[length] = 0;
	return sscanf(word, ".m64n%3uk%3u%n", &n, &k, &end) == 2 && (size_t)end == length;
}

static void unknown_suffix(struct ptx_parser *p, struct ptx_location location, const struct ptx_form *form,
	const char *text, size_t length)
{
	char word[64], hint[96];
	const char *nearest;

	snprintf(word, sizeof(word), "%.*s", (int)(length - 1), text + 1);
	nearest = nearest_modifier(word);
	snprintf(hint, sizeof(hint), "did you mean '.%s'?", nearest ? nearest : "");
	parse_error(p, location, nearest ? hint : NULL, "unknown modifier '.%s' of '%s'", word,
		form->opcode_name);
}

static bool add_modifier(struct ptx_form *form, unsigned modifier)
{
	if (form->modifier_count == PTX_MAX_MODIFIERS)
		return false;
	form->modifiers[form->modifier_count++] = (uint16_t)modifier;
	form->modifier_bits[modifier / 64] |= (uint64_t)1 << modifier % 64;
	return true;
}

static bool add_space(struct ptx_form *form, unsigned space)
{
	if (form->space2)
		return false;
	if (form->space)
		form->space2 = (uint8_t)space;
	else
		form->space = (uint8_t)space;
	return true;
}

/* One suffix, text[0] being its dot. False: there are too many of its sort. */
static bool add_suffix(struct ptx_form *form, const struct ptx_name *name)
{
	switch (name->role) {
	case ROLE_TYPE:
		if (form->opcode == PTX_ISTYPEP)
			return add_modifier(form,
				name->value == PTX_TEXREF            ? PTX_MOD_TEXREF
					: name->value == PTX_SURFREF ? PTX_MOD_SURFREF
								     : PTX_MOD_SAMPLERREF);
		if (form->type_count == PTX_MAX_TYPES)
			return false;
		form->types[form->type_count++] = (uint8_t)name->role_value;
		return true;
	case ROLE_SPACE:
		return add_space(form, name->role_value);
	case ROLE_VECTOR:
		form->vector = (uint8_t)name->role_value;
		return true;
	default:
		return add_modifier(form, name->role_value) &&
			(!name->role_space || add_space(form, name->role_space));
	}
}

/* The length of the suffix that begins at text: up to the next dot, or to the end. */
static size_t suffix_length(const char *text)
{
	return 1 + strcspn(text + 1, ".");
}

static void add_suffixes(
	struct ptx_parser *p, struct ptx_location location, struct ptx_form *form, const char *word)
{
	for (const char *at = strchr(word, '.'); at && *at;) {
		size_t length = suffix_length(at);
		const struct ptx_name *name = names_find(&p->names, at, length);
		struct ptx_location here = { location.line, location.column + (uint32_t)(at - word) };
		bool fits = true;

		if (name && name->role)
			fits = add_suffix(form, name);
		else if (!strncmp(at, ".const[", 7))
			fits = add_space(form, PTX_CONST);
		else if (form->opcode == PTX_WGMMA && is_wgmma_shape(at, length))
			fits = add_modifier(form, PTX_MOD_M64NXKX);
		else {
			unknown_suffix(p, here, form, at, length);
			form->is_bad = true;
		}
		if (!fits) {
			parse_error(p, here, NULL, "too many modifiers of '%s'", form->opcode_name);
			form->is_bad = true;
		}
		at += length;
	}
}

static void decode_word(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *word, struct ptx_form *form)
{
	size_t length = strcspn(word->text, ".");
	struct ptx_name *opcode = names_intern(&p->names, word->text, length);

	memset(form, 0, sizeof(*form));
	form->spelling = word->text;
	form->opcode_name = opcode->text;
	form->vector = 1;
	if (!opcode->opcode) {
		const char *nearest = nearest_opcode(opcode->text);
		char hint[96];

		snprintf(hint, sizeof(hint), "did you mean '%s'?", nearest ? nearest : "");
		parse_error(p, location, nearest ? hint : NULL, "unknown instruction '%.80s'", opcode->text);
		form->is_bad = true;
		return;
	}
	form->opcode = (uint16_t)(opcode->opcode - 1);
	add_suffixes(p, location, form, word->text);
}

struct ptx_form *form_of(struct ptx_parser *p, struct ptx_location location, struct ptx_name *word)
{
	if (!word->form) {
		word->form = arena_new_of(p->arena, struct ptx_form);
		decode_word(p, location, word, word->form);
	} else if (word->form->is_bad) {
		decode_word(p, location, word, word->form); /* once more, for its messages */
	}
	return word->form->is_bad ? NULL : word->form;
}
