/* host/driver/driver_link.c -- the linker's interface. A single PTX input becomes the image as it is; of
 * several the image is a text that holds them all (session_link), checked as a whole, and linked when it is
 * loaded. */
#include "host/driver/driver_fatbin.h"

#include <errno.h>

struct CUlinkState_st {
	struct handle handle;
	struct session_part *parts; /* names and texts are its own */
	size_t count;
	char *image;           /* NULL: not complete */
	unsigned option_count; /* the program's, for messages */
	CUjit_option *options;
	void **values;
};

static void parts_free(CUlinkState link)
{
	for (size_t i = 0; i < link->count; i++) {
		free(link->parts[i].name);
		free((char *)link->parts[i].text);
	}
	free(link->parts);
}

void link_free(CUlinkState link)
{
	handle_remove(&link->handle);
	parts_free(link);
	free(link->image);
	free(link);
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!state || (count && (!options || !values)))
		return CUDA_ERROR_INVALID_VALUE;
	CUlinkState made = xcalloc(1, sizeof *made);
	made->option_count = count;
	made->options = options;
	made->values = values;
	handle_add(&made->handle, HANDLE_LINK, made, context_current());
	*state = made;
	return CUDA_SUCCESS;
}
EXPORT_AS(cuLinkCreate, "cuLinkCreate");

/* Takes over text. */
static CUresult link_add(CUlinkState link, CUjitInputType type, char *text, size_t size, const char *name)
{
	char numbered[32];

	if ((unsigned)type >= CU_JIT_NUM_INPUT_TYPES) {
		free(text);
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (type == CU_JIT_INPUT_PTX && !strstr(text, ".version")) {
		driver_say("cuLink: the input is no PTX: it has no .version");
		free(text);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (type != CU_JIT_INPUT_PTX || link->image) {
		driver_say(link->image ? "cuLink: nothing can be added to a link that is complete"
				       : "cuLink: only inputs of PTX, also in fat binaries, are supported");
		free(text);
		return link->image ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
	}
	snprintf(numbered, sizeof numbered, "input%zu.ptx", link->count + 1);
	if (!name || !*name || strchr(name, '\n'))
		name = numbered;
	link->parts = xrealloc(link->parts, (link->count + 1) * sizeof *link->parts);
	link->parts[link->count++] = (struct session_part){ xstrdup(name), text, size };
	return CUDA_SUCCESS;
}

/* Adds an input of size bytes; it may also be a fat binary with PTX. */
static CUresult link_add_image(CUlinkState link, CUjitInputType type, const void *image, size_t size,
	const char *name, const char *call)
{
	char *text;

	if (type == CU_JIT_INPUT_FATBINARY && image_kind(image) == IMAGE_FATBIN) {
		CUresult result = fatbin_text(image, size, call, &text, &size);
		return result == CUDA_SUCCESS ? link_add(link, CU_JIT_INPUT_PTX, text, size, name) : result;
	}
	text = xmalloc(size + 1);
	memcpy(text, image, size);
	text[size] = '\0';
	return link_add(link, type, text, strlen(text), name);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
	unsigned int count, CUjit_option *options, void **values)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || !size)
		return CUDA_ERROR_INVALID_VALUE;
	return link_add_image(state, type, data, size, name, "cuLinkAddData");
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
	CUresult result = link_add_image(state, type, text, size, path, "cuLinkAddFile");
	free(text);
	return result;
}
EXPORT_AS(cuLinkAddFile, "cuLinkAddFile");

#define NOTHING ".version 3.0\n.target sm_20\n.address_size 64\n" /* the image of no inputs */

static CUresult link_make(CUlinkState link)
{
	struct diag_list diags;

	if (link->image)
		return CUDA_SUCCESS;
	if (!link->count) {
		link->image = xstrdup(NOTHING);
		return CUDA_SUCCESS;
	}
	char *image =
		link->count == 1 ? xstrdup(link->parts[0].text) : session_link(link->parts, link->count);
	diag_init(&diags);
	bool is_right = session_check(image, strlen(image), "", &diags);
	module_log(&diags, link->option_count, link->options, link->values);
	diag_fini(&diags);
	if (is_right)
		link->image = image;
	else
		free(image);
	return is_right ? CUDA_SUCCESS : link->count == 1 ? CUDA_ERROR_UNKNOWN : CUDA_ERROR_INVALID_PTX;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_LINK, state))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!image)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = link_make(state);
	if (result != CUDA_SUCCESS)
		return result;
	*image = state->image;
	if (size)
		*size = strlen(state->image) + 1;
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
