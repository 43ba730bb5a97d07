/* sim/stats/stat_internal.h -- shared by the files of sim/stats; not included elsewhere. */
#ifndef SIM_STATS_STAT_INTERNAL_H
#define SIM_STATS_STAT_INTERNAL_H

#include "sim/stats/stat.h"

struct stat_member {              /* one registered object */
	const void *object;       /* the component's; not owned */
	int index;                /* -1: the only one */
	size_t number;            /* number among all members of the tree, in the order of registration */
	struct stat_member *next; /* by index */
};

struct stat_run { /* counters of an object that lie one after the other */
	size_t offset, words;
};

struct stat_group { /* all objects of one path and one table */
	char *path;
	const struct sim_stat *table;
	size_t size;           /* of the struct that the table describes */
	size_t words;          /* number of counters of one object, which are copied one after the other */
	size_t first;          /* where they begin in a vector of all groups */
	size_t *words_of;      /* number of counters of each statistic of the table */
	struct stat_run *runs; /* all counters, in the order of the table */
	size_t run_count;
	struct stat_member *members;
	void *scratch;           /* an object in which sums are formed; zero except for its statistics */
	struct stat_group *next; /* the next in the order of first registration */
};

struct stat_tree {
	struct stat_group *groups, **end;
	size_t members;                  /* number of members of all groups */
	size_t words;                    /* number of counters in a vector */
	bool hides_members, hides_zeros; /* when printing */
};

/* One number to print. Vectors and histograms have several, distinguished by `element`. */
struct stat_cell {
	const struct sim_stat *stat;
	const char *element; /* NULL: the statistic is this one number */
	bool bucket;         /* the element is a histogram's bucket */
	bool whole;          /* count holds the value, else real */
	uint64_t count;
	double real;
};
typedef void stat_visit(const struct stat_cell *cell, void *context);

/* Number of counters in the field of a statistic, including a histogram's maximum; 0 for a formula. */
size_t stat_words(const struct sim_stat *stat);
/* The counters of an object one after the other, in the order of the group's table; malloc'ed. */
uint64_t *stat_copy_words(const struct stat_group *group, const void *object);
/* Sets the counters of an object to 0. */
void stat_clear_object(const struct stat_group *group, char *object);
/* Makes "sm[3].l1" of "sm.l1" and 3; index -1 adds no brackets. */
void stat_form_path(char *to, size_t size, const char *path, int index);
/* The values that bucket i of a histogram counts: "0", "1", "2-3", "4-7", ...; the last has no end. */
void stat_bucket_name(char *name, size_t size, int i);
/* An object with the counts of the group since the snapshot: of one member, or, if member is NULL, of
 * their sum. It belongs to the group and is valid until the next call. */
const void *stat_gather(
	const struct stat_group *group, const struct stat_member *member, const struct stat_snapshot *since);
/* An object with the counts of the group in a sum (zeros if nothing was added); likewise the group's. */
const void *stat_gather_sum(const struct stat_group *group, const struct stat_vector *sum);
/* The value of that name in the objects that gather gives; NAN if there is none of that name. */
double stat_find_value(const struct stat_tree *tree, const char *name,
	const void *(*gather)(
		const struct stat_group *group, const struct stat_member *member, const void *from),
	const void *from);
/* Visits every cell of an object, in the order of its table. A cell is valid only during the call. */
void stat_walk(const struct sim_stat *table, const void *object, stat_visit *visit, void *context);

#endif
