/* host/runtime/reference.c -- texture and surface references, which programs until CUDA 11 declare as
 * variables of their own (texture<float, 2> t). What the program has written into such a variable counts when
 * memory is bound to it; the driver's reference of the same name in the PTX then has it. */
#include "host/runtime/runtime.h"

#include <string.h>

/* As the program has it: struct textureReference. */
struct texture_reference {
	int normalized;
	int filter, address[3];
	struct cudaChannelFormatDesc channels;
	int is_srgb;
	unsigned int anisotropy;
	int level_filter;
	float bias, least_level, most_level;
	int is_exactly_trilinear;
	int reserved[14];
};

void __cudaRegisterTexture(void **handle, const struct texture_reference *host, const void **device,
	const char *name, int dimensions, int reads_normalized, int is_extern);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
	int dimensions, int is_extern);
cudaError_t cudaBindTexture(size_t *offset, const struct texture_reference *reference, const void *memory,
	const struct cudaChannelFormatDesc *channels, size_t bytes);
cudaError_t cudaBindTexture2D(size_t *offset, const struct texture_reference *reference, const void *memory,
	const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct texture_reference *reference, CUarray array,
	const struct cudaChannelFormatDesc *channels);
cudaError_t cudaBindTextureToMipmappedArray(const struct texture_reference *reference,
	cudaMipmappedArray_t array, const struct cudaChannelFormatDesc *channels);
cudaError_t cudaBindSurfaceToArray(
	const void *reference, CUarray array, const struct cudaChannelFormatDesc *channels);
cudaError_t cudaUnbindTexture(const struct texture_reference *reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct texture_reference *reference);
cudaError_t cudaGetTextureReference(const struct texture_reference **reference, const void *symbol);
cudaError_t cudaGetSurfaceReference(const void **reference, const void *symbol);

void __cudaRegisterTexture(void **handle, const struct texture_reference *host, const void **device,
	const char *name, int dimensions, int reads_normalized, int is_extern)
{
	(void)device, (void)dimensions, (void)is_extern;
	registry_add_reference(handle, host, name, reads_normalized);
}

void __cudaRegisterSurface(
	void **handle, const void *host, const void **device, const char *name, int dimensions, int is_extern)
{
	(void)device, (void)dimensions, (void)is_extern;
	registry_add_reference(handle, host, name, false);
}

/* -- textures -- */

/* How the program wants to read it. */
static CUresult describe(CUtexref t, const struct texture_reference *r, bool reads_normalized)
{
	unsigned int flags = (reads_normalized ? 0u : CU_TRSF_READ_AS_INTEGER) |
		(r->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0u) | (r->is_srgb ? CU_TRSF_SRGB : 0u);
	CUresult result = cuTexRefSetFlags(t, flags);

	for (int i = 0; i < 3 && result == CUDA_SUCCESS; i++)
		result = cuTexRefSetAddressMode(t, i, (CUaddress_mode)r->address[i]);
	if (result == CUDA_SUCCESS)
		result = cuTexRefSetFilterMode(t, (CUfilter_mode)r->filter);
	return result;
}

/* The driver's reference, described; channels: NULL says that the array's are the program's. */
static cudaError_t find_texture(const struct texture_reference *r,
	const struct cudaChannelFormatDesc *channels, CUtexref *texture, CUarray_format *format,
	unsigned int *count)
{
	bool reads_normalized;
	CUmodule module;
	const char *name;
	cudaError_t error = runtime_enter();
	CUresult result;

	if (!error)
		error = registry_reference(r, &module, &name, &reads_normalized);
	if (error)
		return error == cudaErrorInvalidSymbol ? cudaErrorInvalidTexture : error;
	if (channels && !runtime_format(channels, format, count))
		return cudaErrorInvalidChannelDescriptor;
	result = cuModuleGetTexRef(texture, module, name);
	if (result == CUDA_SUCCESS)
		result = describe(*texture, r, reads_normalized);
	if (result == CUDA_SUCCESS && channels)
		result = cuTexRefSetFormat(*texture, *format, (int)*count);
	return runtime_error_of(result);
}

/* From there to the end of what was allocated, at most. */
static size_t bytes_from(const void *memory, size_t most)
{
	CUdeviceptr base, at = (CUdeviceptr)(uintptr_t)memory;
	size_t bytes;

	if (cuMemGetAddressRange(&base, &bytes, at) != CUDA_SUCCESS)
		return most;
	bytes -= (size_t)(at - base);
	return most < bytes ? most : bytes;
}

