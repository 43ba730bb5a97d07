/* host/session/session_sanitize.c -- the sanitizer of a run: from the options to its files. */
#include "host/session/session_internal.h"
#include <errno.h>

bool sanitize_begin(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	uint32_t checks;

	if (!options->sanitize)
		return true;
	if (!sanitize_parse(options->sanitize, &checks, diags) ||
		!session_error_exitcode(options->error_exitcode, &s->sanitizer.status, diags))
		return false;
	s->sanitizer.checks = sanitizer_new(checks);
	return true;
}

void sanitize_launched(struct session *s, const struct launch_result *result)
{
	if (!s->sanitizer.checks || result->outcome != GPU_FAULT)
		return;
	s->sanitizer.is_faulty = true;
	sanitizer_fault(s->sanitizer.checks, &result->fault, result->id);
}

struct sanitizer *session_sanitizer(const struct session *s)
{
	return s->sanitizer.checks;
}

/* What the program has printed, if it is not in the middle of that. */
static void flush_output(void)
{
	if (ftrylockfile(stdout))
		return;
	fflush(stdout);
	funlockfile(stdout);
}

int session_end_sanitizer(struct session *s)
{
	struct session_sanitizer *own = &s->sanitizer;
	uint64_t sum;

	if (!own->checks)
		return 0;
	if (!own->has_ended) {
		own->has_ended = true;
		if (!s->is_interrupted && !session_interrupted() && !own->is_faulty)
			sanitizer_look_for_leaks(own->checks);
		if (s->output.folder && !sanitizer_write(own->checks, s->output.folder)) {
			own->is_broken = true;
			fprintf(stderr, "lockstep: what the sanitizer found could not be written to %s: %s\n",
				s->output.folder, strerror(errno));
		}
		progress_clear(s);
		flush_output();
		sanitizer_print(own->checks, s->output.folder, stderr);
	}
	return sanitizer_count(own->checks, &sum) ? own->status : 0;
}
