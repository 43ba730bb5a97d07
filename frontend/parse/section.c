/* frontend/parse/section.c -- what a debug section holds: labels, and lists of data behind .b8, .b16, .b32
 * and .b64. Data are integers; of .b32 and .b64 also a label or section, perhaps with an offset, or the
 * difference of two labels. The rules are those that the vendor's assembler enforces; whether labels exist it
 * does not ask. */
#include "frontend/parse/literal.h"
#include "frontend/parse/parser.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct section {
	struct ptx_parser *p;
	const char *at, *end;         /* what is left to read */
	struct ptx_location location; /* of `line_start` */
	const char *line_start;
	unsigned bits; /* of the data being read */
};

static struct ptx_location section_location(const struct section *s)
{
	struct ptx_location location = s->location;

	location.column += (uint32_t)(s->at - s->line_start);
	return location;
}

static bool wrong_section(struct section *s, const char *what)
{
	parse_error(s->p, section_location(s), ".b32 0x10, label+4", "in a section: %s", what);
	return false;
}

static void skip_comment(struct section *s)
{
	bool is_block = s->at[1] == '*';
	const char *stop = is_block ? "*/" : "\n", *found;

	found = memmem(s->at, (size_t)(s->end - s->at), stop, strlen(stop));
	for (found = found ? found + (is_block ? 2 : 0) : s->end; s->at < found; s->at++)
		if (*s->at == '\n') {
			s->location = (struct ptx_location){ s->location.line + 1, 1 };
			s->line_start = s->at + 1;
		}
}

/* Moves to the next character that means something; 0: the end. */
static char peek(struct section *s)
{
	while (s->at < s->end) {
		if (*s->at == '\n') {
			s->location = (struct ptx_location){ s->location.line + 1, 1 };
			s->line_start = s->at + 1;
		}
		if (s->at + 1 < s->end && *s->at == '/' && (s->at[1] == '/' || s->at[1] == '*'))
			skip_comment(s);
		else if (isspace((unsigned char)*s->at))
			s->at++;
		else
			return *s->at;
	}
	return 0;
}

static bool takes_character(struct section *s, char c)
{
	if (peek(s) != c)
		return false;
	s->at++;
	return true;
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* The length of the name, number or dotted word that stands here. */
static size_t word_length(struct section *s)
{
	size_t length = peek(s) == '.';

	while (s->at + length < s->end && is_word_character(s->at[length]))
		length++;
	return length;
}

static bool is_value_in_range(const struct section *s, uint64_t value, bool is_negative)
{
	if (s->bits == 64 || (s->bits == 32 && !is_negative))
		return true;
	return is_negative ? value <= UINT64_C(1) << (s->bits - 1) : value >> s->bits == 0;
}

static bool read_integer(struct section *s, bool is_negative)
{
	size_t length = word_length(s);
	char text[80];
	struct ptx_value value;
	const char *end;

	if (!length || length >= sizeof text || !isdigit((unsigned char)*s->at))
		return wrong_section(s, "expected an integer");
	memcpy(text, s->at, length);
	text[length] = 0;
	end = text +
		strspn(text,
			text[0] == '0' && tolower(text[1]) == 'x'           ? "0123456789abcdefABCDEFxX"
				: text[0] == '0' && tolower(text[1]) == 'b' ? "01bB"
									    : "0123456789");
	if (!strcmp(text, "0x") || !strcmp(text, "0X") || (*end && strcmp(end, "U")))
		return wrong_section(s, "a malformed number");
	literal_integer(text, length, &value);
	if (!is_value_in_range(s, value.bits, is_negative))
		return wrong_section(s, "the number is out of range");
	s->at += length;
	return true;
}

/* What may stand behind a label or section: an offset, or the label that is subtracted. */
static bool read_rest(struct section *s, bool is_label)
{
	size_t length;

	if (takes_character(s, '+')) {
		s->bits = 64; /* the offset is added to an address */
		return read_integer(s, false);
	}
	if (peek(s) != '-')
		return true;
	if (!is_label || !needs_version(s->p, section_location(s), "the difference of two labels", 75))
		return is_label ? false : wrong_section(s, "'-' behind a section");
	s->at++;
	length = word_length(s);
	if (!length || isdigit((unsigned char)*s->at) || *s->at == '.')
		return wrong_section(s, "expected a label behind '-'");
	s->at += length;
	return true;
}

static bool read_section_item(struct section *s)
{
	unsigned bits = s->bits;
	size_t length = word_length(s);
	bool is_fine;

	if (takes_character(s, '-'))
		return needs_version(s->p, section_location(s), "a negative number in a section", 75) &&
			read_integer(s, true);
	if (length && isdigit((unsigned char)*s->at))
		return read_integer(s, false);
	if (!length)
		return wrong_section(s, "expected a number or a label");
	if (bits < 32)
		return wrong_section(s, "an address takes .b32 or .b64");
	s->at += length;
	is_fine = read_rest(s, s->at[-(ptrdiff_t)length] != '.');
	s->bits = bits;
	return is_fine;
}

/* Behind .b8, .b16, .b32 or .b64. Only numbers make lists: behind an address nothing follows. */
static bool read_data(struct section *s)
{
	bool is_address;

	do {
		size_t length = word_length(s);

		is_address = length && !isdigit((unsigned char)*s->at);
		if (!read_section_item(s))
			return false;
	} while (!is_address && takes_character(s, ','));
	return true;
}

static bool read_label(struct section *s, size_t length)
{
	struct ptx_name *name = names_intern(&s->p->names, s->at, length);
	struct ptx_location location = section_location(s);

	s->at += length;
	if (peek(s) != ':')
		return wrong_section(s, "expected ':' behind a label");
	s->at++;
	if (name->is_section_label) {
		parse_error(
			s->p, location, NULL, "the label '%.200s' stands in a section already", name->text);
		return false;
	}
	name->is_section_label = true;
	return true;
}

/* A label or a list of data. */
static bool read_section_line(struct section *s)
{
	static const struct {
		const char *word;
		unsigned bits;
	} widths[] = { { ".b8", 8 }, { ".b16", 16 }, { ".b32", 32 }, { ".b64", 64 } };
	size_t length = word_length(s);

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		if (length == strlen(widths[i].word) && !memcmp(s->at, widths[i].word, length)) {
			s->at += length;
			s->bits = widths[i].bits;
			return read_data(s);
		}
	if (!length || *s->at == '.' || isdigit((unsigned char)*s->at))
		return wrong_section(s, "expected a label, or .b8, .b16, .b32 or .b64 with data");
	return read_label(s, length);
}

void check_section(struct ptx_parser *p, struct ptx_location location, const struct ptx_text *text)
{
	struct section s = { .p = p,
		.at = text->start + strlen(".section"),
		.end = text->start + text->length - 1, /* the brace */
		.location = location,
		.line_start = text->start };
	size_t length = word_length(&s);

	if (length < 2 || *s.at != '.') {
		wrong_section(&s, "expected its name, as .debug_info");
		return;
	}
	s.at += length;
	if (peek(&s) != '{') {
		wrong_section(&s, "expected '{' behind its name");
		return;
	}
	s.at++;
	while (peek(&s))
		if (!read_section_line(&s))
			return;
}
