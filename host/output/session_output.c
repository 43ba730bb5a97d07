/* host/output/session_output.c -- the output folder and its files: config.yaml and latency.txt; the others
 * are written in session_stats.c, launch_table.c, session_energy.c and session_gpgpusim.c.
 *
 * Files are written to NAME.part, and get their names at the end. Nothing that depends on the host (its
 * speed, the date) is in them, but for host.txt: the same run gives the same bytes. */
#include "core/lsu/load_time.h"
#include "host/session/session_internal.h"
#include "sim/text/terminal.h"
#include "sim/files/whole_file.h"
#include "sim/config/config.h"
#include "sim/event/host_time.h"

#include <sys/resource.h>

/* -- the folder -- */

static bool config_write(struct session *s, struct diag_list *diags)
{
	FILE *f = s->output.config = whole_file_open_in(s->output.folder, "config.yaml", "w", diags);

	if (!f)
		return false;
	provenance_text(&s->provenance, false, f);
	config_print_resolved(s->config, f);
	return true;
}

/* Closes what is open with a function, and forgets it. */
static void files_end(struct session_output *o, bool (*end)(FILE *file))
{
	FILE **files[] = { &o->config, &o->text, &o->json, &o->launches, &o->trace, &o->gpgpusim,
		&o->energy_text, &o->energy_csv };

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!end(*files[i]))
			o->is_broken = true;
		*files[i] = NULL;
	}
}

static bool discard(FILE *file)
{
	whole_file_discard(file);
	return true;
}

/* The trace of DRAM commands, if the configuration asks for one. */
static bool trace_open(struct session *s, struct diag_list *diags)
{
	static const char *const taken[] = { "stats.txt", "stats.json", "config.yaml", "profile.txt",
		"profile.json", "gpgpusim.txt", "launches.csv", "energy.txt", "energy.csv", ".", ".." };
	const char *name = gpu_dram_trace(s->gpu);
	struct diag_location location = config_location(s->config, "dram", "trace");
	bool is_file_name = name && !strchr(name, '/');

	if (!name || s->is_functional)
		return true;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		is_file_name &= strcmp(name, taken[i]) != 0;
	if (!is_file_name) {
		diag_error(diags, &location,
			"dram.trace = %s: expected the name of a new file in the output folder, or true",
			name);
		return false;
	}
	s->output.trace = whole_file_open_in(s->output.folder, name, "w", diags);
	if (s->output.trace) {
		provenance_text(&s->provenance, false, s->output.trace);
		gpu_trace_dram(s->gpu, s->output.trace);
	}
	return s->output.trace;
}

/* energy.txt and energy.csv, if there is an energy model. */
static bool energy_open(struct session *s, struct diag_list *diags)
{
	if (!gpu_energy(s->gpu) || s->is_functional)
		return true;
	s->output.energy_text = whole_file_open_in(s->output.folder, "energy.txt", "w", diags);
	s->output.energy_csv = whole_file_open_in(s->output.folder, "energy.csv", "w", diags);
	return s->output.energy_text && s->output.energy_csv;
}

static bool files_open(struct session *s, struct diag_list *diags)
{
	struct session_output *o = &s->output;

	if (!config_write(s, diags))
		return false;
	o->text = whole_file_open_in(o->folder, "stats.txt", "w+", diags);
	o->json = whole_file_open_in(o->folder, "stats.json", "w+", diags);
	o->launches = whole_file_open_in(o->folder, "launches.csv", "w", diags);
	if (s->style == STYLE_GPGPUSIM)
		o->gpgpusim = whole_file_open_in(o->folder, "gpgpusim.txt", "w", diags);
	return o->text && o->json && o->launches && (s->style != STYLE_GPGPUSIM || o->gpgpusim) &&
		energy_open(s, diags) && trace_open(s, diags) && gpu_open_reports(s->gpu, o->folder, diags);
}

bool output_open(struct session *s, const char *folder, struct diag_list *diags)
{
	struct session_output *o = &s->output;

	o->folder = folder_take(folder, &s->records, &o->lock, diags);
	if (!o->folder)
		return false;
	if (!files_open(s, diags)) {
		output_discard(s);
		return false;
	}
	kernel_sums_begin(s);
	if (o->energy_text)
		energy_output_begin(s);
	launch_table_begin(o->launches);
	stats_begin(s);
	return true;
}

