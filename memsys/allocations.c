/* memsys/allocations.c -- the ranges of device memory that are allocated: a treap (Seidel and Aragon,
 * "Randomized search trees", 1996), ordered by address and a heap by priority. Priorities are a hash of the
 * number of the allocation, so that the tree is the same in every run.
 *
 * An empty range below the region, which is no allocation, has the gap from the region's start to the first
 * allocation. */
#include "memsys/allocations.h"
#include "sim/base/xalloc.h"

static uint64_t round_up_address(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) & ~(unit - 1);
}

/* The finaliser of splitmix64. */
static uint64_t mix_hash(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Where the gap behind it starts. */
static addr gap_start(const struct allocation_node *n)
{
	return round_up_address(n->range.end, ALLOCATION_GRANULE);
}

static bool is_region_start(const struct allocation_node *n)
{
	return n->range.start == n->range.end;
}

static struct allocation_node *sum_up(struct allocation_node *n)
{
	n->longest = n->gap;
	if (n->left && n->left->longest > n->longest)
		n->longest = n->left->longest;
	if (n->right && n->right->longest > n->longest)
		n->longest = n->right->longest;
	return n;
}

/* All of a lies below all of b. */
static struct allocation_node *merge_trees(struct allocation_node *a, struct allocation_node *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->priority > b->priority) {
		a->right = merge_trees(a->right, b);
		return sum_up(a);
	}
	b->left = merge_trees(a, b->left);
	return sum_up(b);
}

/* What starts below `start`, and the others. */
static void split_tree(struct allocation_node *n, addr start, struct allocation_node **below,
	struct allocation_node **others)
{
	if (!n) {
		*below = *others = NULL;
	} else if (n->range.start < start) {
		split_tree(n->right, start, &n->right, others);
		*below = sum_up(n);
	} else {
		split_tree(n->left, start, below, &n->left);
		*others = sum_up(n);
	}
}

/* Changes the gap behind the last allocation of a tree. */
static void set_last_gap(struct allocation_node *n, uint64_t gap)
{
	if (n->right)
		set_last_gap(n->right, gap);
	else
		n->gap = gap;
	sum_up(n);
}

static struct allocation_node *new_allocation(struct allocations *a, struct memory_range range, uint64_t gap)
{
	struct allocation_node *n = xcalloc(1, sizeof(*n));

	n->range = range;
	n->gap = n->longest = gap;
	n->priority = mix_hash(a->added++);
	return n;
}

void allocations_init(struct allocations *a, addr start, uint64_t bytes)
{
	struct memory_range none = { start - 1, start - 1 };

	*a = (struct allocations){ 0 };
	a->root = new_allocation(a, none, bytes);
}

static void free_tree(struct allocation_node *n)
{
	if (!n)
		return;
	free_tree(n->left);
	free_tree(n->right);
	free(n);
}

void allocations_fini(struct allocations *a)
{
	free_tree(a->root);
	a->root = NULL;
}

static addr find_fit(const struct allocation_node *n, uint64_t bytes, uint64_t align)
{
	addr start;

	if (!n || n->longest < bytes)
		return 0;
	start = find_fit(n->left, bytes, align);
	if (start)
		return start;
	start = round_up_address(gap_start(n), align);
	if (n->gap >= bytes && start - gap_start(n) <= n->gap - bytes)
		return start;
	return find_fit(n->right, bytes, align);
}

addr allocations_fit(const struct allocations *a, uint64_t bytes, uint64_t align)
{
	return find_fit(a->root, bytes, align);
}

static struct allocation_node *last_of(struct allocation_node *n)
{
	while (n->right)
		n = n->right;
	return n;
}

void allocations_add(struct allocations *a, struct memory_range range)
{
	struct allocation_node *below, *others, *before, *fresh;
	addr gap_end;

	split_tree(a->root, range.start, &below, &others);
	before = last_of(below);
	gap_end = gap_start(before) + before->gap;
	fresh = new_allocation(a, range, gap_end - round_up_address(range.end, ALLOCATION_GRANULE));
	set_last_gap(below, range.start - gap_start(before));
	a->root = merge_trees(merge_trees(below, fresh), others);
}

bool allocations_remove(struct allocations *a, addr start, struct memory_range *removed)
{
	struct allocation_node *n = allocations_below(a, start), *below, *others, *before;

	if (!n || n->range.start != start)
		return false;
	split_tree(a->root, start, &below, &others);
	split_tree(others, start + 1, &n, &others);
	before = last_of(below);
	set_last_gap(below, gap_start(n) + n->gap - gap_start(before));
	a->root = merge_trees(below, others);
	*removed = n->range;
	free(n);
	return true;
}

struct allocation_node *allocations_below(const struct allocations *a, addr address)
{
	struct allocation_node *found = NULL;

	for (struct allocation_node *n = a->root; n;) {
		bool is_below = n->range.start <= address;

		found = is_below ? n : found;
		n = is_below ? n->right : n->left;
	}
	return found && !is_region_start(found) ? found : NULL;
}

struct allocation_node *allocations_above(const struct allocations *a, addr address)
{
	struct allocation_node *found = NULL;

	for (struct allocation_node *n = a->root; n;) {
		bool is_above = n->range.start > address && !is_region_start(n);

		found = is_above ? n : found;
		n = is_above ? n->left : n->right;
	}
	return found;
}
