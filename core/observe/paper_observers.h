/* core/observe/paper_observers.h -- the observers of MeDiC's and WarpPool's figures and of bandwidth, made
 * and wired (memsys/observe, bandwidth.c). */
#ifndef CORE_OBSERVE_PAPER_OBSERVERS_H
#define CORE_OBSERVE_PAPER_OBSERVERS_H

#include "memsys/observe/requests.h"
#include "memsys/observe/warps.h"
#include "sim/config/config.h"

struct chip;
struct kernel_run;
struct paper_observers;

struct paper_observers_config {
	bool bandwidth, requests, accesses, occupancy, roles, queue_delay, instructions;
	struct warps_config warps;
};
extern const struct sim_param paper_observers_params[]; /* section observe; warps_params: observe.warps */

/* NULL if the configuration asks for none. In all that follows figures may be NULL. */
struct paper_observers *paper_observers_new(struct chip *chip, const struct paper_observers_config *config);
void paper_observers_free(struct paper_observers *paper_observers);
/* What they count of others, and waits, is as of now. */
void paper_observers_account(struct paper_observers *paper_observers);
/* A kernel begins; one has ended or, by a timing limit, its timing has. */
void paper_observers_begin(struct paper_observers *paper_observers, const struct kernel_run *run);
void paper_observers_end(struct paper_observers *paper_observers, const struct kernel_run *run);
/* Whether they write files; opens them in the folder (false with diagnostics); writes what remains, closes
 * (false: not written). */
bool paper_observers_want_files(const struct paper_observers *paper_observers);
bool paper_observers_open(
	struct paper_observers *paper_observers, const char *folder, struct diag_list *diags);
bool paper_observers_close(struct paper_observers *paper_observers);
void paper_observers_discard(struct paper_observers *paper_observers); /* instead of closing */

#endif
