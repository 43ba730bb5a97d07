/* cli/reproduce/page.h -- pages in Markdown: what of a paper holds, and of all papers. */
#ifndef CLI_REPRODUCE_PAGE_H
#define CLI_REPRODUCE_PAGE_H

#include "cli/reproduce/paper.h"

/* What the user says of all pages. */
struct page_words {
	const char *note;   /* how all of it was measured; NULL */
	const char *remark; /* of each claim that differs, before its reason; NULL */
};

/* folder: where the page will lie; a sweep's page
 * (FOLDER/SWEEP/index.html for SWEEP.db) is linked if it is there. */
void page_write(struct paper *paper, const struct page_words *words, const char *folder, FILE *to);
/* The page over all papers, which links NAME.md of each. */
void page_write_summary(const struct paper *papers, size_t count, const struct page_words *words, FILE *to);

#endif
