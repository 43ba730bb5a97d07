/* memsys/observe/accesses.h -- accesses to a cache by what they are (global, local, constant ...; read or
 * written) and by what became of them, in the words of GPGPU-Sim's cache statistics (gpu-cache.h there:
 * mem_access_type, cache_request_status), so that its users find their figures: observe.l1d.*, observe.l2.*.
 */
#ifndef MEMSYS_OBSERVE_ACCESSES_H
#define MEMSYS_OBSERVE_ACCESSES_H

#include "memsys/listener.h"
#include "sim/stats/stat.h"

struct access_observer;

/* Observes the L1 data cache of an SM, or a slice of the L2. An L1 counts its line requests, without those
 * that bypass it (.cg, atomics, policies); a slice counts 32-byte sectors, as the sectored L2 there does,
 * and by their type the requests that bring them. */
enum access_level { ACCESS_L1, ACCESS_L2 };
struct access_observer *access_observer_new(enum access_level level, int index, struct stat_tree *stats);
void access_observer_free(struct access_observer *observer);
/* The listener to pass to cache_listen or l2_listen; it belongs to the observer. */
struct cache_listener *access_observer_listener(struct access_observer *observer);

#endif
