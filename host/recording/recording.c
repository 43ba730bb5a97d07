/* host/recording/recording.c -- names of entries, hashes. */
#include "host/recording/recording.h"

#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

const char *recording_kind_name(enum recording_kind kind)
{
	static const char *const names[RECORDING_KINDS] = { [RECORDING_PROGRAM] = "program",
		[RECORDING_MODULE] = "module",
		[RECORDING_UNLOAD] = "end of a module",
		[RECORDING_ALLOCATE] = "allocation",
		[RECORDING_RELEASE] = "release",
		[RECORDING_WRITE] = "write",
		[RECORDING_TEXTURE] = "texture",
		[RECORDING_TEXTURE_END] = "end of a texture",
		[RECORDING_HEAP] = "heap",
		[RECORDING_OUTPUT] = "output",
		[RECORDING_STREAM] = "stream",
		[RECORDING_LAUNCH] = "launch",
		[RECORDING_COPY] = "copy",
		[RECORDING_SET] = "fill",
		[RECORDING_FREE] = "free",
		[RECORDING_POINT] = "point",
		[RECORDING_BEHIND] = "dependency",
		[RECORDING_SUBMIT] = "submission",
		[RECORDING_AWAIT] = "wait",
		[RECORDING_AWAIT_ALL] = "wait",
		[RECORDING_FINISH] = "end of the program",
		[RECORDING_MEMORY] = "comparison of memory" };

	return kind > 0 && kind < RECORDING_KINDS ? names[kind] : "unknown";
}

bool recording_is_one(const char *path)
{
	char magic[sizeof RECORDING_MAGIC - 1];
	FILE *f = fopen(path, "rbe");
	bool is_one = f && fread(magic, sizeof magic, 1, f) == 1 &&
		memcmp(magic, RECORDING_MAGIC, sizeof magic) == 0;

	if (f)
		fclose(f);
	return is_one;
}

uint64_t recording_hash(const void *bytes, size_t count)
{
	return XXH3_64bits(bytes, count);
}
