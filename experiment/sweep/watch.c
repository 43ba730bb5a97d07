/* experiment/sweep/watch.c -- a sweep that is watched: see watch.h. The server's thread reads a text that the
 * sweep's own writes now and then. */
#include "experiment/sweep/watch.h"
#include "experiment/files.h"
#include "experiment/monitor/monitor.h"
#include "experiment/sweep/sweep_internal.h"
#include "sim/base/host_clock.h"
#include "sim/base/xalloc.h"
#include "sim/text/c_locale.h"
#include "sim/text/json.h"
#include <pthread.h>
#include <string.h>

#define MOST_SHOWN 200   /* jobs under way, and failures */
#define LOG_BYTES  16384 /* of a log, from its end */

struct sweep_watch {
	struct sweep *sweep;
	struct monitor *monitor;
	pthread_mutex_t lock; /* of the text and of failed jobs */
	char *text;
	struct watched_failure {
		char *name, *label, *why; /* name: of the job's folder */
	} * failures;
	size_t failure_count;
};

/* ---- the text ---- */

static void print_running(const struct sweep *s, FILE *f)
{
	size_t shown = 0;

	fputs(",\"running\":[", f);
	for (size_t i = 0; i < s->plan->job_count && shown < MOST_SHOWN; i++) {
		if (s->tasks[i].stage != UNDER_WAY)
			continue;
		fprintf(f, "%s{\"name\":", shown++ ? "," : "");
		json_string(s->plan->programs[s->plan->jobs[i].program].label, f);
		fprintf(f, ",\"seconds\":%.1f}", host_seconds() - s->tasks[i].since);
	}
	fputc(']', f);
}

static void print_failures(const struct sweep_watch *w, FILE *f)
{
	fputs(",\"failures\":[", f);
	for (size_t i = 0; i < w->failure_count && i < MOST_SHOWN; i++) {
		const struct watched_failure *failure = &w->failures[i];

		fprintf(f, "%s{\"name\":\"%s\",\"why\":", i ? "," : "", failure->name);
		json_string(failure->why, f);
		fputs(",\"label\":", f);
		json_string(failure->label, f);
		fputc('}', f);
	}
	fputc(']', f);
}

static void print_sweep(const struct sweep_watch *w, FILE *f)
{
	const struct sweep *s = w->sweep;
	locale_t before = c_locale_enter();

	fputs("{\"kind\":\"sweep\",\"name\":", f);
	json_string(s->plan->file->name, f);
	fprintf(f, ",\"jobs\":%zu,\"done\":%zu,\"failed\":%zu,\"ran\":%zu,\"seconds\":%.1f,\"ended\":%s",
		s->plan->job_count, s->counts->done, s->counts->failed, s->progress.ran,
		host_seconds() - s->progress.started, s->left ? "false" : "true");
	print_running(s, f);
	print_failures(w, f);
	fputc('}', f);
	c_locale_leave(before);
}

void sweep_watch_update(struct sweep_watch *w)
{
	char *text = NULL, *old;
	size_t size;
	FILE *f;

	if (!w)
		return;
	f = open_memstream(&text, &size);
	bug_if(!f, "out of memory");
	print_sweep(w, f);
	fclose(f);
	pthread_mutex_lock(&w->lock);
	old = w->text;
	w->text = text;
	pthread_mutex_unlock(&w->lock);
	free(old);
}

void sweep_watch_failed(struct sweep_watch *w, const char *name, const char *label, const char *why)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->failures = xrealloc(w->failures, (w->failure_count + 1) * sizeof(*w->failures));
	w->failures[w->failure_count++] =
		(struct watched_failure){ xstrdup(name), xstrdup(label), xstrdup(why) };
	pthread_mutex_unlock(&w->lock);
}

/* ---- the server's thread ---- */

static void show_text(void *user, FILE *f)
{
	struct sweep_watch *w = user;

	pthread_mutex_lock(&w->lock);
	fputs(w->text, f);
	pthread_mutex_unlock(&w->lock);
}

static bool no_command(void *user, const char *command)
{
	return false;
}

static char *end_of_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text;
	size_t count;

	if (!f)
		return NULL;
	if (fseek(f, -LOG_BYTES, SEEK_END)) /* it is shorter */
		rewind(f);
	text = xcalloc(LOG_BYTES + 1, 1);
	count = fread(text, 1, LOG_BYTES, f);
	text[count] = '\0';
	fclose(f);
	return text;
}

/* The log of a failed job, by the name of its folder, and of nothing else. */
static char *log_of(void *user, const char *name)
{
	struct sweep_watch *w = user;
	char *folder = NULL, *path, *text;

	pthread_mutex_lock(&w->lock);
	for (size_t i = 0; i < w->failure_count && !folder; i++)
		if (!strcmp(w->failures[i].name, name))
			folder = file_path(w->sweep->options->work, w->failures[i].name);
	pthread_mutex_unlock(&w->lock);
	if (!folder)
		return NULL;
	path = file_path(folder, "log.txt");
	text = end_of_file(path);
	free(path);
	free(folder);
	return text;
}

/* ---- from beginning to end ---- */

struct sweep_watch *sweep_watch_start(struct sweep *s, const char *port, struct diag_list *diags)
{
	struct sweep_watch *w = xcalloc(1, sizeof(*w));
	const struct monitor_subject subject = { show_text, no_command, log_of, w };

	w->sweep = s;
	pthread_mutex_init(&w->lock, NULL);
	sweep_watch_update(w);
	w->monitor = monitor_start(port, &subject, diags);
	if (w->monitor)
		return w;
	sweep_watch_stop(w);
	return NULL;
}

void sweep_watch_stop(struct sweep_watch *w)
{
	if (!w)
		return;
	monitor_stop(w->monitor);
	for (size_t i = 0; i < w->failure_count; i++) {
		free(w->failures[i].name);
		free(w->failures[i].label);
		free(w->failures[i].why);
	}
	free(w->failures);
	free(w->text);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
