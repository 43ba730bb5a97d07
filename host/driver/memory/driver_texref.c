/* host/driver/memory/driver_texref.c -- texture references: a module's .texref variables, and what the
 * program says of them.
 *
 * A reference keeps what was said in the API's own words; every change is carried over to the device's
 * descriptor, after the kernels that are queued. */
#include "host/driver/recording/recorder.h"

static struct texture *descriptor(CUtexref r)
{
	return texture_find(driver.memory, r->texture);
}

static CUtexref texref_new(uint64_t texture, CUmodule module)
{
	CUtexref r = xcalloc(1, sizeof *r);

	r->texture = texture;
	r->module = module;
	r->said.maxMipmapLevelClamp = TEXTURE_LEVELS;
	r->format = CU_AD_FORMAT_FLOAT;
	r->channels = 1;
	handle_add(&r->handle, HANDLE_TEXREF, r, context_current());
	return r;
}

void texref_free(CUtexref r)
{
	if (!r->module) {
		recorder_texture_end(r->texture);
		texture_destroy(driver.memory, r->texture);
	}
	handle_remove(&r->handle);
	free(r);
}

/* A reference of a module begins with what its initialiser says. */
static void take_initialiser(CUtexref r, const struct ptx_sampler *s)
{
	static const CUaddress_mode modes[] = { CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_MIRROR,
		CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_BORDER };

	for (unsigned i = 0; i < 3; i++)
		r->said.addressMode[i] = modes[s->address[i]];
	r->said.filterMode = s->filter ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
	r->said.flags = s->is_normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0;
}

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!reference || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct ptx_symbol *symbol = ptx_image_symbol(module->image, name);
	if (!symbol || symbol->type != PTX_TEXREF)
		return CUDA_ERROR_NOT_FOUND;
	for (CUtexref r = module->texrefs; r; r = r->next)
		if (r->texture == symbol->address) {
			*reference = r;
			return CUDA_SUCCESS;
		}
	CUtexref r = texref_new(symbol->address, module);
	take_initialiser(r, &symbol->sampler);
	r->next = module->texrefs;
	module->texrefs = r;
	*reference = r;
	return CUDA_SUCCESS;
}

CUresult cuTexRefCreate(CUtexref *reference)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!reference)
		return CUDA_ERROR_INVALID_VALUE;
	*reference = texref_new(texture_create(driver.memory, TEXTURE_FETCHED), NULL);
	recorder_texture((*reference)->texture);
	return CUDA_SUCCESS;
}

static bool is_texref(CUtexref r)
{
	return handle_find(HANDLE_TEXREF, r) != NULL;
}

CUresult cuTexRefDestroy(CUtexref r)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!r)
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_texref(r) || r->module)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = queue_run_all();
	texref_free(r);
	return result;
}

/* -- memory -- */

static void forget_memory(CUtexref r)
{
	r->array = NULL;
	r->mipmapped = NULL;
	r->address = 0;
	r->bytes = r->offset = 0;
}

static void carry_sampler(CUtexref r)
{
	descriptor(r)->sampler = texture_sampler_of(&r->said);
}

static CUresult take_format(CUtexref r, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned flags)
{
	if (!(flags & CU_TRSA_OVERRIDE_FORMAT) &&
		(r->format != d->Format || r->channels != (int)d->NumChannels) && r->has_format)
		return CUDA_ERROR_INVALID_VALUE;
	r->format = d->Format;
	r->channels = (int)d->NumChannels;
	return CUDA_SUCCESS;
}

CUresult cuTexRefSetArray(CUtexref r, CUarray array, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r) || (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT))
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = take_format(r, &array->descriptor, flags);
	if (result == CUDA_SUCCESS)
		result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	forget_memory(r);
	r->array = array;
	texture_bind_array(descriptor(r), array);
	carry_sampler(r);
	return CUDA_SUCCESS;
}

CUresult cuTexRefSetMipmappedArray(CUtexref r, CUmipmappedArray array, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r) || (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT))
		return CUDA_ERROR_INVALID_VALUE;
	if (!mipmapped_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = take_format(r, &array->levels[0].descriptor, flags);
	if (result == CUDA_SUCCESS)
		result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	forget_memory(r);
	r->mipmapped = array;
	texture_bind_mipmapped(descriptor(r), array);
	carry_sampler(r);
	return CUDA_SUCCESS;
}

static CUresult bind_linear(CUtexref r)
{
	struct texel_format format;

	if (!array_format(r->format, (unsigned)r->channels, &format))
		return CUDA_ERROR_INVALID_VALUE;
	return texture_bind_linear(descriptor(r), r->address, format, r->bytes, r->offset);
}

