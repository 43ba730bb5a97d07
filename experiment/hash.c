/* experiment/hash.c -- XXH3 over pieces with their lengths. */
#include "experiment/hash.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <inttypes.h>

void hasher_init(struct hasher *h)
{
	h->state = XXH3_createState();
	bug_if(!h->state, "out of memory");
	XXH3_128bits_reset(h->state);
}

static void hasher_add(struct hasher *h, const void *data, size_t size)
{
	uint64_t length = size;

	XXH3_128bits_update(h->state, &length, sizeof(length));
	XXH3_128bits_update(h->state, data, size);
}

void hasher_add_text(struct hasher *h, const char *text)
{
	hasher_add(h, text, strlen(text));
}

bool hasher_add_file(struct hasher *h, const char *path, struct diag_list *diags)
{
	FILE *f = fopen(path, "rb");
	char *buffer = xmalloc(1 << 16);
	uint64_t total = 0;
	size_t got;
	bool fine;

	while (f && (got = fread(buffer, 1, 1 << 16, f)) > 0) {
		XXH3_128bits_update(h->state, buffer, got);
		total += got;
	}
	fine = f && !ferror(f);
	if (!fine)
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
	if (f)
		fclose(f);
	XXH3_128bits_update(h->state, &total, sizeof(total));
	free(buffer);
	return fine;
}

struct hash hasher_end(struct hasher *h)
{
	XXH128_hash_t value = XXH3_128bits_digest(h->state);
	struct hash hash;

	snprintf(hash.text, sizeof(hash.text), "%016" PRIx64 "%016" PRIx64, (uint64_t)value.high64,
		(uint64_t)value.low64);
	XXH3_freeState(h->state);
	return hash;
}

struct hash hash_of_text(const char *text)
{
	struct hasher h;

	hasher_init(&h);
	hasher_add_text(&h, text);
	return hasher_end(&h);
}
