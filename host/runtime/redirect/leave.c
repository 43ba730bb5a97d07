/* host/runtime/redirect/leave.c -- part of liblockstep-redirect.so, which `lockstep run` preloads: a program
 * that ends by _exit() or _Exit() has its results written, as by exit(). Not in a signal handler, which may
 * have interrupted anything: then nothing is done, and `lockstep run` says that results are missing. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

/* What libcuda.so.1 does at the end (host/driver/driver_state.c); it returns the exit status. */
int (*lockstep_leave)(int status);

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *frame, void *found)
{
	int is_interrupted = 0;

	_Unwind_GetIPInfo(frame, &is_interrupted);
	*(bool *)found |= is_interrupted;
	return *(bool *)found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Whether one of the functions that are under way was interrupted by a signal. */
static bool is_in_handler(void)
{
	bool found = false;

	_Unwind_Backtrace(look_at_frame, &found);
	return found;
}

_Noreturn void _exit(int status)
{
	if (lockstep_leave && !is_in_handler())
		status = lockstep_leave(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

_Noreturn void _Exit(int status)
{
	_exit(status);
}
