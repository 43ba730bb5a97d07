/* host/driver/driver_jitlink.c -- libnvJitLink's calls: several PTX texts become one image, which is handed
 * out where the program asks for machine code. host/runtime/redirect sends them here. They need no context.
 */
#include "host/driver/driver_fatbin.h"

enum jitlink_result {
	JITLINK_OK = 0,
	JITLINK_MISSING_ARCH = 2,
	JITLINK_INVALID_INPUT = 3,
	JITLINK_PTX_COMPILE = 4,
	JITLINK_UNRECOGNIZED_INPUT = 8,
	JITLINK_NULL_INPUT = 10,
};
enum jitlink_input {
	JITLINK_CUBIN = 1,
	JITLINK_PTX = 2,
	JITLINK_LTOIR = 3,
	JITLINK_FATBIN = 4,
	JITLINK_ANY = 10
};

struct nvJitLink {
	struct session_part *parts;
	size_t count;
	char *image; /* NULL: not complete */
	char *log;   /* what is wrong; NULL: nothing */
};
typedef struct nvJitLink *nvJitLinkHandle;

int nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options);
int nvJitLinkDestroy(nvJitLinkHandle *handle);
int nvJitLinkAddData(nvJitLinkHandle link, int type, const void *data, size_t size, const char *name);
int nvJitLinkAddFile(nvJitLinkHandle link, int type, const char *path);
int nvJitLinkComplete(nvJitLinkHandle link);
int nvJitLinkGetLinkedCubinSize(nvJitLinkHandle link, size_t *size);
int nvJitLinkGetLinkedCubin(nvJitLinkHandle link, void *image);
int nvJitLinkGetErrorLogSize(nvJitLinkHandle link, size_t *size);
int nvJitLinkGetErrorLog(nvJitLinkHandle link, char *log);
int nvJitLinkGetInfoLogSize(nvJitLinkHandle link, size_t *size);
int nvJitLinkGetInfoLog(nvJitLinkHandle link, char *log);
int nvJitLinkVersion(unsigned int *major, unsigned int *minor);

int nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
	bool has_arch = false;

	if (!handle || (count && !options))
		return JITLINK_NULL_INPUT;
	for (uint32_t i = 0; i < count; i++)
		has_arch |= !strncmp(options[i], "-arch=", 6);
	if (!has_arch)
		return JITLINK_MISSING_ARCH;
	*handle = xcalloc(1, sizeof **handle);
	return JITLINK_OK;
}

int nvJitLinkDestroy(nvJitLinkHandle *handle)
{
	nvJitLinkHandle link = handle ? *handle : NULL;

	if (!link)
		return JITLINK_NULL_INPUT;
	for (size_t i = 0; i < link->count; i++) {
		free(link->parts[i].name);
		free((void *)(uintptr_t)link->parts[i].text);
	}
	free(link->parts);
	free(link->image);
	free(link->log);
	free(link);
	*handle = NULL;
	return JITLINK_OK;
}

static int refuse_input(nvJitLinkHandle link, const char *name, const char *what)
{
	free(link->log);
	if (asprintf(&link->log, "%s is %s; PTX can be simulated", name, what) < 0)
		bug("out of memory");
	driver_say("nvJitLink: %s", link->log);
	return JITLINK_UNRECOGNIZED_INPUT;
}

/* PTX by whatever type it is called: that of libnvrtc is, where the program has asked for machine code. */
static int jitlink_text(
	nvJitLinkHandle link, const void *data, size_t *size, const char *name, int type, char **text)
{
	if (type == JITLINK_LTOIR)
		return refuse_input(link, name, "intermediate code of link-time optimisation (-dlto)");
	if (image_kind(data) == IMAGE_CUBIN)
		return refuse_input(link, name, "machine code, or an object of the host");
	if (image_kind(data) == IMAGE_FATBIN) {
		CUresult result = cuInit(0); /* the chip decides which of its texts is taken */

		if (result == CUDA_SUCCESS)
			result = fatbin_text(data, *size, "nvJitLinkAddData", text, size);
		return result == CUDA_SUCCESS ? JITLINK_OK : JITLINK_INVALID_INPUT;
	}
	*text = xmalloc(*size + 1);
	memcpy(*text, data, *size);
	(*text)[*size] = '\0';
	*size = strlen(*text);
	if (strstr(*text, ".version"))
		return JITLINK_OK;
	free(*text);
	return refuse_input(link, name, "no PTX");
}

