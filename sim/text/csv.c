/* sim/text/csv.c -- fields of CSV. */
#include "sim/text/csv.h"
#include <stdbool.h>
#include <string.h>

static const char digits[] = "0123456789", formula[] = "=+-@\t\r";

static bool is_number(const char *text)
{
	size_t count;

	text += *text == '+' || *text == '-';
	count = strspn(text, digits);
	text += count;
	if (*text == '.') {
		count += strspn(text + 1, digits);
		text += 1 + strspn(text + 1, digits);
	}
	if (count && (*text == 'e' || *text == 'E') && text[1 + strspn(text + 1, "+-")]) {
		text += 1 + (text[1] == '+' || text[1] == '-');
		text += strspn(text, digits);
	}
	return count && !*text;
}

static bool is_formula(const char *text)
{
	return *text && strchr(formula, *text) && !is_number(text);
}

void csv_put(FILE *to, const char *text)
{
	const char *mark = is_formula(text) ? "'" : "";

	if (!text[strcspn(text, ",\"\n\r")]) {
		fprintf(to, "%s%s", mark, text);
		return;
	}
	fprintf(to, "\"%s", mark);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[]){ *text, 0 }, to);
	fputc('"', to);
}

const char *csv_text(const char *field)
{
	return field + (*field == '\'' && is_formula(field + 1));
}
