/* host/session/session_monitor.c -- a run that is watched: what the machine is at, in a file that `lockstep
 * run
 * --monitor` shows (experiment/monitor). It is written anew now and then, and takes its name when it is
 * whole. Nothing of it reaches the simulation. */
#include "host/session/session_internal.h"
#include "sim/base/host_clock.h"
#include "sim/text/c_locale.h"
#include <inttypes.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#define PERIOD 0.5 /* seconds of the host */

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void session_monitor_write(struct session *s, bool has_ended)
{
	char path[PATH_MAX], fresh[PATH_MAX + 8];
	double now = host_seconds();
	locale_t before;
	FILE *f;

	if (!s->monitor || (now < s->monitor_next && !has_ended))
		return;
	s->monitor_next = now + PERIOD;
	snprintf(path, sizeof path, "%s.%d", s->monitor, (int)getpid());
	snprintf(fresh, sizeof fresh, "%s.new", path);
	f = fopen(fresh, "we");
	if (!f)
		return;
	before = c_locale_enter();
	fprintf(f, "{\"process\":%d,\"ended\":%s,\"seconds\":%.3f,\"machine\":", (int)getpid(),
		has_ended ? "true" : "false", processor_seconds());
	gpu_print_monitor(s->gpu, f);
	fputs("}\n", f);
	c_locale_leave(before);
	if (!fclose(f))
		rename(fresh, path);
}
