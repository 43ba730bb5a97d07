/* sim/text/csv.h -- fields of CSV (RFC 4180), for programs and for spreadsheets. */
#ifndef SIM_TEXT_CSV_H
#define SIM_TEXT_CSV_H

#include <stdio.h>

/* A text, in quotes where it must be. A spreadsheet takes a text that begins with = + - or @ (or a control
 * character before them) for a formula, even in quotes. Unless it is a number, such a text gets a ' in front,
 * by which spreadsheets keep it as text. */
void csv_put(FILE *to, const char *text);

/* What csv_put was given, from the field that it wrote, without the quotes. */
const char *csv_text(const char *field);

#endif
