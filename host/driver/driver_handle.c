/* host/driver/driver_handle.c -- the table of live handles: what a program may name. */
#include "host/driver/driver.h"

#define BUCKETS 1024
static struct handle *buckets[BUCKETS];

static struct handle **bucket_of(const void *key)
{
	return &buckets[((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

void handle_add(struct handle *handle, enum handle_kind kind, const void *key, struct CUctx_st *context)
{
	struct handle **bucket = bucket_of(key);

	*handle = (struct handle){ .key = key, .kind = kind, .context = context, .next = *bucket };
	*bucket = handle;
}

void handle_remove(struct handle *handle)
{
	struct handle **link = bucket_of(handle->key);

	while (*link != handle)
		link = &(*link)->next;
	*link = handle->next;
	handle->kind = 0;
}

void *handle_find(enum handle_kind kind, const void *key)
{
	for (struct handle *h = *bucket_of(key); h; h = h->next)
		if (h->key == key && h->kind == kind)
			return h;
	return NULL;
}

void *handle_first_of(enum handle_kind kind, const struct CUctx_st *context)
{
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct handle *h = buckets[i]; h; h = h->next)
			if (h->kind == kind && h->context == context)
				return h;
	return NULL;
}
