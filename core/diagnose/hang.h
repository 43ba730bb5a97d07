/* core/diagnose/hang.h -- the report of a kernel that cannot go on, or has not ended in time: CTA by CTA, who
 * waits where on what, and who waits for whom. The same with timing and without. */
#ifndef CORE_DIAGNOSE_HANG_H
#define CORE_DIAGNOSE_HANG_H

#include "core/exec/device_fault.h"
#include "core/simt/warp.h"

#define HANG_CTAS  16
#define HANG_LINES 24 /* PTX lines quoted at most */

/* What a warp that does not wait at a barrier waits on in the machine; "": nothing. */
typedef void (*hang_reason)(void *machine, const struct warp *w, char *text, size_t size);

struct hang_report {
	struct device_fault *fault;
	hang_reason reason; /* or NULL */
	void *machine;
	uint32_t groups; /* of warps, described */
	uint32_t chains;
	uint64_t more_ctas, more_warps; /* left out: */
	bool differ;                    /* not only because the same has been said of another CTA */
	uint64_t pictures[HANG_CTAS];   /* what was said of CTAs (hashes) */
	uint32_t picture_count;
	uint32_t quoted[HANG_LINES], quoted_count;
};

/* fault->kind is set; its text is empty or the beginning of the report (fault_begin_limit). */
void hang_begin(struct hang_report *r, struct device_fault *fault, hang_reason reason, void *machine);
/* The warps of a CTA that have not exited. CTAs like one that was shown, and those beyond a number of lines,
 * are counted. */
void hang_add_cta(struct hang_report *r, const struct cta *cta);
/* CTAs of the kernel that have not started. */
void hang_add_unstarted(struct hang_report *r, const struct kernel_run *run);
void hang_end(struct hang_report *r);

/* The first line of the text: "FILE:LINE: device fault: KIND: WHAT (kernel NAME)", at the location of warp w.
 */
void hang_headline(struct device_fault *fault, const struct warp *w, const char *what);
/* Fills in fault: every warp of the CTA waits at a barrier that can never be complete. */
void hang_explain_cta(struct device_fault *fault, const struct cta *cta);

#endif
