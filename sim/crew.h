/* sim/crew.h -- host threads that do the parts of a job together, thousands of jobs a millisecond.
 *
 * A crew of n is the caller and n - 1 threads of its own. A job has n parts; part 0 is the caller's, the others' parts are always
 * the same threads', so that each host core keeps in its caches what its parts touch. A thread that is not there when the
 * caller has done its own part (the host runs something else, or it has gone to sleep) is not waited for: the caller does
 * that part too. So a crew is never much slower than one thread, however busy the host is.
 *
 * Threads without work spin for some 50 us, then sleep until the next job. They take no signals. */
#ifndef SIM_CREW_H
#define SIM_CREW_H

#include "sim/types.h"

#define CREW_MOST 64

struct crew;

typedef void (*crew_part)(void *context, uint32_t part);

/* size: 1 to CREW_MOST, the caller included. Fewer threads than asked for, if the host gives no more: the caller then does
 * their parts. */
struct crew *crew_new(uint32_t size);
/* Ends the threads. NULL is fine; so is a process that has been forked and has none of them. */
void crew_free(struct crew *crew);
uint32_t crew_size(const struct crew *crew);

/* From now on parts are done under the caller's floating-point environment (rounding, flushing). To be called by whoever is about
 * to run jobs; one caller at a time. */
void crew_enter(struct crew *crew);
/* Calls part(context, 0 .. size - 1), each once, and returns when all have ended. What the caller wrote before is seen by the parts,
 * what they wrote by the caller afterwards. Parts start no jobs. */
void crew_run(struct crew *crew, crew_part part, void *context);

#endif
