/* btree -- look-ups in a B+ tree: single keys, and ranges; a CTA to a look-up, a thread to an entry of a
 * node.
 *
 * On each level all threads compare their entry's bounds with the key; the one that fits names the child to
 * go on with. A node is a structure of 2 KB with all its children and all its keys: a warp reads 32 keys,
 * which are consecutive (two lines, as nodes are not aligned), and the same shifted by one. Where a look-up
 * is stands in global memory, so that all threads of a CTA read the same word before each load of a node. The
 * nodes near the root are read by all CTAs; leaves are many, and seldom read twice. */
#include "cuda_kernel.h"
#include "btree.h"

/* One look-up down one level: at is the node it is in, *next what the entry that fits puts there, the node
 * below. */
static __device__ void step(const btree_node *node, int nodes, int key, int at, int *next)
{
	int entry = threadIdx.x;

	if (node[at].key[entry] <= key && node[at].key[entry + 1] > key) {
		int child = node[*next].child[entry];
		if (child < nodes)
			*next = child;
	}
}

/* at[cta], next[cta]: the node that look-up number cta is in, the root before, a leaf after.
 * answer[cta]: the value of the record whose key is key[cta], left alone if there is none. */
extern "C" __global__ void btree_find(const btree_node *node, int nodes, int levels, const int *record,
	const int *key, int *at, int *next, int *answer)
{
	int cta = blockIdx.x, entry = threadIdx.x;

	for (int level = 1; level < levels; level++) {
		step(node, nodes, key[cta], at[cta], &next[cta]);
		__syncthreads();
		if (entry == 0)
			at[cta] = next[cta];
		__syncthreads();
	}
	const btree_node *leaf = &node[at[cta]];
	if (leaf->key[entry] == key[cta])
		answer[cta] = record[leaf->child[entry]];
}

/* The same for both ends of a range. first[cta]: the record whose key is from[cta]; length[cta]: the records
 * from first[cta] to that whose key is to[cta]; each left alone where there is no such key. */
extern "C" __global__ void btree_range(const btree_node *node, int nodes, int levels, const int *from,
	const int *to, int *at, int *next, int *at_end, int *next_end, int *first, int *length)
{
	int cta = blockIdx.x, entry = threadIdx.x;

	for (int level = 1; level < levels; level++) {
		step(node, nodes, from[cta], at[cta], &next[cta]);
		step(node, nodes, to[cta], at_end[cta], &next_end[cta]);
		__syncthreads();
		if (entry == 0) {
			at[cta] = next[cta];
			at_end[cta] = next_end[cta];
		}
		__syncthreads();
	}
	const btree_node *leaf = &node[at[cta]];
	if (leaf->key[entry] == from[cta])
		first[cta] = leaf->child[entry];
	__syncthreads();
	leaf = &node[at_end[cta]];
	if (leaf->key[entry] == to[cta])
		length[cta] = leaf->child[entry] - first[cta] + 1;
}
