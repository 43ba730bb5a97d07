/* cli/import/import_read.c -- GPGPU-Sim's configuration files as a list of options with their places. */
#include "cli/import/import_gpgpusim.h"
#include "sim/base/xalloc.h"
#include <ctype.h>
#include <errno.h>

/* -- files -- */

static bool file_read(struct import_file *file, struct diag_list *diags)
{
	FILE *f = fopen(file->path, "rb"), *to;
	char block[4096];
	size_t got;
	bool fine;

	if (!f) {
		diag_error(diags, NULL, "%s cannot be read: %s", file->path, strerror(errno));
		return false;
	}
	to = open_memstream(&file->text, &file->size);
	bug_if(!to, "out of memory");
	while ((got = fread(block, 1, sizeof(block), f)))
		fwrite(block, 1, got, to);
	fine = !ferror(f);
	if (!fine)
		diag_error(diags, NULL, "%s cannot be read: %s", file->path, strerror(errno));
	fclose(f);
	fclose(to);
	if (fine && memchr(file->text, '\0', file->size)) {
		diag_error(diags, NULL, "%s: not a text: it has a zero byte", file->path);
		fine = false;
	}
	return fine;
}

static struct diag_location place_in(const struct import_file *file, size_t at)
{
	struct diag_location location = { file->path, file->text, file->size, 1, 1 };

	for (size_t i = 0; i < at && i < file->size; i++) {
		location.column++;
		if (file->text[i] == '\n') {
			location.line++;
			location.column = 1;
		}
	}
	return location;
}

struct diag_location import_location(const struct import_option *o, size_t at)
{
	return place_in(o->file, o->at[at < strlen(o->value) ? at : strlen(o->value)]);
}

/* -- words -- */

struct words {
	struct import *import;
	const struct import_file *file;
	size_t at;
};

static bool is_end(const struct words *w)
{
	return w->at >= w->file->size;
}

static char character_here(const struct words *w)
{
	return is_end(w) ? '\0' : w->file->text[w->at];
}

static bool words_begin_with(const struct words *w, const char *text)
{
	return w->at + strlen(text) <= w->file->size && !memcmp(w->file->text + w->at, text, strlen(text));
}

static void skip_blanks(struct words *w, const char *comment)
{
	while (!is_end(w) && (isspace((unsigned char)character_here(w)) || words_begin_with(w, comment))) {
		if (words_begin_with(w, comment))
			while (!is_end(w) && character_here(w) != '\n')
				w->at++;
		else
			w->at++;
	}
}

static struct import_option *add_option(struct words *w)
{
	struct import *i = w->import;
	struct import_option *o;

	i->options = xrealloc(i->options, (i->option_count + 1) * sizeof(*i->options));
	o = &i->options[i->option_count++];
	*o = (struct import_option){ .file = w->file, .name_at = w->at };
	return o;
}

static char *copy_piece(const char *from, size_t size)
{
	char *text = xcalloc(size + 1, 1);

	memcpy(text, from, size);
	return text;
}

static void value_begin(struct words *w, struct import_option *o)
{
	o->value = xcalloc(w->file->size - w->at + 2, 1);
	o->at = xcalloc(w->file->size - w->at + 2, sizeof(*o->at));
}

static void value_add(struct words *w, struct import_option *o, size_t *size)
{
	o->at[*size] = w->at;
	o->value[(*size)++] = character_here(w);
	w->at++;
	o->at[*size] = w->at;
}

/* In quotes blanks and line ends do not count. */
static bool read_quoted(struct words *w, struct import_option *o)
{
	size_t size = 0, opened = w->at++;

	o->at[0] = w->at;
	while (!is_end(w) && character_here(w) != '"') {
		if (isspace((unsigned char)character_here(w)))
			w->at++;
		else
			value_add(w, o, &size);
	}
	if (is_end(w)) {
		struct diag_location location = place_in(w->file, opened);

		diag_error(w->import->diags, &location, "the quotes are not closed");
		return false;
	}
	o->at[size] = w->at++;
	return true;
}

