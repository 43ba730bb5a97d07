/* btree -- host side: looks keys and ranges of keys up in a B+ tree, a launch for each kind.
 *
 * One look-up in eight is for a key that may be in no record. All results are integers and checked for
 * equality with a search by halves in the sorted keys; so are the leaves in which the look-ups ended. */
#include "bench.h"
#include "btree/tree.h"

enum { LONGEST = 3000 /* records of a range, as in Rodinia's example */ };

/* A record, chosen as the choice says; now and then the first of a leaf, whose key is a bound in the nodes
 * above, too. */
static size_t pick(struct bench *b, size_t records)
{
	if (bench_random_below(&b->seed, 8) == 0)
		return (size_t)bench_random_below(&b->seed, tree_groups(records)) * TREE_FILL;
	if (!strcmp(b->choice[0], "skewed"))
		return (size_t)bench_random_skewed(&b->seed, records);
	return (size_t)bench_random_below(&b->seed, records);
}

/* The key of a record, or one more. */
static int32_t near_key(struct bench *b, const struct tree *t, size_t record)
{
	return t->key[record] + (bench_random_below(&b->seed, 8) == 0);
}

/* Look-ups of n keys and what becomes of them: places on the way (the root before), and the leaf wanted. */
struct walk {
	size_t n;
	int32_t *key, *leaf;
	CUdeviceptr dkey, dat, dnext;
};

static void walk_init(struct walk *w, struct bench *b, size_t n)
{
	w->n = n;
	w->key = bench_host(b, n, sizeof *w->key);
	w->leaf = bench_host(b, n, sizeof *w->leaf);
	w->dat = bench_device_words(b, n, 0);
	w->dnext = bench_device_words(b, n, 0);
}

/* With key[] filled in. */
static void walk_send(struct walk *w, struct bench *b, const struct tree *t)
{
	w->dkey = BENCH_COPY(b, w->key, w->n);
	for (size_t i = 0; i < w->n; i++)
		w->leaf[i] = t->first_leaf + (int32_t)(tree_search(t, w->key[i]) / TREE_FILL);
}

static void walk_compare(const struct walk *w, struct bench *b)
{
	bench_verify_i32(b, "leaf of look-up", w->dat, w->leaf, w->n);
	bench_verify_i32(b, "next node of look-up", w->dnext, w->leaf, w->n);
}

/* The tree on the device. */
struct device_tree {
	CUdeviceptr node, value;
	int32_t nodes, levels;
};

static void find(struct bench *b, const struct tree *t, struct device_tree *d, size_t n)
{
	int32_t *want = bench_host(b, n, sizeof *want);
	CUdeviceptr danswer = bench_device_words(b, n, 0xffffffff);
	struct walk w;

	walk_init(&w, b, n);
	for (size_t i = 0; i < n; i++)
		w.key[i] = near_key(b, t, i ? pick(b, t->records) : 0);
	walk_send(&w, b, t);
	bench_start(b);
	bench_launch(b, "btree_find", DIM(n), DIM(BTREE_ORDER),
		ARGS(&d->node, &d->nodes, &d->levels, &d->value, &w.dkey, &w.dat, &w.dnext, &danswer));
	bench_stop(b);
	for (size_t i = 0; i < n; i++) {
		size_t record = tree_search(t, w.key[i]);
		want[i] = t->key[record] == w.key[i] ? t->value[record] : -1;
	}
	bench_verify_i32(b, "answer", danswer, want, n);
	walk_compare(&w, b);
}

/* Ranges from i to at most LONGEST records later. */
static void choose_ranges(struct bench *b, const struct tree *t, struct walk *from, struct walk *to)
{
	for (size_t i = 0; i < from->n; i++) {
		size_t first = pick(b, t->records);
		size_t last = first + (size_t)bench_random_below(&b->seed, LONGEST);
		if (last - first > TREE_FILL && bench_random_below(&b->seed, 8) == 0)
			last -= last % TREE_FILL; /* see pick() */
		from->key[i] = near_key(b, t, first);
		to->key[i] = near_key(b, t, last < t->records ? last : t->records - 1);
	}
	walk_send(from, b, t);
	walk_send(to, b, t);
}

static void range(struct bench *b, const struct tree *t, struct device_tree *d, size_t n)
{
	int32_t *first = bench_host(b, n, sizeof *first), *length = bench_host(b, n, sizeof *length);
	CUdeviceptr dfirst = bench_device_words(b, n, 0), dlength = bench_device_words(b, n, 0);
	struct walk from, to;

	walk_init(&from, b, n);
	walk_init(&to, b, n);
	choose_ranges(b, t, &from, &to);
	bench_start(b);
	bench_launch(b, "btree_range", DIM(n), DIM(BTREE_ORDER),
		ARGS(&d->node, &d->nodes, &d->levels, &from.dkey, &to.dkey, &from.dat, &from.dnext, &to.dat,
			&to.dnext, &dfirst, &dlength));
	bench_stop(b);
	for (size_t i = 0; i < n; i++) {
		size_t record = tree_search(t, from.key[i]), last = tree_search(t, to.key[i]);
		if (t->key[record] == from.key[i])
			first[i] = (int32_t)record;
		if (t->key[last] == to.key[i])
			length[i] = (int32_t)last - first[i] + 1;
	}
	bench_verify_i32(b, "first record of range", dfirst, first, n);
	bench_verify_i32(b, "length of range", dlength, length, n);
	walk_compare(&from, b);
	walk_compare(&to, b);
}

const struct bench_program bench_program = {
	.help = "Looks keys and ranges of keys up in a B+ tree.",
	.source = "Rodinia b+tree (Che et al., IISWC 2009), its 10000 keys and 6000 ranges; MRPB, Table 3: "
		  "1M nodes",
	.tags = "mrpb dwtcs friendly",
	.sizes = { { "records", "records in the tree", { 20000, 1000000, 1000000, 1000000 }, 1 << 24 },
		{ "keys", "keys looked up", { 60, 1500, 10000, 10000 }, 65535 },
		{ "ranges", "ranges looked up", { 40, 900, 6000, 6000 }, 65535 } },
	.choices = { { "popularity", "records looked up: all alike; some far more often", "uniform|skewed",
		"uniform" } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct tree t;
	struct device_tree d;

	tree_init(&t, b, b->size[0]);
	bench_work(b, "%zu keys and %zu ranges in %zu records, %d levels", b->size[1], b->size[2], t.records,
		(int)t.levels);

	d.node = BENCH_COPY(b, t.node, t.nodes);
	d.value = BENCH_COPY(b, t.value, t.records);
	d.nodes = (int32_t)t.nodes;
	d.levels = t.levels;
	find(b, &t, &d, b->size[1]);
	range(b, &t, &d, b->size[2]);
}
