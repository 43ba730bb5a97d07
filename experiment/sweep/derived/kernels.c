/* experiment/sweep/derived/kernels.c -- the kernels of a point, and the names of their counters. */
#include "experiment/sweep/derived/kernels.h"
#include "sim/base/xalloc.h"

const char *const kernel_counters[] = { "cycles", "launches", "warp_instructions", "thread_instructions",
	"l1_hits", "l1_misses", NULL };

static const char prefix[] = "kernel.";

bool is_kernel_counter(const char *name)
{
	for (size_t i = 0; kernel_counters[i] && !strncmp(name, prefix, strlen(prefix)); i++)
		if (!strcmp(name + strlen(prefix), kernel_counters[i]))
			return true;
	return false;
}

char *kernel_statistic(const char *name, const char *kernel)
{
	char *text = NULL;

	if (asprintf(&text, "kernels.%s::%s", name + strlen(prefix), kernel) < 0)
		bug("out of memory");
	return text;
}

char **point_kernels(struct store *s, long long sweep, long long number, struct diag_list *diags)
{
	sqlite3_stmt *q = store_prepare(s, diags,
		"SELECT substr(t.name, instr(t.name, '::') + 2) FROM points p JOIN results r ON r.job = "
		"p.job "
		"JOIN statistics t ON t.id = r.statistic WHERE p.sweep = ? AND p.number = ? AND "
		"t.name GLOB 'kernels.timed_launches::*' AND r.value > 0 ORDER BY t.id",
		"");
	char **kernels = xcalloc(1, sizeof(*kernels));
	size_t count = 0;

	if (!q)
		return kernels;
	sqlite3_bind_int64(q, 1, sweep);
	sqlite3_bind_int64(q, 2, number);
	while (sqlite3_step(q) == SQLITE_ROW) {
		kernels = xrealloc(kernels, (count + 2) * sizeof(*kernels));
		kernels[count++] = xstrdup((const char *)sqlite3_column_text(q, 0));
		kernels[count] = NULL;
	}
	sqlite3_finalize(q);
	return kernels;
}

void point_kernels_free(char **kernels)
{
	for (size_t i = 0; kernels[i]; i++)
		free(kernels[i]);
	free(kernels);
}
