/* experiment/report/text.c -- texts: kept, measured, escaped. */
#include "experiment/report/text.h"
#include "sim/text/utf8.h"
#include "sim/base/xalloc.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>

/* -- kept -- */

void *keep(struct keeper *k, void *memory)
{
	if ((k->count & (k->count - 1)) == 0)
		k->items = xrealloc(k->items, (k->count ? 2 * k->count : 1) * sizeof(*k->items));
	return k->items[k->count++] = memory;
}

void *keep_alloc(struct keeper *k, size_t size)
{
	return keep(k, xcalloc(1, size));
}

char *keep_copy(struct keeper *k, const char *text)
{
	return keep(k, xstrdup(text ? text : ""));
}

char *keep_print(struct keeper *k, const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		bug("out of memory");
	va_end(arguments);
	return keep(k, text);
}

void keeper_fini(struct keeper *k)
{
	for (size_t i = 0; i < k->count; i++)
		free(k->items[i]);
	free(k->items);
}

void text_init(struct text *t)
{
	t->stream = open_memstream(&t->memory, &t->size);
	bug_if(!t->stream, "out of memory");
}

char *text_done(struct text *t, struct keeper *k)
{
	bug_if(fclose(t->stream), "out of memory");
	return keep(k, t->memory);
}

/* -- measured -- */

/* Advance widths of DejaVu Sans 2.37 (Debian's fonts-dejavu-core), in thousandths of its size, from the blank
 * to the tilde. */
static const uint16_t widths[95] = { 318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,
	318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684,
	686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732,
	684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278,
	278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636,
	838 };

double text_width(const char *text, double size)
{
	double width = 0;

	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c >= 32 && *c < 127)
			width += widths[*c - 32];
		else if (*c < 0x80 || *c >= 0xc0) /* not the later bytes of a letter */
			width += 1000;
	return width * size / 1000;
}

char *text_fit(struct keeper *k, const char *text, double size, double width)
{
	char *cut = keep_copy(k, text);
	size_t length = strlen(cut);

	if (text_width(cut, size) <= width)
		return cut;
	while (length && text_width(cut, size) + text_width("…", size) > width) {
		do
			length--;
		while (length && ((unsigned char)cut[length] & 0xc0) == 0x80);
		cut[length] = 0;
	}
	return keep_print(k, "%s…", cut);
}

/* -- numbers -- */

char *number_short(struct keeper *k, double value)
{
	double size = fabs(value);

	if (isnan(value))
		return keep_copy(k, "");
	if (value == floor(value) && size < 1e7)
		return keep_print(k, "%.0f", value);
	if (size >= 1e4 && size < 1e7)
		return keep_print(k, "%.0f", value);
	if (size >= 1e-3 && size < 1e4) /* with its zeros: a column of numbers reads better */
		return keep_print(k, "%.*f",
			size >= 1000          ? 0
				: size >= 100 ? 1
				: size >= 10  ? 2
				: size >= 0.1 ? 3
					      : 4,
			value);
	return keep_print(k, "%.3e", value);
}

char *number_exact(struct keeper *k, double value)
{
	char text[64];

	if (isnan(value))
		return keep_copy(k, "");
	if (value == floor(value) && fabs(value) < 9007199254740992.0)
		return keep_print(k, "%.0f", value);
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return keep_copy(k, text);
}

/* -- escaped -- */

size_t text_character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t length = utf8_length(c, c + strnlen(text, 4));
	bool is_control = (*c < 32 && *c != '\n' && *c != '\t') || *c == 127;

	return is_control || (length == 3 && memcmp(c, "\xef\xbf\xbe", 3) >= 0) ? 0 : length;
}

void print_xml(FILE *to, const char *text)
{
	static const char special[] = "&<>\"";
	static const char *const written[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
	size_t length;

	for (; *text; text += length ? length : 1) {
		const char *found = strchr(special, *text);

		length = text_character(text);
		if (found)
			fputs(written[found - special], to);
		else if (length)
			fwrite(text, 1, length, to);
		else
			fputc('?', to);
	}
}

void print_latex(FILE *to, const char *text)
{
	for (; *text; text++)
		if (strchr("&%$#_{}", *text))
			fprintf(to, "\\%c", *text);
		else if (*text == '\\')
			fputs("\\textbackslash{}", to);
		else if (*text == '~' || *text == '^')
			fprintf(to, "\\%c{}", *text);
		else if (*text == '<' || *text == '>' || *text == '|')
			fprintf(to, "$%c$", *text);
		else if (*text == '[') /* at the start of a row it would belong to the \\\\ before */
			fputs("{[}", to);
		else
			fputc(*text == '\n' ? ' ' : *text, to);
}

/* In quotes, of which those in the text are written as inner. In its SVG gnuplot writes > as it is, and ]]>
 * may not stand there. */
static void print_escaped(FILE *to, char quote, const char *inner, const char *text)
{
	size_t length;

	fputc(quote, to);
	for (; *text; text += length ? length : 1) {
		length = text_character(text);
		if (strncmp(text, "]]>", 3) == 0) {
			fputs("]] >", to);
			length = 3;
		} else if (*text == quote)
			fputs(inner, to);
		else if (length && *text != '\n' && *text != '\t')
			fwrite(text, 1, length, to);
		else
			fputc(' ', to);
	}
	fputc(quote, to);
}

void print_gnuplot(FILE *to, const char *text)
{
	print_escaped(to, '\'', "''", text);
}

void print_data(FILE *to, const char *text)
{
	print_escaped(to, '"', "'", text);
}

/* A cell ends at |, a line break would end the table, and nothing in it is markup or a link. */
void print_markdown(FILE *to, const char *text)
{
	for (; *text; text++)
		if (strchr("|\\<*`[]", *text))
			fprintf(to, "\\%c", *text);
		else
			fputc(*text == '\n' ? ' ' : *text, to);
}

char *text_stem(struct keeper *k, const char *text)
{
	char *stem = keep_copy(k, text), *to = stem;

	for (; *text; text++)
		if (isalnum((unsigned char)*text))
			*to++ = *text;
		else if (to > stem && to[-1] != '-')
			*to++ = '-';
	while (to > stem && to[-1] == '-')
		to--;
	*to = 0;
	return stem;
}
