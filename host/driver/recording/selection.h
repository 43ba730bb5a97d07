/* host/driver/recording/selection.h -- which launches are recorded: --kernels. */
#ifndef HOST_DRIVER_RECORDING_SELECTION_H
#define HOST_DRIVER_RECORDING_SELECTION_H

#include "sim/base/types.h"

/* "gemm,3,7-9": names of kernels, numbers of launches from 1 on, ranges of them. */
bool selection_has(const char *selection, const char *kernel, uint64_t launch);

#endif
