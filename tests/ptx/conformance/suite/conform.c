/* tests/ptx/conformance/suite/conform.c -- the PTX conformance suite: what the options ask for, form by form,
 * and the report. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"

static const char usage[] =
	"conformance -- executes every form of PTX instruction and compares with the rules of the ISA\n\n"
	"usage: conformance [OPTION]...\n\n"
	"      --list           the forms, one a line, with their table\n"
	"      --filter GLOB    only forms whose name matches, as in 'setp.*'\n"
	"      --table NAME     only the forms of one table\n"
	"      --every N        only every N-th form\n"
	"      --refused FILE   names (or globs) of forms that the machine may refuse; refusing others is a "
	"failure\n"
	"      --emit DIR       write the forms' PTX to DIR, execute nothing\n"
	"      --record FILE    write what this machine computes\n"
	"      --compare FILE   compare with what another one computed\n"
	"      --values         with --record: the results of every form, not only those that machines may "
	"differ in\n"
	"      --exact          with both of these: all bits, NaNs' and approximate results' too\n"
	"      --verbose        say why forms are refused; more wrong results of each form\n";

static const struct {
	const char *name;
	void (*add)(void);
} tables[] = {
#define TABLE(name) { #name, name##_forms },
#include "tables.def"
#undef TABLE
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables, EMITTED_FORMS = 64 };

static struct options options = { .every = 1 };

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("conformance: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(2);
}

_Static_assert(sizeof tables / sizeof *tables <= TABLES, "more tables than run.c has room for");

const char *table_name(const struct form *f)
{
	return tables[f->table].name;
}

static void add_all(void)
{
	for (uint32_t i = 0; i < TABLE_COUNT; i++) {
		current_table = i;
		tables[i].add();
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct form *const *)a)->name, (*(struct form *const *)b)->name);
}

static void check_names(void)
{
	struct form **all = calloc(form_count, sizeof *all);
	uint32_t n = 0;

	for (struct form *f = forms; f; f = f->next)
		all[n++] = f;
	qsort(all, n, sizeof *all, by_name);
	for (uint32_t i = 1; i < n; i++)
		if (!strcmp(all[i - 1]->name, all[i]->name))
			die("two forms are called '%s'", all[i]->name);
	free(all);
}

static bool is_wanted(const struct form *f)
{
	return (!options.filter || !fnmatch(options.filter, f->name, 0)) &&
		(!options.table || !strcmp(options.table, table_name(f))) && f->number % options.every == 0;
}

static void list_forms(void)
{
	for (struct form *f = forms; f; f = f->next)
		if (is_wanted(f))
			printf("%-10s %s\n", table_name(f), f->name);
}

/* The forms that have a head like the first, EMITTED_FORMS at most, into one file; the form behind them.
 * Forms that may be refused have files of their own. */
static struct form *emit_some(const char *folder, struct form *first)
{
	char path[4096];
	bool is_refused = refused_names(first);
	struct form *f = first;
	uint32_t count = 0;
	FILE *out;

	snprintf(path, sizeof path, "%s/%s%s-%05u.ptx", folder, is_refused ? "refused-" : "",
		table_name(first), first->number);
	if (!(out = fopen(path, "w")))
		die("%s: cannot be written", path);
	emit_header(out, first);
	for (; f && count < EMITTED_FORMS && has_same_head(f, first) && refused_names(f) == is_refused;
		f = f->next)
		if (is_wanted(f)) {
			emit_form(out, f);
			count++;
		}
	if (fclose(out))
		die("%s: cannot be written", path);
	return f;
}

static void emit_all(const char *folder, const char *refused)
{
	if (refused)
		refused_read(refused);
	for (struct form *f = forms; f;)
		f = is_wanted(f) ? emit_some(folder, f) : f->next;
}

static void parse(int argc, char **argv, struct run *run)
{
	static const struct option names[] = { { "list", 0, 0, 'l' }, { "filter", 1, 0, 'f' },
		{ "table", 1, 0, 't' }, { "every", 1, 0, 'n' }, { "refused", 1, 0, 'r' },
		{ "emit", 1, 0, 'e' }, { "record", 1, 0, 'w' }, { "compare", 1, 0, 'c' },
		{ "exact", 0, 0, 'x' }, { "values", 0, 0, 'a' }, { "verbose", 0, 0, 'v' },
		{ "help", 0, 0, 'h' }, { 0 } };
	int option;

	while ((option = getopt_long(argc, argv, "vh", names, NULL)) != -1)
		switch (option) {
		case 'l':
			run->is_list = true;
			break;
		case 'f':
			options.filter = optarg;
			break;
		case 't':
			options.table = optarg;
			break;
		case 'n':
			options.every = atoi(optarg) > 0 ? (uint32_t)atoi(optarg) : 1;
			break;
		case 'r':
			run->refused = optarg;
			break;
		case 'e':
			run->emit = optarg;
			break;
		case 'w':
			run->record = optarg;
			break;
		case 'c':
			run->compare = optarg;
			break;
		case 'x':
			is_exact = true;
			break;
		case 'a':
			is_whole = true;
			break;
		case 'v':
			options.is_verbose = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
	if (optind < argc)
		die("'%s' is no option", argv[optind]);
}

/* Totals by table; whether all is well. */
static bool report(const struct tally *tallies)
{
	struct tally all = { 0 };

	for (uint32_t i = 0; i < TABLE_COUNT; i++) {
		const struct tally *t = &tallies[i];

		if (t->passed + t->failed + t->refused == 0)
			continue;
		printf("%-10s %5u passed %5u failed %5u refused\n", tables[i].name, t->passed, t->failed,
			t->refused);
		all.passed += t->passed;
		all.failed += t->failed;
		all.refused += t->refused;
	}
	printf("%u passed, %u failed, %u refused\n", all.passed, all.failed, all.refused);
	return all.failed == 0 && all.passed + all.refused > 0;
}

int main(int argc, char **argv)
{
	struct run run = { .options = &options, .is_wanted = is_wanted };

	parse(argc, argv, &run);
	add_all();
	check_names();
	if (run.is_list || run.emit) {
		if (run.is_list)
			list_forms();
		if (run.emit)
			emit_all(run.emit, run.refused);
		return 0;
	}
	return report(run_all(&run)) ? 0 : 1;
}
