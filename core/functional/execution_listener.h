/* core/functional/execution_listener.h -- somebody who wants to hear of every instruction that is executed
 * without timing: traces (host/trace). */
#ifndef CORE_FUNCTIONAL_EXECUTION_LISTENER_H
#define CORE_FUNCTIONAL_EXECUTION_LISTENER_H

#include "core/exec/exec.h"
#include "core/simt/warp.h"

struct execution_listener {
	/* A warp has executed a micro-operation in these lanes without a fault; its pc is still there, unless
	 * it is of UNIT_CONTROL: then it is about to. Of memory instructions, exec has space and addresses.
	 */
	void (*executed)(void *user, const struct warp *warp, const struct uop *u, const struct exec *exec,
		lane_mask mask);
	/* Whether it wants to hear of a CTA's instructions: always the same for one CTA of a run. NULL: of
	 * all. */
	bool (*wants)(void *user, const struct cta *cta);
	void *user;
};

#endif
