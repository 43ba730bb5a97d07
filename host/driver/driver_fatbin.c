/* host/driver/driver_fatbin.c -- the PTX inside a fat binary, which nvcc embeds in programs and writes with
 * -fatbin.
 *
 *     wrapper     magic 0x466243b1, version, pointer to the fat binary; only in programs
 *                 of device code that was compiled by -rdc=true (version 2) a list of fat binaries, one of
 * each object, ends with NULL behind it: what they were linked to has machine code alone, so their texts are
 * linked anew fat binary  magic 0xba55ed50, version, size of this header, size of the entries; then the
 * entries: entry       kind (PTX, machine code ...), size of its header, size of the content, architecture,
 * flags (how the content is compressed), size when expanded; then the content
 *
 * Of the entries of PTX we take what a driver would compile: the newest architecture that the chip has, or
 * the oldest one if all are newer, since PTX of any architecture runs here. Nothing is believed: a call
 * gets no size, so a fat binary is read only as far as its header and the pages of the process reach. */
#include "host/driver/driver_fatbin.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

enum {
	MAGIC_WRAPPER = 0x466243b1,
	MAGIC_FATBIN = 0xba55ed50,
	MAGIC_ELF = 0x464c457f,
	WRAPPER_BYTES = 24,
	LINKED_VERSION = 2, /* of a wrapper */
	HEADER_BYTES = 16,
	ENTRY_BYTES = 64,
	KIND_PTX = 1,
	KIND_ELF = 2,
	FLAG_LZ4 = 1 << 13,
	FLAG_ZSTD = 1 << 15,
};
#define LARGEST (UINT64_C(1) << 30) /* bytes of a text: above, the size is a lie */

struct entry {
	unsigned kind, architecture; /* 75: compute_75 */
	uint64_t flags, expanded;    /* expanded: bytes; 0 if not compressed */
	const uint8_t *content;
	uint64_t size; /* of the content; without the bytes that fill it up, if compressed */
};

static uint64_t little_endian(const uint8_t *at, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, at, bytes);
	return value;
}

enum image_kind image_kind(const void *image)
{
	/* an image may be as short as an empty string, and its first byte excludes all but one */
	switch (*(const uint8_t *)image) {
	case MAGIC_WRAPPER & 0xff:
		return little_endian(image, 4) == (uint32_t)MAGIC_WRAPPER ? IMAGE_FATBIN : IMAGE_TEXT;
	case MAGIC_FATBIN & 0xff:
		return little_endian(image, 4) == (uint32_t)MAGIC_FATBIN ? IMAGE_FATBIN : IMAGE_TEXT;
	case MAGIC_ELF & 0xff:
		return little_endian(image, 4) == (uint32_t)MAGIC_ELF ? IMAGE_CUBIN : IMAGE_TEXT;
	}
	return IMAGE_TEXT;
}

/* Whether all these bytes are in pages of the process. */
static bool is_mapped(const uint8_t *from, uint64_t size)
{
	static unsigned char resident[1024];
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)from / page * page,
		  end = (uintptr_t)from + size;

	if (end < (uintptr_t)from)
		return false;
	for (uintptr_t bytes; at < end; at += bytes) {
		bytes = end - at < sizeof resident * page ? end - at : sizeof resident * page;
		if (mincore((void *)at, bytes, resident))
			return false;
	}
	return true;
}

/* The entries of a fat binary, of which room bytes can be read; NULL if it is damaged. */
static const uint8_t *entries_of(const uint8_t *image, size_t room, uint64_t *size)
{
	if (room == FATBIN_UNKNOWN && little_endian(image, 4) == (uint32_t)MAGIC_WRAPPER) {
		if (!is_mapped(image, WRAPPER_BYTES))
			return NULL;
		image = (const uint8_t *)(uintptr_t)little_endian(image + 8, 8);
	}
	if (room < HEADER_BYTES || !image || (room == FATBIN_UNKNOWN && !is_mapped(image, HEADER_BYTES)) ||
		little_endian(image, 4) != (uint32_t)MAGIC_FATBIN)
		return NULL;
	uint64_t header = little_endian(image + 6, 2);
	*size = little_endian(image + 8, 8);
	if (header < HEADER_BYTES || header > room || *size > room - header ||
		(room == FATBIN_UNKNOWN && !is_mapped(image, header + *size)))
		return NULL;
	return image + header;
}

/* Reads an entry at *at and moves on to the next; false if it does not fit in what is left. */
static bool entry_read(const uint8_t **at, uint64_t *left, struct entry *entry)
{
	if (*left < ENTRY_BYTES)
		return false;
	uint64_t header = little_endian(*at + 4, 4), size = little_endian(*at + 8, 8),
		 compressed = little_endian(*at + 16, 4);
	if (header < ENTRY_BYTES || header > *left || size > *left - header || compressed > size)
		return false;
	*entry = (struct entry){
		.kind = (unsigned)little_endian(*at, 2),
		.architecture = (unsigned)little_endian(*at + 28, 4),
		.flags = little_endian(*at + 40, 8),
		.expanded = little_endian(*at + 56, 8),
		.content = *at + header,
		.size = compressed ? compressed : size,
	};
	*at += header + size;
	*left -= header + size;
	return true;
}

