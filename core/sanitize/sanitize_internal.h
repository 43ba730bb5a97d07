/* core/sanitize/sanitize_internal.h -- the sanitizer's parts, for its own files. */
#ifndef CORE_SANITIZE_SANITIZE_INTERNAL_H
#define CORE_SANITIZE_SANITIZE_INTERNAL_H

#include "core/exec/exec.h"
#include "core/launch/kernel_run.h"
#include "core/sanitize/finding.h"
#include "core/sanitize/sanitize.h"
#include "core/simt/control.h"

struct cta_shadow;

struct sanitizer {
	uint32_t checks; /* enum sanitize_check */
	uint64_t serial; /* number of the instruction that is looked at */
	struct findings findings;
	struct cta_shadow *shadows; /* of CTAs under way */
	const exec_function *plain; /* what executes */
};

static inline struct sanitizer *sanitizer_of(const struct warp *w)
{
	return w->cta->run->sanitizer;
}

/* An access by lanes of a warp to one state space, after it has been executed. */
struct access {
	struct sanitizer *sanitizer;
	const struct exec *exec;
	const struct uop *uop;
	struct warp *warp;
	const addr *address; /* of each lane of the mask: in device memory, or in the space */
	lane_mask mask;
	uint32_t bytes; /* of a lane, at most 64, ... */
	uint64_t used;  /* ... and which of them */
	bool reads, writes;
	bool is_strong; /* atomic, volatile or of a defined order: two of them never race */
};

/* ---- cta.c: CTAs, and which accesses barriers have ordered ---- */

/* An access to a byte of shared memory. */
struct byte_access {
	uint64_t clock : 32; /* of its warp */
	uint64_t uop : 19;
	uint64_t warp : 6;
	uint64_t lane : 5;
	uint64_t is_strong : 1;
	uint64_t is_valid : 1;
};

struct byte_shadow {
	struct byte_access write, strong; /* the last plain write; the last strong one since */
	struct byte_access read[2];
};

/* clocks: row w is what warp w knows of all warps: accesses of warp v up to clocks[w][v] are ordered before
 * its own from now on. Behind the warps' rows are those of the barriers, and that of warps that have exited:
 * what whoever leaves there knows. */
struct cta_shadow {
	struct cta_shadow *next, **link;
	uint32_t warps;
	uint32_t *clocks;
	struct byte_shadow *shared;     /* NULL: not accessed yet */
	uint32_t *local[MAX_CTA_WARPS]; /* for each byte of a thread's local memory the lanes that have
					   written it; NULL: none has */
};

struct cta_shadow *shadow_of(struct sanitizer *sanitizer, struct cta *cta);
static inline uint32_t *clocks_of(const struct cta_shadow *s, uint32_t row)
{
	return s->clocks + (size_t)row * s->warps;
}
void shadows_free(struct sanitizer *sanitizer);
struct control_result sanitize_control(struct warp *w, const struct uop *u, lane_mask mask);

/* ---- shared.c, local.c ---- */

void shared_access(const struct access *access);
/* Two lanes of a store leave different values in one place. */
void shared_collision(const struct access *access, uint32_t lane, uint32_t other);
void local_access(const struct access *access);

/* ---- accesses.c: the functions that execute instructions which access memory ---- */

extern const exec_function *const sanitize_table;
void accesses_hook(void);

#endif
