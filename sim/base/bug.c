/* sim/base/bug.c -- how the process ends after an internal error, which is never the user's fault. */
#include "sim/base/types.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void bug_at(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fprintf(stderr, "lockstep: internal error: %s:%d: ", file, line);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}
