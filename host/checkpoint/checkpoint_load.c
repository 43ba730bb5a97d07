/* host/checkpoint/checkpoint_load.c -- a replay that begins with a checkpoint. */
#include "host/checkpoint/checkpoint.h"
#include "core/gpu/timing_state.h"
#include "core/simt/resume.h"
#include "core/simt/cta_state.h"
#include "host/recording/recording_reader.h"
#include "memsys/memory.h"

#include <inttypes.h>

#define LONGEST (UINT64_C(1) << 40) /* core cycles of a launch: a quarter of an hour */

/* A launch that is only counted. */
struct counted {
	struct launch_known known;
	uint64_t shape[6]; /* grid and block */
	char *kernel;
};

struct checkpoint {
	struct recording_reader *reader; /* NULL: the memory is in place */
	uint64_t launches, clock, allocations, bytes, timing_parts;
	struct counted *counted;
	bool is_within;
	struct counted under_way; /* the launch in the middle of which it is, and where: */
	struct launch_resume resume;
	uint64_t code;
};

/* -- the first entries -- */

static bool take_head(struct checkpoint *c, const char *recording, struct diag_list *diags)
{
	struct recording_reader *r = c->reader;
	uint64_t hash, ours;

	if (recording_next(r) != RECORDING_CHECKPOINT)
		return recording_wrong(r, "this is a recording and no checkpoint of one");
	hash = recording_take_number(r);
	c->launches = recording_take_number(r);
	c->clock = recording_take_number(r);
	c->allocations = recording_take_number(r);
	c->bytes = recording_take_number(r);
	/* not in files of earlier versions: */
	c->is_within = recording_left(r) && recording_take_number(r);
	c->timing_parts = recording_left(r) ? recording_take_number(r) : 0;
	if (recording_error(r))
		return false;
	if (!recording_file_hash(recording, &ours, diags))
		return false;
	return ours == hash || recording_wrong(r, "it belongs to another recording than %.100s", recording);
}

static bool take_counted(struct recording_reader *r, enum recording_kind kind, struct counted *l)
{
	if (recording_next(r) != kind)
		return recording_wrong(r, "a launch that was counted should stand here");
	l->known.thread_instructions = recording_take_number(r);
	l->known.warp_instructions = recording_take_number(r);
	l->known.divergent_barriers = recording_take_number(r);
	l->known.barriers_left = recording_take_number(r);
	for (int i = 0; i < 6; i++)
		l->shape[i] = recording_take_number(r);
	l->kernel = recording_take_text(r);
	l->known.core_cycles = recording_left(r) ? recording_take_number(r) : 0;
	if (l->known.core_cycles > LONGEST)
		return recording_wrong(r, "a launch of %" PRIu64 " cycles", l->known.core_cycles);
	return !recording_error(r);
}

/* The number of launches is a claim of the file: the list grows with what is really there. */
static bool take_all_counted(struct checkpoint *c)
{
	for (uint64_t i = 0; i < c->launches; i++) {
		if (!(i & (i - 1)))
			c->counted = xrealloc(c->counted, (i ? 2 * i : 1) * sizeof *c->counted);
		c->counted[i] = (struct counted){ 0 };
		if (!take_counted(c->reader, RECORDING_COUNTED, &c->counted[i])) {
			c->launches = i + 1; /* to be freed */
			return false;
		}
	}
	return true;
}

static bool take_cta(struct recording_reader *r, struct cta_state *state)
{
	if (recording_next(r) != RECORDING_CTA)
		return recording_wrong(r, "a CTA in the middle should stand here");
	state->size = recording_left(r);
	state->bytes = xmalloc(state->size + 1);
	recording_take_bytes(r, state->bytes, state->size);
	return !recording_error(r);
}

/* The launch under way and its CTAs; the list grows with what is really there. */
static bool take_under_way(struct checkpoint *c)
{
	struct launch_resume *to = &c->resume;
	struct recording_reader *r = c->reader;
	uint64_t ctas;

	if (!take_counted(r, RECORDING_UNDER_WAY, &c->under_way))
		return false;
	to->known = c->under_way.known;
	if (recording_next(r) != RECORDING_CTA)
		return recording_wrong(r, "the CTAs in the middle should stand here");
	to->next_cta = recording_take_number(r);
	ctas = recording_take_number(r);
	c->code = recording_take_number(r);
	for (uint64_t i = 0; i < ctas && !recording_error(r); i++) {
		if (!(i & (i - 1)))
			to->ctas = xrealloc(to->ctas, (i ? 2 * i : 1) * sizeof *to->ctas);
		to->ctas[to->count++] = (struct cta_state){ 0 };
		if (!take_cta(r, &to->ctas[i]))
			return false;
	}
	return !recording_error(r);
}

struct checkpoint *checkpoint_open(const char *path, const char *recording, struct diag_list *diags)
{
	struct checkpoint *c = xcalloc(1, sizeof *c);
	bool fine;

	c->reader = recording_reader_open(path, diags);
	fine = c->reader && take_head(c, recording, diags);
	if (!fine)
		c->launches = 0;
	if (fine && take_all_counted(c) && (!c->is_within || take_under_way(c)))
		return c;
	if (c->reader && recording_error(c->reader))
		diag_error(diags, NULL, "%s", recording_error(c->reader));
	checkpoint_free(c);
	return NULL;
}

void checkpoint_free(struct checkpoint *c)
{
	if (!c)
		return;
	if (c->reader)
		recording_reader_free(c->reader);
	for (uint64_t i = 0; i < c->launches; i++)
		free(c->counted[i].kernel);
	free(c->counted);
	free(c->under_way.kernel);
	resume_free(&c->resume);
	free(c);
}

