/* core/observe/reports.c -- the files that observers write: into the folder of a run, as it goes on. */
#include "core/gpu/gpu_internal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

FILE *report_open(const char *folder, const char *name, struct diag_list *diags)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file)
		diag_error(diags, NULL, "%s cannot be written: %s", path, strerror(errno));
	return file;
}

bool report_close(FILE **file)
{
	bool is_written = true;

	if (*file)
		is_written = (ferror(*file) == 0) & (fclose(*file) == 0);
	*file = NULL;
	return is_written;
}

bool gpu_wants_reports(const struct gpu *gpu)
{
	return gpu->series || paper_observers_want_files(gpu->paper_observers);
}

bool gpu_open_reports(struct gpu *gpu, const char *folder, struct diag_list *diags)
{
	struct gpu_reports *r = &gpu->reports;

	if (gpu->series && !(r->series = report_open(folder, "series.csv", diags)))
		return false;
	series_open(gpu->series, r->series);
	return paper_observers_open(gpu->paper_observers, folder, diags);
}

bool gpu_close_reports(struct gpu *gpu)
{
	struct gpu_reports *r = &gpu->reports;

	series_close(gpu->series);
	return report_close(&r->series) & paper_observers_close(gpu->paper_observers);
}
