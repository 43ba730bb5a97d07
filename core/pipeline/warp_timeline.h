/* core/pipeline/warp_timeline.h -- what each warp of an SM did and waited for in a range of cycles, and where
 * its memory requests were: the detail of a timeline (core/observe/timeline.h, observe.timeline.detail).
 *
 * A record is made when its end is known. Records stay in memory until the timeline takes them at the end of
 * the run, so their number is bounded; those beyond are only counted. */
#ifndef CORE_PIPELINE_WARP_TIMELINE_H
#define CORE_PIPELINE_WARP_TIMELINE_H

#include "core/sm/sm.h"
#include "sim/event/packet.h"

struct warp_timeline;

enum warp_record_kind {
	WARP_ISSUED,  /* an instruction issued, in one cycle */
	WARP_WAITED,  /* for `cause` */
	WARP_CTA_WAS, /* a warp was in the slot */
};

struct warp_record {
	cycles begin, end;  /* `end` is the first cycle behind it */
	uint32_t launch;    /* number of the kernel launch */
	uint32_t uop;       /* WARP_ISSUED: the micro-operation; WARP_WAITED: the next one of the warp */
	uint32_t cta, warp; /* the CTA's number in its grid, the warp's in its CTA */
	uint32_t lanes;     /* WARP_ISSUED: that executed it, as a mask */
	uint16_t slot;
	uint8_t kind, cause; /* enum warp_record_kind, enum slot_cause */
};

/* A request beyond the L1, whose reply has come. */
struct request_record {
	picoseconds at[AT_COUNT];    /* by enum packet_timestamp; 0: it did not pass this stage */
	picoseconds issued, replied; /* issued: its instruction; 0: it has none */
	addr address;
	uint32_t launch, uop;
	uint16_t slot, bytes;
	uint8_t kind, unit; /* enum packet_kind, enum packet_unit */
};

/* From now on the SM makes records of cycles from `first` up to `last`, exclusive; at most so many of each of
 * the two kinds. */
void warp_timeline_new(struct sm *sm, cycles first, cycles last, uint64_t most);
/* The last records are made, at the present cycle, and no more. */
void warp_timeline_end(struct sm *sm, cycles now);
void warp_timeline_free(struct warp_timeline *timeline);

/* All instructions that issued before this cycle have records; SIM_NEVER: none is lost. */
cycles warp_timeline_complete(const struct warp_timeline *timeline);
/* In the order in which they ended; *count of them, *lost further ones. */
const struct warp_record *warp_timeline_records(
	const struct warp_timeline *timeline, uint64_t *count, uint64_t *lost);
const struct request_record *warp_timeline_requests(
	const struct warp_timeline *timeline, uint64_t *count, uint64_t *lost);

/* As those of role_observer.h. A timeline that is NULL is skipped, but by warp_timeline_issued. */
void warp_timeline_pass(struct sm *sm, cycles until);
void warp_timeline_issued(struct sm *sm, uint32_t slot, lane_mask mask, cycles now);
void warp_timeline_started(struct sm *sm, uint32_t slot);
void warp_timeline_ended(struct sm *sm, uint32_t slot);
/* A reply is about to be delivered. */
void warp_timeline_reply(struct sm *sm, const struct packet *p);

#endif
