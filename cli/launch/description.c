/* cli/launch/description.c -- a launch from a file: each line becomes an option and its value. */
#include "cli/launch/description.h"
#include "experiment/paths.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct description_reader {
	const char *path;
	const struct option *table;
	void *object;
	struct option_list *texts;
	struct diag_list *diags;
};

/* What stands in front of a path in the value of an option; NULL: the value is no path. */
static const char *path_in_value(const char *key, const char *value)
{
	static const char *const forms[] = { "npy:", "file:" };
	const char *colon = strchr(value, ':');

	if (strcmp(key, "ptx") == 0 || strcmp(key, "link") == 0)
		return value;
	if (strcmp(key, "save") == 0)
		return colon ? colon + 1 : NULL;
	for (size_t i = 0; strcmp(key, "arg") == 0 && i < sizeof(forms) / sizeof(*forms); i++) {
		const char *equals = strchr(value, '='), *text = equals ? equals + 1 : value;

		if (strncmp(value, forms[i], strlen(forms[i])) == 0)
			text = value;
		if (strncmp(text, forms[i], strlen(forms[i])) == 0)
			return text + strlen(forms[i]);
	}
	return NULL;
}

/* The value, with the folder of the file before a relative path; malloc'ed. */
static char *value_in_folder(const struct description_reader *r, const char *key, const char *value)
{
	const char *path = path_in_value(key, value), *slash = strrchr(r->path, '/');
	char *text;

	if (!path || *path == '/' || !slash)
		return xstrdup(value);
	if (asprintf(&text, "%.*s%.*s%s", (int)(path - value), value, (int)(slash + 1 - r->path), r->path,
		    path) < 0)
		bug("out of memory");
	return text;
}

static void keep_text(struct option_list *texts, const char *text)
{
	texts->items = xrealloc(texts->items, (texts->count + 1) * sizeof(*texts->items));
	texts->items[texts->count++] = text;
}

static bool read_line(const struct description_reader *r, char *line, uint32_t number)
{
	struct diag_location location = { .file = r->path, .line = number };
	char *key = line + strspn(line, " \t"), *value = key + strcspn(key, " \t\r"), *end;
	char message[512] = "a line is an option and its value, as in 'grid 64'", *arguments[1];
	size_t operands;

	if (!*key || *key == '#' || *key == '\r')
		return true;
	if (*value)
		*value++ = 0;
	value += strspn(value, " \t\r");
	for (end = value + strlen(value); end > value && strchr(" \t\r", end[-1]);)
		*--end = 0;
	value = value_in_folder(r, key, value);
	if (asprintf(&arguments[0], "--%s%s%s", key, *value ? "=" : "", value) < 0)
		bug("out of memory");
	free(value);
	keep_text(r->texts, arguments[0]);
	if (options_read(r->table, r->object, arguments, 1, false, &operands, message, sizeof(message)) ==
		OPTIONS_READ)
		return true;
	diag_error(r->diags, &location, "%s", message);
	return false;
}

bool description_read(const char *path, const struct option *table, void *object, struct option_list *texts,
	struct diag_list *diags)
{
	struct description_reader r = { path, table, object, texts, diags };
	char *text = paths_read(path, &(size_t){ 0 }, diags), *rest = text, *line;
	uint32_t number = 0;
	bool fine = text;

	while (fine && (line = strsep(&rest, "\n")))
		fine = read_line(&r, line, ++number);
	free(text);
	return fine;
}

void description_fini(struct option_list *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free((char *)texts->items[i]);
	free(texts->items);
	*texts = (struct option_list){ 0 };
}
