/* cli/launch/cmd_launch.c -- lockstep launch: one kernel alone, with arguments made on the spot. */
#include "cli/launch/argument.h"
#include "cli/command.h"
#include "cli/launch/description.h"
#include "cli/launch/kernel.h"
#include "cli/machine.h"
#include "experiment/paths.h"
#include "cli/launch/results.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <unistd.h>

struct launch_options {
	struct run_options run;
	const char *file, *name; /* of a description */
	uint32_t grid[3], block[3], cluster[3], shared, stack;
	bool cooperative;
	struct option_list arguments, links, prints, sums, saves;
};

/* What a description may say, too. */
#define LAUNCH_OPTIONS \
	OPTION_DIM3(struct launch_options, grid, 'g', "grid", "CTAs of the grid"), \
		OPTION_DIM3(struct launch_options, block, 'b', "block", "threads of a CTA"), \
		OPTION_DIM3(struct launch_options, cluster, 0, "cluster", \
			"CTAs of a cluster (default: as the kernel says)"), \
		OPTION_BYTES(struct launch_options, shared, 0, "shared", \
			"dynamic shared memory of a CTA (default: 0)"), \
		OPTION_BYTES(struct launch_options, stack, 0, "stack", \
			"stack of a thread for recursion (default: 1K)"), \
		OPTION_FLAG(struct launch_options, cooperative, 0, "cooperative", \
			"a cooperative launch: the CTAs may wait for each other, and all must fit at once"), \
		OPTION_LIST(struct launch_options, links, 0, "link", "FILE.ptx", \
			"another module to link with the first"), \
		OPTION_LIST(struct launch_options, arguments, 'a', "arg", "ARGUMENT", \
			"the next argument of the kernel (see below)"), \
		OPTION_LIST(struct launch_options, prints, 0, "print", "N[:COUNT]", \
			"after the run, print argument N (the first COUNT elements)"), \
		OPTION_LIST(struct launch_options, sums, 0, "sum", "N", \
			"after the run, print the sum of argument N"), \
		OPTION_LIST(struct launch_options, saves, 0, "save", "N:FILE", \
			"after the run, write argument N to a file: its bytes or, if the name ends in " \
			".npy, an " \
			"array of NumPy")

static const struct option launch_option_table[] = { LAUNCH_OPTIONS, RUN_OPTIONS(struct launch_options, run.),
	OPTION_END };
static const struct option description_table[] = { LAUNCH_OPTIONS,
	OPTION_TEXT(struct launch_options, file, 0, "ptx", "FILE.ptx", "the module"),
	OPTION_TEXT(struct launch_options, name, 0, "kernel", "KERNEL", "the kernel"), OPTION_END };

/* What a launch needs, in the order in which it is made. */
struct kernel_launch {
	const struct launch_options *options;
	const char *file, *name; /* operands */
	struct argument *arguments;
	size_t count;
	struct result_list results; /* what to print, sum and save */
	char *text;                 /* of the file */
	struct session *session;
	struct session_module *module;
	struct ptx_kernel *kernel;
	struct diag_list diags;
};

/* -- a description -- */

/* Those of a description come before those of the command line; the texts are copies. */
static void join_lists(struct option_list *both, const struct option_list *described)
{
	const struct option_list given = *both;

	both->count = described->count + given.count;
	both->items = xcalloc(both->count + 1, sizeof(*both->items));
	for (size_t i = 0; i < both->count; i++)
		both->items[i] = xstrdup(
			i < described->count ? described->items[i] : given.items[i - described->count]);
}

/* What the command line says comes before what the description says. */
static void join_options(struct launch_options *both, const struct launch_options *described)
{
	both->file = described->file;
	both->name = described->name;
	if (!both->grid[0])
		memcpy(both->grid, described->grid, sizeof(both->grid));
	if (!both->block[0])
		memcpy(both->block, described->block, sizeof(both->block));
	if (!both->cluster[0])
		memcpy(both->cluster, described->cluster, sizeof(both->cluster));
	if (!both->shared)
		both->shared = described->shared;
	if (!both->stack)
		both->stack = described->stack;
	both->cooperative |= described->cooperative;
	join_lists(&both->arguments, &described->arguments);
	join_lists(&both->links, &described->links);
	join_lists(&both->prints, &described->prints);
	join_lists(&both->sums, &described->sums);
	join_lists(&both->saves, &described->saves);
}

static bool read_description(
	const char *path, struct launch_options *both, struct option_list *texts, struct diag_list *diags)
{
	struct diag_location location = { .file = path };
	struct launch_options described = { 0 };
	bool fine = description_read(path, description_table, &described, texts, diags);

	if (fine && (!described.file || !described.name)) {
		diag_error(diags, &location, "there is no line '%s'",
			described.file ? "kernel NAME" : "ptx FILE.ptx");
		fine = false;
	}
	join_options(both, &described);
	options_fini(description_table, &described);
	return fine;
}

