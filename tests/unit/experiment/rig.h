/* tests/unit/experiment/rig.h -- a folder for the files of a test, and what was told. */
#ifndef TESTS_EXPERIMENT_RIG_H
#define TESTS_EXPERIMENT_RIG_H

#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

static char here[64]; /* the test's folder, absolute */
static struct diag_list diags;

static inline void rig_start(void)
{
	snprintf(here, sizeof(here), "/tmp/lockstep-unit-XXXXXX");
	cr_assert_not_null(mkdtemp(here));
	diag_init(&diags);
}

static inline void rig_stop(void)
{
	diag_fini(&diags);
	folder_remove(here);
}

/* "here/name" in one of a few buffers that take turns. */
static inline char *at(const char *name)
{
	static char paths[8][4096];
	static int turn;
	char *path = paths[turn++ % 8];

	snprintf(path, sizeof(*paths), "%s/%s", here, name);
	return path;
}

static inline void put_bytes(const char *name, const void *bytes, size_t size)
{
	FILE *f = fopen(at(name), "wb");

	cr_assert_not_null(f, "%s", at(name));
	cr_assert_eq(fwrite(bytes, 1, size, f), size);
	cr_assert_eq(fclose(f), 0);
}

static inline void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

static inline void put_program(const char *name, const char *text)
{
	put(name, text);
	cr_assert_eq(chmod(at(name), 0755), 0);
}

static inline bool is_there(const char *path)
{
	struct stat s;

	return lstat(path, &s) == 0;
}

static inline void expect_content(const char *name, const char *expected)
{
	char *text = file_read(at(name), NULL);

	cr_assert_not_null(text, "%s is not there", name);
	cr_expect_str_eq(text, expected);
	free(text);
}

/* A path of the test's folder is one of "." there. */
static inline void tell_without_folder(FILE *to, const char *message)
{
	const char *found;

	for (; (found = strstr(message, here)); message = found + strlen(here))
		fprintf(to, "%.*s.", (int)(found - message), message);
	fputs(message, to);
}

/* All that was told, without the lines quoted: "LINE:COLUMN MESSAGE\n"; then it is forgotten. */
static inline void expect_told(const char *expected)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < diags.count; i++) {
		fprintf(f, "%u:%u ", diags.items[i].line, diags.items[i].column);
		tell_without_folder(f, diags.items[i].message);
		fputc('\n', f);
	}
	fclose(f);
	cr_expect_str_eq(text, expected, "expected:\n%sgot:\n%s", expected, text);
	free(text);
	diag_fini(&diags);
	diag_init(&diags);
}

/* Something was told, and this is in it; then it is forgotten. */
static inline void expect_told_of(const char *part)
{
	char *text = diag_render(&diags, DIAG_ERROR);

	cr_expect(diags.errors > 0, "nothing was told; expected: %s", part);
	cr_expect_not_null(strstr(text, part), "expected: %s\ngot:\n%s", part, text);
	free(text);
	diag_fini(&diags);
	diag_init(&diags);
}

#endif
