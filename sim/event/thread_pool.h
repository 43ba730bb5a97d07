/* sim/event/thread_pool.h -- host threads that process the parts of a job together, thousands of jobs a
 * millisecond.
 *
 * The pool consists of the caller and threads of its own. A job has at least as many parts as the pool has
 * threads. Part 0 belongs to the caller and each of the next parts always to the same thread, so that each
 * host core keeps in its caches what its parts use; further parts are done by whichever thread comes first.
 * If a thread has not started its part when the caller has finished its own (the host runs something else,
 * or the thread sleeps), the caller does that part too. So a pool is never much slower than one thread,
 * however busy the host is.
 *
 * Threads without work spin for about 50 us, then sleep until the next job. They take no signals. */
#ifndef SIM_EVENT_THREAD_POOL_H
#define SIM_EVENT_THREAD_POOL_H

#include "sim/base/types.h"

#define THREAD_POOL_MOST 64

struct thread_pool;

typedef void (*thread_pool_part)(void *context, uint32_t part);

/* size: parts of a job, 1 to THREAD_POOL_MOST; threads: that do them, the caller included, 1 at least. More
 * than there are parts or (thread_pool_processors) processors are of no use. If the host gives fewer, those
 * do all. */
struct thread_pool *thread_pool_new(uint32_t size, uint32_t threads);
/* Processors that this process may use. */
uint32_t thread_pool_processors(void);
/* Ends the threads. NULL is fine; so is a process that has been forked and has none of them. */
void thread_pool_free(struct thread_pool *pool);
uint32_t thread_pool_size(const struct thread_pool *pool);

/* From now on parts are done under the caller's floating-point environment (rounding, flushing). To be called
 * by whoever is about to run jobs; one caller at a time. */
void thread_pool_enter(struct thread_pool *pool);
/* Whether the caller had better do its next job alone, as far as it has the choice: threads have lost their
 * processors in the middle of parts lately, or found none. To be asked once before each job. Never with
 * LOCKSTEP_CREW=tireless in the environment, for tests. */
bool thread_pool_rests(struct thread_pool *pool);
/* Calls part(context, 0 .. size - 1), each once, and returns when all have ended. What the caller wrote
 * before is seen by the parts, what they wrote by the caller afterwards. Parts start no jobs. */
void thread_pool_run(struct thread_pool *pool, thread_pool_part part, void *context);

#endif
