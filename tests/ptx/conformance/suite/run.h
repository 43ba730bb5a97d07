/* tests/ptx/conformance/suite/run.h -- one run over the forms that are wanted. */
#ifndef RUN_H
#define RUN_H

#include "suite.h"

struct run {
	const struct options *options;
	bool (*is_wanted)(const struct form *f);
	bool is_list;
	const char *emit, *record, *compare, *refused;
};

/* Executes, compares, prints what is wrong. The tallies of the tables. */
struct tally *run_all(struct run *run);

#endif
