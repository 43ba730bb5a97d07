/* experiment/formula.c -- cuts names out of a formula and lets SQLite compute the rest. */
#include "experiment/formula.h"
#include "sim/xalloc.h"
#include <ctype.h>
#include <math.h>

struct cutter {
	struct formula *formula;
	const char *const *derived;
	FILE *sql;
	bool after_base, after_number; /* base( was met: the next name is the baseline's */
};

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

/* Length of a name: letters, digits, _, dots between, and :: with an element behind it (which may begin with a digit). */
static size_t name_length(const char *text)
{
	size_t n = 0;

	for (;;) {
		if (isalnum((unsigned char)text[n]) || text[n] == '_')
			n++;
		else if (text[n] == '.' && begins_name(text[n + 1]))
			n++;
		else if (text[n] == ':' && text[n + 1] == ':' && (isalnum((unsigned char)text[n + 2]) || text[n + 2] == '_'))
			n += 2;
		else
			return n;
	}
}

static bool is_derived(const struct cutter *c, const char *name)
{
	for (size_t i = 0; c->derived && c->derived[i]; i++)
		if (!strcmp(c->derived[i], name))
			return true;
	return false;
}

static size_t name_index(struct cutter *c, const char *name)
{
	struct formula *f = c->formula;

	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->names[i].text, name) && f->names[i].of_baseline == c->after_base)
			return i;
	f->names = xrealloc(f->names, (f->count + 1) * sizeof(*f->names));
	f->names[f->count] = (struct formula_name){ xstrdup(name), c->after_base };
	return f->count++;
}

/* base( NAME ): moves past the parenthesis that opens. */
static const char *take_base(struct cutter *c, const char *text)
{
	const char *open = text + 4 + strspn(text + 4, " \t");

	if (strncmp(text, "base", 4) || name_length(text) != 4 || *open != '(')
		return NULL;
	c->after_base = true;
	fputc('(', c->sql);
	return open + 1;
}

static const char *take_name(struct cutter *c, const char *text)
{
	size_t length = name_length(text);
	char *name = strndup(text, length);
	const char *next = text + length + strspn(text + length, " \t");

	bug_if(!name, "out of memory");
	if (strpbrk(name, ".:") || is_derived(c, name)) {
		fprintf(c->sql, "?%zu", name_index(c, name) + 1);
		c->after_base = false;
	} else {
		fputs(name, c->sql); /* a function, a word of SQL, or what SQLite will refuse */
		c->after_base &= *next == '(';
	}
	free(name);
	return text + length;
}

/* A number, as a real one, so that 1/2 is a half. */
static const char *take_number(struct cutter *c, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	fprintf(c->sql, "%.17g%s", value, value == floor(value) && fabs(value) < 1e15 ? ".0" : "");
	return end;
}

static void cut(struct cutter *c, const char *text)
{
	const char *behind;

	fputs("SELECT (", c->sql);
	while (*text) {
		if ((behind = take_base(c, text)))
			text = behind;
		else if (begins_name(*text))
			text = take_name(c, text);
		else if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1])))
			text = take_number(c, text);
		else
			fputc(*text++, c->sql);
	}
	fputs(") + 0.0", c->sql);
}

bool formula_parse(struct formula *f, sqlite3 *db, const char *text, const char *const *derived, char *message, size_t size)
{
	struct cutter c = { .formula = f, .derived = derived };
	const char *behind = NULL;
	size_t length;
	char *sql;
	bool fine;

	*f = (struct formula){ 0 };
	if (strpbrk(text, ";?@$\"'[")) {
		snprintf(message, size, "a formula has no %c", *strpbrk(text, ";?@$\"'["));
		return false;
	}
	c.sql = open_memstream(&sql, &length);
	bug_if(!c.sql, "out of memory");
	cut(&c, text);
	fclose(c.sql);
	fine = sqlite3_prepare_v2(db, sql, -1, &f->statement, &behind) == SQLITE_OK && !*behind;
	if (!fine)
		snprintf(message, size, "%s", sqlite3_errmsg(db));
	free(sql);
	if (!fine)
		formula_free(f);
	return fine;
}

void formula_free(struct formula *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->names[i].text);
	free(f->names);
	sqlite3_finalize(f->statement);
	*f = (struct formula){ 0 };
}

double formula_value(struct formula *f, const double *values)
{
	double value = NAN;

	for (size_t i = 0; i < f->count; i++)
		if (isnan(values[i]))
			return NAN;
	for (size_t i = 0; i < f->count; i++)
		sqlite3_bind_double(f->statement, (int)i + 1, values[i]);
	if (sqlite3_step(f->statement) == SQLITE_ROW && sqlite3_column_type(f->statement, 0) != SQLITE_NULL)
		value = sqlite3_column_double(f->statement, 0);
	sqlite3_reset(f->statement);
	return isfinite(value) ? value : NAN;
}
