/* cli/cmd_trace.c -- lockstep trace: a program's memory accesses into a file, or such a file as text. */
#include "cli/run_program.h"
#include "host/trace/trace.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DEFAULT_TRACE "lockstep.trace"

struct trace_options {
	struct run_options run;
	const char *file, *print, *sample;
	bool with_instructions;
};

static const struct option trace_option_table[] = { MACHINE_OPTIONS(struct trace_options, run.machine.),
	OPTION_TEXT(struct trace_options, file, 'o', "output", "FILE",
		"the trace (default: " DEFAULT_TRACE "); compressed if the name ends in .zst"),
	OPTION_FLAG(struct trace_options, with_instructions, 0, "instructions",
		"also record instructions that access no global or local memory"),
	OPTION_TEXT(struct trace_options, sample, 0, "sample", "CORES:MODELLED:THREADS",
		"record only CTAs whose number modulo CORES is less than MODELLED, and for each\n"
		"of these cores only the first CTAs with together at most THREADS threads (0: all)"),
	OPTION_TEXT(
		struct trace_options, print, 0, "print", "FILE", "print a trace as text; takes no program"),
	OPTION_FLAG(struct trace_options, run.quiet, 'q', "quiet",
		"print no line for each kernel on the terminal"),
	OPTION_END };

static void print_launch(const struct trace_launch *l, uint64_t number)
{
	printf("launch %" PRIu64 " %s grid %u,%u,%u block %u,%u,%u shared %" PRIu64 " registers %u\n", number,
		l->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
		l->shared_bytes, l->registers);
}

static void print_access(const struct trace_access *a)
{
	static const char *const kinds[TRACE_KINDS] = { "load", "store", "atomic" };
	static const char *const spaces[TRACE_SPACES] = { "global", "local" };

	printf("%s %s%s cta %" PRIu64 " warp %u uop %u line %u bytes %u mask %08x", kinds[a->kind],
		spaces[a->space], a->uncached ? " uncached" : "", a->cta, a->warp, a->pc, a->line, a->bytes,
		a->mask);
	for (uint32_t left = a->mask; left; left &= left - 1)
		printf(" %" PRIx64, a->address[__builtin_ctz(left)]);
	putchar('\n');
}

static void print_record(const struct trace_record *r)
{
	const struct trace_access *a = &r->access;

	if (r->type == TRACE_LAUNCH)
		print_launch(&r->launch, r->counts.launches);
	else if (r->type == TRACE_ACCESS)
		print_access(a);
	else
		printf("instruction cta %" PRIu64 " warp %u uop %u line %u mask %08x\n", a->cta, a->warp,
			a->pc, a->line, a->mask);
}

static int print_trace(const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct trace_record *record;
	struct trace_reader *reader;
	const char *error;

	if (!file) {
		fprintf(stderr, "lockstep trace: %s: %s\n", path, strerror(errno));
		return STATUS_FAILED;
	}
	record = xcalloc(1, sizeof(*record));
	reader = trace_reader_new(file);
	while (trace_read(reader, record))
		print_record(record);
	error = trace_reader_error(reader);
	if (error)
		fprintf(stderr, "lockstep trace: %s: %s\n", path, error);
	else
		printf("end: %" PRIu64 " launches, %" PRIu64 " accesses, %" PRIu64 " instructions\n",
			record->counts.launches, record->counts.accesses, record->counts.instructions);
	free(record);
	fclose(file);
	trace_reader_free(reader);
	return error ? STATUS_FAILED : STATUS_FINE;
}

static int run_trace_command(const struct command *self, const void *object, char **operands, size_t count)
{
	struct trace_options options = *(const struct trace_options *)object;

	if (options.print && count)
		return usage_error(self, "--print takes no program");
	if (options.print)
		return print_trace(options.print);
	if (!count)
		return usage_error(self, "too few operands: expected %s", self->operands);
	options.run.functional = true;
	options.run.output = "";
	const struct program_files files = { .trace = options.file ? options.file : DEFAULT_TRACE,
		.with_instructions = options.with_instructions,
		.sample = options.sample };
	return run_program(self, &options.run, &files, operands);
}

const struct command command_trace = {
	.name = "trace",
	.operands = "[--] PROGRAM [ARGUMENT]...",
	.summary = "record the memory accesses of a program, or print such a record",
	.details = "Runs PROGRAM without timing and writes the addresses of its accesses to global and "
		   "local memory,\n"
		   "warp instruction by warp instruction. docs/user/traces.md describes the file.\n"
		   "\n"
		   "  lockstep trace -o atax.trace -- build/bench/polybench/atax 512\n"
		   "  lockstep trace --print atax.trace\n",
	.options = trace_option_table,
	.size = sizeof(struct trace_options),
	.foreign_tail = true,
	.run = run_trace_command,
};
