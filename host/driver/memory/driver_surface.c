/* host/driver/memory/driver_surface.c -- surface references and objects: arrays that kernels write. */
#include "host/driver/recording/recorder.h"

static bool is_surface(CUarray array)
{
	return array->descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST;
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!reference || !name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_MODULE, module))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct ptx_symbol *symbol = ptx_image_symbol(module->image, name);
	if (!symbol || symbol->type != PTX_SURFREF)
		return CUDA_ERROR_NOT_FOUND;
	for (CUsurfref s = module->surfrefs; s; s = s->next)
		if (s->texture == symbol->address) {
			*reference = s;
			return CUDA_SUCCESS;
		}
	CUsurfref s = xcalloc(1, sizeof *s);
	s->texture = symbol->address;
	s->next = module->surfrefs;
	module->surfrefs = s;
	handle_add(&s->handle, HANDLE_SURFREF, s, context_current());
	*reference = s;
	return CUDA_SUCCESS;
}

CUresult cuSurfRefSetArray(CUsurfref s, CUarray array, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_SURFREF, s) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!array_find(array))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!is_surface(array))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = queue_run_all();
	if (result != CUDA_SUCCESS)
		return result;
	s->array = array;
	texture_bind_array(texture_find(driver.memory, s->texture), array);
	return CUDA_SUCCESS;
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref s)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!array || !handle_find(HANDLE_SURFREF, s) || !s->array)
		return CUDA_ERROR_INVALID_VALUE;
	*array = s->array;
	return CUDA_SUCCESS;
}

/* -- objects -- */

struct surface_object {
	struct handle handle; /* its key is the device's handle */
	CUDA_RESOURCE_DESC resource;
};

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!object || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY || resource->flags)
		return CUDA_ERROR_INVALID_VALUE;
	CUarray array = array_find(resource->res.array.hArray);
	if (!array)
		return CUDA_ERROR_INVALID_HANDLE;
	struct surface_object *o = xcalloc(1, sizeof *o);
	o->resource = *resource;
	*object = texture_create(driver.memory, TEXTURE_SURFACE);
	recorder_texture(*object);
	texture_bind_array(texture_find(driver.memory, *object), array);
	handle_add(&o->handle, HANDLE_SURFACE_OBJECT, (const void *)(uintptr_t)*object, context_current());
	return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct surface_object *o = handle_find(HANDLE_SURFACE_OBJECT, (const void *)(uintptr_t)object);
	if (!o)
		return CUDA_SUCCESS; /* the real call is content with any number */
	CUresult result = queue_run_all();
	texture_object_free(o);
	return result;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object)
{
	DRIVER_CALL(NEED_CONTEXT);
	const struct surface_object *o = handle_find(HANDLE_SURFACE_OBJECT, (const void *)(uintptr_t)object);
	if (!resource || !o)
		return CUDA_ERROR_INVALID_VALUE;
	*resource = o->resource;
	return CUDA_SUCCESS;
}
