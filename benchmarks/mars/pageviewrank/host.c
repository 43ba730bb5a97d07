/* pageviewrank -- host side: sorts pages by their views, in one MapReduce job without a reduce: map, group.
 * Checked for equality at each stage, and the order by reading the lines it names. */
#include "documents.h"
#include "mars.h"

const struct bench_program bench_program = {
	.help = "Sorts pages by how often they were seen.",
	.source = "Mars Page View Rank (He et al., PACT 2008); MeDiC, which prints no size",
	.tags = "medic",
	.sizes = { { "pages", "pages, each with its count", { 700, 8000, 131072, 262144 }, DOCUMENTS_MOST } },
	.choices = { { "popularity", "how often a page was seen", "uniform|skewed", "skewed" } },
	.repro = "pages: half of the paper's, 512 CTAs of 256 threads, several times the L2",
};

static uint32_t views(const struct documents *d, int32_t from)
{
	const char *tab = strchr((const char *)d->text + from, '\t');

	return tab ? (uint32_t)strtoul(tab, NULL, 10) : 0;
}

static void reference(struct bench *b, const struct documents *d, struct mars_list *list)
{
	mars_list_init(b, list, d->lines, d->lines, 4 * d->lines);
	for (size_t i = 0; i < d->lines; i++) {
		uint32_t count = views(d, d->line[2 * i]);
		mars_list_task(list, i);
		mars_list_emit(list, &count, sizeof count, d->line[2 * i]);
	}
	mars_list_task(list, d->lines);
}

/* No line that the result names has more views than the one before it. */
static void check_order(struct bench *b, const struct documents *d, const struct mars_output *out)
{
	int32_t *line = bench_host(b, d->lines, sizeof *line);
	bool ordered = true;

	BENCH_READ(line, out->values, d->lines);
	for (size_t i = 0; i < d->lines && ordered; i++)
		ordered = line[i] >= 0 && (size_t)line[i] < d->bytes &&
			(i == 0 || views(d, line[i - 1]) >= views(d, line[i]));
	bench_expect(b, ordered, "the pages are not in the order of their views");
}

void bench_run(struct bench *b)
{
	struct documents pages;
	struct mars_list map, sorted;
	struct mars_output mapped, grouped;
	int32_t *index;

	documents_views(b, &pages, b->size[0], b->choice[0], &b->seed);
	reference(b, &pages, &map);
	mars_list_group(b, &map, mars_list_counts, &sorted, &index);
	bench_work(b, "%zu pages, %zu %s counts", pages.lines, sorted.groups, b->choice[0]);

	CUdeviceptr text = BENCH_COPY(b, pages.text, pages.bytes);
	CUdeviceptr line = BENCH_COPY(b, pages.line, 2 * pages.lines);
	if (mars_map(b, "map_count", "map", 2, ARGS(&text, &line), &map, &mapped) &&
		mars_group(b, &mapped, &sorted, &grouped)) {
		mars_check_map(b, &mapped, &map);
		mars_check_group(b, &grouped, &map, &sorted, index);
		check_order(b, &pages, &grouped);
	}
}
