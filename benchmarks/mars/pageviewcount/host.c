/* pageviewcount -- host side: two MapReduce jobs over a generated web log: map, group; map, group, reduce.
 * Checked for equality at each stage; and the views, apart from all stages, with a count by address. */
#include "documents.h"
#include "mars.h"

const struct bench_program bench_program = {
	.help = "Counts the distinct entries of each page in a web log.",
	.source = "Mars Page View Count (He et al., PACT 2008); MeDiC, which prints no size",
	.tags = "medic",
	.sizes = { { "lines", "entries of the log", { 300, 1000, 16384, 65536 }, DOCUMENTS_MOST },
		{ "pages", "pages of the site", { 50, 150, 5000, 5000 }, 1 << 30 } },
	.choices = { { "popularity", "how often a page is visited", "uniform|skewed", "skewed" } },
	.repro = "lines: 64 CTAs of 256 threads, text of twice the L2; a bitonic sort of the paper's would"
		 " take minutes",
};

/* What the host expects of both jobs. */
struct expected {
	struct mars_list entries, distinct; /* first job: emitted, grouped */
	struct mars_list views, pages;      /* second job */
	struct mars_list sums;              /* its reduce */
	int32_t *distinct_index, *pages_index;
};

static size_t address_bytes(const uint8_t *entry)
{
	return strcspn((const char *)entry, "\t");
}

static void expect_entries(struct bench *b, const struct documents *log, struct expected *e)
{
	mars_list_init(b, &e->entries, log->lines, log->lines, log->bytes);
	for (size_t i = 0; i < log->lines; i++) {
		mars_list_task(&e->entries, i);
		mars_list_emit(&e->entries, log->text + log->line[2 * i], (size_t)log->line[2 * i + 1],
			log->line[2 * i + 1]);
	}
	mars_list_task(&e->entries, log->lines);
	mars_list_group(b, &e->entries, mars_list_strings, &e->distinct, &e->distinct_index);
}

static void expect_views(struct bench *b, struct expected *e)
{
	const struct mars_list *d = &e->distinct;

	mars_list_init(b, &e->views, d->groups, d->groups, d->key_bytes);
	for (size_t g = 0; g < d->groups; g++) {
		const uint8_t *entry = d->keys + d->record[d->group[g]][0];
		mars_list_task(&e->views, g);
		mars_list_emit(&e->views, entry, address_bytes(entry), 1);
	}
	mars_list_task(&e->views, d->groups);
	mars_list_group(b, &e->views, mars_list_strings, &e->pages, &e->pages_index);
}

static void expect_sums(struct bench *b, struct expected *e)
{
	const struct mars_list *p = &e->pages;

	mars_list_init(b, &e->sums, p->groups, p->groups, p->key_bytes);
	for (size_t g = 0; g < p->groups; g++) {
		const int32_t *first = p->record[p->group[g]];
		mars_list_task(&e->sums, g);
		mars_list_emit(&e->sums, p->keys + first[0], (size_t)first[1], p->group[g + 1] - p->group[g]);
	}
	mars_list_task(&e->sums, p->groups);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The sums once more, from the log alone: its lines sorted as strings. Changes the log. */
static void cross_check(struct bench *b, const struct documents *log, const struct mars_list *sums)
{
	char **line = bench_host(b, log->lines, sizeof *line);
	size_t page = 0, same = 1;

	for (size_t i = 0; i < log->lines; i++) {
		line[i] = (char *)log->text + log->line[2 * i];
		line[i][log->line[2 * i + 1]] = '\0';
	}
	qsort(line, log->lines, sizeof *line, compare_lines);
	for (size_t i = 0; i < log->lines; i += same) {
		size_t bytes = address_bytes((uint8_t *)line[i]);
		int32_t views = 0;
		for (same = 0; i + same < log->lines && !strncmp(line[i], line[i + same], bytes + 1); same++)
			views += !same || strcmp(line[i + same - 1], line[i + same]);
		if (page == sums->records || sums->values[page] != views ||
			memcmp(sums->keys + sums->record[page][0], line[i], bytes))
			bench_die("pageviewcount: the reference has another count for page %zu than %ld",
				page, (long)views);
		page++;
	}
}

/* Both jobs, up to the first count that is wrong. */
static void run(struct bench *b, const struct documents *log, const struct expected *e)
{
	struct mars_output entries, distinct, views, pages, sums;
	CUdeviceptr text = BENCH_COPY(b, log->text, log->bytes);
	CUdeviceptr line = BENCH_COPY(b, log->line, 2 * log->lines);

	if (!mars_map(b, "entries_count", "entries", 2, ARGS(&text, &line), &e->entries, &entries) ||
		!mars_group(b, &entries, &e->distinct, &distinct) ||
		!mars_map(b, "views_count", "views", 3,
			ARGS(&distinct.keys, &distinct.records, &distinct.group), &e->views, &views) ||
		!mars_group(b, &views, &e->pages, &pages) ||
		!mars_map(b, "sum_count", "sum", 4,
			ARGS(&pages.keys, &pages.values, &pages.records, &pages.group), &e->sums, &sums))
		return;
	mars_check_map(b, &entries, &e->entries);
	mars_check_group(b, &distinct, &e->entries, &e->distinct, e->distinct_index);
	mars_check_map(b, &views, &e->views);
	mars_check_group(b, &pages, &e->views, &e->pages, e->pages_index);
	mars_check_map(b, &sums, &e->sums);
}

void bench_run(struct bench *b)
{
	struct documents log;
	struct expected e;

	documents_log(b, &log, b->size[0], b->size[1], b->choice[0], &b->seed);
	expect_entries(b, &log, &e);
	expect_views(b, &e);
	expect_sums(b, &e);
	bench_work(b, "%zu entries, %zu distinct, of %zu %s pages", log.lines, e.distinct.groups,
		e.pages.groups, b->choice[0]);
	run(b, &log, &e);
	cross_check(b, &log, &e.sums);
}
