/* experiment/report/spec.h -- a figure of the section `report` while it is read. */
#ifndef EXPERIMENT_REPORT_SPEC_H
#define EXPERIMENT_REPORT_SPEC_H

#include "experiment/report/figure/figure.h"

struct spec_reader {
	struct report_data *data;
	struct figure_spec *spec;
	doc_node node;
	struct diag_list *diags;
	bool any_rows; /* workloads may be programs and kernels alike: what its rows are of is not known yet
			*/
};

/* An error at a node that names the nearest of names; false. */
bool spec_wrong(struct spec_reader *reader, doc_node at, const char *name, const char *what,
	const char *const *names, size_t count);
/* Whether there is a value of the name, or will be when jobs have run; else an error at the node, and false.
 */
bool spec_value_exists(struct spec_reader *reader, const char *name, doc_node at);
/* Of a scalar or a list of them the i-th; *text and *at are NULL and 0 behind the last. false, with a
 * diagnostic, if it is no scalar. */
bool spec_item(struct spec_reader *reader, doc_node node, size_t i, const char **text, doc_node *at);

/* The keys `workloads` and `only` (spec_select.c): what of the sweep the figure shows. */
bool spec_workloads(struct spec_reader *reader);
bool spec_workloads_of(struct spec_reader *reader, doc_node workloads); /* by that node; 0: all */
bool spec_only(struct spec_reader *reader);
/* Likewise of another key with factors and levels: of spec->columns those that have them stay. */
bool spec_levels(struct spec_reader *reader, const char *key);

#endif
