/* experiment/timeline/timeline_page.h -- lockstep report --timeline: timelines of runs
 * (core/observe/timeline.h) as one page that needs no other file and no network.
 *
 * The events stay as they are, compressed and in base64; the page's scripts read them. */
#ifndef EXPERIMENT_TIMELINE_TIMELINE_PAGE_H
#define EXPERIMENT_TIMELINE_TIMELINE_PAGE_H

#include "sim/base/diag.h"
#include <stddef.h>

/* Writes FOLDER/index.html from one timeline, or from two to be compared; each may be compressed (gzip,
 * zstd). *bytes: its size. false, with diagnostics: a file is no timeline of this version or not whole, or
 * the page cannot be written. */
bool timeline_page_make(
	const char *folder, char *const *files, size_t count, size_t *bytes, struct diag_list *diags);

#endif
