/* tests/ptx/conformance/suite/refused.c -- the list of forms that a machine may refuse: names or globs, one a
 * line.
 */
#include <fnmatch.h>
#include <string.h>
#include <sys/mman.h>
#include "suite.h"

enum { PATTERNS = 4096 };

static char *patterns[PATTERNS];
static uint32_t pattern_count;
static bool *is_used; /* shared with the children */

void refused_read(const char *path)
{
	char line[512];
	FILE *in = fopen(path, "r");

	if (!in)
		die("%s: cannot be read", path);
	is_used = mmap(NULL, PATTERNS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (is_used == MAP_FAILED)
		die("no memory");
	while (fgets(line, sizeof line, in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!line[0] || line[0] == '#')
			continue;
		if (pattern_count == PATTERNS)
			die("%s: more than %d lines", path, PATTERNS);
		patterns[pattern_count++] = strdup(line);
	}
	fclose(in);
}

bool refused_names(const struct form *f)
{
	for (uint32_t i = 0; i < pattern_count; i++)
		if (!fnmatch(patterns[i], f->name, 0))
			return true;
	return false;
}

void refused_use(const struct form *f)
{
	for (uint32_t i = 0; i < pattern_count; i++)
		if (!fnmatch(patterns[i], f->name, 0))
			is_used[i] = true;
}

void refused_say_stale(const char *path)
{
	for (uint32_t i = 0; i < pattern_count; i++)
		if (!is_used[i])
			printf("note: nothing is refused that matches '%s': remove it from %s\n", patterns[i],
				path);
}
