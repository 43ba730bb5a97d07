/* memsys/observe/observer_policy.h -- the policy interface of observers: what else is to be counted of the
 * accesses, fills and evictions of L1s and L2 slices. It decides nothing: times and values are the same with
 * it.
 *
 * An observer is one file that ends in its struct observer_class, as a plug-in (docs/user/policies.md) or
 * with a line in observer.def. Each L1 has its own object if the class has hooks for `l1`, each slice if it
 * has hooks for `l2`. Statistics are printed behind observe.observer.l1.NAME and observe.observer.l2.NAME. */
#ifndef MEMSYS_OBSERVE_OBSERVER_POLICY_H
#define MEMSYS_OBSERVE_OBSERVER_POLICY_H

#include "memsys/listener.h"
#include "sim/policy/policy.h"

struct observer_class;

/* Base of every observer's struct; first in it. */
struct observer {
	const struct observer_class *class;
	/* connection: set before init is called, and constant */
	bool is_l2;
	uint32_t number;      /* of the SM or the slice */
	uint32_t lines, sets; /* of the cache: lines = sets x ways */
	uint32_t line_bytes;
	struct cache_listener listener;
};

struct observer_class {
	POLICY_CLASS;
	struct cache_hooks l1, l2; /* memsys/listener.h; the first argument is the observer */
};

extern const struct policy_interface observer_interface;
extern const struct observer_class observer_none;

/* An object of the prototype for a cache; NULL: it has no hooks for such. */
struct observer *observer_new(
	const struct observer *prototype, const struct observer *connection, struct stat_tree *stats);

#endif
