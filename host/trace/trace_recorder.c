/* host/trace/trace_recorder.c -- executed instructions become records of a trace. */
#include "host/trace/trace_recorder.h"
#include "core/functional/execution_listener.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/memory_access.h"
#include "host/trace/trace.h"
#include "host/trace/trace_sample.h"
#include "sim/files/whole_file.h"
#include "sim/base/diag.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <string.h>

struct trace_recorder {
	struct execution_listener listener;
	FILE *file;
	char *path;
	struct trace_writer *writer;
	bool with_instructions;
	struct trace_sample sample;
	uint64_t run;               /* id of the launch that is recorded; 0: none yet */
	struct trace_access access; /* that is being written */
};

static void begin_launch(struct trace_recorder *t, const struct kernel_run *run)
{
	struct trace_launch *l = xcalloc(1, sizeof(*l));

	snprintf(l->name, sizeof(l->name), "%s", run->kernel->name);
	memcpy(l->grid, run->launch->grid, sizeof(l->grid));
	memcpy(l->block, run->launch->block, sizeof(l->block));
	l->shared_bytes = run->shared_bytes;
	l->registers = run->kernel->registers;
	trace_write_launch(t->writer, l);
	free(l);
	t->run = run->id;
}

static void write_part(struct trace_recorder *t, struct trace_access *a, const struct exec *exec,
	enum trace_space space, lane_mask mask)
{
	if (!mask)
		return;
	a->space = (uint8_t)space;
	a->uncached &= space == TRACE_GLOBAL; /* of two parts, the global one is first */
	a->mask = mask;
	memcpy(a->address, exec->address, sizeof(a->address));
	trace_write_access(t->writer, a);
}

/* Lanes of a generic access may be in several spaces: global, shared, local, parameters. False if none is in
 * those that are recorded. */
static bool write_access(
	struct trace_recorder *t, struct trace_access *a, const struct exec *exec, lane_mask mask)
{
	switch (exec->space) {
	case SPACE_GLOBAL:
		write_part(t, a, exec, TRACE_GLOBAL, mask);
		return true;
	case SPACE_LOCAL:
		write_part(t, a, exec, TRACE_LOCAL, mask);
		return true;
	case SPACE_GENERIC:
		write_part(t, a, exec, TRACE_GLOBAL, mask & exec->space_mask[0]);
		write_part(t, a, exec, TRACE_LOCAL, mask & exec->space_mask[2]);
		return mask & (exec->space_mask[0] | exec->space_mask[2]);
	default:
		return false;
	}
}

static void set_place(struct trace_access *a, const struct warp *w, const struct uop *u)
{
	a->cta = w->cta->linear;
	a->warp = w->index;
	a->pc = w->pc;
	a->line = u->line;
}

/* Every instruction comes here: those that are not recorded must leave soon. */
static void record_executed(
	void *user, const struct warp *w, const struct uop *u, const struct exec *exec, lane_mask mask)
{
	struct trace_recorder *t = user;
	struct trace_access *a = &t->access;
	bool is_access = u->code == UOP_LD || u->code == UOP_ST || u->code == UOP_ATOM;

	if (__builtin_expect(t->run != w->cta->run->id, 0))
		begin_launch(t, w->cta->run);
	if (!is_access && !t->with_instructions)
		return;
	set_place(a, w, u);
	if (is_access) {
		a->kind = u->code == UOP_LD ? TRACE_LOAD : u->code == UOP_ST ? TRACE_STORE : TRACE_ATOMIC;
		a->uncached = u->code == UOP_LD && access_names_l2(u);
		a->bytes = (uint32_t)u->bytes * (u->vector ? u->vector : 1);
		if (write_access(t, a, exec, mask))
			return;
	}
	a->mask = mask;
	if (t->with_instructions)
		trace_write_instruction(t->writer, a);
}

static bool wants(void *user, const struct cta *cta)
{
	const struct trace_recorder *t = user;
	const uint32_t *block = cta->run->launch->block;

	return trace_sample_has(&t->sample, cta->linear, block[0] * block[1] * block[2]);
}

struct trace_recorder *trace_recorder_open(
	const char *path, bool with_instructions, const struct trace_sample *sample, struct diag_list *diags)
{
	FILE *file = whole_file_open(path, "wb", diags);
	struct trace_recorder *t;

	if (!file)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->listener = (struct execution_listener){ record_executed, wants, t };
	t->file = file;
	t->path = xstrdup(path);
	t->with_instructions = with_instructions;
	t->sample = *sample;
	t->writer = trace_name_is_zstd(path) ? trace_writer_new_zstd(file) : trace_writer_new(file);
	return t;
}

const struct execution_listener *trace_recorder_listener(struct trace_recorder *t)
{
	return &t->listener;
}

bool trace_recorder_close(struct trace_recorder *t)
{
	bool fine = trace_writer_close(t->writer);

	if (fine) {
		fine = whole_file_close(t->file);
	} else {
		fprintf(stderr, "lockstep: the trace %s could not be written: %s\n", t->path,
			strerror(errno));
		whole_file_discard(t->file);
	}
	free(t->path);
	free(t);
	return fine;
}
