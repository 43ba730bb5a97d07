/* host/driver/memory/driver_array.c -- CUDA arrays and mipmapped arrays: texels row by row, slice by slice,
 * without gaps, in device memory (a chip keeps them in tiles; see docs/design/deviations-chip.md). */
#include "host/driver/recording/recorder.h"

bool array_format(CUarray_format format, unsigned channels, struct texel_format *f)
{
	static const struct {
		CUarray_format name;
		uint8_t type, bytes;
	} formats[] = {
		{ CU_AD_FORMAT_UNSIGNED_INT8, TEXEL_UNSIGNED, 1 },
		{ CU_AD_FORMAT_UNSIGNED_INT16, TEXEL_UNSIGNED, 2 },
		{ CU_AD_FORMAT_UNSIGNED_INT32, TEXEL_UNSIGNED, 4 },
		{ CU_AD_FORMAT_SIGNED_INT8, TEXEL_SIGNED, 1 },
		{ CU_AD_FORMAT_SIGNED_INT16, TEXEL_SIGNED, 2 },
		{ CU_AD_FORMAT_SIGNED_INT32, TEXEL_SIGNED, 4 },
		{ CU_AD_FORMAT_HALF, TEXEL_FLOAT, 2 },
		{ CU_AD_FORMAT_FLOAT, TEXEL_FLOAT, 4 },
	};

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].name == format) {
			*f = (struct texel_format){ formats[i].type, formats[i].bytes, (uint8_t)channels };
			return channels == 1 || channels == 2 || channels == 4;
		}
	return false;
}

#define KNOWN_FLAGS \
	(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | \
		CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT)
#define ALL_FLAGS      0x1ff /* with those that are not supported: depth, sparse, deferred, video */
#define LARGEST_EXTENT 131072u

static CUresult descriptor_check(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	struct texel_format format;
	bool is_layered = d->Flags & CUDA_ARRAY3D_LAYERED, is_cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;

	if (d->Flags & ~(unsigned)ALL_FLAGS)
		return CUDA_ERROR_INVALID_VALUE;
	if (d->Flags & ~(unsigned)KNOWN_FLAGS) {
		driver_say("arrays with flags 0x%x are not supported: no depth, sparse or deferred ones",
			d->Flags);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!array_format(d->Format, d->NumChannels, &format) || !d->Width ||
		d->Width > LARGEST_EXTENT * 1024u || d->Height > LARGEST_EXTENT || d->Depth > LARGEST_EXTENT)
		return CUDA_ERROR_INVALID_VALUE;
	if (is_cube && (d->Width != d->Height || !d->Depth || (is_layered ? d->Depth % 6 : d->Depth != 6)))
		return CUDA_ERROR_INVALID_VALUE;
	if (is_layered ? !d->Depth : d->Depth && !d->Height)
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

static bool has_layers(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	return d->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
}

/* Half of an extent for each level; an extent of 0 stays. */
static size_t shrink(size_t extent, unsigned level)
{
	return extent && !(extent >> level) ? 1 : extent >> level;
}

/* Fills in what does not depend on where the texels lie. */
static void array_shape(CUarray a, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned level)
{
	struct texture_level *l = &a->level;

	a->descriptor = *d;
	a->descriptor.Width = shrink(d->Width, level);
	a->descriptor.Height = shrink(d->Height, level);
	a->descriptor.Depth = has_layers(d) ? d->Depth : shrink(d->Depth, level);
	array_format(d->Format, d->NumChannels, &a->format);
	a->layers = has_layers(d) ? (uint32_t)d->Depth : 1;
	l->width = (uint32_t)a->descriptor.Width;
	l->height = a->descriptor.Height ? (uint32_t)a->descriptor.Height : 1;
	l->depth = has_layers(d) || !a->descriptor.Depth ? 1 : (uint32_t)a->descriptor.Depth;
	l->pitch = block_linear_pitch((uint64_t)l->width * texel_bytes(a->format), l->height);
	l->slice = l->pitch * block_linear_rows(l->height);
	a->bytes = l->slice * l->depth * a->layers;
}

static CUresult memory_take(addr *start, uint64_t bytes)
{
	*start = memory_allocate(driver.memory, bytes, 512);
	if (*start) {
		recorder_allocated(*start, bytes, 512, true, false);
		return CUDA_SUCCESS;
	}
	driver_say("out of device memory: an array needs %llu bytes, %llu of %llu are free",
		(unsigned long long)bytes, (unsigned long long)memory_available(driver.memory),
		(unsigned long long)memory_total(driver.memory));
	return CUDA_ERROR_OUT_OF_MEMORY;
}

CUarray array_find(CUarray array)
{
	return handle_find(HANDLE_ARRAY, array);
}

CUmipmappedArray mipmapped_find(CUmipmappedArray array)
{
	return handle_find(HANDLE_MIPMAPPED_ARRAY, array);
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!array || !descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = descriptor_check(descriptor);
	if (result != CUDA_SUCCESS)
		return result;
	CUarray a = xcalloc(1, sizeof *a);
	array_shape(a, descriptor, 0);
	result = memory_take(&a->level.base, a->bytes);
	if (result != CUDA_SUCCESS) {
		free(a);
		return result;
	}
	a->owns_memory = true;
	handle_add(&a->handle, HANDLE_ARRAY, a, context_current());
	*array = a;
	return CUDA_SUCCESS;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
	CUDA_ARRAY3D_DESCRIPTOR full;

	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	full = (CUDA_ARRAY3D_DESCRIPTOR){ .Width = d->Width,
		.Height = d->Height,
		.Format = d->Format,
		.NumChannels = d->NumChannels,
		.Flags = CUDA_ARRAY3D_SURFACE_LDST };
	return cuArray3DCreate(array, &full);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	*descriptor = array->descriptor;
	return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	*descriptor = (CUDA_ARRAY_DESCRIPTOR){ .Width = array->descriptor.Width,
		.Height = array->descriptor.Height,
		.Format = array->descriptor.Format,
		.NumChannels = array->descriptor.NumChannels };
	return CUDA_SUCCESS;
}

void array_free(CUarray array)
{
	recorder_released(array->level.base);
	memory_release(driver.memory, array->level.base);
	handle_remove(&array->handle);
	free(array);
}

/* Waits for everything first: what is queued may still use the array. */
CUresult cuArrayDestroy(CUarray array)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!array->owns_memory)
		return CUDA_SUCCESS; /* a level goes with its mipmapped array */
	CUresult result = queue_run_all();
	array_free(array);
	return result;
}

