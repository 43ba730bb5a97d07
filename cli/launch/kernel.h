/* cli/launch/kernel.h -- a kernel by name. */
#ifndef CLI_LAUNCH_KERNEL_H
#define CLI_LAUNCH_KERNEL_H

#include "frontend/ptx.h"

/* NULL, with a diagnostic that names the nearest and all the others, if the image of that file has no such
 * kernel. */
struct ptx_kernel *kernel_named(
	struct ptx_image *image, const char *name, const char *file, struct diag_list *diags);

#endif