int nvJitLinkAddData(nvJitLinkHandle link, int type, const void *data, size_t size, const char *name)
{
	char numbered[32], *text;

	if (!link || !data || !size)
		return JITLINK_NULL_INPUT;
	snprintf(numbered, sizeof numbered, "input%zu.ptx", link->count + 1);
	if (!name || !*name || strchr(name, '\n'))
		name = numbered;
	int result = jitlink_text(link, data, &size, name, type, &text);
	if (result != JITLINK_OK)
		return result;
	link->parts = xrealloc(link->parts, (link->count + 1) * sizeof *link->parts);
	link->parts[link->count++] = (struct session_part){ xstrdup(name), text, size };
	return JITLINK_OK;
}

int nvJitLinkAddFile(nvJitLinkHandle link, int type, const char *path)
{
	size_t size;
	char *data = link && path ? driver_read_file(path, &size) : NULL;

	if (!data)
		return JITLINK_INVALID_INPUT;
	int result = nvJitLinkAddData(link, type, data, size, path);
	free(data);
	return result;
}

int nvJitLinkComplete(nvJitLinkHandle link)
{
	struct diag_list diags;

	if (!link || !link->count)
		return JITLINK_NULL_INPUT;
	char *image =
		link->count == 1 ? xstrdup(link->parts[0].text) : session_link(link->parts, link->count);
	diag_init(&diags);
	bool is_right = session_check(image, strlen(image), "", &diags);
	free(link->log);
	link->log = is_right ? NULL : diag_render(&diags, DIAG_ERROR);
	diag_fini(&diags);
	free(is_right ? link->image : image);
	if (is_right)
		link->image = image;
	return is_right ? JITLINK_OK : JITLINK_PTX_COMPILE;
}

int nvJitLinkGetLinkedCubinSize(nvJitLinkHandle link, size_t *size)
{
	if (!link || !size || !link->image)
		return JITLINK_NULL_INPUT;
	*size = strlen(link->image) + 1;
	return JITLINK_OK;
}
EXPORT_AS(nvJitLinkGetLinkedCubinSize, "nvJitLinkGetLinkedPtxSize");

int nvJitLinkGetLinkedCubin(nvJitLinkHandle link, void *image)
{
	if (!link || !image || !link->image)
		return JITLINK_NULL_INPUT;
	memcpy(image, link->image, strlen(link->image) + 1);
	return JITLINK_OK;
}
EXPORT_AS(nvJitLinkGetLinkedCubin, "nvJitLinkGetLinkedPtx");

static const char *log_of(const struct nvJitLink *link)
{
	return link->log ? link->log : "";
}

int nvJitLinkGetErrorLogSize(nvJitLinkHandle link, size_t *size)
{
	if (!link || !size)
		return JITLINK_NULL_INPUT;
	*size = strlen(log_of(link)) + 1;
	return JITLINK_OK;
}

int nvJitLinkGetErrorLog(nvJitLinkHandle link, char *log)
{
	if (!link || !log)
		return JITLINK_NULL_INPUT;
	memcpy(log, log_of(link), strlen(log_of(link)) + 1);
	return JITLINK_OK;
}

int nvJitLinkGetInfoLogSize(nvJitLinkHandle link, size_t *size)
{
	if (!link || !size)
		return JITLINK_NULL_INPUT;
	*size = 1;
	return JITLINK_OK;
}

int nvJitLinkGetInfoLog(nvJitLinkHandle link, char *log)
{
	if (!link || !log)
		return JITLINK_NULL_INPUT;
	*log = '\0';
	return JITLINK_OK;
}

int nvJitLinkVersion(unsigned int *major, unsigned int *minor)
{
	if (!major || !minor)
		return JITLINK_NULL_INPUT;
	*major = DRIVER_VERSION / 1000;
	*minor = DRIVER_VERSION % 1000 / 10;
	return JITLINK_OK;
}
