/* sim/stats/stat.h -- declared statistics: a table beside the component that counts; printing comes from the
 * table.
 *
 *   static const struct sim_stat l1_stats[] = {
 *       SIM_COUNT  (struct l1, accesses, "requests", "line requests looked up"),
 *       SIM_VECTOR (struct l1, fails, l1_fail_names, "cycles", "reservation failures by cause"),
 *       SIM_HIST   (struct l1, merge_depth, "requests", "requests merged into one MSHR"),
 *       SIM_FORMULA("miss_rate", l1_miss_rate, "ratio", "misses per access"),
 *       SIM_STAT_END
 *   };
 *
 * In the model a statistic is an add to a field; nothing is looked up by name. */
#ifndef SIM_STATS_STAT_H
#define SIM_STATS_STAT_H

#include "sim/base/types.h"
#include <stdio.h>

enum sim_stat_type { SIM_STAT_END_TYPE, SIM_STAT_COUNT, SIM_STAT_VECTOR, SIM_STAT_HIST, SIM_STAT_FORMULA };

/* A histogram with power-of-two buckets: bucket 0 counts zeros, bucket i counts values in [2^(i-1), 2^i). */
#define SIM_HIST_BUCKETS 32
struct sim_histogram {
	uint64_t samples, sum, maximum;
	uint64_t bucket[SIM_HIST_BUCKETS];
};
static inline void sim_hist_add(struct sim_histogram *h, uint64_t value)
{
	unsigned b = value ? 64 - (unsigned)__builtin_clzll(value) : 0;

	h->samples++;
	h->sum += value;
	if (value > h->maximum)
		h->maximum = value;
	h->bucket[b < SIM_HIST_BUCKETS ? b : SIM_HIST_BUCKETS - 1]++;
}

struct sim_stat {
	enum sim_stat_type type;
	const char *name;
	size_t offset;
	const char *const *names; /* VECTOR: element names, NULL-terminated; field: uint64_t[count] */
	double (*formula)(const void *object); /* FORMULA: may read only fields declared in the same table */
	const char *unit;
	const char *help; /* one line */
};

/* A row: the field that is printed, unit, description. The compiler refuses a row whose field or function has
 * another type than the macro says, and a vector with more or fewer names than elements; so the names must be
 * an array whose size is known where the row stands. _AS: the statistic has another name than the field,
 * which may then be an element (from[3]) or a member (stats.cycles). SIM_VECTOR_PART: only some elements have
 * names, those from the index `first` on, and only they are printed. */
