/* tests/ptx/conformance/suite/record.c -- results written down on one machine and compared on another.
 *
 * A line a form: name, number of tuples, a hash of the operands, a hash of the results (NaNs made the same
 * where any will do, open tuples left out), separated by tabs. A form with a bounded result has all its
 * results behind that, in hexadecimal: there machines may differ, and the comparison says how many results
 * do, in how many last places at most. With --values every form has. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

struct line {
	char *name, *values;
	uint32_t count;
	uint64_t in, out;
};

bool is_exact, is_whole;

static FILE *record;
static struct line *lines;
static size_t line_count;

/* What is written down of a result. */
static uint64_t comparable(const struct form *f, uint32_t k, uint64_t bits)
{
	return is_exact ? bits : canonical(f, k, bits);
}

static bool is_bounded(const struct form *f)
{
	for (uint32_t k = 0; k < f->outs; k++)
		if (f->compare[k] > COMPARE_NAN)
			return true;
	return false;
}

static void mix(uint64_t *hash, uint64_t word)
{
	for (int i = 0; i < 8; i++)
		*hash = (*hash ^ (word >> 8 * i & 0xff)) * 0x100000001b3;
}

static void hash_tuples(const struct form *f, const struct tuples *t, uint64_t *in, uint64_t *out)
{
	*in = *out = 0xcbf29ce484222325;
	for (uint32_t i = 0; i < t->count; i++) {
		for (uint32_t k = 0; k < f->ins; k++)
			mix(in, t->in[k][i]);
		for (uint32_t k = 0; k < f->outs; k++)
			mix(out, t->is_open[i] ? 0 : comparable(f, k, t->got[k][i]));
	}
}

bool record_open(const char *path)
{
	record = fopen(path, "w");
	return record != NULL;
}

void record_form(const struct form *f, const struct tuples *t)
{
	uint64_t in, out;

	hash_tuples(f, t, &in, &out);
	fprintf(record, "%s\t%u\t%016" PRIx64 "\t%016" PRIx64, f->name, t->count, in, out);
	if (is_bounded(f) || is_whole) {
		fputc('\t', record);
		for (uint32_t i = 0; i < t->count; i++)
			for (uint32_t k = 0; k < f->outs; k++)
				fprintf(record, "%" PRIx64 " ",
					t->is_open[i] ? 0 : comparable(f, k, t->got[k][i]));
	}
	fputc('\n', record);
	fflush(record);
}

bool record_close(void)
{
	return fclose(record) == 0;
}

static bool parse_line(char *text, struct line *l)
{
	char *fields[5] = { 0 };

	text[strcspn(text, "\n")] = '\0';
	for (int i = 0; i < 5 && text; i++)
		fields[i] = strsep(&text, "\t");
	if (!fields[3])
		return false;
	l->name = strdup(fields[0]);
	l->count = (uint32_t)strtoul(fields[1], NULL, 10);
	l->in = strtoull(fields[2], NULL, 16);
	l->out = strtoull(fields[3], NULL, 16);
	l->values = fields[4] ? strdup(fields[4]) : NULL;
	return true;
}

bool compare_open(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return false;
	while (getline(&text, &size, in) > 0) {
		lines = reallocarray(lines, line_count + 1, sizeof *lines);
		if (!lines || !parse_line(text, &lines[line_count]))
			die("%s: line %zu is no record", path, line_count + 1);
		line_count++;
	}
	free(text);
	fclose(in);
	return true;
}

/* A float's bits in the order of the values. */
static int64_t rank(enum type type, uint64_t bits)
{
	uint64_t magnitude = bits & type_mask(type) >> 1;

	return magnitude == bits ? (int64_t)magnitude : -(int64_t)magnitude;
}

static void count_differences(const struct form *f, const struct tuples *t, const char *values)
{
	uint32_t different = 0, total = 0;
	int64_t worst = 0;

	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; k < f->outs; k++) {
			char *end;
			uint64_t recorded = strtoull(values, &end, 16);
			uint64_t got = t->is_open[i] ? 0 : comparable(f, k, t->got[k][i]);
			int64_t distance = llabs(rank(f->out[k], got) - rank(f->out[k], recorded));

			values = end;
			total++;
			different += distance != 0;
			if (distance > worst)
				worst = distance;
		}
	printf("note: %s: %u of %u results differ from the recorded ones, by %" PRId64
	       " last places at most\n",
		f->name, different, total, worst);
}

const char *compare_form(const struct form *f, const struct tuples *t)
{
	uint64_t in, out;

	hash_tuples(f, t, &in, &out);
	for (size_t i = 0; i < line_count; i++) {
		const struct line *l = &lines[i];

		if (strcmp(l->name, f->name))
			continue;
		if (l->count != t->count || l->in != in)
			return "recorded with other operands";
		if (l->out == out)
			return NULL;
		if (!l->values || is_exact)
			return "other results than the recorded ones";
		count_differences(f, t, l->values);
		return NULL;
	}
	return NULL; /* the recording machine refused it */
}

void compare_close(void)
{
	for (size_t i = 0; i < line_count; i++) {
		free(lines[i].name);
		free(lines[i].values);
	}
	free(lines);
}
