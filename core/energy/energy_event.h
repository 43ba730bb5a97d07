/* core/energy/energy_event.h -- the events of coefficients: statistics by name, joined by + and -. */
#ifndef CORE_ENERGY_ENERGY_EVENT_H
#define CORE_ENERGY_ENERGY_EVENT_H

#include "core/energy/coefficients.h"
#include "sim/stats/stat_members.h"
#include "sim/stats/stat_select.h"

struct energy_term {
	struct stat_members *members; /* a counter, object by object; NULL: no counter, such as a ratio */
	size_t number;                /* then: in the selection */
	bool is_negative;
};

struct energy_event {
	struct energy_term *terms;
	size_t count;
	double sum;    /* since the beginning */
	double chosen; /* the part of it that comes from the selection */
};

struct energy_events {
	struct energy_event *of; /* of each coefficient */
	size_t count;
	struct stat_selection *selection; /* of terms that are no counters; NULL: there are none */
};

/* Finds the statistics of all coefficients that have an event. False, with diagnostics at their lines of the
 * file: a name is no statistic (and not optional), or stands for several numbers. */
bool energy_events_find(struct energy_events *events, const struct coefficients *model,
	const struct stat_tree *tree, struct diag_list *diags);
void energy_events_free(struct energy_events *events);
/* Brings the sums up to date. */
void energy_events_step(struct energy_events *events);

#endif
