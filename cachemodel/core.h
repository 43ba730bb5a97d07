/* cachemodel/core.h -- one core of the model: its cache, as reuse stacks, and its queue of warps. */
#ifndef CACHEMODEL_CORE_H
#define CACHEMODEL_CORE_H

#include "cachemodel/heap.h"
#include "cachemodel/model.h"
#include "cachemodel/stack_distance.h"
#include <gsl/gsl_rng.h>

struct core_line {
	uint32_t last;        /* touch in the stack of its set (stack_distance.h) */
	uint32_t last_of_all; /* in the stack of all sets */
	uint32_t set;
	bool was_requested, is_in_flight;
	uint64_t lands; /* if it is in flight */
};

struct core_warp {
	const struct stream_warp *stream;
	size_t at;           /* its next request */
	uint64_t back;       /* when it comes back from its instruction */
	uint64_t full_since; /* core.landings when it needed an MSHR and all were taken */
	uint32_t number;     /* CTA's place * warps of a CTA + warp */
};

struct core {
	const struct model_config *config;
	const struct stream *stream;
	struct model_result *result;
	const struct model_watcher *watcher;
	uint32_t number;
	gsl_rng *random;
	uint64_t time;
	/* the cache */
	struct core_line *lines; /* by place in stream.lines */
	struct stack all, *sets;
	uint32_t ways;
	struct heap effects;
	uint32_t *due, due_count, due_capacity; /* lines whose effects are of this step */
	uint32_t mshrs_used;
	uint64_t landings; /* so far, + 1 */
	uint32_t *held;    /* MSHRs, by warp's number; shared by all cores */
	/* warps */
	struct core_warp *warps; /* of the active CTAs */
	uint32_t *queue, queue_first, queue_count, queue_size;
	struct heap away;
	uint32_t *warps_left; /* of each active CTA */
	uint32_t slots;       /* CTAs that may be active */
	/* the next CTA for this core: its place, or SIZE_MAX */
	size_t (*next_cta)(void *user, uint32_t core);
	void *user;
};

void core_init(struct core *core, const struct stream *stream, const struct model_config *config,
	uint32_t number, uint32_t slots);
void core_fini(struct core *core);
/* Puts a CTA into a slot, if there is one for this core. */
bool core_fill(struct core *core, uint32_t slot);
/* One step. false: no warp is left. */
bool core_step(struct core *core);

#endif
