/* host/recording/recording.c -- names of entries, hashes. */
#include "host/recording/recording.h"

#include <errno.h>
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
		[RECORDING_MEMORY] = "comparison of memory",
		[RECORDING_CHECKPOINT] = "checkpoint",
		[RECORDING_COUNTED] = "launch that was counted",
		[RECORDING_CONTENT] = "content of memory",
		[RECORDING_UNDER_WAY] = "launch under way",
		[RECORDING_CTA] = "CTA in the middle",
		[RECORDING_TIMING] = "timing state",
		[RECORDING_SET_ASIDE] = "part of the L2",
		[RECORDING_RESET_PERSISTING] = "reset of persisting lines",
		[RECORDING_WINDOW] = "access policy window" };

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

bool recording_file_hash(const char *path, uint64_t *hash, struct diag_list *diags)
{
	static char bytes[65536];
	FILE *f = fopen(path, "rbe");
	XXH3_state_t state;
	bool is_read;
	size_t count;

	XXH3_64bits_reset(&state);
	while (f && (count = fread(bytes, 1, sizeof bytes, f)))
		XXH3_64bits_update(&state, bytes, count);
	is_read = f && !ferror(f);
	if (!is_read)
		diag_error(diags, NULL, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	*hash = XXH3_64bits_digest(&state);
	return is_read;
}

uint64_t recording_hash(const void *bytes, size_t count)
{
	return XXH3_64bits(bytes, count);
}
