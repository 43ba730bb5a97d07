/* frontend/print/coverage_template.c -- the candidates that the templates of coverage.def give: all their
 * alternatives. */
#include "frontend/print/coverage_parts.h"
#include <string.h>

struct template
{
	unsigned opcode;
	const char *word, *operands;
	bool is_further; /* besides what the tables give */
};

static const struct template templates[] = {
#define TEMPLATE(id, word, operands) { PTX_##id, word, operands, false },
#define FURTHER(id, word, operands)  { PTX_##id, word, operands, true },
#include "frontend/print/coverage.def"
#undef TEMPLATE
#undef FURTHER
};

/* Bits of the type that begins at text, as a register holds it; 0: no type. */
static unsigned bits_at(const char *text)
{
	size_t length = strcspn(text, ".");
	unsigned bits;

	for (unsigned type = PTX_PRED; type < PTX_TEXREF; type++)
		if (strlen(ptx_type_name(type)) == length && !strncmp(ptx_type_name(type), text, length)) {
			bits = ptx_type_bits(type);
			return bits > 1 && bits < 16 ? 16 : bits;
		}
	return 0;
}

/* $n: a register for the n-th type of the word (its last one if there are fewer), a new one each time. */
static void fill_operands(struct text *t, const char *word, const char *operands)
{
	unsigned bits[PTX_MAX_TYPES * 2] = { 0 }, count = 0, number = 1;

	for (const char *at = strchr(word, '.'); at && count < PTX_MAX_TYPES * 2; at = strchr(at + 1, '.'))
		if (bits_at(at + 1))
			bits[count++] = bits_at(at + 1);
	t->length = 0;
	t->at[0] = 0;
	for (; *operands; operands++) {
		unsigned which = (unsigned)(operands[1] - '0');

		if (*operands != '$' || !count) {
			append_part(t, operands, 1);
			continue;
		}
		operands++;
		append_name(t, class_of(bits[which < count ? which : count - 1]), number++);
	}
}

static void expand_template(struct coverage *c, const char *operands, struct text *word, const char *rest)
{
	size_t length = word->length;
	const char *close;

	while (*rest && *rest != '{')
		append_part(word, rest++, 1);
	if (!*rest) {
		struct text filled;

		fill_operands(&filled, word->at, operands);
		coverage_add(c, word->at, filled.at);
	} else {
		close = strchr(rest, '}');
		for (const char *at = rest + 1; at <= close;) {
			size_t size = strcspn(at, ",}"), before = word->length;

			append_part(word, at, size);
			expand_template(c, operands, word, close + 1);
			word->length = before;
			word->at[before] = 0;
			at += size + 1;
		}
	}
	word->length = length;
	word->at[length] = 0;
}

bool coverage_templates(struct coverage *c, unsigned opcode)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
		struct text word = { .length = 0 };

		if (templates[i].opcode != opcode)
			continue;
		expand_template(c, templates[i].operands, &word, templates[i].word);
		found |= !templates[i].is_further;
	}
	return found;
}
