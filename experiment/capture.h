/* experiment/capture.h -- a program of the system run to its end, with what it said. */
#ifndef EXPERIMENT_CAPTURE_H
#define EXPERIMENT_CAPTURE_H

#include "sim/base/diag.h"

struct capture {
	int status;      /* exit status; 128 + signal; 127 if it is not there */
	char *out, *err; /* standard output and error, each with a NUL behind it; the latter as one line
			    without the newline at its end */
};

/* Finds arguments[0] on PATH; no shell takes part. Its standard input is empty, a terminal's Ctrl-C does not
 * reach it, and after `seconds` it is killed (0: never). */
struct capture capture_run(const char *const arguments[], unsigned seconds);
/* The texts; the status stays. */
void capture_free(struct capture *capture);

#endif
