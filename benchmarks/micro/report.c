/* report.c -- the figures: as a table, or as comma-separated values; each with the published figure of its
 * name. */
#include "micro.h"
#include <stdarg.h>

enum { MAX_PUBLISHED = 256 };

/* A line of published.csv: name,value,unit,chip,kind,source. The source may hold commas. */
struct published {
	char name[64], value[32], unit[32], chip[32], kind[16], source[256];
};

static struct published published[MAX_PUBLISHED];
static size_t published_count;
static bool as_csv;

static void read_published(const char *path)
{
	char *text = bench_read_file(path), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		struct published *p = &published[published_count];

		if (!*line || *line == '#' || !strncmp(line, "name,", 5))
			continue;
		if (published_count == MAX_PUBLISHED ||
			sscanf(line, "%63[^,],%31[^,],%31[^,],%31[^,],%15[^,],%255[^\n]", p->name, p->value,
				p->unit, p->chip, p->kind, p->source) != 6) {
			fprintf(stderr, "%s: this line has not six fields, or there are too many: %s\n", path,
				line);
			exit(1);
		}
		published_count++;
	}
	free(text);
}

void report_begin(const char *path, bool csv)
{
	as_csv = csv;
	read_published(path);
	if (csv)
		printf("name,unit,measured,published,ratio,chip,kind,source\n");
	else
		printf("%-38s %-18s %10s %10s %6s  %s\n", "figure", "unit", "here", "published", "ratio",
			"source");
}

void report_topic(const char *name, const char *about)
{
	if (!as_csv)
		printf("\n%s: %s\n", name, about);
}

static const struct published *find(const char *name)
{
	for (size_t i = 0; i < published_count; i++)
		if (!strcmp(published[i].name, name))
			return &published[i];
	return NULL;
}

static void check_unit(struct micro *m, const struct published *p, const char *unit)
{
	if (strcmp(p->unit, unit) && !*m->failure)
		snprintf(m->failure, sizeof m->failure, "%s is measured in %s but published in %s", p->name,
			unit, p->unit);
}

void report(struct micro *m, double value, const char *unit, const char *format, ...)
{
	char name[64];
	const struct published *p;
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof name, format, args);
	va_end(args);
	p = find(name);
	m->figures++;
	if (p)
		check_unit(m, p, unit);
	if (as_csv && p)
		printf("%s,%s,%.4f,%s,%.4f,%s,%s,\"%s\"\n", name, unit, value, p->value,
			value / atof(p->value), p->chip, p->kind, p->source);
	else if (as_csv)
		printf("%s,%s,%.4f,,,,,\n", name, unit, value);
	else if (p)
		printf("%-38s %-18s %10.2f %10s %6.2f  %s, %s: %s\n", name, unit, value, p->value,
			value / atof(p->value), p->chip, p->kind, p->source);
	else
		printf("%-38s %-18s %10.2f\n", name, unit, value);
	fflush(stdout);
}
