/* experiment/runs/stats_line.c -- lines of stats.txt: comments, titles of sections, statistics. */
#include "experiment/runs/stats_line.h"
#include <math.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* ---- provenance ---- */

/* What stands behind `from`; NULL if it does not occur. */
static const char *text_behind(const char *line, const char *from)
{
	const char *start = strstr(line, from);

	return start ? start + strlen(from) : NULL;
}

static void cut_at_comma(const char *text)
{
	char *end = text ? strchr(text, ',') : NULL;

	if (end)
		*end = 0;
}

void stats_read_comment(struct stats_file *f, char *line)
{
	if (starts_with(line, "# lockstep ") && !f->version) {
		f->version = line + strlen("# lockstep ");
		f->build = text_behind(line, ", build ");
		f->seed = text_behind(line, ", seed ");
		cut_at_comma(f->version);
		cut_at_comma(f->build);
		cut_at_comma(f->seed);
	} else if (starts_with(line, "# command: ") && !f->command) {
		f->command = line + strlen("# command: ");
	}
}

/* ---- a section's title ---- */

/* The next word of a line, cut off; NULL: there is none. */
static char *next_word(char **rest)
{
	char *w = *rest;

	if (!w || !*w)
		return NULL;
	*rest = strchr(w, ' ');
	if (*rest)
		*(*rest)++ = 0;
	return w;
}

static bool read_stats_number(const char *text, uint64_t *value)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !*end && !errno;
}

/* "4,1,1" */
static bool read_extent(const char *text, uint32_t extent[3])
{
	char rest;

	return text &&
		sscanf(text, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 "%c", &extent[0], &extent[1], &extent[2],
			&rest) == 3;
}

static bool read_mark(struct stats_section *s, const char *mark)
{
	bool *flag = !strcmp(mark, "functional") ? &s->is_functional
		: !strcmp(mark, "timing-limit")  ? &s->is_timing_limited
		: !strcmp(mark, "warm-up")       ? &s->is_warmup
		: !strcmp(mark, "repeated")      ? &s->is_repeated
		: !strcmp(mark, "fault")         ? &s->is_fault
		: !strcmp(mark, "interrupted")   ? &s->is_interrupted
						 : NULL;

	if (flag)
		*flag = true;
	return flag;
}

static bool read_marks(struct stats_section *s, char *rest)
{
	for (char *mark; (mark = next_word(&rest));)
		if (!read_mark(s, mark))
			return false;
	return true;
}

static bool expect(char **rest, const char *text)
{
	char *w = next_word(rest);

	return w && !strcmp(w, text);
}

bool stats_read_title(struct stats_section *s, char *rest)
{
	char *first = next_word(&rest);

	if (first && !strcmp(first, "streams")) {
		s->kind = STATS_STREAMS;
		return !next_word(&rest);
	}
	if (first && !strcmp(first, "estimates")) {
		s->kind = STATS_ESTIMATES;
		if (!expect(&rest, "of") || !expect(&rest, "all") ||
			!read_stats_number(next_word(&rest), &s->kernels))
			return false;
		first = next_word(&rest);
		return first && starts_with(first, "kernel") && expect(&rest, "sampled") && !next_word(&rest);
	}
	if (first && !strcmp(first, "launches")) {
		s->kind = STATS_LAUNCHES;
		return expect(&rest, "of") && (s->name = next_word(&rest)) && !next_word(&rest);
	}
	if (first && !strcmp(first, "by")) {
		s->kind = STATS_KERNELS;
		return expect(&rest, "kernel") && expect(&rest, "name") && !next_word(&rest);
	}
	if (first && !strcmp(first, "total")) {
		s->kind = STATS_TOTAL;
		if (!expect(&rest, "of") || !read_stats_number(next_word(&rest), &s->kernels))
			return false;
		first = next_word(&rest);
		return first && starts_with(first, "kernel") && read_marks(s, rest);
	}
	s->kind = STATS_KERNEL;
	return first && !strcmp(first, "kernel") && read_stats_number(next_word(&rest), &s->id) &&
		(s->name = next_word(&rest)) && expect(&rest, "grid") &&
		read_extent(next_word(&rest), s->grid) && expect(&rest, "block") &&
		read_extent(next_word(&rest), s->block) && read_marks(s, rest);
}

/* ---- a statistic ---- */

static bool read_number_of(struct stats_value *v)
{
	const char *t = v->text;
	char *end;

	if (*t >= '0' && *t <= '9' && !t[strspn(t, "0123456789")]) {
		errno = 0;
		v->whole = strtoull(t, NULL, 10);
		v->is_whole = true;
		v->value = (double)v->whole;
		return !errno;
	}
	v->is_whole = false;
	v->whole = 0;
	v->value = strtod(t, &end);
	return end != t && !*end && !strpbrk(t, "xX"); /* strtod reads hexadecimal too */
}

/* The parenthesis that the one at the end of the text closes, with a blank before it; NULL: there is none. */
static char *opening(char *text, char *end)
{
	int depth = 0;

	if (end == text || end[-1] != ')')
		return NULL;
	for (char *c = end - 1; c > text; c--) {
		depth += *c == ')' ? 1 : *c == '(' ? -1 : 0;
		if (!depth)
			return c[-1] == ' ' ? c : NULL;
	}
	return NULL;
}

/* "help (unit)", or help alone. */
static void split_unit(struct stats_value *v, char *help, char *end)
{
	char *open = opening(help, end);

	v->help = help;
	v->unit = end; /* the zero byte */
	if (!open)
		return;
	open[-1] = end[-1] = 0;
	v->unit = open + 1;
}

/* Cuts " [95 %: LOW to HIGH]" or " [uncertain]" off the end of a line of estimates; returns the new end. A
 * text in brackets that is something else stays. */
static char *split_interval(struct stats_value *v, char *text, char *end)
{
	static const char begin[] = " [95 %: ", unknown[] = " [uncertain]";
	size_t length = strlen(unknown);
	char *open = end, *after;

	v->low = v->high = v->value;
	v->is_estimated = false;
	if (end - text > (long)length && !strcmp(end - length, unknown)) {
		v->is_estimated = true;
		v->low = v->high = NAN;
		end[-(long)length] = 0;
		return end - length;
	}
	while (open > text && *open != '[')
		open--;
	if (open <= text || end[-1] != ']' || strncmp(open - 1, begin, strlen(begin)) != 0)
		return end;
	v->low = strtod(open - 1 + strlen(begin), &after);
	if (strncmp(after, " to ", 4) != 0)
		return end;
	v->high = strtod(after + 4, &after);
	v->is_estimated = true;
	open[-1] = 0;
	return open - 1;
}

const char *stats_read_value(struct stats_value *v, char *line, char *end)
{
	char *name_end = strchr(line, ' ');
	char *comment = name_end ? strstr(name_end, " # ") : NULL,
	     *value = name_end ? name_end + strspn(name_end, " ") : NULL;

	if (!comment || comment < value || name_end == line)
		return "no statistic: expected NAME VALUE # DESCRIPTION (UNIT)";
	*name_end = *comment = 0;
	v->name = line;
	v->text = value;
	if (!read_number_of(v))
		return "no statistic: the value is no number";
	split_unit(v, comment + 3, split_interval(v, comment + 3, end));
	return NULL;
}
