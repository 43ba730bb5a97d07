/* cli/import/import_gpgpusim.c -- the import: options by the table, then the machine that they make, then
 * YAML with reasons. */
#include "cli/import/import_gpgpusim.h"
#include "core/gpu/machine_config.h"
#include "sim/base/xalloc.h"

static const struct row {
	const char *name, *path;   /* path: TO */
	import_function *function; /* PARTS */
	const char *reason;        /* LEFT */
} rows[] = {
#define TO(name, path)        { name, path, NULL, NULL },
#define PARTS(name, function) { name, NULL, function, NULL },
#define LEFT(name, reason)    { name, NULL, NULL, reason },
#include "cli/import/import_gpgpusim.def"
#undef TO
#undef PARTS
#undef LEFT
};
#define ROWS (sizeof(rows) / sizeof(*rows))

/* -- options -- */

static void unknown_option(struct import *i, const struct import_option *o)
{
	const char *names[ROWS], *nearest;

	for (size_t n = 0; n < ROWS; n++)
		names[n] = rows[n].name;
	nearest = diag_nearest(o->name, names, ROWS);
	import_remark(i, IMPORT_UNKNOWN, o, "no option of GPGPU-Sim that is known here%s%s%s",
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static void one_number(struct import *i, struct import_option *o, const char *path)
{
	struct import_cursor c = import_cursor(i, o);
	double value = take_number(&c, path);

	take_end(&c);
	if (!c.failed)
		import_set_number(i, o, path, value);
}

static void take_option(struct import *i, struct import_option *o)
{
	for (size_t n = 0; n < ROWS; n++) {
		const struct row *r = &rows[n];

		if (strcmp(r->name, o->name))
			continue;
		if (r->path)
			one_number(i, o, r->path);
		else if (r->function)
			r->function(i, o);
		else
			import_remark(i, IMPORT_LEFT_OUT, o, "%s", r->reason);
		return;
	}
	unknown_option(i, o);
}

static void take_options(struct import *i)
{
	for (size_t n = 0; n < i->option_count; n++)
		if (!i->options[n].is_overridden)
			take_option(i, &i->options[n]);
}

/* -- the machine -- */

/* What config_print_resolved shows as a value's origin, with the line behind it. */
static void label_origin(const struct import_option *o, char *text, size_t size)
{
	snprintf(text, size, "-%s %s", o->name, o->file->path);
}

static void print_quoted_option(const char *value, FILE *f)
{
	fputc('"', f);
	for (; *value; value++)
		fprintf(f, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
	fputc('"', f);
}

/* sm.l1d.sets and 32: {sm: {l1d: {sets: 32}}}, in the line where the option stands. */
static char *setting_text(const struct import_setting *s)
{
	uint32_t line = import_location(s->option, 0).line, depth = 1;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (uint32_t n = 1; n < line; n++)
		fputc('\n', f);
	fputc('{', f);
	for (const char *c = s->path; *c; c++) {
		depth += *c == '.';
		fputs(*c == '.' ? ": {" : (char[]){ *c, '\0' }, f);
	}
	fputs(": ", f);
	if (strspn(s->value, "0123456789."))
		fputs(s->value, f);
	else
		print_quoted_option(s->value, f);
	while (depth--)
		fputc('}', f);
	fclose(f);
	return text;
}

static void set_name(const struct import *i, struct config *config, struct diag_list *diags)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	fputs("{gpu: {name: ", f);
	print_quoted_option(i->files[0].path, f);
	fputs("}}", f);
	fclose(f);
	config_load_text(config, i->files[0].path, text, diags);
	free(text);
}

static struct config *settings_config(const struct import *i, struct diag_list *diags)
{
	struct config *config = config_new();
	char name[512];

	set_name(i, config, diags);
	for (size_t n = 0; n < i->setting_count; n++) {
		const struct import_setting *s = &i->settings[n];
		char *yaml;

		if (s->is_dropped)
			continue;
		yaml = setting_text(s);
		label_origin(s->option, name, sizeof(name));
		config_load_text(config, name, yaml, diags);
		free(yaml);
	}
	return config;
}

/* Does the message speak of this setting's value? */
static bool is_about(const struct diag *d, const struct import_setting *s)
{
	char name[512];

	label_origin(s->option, name, sizeof(name));
	return !s->is_dropped && d->file && !strcmp(d->file, name) &&
		d->line == import_location(s->option, 0).line &&
		!strncmp(d->message, s->path, strlen(s->path)) && d->message[strlen(s->path)] == ' ';
}

/* Values that our parameters do not take are left out; the number of them. */
static size_t drop_refused(struct import *i, const struct diag_list *refused)
{
	size_t dropped = 0;

	for (size_t d = 0; d < refused->count; d++)
		for (size_t n = 0; n < i->setting_count; n++) {
			struct import_setting *s = &i->settings[n];

			if (!is_about(&refused->items[d], s))
				continue;
			s->is_dropped = true;
			dropped++;
			import_remark(i, IMPORT_CHANGED, s->option, "without %s", refused->items[d].message);
		}
	return dropped;
}

/* What fits no machine, at the place of the option that it comes from. */
static void print_misfits(const struct import *i, const struct diag_list *misfits)
{
	for (size_t d = 0; d < misfits->count; d++) {
		const struct diag *m = &misfits->items[d];
		struct diag_location location;
		bool has_location = false;
		char name[512];

		for (size_t n = 0; n < i->option_count && !has_location; n++) {
			location = import_location(&i->options[n], 0);
			label_origin(&i->options[n], name, sizeof(name));
			has_location = m->file && !strcmp(m->file, name) && m->line == location.line;
		}
		diag_add(i->diags, m->kind, has_location ? &location : NULL, m->hint, "%s", m->message);
	}
}

/* The configuration that the settings make, read; *machine is filled. NULL with diagnostics: they fit no
 * machine. */
static struct config *build_config(struct import *i, struct machine_config *machine)
{
	for (;;) {
		struct diag_list diags;
		struct config *config;
		size_t dropped, errors;

		diag_init(&diags);
		diags.limit = 10000;
		config = settings_config(i, &diags);
		machine_config_read(machine, config, &diags);
		config_check_unknown(config, &diags);
		errors = diags.errors;
		dropped = errors ? drop_refused(i, &diags) : 0;
		if (!dropped)
			print_misfits(i, &diags);
		diag_fini(&diags);
		if (!errors)
			return config;
		machine_config_fini(machine);
		config_free(config);
		if (!dropped)
			return NULL;
	}
}

static void import_fini(struct import *i)
{
	for (size_t n = 0; n < i->setting_count; n++) {
		free(i->settings[n].path);
		free(i->settings[n].value);
	}
	for (size_t n = 0; n < i->remark_count; n++)
		free(i->remarks[n].text);
	free(i->settings);
	free(i->remarks);
	import_files_free(i);
}

bool import_gpgpusim(char *const *paths, size_t count, FILE *stream, FILE *summary, struct diag_list *diags)
{
	struct import i = { .diags = diags };
	struct machine_config machine;
	struct config *config = NULL;

	if (import_read(&i, paths, count)) {
		take_options(&i);
		config = diags->errors ? NULL : build_config(&i, &machine);
	}
	if (config) {
		import_print_yaml(&i, config, stream);
		import_print_summary(&i, summary);
		machine_config_fini(&machine);
		config_free(config);
	}
	import_fini(&i);
	return config != NULL;
}
