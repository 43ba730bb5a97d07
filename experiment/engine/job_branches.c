/* experiment/engine/job_branches.c -- the results of jobs that were branches of another one. */
#include "experiment/engine/job_internal.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void job_branch_add(struct job_branches *b, const char *name)
{
	b->items = xrealloc(b->items, (b->count + 1) * sizeof(*b->items));
	b->items[b->count++] = (struct job_branch){ .name = xstrdup(name), .lock = -1 };
}

static char *beside(const char *folder, const char *name)
{
	const char *slash = strrchr(folder, '/');
	char *path;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - folder) + 1 : 0, folder, name) < 0)
		bug("out of memory");
	return path;
}

void job_branches_lock(struct job_branches *b, const char *folder)
{
	struct job_result before;

	for (size_t i = 0; i < b->count; i++) {
		struct job_branch *branch = &b->items[i];

		branch->folder = beside(folder, branch->name);
		if (job_lock(branch->folder, &branch->lock) == JOB_READY &&
			!job_result_read(branch->folder, &before))
			continue;
		if (branch->lock >= 0)
			close(branch->lock);
		branch->lock = -1;
	}
}

/* OUT/NAME with its output.txt become OUT and log.txt of the job's folder. */
static bool move_outputs(const struct job_branch *branch, const char *out)
{
	char *from = file_path(out, branch->name), *to = file_path(branch->folder, "out"),
	     *said = file_path(to, "output.txt"), *log = file_path(branch->folder, "log.txt");
	bool fine;

	folder_remove(to);
	fine = rename(from, to) == 0;
	rename(said, log);
	free(from);
	free(to);
	free(said);
	free(log);
	return fine;
}

static void share_result(const struct job_branch *branch, const char *out, struct job_result *result)
{
	if (branch->lock >= 0 && move_outputs(branch, out))
		job_result_write(branch->folder, result);
}

/* A line of branches.txt: name, status, processor seconds, KiB. */
static void share_line(
	const struct job_branches *b, const char *line, const char *out, const struct job_result *whole)
{
	struct job_result result = *whole;
	char name[256];

	result.outcome = JOB_DONE;
	*result.message = '\0';
	if (sscanf(line, "%255s %d %lf %" SCNu64, name, &result.status, &result.seconds, &result.peak_kib) !=
			4 ||
		result.status)
		return;
	for (size_t i = 0; i < b->count; i++)
		if (!strcmp(b->items[i].name, name))
			share_result(&b->items[i], out, &result);
}

void job_branches_share(const struct job_branches *b, const char *folder, const struct job_result *whole)
{
	char *out = file_path(folder, "out"), *list = file_path(out, "branches.txt"),
	     *text = b->count ? file_read(list, NULL) : NULL, *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n")))
		share_line(b, line, out, whole);
	free(text);
	free(list);
	free(out);
}

void job_branches_free(struct job_branches *b)
{
	for (size_t i = 0; i < b->count; i++) {
		if (b->items[i].lock >= 0)
			close(b->items[i].lock);
		free(b->items[i].name);
		free(b->items[i].folder);
	}
	free(b->items);
}
