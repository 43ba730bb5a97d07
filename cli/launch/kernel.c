/* cli/launch/kernel.c -- a kernel by name, or what the user may have meant. */
#include "cli/launch/kernel.h"
#include "sim/base/xalloc.h"

static void say_unknown(
	const struct ptx_image *image, const char *name, const char *file, struct diag_list *diags)
{
	struct diag_location location = { .file = file };
	const char **names = xcalloc(image->kernel_count, sizeof(*names)), *nearest;
	char *list;
	size_t size;
	FILE *stream = open_memstream(&list, &size);

	bug_if(!stream, "out of memory");
	for (uint32_t i = 0; i < image->kernel_count; i++) {
		names[i] = image->kernels[i].name;
		fprintf(stream, "%s%s", i ? ", " : "", names[i]);
	}
	fclose(stream);
	nearest = diag_nearest(name, names, image->kernel_count);
	diag_error(diags, &location, "there is no kernel %s%s%s%s; the file has %s", name,
		nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "",
		*list ? list : "none");
	free(list);
	free(names);
}

struct ptx_kernel *kernel_named(
	struct ptx_image *image, const char *name, const char *file, struct diag_list *diags)
{
	struct ptx_kernel *kernel = ptx_image_kernel(image, name);

	if (!kernel)
		say_unknown(image, name, file, diags);
	return kernel;
}