/* -- the command line -- */

static bool read_arguments(struct kernel_launch *l)
{
	const struct option_list *texts = &l->options->arguments;

	l->arguments = xcalloc(texts->count, sizeof(*l->arguments));
	for (; l->count < texts->count; l->count++)
		argument_parse(l->arguments, l->count, texts->items[l->count], &l->diags);
	return !l->diags.errors;
}

static bool read_results(struct kernel_launch *l)
{
	const struct launch_options *o = l->options;

	results_add(&l->results, RESULT_PRINT, &o->prints, l->arguments, l->count, &l->diags);
	results_add(&l->results, RESULT_SUM, &o->sums, l->arguments, l->count, &l->diags);
	results_add(&l->results, RESULT_SAVE, &o->saves, l->arguments, l->count, &l->diags);
	return !l->diags.errors;
}

/* -- session, module, kernel -- */

static struct session *opened; /* by the launch that is interrupted */

/* In a thread of its own: while PTX is read nothing else looks for an interruption. */
static void end_interrupted(void)
{
	while (!session_apart_hold())
		usleep(20000);
	session_close(opened);
	fflush(stdout);
	_exit(session_interrupt_status());
}

static void watch_interrupts(struct session *session)
{
	static const struct interrupt_watch watch = { NULL, end_interrupted };

	opened = session;
	if (session)
		session_watch_interrupts(&watch);
}

static bool open_session(struct kernel_launch *l)
{
	const struct run_options *run = &l->options->run;
	char *config = machine_config_paths(&run->machine.configs);
	struct session_options options;

	run_options_for_session(run, config, &options);
	l->session = session_new(&options, &l->diags);
	watch_interrupts(l->session);
	free(config);
	return l->session;
}

/* The file and those to be linked with it, in one text. */
static bool read_files(struct kernel_launch *l, size_t *size)
{
	const struct option_list *links = &l->options->links;
	struct session_part *parts = xcalloc(1 + links->count, sizeof(*parts));
	bool is_read = true;

	for (size_t i = 0; i <= links->count; i++) {
		parts[i].name = (char *)(i ? links->items[i - 1] : l->file);
		parts[i].text = paths_read(parts[i].name, &parts[i].size, &l->diags);
		is_read = is_read && parts[i].text;
	}
	if (is_read && links->count) {
		l->text = session_link(parts, 1 + links->count);
		*size = strlen(l->text);
	} else if (is_read) {
		l->text = (char *)parts[0].text;
		*size = parts[0].size;
		parts[0].text = NULL;
	}
	for (size_t i = 0; i <= links->count; i++)
		free((char *)parts[i].text);
	free(parts);
	return is_read;
}

static bool load_kernel(struct kernel_launch *l)
{
	size_t size;

	if (!read_files(l, &size) || !open_session(l))
		return false;
	l->module = session_load(l->session, l->text, size, l->file, 0, &l->diags);
	if (l->module)
		l->kernel = kernel_named(session_image(l->module), l->name, l->file, &l->diags);
	return l->kernel && arguments_check(l->arguments, l->count, l->kernel, l->file, &l->diags);
}

static bool place_arguments(struct kernel_launch *l)
{
	struct device_memory *memory = gpu_memory(session_gpu(l->session));

	for (size_t i = 0; i < l->count; i++)
		if (session_interrupted() || !argument_location(l->arguments, i, memory, &l->diags))
			return false;
	return true;
}

/* -- the run -- */

/* Where the buffers are, for someone who looks at the addresses of a fault. */
static void print_buffers(const struct kernel_launch *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct argument *a = &l->arguments[i];

		if (a->is_buffer)
			fprintf(stderr,
				"  argument %zu, %s[%" PRIu64 "], is %" PRIu64 " bytes at 0x%" PRIx64 "\n", i,
				a->type->name, a->count, a->count * a->type->bytes, a->address);
	}
}

static bool run_kernel(struct kernel_launch *l)
{
	const struct launch_options *o = l->options;
	struct diag_location location = { .file = l->file };
	struct launch launch = { .kernel = l->kernel, .dynamic_shared = o->shared, .stack_limit = o->stack };
	struct launch_result result;
	uint8_t *params;
	const char *wrong;
	char message[512];

	launch.is_cooperative = o->cooperative;
	memcpy(launch.grid, o->grid, sizeof(launch.grid));
	memcpy(launch.block, o->block, sizeof(launch.block));
	memcpy(launch.cluster, o->cluster, sizeof(launch.cluster));
	wrong = gpu_check_launch(session_gpu(l->session), &launch, message, sizeof(message));
	if (wrong) {
		diag_error(&l->diags, &location, "kernel %s cannot be launched: %s", l->name, wrong);
		return false;
	}
	params = xcalloc(1, l->kernel->param_bytes);
	arguments_write(l->arguments, l->count, l->kernel, params);
	launch.params = params;
	session_launch(l->session, &launch, &result);
	free(params);
	if (result.outcome == GPU_FAULT)
		print_buffers(l);
	return result.outcome == GPU_DONE;
}

