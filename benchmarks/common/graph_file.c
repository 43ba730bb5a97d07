/* graph_file.c -- reads graphs, line by line. */
#include "graph_file.h"
#include <strings.h>

/* Complains of the current line, as printf does, and ends the program. */
__attribute__((format(printf, 2, 3), noreturn)) static void wrong(
	const struct graph_file *f, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%lu: ", f->path, f->number);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* The next line, without blanks at its end; false: there is none. */
static bool next_line(struct graph_file *f)
{
	ssize_t length;

	errno = 0;
	length = getline(&f->line, &f->room, f->file);
	f->number++;
	if (length < 0 && (ferror(f->file) || errno))
		bench_die("%s: %s", f->path, strerror(errno));
	if (length < 0)
		return false;
	if (strlen(f->line) != (size_t)length)
		wrong(f, "a zero byte: this is no text");
	while (length && strchr(" \t\r\n", f->line[length - 1]))
		f->line[--length] = '\0';
	return true;
}

/* The next word of the line at *at, which moves behind it; empty: there is none. word has room for 40
 * characters. */
static void next_word(const struct graph_file *f, const char **at, char *word)
{
	size_t n;

	*at += strspn(*at, " \t");
	n = strcspn(*at, " \t");
	if (n >= 40)
		wrong(f, "a word of %zu characters", n);
	snprintf(word, 40, "%.*s", (int)n, *at);
	*at += n;
}

/* A whole number from least to most at *at, which moves behind it. */
static int64_t number(
	const struct graph_file *f, const char **at, const char *what, int64_t least, int64_t most)
{
	char word[40], *end;
	long long value;

	next_word(f, at, word);
	errno = 0;
	value = strtoll(word, &end, 10);
	if (!*word)
		wrong(f, "the %s is missing", what);
	if (*end || end == word)
		wrong(f, "the %s is \"%s\": expected a whole number", what, word);
	if (errno || value < least || value > most)
		wrong(f, "the %s is %s: expected %lld to %lld", what, word, (long long)least,
			(long long)most);
	return value;
}

/* A real number at *at, rounded, as a weight. */
static int32_t real(const struct graph_file *f, const char **at)
{
	char word[40], *end;
	double value;

	next_word(f, at, word);
	value = strtod(word, &end);
	if (!*word)
		wrong(f, "the weight is missing");
	if (word[strspn(word, "+-.0123456789eE")] || *end || !isfinite(value))
		wrong(f, "the weight is \"%s\": expected a number", word);
	if (value < 0 || value > GRAPH_FILE_MOST)
		wrong(f, "the weight is %s: expected 0 to %d", word, GRAPH_FILE_MOST);
	return (int32_t)floor(value + 0.5 > GRAPH_FILE_MOST ? GRAPH_FILE_MOST : value + 0.5);
}

/* Nothing may follow on the line. */
static void expect_end(const struct graph_file *f, const char *at)
{
	char word[40];

	next_word(f, &at, word);
	if (*word)
		wrong(f, "\"%s\" is too much on this line", word);
}

/* Appends an edge; from and to count from 1. */
static void edge(struct graph_file *f, int64_t from, int64_t to, int32_t weight)
{
	if (f->edges == GRAPH_FILE_MOST)
		wrong(f, "this makes more than %d edges", GRAPH_FILE_MOST);
	f->from = bench_room(f->from, f->edges, sizeof *f->from);
	f->to = bench_room(f->to, f->edges, sizeof *f->to);
	f->weight = bench_room(f->weight, f->edges, sizeof *f->weight);
	f->from[f->edges] = (int32_t)(from - 1);
	f->to[f->edges] = (int32_t)(to - 1);
	f->weight[f->edges++] = weight;
}

/* One more line of edges: not more than the header says. */
static void count(struct graph_file *f)
{
	if (f->lines_read++ == f->lines_due)
		wrong(f, "more edges than the %llu of the header", (unsigned long long)f->lines_due);
}

/* The end of the file: not fewer either. */
static void complete(const struct graph_file *f)
{
	if (f->lines_read < f->lines_due)
		wrong(f, "the file ends after %llu of the %llu edges of the header",
			(unsigned long long)f->lines_read, (unsigned long long)f->lines_due);
}

/* -- DIMACS -- */

static void graph_file_dimacs_header(struct graph_file *f, const char *at)
{
	char word[40];

	if (f->nodes)
		wrong(f, "a second header");
	next_word(f, &at, word);
	if (strcmp(word, "sp"))
		wrong(f, "the problem is \"%s\": expected \"p sp NODES EDGES\"", word);
	f->nodes = (uint64_t)number(f, &at, "number of nodes", 1, GRAPH_FILE_MOST - 1);
	f->lines_due = (uint64_t)number(f, &at, "number of edges", 0, GRAPH_FILE_MOST);
	expect_end(f, at);
}

static void read_dimacs(struct graph_file *f)
{
	while (next_line(f)) {
		const char *at = f->line;
		char word[40];

		next_word(f, &at, word);
		if (!*word || !strcmp(word, "c"))
			continue;
		if (!strcmp(word, "p")) {
			graph_file_dimacs_header(f, at);
			continue;
		}
		if (strcmp(word, "a"))
			wrong(f, "\"%s\": expected a line that begins with c, p or a", word);
		if (!f->nodes)
			wrong(f, "an edge before the header \"p sp NODES EDGES\"");
		count(f);
		int64_t from = number(f, &at, "first node", 1, (int64_t)f->nodes);
		int64_t to = number(f, &at, "second node", 1, (int64_t)f->nodes);
		int64_t weight = number(f, &at, "weight", 0, GRAPH_FILE_MOST);
		expect_end(f, at);
		edge(f, from, to, (int32_t)weight);
	}
	if (!f->nodes)
		wrong(f, "the file ends without a header \"p sp NODES EDGES\"");
	complete(f);
}

/* -- Matrix Market -- */

enum graph_file_field { GRAPH_FILE_PATTERN, GRAPH_FILE_INTEGER, GRAPH_FILE_REAL };

/* The index of the next word of the header in the n words, upper case and lower case alike. */
static unsigned which(
	const struct graph_file *f, const char **at, const char *what, const char *const *words, unsigned n)
{
	char word[40];

	next_word(f, at, word);
	for (unsigned i = 0; i < n; i++)
		if (!strcasecmp(word, words[i]))
			return i;
	wrong(f, "the %s is \"%s\": expected %s%s%s%s%s", what, word, words[0], n > 2 ? ", " : "",
		n > 2 ? words[1] : "", n > 1 ? " or " : "", n > 1 ? words[n - 1] : "");
}

/* The first line: what the entries are, and whether the matrix is symmetric. */
static enum graph_file_field banner(struct graph_file *f, bool *symmetric)
{
	static const char *const banner[] = { "%%MatrixMarket" }, *const object[] = { "matrix" };
	static const char *const format[] = { "coordinate" },
				 *const field[] = { "pattern", "integer", "real" };
	static const char *const symmetry[] = { "general", "symmetric" };
	const char *at;
	unsigned kind;

	if (!next_line(f))
		wrong(f, "the file is empty");
	at = f->line;
	which(f, &at, "first word", banner, 1);
	which(f, &at, "object", object, 1);
	which(f, &at, "format", format, 1);
	kind = which(f, &at, "field", field, 3);
	*symmetric = which(f, &at, "symmetry", symmetry, 2) == 1;
	expect_end(f, at);
	return (enum graph_file_field)kind;
}

/* The next line that is neither empty nor a comment. */
static bool entry(struct graph_file *f)
{
	while (next_line(f))
		if (*f->line && *f->line != '%')
			return true;
	return false;
}

static void read_matrix(struct graph_file *f)
{
	bool symmetric;
	enum graph_file_field field = banner(f, &symmetric);
	const char *at;

	if (!entry(f))
		wrong(f, "the file ends without a line \"ROWS COLUMNS ENTRIES\"");
	at = f->line;
	f->nodes = (uint64_t)number(f, &at, "number of rows", 1, GRAPH_FILE_MOST - 1);
	if ((uint64_t)number(f, &at, "number of columns", 1, GRAPH_FILE_MOST - 1) != f->nodes)
		wrong(f, "a graph is a square matrix");
	f->lines_due = (uint64_t)number(f, &at, "number of entries", 0, GRAPH_FILE_MOST);
	expect_end(f, at);
	while (entry(f)) {
		at = f->line;
		count(f);
		int64_t row = number(f, &at, "row", 1, (int64_t)f->nodes);
		int64_t column = number(f, &at, "column", 1, (int64_t)f->nodes);
		int32_t weight = 1;
		if (field == GRAPH_FILE_INTEGER)
			weight = (int32_t)number(f, &at, "weight", 0, GRAPH_FILE_MOST);
		else if (field == GRAPH_FILE_REAL)
			weight = real(f, &at);
		expect_end(f, at);
		if (symmetric && column > row)
			wrong(f, "column %lld of row %lld is above the diagonal of a symmetric matrix",
				(long long)column, (long long)row);
		edge(f, row, column, weight);
		if (symmetric && row != column)
			edge(f, column, row, weight);
	}
	complete(f);
}

void graph_file_read(struct graph_file *f, const char *path)
{
	size_t length = strlen(path);
	bool matrix = length > 4 && !strcmp(path + length - 4, ".mtx");

	*f = (struct graph_file){ .path = path };
	if (!matrix && (length <= 3 || strcmp(path + length - 3, ".gr")))
		bench_die(
			"%s: a graph is uniform, rmat, grid or a file *.gr (DIMACS) or *.mtx (Matrix Market)",
			path);
	f->file = fopen(path, "r");
	if (!f->file)
		bench_die("%s: %s", path, strerror(errno));
	if (matrix)
		read_matrix(f);
	else
		read_dimacs(f);
	fclose(f->file);
	free(f->line);
}
