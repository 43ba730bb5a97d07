/* host/session/session_counters.c -- what the machine counts during a launch: the difference of its counters
 * at the end of the launch and at its start. Between a launch and the next one nothing is counted as long as
 * no time passes, so that the counters at the end of the one are often those at the start of the other. */
#include "host/session/session_internal.h"

/* Takes the counters, unless they are known. */
static void take_session_counters(struct session *s)
{
	struct session_counters *c = &s->counters;

	if (!c->is_valid || c->time != gpu_now(s->gpu))
		stat_vector_take(&c->machine, gpu_stats(s->gpu));
	c->time = gpu_now(s->gpu);
}

void counters_begin(struct session *s, const struct launch *launch, struct session_kernel *kernel)
{
	bool has_line = !s->is_quiet && launches_has_line(s, launch->kernel->name);
	struct session_counters *c = &s->counters;

	if (!s->is_functional && (s->output.folder || has_line)) {
		take_session_counters(s);
		kernel->counted = c->machine;
		c->machine = c->spare;
		c->spare = (struct stat_vector){ 0 };
	}
	c->is_valid = false;
}

void counters_end(struct session *s, struct session_kernel *kernel)
{
	if (!kernel->counted.count)
		return;
	s->counters.is_valid = false;
	take_session_counters(s);
	stat_vector_since(&kernel->counted, &s->counters.machine);
	s->counters.is_valid = !s->kernels;
}

void counters_release(struct session *s, struct session_kernel *kernel)
{
	stat_vector_free(&s->counters.spare);
	s->counters.spare = kernel->counted;
}