/* -- mipmapped arrays -- */

static unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	size_t largest = d->Width > d->Height ? d->Width : d->Height;
	unsigned levels = 1;

	if (!has_layers(d) && d->Depth > largest)
		largest = d->Depth;
	while (largest >>= 1)
		levels++;
	return levels < TEXTURE_LEVELS ? levels : TEXTURE_LEVELS;
}

static void mipmapped_shape(CUmipmappedArray m, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels)
{
	uint64_t offset = 0;

	m->level_count = levels;
	for (unsigned i = 0; i < levels; i++) {
		array_shape(&m->levels[i], d, i);
		m->levels[i].level.base = offset; /* until it is known where the memory lies */
		offset += (m->levels[i].bytes + 511) & ~UINT64_C(511);
	}
	m->bytes = offset;
}

CUresult cuMipmappedArrayCreate(
	CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned int levels)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!array || !descriptor)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = descriptor_check(descriptor);
	if (result != CUDA_SUCCESS)
		return result;
	CUmipmappedArray m = xcalloc(1, sizeof *m);
	unsigned most = most_levels(descriptor);
	mipmapped_shape(m, descriptor, !levels ? 1 : levels < most ? levels : most);
	result = memory_take(&m->start, m->bytes);
	if (result != CUDA_SUCCESS) {
		free(m);
		return result;
	}
	handle_add(&m->handle, HANDLE_MIPMAPPED_ARRAY, m, context_current());
	for (unsigned i = 0; i < m->level_count; i++) {
		m->levels[i].level.base += m->start;
		handle_add(&m->levels[i].handle, HANDLE_ARRAY, &m->levels[i], context_current());
	}
	*array = m;
	return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned int index)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!level)
		return CUDA_ERROR_INVALID_VALUE;
	if (!mipmapped_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	if (index >= array->level_count)
		return CUDA_ERROR_INVALID_VALUE;
	*level = &array->levels[index];
	return CUDA_SUCCESS;
}

void mipmapped_free(CUmipmappedArray array)
{
	for (unsigned i = 0; i < array->level_count; i++)
		handle_remove(&array->levels[i].handle);
	recorder_released(array->start);
	memory_release(driver.memory, array->start);
	handle_remove(&array->handle);
	free(array);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!mipmapped_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = queue_run_all();
	mipmapped_free(array);
	return result;
}

/* Of arrays whose memory is mapped later (CUDA_ARRAY3D_DEFERRED_MAPPING), which the device does not have. */
CUresult cuArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array, CUdevice device)
{
	DRIVER_CALL(NEED_CONTEXT);
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMipmappedArrayGetMemoryRequirements(
	CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUmipmappedArray array, CUdevice device)
{
	DRIVER_CALL(NEED_CONTEXT);
	return CUDA_ERROR_INVALID_VALUE;
}
