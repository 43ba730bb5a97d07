/* sim/base/bug.c -- how the process ends after an internal error, which is never the user's fault. */
#include "sim/base/types.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

/* Of the host's memory there is no more, which is no error of the simulator: the process ends at once, and
 * what it has written is in files NAME.part. */
static void end_without_memory(const char *format)
{
	static const char text[] =
		"lockstep: there is no more memory (ulimit -v, or the host's own); what was written "
		"by then is in files NAME.part\n";

	if (strncmp(format, "out of memory", sizeof "out of memory" - 1) != 0)
		return;
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		abort();
	syscall(SYS_exit_group, EX_IOERR);
}

_Noreturn void bug_at(const char *file, int line, const char *format, ...)
{
	va_list arguments;

	end_without_memory(format);
	fflush(stdout);
	fprintf(stderr, "lockstep: internal error: %s:%d: ", file, line);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	abort();
}
