/* tests/unit/frontend/print/test_found.c -- what fuzzing has found: each file of tests/ptx/found is read,
 * printed, lowered and run without a crash, whatever becomes of it. */
#include "tests/fuzz/hold.h"
#include "tests/unit/hang_guard.h"
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <glob.h>

struct found {
	char path[128];
};

ParameterizedTestParameters(found, what_must_hold_for_any_text_holds)
{
	static struct found files[256];
	glob_t found = { 0 };
	size_t count;

	glob("tests/ptx/found/*.ptx", 0, NULL, &found);
	count = found.gl_pathc < 256 ? found.gl_pathc : 256;
	for (size_t i = 0; i < count; i++)
		snprintf(files[i].path, sizeof(files[i].path), "%s", found.gl_pathv[i]);
	globfree(&found);
	return cr_make_param_array(struct found, files, count);
}

ParameterizedTest(struct found *file, found, what_must_hold_for_any_text_holds, HANG_GUARD)
{
	FILE *stream = fopen(file->path, "rb");
	char *text;
	size_t size;

	cr_assert(stream, "%s", file->path);
	fprintf(stderr, "%s\n", file->path);
	fseek(stream, 0, SEEK_END);
	size = (size_t)ftell(stream);
	rewind(stream);
	text = malloc(size + 1);
	cr_assert_eq(fread(text, 1, size, stream), size);
	fclose(stream);
	hold(text, size);
	free(text);
}
