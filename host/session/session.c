/* host/session/session.c -- one run: the machine from its configuration, launch after launch, the results. */
#include "core/gpu/machine_config.h"
#include "host/checkpoint/checkpoint.h"
#include "host/session/session_internal.h"
#include "host/trace/trace_recorder.h"
#include "host/trace/trace_sample.h"
#include "sim/text/number.h"
#include "sim/text/terminal.h"
#include "sim/config/config.h"
#include "sim/event/host_time.h"
#include <sysexits.h>

#include <errno.h>

static bool config_apply(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	size_t errors = diags->errors;

	s->config_path = session_config_paths(options->config);
	if (!s->config_path) {
		diag_error(diags, NULL,
			"no configuration was given, and configs/gtx480.yaml is not beside the library");
		return false;
	}
	session_config_load(s->config, s->config_path, diags);
	if (!session_style(options->stats_style, &s->style, diags))
		return false;
	if (s->style == STYLE_GPGPUSIM)
		gpgpusim_enable(s, diags);
	for (size_t i = 0; i < options->set_count; i++)
		config_set(s->config, options->sets[i], diags);
	if (options->series)
		session_config_series(s->config, options->series, diags);
	return diags->errors == errors;
}

/* --warmup with a checkpoint: launches without timing; those of the checkpoint, if it is not given. */
static bool warmup_of(const struct session *s, const struct session_options *options, uint64_t *launches,
	struct diag_list *diags)
{
	static const char key[] = "gpu.warmup.kernels=";

	*launches = checkpoint_launches(s->from);
	for (size_t i = 0; i < options->set_count; i++)
		if (!strncmp(options->sets[i], key, sizeof key - 1))
			number_parse(options->sets[i] + sizeof key - 1, 0, UINT64_MAX, launches);
	if (*launches >= checkpoint_launches(s->from))
		return true;
	diag_error(diags, NULL,
		"--from: the checkpoint is behind %llu launches without timing; --warmup "
		"cannot be less",
		(unsigned long long)checkpoint_launches(s->from));
	return false;
}

/* What the checkpoint has counted is a warm-up, of so many launches at least. */
static bool checkpoint_apply(
	struct session *s, const struct session_options *options, struct diag_list *diags)
{
	uint64_t launches, within = 0;
	char setting[64];
	bool fine;

	if (!options->from)
		return true;
	if (!options->recording) {
		diag_error(diags, NULL,
			"--from: a checkpoint belongs to a recording, and is for lockstep replay");
		return false;
	}
	s->from = checkpoint_open(options->from, options->recording, diags);
	if (!s->from || !warmup_of(s, options, &launches, diags))
		return false;
	snprintf(setting, sizeof setting, "gpu.warmup.kernels=%llu", (unsigned long long)launches);
	fine = config_set(s->config, setting, diags);
	if (launches == checkpoint_launches(s->from))
		within = checkpoint_instructions(s->from);
	snprintf(setting, sizeof setting, "gpu.warmup.instructions=%llu", (unsigned long long)within);
	return fine && (!within || config_set(s->config, setting, diags));
}

/* Every error of the configuration in one run: unknown keys are looked for even when values were wrong. */
static bool machine_build(struct session *s, struct diag_list *diags)
{
	size_t errors = diags->errors;

	s->gpu = gpu_new(s->config, diags);
	s->provenance.seed = s->gpu ? gpu_seed(s->gpu) : 0;
	config_check_unknown(s->config, diags);
	return s->gpu && diags->errors == errors;
}

static void session_free(struct session *s)
{
	branches_free(s->branches);
	checkpoint_free(s->from);
	if (s->gpu)
		gpu_free(s->gpu);
	streams_free(s);
	kernel_sums_free(s);
	launches_free(s);
	stat_vector_free(&s->counters.machine);
	stat_vector_free(&s->counters.spare);
	sanitizer_free(s->sanitizer.checks);
	config_free(s->config);
	free(s->config_path);
	free((char *)s->provenance.command);
	notes_free(s);
	free(s);
}

static bool trace_open(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	struct trace_sample sample = { 0 };

	if (options->trace_sample && !trace_sample_parse(options->trace_sample, &sample, diags))
		return false;
	char *path = file_take(options->trace, &s->records);
	s->trace = trace_recorder_open(path, options->trace_instructions, &sample, diags);
	free(path);
	return s->trace;
}

