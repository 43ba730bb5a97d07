/* sim/config/config_node.c -- the tree of what the user wrote: sections with keys in their order, an index by
 * key, and where each stands in its file.
 *
 * The index of a section is a binary search tree of its children by the hash of their keys, and by the keys
 * where hashes are equal. Hashes scatter, so that the tree is flat without balancing. */
#include "sim/config/config_internal.h"
#include <string.h>

/* FNV-1a, 64 bits, and a last round in which all bits reach the high ones, by which the tree is ordered. */
static uint64_t hash_key(const char *key, size_t size)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)key[i]) * UINT64_C(0x100000001b3);
	return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Below 0: the key stands before n in the index. */
static int compare_keys(uint64_t key_hash, const char *key, size_t size, const struct config_node *n)
{
	int order;

	if (key_hash != n->hash)
		return key_hash < n->hash ? -1 : 1;
	order = strncmp(key, n->key, size);
	return order ? order : -(n->key[size] != 0);
}

/* The link to the child of this key, or that to which it would be added. */
static struct config_node **link_of(
	struct config_node *section, uint64_t key_hash, const char *key, size_t size)
{
	struct config_node **link = &section->index;
	int order;

	while (*link && (order = compare_keys(key_hash, key, size, *link)))
		link = order < 0 ? &(*link)->low : &(*link)->high;
	return link;
}

struct config_node *config_child(const struct config_node *section, const char *key, size_t size)
{
	const struct config_node *n = section->index;
	uint64_t key_hash = hash_key(key, size);
	int order;

	while (n && (order = compare_keys(key_hash, key, size, n)))
		n = order < 0 ? n->low : n->high;
	return (struct config_node *)n;
}

void config_append(struct config_node *section, struct config_node *child)
{
	size_t size = strlen(child->key);

	child->parent = section;
	child->next = NULL;
	child->before = section->last;
	if (section->last)
		section->last->next = child;
	else
		section->first = child;
	section->last = child;
	child->low = child->high = NULL;
	child->hash = hash_key(child->key, size);
	*link_of(section, child->hash, child->key, size) = child;
}

void config_replace(struct config_node *old, struct config_node *fresh)
{
	struct config_node *section = old->parent;

	*link_of(section, old->hash, old->key, strlen(old->key)) = fresh;
	fresh->hash = old->hash;
	fresh->low = old->low;
	fresh->high = old->high;
	fresh->parent = section;
	fresh->next = old->next;
	fresh->before = old->before;
	*(fresh->before ? &fresh->before->next : &section->first) = fresh;
	*(fresh->next ? &fresh->next->before : &section->last) = fresh;
}

bool config_is_nothing(const struct config_node *node)
{
	return node->value && node->unquoted &&
		(!*node->value || !strcmp(node->value, "~") || !strcmp(node->value, "null"));
}

const char *config_node_path(struct config *config, const struct config_node *node)
{
	if (!node->parent || !node->parent->key)
		return node->key ? node->key : "";
	return config_join(config, config_node_path(config, node->parent), node->key);
}

/* -- locations -- */

/* libyaml counts characters, diagnostics count bytes. */
struct diag_location config_text_location(const struct config_file *file, uint32_t line, uint32_t character)
{
	struct diag_location location = { file->name, file->text, file->size, line, character };
	const char *at = file->text, *end;

	if (!at || !line)
		return location;
	end = at + file->size;
	for (uint32_t i = 1; i < line && at; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at)
			at++;
	}
	for (uint32_t i = 0; at && at < end && *at != '\n'; at++) {
		bool starts_character = ((unsigned char)*at & 0xc0) != 0x80;

		if (starts_character && ++i == character)
			break;
		location.column += !starts_character;
	}
	return location;
}

struct diag_location config_key_location(const struct config_node *node)
{
	return config_text_location(node->file, node->key_line, node->key_column);
}

struct diag_location config_value_location(const struct config_node *node)
{
	return config_text_location(node->file, node->line, node->column);
}
