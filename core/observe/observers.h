/* core/observe/observers.h -- the observers of a machine's caches (memsys/observe): made, wired and brought
 * up to date. */
#ifndef CORE_OBSERVE_OBSERVERS_H
#define CORE_OBSERVE_OBSERVERS_H

#include "memsys/observe/observe.h"

struct chip;
struct observers;
struct observer;
struct kernel_run;

/* An observer for each L1 and each L2 slice, as the configuration says, and those of the prototype `further`
 * (memsys/observe/observer_policy.h); NULL if there are none. The machine is complete. */
struct observers *observers_new(
	struct chip *chip, const struct observe_config *config, const struct observer *further);
/* To observers of plug-ins. observers may be NULL. */
void observers_kernel_started(struct observers *observers, const struct kernel_run *run);
void observers_free(struct observers *observers);
/* What they count of others is as of now. observers may be NULL. */
void observers_account(struct observers *observers);

#endif
