/* Statistics as a text. */
#ifndef TESTS_UNIT_EXPERIMENT_STATS_TEXT_H
#define TESTS_UNIT_EXPERIMENT_STATS_TEXT_H

#include "experiment/runs/stats_file.h"
#include <criterion/criterion.h>
#include <unistd.h>

/* As stats_file_read, of a file with that text. */
static inline struct stats_file *read_stats_text(const char *text, size_t size, struct diag_list *diags)
{
	char path[] = "/tmp/lockstep-stats-XXXXXX";
	int file = mkstemp(path);
	struct stats_file *f;

	cr_assert(file >= 0 && write(file, text, size) == (ssize_t)size && !close(file));
	f = stats_file_read(path, diags);
	unlink(path);
	return f;
}

#endif
