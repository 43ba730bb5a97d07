/* sim/event/thread_pool.h -- host threads that run the parts of a job together, at a rate of thousands of
 * jobs per millisecond.
 *
 * The pool consists of the caller and threads of its own. A job has as many parts as the size of the pool.
 * The caller runs part 0, and each of the following parts is always run by the same thread, so that each
 * host core keeps the data of its part in its caches; parts beyond the number of threads are run by
 * whichever thread is free. If a thread has not begun its part when the caller has finished its own (the
 * host runs something else, or the thread sleeps), the caller does not wait but runs that part too. So a
 * pool is never much slower than one thread, however busy the host is.
 *
 * Idle threads spin for some 50 us, then sleep until the next job. They block all signals. */
#ifndef SIM_EVENT_THREAD_POOL_H
#define SIM_EVENT_THREAD_POOL_H

#include "sim/base/types.h"

#define THREAD_POOL_MOST 64

struct thread_pool;

typedef void (*thread_pool_part)(void *context, uint32_t part);

/* size: parts of a job, 1 to THREAD_POOL_MOST; threads: number of threads that run them, including the
 * caller's, at least 1. More threads than parts or than processors (thread_pool_processors) are of no use.
 * If the host permits fewer threads, those run all parts. */
struct thread_pool *thread_pool_new(uint32_t size, uint32_t threads);
/* Number of processors that this process may use. */
uint32_t thread_pool_processors(void);
/* Ends the threads. NULL is permitted; so is a call in a forked child, which has none of the threads. */
void thread_pool_free(struct thread_pool *pool);

/* From now on parts run with the caller's present floating-point environment (rounding, flushing). To be
 * called before the jobs; one caller at a time. */
void thread_pool_enter(struct thread_pool *pool);
/* Whether the caller should run its next job alone if it can, because threads have recently lost their
 * processors within parts, or found none. To be called exactly once before each job. Always false with
 * LOCKSTEP_THREAD_POOL=never-rests in the environment (for tests). */
bool thread_pool_rests(struct thread_pool *pool);
/* Calls part(context, i) once for each bit i of `parts`, and returns when all have ended; threads of other
 * parts are not disturbed more than by a look at the job. What the caller wrote
 * before is visible to the parts, and what they wrote is visible to the caller afterwards. Parts must not
 * start jobs. */
void thread_pool_run(struct thread_pool *pool, thread_pool_part part, void *context, uint64_t parts);

#endif
