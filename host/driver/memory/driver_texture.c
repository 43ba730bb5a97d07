/* host/driver/memory/driver_texture.c -- memory behind texture handles, and texture objects. */
#include "host/driver/recording/recorder.h"

/* A change to what kernels see waits for those that are queued. */
void texture_bind_array(struct texture *t, CUarray a)
{
	t->is_bound = true;
	t->layout = LAYOUT_BLOCK_LINEAR;
	t->is_layered = a->descriptor.Flags & CUDA_ARRAY3D_LAYERED;
	t->is_cube = a->descriptor.Flags & CUDA_ARRAY3D_CUBEMAP;
	t->format = a->format;
	t->layers = a->layers;
	t->level_count = 1;
	t->levels[0] = a->level;
	t->start = a->level.base;
	t->bytes = a->bytes;
}

void texture_bind_mipmapped(struct texture *t, CUmipmappedArray m)
{
	texture_bind_array(t, &m->levels[0]);
	t->level_count = m->level_count;
	for (unsigned i = 0; i < m->level_count; i++)
		t->levels[i] = m->levels[i].level;
	t->start = m->start;
	t->bytes = m->bytes;
}

static void bind_addresses(struct texture *t, CUdeviceptr start, struct texel_format format, uint64_t bytes)
{
	t->is_bound = true;
	t->is_layered = t->is_cube = false;
	t->format = format;
	t->layers = t->level_count = 1;
	t->start = start;
	t->bytes = bytes;
}

#define LONGEST_LINE (UINT64_C(1) << 27) /* texels; CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH */
CUresult texture_bind_linear(
	struct texture *t, CUdeviceptr start, struct texel_format format, uint64_t bytes, uint64_t offset)
{
	uint64_t texels = (bytes + offset) / texel_bytes(format);

	if (!bytes || !memory_is_device(start, bytes) || texels > LONGEST_LINE)
		return CUDA_ERROR_INVALID_VALUE;
	bind_addresses(t, start, format, bytes);
	t->layout = LAYOUT_LINEAR;
	t->levels[0] = (struct texture_level){ .base = start - offset,
		.width = (uint32_t)texels,
		.height = 1,
		.depth = 1,
		.pitch = bytes + offset,
		.slice = bytes + offset };
	return CUDA_SUCCESS;
}

#define PITCH_ALIGNMENT 32 /* CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT */
CUresult texture_bind_pitch(struct texture *t, CUdeviceptr start, struct texel_format format, size_t width,
	size_t height, size_t pitch)
{
	uint64_t row = (uint64_t)width * texel_bytes(format);

	if (!width || !height || width > 131072 || height > 131072 || start % TEXTURE_ALIGNMENT ||
		pitch % PITCH_ALIGNMENT || pitch < row ||
		!memory_is_device(start, (height - 1) * pitch + row))
		return CUDA_ERROR_INVALID_VALUE;
	bind_addresses(t, start, format, (height - 1) * pitch + row);
	t->layout = LAYOUT_PITCH;
	t->levels[0] = (struct texture_level){ .base = start,
		.width = (uint32_t)width,
		.height = (uint32_t)height,
		.depth = 1,
		.pitch = pitch,
		.slice = pitch * height };
	return CUDA_SUCCESS;
}

static uint8_t texture_address_mode(CUaddress_mode mode)
{
	return mode == CU_TR_ADDRESS_MODE_WRAP      ? ADDRESS_WRAP
		: mode == CU_TR_ADDRESS_MODE_MIRROR ? ADDRESS_MIRROR
		: mode == CU_TR_ADDRESS_MODE_BORDER ? ADDRESS_BORDER
						    : ADDRESS_CLAMP;
}

