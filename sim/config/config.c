/* sim/config/config.c -- builds the tree of what the user wrote, from files, their bases and --set.
 *
 * Overlaying is by key: a section is merged with a section, anything else replaces what was there, with
 * its location. A file and all its bases are parsed before the first is overlaid, so that a failed load
 * changes nothing.
 *
 * Overlays (files whose names begin with +) must not override each other: a value that replaces the value
 * of another overlay remembers it, and config_read compares the two. Files that are not overlays override
 * everything before them, including such remembered values. */
#include "sim/config/config_internal.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>

#define LARGEST_FILE ((size_t)16 << 20)
#define MOST_BASES   32 /* of each other */

struct config_block {
	struct config_block *next;
	max_align_t memory[];
};

struct loading { /* the files being loaded, each the base of its parent */
	const struct loading *parent;
	const char *path;                  /* as it was named */
	const char *real;                  /* canonical path; NULL for a text from memory */
	const struct config_file *overlay; /* as in struct config_file */
};

static bool load_file(struct config *config, const char *path, const struct diag_location *location,
	const struct loading *parent, struct diag_list *diags);

/* -- arena -- */

void *config_alloc(struct config *config, size_t size)
{
	struct config_block *block = xcalloc(1, sizeof(*block) + size);

	block->next = config->blocks;
	config->blocks = block;
	return block->memory;
}

static char *copy_bytes(struct config *config, const char *text, size_t size)
{
	return memcpy(config_alloc(config, size + 1), text, size);
}

char *config_format(struct config *config, const char *format, ...)
{
	va_list arguments, again;
	char brief[128], *text;
	int size;

	va_start(arguments, format);
	va_copy(again, arguments);
	size = vsnprintf(brief, sizeof(brief), format, again);
	va_end(again);
	bug_if(size < 0, "cannot format \"%s\"", format);
	text = config_alloc(config, (size_t)size + 1);
	if ((size_t)size < sizeof(brief))
		memcpy(text, brief, (size_t)size + 1);
	else
		vsnprintf(text, (size_t)size + 1, format, arguments);
	va_end(arguments);
	return text;
}

struct config *config_new(void)
{
	struct config *config = xcalloc(1, sizeof(*config));

	config->root = config_alloc(config, sizeof(*config->root));
	config->top = config_alloc(config, sizeof(*config->top));
	config->top->name = config->top->path = "";
	return config;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	for (struct config_block *block = config->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(config);
}

/* -- overlaying -- */

/* The value of another overlay with which fresh must agree when it replaces old; NULL if there is none. */
static const struct config_node *rival(const struct config_node *old, const struct config_node *fresh)
{
	if (!fresh->file->overlay || !old->file->overlay || !old->value)
		return NULL;
	return old->file->overlay == fresh->file->overlay ? old->rival : old;
}

/* Moves what is in `from`, except one node, to `onto`. */
static void overlay_nodes(
	struct config_node *onto, struct config_node *from, const struct config_node *except)
{
	for (struct config_node *n = from->first, *next; n; n = next) {
		struct config_node *old = config_child(onto, n->key, strlen(n->key));

		next = n->next;
		if (n == except)
			continue;
		if (!old)
			config_append(onto, n);
		else if (!old->value && !n->value)
			overlay_nodes(old, n, NULL);
		else if (old->value || !config_is_nothing(n)) {
			n->rival = rival(old, n);
			config_replace(old, n);
		}
	}
}

/* -- locations -- */

static const struct config_node *find_path(const struct config_node *node, const char *path)
{
	while (node && *path) {
		size_t size = strcspn(path, ".");

		node = config_child(node, path, size);
		path += size + (path[size] == '.');
	}
	return node;
}

struct diag_location config_location(const struct config *config, const char *path, const char *key)
{
	const struct config_node *node = find_path(config->root, path);

	node = node ? find_path(node, key) : NULL;
	if (!node || !node->file)
		return (struct diag_location){ 0 };
	return node->value ? config_value_location(node) : config_key_location(node);
}

/* -- files -- */

bool config_is_overlay(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash ? slash[1] : *path) == '+';
}

static const char *cannot_read(
	struct diag_list *diags, const struct diag_location *location, const char *path, const char *why)
{
	diag_error(diags, location, "cannot read %s: %s", path, why);
	return NULL;
}

/* Reads the whole text into the arena, without a byte order mark; NULL with a diagnostic on failure. */
static const char *read_stream(struct config *config, FILE *stream, const char *path,
	const struct diag_location *location, size_t *size, struct diag_list *diags)
{
	size_t capacity = 4096, used = 0, got;
	char *text = xmalloc(capacity);
	const char *copy;

	errno = 0;
	while ((got = fread(text + used, 1, capacity - used, stream)) > 0 && used + got <= LARGEST_FILE) {
		used += got;
		if (used == capacity)
			text = xrealloc(text, capacity *= 2);
	}
	if (ferror(stream))
		copy = cannot_read(diags, location, path, strerror(errno));
	else if (got)
		copy = cannot_read(diags, location, path, "larger than 16 MiB");
	else
		copy = copy_bytes(config, text, used);
	free(text);
	*size = used;
	return copy;
}

static const char *read_config_file(struct config *config, const char *path,
	const struct diag_location *location, size_t *size, struct diag_list *diags)
{
	FILE *stream = fopen(path, "rb");
	const char *text;

	if (!stream)
		return cannot_read(diags, location, path, strerror(errno));
	text = read_stream(config, stream, path, location, size, diags);
	fclose(stream);
	return text;
}

