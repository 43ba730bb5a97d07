/* experiment/engine/slurm_submit.c -- job arrays: their folder, their script, the call of sbatch. */
#include "experiment/engine/slurm.h"
#include "experiment/capture.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names and paths come as arguments: nothing here has to be quoted. Status 75, JOB_BUSY: another task, of a
 * sweep process that was killed in the middle of sbatch, or of another sweep, runs the same job; when that
 * has ended, there is a result. */
static const char script[] =
	"#!/bin/sh\n"
	"# Runs one job of a sweep. $1: the lockstep program, $2: folder of the jobs, $3: list of jobs, one "
	"a line for each task.\n"
	"[ -d \"$2\" ] && job=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$3\") && [ -n \"$job\" ] ||\n"
	"\t{ echo \"$(hostname): task $SLURM_ARRAY_TASK_ID finds no job in $3\" >&2; exit 72; }\n"
	"while \"$1\" job \"$2/$job\"; status=$?; [ $status = 75 ]; do sleep 2; done\n"
	"exit $status\n";
_Static_assert(SLURM_NO_LIST == 72 && JOB_BUSY == 75, "as the script has them");

static char *batch_path(const struct slurm *s, const char *id, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/.slurm/%s%s%s", s->options.work, id, *name ? "/" : "", name) < 0)
		bug("out of memory");
	return path;
}

static bool write_batch_file(
	const struct slurm *s, const char *id, const char *name, const char *text, struct diag_list *diags)
{
	char *path = batch_path(s, id, name);
	bool fine = file_replace(path, text, strlen(text), diags);

	free(path);
	return fine;
}

static char *list_of(const char *const *jobs, uint32_t count)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (uint32_t i = 0; i < count; i++)
		fprintf(f, "%s\n", jobs[i]);
	fclose(f);
	return text;
}

/* A new folder with the list and the script; its ID. */
static bool make_folder(const struct slurm *s, const char *const *jobs, uint32_t count, char id[SLURM_ID],
	struct diag_list *diags)
{
	char *path = batch_path(s, "XXXXXX", ""), *list = list_of(jobs, count),
	     *parent = batch_path(s, "", "");
	bool fine = folder_make(parent, diags);

	if (fine && !mkdtemp(path)) {
		diag_error(diags, NULL, "%s: %s", parent, strerror(errno));
		fine = false;
	}
	memcpy(id, path + strlen(path) - (SLURM_ID - 1), SLURM_ID);
	fine = fine && write_batch_file(s, id, "jobs", list, diags) &&
		write_batch_file(s, id, "script", script, diags);
	free(parent);
	free(list);
	free(path);
	return fine;
}

static bool write_notes(const struct slurm *s, const char *const *jobs, uint32_t count, const char *id,
	struct diag_list *diags)
{
	for (uint32_t i = 0; i < count; i++) {
		char *folder = file_path(s->options.work, jobs[i]), *path = file_path(folder, "slurm");
		FILE *f = fopen(path, "w");
		bool fine = f && fprintf(f, "%s %u\n", id, i) > 0;

		if ((f && fclose(f)) || !fine) {
			diag_error(diags, NULL, "%s: %s", path, strerror(errno));
			fine = false;
		}
		free(path);
		free(folder);
		if (!fine)
			return false;
	}
	return true;
}

bool slurm_note_read(const struct slurm *s, const char *job, char id[SLURM_ID], uint32_t *task)
{
	char *folder = file_path(s->options.work, job), *path = file_path(folder, "slurm"),
	     *text = file_read(path, NULL);
	bool fine = text && sscanf(text, "%6s %u", id, task) == 2 && strlen(id) == SLURM_ID - 1;

	free(text);
	free(path);
	free(folder);
	return fine;
}

/* -- the call of sbatch -- */

struct words {
	char **items;
	size_t count;
};

static void __attribute__((format(printf, 2, 3))) add_formatted_word(struct words *w, const char *format, ...)
{
	va_list arguments;

	w->items = xrealloc(w->items, (w->count + 2) * sizeof(*w->items));
	va_start(arguments, format);
	if (vasprintf(&w->items[w->count++], format, arguments) < 0)
		bug("out of memory");
	va_end(arguments);
	w->items[w->count] = NULL;
}

/* `lockstep job` ends a job at its limits itself, and says so better: Slurm's are above them, by two minutes
 * at the least, as Slurm counts in minutes, and by room for `lockstep job` and the page cache. */
static void add_limits(struct words *w, const struct engine_options *o)
{
	if (o->seconds)
		add_formatted_word(w, "--time=%u", (o->seconds + 59) / 60 + 2);
	if (o->mebibytes)
		add_formatted_word(w, "--mem=%uM", o->mebibytes + o->mebibytes / 8 + 64);
}

/* The numbers of the arrays under way, as --dependency wants them; "": none. */
static char *earlier_arrays(const struct slurm *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (const struct slurm_batch *b = s->batches; b; b = b->next)
		if (b->open && b->array)
			fprintf(f, ":%u", b->array);
	fclose(f);
	return text;
}

/* Where the limit of jobs at a time could be passed, the array begins when those before it have ended: Slurm
 * has no such limit over several arrays. */