#define SIM_COUNT(type, field, units, text) SIM_COUNT_AS(type, field, #field, units, text)
#define SIM_VECTOR(type, field, elements, units, text) \
	SIM_VECTOR_AS(type, field, #field, elements, units, text)
#define SIM_HIST(type, field, units, text) SIM_HIST_AS(type, field, #field, units, text)
#define SIM_COUNT_AS(type, field, name, units, text) \
	{ \
		SIM_STAT_COUNT, name, \
			FIELD_OFFSET(type, field, uint64_t, "SIM_COUNT prints a field of type uint64_t"), 0, \
			0, units, text \
	}
#define SIM_VECTOR_AS(type, field, name, elements, units, text) \
	{ \
		SIM_STAT_VECTOR, name, \
			FIELD_OFFSET( \
				type, field, uint64_t[], "SIM_VECTOR prints a field of type uint64_t[]") + \
			CHECKED(SIM_ELEMENTS(type, field) == SIM_NAMES(elements), \
				"SIM_VECTOR wants a name for each element, and NULL behind the names"), \
			elements, 0, units, text \
	}
#define SIM_VECTOR_PART(type, field, first, name, elements, units, text) \
	{ \
		SIM_STAT_VECTOR, name, \
			FIELD_OFFSET(type, field, uint64_t[], \
				"SIM_VECTOR_PART prints a field of type uint64_t[]") + \
			CHECKED((first) + SIM_NAMES(elements) <= SIM_ELEMENTS(type, field), \
				"SIM_VECTOR_PART has more names than elements") + \
			(first) * sizeof(uint64_t), \
			elements, 0, units, text \
	}
#define SIM_ELEMENTS(type, field) (sizeof(FIELD_OF(type, field)) / sizeof(uint64_t))
#define SIM_NAMES(array)          (sizeof(array) / sizeof(const char *) - 1) /* without the NULL */
#define SIM_HIST_AS(type, field, name, units, text) \
	{ \
		SIM_STAT_HIST, name, \
			FIELD_OFFSET(type, field, struct sim_histogram, \
				"SIM_HIST prints a field of type struct sim_histogram"), \
			0, 0, units, text \
	}
#define SIM_FORMULA(stat_name, function, units, text) \
	{ \
		SIM_STAT_FORMULA, stat_name, \
			CHECKED(__builtin_types_compatible_p( \
					__typeof__(&(function)), double (*)(const void *)), \
				"SIM_FORMULA wants a function double (const void *)"), \
			0, function, units, text \
	}
#define SIM_STAT_END \
	{ \
		SIM_STAT_END_TYPE, 0, 0, 0, 0, 0, 0 \
	}

/* All the statistics of one machine. An object belongs to a group ("sm.l1") and has an index in it; groups
 * with several objects print their sum under the group's path and each object under "sm[3].l1" style paths:
 * the index goes after the path's first element. index -1: the only one, no brackets. Order of printing is
 * order of first registration of the group, then index. */
struct stat_tree;

struct stat_tree *stat_tree_new(void);
void stat_tree_free(struct stat_tree *tree);
/* object remains the caller's and must outlive the tree; size is sizeof the struct that the table
 * describes. (Objects are added up in a scratch copy of that size, so that formulas see sums.) */
void stat_register(struct stat_tree *tree, const char *group, int index, const struct sim_stat *table,
	void *object, size_t size);

/* An object takes the place of another one of its type, with that one's counts. */
void stat_take_over(struct stat_tree *tree, const void *old, void *object);

/* Saves the values of all counters; printing "since" a snapshot prints differences (of a histogram's
 * maximum: the present value). NULL: since the beginning. */
struct stat_snapshot;
struct stat_snapshot *stat_snapshot_take(const struct stat_tree *tree);
void stat_snapshot_free(struct stat_snapshot *snapshot);

/* The counters of a tree at some time: of each group the sum of its objects, one group after the other in the
 * order of their first registration. The largest value of a histogram has no meaning in it. Zero bytes: none.
 */
struct stat_vector {
	uint64_t *words;
	size_t count;
};
/* Takes them, with the memory that the vector has. */
void stat_vector_take(struct stat_vector *vector, const struct stat_tree *tree);
void stat_vector_free(struct stat_vector *vector);
/* What was counted since then, up to `now`, takes the place of the counters then. */
void stat_vector_since(struct stat_vector *then, const struct stat_vector *now);

/* Counters added up over several stretches of time: of each group of objects the sum, not its members. What
 * the largest value of a histogram was within such a stretch is not known, so that there is no ::max.
 * stat_sum_add: adds what was counted in a stretch. */
void stat_sum_add(struct stat_vector *sum, const struct stat_vector *counted);
/* Print it as stat_print_text and stat_print_json do; formulas are those of the counters added up. */
void stat_print_sum(const struct stat_tree *tree, const struct stat_vector *sum, FILE *stream);
void stat_print_sum_json(
	const struct stat_tree *tree, const struct stat_vector *sum, FILE *stream, int indent);
/* One value of it by its full name; NAN if there is none of that name. */
double stat_sum_value(const struct stat_tree *tree, const struct stat_vector *sum, const char *name);

/* Whether the objects of a group of several are printed individually, beside their sum; by default they
 * are. */
void stat_show_members(struct stat_tree *tree, bool on);
/* Whether statistics that are zero, infinite or have no value are printed; by default they are. */
void stat_show_zeros(struct stat_tree *tree, bool on);
/* Prints gem5's line form: "path.name value # description (Unit)"; names padded to a column. Vectors have
 * one line for each element ("path.name::element") and a ::total; histograms ::samples, ::mean, ::max and
 * the non-empty buckets. */
void stat_print_text(const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream);
/* Prints one JSON object of nested paths, numbers only; indented by `indent` spaces. */
void stat_print_json(
	const struct stat_tree *tree, const struct stat_snapshot *since, FILE *stream, int indent);
/* One value by its full name, of the sum of a group ("sm.l1.misses", "sm.l1.fails::mshr_entry") or of one
 * object ("sm[3].l1.misses"); NAN if there is none of that name. */
double stat_value(const struct stat_tree *tree, const struct stat_snapshot *since, const char *name);
/* Prints the manual: group, name, unit, description of every statistic. */
void stat_print_doc(const struct stat_tree *tree, FILE *stream);

#endif