cudaError_t cudaBindTexture(size_t *offset, const struct texture_reference *reference, const void *memory,
	const struct cudaChannelFormatDesc *channels, size_t bytes)
{
	CUtexref t;
	CUarray_format format;
	unsigned int count;
	size_t shift = 0;
	cudaError_t error =
		channels ? find_texture(reference, channels, &t, &format, &count) : cudaErrorInvalidValue;

	if (error)
		return runtime_return(error);
	error = runtime_error_of(
		cuTexRefSetAddress(&shift, t, (CUdeviceptr)(uintptr_t)memory, bytes_from(memory, bytes)));
	if (offset)
		*offset = shift;
	return runtime_return(error);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct texture_reference *reference, const void *memory,
	const struct cudaChannelFormatDesc *channels, size_t width, size_t height, size_t pitch)
{
	CUDA_ARRAY_DESCRIPTOR d = { .Width = width, .Height = height };
	CUtexref t;
	cudaError_t error = channels ? find_texture(reference, channels, &t, &d.Format, &d.NumChannels)
				     : cudaErrorInvalidValue;

	if (error)
		return runtime_return(error);
	if (offset)
		*offset = 0;
	return runtime_driver(cuTexRefSetAddress2D(t, &d, (CUdeviceptr)(uintptr_t)memory, pitch));
}

cudaError_t cudaBindTextureToArray(const struct texture_reference *reference, CUarray array,
	const struct cudaChannelFormatDesc *channels)
{
	CUtexref t;
	CUarray_format format;
	unsigned int count;
	cudaError_t error = find_texture(reference, channels, &t, &format, &count);

	if (error)
		return runtime_return(error);
	return runtime_driver(cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT));
}

cudaError_t cudaBindTextureToMipmappedArray(const struct texture_reference *reference,
	cudaMipmappedArray_t array, const struct cudaChannelFormatDesc *channels)
{
	CUtexref t;
	CUarray_format format;
	unsigned int count;
	cudaError_t error = find_texture(reference, channels, &t, &format, &count);
	CUresult result;

	if (error)
		return runtime_return(error);
	result = cuTexRefSetMipmapFilterMode(t, (CUfilter_mode)reference->level_filter);
	if (result == CUDA_SUCCESS)
		result = cuTexRefSetMipmapLevelBias(t, reference->bias);
	if (result == CUDA_SUCCESS)
		result = cuTexRefSetMipmapLevelClamp(t, reference->least_level, reference->most_level);
	if (result == CUDA_SUCCESS)
		result = cuTexRefSetMipmappedArray(t, array, CU_TRSA_OVERRIDE_FORMAT);
	return runtime_driver(result);
}

/* What was bound stays there until something else is. */
cudaError_t cudaUnbindTexture(const struct texture_reference *reference)
{
	RUNTIME_ENTER();
	return runtime_return(reference ? cudaSuccess : cudaErrorInvalidTexture);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct texture_reference *reference)
{
	if (!offset || !reference)
		return runtime_return(offset ? cudaErrorInvalidTexture : cudaErrorInvalidValue);
	*offset = 0; /* what is bound is aligned, or was refused */
	return cudaSuccess;
}

/* Both stand for the variable that the program has declared. */
cudaError_t cudaGetTextureReference(const struct texture_reference **reference, const void *symbol)
{
	*reference = symbol;
	return runtime_return(symbol ? cudaSuccess : cudaErrorInvalidTexture);
}

cudaError_t cudaGetSurfaceReference(const void **reference, const void *symbol)
{
	*reference = symbol;
	return runtime_return(symbol ? cudaSuccess : cudaErrorInvalidSurface);
}

/* -- surfaces -- */

cudaError_t cudaBindSurfaceToArray(
	const void *reference, CUarray array, const struct cudaChannelFormatDesc *channels)
{
	bool ignored;
	CUmodule module;
	CUsurfref surface;
	const char *name;
	cudaError_t error = runtime_enter();
	CUresult result;

	(void)channels; /* the array's */
	if (!error)
		error = registry_reference(reference, &module, &name, &ignored);
	if (error)
		return runtime_return(error == cudaErrorInvalidSymbol ? cudaErrorInvalidSurface : error);
	result = cuModuleGetSurfRef(&surface, module, name);
	if (result == CUDA_SUCCESS)
		result = cuSurfRefSetArray(surface, array, 0);
	return runtime_driver(result);
}
