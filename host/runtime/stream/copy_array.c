/* host/runtime/stream/copy_array.c -- copies to, from and between arrays, three-dimensional copies, setting
 * of three-dimensional memory. */
#include "host/runtime/runtime.h"

typedef enum cudaMemcpyKind kind_t;

cudaError_t PTDS(cudaMemcpy2DToArray)(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, kind_t kind);
cudaError_t PTDS(cudaMemcpy2DFromArray)(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
	size_t width, size_t height, kind_t kind);
cudaError_t PTDS(cudaMemcpy2DArrayToArray)(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
	size_t from_x, size_t from_y, size_t width, size_t height, kind_t kind);
cudaError_t PTSZ(cudaMemcpy2DToArrayAsync)(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, kind_t kind, cudaStream_t stream);
cudaError_t PTSZ(cudaMemcpy2DFromArrayAsync)(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
	size_t width, size_t height, kind_t kind, cudaStream_t stream);
cudaError_t PTDS(cudaMemcpyToArray)(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, kind_t kind);
cudaError_t PTDS(cudaMemcpyFromArray)(
	void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, kind_t kind);
cudaError_t PTDS(cudaMemcpy3D)(const struct cudaMemcpy3DParms *parameters);
cudaError_t PTSZ(cudaMemcpy3DAsync)(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream);
cudaError_t PTDS(cudaMemset3D)(struct cudaPitchedPtr to, int value, struct cudaExtent extent);
cudaError_t PTSZ(cudaMemset3DAsync)(
	struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream);

/* -- rows of arrays: x and widths are bytes -- */

static void from_array(CUDA_MEMCPY2D *c, cudaArray_t array, size_t x, size_t y)
{
	c->srcMemoryType = CU_MEMORYTYPE_ARRAY;
	c->srcArray = array;
	c->srcXInBytes = x;
	c->srcY = y;
}

static void to_array(CUDA_MEMCPY2D *c, cudaArray_t array, size_t x, size_t y)
{
	c->dstMemoryType = CU_MEMORYTYPE_ARRAY;
	c->dstArray = array;
	c->dstXInBytes = x;
	c->dstY = y;
}

static void from_memory(CUDA_MEMCPY2D *c, const void *pointer, size_t pitch, kind_t kind)
{
	c->srcMemoryType = runtime_memory_type(kind, true);
	c->srcHost = pointer;
	c->srcDevice = (CUdeviceptr)(uintptr_t)pointer;
	c->srcPitch = pitch;
}

static void to_memory(CUDA_MEMCPY2D *c, void *pointer, size_t pitch, kind_t kind)
{
	c->dstMemoryType = runtime_memory_type(kind, false);
	c->dstHost = pointer;
	c->dstDevice = (CUdeviceptr)(uintptr_t)pointer;
	c->dstPitch = pitch;
}

static cudaError_t check_array_copy(size_t pitch, size_t width, kind_t kind)
{
	if ((unsigned int)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	return width > pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

cudaError_t PTDS(cudaMemcpy2DToArray)(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, kind_t kind)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };

	if (check_array_copy(pitch, width, kind))
		return runtime_return(check_array_copy(pitch, width, kind));
	RUNTIME_ENTER();
	from_memory(&c, from, pitch, kind);
	to_array(&c, to, x, y);
	return runtime_driver(cuMemcpy2DUnaligned(&c));
}

cudaError_t PTSZ(cudaMemcpy2DToArrayAsync)(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, kind_t kind, cudaStream_t stream)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };

	if (check_array_copy(pitch, width, kind))
		return runtime_return(check_array_copy(pitch, width, kind));
	RUNTIME_ENTER();
	from_memory(&c, from, pitch, kind);
	to_array(&c, to, x, y);
	return runtime_driver(cuMemcpy2DAsync(&c, stream));
}

cudaError_t PTDS(cudaMemcpy2DFromArray)(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
	size_t width, size_t height, kind_t kind)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };

	if (check_array_copy(pitch, width, kind))
		return runtime_return(check_array_copy(pitch, width, kind));
	RUNTIME_ENTER();
	from_array(&c, from, x, y);
	to_memory(&c, to, pitch, kind);
	return runtime_driver(cuMemcpy2DUnaligned(&c));
}

cudaError_t PTSZ(cudaMemcpy2DFromArrayAsync)(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
	size_t width, size_t height, kind_t kind, cudaStream_t stream)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };

	if (check_array_copy(pitch, width, kind))
		return runtime_return(check_array_copy(pitch, width, kind));
	RUNTIME_ENTER();
	from_array(&c, from, x, y);
	to_memory(&c, to, pitch, kind);
	return runtime_driver(cuMemcpy2DAsync(&c, stream));
}

