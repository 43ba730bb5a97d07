/* graph_file.h -- graphs from files (part of graph.h). Every line is looked at; the first one that is wrong
 * ends the program with the name of the file, the line's number and what was expected.
 *
 *   *.gr   DIMACS shortest paths (9th DIMACS Implementation Challenge): "p sp NODES EDGES", then a line
 *          "a FROM TO WEIGHT" for each edge; lines that begin with c are comments
 *   *.mtx  Matrix Market, coordinate format (Boisvert, Pozo and Remington, NISTIR 5935): a square matrix,
 *          general or symmetric; an entry in row i and column j is an edge from i to j, in a symmetric matrix
 *          one back as well. Its value is the weight, a real one rounded to the nearest whole number; in a
 *          pattern all weights are 1
 *
 * Nodes are counted from 1 in both, from 0 in struct graph. Weights are 0 to 2^31 - 1, edges below 2^31. */
#ifndef GRAPH_FILE_H
#define GRAPH_FILE_H

#include "bench.h"
#include <strings.h>

enum { GRAPH_FILE_MOST = INT32_MAX };

/* A file that is being read, and the edges so far. */
struct graph_file {
	const char *path;
	FILE *file;
	char *line; /* the current one, without its end */
	size_t room;
	unsigned long number;      /* the current line's, from 1 */
	uint64_t nodes, lines_due; /* as the header says: lines of edges */
	uint64_t lines_read;
	int32_t *from, *to, *weight; /* edges, with nodes from 0 */
	size_t edges;
};

/* Complains of the current line, as printf does, and ends the program. */
__attribute__((format(printf, 2, 3), noreturn)) static inline void graph_file_wrong(
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
static inline bool graph_file_line(struct graph_file *f)
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
		graph_file_wrong(f, "a zero byte: this is no text");
	while (length && strchr(" \t\r\n", f->line[length - 1]))
		f->line[--length] = '\0';
	return true;
}

/* The next word of the line at *at, which moves behind it; empty: there is none. word has room for 40
 * characters. */
static inline void graph_file_word(const struct graph_file *f, const char **at, char *word)
{
	size_t n;

	*at += strspn(*at, " \t");
	n = strcspn(*at, " \t");
	if (n >= 40)
		graph_file_wrong(f, "a word of %zu characters", n);
	snprintf(word, 40, "%.*s", (int)n, *at);
	*at += n;
}

/* A whole number from least to most at *at, which moves behind it. */
static inline int64_t graph_file_number(
	const struct graph_file *f, const char **at, const char *what, int64_t least, int64_t most)
{
	char word[40], *end;
	long long value;

	graph_file_word(f, at, word);
	errno = 0;
	value = strtoll(word, &end, 10);
	if (!*word)
		graph_file_wrong(f, "the %s is missing", what);
	if (*end || end == word)
		graph_file_wrong(f, "the %s is \"%s\": expected a whole number", what, word);
	if (errno || value < least || value > most)
		graph_file_wrong(f, "the %s is %s: expected %lld to %lld", what, word, (long long)least,
			(long long)most);
	return value;
}

/* A real number at *at, rounded, as a weight. */
static inline int32_t graph_file_real(const struct graph_file *f, const char **at)
{
	char word[40], *end;
	double value;

	graph_file_word(f, at, word);
	value = strtod(word, &end);
	if (!*word)
		graph_file_wrong(f, "the weight is missing");
	if (word[strspn(word, "+-.0123456789eE")] || *end || !isfinite(value))
		graph_file_wrong(f, "the weight is \"%s\": expected a number", word);
	if (value < 0 || value > GRAPH_FILE_MOST)
		graph_file_wrong(f, "the weight is %s: expected 0 to %d", word, GRAPH_FILE_MOST);
	return (int32_t)floor(value + 0.5 > GRAPH_FILE_MOST ? GRAPH_FILE_MOST : value + 0.5);
}

/* Nothing may follow on the line. */
static inline void graph_file_end(const struct graph_file *f, const char *at)
{
	char word[40];

	graph_file_word(f, &at, word);
	if (*word)
		graph_file_wrong(f, "\"%s\" is too much on this line", word);
}

/* Appends an edge; from and to count from 1. */
static inline void graph_file_edge(struct graph_file *f, int64_t from, int64_t to, int32_t weight)
{
	if (f->edges == GRAPH_FILE_MOST)
		graph_file_wrong(f, "this makes more than %d edges", GRAPH_FILE_MOST);
	f->from = (int32_t *)bench_room(f->from, f->edges, sizeof *f->from);
	f->to = (int32_t *)bench_room(f->to, f->edges, sizeof *f->to);
	f->weight = (int32_t *)bench_room(f->weight, f->edges, sizeof *f->weight);
	f->from[f->edges] = (int32_t)(from - 1);
	f->to[f->edges] = (int32_t)(to - 1);
	f->weight[f->edges++] = weight;
}

/* One more line of edges: not more than the header says. */
static inline void graph_file_count(struct graph_file *f)
{
	if (f->lines_read++ == f->lines_due)
		graph_file_wrong(
			f, "more edges than the %llu of the header", (unsigned long long)f->lines_due);
}

/* The end of the file: not fewer either. */
static inline void graph_file_complete(const struct graph_file *f)
{
	if (f->lines_read < f->lines_due)
		graph_file_wrong(f, "the file ends after %llu of the %llu edges of the header",
			(unsigned long long)f->lines_read, (unsigned long long)f->lines_due);
}

/* -- DIMACS -- */

