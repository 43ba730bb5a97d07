/* tests/ptx/conformance/suite/suite.h -- the suite inside: from forms to PTX, launches and the report. */
#ifndef SUITE_H
#define SUITE_H

#include <stdio.h>
#include "cuda.h"
#include "conform.h"

enum outcome { PASSED, FAILED, REFUSED };

/* Results of one table. */
struct tally {
	uint32_t passed, failed, refused;
};

struct options {
	const char *filter; /* a name pattern as of fnmatch, NULL: all */
	const char *table;  /* NULL: all */
	uint32_t every;     /* each n-th form only */
	bool is_verbose;
};

/* All forms in order; their number. */
extern struct form *forms;
extern uint32_t form_count;
extern uint32_t current_table;

enum { TABLES = 32 };

const char *table_name(const struct form *f);

/* Puts fault forms aside from the modules: they are loaded alone. */
static inline bool form_is_alone(const struct form *f)
{
	return f->fault != 0;
}

/* form.c: may be in one module */
bool has_same_head(const struct form *a, const struct form *b);

/* tuples.c: operands for a form; want, got and is_open are zero. */
struct tuples *tuples_new(const struct form *f);
void tuples_free(struct tuples *t);

/* emit.c: the head of a module for forms like f, and the entry of one form, conform_<number>. */
void emit_header(FILE *out, const struct form *f);
void emit_form(FILE *out, const struct form *f);

/* compare.c: whether result k of tuple t is right. */
bool is_right(const struct form *f, uint32_t k, const struct tuples *t, uint32_t tuple);
/* A result with what may differ between machines taken out: any NaN where any will do. */
uint64_t canonical(const struct form *f, uint32_t k, uint64_t bits);

/* device.c: one loaded module of forms. */
void device_open(void);
CUmodule device_load(struct form *const *list, uint32_t count, char *log, size_t log_size); /* NULL: refused
											     */
void device_unload(CUmodule module);
void device_run(CUmodule module, const struct form *f, struct tuples *t, char *error, size_t error_size);
int device_fault(const struct form *f); /* the child's work: the CUresult of the launch; -1: not loaded */

/* refused.c: the list, empty if none was read; what is on it; what was used of it. */
void refused_read(const char *path);
bool refused_names(const struct form *f);
void refused_use(const struct form *f);
void refused_say_stale(const char *path);

/* record.c; is_exact: --exact; is_whole: --values */
extern bool is_exact, is_whole;
bool record_open(const char *path);
void record_form(const struct form *f, const struct tuples *t);
bool record_close(void);
bool compare_open(const char *path);
/* NULL, or how the results differ from the recorded ones. */
const char *compare_form(const struct form *f, const struct tuples *t);
void compare_close(void);

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
