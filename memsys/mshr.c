/* memsys/mshr.c -- miss status holding registers: see mshr.h. */
#include "memsys/mshr.h"
#include "sim/base/xalloc.h"

void mshr_init(struct mshr_file *f, uint32_t count, uint32_t merge)
{
	uint32_t buckets = 1;

	bug_if(!count || !merge, "an MSHR file of %u entries for %u requests each", count, merge);
	while (buckets < 2 * count)
		buckets *= 2;
	*f = (struct mshr_file){ .count = count, .merge = merge, .bucket_mask = buckets - 1 };
	f->bucket = xmalloc(buckets * sizeof(*f->bucket));
	f->entries = xcalloc(count, sizeof(*f->entries));
	f->waiters = xcalloc((size_t)count * merge, sizeof(*f->waiters));
	for (uint32_t i = 0; i < buckets; i++)
		f->bucket[i] = MSHR_NONE;
	for (uint32_t i = 0; i < count; i++)
		f->entries[i].next = i + 1 < count ? i + 1 : MSHR_NONE;
}

void mshr_fini(struct mshr_file *f)
{
	free(f->bucket);
	free(f->entries);
	free(f->waiters);
	*f = (struct mshr_file){ 0 };
}

uint32_t mshr_reserve(struct mshr_file *f, addr key, union mshr_waiter first)
{
	uint32_t i = f->free, *link = &f->bucket[mshr_hash(f, key)];

	bug_if(i == MSHR_NONE, "an MSHR was reserved where none is free");
	f->free = f->entries[i].next;
	f->in_use++;
	f->entries[i] = (struct mshr_entry){ .key = key, .next = MSHR_NONE };
	while (*link != MSHR_NONE) /* at the end: the oldest is found first */
		link = &f->entries[*link].next;
	*link = i;
	mshr_merge(f, i, first);
	return i;
}

void mshr_merge(struct mshr_file *f, uint32_t i, union mshr_waiter waiter)
{
	struct mshr_entry *e = &f->entries[i];

	bug_if(e->waiters >= f->merge, "a request was merged into a full MSHR");
	f->waiters[(size_t)i * f->merge + e->waiters++] = waiter;
}

void mshr_release(struct mshr_file *f, uint32_t i)
{
	uint32_t *link = &f->bucket[mshr_hash(f, f->entries[i].key)];

	bug_if(!f->entries[i].waiters, "a free MSHR was released");
	while (*link != i)
		link = &f->entries[*link].next;
	*link = f->entries[i].next;
	f->entries[i].waiters = 0;
	f->entries[i].next = f->free;
	f->free = i;
	f->in_use--;
}
