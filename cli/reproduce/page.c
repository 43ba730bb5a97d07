/* cli/reproduce/page.c -- pages in Markdown. */
#include "cli/reproduce/page.h"
#include "experiment/files.h"
#include <libgen.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const char *title_of(const struct paper *p)
{
	return p->title ? p->title : p->name;
}

static void print_escaped_cell(const char *text, FILE *to)
{
	print_markdown(to, text ? text : "");
	fputs(" |", to);
}

static void print_heading(const char *level, const char *text, FILE *to)
{
	fputs(level, to);
	print_markdown(to, text);
	fputs("\n\n", to);
}

static double percent_of(size_t part, size_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_note(const char *note, FILE *to)
{
	if (note)
		fprintf(to, "%s\n\n", note);
}

/* -- a paper -- */

static void print_paper_counts(const struct paper_counts *n, FILE *to)
{
	size_t checked = n->claims - n->unchecked, numbers = n->numbers - n->numbers_unchecked;

	fprintf(to,
		"%zu claims are printed (%zu numbers, %zu statements in words); %zu of them are checked "
		"here.\n"
		"Of these %zu hold in direction (%.0f %%); of the %zu numbers among them %zu lie within 25 "
		"%% of "
		"the\nprinted gain (%.0f %%).\n\n",
		n->claims, n->numbers, n->claims - n->numbers, checked, n->in_direction,
		percent_of(n->in_direction, checked), numbers, n->within, percent_of(n->within, numbers));
}

/* "warppool": of "out/warppool.db". */
static const char *stem(const char *path, struct keeper *k)
{
	char *name = basename(keep_copy(k, path)), *dot = strrchr(name, '.');

	if (dot)
		*dot = 0;
	return name;
}

static void print_source(const struct paper_source *s, const char *folder, struct keeper *k, FILE *to)
{
	const char *name = stem(s->path, k), *page = keep_print(k, "%s/%s/index.html", folder, name);

	if (!s->is_sweep) {
		fprintf(to, "* `%s`: measured without a sweep\n", basename(keep_copy(k, s->path)));
		return;
	}
	if (access(page, R_OK) == 0)
		fprintf(to, "* [%s](%s/index.html)", name, name);
	else
		fprintf(to, "* %s", name);
	fprintf(to, ": %zu points, %zu done, %zu failed, %zu not run\n", s->made.points, s->made.done,
		s->made.failed, s->made.open);
}

/* What is to be said beside a row. */
static const char *remark(const struct report_claim *c, const struct page_words *words, struct keeper *k)
{
	if (c->unchecked)
		return c->unchecked;
	if (isnan(c->measured))
		return "points are missing";
	if (!claim_differs(c))
		return "";
	if (!words->remark)
		return c->why ? c->why : "no reason is known";
	return c->why ? keep_print(k, "%s; at the sweep file's own size: %s", words->remark, c->why)
		      : words->remark;
}

static void print_claim(
	const struct report_claim *c, const struct page_words *words, struct keeper *k, FILE *to)
{
	struct verdict v = verdict_of(&c->printed, c->measured);
	const char *ours = isnan(c->measured) ? "-" : number_short(k, c->measured);
	const char *share = isnan(c->measured) || isnan(v.share) ? "-" : number_short(k, v.share);

	fputs("| ", to);
	print_escaped_cell(c->what, to);
	fprintf(to, " %s |", ours);
	putc(' ', to);
	print_escaped_cell(c->text ? c->text : "-", to);
	fprintf(to, " %s | %s | ", share, v.text);
	print_escaped_cell(remark(c, words, k), to);
	putc(' ', to);
	print_escaped_cell(c->over, to);
	putc(' ', to);
	print_escaped_cell(c->source, to);
	putc('\n', to);
}

static void print_source_claims(
	struct paper *p, const struct paper_source *s, const struct page_words *words, FILE *to)
{
	const char *table = NULL;

	for (size_t i = s->first; i < s->first + s->count; i++) {
		const struct report_claim *c = &p->claims.items[i];
		const char *title = c->table ? c->table : "Claims";

		if (!claim_is_printed(c))
			continue;
		if (!table || strcmp(table, title) != 0) {
			print_heading("\n## ", title, to);
			fputs("| claim | ours | printed | gain / printed | verdict | where it differs | over "
			      "| source |\n|---|---:|---:|---:|---|---|---|---|\n",
				to);
		}
		table = title;
		print_claim(c, words, &p->claims.keeper, to);
	}
}

void page_write(struct paper *p, const struct page_words *words, const char *folder, FILE *to)
{
	struct paper_counts counts = paper_count(p);

	print_heading("# ", title_of(p), to);
	print_note(words->note, to);
	print_paper_counts(&counts, to);
	for (size_t i = 0; i < p->source_count; i++)
		print_source(&p->sources[i], folder, &p->claims.keeper, to);
	for (size_t i = 0; i < p->source_count; i++)
		print_source_claims(p, &p->sources[i], words, to);
}

/* -- all papers -- */

/* title: the first cell, as far as it is not there. */
static void print_paper_row(const char *title, const struct paper_counts *n, FILE *to)
{
	size_t checked = n->claims - n->unchecked, numbers = n->numbers - n->numbers_unchecked;

	fprintf(to, "%s | %zu | %zu | %zu of %zu (%.0f %%) | %zu of %zu (%.0f %%) | %zu | %zu |\n", title,
		n->claims, n->unchecked, n->in_direction, checked, percent_of(n->in_direction, checked),
		n->within, numbers, percent_of(n->within, numbers), n->differing, n->unexplained);
}

static void print_against(const struct paper *p, const struct page_words *words, struct keeper *k, FILE *to)
{
	for (size_t i = 0; i < p->claims.count; i++) {
		const struct report_claim *c = &p->claims.items[i];

		if (!claim_differs(c) || verdict_of(&c->printed, c->measured).is_in_direction)
			continue;
		fprintf(to, "* %s, ", p->name);
		print_markdown(to, c->table ? c->table : "claims");
		fputs(": **", to);
		print_markdown(to, c->what);
		fprintf(to, "**: %s, printed ", number_short(k, c->measured));
		print_markdown(to, c->text);
		fputs(words->remark ? "" : "; ", to);
		print_markdown(to, words->remark ? "" : remark(c, words, k));
		fputc('\n', to);
	}
}

void page_write_summary(const struct paper *papers, size_t count, const struct page_words *words, FILE *to)
{
	struct paper_counts total = { 0 };
	struct keeper k = { 0 };

	fputs("# Papers reproduced\n\n", to);
	print_note(words->note, to);
	fputs("| paper | claims | not checked | in direction, of those checked | numbers within 25 % of the "
	      "gain "
	      "| differ | of these without a reason |\n|---|---:|---:|---:|---:|---:|---:|\n",
		to);
	for (size_t i = 0; i < count; i++) {
		struct paper_counts n = paper_count(&papers[i]);

		fputs("| [", to);
		print_markdown(to, title_of(&papers[i]));
		print_paper_row(keep_print(&k, "](%s.md)", papers[i].name), &n, to);
		paper_counts_add(&total, &n);
	}
	print_paper_row("| all", &total, to);
	if (total.claims - total.unchecked > total.in_direction)
		fputs("\n## What does not hold in direction\n\n", to);
	for (size_t i = 0; i < count; i++)
		print_against(&papers[i], words, &k, to);
	keeper_fini(&k);
}