/* Another file in the place of *file, which stays the parent's. NULL stays NULL. */
static bool branch_file(FILE **file, const char *folder, const char *name, struct diag_list *diags)
{
	if (*file)
		*file = whole_file_branch(*file, folder, name, diags);
	return *file;
}

bool output_branch(struct session *s, const char *folder, struct diag_list *diags)
{
	struct session_output *o = &s->output;

	descriptor_close(&o->lock);
	free(o->folder);
	o->folder = folder_take(folder, &s->records, &o->lock, diags);
	return o->folder && config_write(s, diags) && branch_file(&o->text, o->folder, "stats.txt", diags) &&
		branch_file(&o->json, o->folder, "stats.json", diags) &&
		branch_file(&o->launches, o->folder, "launches.csv", diags) &&
		(!o->energy_text ||
			(branch_file(&o->energy_text, o->folder, "energy.txt", diags) &&
				branch_file(&o->energy_csv, o->folder, "energy.csv", diags)));
}

static void folder_forget(struct session_output *o)
{
	descriptor_close(&o->lock);
	free(o->folder);
	o->folder = NULL;
}

void output_discard(struct session *s)
{
	files_end(&s->output, discard);
	gpu_discard_reports(s->gpu);
	folder_forget(&s->output);
}

void output_kernel(struct session *s, const struct launch *launch, const struct launch_result *result,
	const struct session_kernel *kernel)
{
	if (s->output.folder) {
		streams_add(s, launch, result);
		stats_launch(s, launch, result, kernel);
		launch_table_add(s, launch, result, kernel, s->output.launches);
		energy_output_kernel(s, launch, result, kernel);
	}
	kernel_sums_add(s, launch, result, kernel);
	if (s->output.folder)
		stats_save(s);
}

/* latency.txt: of the whole run, if it was timed. */
static void latency_write(struct session *s)
{
	struct diag_list diags;
	FILE *f;

	if (s->is_functional)
		return;
	diag_init(&diags);
	f = whole_file_open_in(s->output.folder, "latency.txt", "w", &diags);
	if (f) {
		provenance_text(&s->provenance, s->is_interrupted, f);
		load_time_print(gpu_load_time(s->gpu), f);
	}
	if (!f || !whole_file_close(f))
		s->output.is_broken = true;
	diag_fini(&diags);
}

/* On what the simulator spent its time: the one file that is not the same in every run, and only if it was
 * asked for. */
static void host_time_write(struct session *s)
{
	struct diag_list diags;
	FILE *f;

	if (!host_time_is_on)
		return;
	diag_init(&diags);
	f = whole_file_open_in(s->output.folder, "host.txt", "w", &diags);
	if (f) {
		provenance_text(&s->provenance, s->is_interrupted, f);
		host_time_print(f);
		gpu_print_windows(s->gpu, f);
	}
	if (!f || !whole_file_close(f))
		s->output.is_broken = true;
	diag_fini(&diags);
}

/* Where the results are, what they took, and the most memory that the whole program took on the host. */
static void report_close(const struct session *s)
{
	struct rusage usage;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	fflush(stdout); /* what the program has printed comes before */
	kernel_sums_print(s, f);
	getrusage(RUSAGE_SELF, &usage);
	fputs("lockstep: statistics in ", f);
	config_print_comment(s->output.folder, f); /* one line, whatever its name */
	fprintf(f, " (processor time: %.4f s, host memory: %ld MiB)\n", gpu_processor_seconds(s->gpu),
		usage.ru_maxrss / 1024);
	fclose(f);
	terminal_print_lines(stderr, text);
	free(text);
}

bool output_close(struct session *s)
{
	struct session_output *o = &s->output;

	if (!o->folder)
		return true;
	gpu_drain(s->gpu);
	o->is_broken |= !gpu_close_reports(s->gpu);
	stats_end(s);
	if (o->energy_text)
		energy_output_end(s);
	files_end(o, whole_file_close);
	latency_write(s);
	host_time_write(s);
	if (o->is_broken)
		fprintf(stderr, "lockstep: not all results could be written to %s\n", o->folder);
	else if (!s->is_quiet && o->kernels)
		report_close(s);
	folder_forget(o);
	return !o->is_broken;
}