static void add_array(struct words *w, const struct slurm *s, uint32_t count)
{
	uint32_t at_once = s->options.at_once;
	char *earlier = earlier_arrays(s);

	if (at_once && count > at_once)
		add_formatted_word(w, "--array=0-%u%%%u", count - 1, at_once);
	else
		add_formatted_word(w, "--array=0-%u", count - 1);
	if (at_once && s->under_way + count > at_once && *earlier)
		add_formatted_word(w, "--dependency=afterany%s", earlier);
	free(earlier);
}

/* What the user says stands behind what he may change, and before what must be so. No requeuing by Slurm: the
 * sweep runs lost jobs again, in its limits, and keeps a record of every attempt. */
static struct words command_of(const struct slurm *s, uint32_t count, const char *id)
{
	char *log = batch_path(s, id, "log.txt"), *file = batch_path(s, id, "script"),
	     *list = batch_path(s, id, "jobs");
	struct words w = { 0 };

	add_formatted_word(&w, "sbatch");
	add_formatted_word(&w, "--no-requeue");
	add_formatted_word(&w, "--ntasks=1");
	add_limits(&w, &s->options);
	for (size_t i = 0; i < s->word_count; i++)
		add_formatted_word(&w, "%s", s->words[i]);
	add_formatted_word(&w, "--parsable");
	add_formatted_word(&w, "--job-name=%s%s", s->name, id);
	add_formatted_word(&w, "--output=%s", log);
	add_formatted_word(&w, "--error=%s", log);
	add_formatted_word(&w, "--open-mode=append");
	add_formatted_word(&w, "--chdir=%s", s->options.work);
	add_array(&w, s, count);
	add_formatted_word(&w, "%s", file);
	add_formatted_word(&w, "%s", s->options.self);
	add_formatted_word(&w, "%s", s->options.work);
	add_formatted_word(&w, "%s", list);
	free(log);
	free(file);
	free(list);
	return w;
}

static void words_free(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
}

/* sbatch may have been heard though it says that it got no answer. */
static uint32_t find_array(struct slurm *s, const char *id)
{
	if (!slurm_list(s, NULL))
		return 0;
	for (size_t i = 0; i < s->line_count; i++)
		if (!strcmp(s->lines[i].id, id))
			return s->lines[i].array;
	return 0;
}

static uint32_t call_sbatch(struct slurm *s, uint32_t count, const char *id, char **why)
{
	struct words w = command_of(s, count, id);
	struct capture c = capture_run((const char *const *)w.items, 5 * SLURM_SECONDS);
	uint32_t array = 0;

	if (c.status || sscanf(c.out, "%u", &array) != 1)
		array = find_array(s, id);
	if (!array && asprintf(why, "sbatch: %s", *c.err ? c.err : *c.out ? c.out : "no answer") < 0)
		bug("out of memory");
	capture_free(&c);
	words_free(&w);
	return array;
}

static struct slurm_batch *batch_new(
	struct slurm *s, const char *const *jobs, uint32_t count, const char *id, uint32_t array)
{
	struct slurm_batch *b = xcalloc(1, sizeof(*b));

	*b = (struct slurm_batch){
		.next = s->batches, .array = array, .count = count, .open = count, .seen = s->listing
	};
	memcpy(b->id, id, SLURM_ID);
	b->tasks = xcalloc(count, sizeof(*b->tasks));
	for (uint32_t i = 0; i < count; i++)
		b->tasks[i] = (struct slurm_task){ .job = jobs[i], .seen = s->listing };
	s->batches = b;
	s->under_way += count;
	return b;
}

struct slurm_batch *slurm_submit_array(struct slurm *s, const char *const *jobs, uint32_t count, char **why)
{
	struct diag_list diags;
	char id[SLURM_ID] = "";
	uint32_t array = 0;

	diag_init(&diags);
	if (make_folder(s, jobs, count, id, &diags) && write_notes(s, jobs, count, id, &diags))
		array = call_sbatch(s, count, id, why);
	else if (asprintf(why, "%s", diags.items[0].message) < 0)
		bug("out of memory");
	diag_fini(&diags);
	if (array)
		return batch_new(s, jobs, count, id, array);
	slurm_batch_clean(s, id);
	return NULL;
}

void slurm_batch_clean(const struct slurm *s, const char *id)
{
	char *log = batch_path(s, id, "log.txt"), *folder = batch_path(s, id, ""),
	     *parent = batch_path(s, "", "");
	struct stat status;

	if (strlen(id) == SLURM_ID - 1) {
		if (stat(log, &status) == 0 && status.st_size == 0)
			file_remove(folder, "log.txt");
		file_remove(folder, "jobs");
		file_remove(folder, "script");
		rmdir(folder);
		rmdir(parent);
	}
	free(log);
	free(folder);
	free(parent);
}

static bool is_listed(const struct slurm *s, const char *id)
{
	for (size_t i = 0; i < s->line_count; i++)
		if (!strcmp(s->lines[i].id, id))
			return true;
	return false;
}

void slurm_clean_old(const struct slurm *s)
{
	enum { HOUR = 3600 };
	char *parent = batch_path(s, "", "");
	DIR *folder = opendir(parent);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char *path = batch_path(s, entry->d_name, "jobs");
		struct stat status;

		if (stat(path, &status) == 0 && status.st_mtime < time(NULL) - HOUR &&
			!is_listed(s, entry->d_name))
			slurm_batch_clean(s, entry->d_name);
		free(path);
	}
	if (folder)
		closedir(folder);
	free(parent);
}
