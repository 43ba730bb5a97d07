/* host/session/session_progress.c -- the terminal: a line that changes while a kernel runs. */
#include "host/session/session_internal.h"
#include "sim/base/host_clock.h"
#include "sim/text/c_locale.h"
#include "sim/text/demangle.h"
#include "sim/text/terminal.h"

#include <unistd.h>

#define LIVE_PERIOD 0.25 /* seconds */
#define LEAST_NAME  16   /* bytes of a kernel's name that are always shown */

void progress_clear(struct session *s)
{
	if (s->progress.is_shown)
		fputs("\r\033[K", stderr);
	s->progress.is_shown = false;
}

/* What matters most comes first: the end is left out on a narrow terminal. */
static void live_print(FILE *f, const struct gpu_progress *p, int width)
{
	double rate = p->host_seconds > 0 ? (double)p->thread_instructions / p->host_seconds : 0;
	char name[256];

	demangle_short(p->launch->kernel->name, name,
		width > 3 * LEAST_NAME && width / 3 < (int)sizeof name ? (size_t)width / 3 : LEAST_NAME);
	fprintf(f, "lockstep: kernel %llu %s: ", (unsigned long long)p->id, name);
	if (p->ctas_done)
		fprintf(f, "CTA %llu of %llu", (unsigned long long)p->ctas_done,
			(unsigned long long)p->ctas_total);
	else /* as of one whose CTAs work until there is nothing left to do */
		fprintf(f, "%.1f M instructions, none of %llu CTAs has ended",
			(double)p->thread_instructions / 1e6, (unsigned long long)p->ctas_total);
	if (p->ctas_done)
		fprintf(f, ", about %.0f s left",
			p->host_seconds * (double)(p->ctas_total - p->ctas_done) / (double)p->ctas_done);
	if (p->core_cycles)
		fprintf(f, ", IPC %.1f", (double)p->thread_instructions / (double)p->core_cycles);
	fprintf(f, ", %.1f M instructions/s", rate / 1e6);
	if (p->core_cycles)
		fprintf(f, ", %llu cycles", (unsigned long long)p->core_cycles);
	if (p->running > 1)
		fprintf(f, " (and %u more kernels)", p->running - 1);
}

static void live_show(struct session *s, const struct gpu_progress *p)
{
	int width = terminal_width(STDERR_FILENO);
	char line[512];
	FILE *f = fmemopen(line, sizeof line, "w");

	bug_if(!f, "out of memory");
	live_print(f, p, width ? width : (int)sizeof line);
	fclose(f);
	/* a line that fills the last column would wrap on some terminals */
	fprintf(stderr, "\r\033[K%.*s", width ? width - 1 : (int)sizeof line, line);
	fflush(stderr);
	s->progress.is_shown = true;
}

static bool on_progress(void *user, const struct gpu_progress *p)
{
	struct session *s = user;

	if (s->progress.is_live && host_seconds() >= s->progress.next) {
		locale_t before = c_locale_enter();
		live_show(s, p);
		c_locale_leave(before);
		s->progress.next = host_seconds() + LIVE_PERIOD;
	}
	if (s->monitor)
		session_monitor_write(s, false);
	return !session_interrupted();
}

void progress_begin(struct session *s)
{
	if (s->progress.kernels++)
		return;
	s->progress.is_live = !s->is_quiet && isatty(STDERR_FILENO);
	s->progress.next = host_seconds() + LIVE_PERIOD;
	gpu_set_progress(s->gpu, on_progress, s);
}

void progress_end(struct session *s)
{
	if (--s->progress.kernels)
		return;
	gpu_set_progress(s->gpu, NULL, NULL);
	progress_clear(s);
}