static bool files_open(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	if (!options->output && gpu_wants_reports(s->gpu)) {
		diag_error(diags, NULL, "observers write into the output folder, and none was asked for");
		return false;
	}
	if (!options->output && !options->functional && gpu_dram_trace(s->gpu)) {
		struct diag_location location = config_location(s->config, "dram", "trace");

		diag_error(diags, &location,
			"dram.trace: a trace is written into the output folder, and none was asked for");
		return false;
	}
	if (!session_check_options(options, diags) ||
		(options->output && !output_open(s, options->output, diags)))
		return false;
	if (options->timeline && !session_timeline_open(s, options->timeline, diags)) {
		if (s->output.folder)
			output_discard(s);
		return false;
	}
	if (options->trace) {
		if (trace_open(s, options, diags))
			return true;
		if (s->output.folder)
			output_discard(s);
		return false;
	}
	if (!options->profile)
		return true;
	s->profile = profile_open(s->output.folder, &s->provenance, s->is_functional, diags);
	if (!s->profile) {
		session_timeline_discard(s);
		output_discard(s);
	}
	return s->profile;
}

/* The options have been checked. */
static void threads_start(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	uint32_t threads;

	if (options->functional || !session_threads(options->threads, &threads, diags) || threads == 1)
		return;
	gpu_set_threads(s->gpu, threads);
	gpu_print_serial(s->gpu, options->profile, stderr);
}

/* A signal that comes before there are files ends the process at once: there is nothing to be written. */
static bool begin_output(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	interrupt_catch();
	return files_open(s, options, diags);
}

static bool has_plugins(const struct session *s)
{
	return *gpu_plugins(s->gpu);
}

struct session *session_new(const struct session_options *options, struct diag_list *diags)
{
	struct session *s = xcalloc(1, sizeof *s);
	uint64_t lines, sections;

	if (!session_kernel_lines(options->kernel_lines, &lines, diags) ||
		!session_stats_launches(options->stats_launches, &sections, diags)) {
		free(s);
		return NULL;
	}
	s->config = config_new();
	s->is_functional = options->functional;
	s->is_quiet = options->quiet;
	s->launches.most = lines;
	s->monitor = options->monitor;
	s->stats_launches = sections;
	s->provenance.command = session_command();
	s->records.run = options->run ? xstrdup(options->run) : NULL;
	if (options->host_profile)
		host_time_begin(); /* before the machine is built: it takes other functions then */
	if (sanitize_begin(s, options, diags) && config_apply(s, options, diags) &&
		checkpoint_apply(s, options, diags) && machine_build(s, diags) &&
		branches_new(&s->branches, s, options, diags) && begin_output(s, options, diags)) {
		branches_begin(s);
		threads_start(s, options, diags);
		crash_catch(s->output.folder, has_plugins(s));
		return s;
	}
	interrupt_release();
	crash_release();
	run_records_close(&s->records, false);
	session_free(s);
	return NULL;
}

/* -- before a program is started -- */

static bool branches_check(const struct session_options *options, struct diag_list *diags)
{
	struct session *s = xcalloc(1, sizeof *s);
	struct machine_config machine;
	bool is_read, fine;

	s->config = config_new();
	is_read = config_apply(s, options, diags);
	fine = is_read && machine_config_read(&machine, s->config, diags) &&
		branches_new(&s->branches, s, options, diags);
	if (is_read)
		machine_config_fini(&machine);
	session_free(s);
	return fine;
}

bool session_check_start(const struct session_options *options, struct diag_list *diags)
{
	const char *files[] = { options->trace, options->record, options->save, options->timeline };
	bool fine = branches_check(options, diags);

	if (options->output && !session_folder_is_writable(options->output)) {
		diag_error(diags, NULL, "output folder %s cannot be made, or written into: %s",
			options->output, strerror(errno));
		fine = false;
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!files[i] || session_file_is_writable(files[i]))
			continue;
		diag_error(diags, NULL, "%s cannot be written: %s", files[i], strerror(errno));
		fine = false;
	}
	return fine;
}

/* -- in the process of a branch -- */

