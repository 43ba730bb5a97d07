/* experiment/runs/stats_file.c -- reads what host/output/session_output.c and sim/stats/stat_print.c write.
 * The text is cut up in place: ends of names, values, descriptions and units become zero bytes. */
#include "experiment/runs/stats_line.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/stat.h>

#define BEGIN "---------- Begin Simulation Statistics ----------  # "
#define END   "---------- End Simulation Statistics   ----------"

struct reader {
	struct stats_file *file;
	struct diag_list *diags;
	char *at; /* the rest of the text */
	uint32_t line;
	bool is_inside, has_total;
	size_t value_count, value_room, section_room;
};

static bool complain_of_line(struct reader *r, const char *what)
{
	struct diag_location location = { .file = r->file->path, .line = r->line };

	diag_error(r->diags, &location, "%s", what);
	return false;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* ---- sections ---- */

/* values stays an offset until all are there. */
static bool begin_section(struct reader *r, char *title)
{
	struct stats_file *f = r->file;
	struct stats_section *s;

	if (r->is_inside)
		return complain_of_line(r, "a section begins in the middle of another");
	if (f->section_count == r->section_room) {
		r->section_room = r->section_room ? 2 * r->section_room : 16;
		f->sections = xrealloc(f->sections, r->section_room * sizeof(*f->sections));
	}
	s = &f->sections[f->section_count];
	*s = (struct stats_section){ .line = r->line, .count = r->value_count };
	if (!stats_read_title(s, title))
		return complain_of_line(r, "a section of what? Expected a kernel, streams, or a total");
	if (r->has_total)
		return complain_of_line(r, "a section behind the total of the run: two runs in one file?");
	r->has_total = s->kind == STATS_TOTAL;
	r->is_inside = true;
	f->section_count++;
	return true;
}

static bool end_section(struct reader *r)
{
	struct stats_section *s;

	if (!r->is_inside)
		return complain_of_line(r, "a section ends that has not begun");
	s = &r->file->sections[r->file->section_count - 1];
	s->count = r->value_count - s->count;
	r->is_inside = false;
	return true;
}

/* ---- a statistic ---- */

static bool add_stats_value(struct reader *r, char *line, char *end)
{
	const char *why;

	if (!r->is_inside)
		return complain_of_line(r, "a line outside of any section: this is no stats.txt");
	if (r->value_count == r->value_room) {
		r->value_room = r->value_room ? 2 * r->value_room : 4096;
		r->file->values = xrealloc(r->file->values, r->value_room * sizeof(*r->file->values));
	}
	why = stats_read_value(&r->file->values[r->value_count], line, end);
	if (why)
		return complain_of_line(r, why);
	r->value_count++;
	return true;
}

/* ---- the file ---- */

static bool read_stats_line(struct reader *r, char *line, char *end)
{
	if (line == end)
		return true;
	if (*line == '#') {
		stats_read_comment(r->file, line);
		return true;
	}
	if (*line != '-')
		return add_stats_value(r, line, end);
	if (starts_with(line, BEGIN))
		return begin_section(r, line + strlen(BEGIN));
	if (!strcmp(line, END))
		return end_section(r);
	return complain_of_line(r, "neither the beginning of a section nor the end of one");
}

static bool read_lines(struct reader *r, char *text_end)
{
	while (r->at < text_end) {
		char *line = r->at, *end = memchr(line, '\n', (size_t)(text_end - line));

		r->line++;
		if (!end)
			return complain_of_line(r, "the file ends in the middle of a line");
		*end = 0;
		r->at = end + 1;
		if (strlen(line) != (size_t)(end - line))
			return complain_of_line(r, "a zero byte: no text");
		if (!read_stats_line(r, line, end))
			return false;
	}
	if (r->is_inside)
		return complain_of_line(r, "the file ends in the middle of a section");
	if (!r->file->section_count && !r->file->version)
		return complain_of_line(r, "no statistics: not what Lockstep writes");
	return true;
}

/* f->text has size bytes and one more. */
static struct stats_file *parse_stats(struct stats_file *f, size_t size, struct diag_list *diags)
{
	struct reader r = { .file = f, .diags = diags, .at = f->text };
	const struct stats_value *next;

	if (!read_lines(&r, f->text + size)) {
		stats_file_free(f);
		return NULL;
	}
	next = f->values;
	for (size_t i = 0; i < f->section_count; i++) {
		f->sections[i].values = next;
		next += f->sections[i].count;
	}
	return f;
}

struct stats_file *stats_file_parse(const char *path, const char *text, size_t size, struct diag_list *diags)
{
	struct stats_file *f = xcalloc(1, sizeof(*f));

	f->path = xstrdup(path);
	f->text = xmalloc(size + 1);
	memcpy(f->text, text, size);
	return parse_stats(f, size, diags);
}

/* The file's size is not believed: it may be a pipe. */
static char *read_whole(FILE *from, size_t *size)
{
	size_t room = 1 << 20;
	char *text = xmalloc(room);

	*size = 0;
	for (size_t got; (got = fread(text + *size, 1, room - *size - 1, from)) > 0;) {
		*size += got;
		if (room - *size == 1)
			text = xrealloc(text, room *= 2);
	}
	return text;
}

static char *stats_path(const char *given)
{
	struct stat about;
	char *path;

	if (stat(given, &about) || !S_ISDIR(about.st_mode))
		return xstrdup(given);
	if (asprintf(&path, "%s/stats.txt", given) < 0)
		bug("out of memory");
	return path;
}

struct stats_file *stats_file_read(const char *given, struct diag_list *diags)
{
	struct stats_file *f = xcalloc(1, sizeof(*f));
	FILE *from;
	size_t size;

	f->path = stats_path(given);
	from = fopen(f->path, "r");
	if (from) {
		f->text = read_whole(from, &size);
		if (!ferror(from)) {
			fclose(from);
			return parse_stats(f, size, diags);
		}
		fclose(from);
	}
	diag_error(diags, NULL, "%s cannot be read: %s", f->path, strerror(errno));
	stats_file_free(f);
	return NULL;
}

void stats_file_free(struct stats_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->section_count; i++)
		free(f->sections[i].slots);
	free(f->sections);
	free(f->values);
	free(f->text);
	free(f->path);
	free(f);
}
