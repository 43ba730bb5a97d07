/* cli/import/import_print.c -- what the import says: YAML, remarks, counts. */
#include "cli/import/import_gpgpusim.h"
#include "sim/config/config.h"

static void print_remarks(const struct import *i, enum import_kind kind, const char *title, FILE *f)
{
	bool any = false;

	for (size_t n = 0; n < i->remark_count; n++) {
		const struct import_remark *r = &i->remarks[n];

		if (r->kind != kind)
			continue;
		if (!any)
			fprintf(f, "#\n# %s\n", title);
		any = true;
		fprintf(f, "#   %s:%u: -%s: %s\n", r->option->file->path, import_location(r->option, 0).line,
			r->option->name, r->text);
	}
}

static void print_overridden(const struct import *i, FILE *f)
{
	for (size_t n = 0; n < i->option_count; n++) {
		const struct import_option *o = &i->options[n];

		if (o->is_overridden)
			fprintf(f, "#   %s:%u: -%s: said again later\n", o->file->path,
				import_location(o, 0).line, o->name);
	}
}

struct tally {
	size_t options, carried, unknown;
};

static struct tally count_options(const struct import *i)
{
	struct tally t = { 0 };

	for (size_t n = 0; n < i->option_count; n++) {
		t.options++;
		t.carried += i->options[n].is_carried && !i->options[n].is_overridden;
	}
	for (size_t n = 0; n < i->remark_count; n++)
		t.unknown += i->remarks[n].kind == IMPORT_UNKNOWN;
	return t;
}

static void print_tally(const struct tally *t, FILE *f)
{
	fprintf(f, "%zu option%s carried over, %zu not", t->carried, t->carried == 1 ? "" : "s",
		t->options - t->carried);
	if (t->unknown)
		fprintf(f, ", %zu of them unknown", t->unknown);
}

void import_print_yaml(const struct import *i, const struct config *config, FILE *f)
{
	struct tally t = count_options(i);

	fputs("# Imported from", f);
	for (size_t n = 0; n < i->file_count; n++)
		fprintf(f, " %s", i->files[n].path);
	fputs(" (lockstep config import). Behind each value: the option it comes from and its line, or\n# "
	      "default: GPGPU-Sim's files do not say it. ",
		f);
	print_tally(&t, f);
	fputs(": at the end.\n", f);
	config_print_resolved(config, f);
	print_remarks(i, IMPORT_CHANGED, "Carried over otherwise than it stands, or in part:", f);
	print_remarks(i, IMPORT_LEFT_OUT, "Not carried over:", f);
	print_overridden(i, f);
	print_remarks(i, IMPORT_UNKNOWN, "Unknown, not carried over:", f);
}

void import_print_summary(const struct import *i, FILE *f)
{
	struct tally t = count_options(i);
	const char *before = ": ";

	fputs("lockstep: ", f);
	print_tally(&t, f);
	for (size_t n = 0; n < i->option_count; n++) {
		if (i->options[n].is_carried && !i->options[n].is_overridden)
			continue;
		fprintf(f, "%s%s", before, i->options[n].name);
		before = ", ";
	}
	fputs(t.options > t.carried
			? "\nlockstep: why not, and what was changed, stands at the end of the YAML\n"
			: "\n",
		f);
	for (size_t n = 0; n < i->remark_count; n++)
		if (i->remarks[n].kind == IMPORT_UNKNOWN)
			fprintf(f, "lockstep: %s:%u: -%s: %s\n", i->remarks[n].option->file->path,
				import_location(i->remarks[n].option, 0).line, i->remarks[n].option->name,
				i->remarks[n].text);
}
