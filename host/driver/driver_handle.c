/* host/driver/driver_handle.c -- the table of live handles: what a program may name. It doubles when there
 * are more handles than buckets; handles of one kind form a list, the newest first. */
#include "host/driver/driver.h"
#include "sim/base/xalloc.h"

#define FIRST_BITS 10

static struct handle **buckets;
static unsigned bits; /* of the number of a bucket */
static size_t count;
static struct handle *newest[HANDLE_KINDS];

static struct handle **handle_bucket(const void *key)
{
	return &buckets[((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits)];
}

static void put_handle(struct handle *handle)
{
	struct handle **bucket = handle_bucket(handle->key);

	handle->next = *bucket;
	*bucket = handle;
}

static void grow_handles(void)
{
	struct handle **old = buckets, *next;
	size_t old_size = old ? (size_t)1 << bits : 0;

	bits = old ? bits + 1 : FIRST_BITS;
	buckets = xcalloc((size_t)1 << bits, sizeof(struct handle *));
	for (size_t i = 0; i < old_size; i++)
		for (struct handle *h = old[i]; h; h = next) {
			next = h->next;
			put_handle(h);
		}
	free(old);
}

void handle_add(struct handle *handle, enum handle_kind kind, const void *key, struct CUctx_st *context)
{
	*handle = (struct handle){ .key = key, .kind = kind, .context = context, .after = newest[kind] };
	if (newest[kind])
		newest[kind]->before = handle;
	newest[kind] = handle;
	if (!buckets || count >> bits)
		grow_handles();
	count++;
	put_handle(handle);
}

void handle_remove(struct handle *handle)
{
	struct handle **link = handle_bucket(handle->key);

	while (*link != handle)
		link = &(*link)->next;
	*link = handle->next;
	*(handle->before ? &handle->before->after : &newest[handle->kind]) = handle->after;
	if (handle->after)
		handle->after->before = handle->before;
	count--;
	handle->kind = 0;
}

void *handle_find(enum handle_kind kind, const void *key)
{
	for (struct handle *h = buckets ? *handle_bucket(key) : NULL; h; h = h->next)
		if (h->key == key && h->kind == kind)
			return h;
	return NULL;
}

const struct handle *handle_first(enum handle_kind kind)
{
	return newest[kind];
}

void *handle_first_of(enum handle_kind kind, const struct CUctx_st *context)
{
	for (struct handle *h = newest[kind]; h; h = h->after)
		if (h->context == context)
			return h;
	return NULL;
}
