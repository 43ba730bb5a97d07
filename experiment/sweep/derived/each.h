/* experiment/sweep/derived/each.h -- derived values of each kernel (`kernels: each`): the kernels of every
 * point, what is known of each, and their values. */
#ifndef EXPERIMENT_SWEEP_EACH_H
#define EXPERIMENT_SWEEP_EACH_H

#include "experiment/store.h"
#include "experiment/sweep/plan/plan.h"

struct each_values;

/* Of the sweep's points as the database has them now. NULL, with a diagnostic. */
struct each_values *each_new(
	struct store *store, const struct sweep_plan *plan, long long sweep, struct diag_list *diags);
void each_free(struct each_values *each);

/* The kernels of a point (by number from 0), in the order of first launch; none while it has not run. */
size_t each_kernel_count(const struct each_values *each, size_t point);
const char *each_kernel_name(const struct each_values *each, size_t point, size_t kernel);

/* A statistic of a kernel, all its launches added up: kernel.cycles, or any that observe.kernels counts. NAN:
 * missing, because the point has no such kernel, none of its launches was timed, or it overlaps with others.
 */
double each_statistic(struct each_values *each, size_t point, const char *kernel, const char *name);
/* A derived value (by number from 0) that has been set; NAN: missing. */
double each_value(const struct each_values *each, size_t derived, size_t point, const char *kernel);
void each_set(struct each_values *each, size_t derived, size_t point, size_t kernel, double value);

/* Stores the kernels that the sweep file chooses, and their values. false, with diagnostics: it chooses a
 * kernel that a program does not have. */
bool each_store(struct each_values *each);

/* Before the first job: kernels that the sweep file chooses, and that are not in the PTX of the program. */
bool each_check(const struct sweep_plan *plan, struct diag_list *diags);

#endif
