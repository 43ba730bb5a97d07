/* cli/launch/description.h -- a launch from a file: a line for each option, as on the command line without
 * the dashes; blank lines and lines that begin with # are left out.
 *
 *   ptx softmax.ptx
 *   kernel softmax_kernel
 *   grid 128
 *   block 128
 *   arg npy:x.npy
 *   save 0:y.npy
 *
 * Paths in it are relative to the folder of the file. */
#ifndef CLI_LAUNCH_DESCRIPTION_H
#define CLI_LAUNCH_DESCRIPTION_H

#include "cli/options.h"
#include "sim/base/diag.h"

/* Reads the file into object, by the options of table. texts: takes what the fields point to, for
 * description_fini once they are not needed. false, with diagnostics, if the file cannot be read or a line is
 * wrong. */
bool description_read(const char *path, const struct option *table, void *object, struct option_list *texts,
	struct diag_list *diags);
void description_fini(struct option_list *texts);

#endif
