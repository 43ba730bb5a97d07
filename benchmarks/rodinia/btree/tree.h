/* tree.h -- host side of btree: records and the tree over them.
 *
 * Records are numbered in the order of their keys. The tree is the one that inserting them in this order
 * makes: its nodes are half full. Nodes are numbered from the root, 0, level by level. */
#ifndef TREE_H
#define TREE_H

#include <limits.h>

#include "bench.h"
#include "btree/btree.h"

enum { TREE_FILL = BTREE_ORDER / 2, TREE_LEVELS = 8 };

struct tree {
	size_t records, nodes;
	int32_t *key, *value; /* of each record */
	struct btree_node *node;
	int32_t levels, first_leaf; /* a leaf has TREE_FILL records */
};

/* Of n things, how many groups of TREE_FILL. */
static inline size_t tree_groups(size_t n)
{
	return (n + TREE_FILL - 1) / TREE_FILL;
}

/* Node number `index` of a level, over `below` nodes or records of which each has `span` records; the first
 * of them is number `first`. */
static inline void tree_node(
	struct tree *t, size_t self, size_t index, bool leaf, size_t first, size_t below, size_t span)
{
	struct btree_node *n = &t->node[self];
	size_t from = index * TREE_FILL, end = from + TREE_FILL < below ? from + TREE_FILL : below;

	n->self = (int)self;
	n->leaf = leaf;
	n->entries = (int)(end - from);
	for (size_t i = 0; i <= BTREE_ORDER; i++) {
		bool used = from + i < end;
		n->child[i] = used ? (int)(first + from + i) : INT_MAX;
		n->key[i] = !used ? INT_MAX : t->key[(from + i) * span];
	}
	if (!leaf)
		n->key[0] = INT_MIN;
}

static inline void tree_init(struct tree *t, struct bench *b, size_t records)
{
	size_t count[TREE_LEVELS + 1] = { records }, first = 0, span = 1;
	int32_t key = 0;

	*t = (struct tree){ .records = records };
	t->key = bench_host(b, records, sizeof *t->key);
	t->value = bench_host(b, records, sizeof *t->value);
	for (size_t i = 0; i < records; i++) {
		t->key[i] = key += 1 + (int32_t)bench_random_below(&b->seed, 4);
		t->value[i] = (int32_t)bench_random(&b->seed);
	}
	do { /* count[l]: nodes of level l, from the leaves up; count[0]: records */
		count[t->levels + 1] = tree_groups(count[t->levels]);
		t->nodes += count[++t->levels];
	} while (count[t->levels] > 1);
	t->node = bench_host(b, t->nodes, sizeof *t->node);
	first = t->nodes;
	for (int l = 1; l <= t->levels; l++, span *= TREE_FILL) {
		size_t below = l == 1 ? 0 : first;
		first -= count[l];
		for (size_t i = 0; i < count[l]; i++)
			tree_node(t, first + i, i, l == 1, below, count[l - 1], span);
		if (l == 1)
			t->first_leaf = (int32_t)first;
	}
}

/* The last record whose key is at most `key`, the first if there is none. */
static inline size_t tree_search(const struct tree *t, int32_t key)
{
	size_t low = 0, high = t->records;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (t->key[middle] <= key)
			low = middle;
		else
			high = middle;
	}
	return low;
}

#endif