/* The texture begins at a multiple of the alignment; *offset says how far before the address that is. */
CUresult cuTexRefSetAddress(size_t *offset, CUtexref r, CUdeviceptr address, size_t bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r) || !memory_is_device(address, bytes) || !bytes)
		return CUDA_ERROR_INVALID_VALUE;
	if (!offset && address % TEXTURE_ALIGNMENT)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	forget_memory(r);
	r->address = address;
	r->bytes = bytes;
	r->offset = address % TEXTURE_ALIGNMENT;
	result = bind_linear(r);
	if (result != CUDA_SUCCESS)
		return result;
	carry_sampler(r);
	if (offset)
		*offset = r->offset;
	return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddress2D(CUtexref r, const CUDA_ARRAY_DESCRIPTOR *d, CUdeviceptr address, size_t pitch)
{
	struct texel_format format;

	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r) || !d || !array_format(d->Format, d->NumChannels, &format))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = queue_run_all();
	if (result == CUDA_SUCCESS)
		result = texture_bind_pitch(descriptor(r), address, format, d->Width, d->Height, pitch);
	if (result != CUDA_SUCCESS)
		return result;
	forget_memory(r);
	r->address = address;
	r->format = d->Format;
	r->channels = (int)d->NumChannels;
	carry_sampler(r);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuTexRefSetAddress2D, "cuTexRefSetAddress2D_v2");

CUresult cuTexRefSetFormat(CUtexref r, CUarray_format name, int channels)
{
	struct texel_format format;

	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r) || channels < 1 || !array_format(name, (unsigned)channels, &format))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	r->format = name;
	r->channels = channels;
	r->has_format = true;
	return r->bytes ? bind_linear(r) : CUDA_SUCCESS;
}

/* Since CUDA 3.2 a reference belongs to its module, and this call changes nothing. */
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref r)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	return is_texref(r) && unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* -- sampling: one pair of calls a property -- */

#define SET(name, parameters, condition, action) \
	CUresult name parameters \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		if (!is_texref(r) || !(condition)) \
			return CUDA_ERROR_INVALID_VALUE; \
		CUresult result = queue_run_all(); \
		if (result != CUDA_SUCCESS) \
			return result; \
		action; \
		carry_sampler(r); \
		return CUDA_SUCCESS; \
	}
#define GET(name, parameters, condition, action) \
	CUresult name parameters \
	{ \
		DRIVER_CALL(NEED_CONTEXT); \
		if (!is_texref(r) || !(condition)) \
			return CUDA_ERROR_INVALID_VALUE; \
		action; \
		return CUDA_SUCCESS; \
	}

SET(cuTexRefSetAddressMode, (CUtexref r, int dimension, CUaddress_mode mode),
	dimension >= 0 && dimension < 3 && mode <= CU_TR_ADDRESS_MODE_BORDER,
	r->said.addressMode[dimension] = mode)
SET(cuTexRefSetFilterMode, (CUtexref r, CUfilter_mode mode), mode <= CU_TR_FILTER_MODE_LINEAR,
	r->said.filterMode = mode)
SET(cuTexRefSetMipmapFilterMode, (CUtexref r, CUfilter_mode mode), mode <= CU_TR_FILTER_MODE_LINEAR,
	r->said.mipmapFilterMode = mode)
SET(cuTexRefSetMipmapLevelBias, (CUtexref r, float bias), true, r->said.mipmapLevelBias = bias)
SET(cuTexRefSetMipmapLevelClamp, (CUtexref r, float least, float most), true,
	(r->said.minMipmapLevelClamp = least, r->said.maxMipmapLevelClamp = most))
SET(cuTexRefSetMaxAnisotropy, (CUtexref r, unsigned int most), true, r->said.maxAnisotropy = most)
SET(cuTexRefSetBorderColor, (CUtexref r, float *color), color,
	memcpy(r->said.borderColor, color, 4 * sizeof *color))

CUresult cuTexRefSetFlags(CUtexref r, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!is_texref(r))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = texture_flags_check(flags, "cuTexRefSetFlags");
	if (result == CUDA_SUCCESS)
		result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	r->said.flags = flags;
	carry_sampler(r);
	return CUDA_SUCCESS;
}

GET(cuTexRefGetAddress, (CUdeviceptr * address, CUtexref r), address && r->address, *address = r->address)
GET(cuTexRefGetArray, (CUarray * array, CUtexref r), array && r->array, *array = r->array)
GET(cuTexRefGetMipmappedArray, (CUmipmappedArray * array, CUtexref r), array && r->mipmapped,
	*array = r->mipmapped)
GET(cuTexRefGetAddressMode, (CUaddress_mode * mode, CUtexref r, int dimension),
	mode &&dimension >= 0 && dimension < 3, *mode = r->said.addressMode[dimension])
GET(cuTexRefGetFilterMode, (CUfilter_mode * mode, CUtexref r), mode, *mode = r->said.filterMode)
GET(cuTexRefGetFormat, (CUarray_format * format, int *channels, CUtexref r), format &&channels,
	(*format = r->format, *channels = r->channels))
GET(cuTexRefGetMipmapFilterMode, (CUfilter_mode * mode, CUtexref r), mode, *mode = r->said.mipmapFilterMode)
GET(cuTexRefGetMipmapLevelBias, (float *bias, CUtexref r), bias, *bias = r->said.mipmapLevelBias)
GET(cuTexRefGetMipmapLevelClamp, (float *least, float *most, CUtexref r), least &&most,
	(*least = r->said.minMipmapLevelClamp, *most = r->said.maxMipmapLevelClamp))
GET(cuTexRefGetMaxAnisotropy, (int *most, CUtexref r), most, *most = (int)r->said.maxAnisotropy)
GET(cuTexRefGetBorderColor, (float *color, CUtexref r), color,
	memcpy(color, r->said.borderColor, 4 * sizeof *color))
GET(cuTexRefGetFlags, (unsigned int *flags, CUtexref r), flags, *flags = r->said.flags)
