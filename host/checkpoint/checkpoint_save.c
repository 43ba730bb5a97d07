/* host/checkpoint/checkpoint_save.c -- a checkpoint into its file. */
#include "host/checkpoint/checkpoint.h"
#include "core/gpu/timing_state.h"
#include "core/simt/resume.h"
#include "core/simt/cta_state.h"
#include "frontend/ptx.h"
#include "host/recording/recording_writer.h"
#include "memsys/memory.h"

/* A launch in the middle of which the checkpoint is. */
struct under_way {
	struct launch_resume resume;
	const struct launch *launch; /* NULL: it is before a launch */
	addr local;                  /* an allocation that only this machine has; 0: none */
};

/* What the file is to have beside memory and counts. */
struct contents {
	struct under_way middle;
	struct timing_state timing; /* nothing, unless launches before it have been timed */
};

static const char *why_not(const struct session *s, struct contents *to)
{
	const struct session_branches *b = s->branches;
	bool is_within = b->point != BRANCH_AT_KERNEL;

	if (gpu_has_heap(s->gpu))
		return "kernels have used malloc, whose bookkeeping is not in the device memory";
	if (is_within && !gpu_is_at_work(s->gpu))
		return "no kernel is under way there";
	if (b->is_spoilt || b->launch_count + is_within != s->launched)
		return is_within
			? "the module of a launch before the point is gone, or several kernels are under way"
			: "the module of a launch before the point is gone";
	if (is_within)
		return gpu_take_launch(s->gpu, &to->middle.resume, &to->middle.launch, &to->middle.local);
	if (gpu_is_at_work(s->gpu))
		return "kernels are under way";
	if (b->is_timed_in_part)
		return "a launch before the point has been timed in part, or beside others";
	return b->is_timed ? gpu_timing_take(s->gpu, &to->timing) : NULL;
}

static void put_launch(struct recording_writer *w, enum recording_kind kind, const struct launch *l,
	const struct launch_known *k, cycles core_cycles)
{
	const char *name = l->kernel->name;

	recording_put(w, kind, 12 * sizeof(uint64_t) + strlen(name));
	recording_put_number(w, k->thread_instructions);
	recording_put_number(w, k->warp_instructions);
	recording_put_number(w, k->divergent_barriers);
	recording_put_number(w, k->barriers_left);
	for (int i = 0; i < 3; i++)
		recording_put_number(w, l->grid[i]);
	for (int i = 0; i < 3; i++)
		recording_put_number(w, l->block[i]);
	recording_put_text(w, name);
	recording_put_number(w, core_cycles);
}

static void put_middle(struct recording_writer *w, const struct under_way *middle)
{
	const struct launch_resume *r = &middle->resume;
	uint64_t numbers[] = { r->next_cta, r->count, checkpoint_code(middle->launch->kernel) };

	put_launch(w, RECORDING_UNDER_WAY, middle->launch, &r->known, 0);
	recording_put_numbers(w, RECORDING_CTA, numbers, sizeof numbers / sizeof *numbers);
	for (size_t i = 0; i < r->count; i++) {
		recording_put(w, RECORDING_CTA, r->ctas[i].size);
		recording_put_bytes(w, r->ctas[i].bytes, r->ctas[i].size);
	}
}

static void put_timing(struct recording_writer *w, const struct timing_state *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct timing_part *p = &t->parts[i];

		recording_put(w, RECORDING_TIMING,
			3 * sizeof(uint64_t) + strlen(p->name) + strlen(p->geometry) + p->size);
		recording_put_text(w, p->name);
		recording_put_text(w, p->geometry);
		recording_put_number(w, p->is_kept);
		recording_put_bytes(w, p->bytes, p->size);
	}
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

/* The allocation behind that one, but for local memory of the launch under way. */
static struct memory_range next_allocation(struct gpu *gpu, struct memory_range range, addr local)
{
	range = memory_next(gpu_memory(gpu), range.end);
	return range.start && range.start == local ? memory_next(gpu_memory(gpu), range.end) : range;
}

static void put_checkpoint_head(struct recording_writer *w, struct gpu *gpu, const struct session_branches *b,
	uint64_t hash, const struct contents *contents)
{
	const struct under_way *middle = &contents->middle;
	const struct memory_range none = { 0, 0 };
	uint64_t numbers[] = { hash, b->launch_count, gpu_functional_clock(gpu), 0, 0, middle->launch != NULL,
		contents->timing.count };

	for (struct memory_range r = next_allocation(gpu, none, middle->local); r.start;
		r = next_allocation(gpu, r, middle->local)) {
		numbers[3]++;
		numbers[4] += r.end - r.start;
	}
	recording_put_numbers(w, RECORDING_CHECKPOINT, numbers, sizeof numbers / sizeof *numbers);
}

static bool write_checkpoint_file(const char *path, struct session *s, uint64_t hash,
	const struct contents *contents, struct diag_list *diags)
{
	const struct under_way *middle = &contents->middle;
	struct recording_writer *w = recording_writer_open(path, diags);
	const struct session_branches *b = s->branches;
	struct memory_range r = { 0, 0 };

	if (!w)
		return false;
	put_checkpoint_head(w, s->gpu, b, hash, contents);
	for (size_t i = 0; i < b->launch_count; i++)
		put_launch(w, RECORDING_COUNTED, &b->launches[i].launch, &b->launches[i].known,
			contents->timing.count ? b->launches[i].known.core_cycles : 0);
	if (middle->launch)
		put_middle(w, middle);
	while ((r = next_allocation(s->gpu, r, middle->local)).start)
		put_content(w, r);
	put_timing(w, &contents->timing);
	return recording_writer_close(w);
}

bool checkpoint_save(const char *path, struct session *s, const char *recording, struct diag_list *diags)
{
	struct contents contents = { 0 };
	const char *wrong = why_not(s, &contents);
	uint64_t hash;
	bool fine;

	if (wrong) {
		diag_error(diags, NULL, "there is no checkpoint at %s: %s", s->branches->at, wrong);
		return false;
	}
	fine = recording_file_hash(recording, &hash, diags) &&
		write_checkpoint_file(path, s, hash, &contents, diags);
	gpu_taken_launch(s->gpu);
	resume_free(&contents.middle.resume);
	timing_state_free(&contents.timing);
	return fine;
}

uint64_t checkpoint_code(const struct ptx_kernel *k)
{
	return recording_hash(k->uops, k->uop_count * sizeof *k->uops) ^ (uint64_t)k->rows << 32 ^
		k->predicates;
}
