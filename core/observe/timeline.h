/* core/observe/timeline.h -- what happened when, in simulated time, as a file for viewers
 * (docs/user/timeline.md): kernels and copies by stream, CTAs by SM, counters by window of cycles, and in a
 * range of cycles the warps of some SMs with their instructions, waits and memory requests.
 *
 * It only looks: statistics are the same with it. */
#ifndef CORE_OBSERVE_TIMELINE_H
#define CORE_OBSERVE_TIMELINE_H

#include "core/observe/trace_events.h"
#include "sim/config/config.h"

struct chip;
struct kernel_run;
struct launch;
struct series;
struct sm;
struct timeline;

struct timeline_config {
	uint64_t period, limit; /* core cycles; events of each kind */
	const char *statistics; /* as sim/stats/stat_select.h reads them */
	const char *detail;     /* power,sm=N-M,cycles=A:B; empty: none */
};
extern const struct sim_param timeline_params[];

/* What observe.timeline.detail says; last_sm, last_cycle: inclusive, exclusive. */
struct timeline_detail {
	bool is_wanted; /* of warps */
	bool power;     /* counters by SM, L2 slice and DRAM channel */
	uint32_t first_sm, last_sm;
	cycles first_cycle, last_cycle;
};
/* Of a machine with so many SMs. false, with a diagnostic at the parameter's place, if it cannot be read. */
bool timeline_detail_read(struct timeline_detail *detail, const struct timeline_config *timeline,
	uint32_t sms, struct config *config, struct diag_list *diags);

/* A slice of the timeline, from which arrows can go. */
struct timeline_slice {
	struct trace_track track;
	picoseconds begin, end; /* end 0: there is none */
};

/* Begins the file, which is the caller's, and lets the machine's SMs and series (the list of series.h) tell
 * what they do. title: of the run. NULL, with diagnostics, if names of statistics are wrong. */
struct timeline *timeline_new(struct chip *chip, struct series **series, const struct timeline_config *config,
	FILE *file, const char *title, struct config *all, struct diag_list *diags);
/* The last events; the file is whole. Prints what was left out, if anything, as a line on stderr. */
void timeline_end(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/* In all that follows timeline may be NULL. In the commit phase: */
void timeline_cta_started(struct timeline *timeline, const struct sm *sm, uint32_t place, cycles now);
/* why: what it goes on as, "without timing"; NULL: it has ended. */
void timeline_cta_ended(
	struct timeline *timeline, const struct sm *sm, uint32_t place, const char *why, cycles now);
/* A kernel with timing begins: its PTX is in the file, if there is detail. */
void timeline_kernel_started(struct timeline *timeline, const struct kernel_run *run);

/* Work of a stream that has ended: a slice on one of the stream's tracks. members: JSON members of its
 * arguments. */
struct timeline_slice timeline_stream_slice(struct timeline *timeline, uint32_t stream, const char *category,
	const char *name, picoseconds begin, picoseconds end, const char *members);
/* Something in a stream that takes no simulated time. */
void timeline_stream_instant(
	struct timeline *timeline, uint32_t stream, const char *category, const char *name, picoseconds at);
/* The second could start only when the first had ended. */
void timeline_dependency(
	struct timeline *timeline, const struct timeline_slice *first, const struct timeline_slice *second);

#endif
