/* experiment/sweep/derived/kernels.h -- derived values over the kernels of a program: of each kernel (by
 * name, its launches added up) one value, then their mean. In their formulas kernel.cycles is that of the
 * kernel. */
#ifndef EXPERIMENT_SWEEP_KERNELS_H
#define EXPERIMENT_SWEEP_KERNELS_H

#include "experiment/store.h"

/* "cycles" ...: what is known of each kernel (host/output/kernel_sums.c); NULL-terminated. */
extern const char *const kernel_counters[];
/* Whether a name of a formula means a counter of the kernel: "kernel.cycles". */
bool is_kernel_counter(const char *name);
/* The statistic that the name means for a kernel, "kernels.cycles::atax1"; malloc'ed. */
char *kernel_statistic(const char *name, const char *kernel);

/* The kernels of a point that were timed, in the order of their first launches; malloc'ed, as its texts are;
 * NULL behind the last. */
char **point_kernels(struct store *store, long long sweep, long long number, struct diag_list *diags);
void point_kernels_free(char **kernels);

#endif
