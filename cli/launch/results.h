/* cli/launch/results.h -- what `lockstep launch` does with its buffers after the run: --print, --sum, --save.
 */
#ifndef CLI_LAUNCH_RESULTS_H
#define CLI_LAUNCH_RESULTS_H

#include "cli/launch/argument.h"
#include "cli/options.h"

enum result_kind { RESULT_PRINT, RESULT_SUM, RESULT_SAVE };

struct result {
	enum result_kind kind;
	uint32_t argument; /* a buffer */
	uint64_t count;    /* RESULT_PRINT: elements */
	const char *path;  /* RESULT_SAVE */
};

struct result_list {
	struct result *items;
	size_t count;
};

/* Reads texts such as "2:16" and adds what they ask for; errors go to diags. */
void results_add(struct result_list *list, enum result_kind kind, const struct option_list *texts,
	const struct argument *arguments, size_t argument_count, struct diag_list *diags);
void results_fini(struct result_list *list);

/* Prints on stdout, writes files. false, with diagnostics, if a file could not be written. */
bool results_report(
	const struct result_list *list, const struct argument *arguments, struct diag_list *diags);

#endif
