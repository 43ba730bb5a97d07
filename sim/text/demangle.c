/* sim/text/demangle.c -- names of C++, by GCC's library for such things. */
#include "sim/text/demangle.h"
#include "sim/text/terminal.h"
#include "sim/base/xalloc.h"
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

char *demangle(const char *name)
{
	return strncmp(name, "_Z", 2) ? NULL : cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI);
}

void demangle_short(const char *name, char *to, size_t width)
{
	char *text = demangle(name);

	if (!text)
		text = xstrdup(name);
	terminal_shorten(text, width);
	strcpy(to, text);
	free(text);
}