CUresult texture_flags_check(unsigned flags, const char *call)
{
	if (flags & CU_TRSF_SEAMLESS_CUBEMAP) {
		driver_say("%s: seamless cube maps are not supported", call);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return flags &
			~(unsigned)(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
				CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION)
		? CUDA_ERROR_INVALID_VALUE
		: CUDA_SUCCESS;
}

struct texture_sampler texture_sampler_of(const CUDA_TEXTURE_DESC *d)
{
	struct texture_sampler s = { .filter = d->filterMode == CU_TR_FILTER_MODE_LINEAR,
		.mip_filter = d->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR,
		.is_normalized = d->flags & CU_TRSF_NORMALIZED_COORDINATES,
		.is_raw = d->flags & CU_TRSF_READ_AS_INTEGER,
		.is_srgb = d->flags & CU_TRSF_SRGB,
		.bias = d->mipmapLevelBias,
		.min_level = d->minMipmapLevelClamp,
		.max_level = d->maxMipmapLevelClamp };

	for (unsigned i = 0; i < 3; i++)
		s.address[i] = texture_address_mode(d->addressMode[i]);
	memcpy(s.border, d->borderColor, sizeof s.border);
	return s;
}

/* -- objects -- */

/* The object's handle is the one that the device knows, and its key in the table. */
struct texture_object {
	struct handle handle;
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC texture;
	CUDA_RESOURCE_VIEW_DESC view;
};

static const void *key_of(unsigned long long handle)
{
	return (const void *)(uintptr_t)handle;
}

static struct texture_object *object_find(CUtexObject object)
{
	return handle_find(HANDLE_TEXTURE_OBJECT, key_of(object));
}

static CUresult resource_bind(struct texture *t, const CUDA_RESOURCE_DESC *r)
{
	struct texel_format format;

	switch (r->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		if (!array_find(r->res.array.hArray))
			return CUDA_ERROR_INVALID_HANDLE;
		texture_bind_array(t, r->res.array.hArray);
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
		if (!mipmapped_find(r->res.mipmap.hMipmappedArray))
			return CUDA_ERROR_INVALID_HANDLE;
		texture_bind_mipmapped(t, r->res.mipmap.hMipmappedArray);
		return CUDA_SUCCESS;
	case CU_RESOURCE_TYPE_LINEAR:
		if (!array_format(r->res.linear.format, r->res.linear.numChannels, &format) ||
			r->res.linear.devPtr % TEXTURE_ALIGNMENT)
			return CUDA_ERROR_INVALID_VALUE;
		return texture_bind_linear(t, r->res.linear.devPtr, format, r->res.linear.sizeInBytes, 0);
	case CU_RESOURCE_TYPE_PITCH2D:
		if (!array_format(r->res.pitch2D.format, r->res.pitch2D.numChannels, &format))
			return CUDA_ERROR_INVALID_VALUE;
		return texture_bind_pitch(t, r->res.pitch2D.devPtr, format, r->res.pitch2D.width,
			r->res.pitch2D.height, r->res.pitch2D.pitchInBytes);
	}
	return CUDA_ERROR_INVALID_VALUE;
}

/* The format that a view names: by channel type, then by 1, 2 or 4 channels. false: block-compressed, or
 * none. */
static bool view_format(CUresourceViewFormat name, struct texel_format *f)
{
	static const struct texel_format types[] = { { TEXEL_UNSIGNED, 1, 0 }, { TEXEL_SIGNED, 1, 0 },
		{ TEXEL_UNSIGNED, 2, 0 }, { TEXEL_SIGNED, 2, 0 }, { TEXEL_UNSIGNED, 4, 0 },
		{ TEXEL_SIGNED, 4, 0 }, { TEXEL_FLOAT, 2, 0 }, { TEXEL_FLOAT, 4, 0 } };

	if (name < CU_RES_VIEW_FORMAT_UINT_1X8 || name > CU_RES_VIEW_FORMAT_FLOAT_4X32)
		return false;
	*f = types[(name - 1) / 3];
	f->channels = (uint8_t)(1 << (name - 1) % 3);
	return true;
}

/* An array seen otherwise: texels of another type of the same size, some of its levels, some of its layers.
 */
static CUresult view_apply(struct texture *t, const CUDA_RESOURCE_VIEW_DESC *v)
{
	struct texel_format format;
	const struct texture_level *l = &t->levels[0];

	if (!view_format(v->format, &format)) {
		driver_say("cuTexObjectCreate: block-compressed views are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (texel_bytes(format) != texel_bytes(t->format) || v->width != l->width ||
		(v->height ? v->height : 1) != l->height || v->lastMipmapLevel < v->firstMipmapLevel ||
		v->lastMipmapLevel >= t->level_count || v->lastLayer < v->firstLayer ||
		v->lastLayer >= t->layers || (t->is_cube && (v->lastLayer - v->firstLayer + 1) % 6))
		return CUDA_ERROR_INVALID_VALUE;
	t->format = format;
	t->level_count = v->lastMipmapLevel - v->firstMipmapLevel + 1;
	for (unsigned i = 0; i < t->level_count; i++) {
		t->levels[i] = t->levels[i + v->firstMipmapLevel];
		t->levels[i].base += v->firstLayer * t->levels[i].slice;
	}
	t->layers = v->lastLayer - v->firstLayer + 1;
	return CUDA_SUCCESS;
}

static bool modes_are_known(const CUDA_TEXTURE_DESC *d)
{
	return (unsigned)d->filterMode <= CU_TR_FILTER_MODE_LINEAR &&
		(unsigned)d->mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR &&
		(unsigned)d->addressMode[0] <= CU_TR_ADDRESS_MODE_BORDER &&
		(unsigned)d->addressMode[1] <= CU_TR_ADDRESS_MODE_BORDER &&
		(unsigned)d->addressMode[2] <= CU_TR_ADDRESS_MODE_BORDER;
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
	const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!object || !resource || !texture || resource->flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!modes_are_known(texture))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = texture_flags_check(texture->flags, "cuTexObjectCreate");
	if (result != CUDA_SUCCESS)
		return result;
	uint64_t handle = texture_create(driver.memory, TEXTURE_FETCHED);
	recorder_texture(handle);
	struct texture *t = texture_find(driver.memory, handle);
	result = resource_bind(t, resource);
	if (result == CUDA_SUCCESS && view && view->format != CU_RES_VIEW_FORMAT_NONE &&
		t->layout != LAYOUT_LINEAR)
		result = view_apply(t, view);
	if (result != CUDA_SUCCESS) {
		recorder_texture_end(handle);
		texture_destroy(driver.memory, handle);
		return result;
	}
	t->sampler = texture_sampler_of(texture);
	struct texture_object *o = xcalloc(1, sizeof *o);
	*o = (struct texture_object){ .resource = *resource, .texture = *texture };
	if (view)
		o->view = *view;
	handle_add(&o->handle, HANDLE_TEXTURE_OBJECT, key_of(handle), context_current());
	*object = handle;
	return CUDA_SUCCESS;
}

/* Of texture and surface objects alike: the start of their structures is a handle. */
void texture_object_free(void *object)
{
	struct handle *handle = object;

	recorder_texture_end((uintptr_t)handle->key);
	texture_destroy(driver.memory, (uintptr_t)handle->key);
	handle_remove(handle);
	free(object);
}

CUresult cuTexObjectDestroy(CUtexObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct texture_object *o = object_find(object);
	if (!o)
		return CUDA_SUCCESS; /* the real call is content with any number */
	CUresult result = queue_run_all();
	texture_object_free(o);
	return result;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	const struct texture_object *o = object_find(object);
	if (!resource || !o)
		return CUDA_ERROR_INVALID_VALUE;
	*resource = o->resource;
	return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	const struct texture_object *o = object_find(object);
	if (!texture || !o)
		return CUDA_ERROR_INVALID_VALUE;
	*texture = o->texture;
	return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	const struct texture_object *o = object_find(object);
	if (!view || !o)
		return CUDA_ERROR_INVALID_VALUE;
	*view = o->view;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(
	size_t *texels, CUarray_format format, unsigned channels, CUdevice device)
{
	struct texel_format f;

	DRIVER_CALL(NEED_INIT);
	if (!texels || !array_format(format, channels, &f))
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	*texels = LONGEST_LINE;
	return CUDA_SUCCESS;
}
