/* experiment/sweep/derived/formula.c -- takes a formula to pieces that it knows, names among them, and lets
 * SQLite compute.
 */
#include "experiment/sweep/derived/formula.h"
#include "sim/base/xalloc.h"
#include <ctype.h>
#include <math.h>

const char *const formula_words[] = { "abs", "ceil", "exp", "floor", "iif", "ln", "log", "log2", "max", "min",
	"mod", "nullif", "pow", "round", "sign", "sqrt", "case", "when", "then", "else", "end", "and", "or",
	"not", "is", "null", NULL };

struct cutter {
	struct formula *formula;
	const char *const *derived;
	FILE *sql;
	size_t depth, base; /* open parentheses; base: how many were open before the one of base(, plus 1; 0:
			       outside of it */
	char *message;      /* of size; empty: fine so far */
	size_t size;
};

#define refuse(c, ...) snprintf((c)->message, (c)->size, __VA_ARGS__)

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind ::, where a range of a histogram may stand: 2-3. */
static size_t element_length(const char *text)
{
	size_t first = strspn(text, "0123456789"),
	       second = first && text[first] == '-' ? strspn(text + first + 1, "0123456789") : 0, n = 0;

	if (second && !is_in_name(text[first + 1 + second]))
		return first + 1 + second;
	while (is_in_name(text[n]))
		n++;
	return n;
}

/* Length of a name: letters, digits, _, dots between, and :: with an element behind it. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	for (;;) {
		if (is_in_name(text[n]))
			n++;
		else if (text[n] == '.' && begins_name(text[n + 1]))
			n++;
		else if (text[n] == ':' && text[n + 1] == ':' && is_in_name(text[n + 2]))
			return n + 2 + element_length(text + n + 2);
		else
			return n;
	}
}

static bool is_name_listed(const char *const *names, const char *name)
{
	for (size_t i = 0; names && names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static size_t name_index(struct cutter *c, const char *name, bool is_parameter)
{
	struct formula *f = c->formula;

	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->names[i].text, name) && f->names[i].of_baseline == (c->base > 0) &&
			f->names[i].is_parameter == is_parameter)
			return i;
	f->names = xrealloc(f->names, (f->count + 1) * sizeof(*f->names));
	f->names[f->count] = (struct formula_name){ xstrdup(name), c->base > 0, is_parameter };
	return f->count++;
}

static void refuse_name(struct cutter *c, const char *name)
{
	const char *nearest = NULL;
	size_t words = 0, derived = 0;

	while (c->derived && c->derived[derived])
		derived++;
	while (formula_words[words])
		words++;
	if (derived)
		nearest = diag_nearest(name, c->derived, derived);
	if (!nearest)
		nearest = diag_nearest(name, formula_words, words);
	refuse(c,
		"%.100s is no statistic (those have a dot), no value derived before this one, and no "
		"function%s%s%s",
		name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* base( ... ): from here to where its parenthesis closes, names are the baseline's. */
static void take_base(struct cutter *c, const char *behind)
{
	if (behind[strspn(behind, " \t")] != '(')
		refuse(c, "base is followed by parentheses, as in base(gpu.cycles)");
	else if (c->base)
		refuse(c, "base() within base(): the baseline has none of its own");
	else
		c->base = c->depth + 1;
}

/* parameter(sm.l1d.ways), whole; behind: what follows the word. */
static const char *take_parameter(struct cutter *c, const char *behind)
{
	const char *name = behind + strspn(behind, " \t"), *end;
	char *path;

	name += *name == '(';
	name += strspn(name, " \t");
	end = name + name_length(name);
	path = strndup(name, (size_t)(end - name));
	bug_if(!path, "out of memory");
	end += strspn(end, " \t");
	if (*path && behind[strspn(behind, " \t")] == '(' && *end == ')')
		fprintf(c->sql, "?%zu ", name_index(c, path, true) + 1);
	else
		refuse(c, "parameter is followed by a path in parentheses, as in parameter(sm.l1d.ways)");
	free(path);
	return end + (*end == ')');
}

