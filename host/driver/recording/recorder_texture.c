/* host/driver/recording/recorder_texture.c -- descriptors of textures, samplers and surfaces: before a launch
 * those that have changed since they were recorded last. */
#include "host/driver/recording/recorder.h"
#include "host/driver/recording/texture_numbers.h"

struct known {
	uint64_t handle, numbers[TEXTURE_NUMBERS];
};

static struct known *known; /* the live ones, by handle */
static size_t count;

static struct known *find_known_texture(uint64_t handle)
{
	for (size_t i = 0; i < count; i++)
		if (known[i].handle == handle)
			return &known[i];
	return NULL;
}

static void put_texture(struct recording_writer *w, uint64_t handle)
{
	struct known now = { .handle = handle }, *before = find_known_texture(handle);

	texture_to_numbers(texture_find(driver.memory, handle), now.numbers);
	if (before && memcmp(before, &now, sizeof now) == 0)
		return;
	if (!before) {
		known = xrealloc(known, (count + 1) * sizeof *known);
		before = &known[count++];
	}
	*before = now;
	recording_put(w, RECORDING_TEXTURE, sizeof now);
	recording_put_number(w, handle);
	for (size_t i = 0; i < TEXTURE_NUMBERS; i++)
		recording_put_number(w, now.numbers[i]);
}

void recorder_textures(struct recording_writer *w)
{
	uint64_t handle = 0;

	while ((handle = texture_next(driver.memory, handle)))
		put_texture(w, handle);
}

void recorder_put_texture(struct recording_writer *w, uint64_t handle)
{
	put_texture(w, handle);
}

void recorder_forget_texture(uint64_t handle)
{
	struct known *k = find_known_texture(handle);

	if (k)
		*k = known[--count];
}
