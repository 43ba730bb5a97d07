/* core/gpu/reports.c -- the files that observers write: into the folder of a run, as it goes on. */
#include "core/gpu/gpu_internal.h"
#include "core/observe/timeline.h"
#include "sim/files/whole_file.h"

bool gpu_open_timeline(
	struct gpu *gpu, FILE *file, const char *title, struct config *config, struct diag_list *diags)
{
	gpu->timeline =
		timeline_new(&gpu->chip, &gpu->series, &gpu->config.timeline, file, title, config, diags);
	return gpu->timeline;
}

struct timeline *gpu_timeline(const struct gpu *gpu)
{
	return gpu->timeline;
}

void gpu_close_timeline(struct gpu *gpu)
{
	timeline_end(gpu->timeline);
	timeline_free(gpu->timeline);
	gpu->timeline = NULL;
}

bool gpu_wants_reports(const struct gpu *gpu)
{
	return gpu->series || paper_observers_want_files(gpu->paper_observers);
}

bool gpu_open_reports(struct gpu *gpu, const char *folder, struct diag_list *diags)
{
	struct gpu_reports *r = &gpu->reports;

	if (gpu->series && !(r->series = whole_file_open_in(folder, "series.csv", "w", diags)))
		return false;
	series_open(gpu->series, r->series);
	return paper_observers_open(gpu->paper_observers, folder, diags);
}

void gpu_discard_reports(struct gpu *gpu)
{
	struct gpu_reports *r = &gpu->reports;

	series_close(gpu->series);
	whole_file_discard(r->series);
	r->series = NULL;
	paper_observers_discard(gpu->paper_observers);
}

bool gpu_close_reports(struct gpu *gpu)
{
	struct gpu_reports *r = &gpu->reports;
	bool is_written;

	series_close(gpu->series);
	is_written = whole_file_close(r->series);
	r->series = NULL;
	return is_written & paper_observers_close(gpu->paper_observers);
}
