/* tests/slurm/drive.c -- an engine driven by hand: what `lockstep sweep` does with it, one step at a time.
 *
 *   drive [-e ENGINE] [-j N] [-t SECONDS] [-m MIB] [-o ENGINE-OPTIONS] LOCKSTEP WORK STEP... : JOB... WORD
 *
 * Steps, in order: prepare (JOB runs `/bin/sh -c WORD`; the same for all), submit, adopt, wait (until all
 * have ended; prints "JOB OUTCOME STATUS MESSAGE" for each), cancel, close. JOB may be NAME*N: NAME0 to
 * NAME(N-1). */
#include "experiment/engine/engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 4096 };

struct drive {
	struct engine_options options;
	const struct engine_class *class;
	struct engine *engine;
	struct diag_list diags;
	char *jobs[MOST];
	size_t count, under_way;
	char **words; /* of each job's command */
	struct job_limits limits;
};

static void fail(struct drive *d, const char *what)
{
	diag_print(&d->diags, stdout);
	printf("failed: %s\n", what);
	exit(1);
}

static void prepare(struct drive *d)
{
	for (size_t i = 0; i < d->count; i++) {
		char *folder = NULL;

		if (asprintf(&folder, "%s/%s", d->options.work, d->jobs[i]) < 0 ||
			job_prepare(folder, d->words, NULL, d->limits, &d->diags) != JOB_READY)
			fail(d, "prepare");
		free(folder);
	}
}

static void submit(struct drive *d)
{
	for (size_t done = 0; done < d->count;) {
		size_t room = d->class->room(d->engine),
		       some = d->count - done < room ? d->count - done : room, submitted;

		if (!some)
			fail(d, "no room");
		if (!d->class->submit(
			    d->engine, (const char *const *)d->jobs + done, some, &submitted, &d->diags))
			fail(d, "submit");
		done += submitted;
		d->under_way += submitted;
	}
}

static void adopt(struct drive *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		n += d->class->reattach(d->engine, d->jobs[i]);
	printf("adopted %zu\n", n);
	d->under_way += n;
}

static void wait_all(struct drive *d)
{
	while (d->under_way) {
		const char *ended[16];
		size_t n = d->class->poll(d->engine, 200, ended, 16);

		for (size_t i = 0; i < n; i++) {
			struct job_result r;

			d->class->collect(d->engine, ended[i], &r);
			printf("%s %s %d %s\n", ended[i], job_outcome_names[r.outcome], r.status, r.message);
		}
		fflush(stdout);
		d->under_way -= n;
	}
}

static void step(struct drive *d, const char *name)
{
	if (!strcmp(name, "prepare")) {
		prepare(d);
		return;
	}
	if (!d->engine && !(d->engine = d->class->open(&d->options, &d->diags)))
		fail(d, "open");
	if (!strcmp(name, "submit"))
		submit(d);
	else if (!strcmp(name, "adopt"))
		adopt(d);
	else if (!strcmp(name, "wait"))
		wait_all(d);
	else if (!strcmp(name, "cancel"))
		d->class->cancel(d->engine);
	else if (!strcmp(name, "close"))
		d->class->close(d->engine);
	else
		fail(d, name);
	if (!strcmp(name, "close"))
		d->engine = NULL;
}

static void take_job(struct drive *d, char *name)
{
	char *star = strchr(name, '*');
	size_t count = star ? strtoul(star + 1, NULL, 10) : 1;

	for (size_t i = 0; i < count && d->count < MOST; i++)
		if (asprintf(&d->jobs[d->count++], star ? "%.*s%zu" : "%.*s",
			    (int)(star ? star - name : (long)strlen(name)), name, i) < 0)
			exit(1);
}

static void take_options(struct drive *d, int argc, char **argv)
{
	const char *engine = "slurm";
	int c;

	while ((c = getopt(argc, argv, "+e:j:t:m:o:")) != -1) {
		if (c == 'e')
			engine = optarg;
		else if (c == 'j')
			d->options.at_once = (uint32_t)atoi(optarg);
		else if (c == 't')
			d->options.seconds = d->limits.seconds = (uint32_t)atoi(optarg);
		else if (c == 'm')
			d->options.mebibytes = d->limits.mebibytes = (uint32_t)atoi(optarg);
		else if (c == 'o')
			d->options.arguments = optarg;
	}
	d->class = engine_find(engine);
	if (!d->class || argc - optind < 4)
		fail(d, "usage");
	d->options.self = realpath(argv[optind], NULL);
	d->options.work = realpath(argv[optind + 1], NULL);
}

int main(int argc, char **argv)
{
	static struct drive d;
	static char *words[] = { "/bin/sh", "-c", NULL, NULL };
	int colon;

	diag_init(&d.diags);
	take_options(&d, argc, argv);
	for (colon = optind + 2; colon < argc && strcmp(argv[colon], ":"); colon++)
		;
	if (colon + 2 >= argc)
		fail(&d, "usage");
	for (int i = colon + 1; i < argc - 1; i++)
		take_job(&d, argv[i]);
	words[2] = argv[argc - 1];
	d.words = words;
	for (int i = optind + 2; i < colon; i++)
		step(&d, argv[i]);
	diag_print(&d.diags, stdout);
	return 0;
}
