/* btree.h -- a node of the tree, as the device holds it. */
#ifndef BTREE_H
#define BTREE_H

enum { BTREE_ORDER = 256 }; /* threads of a CTA; entries of a node */

/* Entry i covers the keys from key[i] to key[i + 1] - 1: child[i] is the number of the node below or, in a
 * leaf, of the record whose key is key[i]. key[0] of an inner node is the least there is; the entries from
 * `entries` on are empty, their keys the greatest there is. */
struct btree_node {
	int self;
	int child[BTREE_ORDER + 1];
	int key[BTREE_ORDER + 1];
	int leaf, entries;
};

#endif