struct session *session_succeed(struct session *s, struct config *config, const char *config_path,
	const char *folder, struct diag_list *diags)
{
	struct session *next = xcalloc(1, sizeof *next);

	next->config = config;
	next->is_quiet = s->is_quiet;
	next->launches.most = s->launches.most;
	next->stats_launches = s->stats_launches;
	next->config_path = xstrdup(config_path);
	next->provenance.command = xstrdup(s->provenance.command);
	next->gpu = gpu_successor(s->gpu, config, diags);
	if (!next->gpu)
		return NULL;
	next->provenance.seed = gpu_seed(next->gpu);
	if (!output_open(next, folder, diags))
		return NULL;
	for (unsigned i = 0; i < s->provenance.note_count; i++)
		session_note(next, s->provenance.notes[i]);
	return next;
}

void session_forget(struct session *s)
{
	descriptor_close(&s->output.lock);
	free(s->output.folder);
	session_free(s);
}

void session_forked(struct session *s)
{
	s->progress.is_live = s->progress.is_shown = false;
	interrupt_catch();
	crash_catch(s->output.folder, has_plugins(s));
}

struct gpu *session_gpu(struct session *session)
{
	return session->gpu;
}

bool session_is_functional(const struct session *session)
{
	return session->is_functional;
}

/* -- launches -- */

/* Whether the next launch of the kernel that ends gets a section of its own. */
static bool has_section(const struct session *s, const struct launch *launch)
{
	return kernel_sums_launches(s, launch->kernel->name) < s->stats_launches;
}

static struct session_kernel *kernel_begin(struct session *s, const struct launch *launch)
{
	struct session_kernel *k = xcalloc(1, sizeof *k);

	counters_begin(s, launch, k);
	if (has_section(s, launch))
		k->before = stat_snapshot_take(gpu_stats(s->gpu));
	k->energy_before = session_energy_now(s);
	progress_begin(s);
	return k;
}

/* Forgets a kernel; run may be NULL, which none has. */
static struct session_kernel *kernel_take(struct session *s, const struct kernel_run *run)
{
	struct session_kernel **at = &s->kernels, *k;

	while (*at && (*at)->run != run)
		at = &(*at)->next;
	k = *at;
	if (k)
		*at = k->next;
	return k;
}

static void kernel_free(struct session *s, struct session_kernel *k)
{
	progress_end(s);
	stat_snapshot_free(k->before);
	counters_release(s, k);
	free(k->energy_before);
	free(k);
}

/* Parts of the machine that could not take up the timing state of a checkpoint. */
static void note_cold(struct session *s, const char *cold)
{
	char *note;

	if (asprintf(&note, "these parts do not find their timing state in the checkpoint and begin cold: %s",
		    cold) < 0)
		bug("out of memory");
	fprintf(stderr, "lockstep: %s\n", note);
	session_note(s, note);
	free(note);
}

/* A launch that a checkpoint knows is only counted. Where the checkpoint does not fit the run is over. */
static void begin_from_checkpoint(struct session *s, struct launch *launch)
{
	struct diag_list diags;
	char *cold = NULL;

	if (!s->from)
		return;
	diag_init(&diags);
	if (!checkpoint_launch(s->from, s->gpu, s->launched, launch, &cold, &diags))
		gpu_interrupt(s->gpu);
	else if (cold && !s->is_functional)
		note_cold(s, cold);
	free(cold);
	diag_print(&diags, stderr);
	diag_fini(&diags);
}

void session_start(struct session *s, const struct launch *launch, struct kernel_run **run)
{
	struct session_kernel *k = kernel_begin(s, launch);
	struct launch profiled = *launch;

	if (s->profile)
		profiled.profile = profile_counts(s->profile, launch->kernel);
	if (s->trace)
		profiled.listener = trace_recorder_listener(s->trace);
	profiled.sanitizer = s->sanitizer.checks;
	begin_from_checkpoint(s, &profiled);
	*run = k->run = gpu_start(s->gpu, &profiled, s->is_functional);
	if (*run) {
		for (struct session_kernel *other = s->kernels; other; other = other->next)
			k->overlaps = other->overlaps = true;
		k->next = s->kernels;
		s->kernels = k;
		s->launched++;
	} else {
		kernel_free(s, k);
	}
}

