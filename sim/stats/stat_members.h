/* sim/stats/stat_members.h -- a counter in each object of its group: "sm.l1d.hits" SM by SM. */
#ifndef SIM_STATS_STAT_MEMBERS_H
#define SIM_STATS_STAT_MEMBERS_H

#include "sim/stats/stat.h"

struct stat_members;

/* name: a counter, an element of a vector, or a vector's ::total, as stats.txt has the sum. NULL: there is no
 * such counter (formulas and histograms are none). The tree must outlive what is returned. */
struct stat_members *stat_members_find(const struct stat_tree *tree, const char *name);
void stat_members_free(struct stat_members *members);

const char *stat_members_group(const struct stat_members *members); /* "sm.l1d" */
size_t stat_members_count(const struct stat_members *members);
int stat_members_index(const struct stat_members *members, size_t i); /* -1: the only object */
uint64_t stat_members_value(const struct stat_members *members, size_t i);

#endif
