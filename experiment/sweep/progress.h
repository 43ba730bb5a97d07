/* experiment/sweep/progress.h -- how far a sweep is, on the terminal, with an estimate of what is left. */
#ifndef EXPERIMENT_SWEEP_PROGRESS_H
#define EXPERIMENT_SWEEP_PROGRESS_H

#include "sim/base/types.h"

struct sweep_progress {
	size_t jobs, ended, before; /* before: ended when it began */
	bool is_live, is_quiet, is_shown;
	double started, next;
	size_t ran;
};

void sweep_progress_begin(struct sweep_progress *p, size_t jobs, size_t ended, bool quiet);
void sweep_progress_ended(struct sweep_progress *p, bool ran);
/* At most a few times a second on a terminal, once in a while elsewhere. */
void sweep_progress_show(struct sweep_progress *p);
/* A line that stays. */
void sweep_progress_say(struct sweep_progress *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sweep_progress_end(struct sweep_progress *p);

#endif