static inline void graph_file_dimacs_header(struct graph_file *f, const char *at)
{
	char word[40];

	if (f->nodes)
		graph_file_wrong(f, "a second header");
	graph_file_word(f, &at, word);
	if (strcmp(word, "sp"))
		graph_file_wrong(f, "the problem is \"%s\": expected \"p sp NODES EDGES\"", word);
	f->nodes = (uint64_t)graph_file_number(f, &at, "number of nodes", 1, GRAPH_FILE_MOST - 1);
	f->lines_due = (uint64_t)graph_file_number(f, &at, "number of edges", 0, GRAPH_FILE_MOST);
	graph_file_end(f, at);
}

static inline void graph_file_dimacs(struct graph_file *f)
{
	while (graph_file_line(f)) {
		const char *at = f->line;
		char word[40];

		graph_file_word(f, &at, word);
		if (!*word || !strcmp(word, "c"))
			continue;
		if (!strcmp(word, "p")) {
			graph_file_dimacs_header(f, at);
			continue;
		}
		if (strcmp(word, "a"))
			graph_file_wrong(f, "\"%s\": expected a line that begins with c, p or a", word);
		if (!f->nodes)
			graph_file_wrong(f, "an edge before the header \"p sp NODES EDGES\"");
		graph_file_count(f);
		int64_t from = graph_file_number(f, &at, "first node", 1, (int64_t)f->nodes);
		int64_t to = graph_file_number(f, &at, "second node", 1, (int64_t)f->nodes);
		int64_t weight = graph_file_number(f, &at, "weight", 0, GRAPH_FILE_MOST);
		graph_file_end(f, at);
		graph_file_edge(f, from, to, (int32_t)weight);
	}
	if (!f->nodes)
		graph_file_wrong(f, "the file ends without a header \"p sp NODES EDGES\"");
	graph_file_complete(f);
}

/* -- Matrix Market -- */

enum graph_file_field { GRAPH_FILE_PATTERN, GRAPH_FILE_INTEGER, GRAPH_FILE_REAL };

/* The index of the next word of the header in the n words, upper case and lower case alike. */
static inline unsigned graph_file_which(
	const struct graph_file *f, const char **at, const char *what, const char *const *words, unsigned n)
{
	char word[40];

	graph_file_word(f, at, word);
	for (unsigned i = 0; i < n; i++)
		if (!strcasecmp(word, words[i]))
			return i;
	graph_file_wrong(f, "the %s is \"%s\": expected %s%s%s%s%s", what, word, words[0], n > 2 ? ", " : "",
		n > 2 ? words[1] : "", n > 1 ? " or " : "", n > 1 ? words[n - 1] : "");
}

/* The first line: what the entries are, and whether the matrix is symmetric. */
static inline enum graph_file_field graph_file_banner(struct graph_file *f, bool *symmetric)
{
	static const char *const banner[] = { "%%MatrixMarket" }, *const object[] = { "matrix" };
	static const char *const format[] = { "coordinate" },
				 *const field[] = { "pattern", "integer", "real" };
	static const char *const symmetry[] = { "general", "symmetric" };
	const char *at;
	unsigned kind;

	if (!graph_file_line(f))
		graph_file_wrong(f, "the file is empty");
	at = f->line;
	graph_file_which(f, &at, "first word", banner, 1);
	graph_file_which(f, &at, "object", object, 1);
	graph_file_which(f, &at, "format", format, 1);
	kind = graph_file_which(f, &at, "field", field, 3);
	*symmetric = graph_file_which(f, &at, "symmetry", symmetry, 2) == 1;
	graph_file_end(f, at);
	return (enum graph_file_field)kind;
}

/* The next line that is neither empty nor a comment. */
static inline bool graph_file_entry(struct graph_file *f)
{
	while (graph_file_line(f))
		if (*f->line && *f->line != '%')
			return true;
	return false;
}

static inline void graph_file_matrix(struct graph_file *f)
{
	bool symmetric;
	enum graph_file_field field = graph_file_banner(f, &symmetric);
	const char *at;

	if (!graph_file_entry(f))
		graph_file_wrong(f, "the file ends without a line \"ROWS COLUMNS ENTRIES\"");
	at = f->line;
	f->nodes = (uint64_t)graph_file_number(f, &at, "number of rows", 1, GRAPH_FILE_MOST - 1);
	if ((uint64_t)graph_file_number(f, &at, "number of columns", 1, GRAPH_FILE_MOST - 1) != f->nodes)
		graph_file_wrong(f, "a graph is a square matrix");
	f->lines_due = (uint64_t)graph_file_number(f, &at, "number of entries", 0, GRAPH_FILE_MOST);
	graph_file_end(f, at);
	while (graph_file_entry(f)) {
		at = f->line;
		graph_file_count(f);
		int64_t row = graph_file_number(f, &at, "row", 1, (int64_t)f->nodes);
		int64_t column = graph_file_number(f, &at, "column", 1, (int64_t)f->nodes);
		int32_t weight = 1;
		if (field == GRAPH_FILE_INTEGER)
			weight = (int32_t)graph_file_number(f, &at, "weight", 0, GRAPH_FILE_MOST);
		else if (field == GRAPH_FILE_REAL)
			weight = graph_file_real(f, &at);
		graph_file_end(f, at);
		if (symmetric && column > row)
			graph_file_wrong(f,
				"column %lld of row %lld is above the diagonal of a symmetric matrix",
				(long long)column, (long long)row);
		graph_file_edge(f, row, column, weight);
		if (symmetric && row != column)
			graph_file_edge(f, column, row, weight);
	}
	graph_file_complete(f);
}

/* Reads the file at path, whose name ends in .gr or .mtx. The caller frees from, to and weight. */
static inline void graph_file_read(struct graph_file *f, const char *path)
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
		graph_file_matrix(f);
	else
		graph_file_dimacs(f);
	fclose(f->file);
	free(f->line);
}

#endif