/* -- gpgpusim.config -- */

static bool is_number(const char *text)
{
	return isdigit((unsigned char)text[1]) || text[1] == '.';
}

static bool read_option(struct words *w)
{
	struct import_option *o;
	struct diag_location location = place_in(w->file, w->at);
	size_t from, size = 0;

	if (character_here(w) != '-') {
		diag_error(w->import->diags, &location, "expected an option, which begins with -");
		return false;
	}
	o = add_option(w);
	for (from = ++w->at; !is_end(w) && !isspace((unsigned char)character_here(w));)
		w->at++;
	o->name = copy_piece(w->file->text + from, w->at - from);
	value_begin(w, o);
	skip_blanks(w, "#");
	if (character_here(w) == '"')
		return read_quoted(w, o);
	if (is_end(w) || (character_here(w) == '-' && !is_number(w->file->text + w->at))) {
		diag_error(w->import->diags, &location, "option -%s has no value", o->name);
		return false;
	}
	while (!is_end(w) && !isspace((unsigned char)character_here(w)) && character_here(w) != '#')
		value_add(w, o, &size);
	return true;
}

/* -- *.icnt -- */

static bool read_assignment(struct words *w)
{
	struct import_option *o = add_option(w);
	size_t from = w->at, size = 0;

	while (isalnum((unsigned char)character_here(w)) || character_here(w) == '_')
		w->at++;
	o->name = copy_piece(w->file->text + from, w->at - from);
	value_begin(w, o);
	skip_blanks(w, "//");
	if (character_here(w) != '=' || w->at == from) {
		struct diag_location location = place_in(w->file, w->at);

		diag_error(w->import->diags, &location, "expected name = value;");
		return false;
	}
	w->at++;
	skip_blanks(w, "//");
	while (!is_end(w) && character_here(w) != ';' && character_here(w) != '\n')
		value_add(w, o, &size);
	while (size && isspace((unsigned char)o->value[size - 1]))
		o->value[--size] = '\0';
	if (character_here(w) != ';') {
		struct diag_location location = place_in(w->file, w->at);

		diag_error(w->import->diags, &location, "expected ; behind the value of %s", o->name);
		return false;
	}
	w->at++;
	return true;
}

static bool is_network(const char *path)
{
	size_t size = strlen(path);

	return size > 5 && !strcmp(path + size - 5, ".icnt");
}

static bool read_whole_file(struct import *i, const struct import_file *file)
{
	struct words w = { i, file, 0 };
	const char *comment = is_network(file->path) ? "//" : "#";
	bool fine = true;

	for (skip_blanks(&w, comment); fine && !is_end(&w); skip_blanks(&w, comment))
		fine = is_network(file->path) ? read_assignment(&w) : read_option(&w);
	return fine;
}

static void mark_overridden(struct import *i)
{
	for (size_t a = 0; a < i->option_count; a++)
		for (size_t b = a + 1; b < i->option_count; b++)
			i->options[a].is_overridden |= !strcmp(i->options[a].name, i->options[b].name);
}

bool import_read(struct import *i, char *const *paths, size_t count)
{
	bool fine = true;

	i->files = xcalloc(count, sizeof(*i->files));
	i->file_count = count;
	for (size_t n = 0; n < count; n++) {
		i->files[n].path = paths[n];
		fine &= file_read(&i->files[n], i->diags) && read_whole_file(i, &i->files[n]);
	}
	mark_overridden(i);
	return fine;
}

void import_files_free(struct import *i)
{
	for (size_t n = 0; n < i->option_count; n++) {
		free(i->options[n].name);
		free(i->options[n].value);
		free(i->options[n].at);
	}
	for (size_t n = 0; n < i->file_count; n++)
		free(i->files[n].text);
	free(i->options);
	free(i->files);
}

struct import_option *import_find(const struct import *i, const char *name)
{
	for (size_t n = 0; n < i->option_count; n++)
		if (!i->options[n].is_overridden && !strcmp(i->options[n].name, name))
			return &i->options[n];
	return NULL;
}