/* Once: the fault that stopped one kernel is the result of all that were under way. */
static void print_fault(struct session *s, const struct device_fault *fault)
{
	size_t length = strlen(fault->text);

	if (s->is_fault_reported)
		return;
	s->is_fault_reported = true;
	fflush(stdout);
	fprintf(stderr, "%s%s", fault->text, length && fault->text[length - 1] == '\n' ? "" : "\n");
}

void session_end(
	struct session *s, const struct launch *launch, struct kernel_run *run, struct launch_result *result)
{
	struct session_kernel *k = run ? kernel_take(s, run) : kernel_begin(s, launch);

	bug_if(!k, "session_end of a kernel that session_start did not start");
	gpu_finish(s->gpu, run, result);
	if (s->profile && run)
		profile_launched(s->profile, launch->kernel, result);
	counters_end(s, k);
	progress_clear(s);
	gpu_flush_output(s->gpu, stdout, stderr);
	gpu_flush_warnings(s->gpu, stderr);
	if (result->outcome == GPU_FAULT)
		print_fault(s, &result->fault);
	if (k->before && !has_section(s, launch)) { /* others ended before */
		stat_snapshot_free(k->before);
		k->before = NULL;
	}
	if (s->style == STYLE_GPGPUSIM && k->before)
		gpgpusim_kernel(s, launch, result, k->before);
	if (!s->is_quiet)
		launches_ended(s, launch, result, &k->counted);
	branches_launch_ended(s, launch, result);
	s->is_interrupted |= result->outcome == GPU_INTERRUPTED;
	sanitize_launched(s, result);
	output_kernel(s, launch, result, k);
	s->timeline.last = session_timeline_kernel(s, launch, result);
	kernel_free(s, k);
}

struct timeline_slice session_last_slice(const struct session *s)
{
	return s->timeline.last;
}

bool session_recover(struct session *s)
{
	s->is_fault_reported = s->counters.is_valid = false;
	return gpu_recover(s->gpu);
}

void session_launch(struct session *s, const struct launch *launch, struct launch_result *result)
{
	struct kernel_run *run, *ended;

	bug_if(s->kernels, "a kernel is to run alone while others are under way");
	session_start(s, launch, &run);
	if (session_interrupted())
		gpu_interrupt(s->gpu);
	if (run)
		gpu_advance(s->gpu, SIM_NEVER, &ended);
	session_end(s, launch, run, result);
}

static bool profile_end(struct session *s)
{
	if (!s->profile)
		return true;
	s->profile->is_interrupted = s->is_interrupted;
	return profile_close(s->profile);
}

static void print_interrupted(const struct session *s)
{
	const char *folder = s->output.folder;

	fflush(stdout);
	if (session_interrupt_status() == EX_IOERR)
		fprintf(stderr,
			"lockstep: the processor time that this process may take is used up (ulimit -t)\n");
	fprintf(stderr, "lockstep: interrupted%s%s%s\n", folder ? ": what is in " : "", folder ? folder : "",
		folder ? " is of the run up to then" : "");
}

static bool trace_end(struct session *s)
{
	return !s->trace || trace_recorder_close(s->trace);
}

char *session_file(struct session *s, const char *path)
{
	return file_take(path, &s->records);
}

static void print_session_end(struct session *s)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	sample_print(s, f);
	energy_print(s, f);
	fclose(f);
	terminal_print_lines(stderr, text);
	free(text);
}

bool session_close(struct session *s)
{
	bool is_written;

	s->is_interrupted |= session_interrupted();
	if (s->is_interrupted)
		print_interrupted(s);
	launches_print_others(s);
	session_end_sanitizer(s);
	is_written = profile_end(s) & trace_end(s) & !s->sanitizer.is_broken;
	session_monitor_write(s, true);
	while (s->kernels) /* that nobody waited for */
		kernel_free(s, kernel_take(s, s->kernels->run));
	if (s->style == STYLE_GPGPUSIM)
		gpgpusim_end(s);
	is_written &= branches_end(s);
	is_written &= output_close(s);
	is_written &= session_timeline_close(s);
	if (!s->is_quiet)
		print_session_end(s);
	interrupt_release();
	crash_release();
	run_records_close(&s->records, is_written);
	session_free(s);
	return is_written;
}
