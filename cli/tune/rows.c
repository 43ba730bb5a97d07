/* cli/tune/rows.c -- measured rows. */
#include "cli/tune/tune.h"
#include "experiment/csv_table.h"
#include "sim/base/xalloc.h"
#include <string.h>

const struct tune_row *tune_rows_find(const struct tune_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->items[i].name, name))
			return &rows->items[i];
	return NULL;
}

void tune_rows_add(struct tune_rows *rows, const char *name, double value, const char *unit)
{
	struct tune_row *row = (struct tune_row *)tune_rows_find(rows, name);

	if (!row) {
		rows->items = xrealloc(rows->items, (rows->count + 1) * sizeof(*rows->items));
		row = &rows->items[rows->count++];
		row->name = keep_copy(&rows->keeper, name);
	}
	row->unit = keep_copy(&rows->keeper, unit);
	row->value = value;
}

bool tune_rows_read(struct tune_rows *rows, const char *path, struct diag_list *diags)
{
	struct csv_table *table = csv_table_read(path, "name", diags);
	size_t name, value, unit, before = diags->errors;

	if (!table)
		return false;
	name = csv_table_need(table, "name", diags);
	unit = csv_table_need(table, "unit", diags);
	value = csv_table_column(table, "measured");
	if (value == NO_COLUMN)
		value = csv_table_need(table, "value", diags);
	for (size_t i = 0; i < table->row_count && diags->errors == before; i++) {
		double number = csv_table_number(table, i, value, diags);

		if (diags->errors == before)
			tune_rows_add(rows, table->rows[i].fields[name], number, table->rows[i].fields[unit]);
	}
	csv_table_free(table);
	return diags->errors == before;
}

void tune_rows_fini(struct tune_rows *rows)
{
	free(rows->items);
	keeper_fini(&rows->keeper);
}