/* What was computed up to a fault is printed and saved too. */
static bool launch_and_report(struct kernel_launch *l)
{
	bool fine;

	if (!load_kernel(l) || !place_arguments(l))
		return false;
	fine = run_kernel(l);
	return results_report(&l->results, l->arguments, &l->diags) && fine;
}

static int finish_launch(struct kernel_launch *l, int status)
{
	int found;

	if (status == STATUS_FAILED)
		status = refusal_status(&l->diags);
	diag_print(&l->diags, stderr);
	diag_fini(&l->diags);
	if (l->module)
		session_unload(l->session, l->module);
	found = l->session ? session_end_sanitizer(l->session) : 0;
	if (found)
		status = found;
	if (l->session && !session_close(l->session))
		status = STATUS_FAILED;
	for (size_t i = 0; i < l->count; i++)
		argument_fini(&l->arguments[i]);
	results_fini(&l->results);
	free(l->arguments);
	free(l->text);
	return status;
}

static int run_launch(const struct command *self, const struct launch_options *options)
{
	struct kernel_launch l = { .options = options, .file = options->file, .name = options->name };
	int status;

	if (!options->grid[0] || !options->block[0])
		return usage_error(self, "the %s is missing, as in --grid 64 --block 256",
			options->grid[0] ? "--block" : "--grid");
	diag_init(&l.diags);
	if (!read_arguments(&l) || !read_results(&l))
		return finish_launch(&l, STATUS_USAGE);
	status = launch_and_report(&l) ? STATUS_FINE : STATUS_FAILED;
	return finish_launch(&l, session_interrupted() ? session_interrupt_status() : status);
}

static int run_description(const struct command *self, struct launch_options *options, const char *path)
{
	struct option_list texts = { 0 };
	struct diag_list diags;
	int status;

	diag_init(&diags);
	if (read_description(path, options, &texts, &diags))
		status = run_launch(self, options);
	else
		status = failed(&diags);
	diag_fini(&diags);
	options_fini(description_table, options);
	description_fini(&texts);
	return status;
}

static int run_launch_command(const struct command *self, const void *object, char **operands, size_t count)
{
	struct launch_options options = *(const struct launch_options *)object;
	const char *ending = strrchr(operands[0], '.');

	if (count == 1 && ending && strcmp(ending, ".ptx") == 0)
		return usage_error(self, "too few operands: expected %s", self->operands);
	if (count == 1)
		return run_description(self, &options, operands[0]);
	options.file = operands[0];
	options.name = operands[1];
	return run_launch(self, &options);
}

const struct command command_launch = {
	.name = "launch",
	.operands = "FILE.ptx KERNEL, or a DESCRIPTION",
	.summary = "run one kernel of a PTX file, with arguments from a description",
	.details = "Arguments are given in the order of the kernel's parameters and counted from 0:\n"
		   "  TYPE=VALUE               a scalar: u32=17, s32=-3, f32=1.5, b64=0xff, u32=4K\n"
		   "  TYPE[COUNT]=CONTENTS     a buffer in device memory; the kernel gets its address\n"
		   "  npy:PATH                 a buffer of type, shape and contents from NumPy's file\n"
		   "  same:N                   the buffer of argument N, an earlier one\n"
		   "TYPE is one of u8 u16 u32 u64, s8 s16 s32 s64, b8 b16 b32 b64, f16 bf16 f32 f64; COUNT "
		   "may be a "
		   "shape: 64,256. CONTENTS is one of\n"
		   "  zero                     zeros\n"
		   "  const(VALUE)             the same value everywhere\n"
		   "  iota                     0, 1, 2 ...\n"
		   "  random(SEED)             MT19937; floats in [0, 1), integers of the whole range of the "
		   "type\n"
		   "  file:PATH                the bytes of a file; TYPE[]=file:PATH has as many elements as "
		   "the file\n"
		   "  npy:PATH                 the elements of NumPy's file, whose type is as wide as TYPE\n"
		   "A DESCRIPTION is a file with a line for each option, without the dashes, and with the "
		   "lines 'ptx "
		   "FILE.ptx' and 'kernel KERNEL'. Its paths are relative to its folder; options of the "
		   "command line "
		   "come before its own.\n"
		   "\n"
		   "  lockstep launch vec.ptx vecadd --grid 64 --block 256 --arg 'f32[16384]=zero' \\\n"
		   "      --arg 'f32[16384]=iota' --arg 'f32[16384]=random(1)' --arg u32=16384 --print 0:8 "
		   "--sum 0\n",
	.options = launch_option_table,
	.size = sizeof(struct launch_options),
	.least = 1,
	.most = 2,
	.run = run_launch_command,
};
