/* memsys/observe/instructions.h -- by memory instruction, a line of the PTX: line requests per load
 * (WarpPool, MICRO 2015), hit ratio at the L2 and how it differs among warps (MeDiC, PACT 2015).
 *
 * One observer hears the load/store units of all SMs and all L2 slices. A request at the L2 is a load or an
 * atomic of a warp that a slice looked up; what merges with a fetch under way is no hit. Launches of the same
 * kernel are added up. */
#ifndef MEMSYS_OBSERVE_INSTRUCTIONS_H
#define MEMSYS_OBSERVE_INSTRUCTIONS_H

#include "memsys/listener.h"
#include "sim/stats/stat.h"
#include <stdio.h>

struct instruction_observer;

/* slots: of warps, per SM. Registers "observe.instructions". */
struct instruction_observer *instruction_observer_new(
	uint32_t sms, uint32_t slots, uint32_t slices, struct stat_tree *stats);
void instruction_observer_free(struct instruction_observer *observer);

/* A launch begins. lines[count]: of the PTX text, by micro-operation; they and the name are copied. */
void instruction_observer_begin(struct instruction_observer *observer, uint32_t launch, const char *kernel,
	const uint32_t *lines, uint32_t count);
/* A launch has ended, and so have its warps. */
void instruction_observer_end(struct instruction_observer *observer, uint32_t launch);
/* The load/store unit has made so many line requests out of a load from global or local memory. SMs may call
 * this at the same time. */
void instruction_observer_load(
	struct instruction_observer *observer, const struct requester *by, uint32_t requests);
/* For l2_listen, one for each slice; the observer's. */
struct cache_listener *instruction_observer_listener(struct instruction_observer *observer, uint32_t slice);

/* Makes the statistics of loads those of now. */
void instruction_observer_account(struct instruction_observer *observer);
/* instructions.csv: a row for each line of each kernel that loaded, or sent requests to the L2. */
void instruction_observer_write(const struct instruction_observer *observer, FILE *file);

#endif