static const char *take_name(struct cutter *c, const char *text)
{
	size_t length = name_length(text);
	char *name = strndup(text, length);
	const char *end = text + length;

	bug_if(!name, "out of memory");
	if (strpbrk(name, ".:") || is_name_listed(c->derived, name))
		fprintf(c->sql, "?%zu ", name_index(c, name, false) + 1);
	else if (is_name_listed(formula_words, name))
		fprintf(c->sql, "%s ", name);
	else if (!strcmp(name, "base"))
		take_base(c, text + length);
	else if (!strcmp(name, "parameter"))
		end = take_parameter(c, text + length);
	else
		refuse_name(c, name);
	free(name);
	return end;
}

/* A number, as a real one. */
static const char *take_formula_number(struct cutter *c, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (!isfinite(value) || is_in_name(*end) || *end == '.')
		refuse(c, "no number: %.*s", (int)strcspn(text, " \t()+-*/,<>=!"), text);
	fprintf(c->sql, "%.16e ", value);
	return end;
}

/* How deep SQLite itself lets them be differs from version to version. */
#define DEEPEST 20

static const char *take_parenthesis(struct cutter *c, const char *text)
{
	c->depth += *text == '(';
	if (*text == ')' && !c->depth)
		refuse(c, "a parenthesis closes that was not opened");
	else if (*text == ')' && c->base == c->depth--)
		c->base = 0;
	else if (c->depth > DEEPEST)
		refuse(c, "more than %d parentheses are open", DEEPEST);
	fputc(*text, c->sql);
	return text + 1;
}

/* A blank behind each operator: so none becomes a comment of SQL. */
static const char *take_operator(struct cutter *c, const char *text)
{
	static const char *const of_two[] = { "<=", ">=", "<>", "!=", "==" };

	for (size_t i = 0; i < sizeof(of_two) / sizeof(*of_two); i++) {
		if (strncmp(text, of_two[i], 2))
			continue;
		fprintf(c->sql, "%s ", of_two[i]);
		return text + 2;
	}
	if (!strchr("+-*/,<>=", *text))
		refuse(c,
			isprint((unsigned char)*text) ? "a formula has no %c"
						      : "a formula has no character of code %u",
			(unsigned char)*text);
	fprintf(c->sql, "%c ", *text);
	return text + 1;
}

/* Hands on what formulas are made of; whatever else there is is refused. */
static void compile_formula(struct cutter *c, const char *text)
{
	fputs("SELECT (", c->sql);
	while (*text && !*c->message) {
		if (*text == ' ' || *text == '\t')
			text++;
		else if (begins_name(*text))
			text = take_name(c, text);
		else if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1])))
			text = take_formula_number(c, text);
		else if (*text == '(' || *text == ')')
			text = take_parenthesis(c, text);
		else
			text = take_operator(c, text);
	}
	fputs(") + 0.0", c->sql);
	if (c->depth && !*c->message)
		refuse(c, "a parenthesis is not closed");
}

bool formula_parse(struct formula *f, sqlite3 *db, const char *text, const char *const *derived,
	char *message, size_t size)
{
	struct cutter c = { .formula = f, .derived = derived, .message = message, .size = size };
	size_t length;
	char *sql;

	*f = (struct formula){ 0 };
	*message = 0;
	c.sql = open_memstream(&sql, &length);
	bug_if(!c.sql, "out of memory");
	compile_formula(&c, text);
	fclose(c.sql);
	if (!*message && sqlite3_prepare_v2(db, sql, -1, &f->statement, NULL) != SQLITE_OK)
		snprintf(message, size, "no formula: %s", sqlite3_errmsg(db));
	free(sql);
	if (*message)
		formula_free(f);
	return !*message;
}

bool formula_can_name(const char *name)
{
	return begins_name(*name) &&
		!name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] &&
		strcmp(name, "base") && strcmp(name, "parameter") && !is_name_listed(formula_words, name);
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