uint64_t checkpoint_launches(const struct checkpoint *c)
{
	return c->launches;
}

uint64_t checkpoint_instructions(const struct checkpoint *c)
{
	return c->is_within ? c->resume.known.warp_instructions : 0;
}

/* -- the memory -- */

/* Pages that are zero already stay untouched. */
static void clear_bytes(uint8_t *bytes, uint64_t count)
{
	while (count) {
		uint64_t part = count < 4096 ? count : 4096;

		for (uint64_t i = 0; i < part; i++)
			if (bytes[i]) {
				memset(bytes, 0, part);
				break;
			}
		bytes += part;
		count -= part;
	}
}

static bool take_content(struct recording_reader *r, struct memory_range range)
{
	uint64_t size = range.end - range.start, used;

	if (recording_next(r) != RECORDING_CONTENT)
		return recording_wrong(r, "the content of an allocation should stand here");
	if (recording_take_number(r) != range.start || recording_take_number(r) != size)
		return recording_wrong(r,
			"the allocation at 0x%" PRIx64 " of %" PRIu64 " bytes should stand here", range.start,
			size);
	used = recording_left(r);
	if (used > size)
		return recording_wrong(r, "it has more bytes than the allocation");
	recording_take_bytes(r, memory_host(range.start), used);
	clear_bytes((uint8_t *)memory_host(range.start) + used, size - used);
	return !recording_error(r);
}

static bool take_memory(struct checkpoint *c, struct gpu *gpu)
{
	struct memory_range range = { 0, 0 };

	while ((range = memory_next(gpu_memory(gpu), range.end)).start)
		if (!take_content(c->reader, range))
			return false;
	gpu_set_functional_clock(gpu, c->clock);
	return !recording_error(c->reader);
}

/* -- timing -- */

static bool take_part(struct recording_reader *r, struct timing_part *p)
{
	if (recording_next(r) != RECORDING_TIMING)
		return recording_wrong(r, "the timing state of a part should stand here");
	p->name = recording_take_text(r);
	p->geometry = recording_take_text(r);
	p->is_kept = recording_take_number(r);
	p->size = recording_left(r);
	p->bytes = xmalloc(p->size + 1);
	recording_take_bytes(r, p->bytes, p->size);
	return !recording_error(r);
}

/* The list grows with what is really there. */
static bool take_parts(struct checkpoint *c, struct timing_state *t)
{
	for (uint64_t i = 0; i < c->timing_parts; i++) {
		if (!(i & (i - 1)))
			t->parts = xrealloc(t->parts, (i ? 2 * i : 1) * sizeof *t->parts);
		t->parts[t->count++] = (struct timing_part){ 0 };
		if (!take_part(c->reader, &t->parts[i]))
			return false;
	}
	return true;
}

/* What does not fit begins cold: *cold says so. */
static bool take_timing(struct checkpoint *c, struct gpu *gpu, char **cold)
{
	struct timing_state timing = { 0 };
	bool fine = take_parts(c, &timing);

	if (fine && timing.count && !gpu_timing_put(gpu, &timing, cold)) {
		recording_wrong(c->reader, "the timing state of %s is not valid: the file is damaged", *cold);
		fine = false;
	}
	timing_state_free(&timing);
	if (fine && recording_next(c->reader))
		return recording_wrong(c->reader, "there is data behind the end of the checkpoint");
	return fine && !recording_error(c->reader);
}

static bool is_the_same(const struct counted *l, const struct launch *launch)
{
	for (int i = 0; i < 3; i++)
		if (l->shape[i] != launch->grid[i] || l->shape[3 + i] != launch->block[i])
			return false;
	return !strcmp(l->kernel, launch->kernel->name);
}

/* The launch goes on in the middle. */
static bool begin_within(struct checkpoint *c, struct launch *launch)
{
	if (!is_the_same(&c->under_way, launch))
		return recording_wrong(c->reader,
			"the launch under way is of another kernel or shape than %s", launch->kernel->name);
	if (checkpoint_code(launch->kernel) != c->code)
		return recording_wrong(c->reader,
			"kernel %s has other code here: the section frontend must be as it was",
			launch->kernel->name);
	if (!resume_fits(launch, &c->resume))
		return recording_wrong(
			c->reader, "kernel %s cannot go on from these states", launch->kernel->name);
	launch->resume = &c->resume;
	return true;
}

/* The first launch that is not only counted begins. */
static bool begin_restored_launch(struct checkpoint *c, struct gpu *gpu, struct launch *launch, char **cold)
{
	if (gpu_is_at_work(gpu))
		return recording_wrong(
			c->reader, "launches before it are still under way in this configuration");
	return (!c->is_within || begin_within(c, launch)) && take_memory(c, gpu) && take_timing(c, gpu, cold);
}

bool checkpoint_launch(struct checkpoint *c, struct gpu *gpu, uint64_t started, struct launch *launch,
	char **cold, struct diag_list *diags)
{
	bool fine = true;

	if (started < c->launches) {
		launch->known = &c->counted[started].known;
		fine = is_the_same(&c->counted[started], launch) ||
			recording_wrong(c->reader, "launch %" PRIu64 " is of another kernel or shape than %s",
				started + 1, launch->kernel->name);
	} else if (started == c->launches && c->reader) {
		fine = begin_restored_launch(c, gpu, launch, cold);
	} else {
		return true;
	}
	if (!fine)
		diag_error(diags, NULL, "%s", recording_error(c->reader));
	if (started == c->launches) {
		recording_reader_free(c->reader);
		c->reader = NULL;
	}
	return fine;
}
