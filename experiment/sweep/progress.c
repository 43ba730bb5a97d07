/* experiment/sweep/progress.c -- a line that changes on a terminal, a line every half minute elsewhere. */
#include "experiment/sweep/progress.h"
#include "sim/base/host_clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LIVE_PERIOD 0.2 /* seconds */
#define LOG_PERIOD  30.0

void sweep_progress_begin(struct sweep_progress *p, size_t jobs, size_t ended, bool quiet)
{
	*p = (struct sweep_progress){ .jobs = jobs,
		.ended = ended,
		.before = ended,
		.is_quiet = quiet,
		.is_live = isatty(STDERR_FILENO),
		.started = host_seconds() };
	p->next = p->started + (p->is_live ? 0 : LOG_PERIOD);
}

void sweep_progress_ended(struct sweep_progress *p, bool ran)
{
	p->ended++;
	p->ran += ran;
}

static void print_time(double seconds)
{
	if (seconds >= 5400)
		fprintf(stderr, "%.1f h", seconds / 3600);
	else if (seconds >= 90)
		fprintf(stderr, "%.0f min", seconds / 60);
	else
		fprintf(stderr, "%.0f s", seconds);
}

/* What is left takes as long as what has been done: by the clock, so that jobs side by side need not be
 * counted. */
static void print_progress_line(const struct sweep_progress *p)
{
	double elapsed = host_seconds() - p->started;

	fprintf(stderr, "sweep: %zu of %zu jobs", p->ended, p->jobs);
	if (p->ran >= 2) {
		fputs(", about ", stderr);
		print_time(elapsed / (double)p->ran * (double)(p->jobs - p->ended));
		fputs(" left", stderr);
	}
}

void sweep_progress_show(struct sweep_progress *p)
{
	if (p->is_quiet || host_seconds() < p->next)
		return;
	p->next = host_seconds() + (p->is_live ? LIVE_PERIOD : LOG_PERIOD);
	if (p->is_live)
		fputs("\r\033[K", stderr);
	print_progress_line(p);
	if (!p->is_live)
		fputc('\n', stderr);
	p->is_shown = p->is_live;
	fflush(stderr);
}

static void clear_line(struct sweep_progress *p)
{
	if (p->is_shown)
		fputs("\r\033[K", stderr);
	p->is_shown = false;
}

void sweep_progress_say(struct sweep_progress *p, const char *format, ...)
{
	va_list ap;

	clear_line(p);
	fputs("sweep: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void sweep_progress_end(struct sweep_progress *p)
{
	clear_line(p);
}