/* The better of two entries of PTX for a chip. */
static bool is_better(const struct entry *entry, const struct entry *than, unsigned chip)
{
	if ((entry->architecture <= chip) != (than->architecture <= chip))
		return entry->architecture <= chip;
	return entry->architecture <= chip ? entry->architecture > than->architecture
					   : entry->architecture < than->architecture;
}

/* The text of an entry, of entry.expanded bytes if it is compressed; false if it is damaged. */
static bool expand_entry(const struct entry *entry, char *text, size_t size)
{
	if (entry->flags & FLAG_ZSTD)
		return ZSTD_decompress(text, size, entry->content, entry->size) == size;
	if (entry->flags & FLAG_LZ4)
		return lz4_expand(entry->content, entry->size, (uint8_t *)text, size);
	memcpy(text, entry->content, size);
	return true;
}

static char *text_of(const struct entry *entry, size_t *length)
{
	bool is_packed = entry->flags & (FLAG_ZSTD | FLAG_LZ4);
	uint64_t size = is_packed ? entry->expanded : entry->size;

	if (size > LARGEST)
		return NULL;
	char *text = xmalloc(size + 1);
	bool is_right = expand_entry(entry, text, size);
	if (is_right) {
		text[size] = '\0';
		*length = strlen(text);
		for (size_t i = *length; i < size; i++) /* it is filled up with zeros */
			is_right &= !text[i];
	}
	if (is_right)
		return text;
	free(text);
	return NULL;
}

static CUresult refuse_damaged(const char *call)
{
	driver_say("%s: the fat binary is damaged: it is cut off, or its sizes contradict each other", call);
	return CUDA_ERROR_INVALID_IMAGE;
}

static CUresult refuse_without_ptx(const char *call, unsigned architecture)
{
	if (architecture)
		driver_say("%s: the fat binary has machine code (sm_%u), and no PTX; PTX can be simulated: "
			   "compile with -gencode arch=compute_%u,code=compute_%u",
			call, architecture, architecture, architecture);
	else
		driver_say("%s: the fat binary has no PTX; compile with -gencode "
			   "arch=compute_NN,code=compute_NN",
			call);
	return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* The fat binaries of the objects of which a program's device code was linked; NULL: it was not linked. */
static const void *const *objects_of(const uint8_t *image, size_t room)
{
	if (room != FATBIN_UNKNOWN || little_endian(image, 4) != (uint32_t)MAGIC_WRAPPER ||
		!is_mapped(image, WRAPPER_BYTES) || little_endian(image + 4, 4) != LINKED_VERSION)
		return NULL;
	return (const void *const *)(uintptr_t)little_endian(image + 16, 8);
}

static void parts_free(struct session_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(parts[i].name);
		free((void *)(uintptr_t)parts[i].text);
	}
	free(parts);
}

static CUresult linked_text(const void *const *objects, const char *call, char **text, size_t *size)
{
	struct session_part *parts = NULL;
	CUresult result = CUDA_SUCCESS;
	size_t count = 0;

	for (; is_mapped((const uint8_t *)&objects[count], sizeof *objects) && objects[count]; count++) {
		char name[32], *part;

		parts = xrealloc(parts, (count + 1) * sizeof *parts);
		result = fatbin_text(objects[count], FATBIN_UNKNOWN, call, &part, &parts[count].size);
		if (result != CUDA_SUCCESS)
			break;
		snprintf(name, sizeof name, "object%zu.ptx", count + 1);
		parts[count].name = xstrdup(name);
		parts[count].text = part;
	}
	if (result == CUDA_SUCCESS) {
		*text = session_link(parts, count);
		*size = strlen(*text);
	}
	parts_free(parts, count);
	return result;
}

CUresult fatbin_text(const void *image, size_t room, const char *call, char **text, size_t *size)
{
	const void *const *objects = objects_of(image, room);

	if (objects)
		return linked_text(objects, call, text, size);
	const struct gpu_properties *gpu = gpu_properties(driver.gpu);
	unsigned chip = (unsigned)(10 * gpu->compute_major + gpu->compute_minor), machine_code = 0;
	struct entry entry, best = { 0 };
	uint64_t left = 0;
	const uint8_t *at = entries_of(image, room, &left);

	if (!at)
		return refuse_damaged(call);
	while (left) {
		if (!entry_read(&at, &left, &entry))
			return refuse_damaged(call);
		if (entry.kind == KIND_PTX && (!best.kind || is_better(&entry, &best, chip)))
			best = entry;
		if (entry.kind == KIND_ELF && entry.architecture > machine_code)
			machine_code = entry.architecture;
	}
	if (!best.kind)
		return refuse_without_ptx(call, machine_code);
	*text = text_of(&best, size);
	return *text ? CUDA_SUCCESS : refuse_damaged(call);
}
