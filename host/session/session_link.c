/* host/session/session_link.c -- several PTX texts in one: the form in which a linked image travels from
 * cuLinkComplete to cuModuleLoadData. It is text, since that is how images are told apart and measured: a
 * first line that no PTX has, then before each text a line with its length in bytes and its name. */
#include "host/session/session_internal.h"

#define MAGIC "//lockstep: linked image\n"
#define PART  "//part %zu %s\n"

char *session_link(const struct session_part *parts, size_t count)
{
	size_t size = sizeof MAGIC, at;

	for (size_t i = 0; i < count; i++)
		size += strlen(parts[i].name) + parts[i].size + 40;
	char *image = xmalloc(size);
	at = (size_t)snprintf(image, size, "%s", MAGIC);
	for (size_t i = 0; i < count; i++) {
		size_t length = strnlen(parts[i].text, parts[i].size);

		at += (size_t)snprintf(image + at, size - at, PART, length, parts[i].name);
		memcpy(image + at, parts[i].text, length);
		at += length;
		image[at++] = '\n';
	}
	image[at] = '\0';
	return image;
}

/* One part at *at; its name is copied. */
static bool take_part(const char **at, const char *end, struct session_part *part)
{
	const char *line = memchr(*at, '\n', (size_t)(end - *at));
	size_t length;
	int name = 0;

	if (!line || sscanf(*at, "//part %zu %n", &part->size, &name) != 1 || !name || line < *at + name)
		return false;
	length = (size_t)(line - *at) - (size_t)name;
	if (part->size >= (size_t)(end - line))
		return false;
	part->name = xmalloc(length + 1);
	memcpy(part->name, *at + name, length);
	part->name[length] = '\0';
	part->text = line + 1;
	*at = part->text + part->size + 1;
	return true;
}

static size_t parts_of(const char *text, size_t size, const char *name, struct session_part **parts)
{
	const char *at = text + sizeof MAGIC - 1, *end = text + size;
	size_t count = 0;

	*parts = xcalloc(1, sizeof **parts);
	if (size < sizeof MAGIC - 1 || memcmp(text, MAGIC, sizeof MAGIC - 1) != 0) {
		(*parts)[0] = (struct session_part){ xstrdup(name), text, size };
		return 1;
	}
	while (at < end) {
		*parts = xrealloc(*parts, (count + 1) * sizeof **parts);
		if (!take_part(&at, end, &(*parts)[count]))
			break;
		count++;
	}
	return count;
}

size_t session_parts(const char *text, size_t size, const char *name, struct session_part **parts)
{
	size_t count = parts_of(text, size, name, parts);

	if (!session_calls_grid(text, size))
		return count;
	*parts = xrealloc(*parts, (count + 1) * sizeof **parts);
	(*parts)[count] = session_grid_calls();
	return count + 1;
}

void session_parts_free(struct session_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(parts[i].name);
	free(parts);
}
