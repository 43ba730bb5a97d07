/* host/runtime/configuration.c -- <<<...>>>: generated code pushes the configuration, and the kernel's stub
 * takes it. */
#include "host/runtime/runtime.h"

#define MOST 16 /* an argument of a launch may launch, which nests */

struct configuration {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
};

static _Thread_local struct configuration stack[MOST];
static _Thread_local unsigned depth;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);

/* 0: the stub is called. */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
	if (depth == MOST) {
		runtime_return(cudaErrorInvalidConfiguration);
		return 1;
	}
	stack[depth++] = (struct configuration){ grid, block, shared, stream };
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	const struct configuration *c;

	if (!depth)
		return runtime_return(cudaErrorMissingConfiguration);
	c = &stack[--depth];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(cudaStream_t *)stream = c->stream;
	return cudaSuccess;
}
