/* sim/stats/stat_internal.h -- what sim/stats/stat.c and sim/stats/stat_print.c share; nobody else includes
 * it. */
#ifndef SIM_STATS_STAT_INTERNAL_H
#define SIM_STATS_STAT_INTERNAL_H

#include "sim/stats/stat.h"

struct stat_member {              /* one registered object */
	const void *object;       /* borrowed */
	int index;                /* -1: the only one */
	size_t number;            /* among all of the tree, by registration */
	struct stat_member *next; /* by index */
};

struct stat_group { /* all objects of one path and one table */
	char *path;
	const struct sim_stat *table;
	size_t size;      /* of the struct that the table describes */
	size_t words;     /* counters of one object, laid end to end */
	size_t *words_of; /* of each statistic of the table */
	struct stat_member *members;
	void *scratch;           /* an object to gather in; outside its statistics all zero */
	struct stat_group *next; /* by first registration */
};

struct stat_tree {
	struct stat_group *groups, **end;
	size_t members;     /* of all groups */
	bool hides_members; /* when printing */
};

/* One number to print. Vectors and histograms have several, told apart by element. */
struct stat_cell {
	const struct sim_stat *stat;
	const char *element; /* NULL: the statistic is this one number */
	bool bucket;         /* the element is a histogram's bucket */
	bool whole;          /* count holds the value, else real */
	uint64_t count;
	double real;
};
typedef void stat_visit(const struct stat_cell *cell, void *context);

/* Counters in the field of a statistic (a histogram's maximum among them); 0: a formula. */
size_t stat_words(const struct sim_stat *stat);
/* "sm.l1" and 3: "sm[3].l1"; without brackets for -1. */
void stat_form_path(char *to, size_t size, const char *path, int index);
/* The values that bucket i of a histogram counts: "0", "1", "2-3", "4-7", ...; the last has no end. */
void stat_bucket_name(char *name, size_t size, int i);
/* An object with what the group counted since the snapshot: one member, or the sum if NULL. The group's,
 * until the next call. */
const void *stat_gather(
	const struct stat_group *group, const struct stat_member *member, const struct stat_snapshot *since);
/* Every cell of an object, in the order of its table. The cell lives during the call. */
void stat_walk(const struct sim_stat *table, const void *object, stat_visit *visit, void *context);

#endif
