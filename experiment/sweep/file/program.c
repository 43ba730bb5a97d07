/* experiment/sweep/file/program.c -- from the words of a sweep file to programs with their contents' hashes.
 */
#include "experiment/sweep/file/program.h"
#include "experiment/files.h"
#include "host/recording/recording.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

struct finder {
	const struct sweep_file *file;
	const struct workload_list *all;
	struct sweep_program *programs;
	size_t count;
	struct diag_list *diags;
};

static struct diag_location program_location(const struct finder *f, doc_node node)
{
	return doc_location(f->file->document, node);
}

/* -- contents -- */

static bool add_program_file(struct finder *f, struct hasher *h, const char *name, doc_node node)
{
	char *path = *name == '/' ? xstrdup(name) : file_path(f->file->folder, name);
	struct diag_location location = program_location(f, node);
	struct diag_list found;
	bool fine;

	diag_init(&found);
	fine = hasher_add_file(h, path, &found);
	if (!fine)
		diag_error(f->diags, &location, "%s", found.items[0].message);
	diag_fini(&found);
	free(path);
	return fine;
}

static bool hash_contents(struct finder *f, struct sweep_program *p)
{
	struct hasher h;
	bool fine;

	hasher_init(&h);
	fine = add_program_file(f, &h, p->path, p->item->node);
	if (p->workload && p->workload->ptx)
		fine &= add_program_file(f, &h, p->workload->ptx, p->item->node);
	for (size_t i = 0; i < p->item->inputs.count; i++)
		fine &= add_program_file(f, &h, p->item->inputs.items[i], p->item->inputs.nodes[i]);
	p->hash = hasher_end(&h);
	return fine;
}

/* -- one program -- */

static char *joined_words(const struct sweep_texts *t)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (size_t i = 0; i < t->count; i++)
		fprintf(f, "%s%s", i ? " " : "", t->items[i]);
	fclose(f);
	return text;
}

static bool same_words(char *const *a, char *const *b)
{
	while (*a && *b && !strcmp(*a, *b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

static bool same_texts(const struct sweep_texts *a, const struct sweep_texts *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = !strcmp(a->items[i], b->items[i]);
	return same;
}

/* Whether another word has selected it already. Points are told apart by label and size: no two programs may
 * have both. */
static bool is_program_selected(const struct finder *f, const struct sweep_program *p)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct sweep_program *q = &f->programs[i];
		struct diag_location location = program_location(f, p->item->node);

		if (strcmp(q->label, p->label) || strcmp(q->size, p->size))
			continue;
		if (strcmp(q->path, p->path) || !same_words(q->arguments, p->arguments) ||
			strcmp(q->hash.text, p->hash.text))
			diag_error(f->diags, &location,
				"%s %s is there already, and is another program: give one of them a label",
				p->label, p->size);
		else if (!same_texts(&q->item->kernels, &p->item->kernels))
			diag_error(f->diags, &location, "%s %s is there already, with other kernels",
				p->label, p->size);
		else if (!same_texts(&q->item->own.paths, &p->item->own.paths) ||
			!same_texts(&q->item->own.values, &p->item->own.values))
			diag_error(f->diags, &location, "%s %s is there already, with other parameters",
				p->label, p->size);
		return true;
	}
	return false;
}

static void free_program(struct sweep_program *p)
{
	for (size_t i = 0; p->arguments && p->arguments[i]; i++)
		free(p->arguments[i]);
	free(p->arguments);
	free(p->path);
	free(p->label);
	free(p->size);
}

/* Takes the program over, unless another word has selected it already. */
static void add_selected_program(struct finder *f, struct sweep_program *p)
{
	if (!hash_contents(f, p) || is_program_selected(f, p)) {
		free_program(p);
		return;
	}
	f->programs = xrealloc(f->programs, (f->count + 1) * sizeof(*f->programs));
	f->programs[f->count++] = *p;
}

static void add_workload(struct finder *f, const struct sweep_item *item, const struct workload *w)
{
	const char *size = item->size ? item->size : f->file->size;
	struct sweep_program p = {
		.item = item, .workload = w, .path = xstrdup(w->path), .label = xstrdup(w->label)
	};

	p.arguments = xcalloc(item->arguments.count + 3, sizeof(*p.arguments));
	if (item->has_arguments) {
		for (size_t i = 0; i < item->arguments.count; i++)
			p.arguments[i] = xstrdup(item->arguments.items[i]);
		p.size = joined_words(&item->arguments);
	} else {
		p.arguments[0] = xstrdup("--size");
		p.arguments[1] = xstrdup(size);
		p.size = xstrdup(size);
		p.limit = workload_limit(w, size);
		snprintf(p.limit_text, sizeof(p.limit_text), "%" PRIu64, p.limit);
	}
	add_selected_program(f, &p);
}

static void add_program(struct finder *f, const struct sweep_item *item)
{
	char *path =
		*item->program == '/' ? xstrdup(item->program) : file_path(f->file->folder, item->program);
	struct sweep_program p = { .item = item, .path = realpath(path, NULL) };
	const char *slash = strrchr(path, '/');

	p.is_recording = p.path && recording_is_one(p.path);
	if (!p.path || (!p.is_recording && access(p.path, X_OK))) {
		struct diag_location location = program_location(f, item->node);

		diag_error(f->diags, &location, "program %s cannot be run: %s", path, strerror(errno));
		free(p.path);
		free(path);
		return;
	}
	if (p.is_recording && item->arguments.count) {
		struct diag_location location = program_location(f, item->node);

		diag_error(f->diags, &location, "%s is a recording, which takes no arguments", path);
	}
	p.label = xstrdup(item->label ? item->label : slash + 1);
	p.size = joined_words(&item->arguments);
	p.arguments = xcalloc(item->arguments.count + 1, sizeof(*p.arguments));
	for (size_t i = 0; i < item->arguments.count; i++)
		p.arguments[i] = xstrdup(item->arguments.items[i]);
	free(path);
	add_selected_program(f, &p);
}

static void print_unknown(struct finder *f, const struct sweep_item *item)
{
	struct diag_location location = program_location(f, item->node);
	const char *nearest = workload_nearest(f->all, item->word);

	diag_error(f->diags, &location,
		"%s: no benchmark, suite or tag of that name%s%s%s; 'lockstep bench list' shows them",
		item->word, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static void add_item(struct finder *f, const struct sweep_item *item)
{
	size_t before = 0;

	if (item->program) {
		add_program(f, item);
		return;
	}
	for (size_t i = 0; i < f->all->count; i++) {
		if (!workload_is(&f->all->items[i], item->word))
			continue;
		add_workload(f, item, &f->all->items[i]);
		before++;
	}
	if (!before)
		print_unknown(f, item);
}

struct sweep_program *sweep_programs_find(const struct sweep_file *file,
	const struct workload_list *workloads, size_t *count, struct diag_list *diags)
{
	struct finder f = { .file = file, .all = workloads, .diags = diags };
	size_t errors = diags->errors;

	for (size_t i = 0; i < file->item_count; i++)
		add_item(&f, &file->items[i]);
	*count = f.count;
	if (diags->errors == errors && f.count)
		return f.programs;
	sweep_programs_free(f.programs, f.count);
	*count = 0;
	return NULL;
}

void sweep_programs_free(struct sweep_program *programs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free_program(&programs[i]);
	free(programs);
}
