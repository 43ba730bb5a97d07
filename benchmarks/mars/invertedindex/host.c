/* invertedindex -- host side: the links of generated HTML, and where each stands, in one MapReduce job
 * without a reduce: map, group. Checked for equality at each stage with a search by strstr(). */
#include "documents.h"
#include "mars.h"

const struct bench_program bench_program = {
	.help = "Finds the links of HTML pages and groups their places by link.",
	.source = "Mars Inverted Index (He et al., PACT 2008); DWT-CS Table 2, MeDiC; neither prints a size",
	.tags = "dwtcs thrashing medic",
	.sizes = { { "lines", "lines of HTML", { 580, 2000, 24576, 65536 }, DOCUMENTS_MOST },
		{ "pages", "pages that links lead to", { 200, 1000, 8000, 20000 }, 1 << 30 } },
	.choices = { { "popularity", "how often a page is linked to", "uniform|skewed", "skewed" } },
	.repro = "lines: 96 CTAs of 256 threads, text of several times the L2; a bitonic sort of the "
		 "paper's would take minutes; pages: in proportion",
};

/* Line by line: what the lines' tasks emit. */
static void reference(struct bench *b, const struct documents *html, struct mars_list *list)
{
	const size_t shortest = sizeof "<a href=\"\"" - 1;
	char *line = bench_alloc(DOCUMENTS_LINE + 1, 1);

	mars_list_init(b, list, html->lines, html->bytes / shortest + 1, html->bytes);
	for (size_t i = 0; i < html->lines; i++) {
		const char *at = line, *end;
		int32_t from = html->line[2 * i];

		mars_list_task(list, i);
		memcpy(line, html->text + from, (size_t)html->line[2 * i + 1]);
		line[html->line[2 * i + 1]] = '\0';
		while ((at = strstr(at, "<a href=\"")) && (end = strchr(at += strlen("<a href=\""), '"'))) {
			mars_list_emit(list, at, (size_t)(end - at), from + (int32_t)(at - line));
			at = end;
		}
	}
	mars_list_task(list, html->lines);
	free(line);
}

void bench_run(struct bench *b)
{
	struct documents html;
	struct mars_list map, sorted;
	struct mars_output mapped, grouped;
	int32_t *index;

	documents_html(b, &html, b->size[0], b->size[1], b->choice[0], &b->seed);
	reference(b, &html, &map);
	mars_list_group(b, &map, mars_list_strings, &sorted, &index);
	bench_work(b, "%zu lines, %zu links to %zu %s pages", html.lines, map.records, sorted.groups,
		b->choice[0]);

	CUdeviceptr text = BENCH_COPY(b, html.text, html.bytes);
	CUdeviceptr line = BENCH_COPY(b, html.line, 2 * html.lines);
	if (mars_map(b, "map_count", "map", 2, ARGS(&text, &line), &map, &mapped) &&
		mars_group(b, &mapped, &sorted, &grouped)) {
		mars_check_map(b, &mapped, &map);
		mars_check_group(b, &grouped, &map, &sorted, index);
	}
}