cudaError_t PTDS(cudaMemcpy2DArrayToArray)(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
	size_t from_x, size_t from_y, size_t width, size_t height, kind_t kind)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = width, .Height = height };

	(void)kind;
	RUNTIME_ENTER();
	from_array(&c, from, from_x, from_y);
	to_array(&c, to, to_x, to_y);
	return runtime_driver(cuMemcpy2DUnaligned(&c));
}

/* -- bytes of an array in the order of its rows: the rest of the first row, whole rows, a part of the last --
 */

struct row_part {
	size_t offset, x, y, width, height;
};

static bool next_part(struct row_part *p, size_t row, size_t bytes)
{
	size_t left;

	p->offset += p->width * p->height;
	p->y += p->height;
	if (p->height)
		p->x = 0;
	left = bytes - p->offset;
	p->width = p->x || left < row ? row - p->x : row;
	p->width = p->width < left ? p->width : left;
	p->height = p->width == row ? left / row : 1;
	return left > 0;
}

/* Bytes of a row; 0: no array. */
static size_t row_of(cudaArray_t array)
{
	CUDA_ARRAY3D_DESCRIPTOR d;

	return cuArray3DGetDescriptor(&d, array) == CUDA_SUCCESS ? d.Width * runtime_element_size(array) : 0;
}

cudaError_t PTDS(cudaMemcpyToArray)(
	cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, kind_t kind)
{
	struct row_part p = { .x = x, .y = y };
	cudaError_t error = cudaSuccess;
	size_t row;

	RUNTIME_ENTER();
	row = row_of(to);
	if (!row || x >= row)
		return runtime_return(cudaErrorInvalidValue);
	while (!error && next_part(&p, row, bytes))
		error = PTDS(cudaMemcpy2DToArray)(
			to, p.x, p.y, (const char *)from + p.offset, p.width, p.width, p.height, kind);
	return error;
}

cudaError_t PTDS(cudaMemcpyFromArray)(
	void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, kind_t kind)
{
	struct row_part p = { .x = x, .y = y };
	cudaError_t error = cudaSuccess;
	size_t row;

	RUNTIME_ENTER();
	row = row_of(from);
	if (!row || x >= row)
		return runtime_return(cudaErrorInvalidValue);
	while (!error && next_part(&p, row, bytes))
		error = PTDS(cudaMemcpy2DFromArray)(
			(char *)to + p.offset, p.width, from, p.x, p.y, p.width, p.height, kind);
	return error;
}

/* -- three dimensions -- */

cudaError_t PTDS(cudaMemcpy3D)(const struct cudaMemcpy3DParms *parameters)
{
	CUDA_MEMCPY3D c;
	cudaError_t error;

	if (!parameters)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	error = runtime_volume(&c, parameters);
	return error ? runtime_return(error) : runtime_driver(cuMemcpy3D(&c));
}

cudaError_t PTSZ(cudaMemcpy3DAsync)(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
	CUDA_MEMCPY3D c;
	cudaError_t error;

	if (!parameters)
		return runtime_return(cudaErrorInvalidValue);
	RUNTIME_ENTER();
	error = runtime_volume(&c, parameters);
	return error ? runtime_return(error) : runtime_driver(cuMemcpy3DAsync(&c, stream));
}

/* Slices of ysize rows each: rows in one piece if the extent has all of them. */
static CUresult set_volume(
	struct cudaPitchedPtr to, int value, struct cudaExtent e, bool is_async, cudaStream_t stream)
{
	CUresult result = CUDA_SUCCESS;

	for (size_t z = 0; z < e.depth && result == CUDA_SUCCESS; z++) {
		CUdeviceptr slice = (CUdeviceptr)(uintptr_t)to.ptr + z * to.pitch * to.ysize;

		result = is_async
			? cuMemsetD2D8Async(slice, to.pitch, (unsigned char)value, e.width, e.height, stream)
			: cuMemsetD2D8(slice, to.pitch, (unsigned char)value, e.width, e.height);
	}
	return result;
}

cudaError_t PTDS(cudaMemset3D)(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
	RUNTIME_ENTER();
	return runtime_driver(set_volume(to, value, extent, false, NULL));
}

cudaError_t PTSZ(cudaMemset3DAsync)(
	struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream)
{
	RUNTIME_ENTER();
	return runtime_driver(set_volume(to, value, extent, true, stream));
}
