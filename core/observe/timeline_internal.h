/* core/observe/timeline_internal.h -- a timeline as its own files see it. */
#ifndef CORE_OBSERVE_TIMELINE_INTERNAL_H
#define CORE_OBSERVE_TIMELINE_INTERNAL_H

#include "core/kernel/kernel_run.h"
#include "core/observe/timeline.h"

enum timeline_kind {
	TIMELINE_STREAMS,
	TIMELINE_COUNTERS, /* windows */
	TIMELINE_CTAS,
	TIMELINE_WARPS,
	TIMELINE_REQUESTS,
	TIMELINE_KINDS
};

/* Slices that overlap stand on tracks side by side: the end of the last slice of each. */
struct timeline_rows {
	picoseconds *ends;
	uint32_t count;
};
/* The first that is free from `begin` on; slices come in the order of their ends. */
uint32_t timeline_free_row(struct timeline_rows *rows, picoseconds begin, picoseconds end);

struct stream_tracks {
	struct stream_tracks *next;
	uint32_t stream, track_count;
	struct timeline_rows rows;
	struct trace_track *tracks;
};

/* Processes and threads of the format: SM n is process TIMELINE_SM + n; its tracks begin at these numbers. */
enum { TIMELINE_SM = 10 };
#define SM_TRACKS_OF_A_KIND 1024
#define TIMELINE_MOST_CTAS  64 /* sm.max_ctas is no more */
enum sm_tracks {
	SM_CTAS = 0,
	SM_WARPS = SM_TRACKS_OF_A_KIND,
	SM_REQUESTS = 2 * SM_TRACKS_OF_A_KIND,
	SM_TRACKS = SM_REQUESTS + 8192 /* 32 bytes each fill shared memory: copies may all be under way */
};

struct timeline_cta {
	picoseconds begin;
	uint64_t number, launch;
	const char *kernel;
	bool is_there;
};

struct timeline_sm {
	bool is_named;
	uint64_t tracks_named[SM_TRACKS / 64];
	struct timeline_cta ctas[TIMELINE_MOST_CTAS];
};

struct timeline {
	struct chip *chip;
	struct timeline_config config;
	struct trace_events events;
	struct timeline_detail detail;
	struct series **series, *counters;
	const struct stat_selection *values; /* of the counters */
	picoseconds counted_until;
	bool *had_value;            /* by statistic: in the window before it was not 0 */
	cycles first_cta, last_cta; /* when the first started and the last ended */
	struct stream_tracks *streams;
	uint32_t stream_tracks;
	uint64_t flows;
	struct timeline_sm *sms;
	struct {
		uint64_t written, lost;
	} counts[TIMELINE_KINDS];
	struct timeline_code *codes; /* timeline_detail.c */
	struct timeline_source *sources;
	struct {
		uint64_t launch;
		const struct timeline_code *code;
	} * launches;
	uint64_t launch_count, launch_capacity, launch_found; /* launch_found: the last that was looked up */
};

/* Whether one more event of the kind is to be written; both answers are counted. */
bool timeline_has_room(struct timeline *timeline, enum timeline_kind kind);
/* A track of an SM, which gets its name when it is first asked for. */
struct trace_track timeline_sm_track(
	struct timeline *timeline, uint32_t sm, const char *name, enum sm_tracks kind, uint32_t number);

/* timeline_detail.c */
void timeline_detail_begin(struct timeline *timeline);
void timeline_detail_end(struct timeline *timeline);
void timeline_detail_free(struct timeline *timeline);
void timeline_detail_sources(const struct timeline *timeline, FILE *file); /* a JSON member */

#endif
