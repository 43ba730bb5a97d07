/* host/checkpoint/checkpoint_save.c -- a checkpoint into its file. */
#include "host/checkpoint/checkpoint.h"
#include "core/functional/functional.h"
#include "host/recording/recording_writer.h"
#include "memsys/memory.h"

static const char *why_not(const struct session *s)
{
	const struct session_branches *b = s->branches;

	if (b->is_spoilt || b->launch_count != s->launched)
		return "launches before the point have been timed, or their module is gone: a checkpoint is "
		       "behind a warm-up (--warmup)";
	if (gpu_is_at_work(s->gpu))
		return "kernels are under way";
	if (gpu_has_heap(s->gpu))
		return "kernels have used malloc, whose bookkeeping is not in the device memory";
	return NULL;
}

static void put_launch(struct recording_writer *w, const struct branch_launch *l)
{
	const struct launch_known *k = &l->known;
	const char *name = l->launch.kernel->name;

	recording_put(w, RECORDING_COUNTED, 11 * sizeof(uint64_t) + strlen(name));
	recording_put_number(w, k->thread_instructions);
	recording_put_number(w, k->warp_instructions);
	recording_put_number(w, k->divergent_barriers);
	recording_put_number(w, k->barriers_left);
	for (int i = 0; i < 3; i++)
		recording_put_number(w, l->launch.grid[i]);
	for (int i = 0; i < 3; i++)
		recording_put_number(w, l->launch.block[i]);
	recording_put_text(w, name);
}

/* Without the zeros at the end, which memory that was never written has. */
static uint64_t used_bytes(struct memory_range range)
{
	const uint8_t *bytes = memory_host(range.start);
	uint64_t used = range.end - range.start;

	while (used && !bytes[used - 1])
		used--;
	return used;
}

static void put_content(struct recording_writer *w, struct memory_range range)
{
	uint64_t used = used_bytes(range);

	recording_put(w, RECORDING_CONTENT, 2 * sizeof(uint64_t) + used);
	recording_put_number(w, range.start);
	recording_put_number(w, range.end - range.start);
	recording_put_bytes(w, memory_host(range.start), used);
}

static struct memory_range next(struct gpu *gpu, struct memory_range range)
{
	return memory_next(gpu_memory(gpu), range.end);
}

static void put_head(
	struct recording_writer *w, struct gpu *gpu, const struct session_branches *b, uint64_t hash)
{
	uint64_t numbers[] = { hash, b->launch_count, gpu_functional_clock(gpu), 0, 0 };

	for (struct memory_range r = next(gpu, (struct memory_range){ 0, 0 }); r.start; r = next(gpu, r)) {
		numbers[3]++;
		numbers[4] += r.end - r.start;
	}
	recording_put_numbers(w, RECORDING_CHECKPOINT, numbers, sizeof numbers / sizeof *numbers);
}

bool checkpoint_save(const char *path, struct session *s, const char *recording, struct diag_list *diags)
{
	const struct session_branches *b = s->branches;
	const char *wrong = why_not(s);
	struct gpu *gpu = s->gpu;
	struct recording_writer *w;
	uint64_t hash;

	if (wrong) {
		diag_error(diags, NULL, "there is no checkpoint at %s: %s", b->at, wrong);
		return false;
	}
	if (!recording_file_hash(recording, &hash, diags))
		return false;
	w = recording_writer_open(path, diags);
	if (!w)
		return false;
	put_head(w, gpu, b, hash);
	for (size_t i = 0; i < b->launch_count; i++)
		put_launch(w, &b->launches[i]);
	for (struct memory_range r = next(gpu, (struct memory_range){ 0, 0 }); r.start; r = next(gpu, r))
		put_content(w, r);
	return recording_writer_close(w);
}
