/* host/session/session_progress.c -- the terminal: a line that changes while a kernel runs, a line that stays
 * when it ends. */
#include "host/session/session_internal.h"
#include "sim/base/c_locale.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#define LIVE_PERIOD 0.25 /* seconds */

static double host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_extent(FILE *stream, const uint32_t extent[3])
{
	fprintf(stream, "(%u", extent[0]);
	if (extent[1] > 1 || extent[2] > 1)
		fprintf(stream, ",%u", extent[1]);
	if (extent[2] > 1)
		fprintf(stream, ",%u", extent[2]);
	fputc(')', stream);
}

void session_print_launch(FILE *stream, const struct launch *launch)
{
	fputs("<<<", stream);
	print_extent(stream, launch->grid);
	fputc(',', stream);
	print_extent(stream, launch->block);
	fputs(">>>", stream);
}

void progress_clear(struct session *s)
{
	if (s->progress.is_shown)
		fputs("\r\033[K", stderr);
	s->progress.is_shown = false;
}

static void live_show(struct session *s, const struct gpu_progress *p)
{
	double rate = p->host_seconds > 0 ? (double)p->thread_instructions / p->host_seconds : 0;

	fprintf(stderr, "\r\033[Klockstep: kernel %llu %s: CTA %llu of %llu", (unsigned long long)p->id,
		p->launch->kernel->name, (unsigned long long)p->ctas_done, (unsigned long long)p->ctas_total);
	if (p->running > 1)
		fprintf(stderr, " (and %u more kernels)", p->running - 1);
	if (p->core_cycles)
		fprintf(stderr, ", %llu cycles, IPC %.1f", (unsigned long long)p->core_cycles,
			(double)p->thread_instructions / (double)p->core_cycles);
	fprintf(stderr, ", %.1f M instructions/s", rate / 1e6);
	if (p->ctas_done)
		fprintf(stderr, ", about %.0f s left",
			p->host_seconds * (double)(p->ctas_total - p->ctas_done) / (double)p->ctas_done);
	fflush(stderr);
	s->progress.is_shown = true;
}

static bool on_progress(void *user, const struct gpu_progress *p)
{
	struct session *s = user;

	if (s->progress.is_live && host_now() >= s->progress.next) {
		locale_t before = c_locale_enter();
		live_show(s, p);
		c_locale_leave(before);
		s->progress.next = host_now() + LIVE_PERIOD;
	}
	return !session_interrupted();
}

void progress_begin(struct session *s)
{
	if (s->progress.kernels++)
		return;
	s->progress.is_live = !s->is_quiet && isatty(STDERR_FILENO);
	s->progress.next = host_now() + LIVE_PERIOD;
	gpu_set_progress(s->gpu, on_progress, s);
}

void progress_end(struct session *s)
{
	if (--s->progress.kernels)
		return;
	gpu_set_progress(s->gpu, NULL, NULL);
	progress_clear(s);
}

static void print_timing(
	const struct session *s, const struct launch_result *r, const struct stat_snapshot *since)
{
	const struct kernel_stats *own = &r->stats;
	double loads = (double)(own->l1_hits + own->l1_misses + own->l1_merged);
	double bytes = stat_value(gpu_stats(s->gpu), since, "dram.bytes");
	cycles timed = r->core_cycles - own->drain_cycles;

	fprintf(stderr, ", %llu cycles, IPC %.1f", (unsigned long long)r->core_cycles,
		timed ? (double)r->thread_instructions / (double)timed : 0.0);
	if (loads > 0)
		fprintf(stderr, ", L1 miss %.1f %%", 100 * (double)own->l1_misses / loads);
	if (!isnan(bytes) && r->end > r->start)
		fprintf(stderr, ", DRAM %.1f GB/s", 1000 * bytes / (double)(r->end - r->start));
}

/* Where the timing of the kernel ended, and what was executed without timing. */
static void print_untimed(const struct launch_result *r)
{
	const struct kernel_stats *own = &r->stats;
	unsigned long long at[TIMING_LIMITS] = { [TIMING_LIMIT_INSTRUCTIONS] = own->thread_instructions,
		[TIMING_LIMIT_CYCLES] = own->cycles - own->drain_cycles - own->launch_cycles,
		[TIMING_LIMIT_CTAS] = own->ctas,
		[TIMING_LIMIT_RUN] = own->thread_instructions };
	static const char *const what[TIMING_LIMITS] = { "thread-instructions", "cycles", "CTAs",
		"thread-instructions, the last of the run" };

	if (r->timing_limit != TIMING_LIMIT_NONE && !r->is_untimed)
		fprintf(stderr, ", timing ended after %llu %s", at[r->timing_limit], what[r->timing_limit]);
	if (own->untimed_ctas && !r->is_untimed)
		fprintf(stderr, ", %llu CTAs ended and %llu thread-instructions were executed without timing",
			(unsigned long long)own->untimed_ctas,
			(unsigned long long)own->untimed_thread_instructions);
}

void progress_line(const struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct stat_snapshot *since)
{
	static const char *const outcomes[] = { "", " (fault)", " (interrupted)" };
	uint64_t ctas = r->is_untimed ? r->stats.untimed_ctas : r->ctas;
	uint64_t instructions = r->is_untimed ? r->stats.untimed_thread_instructions : r->thread_instructions;
	const char *untimed = !r->is_untimed           ? ""
		: r->timing_limit == TIMING_LIMIT_NONE ? "warm-up, "
						       : "not timed, ";
	locale_t before = c_locale_enter();

	fflush(stdout);
	fprintf(stderr, "lockstep: kernel %llu %s ", (unsigned long long)r->id, launch->kernel->name);
	session_print_launch(stderr, launch);
	fprintf(stderr, "%s: %s%llu CTAs", outcomes[r->outcome], untimed, (unsigned long long)ctas);
	if (!s->is_functional && !r->is_untimed)
		print_timing(s, r, since);
	fprintf(stderr, ", %llu thread-instructions in %.*f s", (unsigned long long)instructions,
		r->host_seconds < 1 ? 4 : 1, r->host_seconds);
	if (r->host_seconds > 0)
		fprintf(stderr, " (%.1f M/s)", (double)instructions / r->host_seconds / 1e6);
	print_untimed(r);
	fputc('\n', stderr);
	c_locale_leave(before);
}
