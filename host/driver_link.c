/* host/driver_link.c -- the linker's interface, for programs that load even a single PTX through it. One PTX input becomes
 * the image; linking several needs a linker, which there is not. */
#include "host/driver.h"

#include <errno.h>

struct CUlinkState_st {
	struct handle handle;
	char *image;                  /* NULL: nothing was added */
	size_t size;
};

void link_free(CUlinkState link)
{
	handle_remove(&link->handle);
	free(link->image);
	free(link);
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!state || (count && (!options || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	CUlinkState made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_LINK, made, context_current());
	*state = made;
	return CUDA_SUCCESS;
}
EXPORT_AS(cuLinkCreate, "cuLinkCreate");

/* Takes over text. */
static CUresult link_add(CUlinkState link, CUjitInputType type, char *text, size_t size)
{
	if (type == CU_JIT_INPUT_PTX && !link->image) {
		link->image = text;
		link->size = size;
		return CUDA_SUCCESS;
	}
	driver_say("cuLink: only one input, of PTX, is supported");
	free(text);
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
	unsigned int count, CUjit_option *options, void **values)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !size)
		return CUDA_ERROR_INVALID_VALUE;
	char *text = xmalloc(size + 1);
	memcpy(text, data, size);
	text[size] = '\0';
	return link_add(state, type, text, strlen(text));
}
EXPORT_AS(cuLinkAddData, "cuLinkAddData");

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
	CUjit_option *options, void **values)
{
	DRIVER_CALL(NEED_CONTEXT);
	size_t size;
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	char *text = path ? driver_read_file(path, &size) : NULL;
	if (!text) {
		driver_say("cuLinkAddFile: %s: %s", path ? path : "no path", path ? strerror(errno) : "NULL");
		return CUDA_ERROR_FILE_NOT_FOUND;
	}
	return link_add(state, type, text, size);
}
EXPORT_AS(cuLinkAddFile, "cuLinkAddFile");

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!image || !state->image)
		return CUDA_ERROR_INVALID_VALUE;
	*image = state->image;
	if (size)
		*size = state->size + 1;
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	link_free(state);
	return CUDA_SUCCESS;
}
