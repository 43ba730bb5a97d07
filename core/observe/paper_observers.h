/* core/observe/paper_observers.h -- the observers of MeDiC's and WarpPool's figures and of bandwidth, made
 * and wired (memsys/observe, bandwidth.c). */
#ifndef CORE_FIGURES_H
#define CORE_FIGURES_H

#include "memsys/observe/requests.h"
#include "memsys/observe/warps.h"
#include "sim/config/config.h"

struct gpu;
struct figures;

struct figures_config {
	bool bandwidth, requests, accesses, occupancy, queue_delay;
	struct warps_config warps;
};
extern const struct sim_param figures_params[]; /* section observe; warps_params: observe.warps */

/* NULL if the configuration asks for none. In all that follows figures may be NULL. */
struct figures *figures_new(struct gpu *gpu);
void figures_free(struct figures *figures);
/* What they count of others, and waits, is as of now. */
void figures_account(struct figures *figures);
/* No kernel is under way any more. */
void figures_idle(struct figures *figures);
/* Whether they write files; opens them in the folder (false with diagnostics); writes what remains, closes
 * (false: not written). */
bool figures_want_files(const struct figures *figures);
bool figures_open(struct figures *figures, const char *folder, struct diag_list *diags);
bool figures_close(struct figures *figures);

#endif