static struct config_file *new_file(struct config *config, const char *name, const char *text, size_t size)
{
	struct config_file *file = config_alloc(config, sizeof(*file));
	size_t mark = text && size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;

	file->name = config_format(config, "%s", name);
	file->text = text ? text + mark : NULL;
	file->size = size - mark;
	return file;
}

static bool load_base(struct config *config, const struct config_node *base, const struct loading *loading,
	struct diag_list *diags)
{
	const char *name = base->file->name, *slash = strrchr(name, '/'), *path = base->value;
	struct diag_location location = base->value ? config_value_location(base) : config_key_location(base);

	if (!path || config_is_nothing(base) || !*path) {
		diag_error(diags, &location, "base: expected a YAML file or the name of a configuration");
		return false;
	}
	char *shipped = config_find(NULL, path);

	if (shipped)
		path = config_format(config, "%s", shipped);
	else if (*path != '/' && slash)
		path = config_format(config, "%.*s/%s", (int)(slash - name), name, path);
	free(shipped);
	return load_file(config, path, &location, loading, diags);
}

static bool load_parsed(
	struct config *config, struct config_file *file, struct loading *loading, struct diag_list *diags)
{
	struct config_node *root = config_parse(config, file, diags);
	struct config_node *base = root ? config_child(root, "base", 4) : NULL;

	if (!root)
		return false;
	file->overlay = loading->parent ? loading->parent->overlay : NULL;
	if (!file->overlay && config_is_overlay(file->name))
		file->overlay = file;
	loading->overlay = file->overlay;
	if (base && !load_base(config, base, loading, diags))
		return false;
	overlay_nodes(config->root, root, base);
	return true;
}

/* "a.yaml, its base b.yaml, its base a.yaml" */
static const char *loop_of(struct config *config, const struct loading *from, const struct loading *to)
{
	const char *text = from->path;

	for (const struct loading *l = from; l != to;) {
		l = l->parent;
		text = config_format(config, "%s, its base %s", l->path, text);
	}
	return text;
}

/* A file may not be a base of itself, and no chain of bases is so long by intention. */
static bool check_bases(struct config *config, const struct loading *loading,
	const struct diag_location *location, struct diag_list *diags)
{
	unsigned depth = 0;

	for (const struct loading *l = loading->parent; l; l = l->parent) {
		if (loading->real && l->real && !strcmp(l->real, loading->real)) {
			diag_error(diags, location, "base = %s: the bases form a loop: %s", loading->path,
				loop_of(config, loading, l));
			return false;
		}
		if (++depth > MOST_BASES) {
			diag_error(diags, location,
				"base = %s: more than %d files are each the base of another", loading->path,
				MOST_BASES);
			return false;
		}
	}
	return true;
}

static bool load_file(struct config *config, const char *path, const struct diag_location *location,
	const struct loading *parent, struct diag_list *diags)
{
	char real[PATH_MAX];
	struct loading loading = { parent, path, realpath(path, real), NULL };
	const char *text;
	size_t size;

	if (!check_bases(config, &loading, location, diags))
		return false;
	text = read_config_file(config, path, location, &size, diags);
	return text && load_parsed(config, new_file(config, path, text, size), &loading, diags);
}

bool config_load(struct config *config, const char *path, struct diag_list *diags)
{
	char *file = config_path(NULL, path);
	bool fine = load_file(config, file, NULL, NULL, diags);

	free(file);
	return fine;
}

bool config_load_text(struct config *config, const char *name, const char *text, struct diag_list *diags)
{
	struct loading loading = { NULL, name, NULL, NULL };
	size_t size = strlen(text);

	return load_parsed(
		config, new_file(config, name, copy_bytes(config, text, size), size), &loading, diags);
}

/* -- --set -- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char *trimmed(struct config *config, const char *text, size_t size)
{
	while (size && is_blank(text[0])) {
		text++;
		size--;
	}
	while (size && is_blank(text[size - 1]))
		size--;
	return copy_bytes(config, text, size);
}

static const char *path_fault(const char *path)
{
	unsigned depth = 1;

	if (!*path)
		return "no path before '='";
	if (!strcmp(path, "base"))
		return "base belongs in a file";
	if (path[0] == '.' || path[strlen(path) - 1] == '.' || strstr(path, ".."))
		return "a name is missing beside a dot";
	for (const char *dot = path; (dot = strchr(dot, '.')); dot++)
		depth++;
	return depth > CONFIG_MAX_DEPTH ? "nested too deeply" : NULL;
}

bool config_set(struct config *config, const char *assignment, struct diag_list *diags)
{
	struct config_file *file = new_file(config, config_format(config, "--set %s", assignment), NULL, 0);
	struct diag_location location = { .file = file->name };
	const char *equals = strchr(assignment, '=');
	struct config_node root = { 0 }, *node = &root;
	char *path, *name;
	const char *fault;

	path = trimmed(config, assignment, equals ? (size_t)(equals - assignment) : 0);
	fault = equals ? path_fault(path) : "no '='";
	if (fault) {
		diag_error(diags, &location, "%s: expected path.to.key=value", fault);
		return false;
	}
	while ((name = strsep(&path, "."))) {
		struct config_node *child = config_alloc(config, sizeof(*child));

		child->key = name;
		child->file = file;
		config_append(node, child);
		node = child;
	}
	node->value = trimmed(config, equals + 1, strlen(equals + 1));
	node->unquoted = true;
	overlay_nodes(config->root, &root, NULL);
	return true;
}
