/* tests/host/ok.h -- for programs that end at the first call of the driver API which fails, with its line. */
#ifndef TESTS_HOST_OK_H
#define TESTS_HOST_OK_H

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

static void ok(CUresult result, int line)
{
	if (result == CUDA_SUCCESS)
		return;
	printf("line %d: error %d\n", line, (int)result);
	exit(1);
}
#define OK(call) ok(call, __LINE__)

#endif
