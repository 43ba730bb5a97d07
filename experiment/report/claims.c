/* experiment/report/claims.c -- claims of papers: collected, and read from CSV. */
#include "experiment/report/claims.h"
#include "experiment/csv_table.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *copy_field(struct keeper *k, const char *text)
{
	return text ? keep_copy(k, text) : NULL;
}

void report_claims_add(struct report_claims *c, const struct report_claim *claim)
{
	struct keeper *k = &c->keeper;
	struct report_claim *to;

	c->items = xrealloc(c->items, (c->count + 1) * sizeof(*c->items));
	to = &c->items[c->count++];
	*to = *claim;
	to->table = copy_field(k, claim->table);
	to->what = copy_field(k, claim->what);
	to->text = copy_field(k, claim->text);
	to->over = copy_field(k, claim->over);
	to->source = copy_field(k, claim->source);
	to->unchecked = copy_field(k, claim->unchecked);
	to->why = copy_field(k, claim->why);
}

void report_claims_fini(struct report_claims *c)
{
	keeper_fini(&c->keeper);
	free(c->items);
}

bool claim_is_printed(const struct report_claim *c)
{
	return c->printed.has_number || c->printed.word != WORD_NONE;
}

/* -- from CSV -- */

enum { WHAT, MEASURED, PRINTED, TABLE, QUANTITY, BOUND, OVER, SOURCE, UNCHECKED, WHY, COLUMNS };

static const char *const column_names[COLUMNS] = { "what", "measured", "printed", "table", "quantity",
	"bound", "over", "source", "unchecked", "why" };

struct claim_reader {
	const struct csv_table *table;
	size_t columns[COLUMNS], row;
	struct diag_list *diags;
};

/* NULL: no such column, or an empty field. */
static const char *claim_field(const struct claim_reader *r, int column)
{
	const char *text =
		r->columns[column] == NO_COLUMN ? NULL : r->table->rows[r->row].fields[r->columns[column]];

	return text && *text ? text : NULL;
}

static bool read_claim_number(const char *text, double *to)
{
	char *end;

	*to = strtod(text, &end);
	return end != text && !*end && isfinite(*to);
}

/* The place of a field among names; otherwise where it is empty; -1, with a diagnostic. */
static int read_claim_name(
	const struct claim_reader *r, int column, const char *const *names, size_t count, int otherwise)
{
	const char *text = claim_field(r, column);

	if (!text)
		return otherwise;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	csv_table_error(r->table, r->row, r->diags, "unknown word %s in the column %s", text,
		column == BOUND ? "bound" : "quantity");
	return -1;
}

/* A number, or a word: higher, lower, equal. */
static bool read_printed(const struct claim_reader *r, struct report_claim *claim)
{
	int quantity = read_claim_name(r, QUANTITY, printed_quantity_names, QUANTITIES, QUANTITY_RATIO);
	int bound = read_claim_name(r, BOUND, printed_bound_names, BOUNDS, BOUND_NONE);
	struct printed *p = &claim->printed;

	if (quantity < 0 || bound < 0)
		return false;
	p->quantity = (enum printed_quantity)quantity;
	p->bound = (enum printed_bound)bound;
	for (int word = WORD_HIGHER; claim->text && word <= WORD_EQUAL; word++)
		if (!strcmp(claim->text, printed_word_names[word]))
			p->word = (enum printed_word)word;
	if (p->word != WORD_NONE)
		return true;
	p->has_number = claim->text && read_claim_number(claim->text, &p->number);
	if (p->has_number)
		return true;
	p->word = WORD_OTHER;
	if (!claim->unchecked)
		csv_table_error(
			r->table, r->row, r->diags, "printed: expected a number, or higher, lower or equal");
	return claim->unchecked;
}

static bool read_claim(const struct claim_reader *r, struct report_claims *to)
{
	struct report_claim claim = { .table = claim_field(r, TABLE),
		.what = claim_field(r, WHAT),
		.text = claim_field(r, PRINTED),
		.over = claim_field(r, OVER),
		.source = claim_field(r, SOURCE),
		.unchecked = claim_field(r, UNCHECKED),
		.why = claim_field(r, WHY),
		.measured = NAN };
	const char *measured = claim_field(r, MEASURED);

	if (!claim.what) {
		csv_table_error(r->table, r->row, r->diags, "what: expected what the number is");
		return false;
	}
	if (measured && !claim.unchecked && !read_claim_number(measured, &claim.measured)) {
		csv_table_error(r->table, r->row, r->diags, "measured: expected a number, not %s", measured);
		return false;
	}
	if (!read_printed(r, &claim))
		return false;
	if (claim.printed.bound != BOUND_NONE)
		claim.text = keep_print(
			&to->keeper, "%s %s", printed_bound_words[claim.printed.bound], claim.text);
	report_claims_add(to, &claim);
	return true;
}

bool report_claims_read(struct report_claims *to, const char *path, struct diag_list *diags)
{
	struct csv_table *table = csv_table_read(path, NULL, diags);
	struct claim_reader r = { .table = table, .diags = diags };
	size_t errors = diags->errors;

	for (int i = 0; table && i < COLUMNS; i++)
		r.columns[i] = i <= PRINTED ? csv_table_need(table, column_names[i], diags)
					    : csv_table_column(table, column_names[i]);
	for (; table && diags->errors == errors && r.row < table->row_count; r.row++)
		read_claim(&r, to);
	if (table)
		csv_table_free(table);
	return table && diags->errors == errors;
}

/* -- to CSV -- */

static void write_claim(const struct report_claim *c, struct keeper *k, FILE *to)
{
	const struct printed *p = &c->printed;
	const char *const fields[COLUMNS] = {
		[WHAT] = c->what,
		[MEASURED] = number_exact(k, c->measured),
		[PRINTED] = p->has_number       ? number_exact(k, p->number)
			: p->word == WORD_OTHER ? c->text
						: printed_word_names[p->word],
		[TABLE] = c->table,
		[QUANTITY] = printed_quantity_names[p->quantity],
		[BOUND] = p->bound == BOUND_NONE ? "" : printed_bound_names[p->bound],
		[OVER] = c->over,
		[SOURCE] = c->source,
		[UNCHECKED] = c->unchecked,
		[WHY] = c->why,
	};

	for (int i = 0; i < COLUMNS; i++) {
		if (i)
			putc(',', to);
		csv_put(to, fields[i] ? fields[i] : "");
	}
	putc('\n', to);
}

void report_claims_write(const struct report_claims *c, FILE *to)
{
	struct keeper k = { 0 };

	for (int i = 0; i < COLUMNS; i++)
		fprintf(to, "%s%s", i ? "," : "", column_names[i]);
	putc('\n', to);
	for (size_t i = 0; i < c->count; i++)
		if (claim_is_printed(&c->items[i]))
			write_claim(&c->items[i], &k, to);
	keeper_fini(&k);
}
