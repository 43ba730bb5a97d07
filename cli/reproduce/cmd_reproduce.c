/* cli/reproduce/cmd_reproduce.c -- lockstep reproduce: which claims of papers hold in what was measured. */
#include "cli/command.h"
#include "cli/machine.h"
#include "cli/reproduce/page.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"

#define DEFAULT_FOLDER "lockstep-reproduce"

struct reproduce_options {
	const char *output, *note, *remark;
	struct option_list titles;
};

static const struct option reproduce_option_table[] = {
	OPTION_TEXT(struct reproduce_options, output, 'o', "output", "DIR",
		"folder for PAPER.md, PAPER.csv and index.md (default: " DEFAULT_FOLDER ")"),
	OPTION_LIST(struct reproduce_options, titles, 0, "title", "PAPER=TEXT",
		"what the page of a paper is called; may be repeated"),
	OPTION_TEXT(struct reproduce_options, note, 0, "note", "TEXT",
		"a sentence for all pages, about how it was measured"),
	OPTION_TEXT(struct reproduce_options, remark, 0, "remark", "TEXT",
		"say this of all claims that differ, before the reason that the sweep file gives, which\n"
		"holds for its own size"),
	OPTION_END
};

struct papers {
	struct keeper keeper;
	struct paper *items;
	size_t count;
};

/* "mrpb=a.db" as "mrpb" and "a.db"; NULL: no = in it, or nothing before or behind it. */
static const char *split_paper(struct keeper *k, const char *text, const char **behind)
{
	const char *sign = strchr(text, '=');

	*behind = NULL;
	if (!sign || sign == text || !sign[1])
		return NULL;
	*behind = sign + 1;
	return keep_print(k, "%.*s", (int)(sign - text), text);
}

/* Adds the paper if it is not there yet. */
static struct paper *find_paper(struct papers *p, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->items[i].name, name))
			return &p->items[i];
	p->items = xrealloc(p->items, (p->count + 1) * sizeof(*p->items));
	p->items[p->count] = (struct paper){ .name = name };
	return &p->items[p->count++];
}

static bool read_papers(struct papers *p, char **operands, size_t count, struct diag_list *diags)
{
	for (size_t i = 0; i < count; i++) {
		const char *path, *name = split_paper(&p->keeper, operands[i], &path);

		if (!paper_read(find_paper(p, name), path, diags))
			return false;
	}
	return true;
}

/* -- files -- */

/* What a stream wrote, as a file of the folder. */
static bool write_page_file(const char *folder, const char *name, const char *ending, char *text, size_t size,
	struct diag_list *diags)
{
	char *file, *path;
	bool fine;

	bug_if(asprintf(&file, "%s.%s", name, ending) < 0, "out of memory");
	path = file_path(folder, file);
	fine = file_replace(path, text, size, diags);
	free(path);
	free(file);
	free(text);
	return fine;
}

static FILE *stream_open(char **text, size_t *size)
{
	FILE *to = open_memstream(text, size);

	bug_if(!to, "out of memory");
	return to;
}

/* paper NULL: the summary of all. */
static bool write_page(const struct papers *p, struct paper *paper, const struct reproduce_options *o,
	struct diag_list *diags)
{
	const struct page_words words = { o->note, o->remark };
	char *text;
	size_t size;
	FILE *to = stream_open(&text, &size);

	if (paper)
		page_write(paper, &words, o->output, to);
	else
		page_write_summary(p->items, p->count, &words, to);
	fclose(to);
	return write_page_file(o->output, paper ? paper->name : "index", "md", text, size, diags);
}

static bool write_claims(const struct paper *paper, const char *folder, struct diag_list *diags)
{
	char *text;
	size_t size;
	FILE *to = stream_open(&text, &size);

	report_claims_write(&paper->claims, to);
	fclose(to);
	return write_page_file(folder, paper->name, "csv", text, size, diags);
}

static bool write_pages(struct papers *p, const struct reproduce_options *o, struct diag_list *diags)
{
	bool fine = folder_make(o->output, diags);

	for (size_t i = 0; fine && i < p->count; i++)
		fine = write_page(p, &p->items[i], o, diags) && write_claims(&p->items[i], o->output, diags);
	return fine && write_page(p, NULL, o, diags);
}

static void print_total(const struct papers *p, const char *folder)
{
	struct paper_counts total = { 0 };

	for (size_t i = 0; i < p->count; i++) {
		struct paper_counts n = paper_count(&p->items[i]);

		printf("%s/%s.md: %zu claims, %zu in direction, %zu within 25 %%, %zu not checked\n", folder,
			p->items[i].name, n.claims, n.in_direction, n.within, n.unchecked);
		paper_counts_add(&total, &n);
	}
	printf("reproduce: %zu claims, %zu in direction, %zu within 25 %%, %zu not checked\n", total.claims,
		total.in_direction, total.within, total.unchecked);
}

/* -- the command -- */

static int reproduce(struct papers *p, const struct reproduce_options *o, char **operands, size_t count)
{
	struct diag_list diags;
	bool fine;

	diag_init(&diags);
	fine = read_papers(p, operands, count, &diags);
	for (size_t i = 0; fine && i < o->titles.count; i++) {
		const char *title, *name = split_paper(&p->keeper, o->titles.items[i], &title);

		find_paper(p, name)->title = title;
	}
	fine = fine && write_pages(p, o, &diags);
	if (!fine)
		return failed(&diags);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	print_total(p, o->output);
	return STATUS_FINE;
}

/* A paper's name is the name of a file. */
static bool is_pair(const char *text)
{
	struct keeper k = { 0 };
	const char *behind, *name = split_paper(&k, text, &behind);
	bool fine = name && !strchr(name, '/') && *name != '.' && strcmp(name, "index") != 0;

	keeper_fini(&k);
	return fine;
}

static int run_reproduce_command(
	const struct command *self, const void *object, char **operands, size_t count)
{
	struct reproduce_options o = *(const struct reproduce_options *)object;
	struct papers papers = { 0 };
	int status;

	for (size_t i = 0; i < count; i++)
		if (!is_pair(operands[i]))
			return usage_error(self, "%s: expected PAPER=FILE", operands[i]);
	for (size_t i = 0; i < o.titles.count; i++)
		if (!is_pair(o.titles.items[i]))
			return usage_error(self, "--title %s: expected PAPER=TEXT", o.titles.items[i]);
	o.output = o.output ? o.output : DEFAULT_FOLDER;
	status = reproduce(&papers, &o, operands, count);
	for (size_t i = 0; i < papers.count; i++)
		paper_fini(&papers.items[i]);
	free(papers.items);
	keeper_fini(&papers.keeper);
	return status;
}

const struct command command_reproduce = {
	.name = "reproduce",
	.operands = "PAPER=FILE...",
	.summary = "say which printed numbers and statements of papers hold",
	.details = "FILE is a sweep's database, whose figures of kind 'printed' are taken, or a CSV file of "
		   "claims (its name ends in .csv). Files with the same PAPER belong together. Writes "
		   "DIR/PAPER.md, which says of each number and statement what was measured, the verdict "
		   "and, where it differs, why; DIR/PAPER.csv, the same as a file of claims; and "
		   "DIR/index.md over all papers. 'make reproduce' runs the sweeps of five papers first "
		   "(docs/user/reproduce.md).\n"
		   "\n"
		   "  lockstep reproduce warppool=warppool.db warppool=warppool-design.db reuse=claims.csv "
		   "-o pages\n",
	.options = reproduce_option_table,
	.size = sizeof(struct reproduce_options),
	.least = 1,
	.run = run_reproduce_command,
};
