/* host/output/session_output.c -- the files of the output folder: stats.txt, stats.json, config.yaml,
 * latency.txt, kernel_stats.txt; energy.txt and energy.csv are made in session_energy.c.
 *
 * Written kernel by kernel, to files NAME.part that get their names at the end. stats.json is a whole
 * document after each: the end, with the total, is written over by the next kernel. Statistics of each SM,
 * slice and channel stand beside the sums where observe.instances says. Nothing that depends on the host (its
 * speed, the date) is in these files: the same run gives the same bytes. */
#include "host/output/json.h"
#include "core/launch/resource_request.h"
#include "core/lsu/load_time.h"
#include "host/session/session_internal.h"
#include "sim/base/whole_file.h"
#include "sim/config/config.h"
#include "sim/event/host_time.h"

#include <sys/resource.h>

#define BEGIN "---------- Begin Simulation Statistics ----------"
#define END   "---------- End Simulation Statistics   ----------"

static const char *const outcome_names[] = { "done", "fault", "interrupted" };

/* -- stats.json -- */

/* One a line. */
static void json_paths(const char *paths, FILE *f)
{
	char *lines = xstrdup(paths);

	for (char *c = lines; (c = strpbrk(c, SESSION_BETWEEN_PATHS));)
		*c = '\n';
	json_string(lines, f);
	free(lines);
}

static void json_begin(struct session *s)
{
	FILE *f = s->output.json;

	fputs("{\n", f);
	provenance_json(&s->provenance, f);
	fputs("  \"config\": ", f);
	json_paths(s->config_path, f);
	fprintf(f, ",\n  \"functional\": %s,\n  \"kernels\": [", s->is_functional ? "true" : "false");
	s->output.json_tail = ftell(f);
}

static void json_end(struct session *s, bool is_last)
{
	FILE *f = s->output.json;

	s->output.json_tail = ftell(f);
	fputs("\n  ],\n  \"notes\": [", f);
	notes_json(s, f);
	fprintf(f, "],\n  \"interrupted\": %s,\n  \"total\": ", s->is_interrupted ? "true" : "false");
	stat_print_json(gpu_stats(s->gpu), NULL, f, 2);
	if (is_last)
		estimates_json(s, f);
	fputs(",\n  \"streams\": ", f);
	streams_json(s, f);
	fputs(",\n  \"by_kernel\": ", f);
	kernel_sums_json(s, f);
	fputs("\n}\n", f);
	whole_file_truncate(f);
}

static void json_occupancy(FILE *f, const struct session *s, const struct launch *l)
{
	struct kernel_registers r = registers_of(gpu_limits(s->gpu), l->kernel);
	struct cta_resource_request demand = launch_resource_request(s->gpu, l);
	struct occupancy o = occupancy_of(gpu_limits(s->gpu), &demand);

	fprintf(f,
		"      \"registers\": %u,\n      \"registers_from\": \"%s\",\n      \"shared_bytes\": %u,\n",
		demand.registers, demand.registers < r.count ? "block" : register_source_name(r.source),
		demand.shared);
	fprintf(f, "      \"ctas_per_sm\": %u,\n      \"warps_per_sm\": %u,\n      \"limited_by\": ", o.ctas,
		o.warps);
	json_string(occupancy_limit_name(o.limit), f);
	fputs(",\n", f);
}

static void json_kernel(struct session *s, const struct launch *l, const struct launch_result *r,
	const struct session_kernel *kernel)
{
	FILE *f = s->output.json;

	fseek(f, s->output.json_tail, SEEK_SET);
	fprintf(f, "%s\n    {\n      \"id\": %llu,\n      \"name\": ", s->output.kernels ? "," : "",
		(unsigned long long)r->id);
	json_string(l->kernel->name, f);
	fprintf(f,
		",\n      \"grid\": [%u, %u, %u],\n      \"block\": [%u, %u, %u],\n      \"stream\": %u,\n",
		l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->stream);
	json_occupancy(f, s, l);
	fprintf(f, "      \"timing_limit\": %s%s%s,\n      \"warmup\": %s,\n",
		r->timing_limit == TIMING_LIMIT_NONE ? "null" : "\"",
		r->timing_limit == TIMING_LIMIT_NONE ? "" : timing_limit_names[r->timing_limit],
		r->timing_limit == TIMING_LIMIT_NONE ? "" : "\"",
		r->is_untimed && r->timing_limit == TIMING_LIMIT_NONE && !r->estimate.repeated_kernels
			? "true"
			: "false");
	fprintf(f, "      \"outcome\": \"%s\",\n      \"start_ps\": %llu,\n      \"end_ps\": %llu,\n",
		outcome_names[r->outcome], (unsigned long long)r->start, (unsigned long long)r->end);
	fputs("      \"stats\": ", f);
	stat_print_json(gpu_stats(s->gpu), kernel->before, f, 6);
	fputs(",\n", f);
	energy_json(s, kernel, f);
	fputs("      \"own\": ", f);
	kernel_json(l, r, f);
	fputs("\n    }", f);
	s->output.kernels++;
	json_end(s, false);
}

/* -- stats.txt -- */

static void text_kernel(struct session *s, const struct launch *l, const struct launch_result *r,
	const struct stat_snapshot *since)
{
	FILE *f = s->output.text;

	fprintf(f, BEGIN "  # kernel %llu %s grid %u,%u,%u block %u,%u,%u%s%s%s%s\n",
		(unsigned long long)r->id, l->kernel->name, l->grid[0], l->grid[1], l->grid[2], l->block[0],
		l->block[1], l->block[2], s->is_functional ? " functional" : "",
		r->timing_limit != TIMING_LIMIT_NONE   ? " timing-limit"
			: r->estimate.repeated_kernels ? " repeated"
			: r->is_untimed                ? " warm-up"
						       : "",
		r->outcome == GPU_DONE ? "" : " ", r->outcome == GPU_DONE ? "" : outcome_names[r->outcome]);
	stat_print_text(gpu_stats(s->gpu), since, f);
	kernel_text(l, r, f);
	fputs(END "\n\n", f);
	whole_file_flush(f);
}

static void text_total(struct session *s)
{
	fprintf(s->output.text, BEGIN "  # total of %llu kernel%s%s\n", (unsigned long long)s->output.kernels,
		s->output.kernels == 1 ? "" : "s", s->is_interrupted ? " interrupted" : "");
	stat_print_text(gpu_stats(s->gpu), NULL, s->output.text);
	fputs(END "\n", s->output.text);
}

static void text_streams(struct session *s)
{
	if (!s->streams)
		return;
	fputs(BEGIN "  # by kernel name\n", s->output.text);
	kernel_sums_text(s, s->output.text);
	fputs(END "\n\n", s->output.text);
	fputs(BEGIN "  # streams\n", s->output.text);
	streams_text(s, s->output.text);
	fputs(END "\n\n", s->output.text);
}

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
	FILE **files[] = { &o->config, &o->text, &o->json, &o->trace, &o->gpgpusim, &o->energy_text,
		&o->energy_csv };

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
		"profile.json", "gpgpusim.txt", "kernel_stats.txt", "energy.txt", "energy.csv", ".", ".." };
	const char *name = gpu_dram_trace(s->gpu);
	struct diag_location location = config_location(s->config, "dram", "trace");
	bool is_plain = name && !strchr(name, '/');

	if (!name || s->is_functional)
		return true;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		is_plain &= strcmp(name, taken[i]) != 0;
	if (!is_plain) {
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
	if (s->style == STYLE_GPGPUSIM)
		o->gpgpusim = whole_file_open_in(o->folder, "gpgpusim.txt", "w", diags);
	return o->text && o->json && (s->style != STYLE_GPGPUSIM || o->gpgpusim) && energy_open(s, diags) &&
		trace_open(s, diags) && gpu_open_reports(s->gpu, o->folder, diags);
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
	stat_show_members(gpu_stats(s->gpu), gpu_instances(s->gpu) == INSTANCES_KERNELS);
	kernel_sums_begin(s);
	provenance_text(&s->provenance, false, o->text);
	o->text_head = ftell(o->text);
	if (o->energy_text)
		energy_output_begin(s);
	json_begin(s);
	json_end(s, false);
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
	if (!s->output.folder)
		return;
	streams_add(s, launch, result);
	kernel_sums_add(s, launch, result, kernel);
	text_kernel(s, launch, result, kernel->before);
	json_kernel(s, launch, result, kernel);
	energy_output_kernel(s, launch, result, kernel);
}

/* kernel_stats.txt, if the configuration asks for it. */
static void kernel_statistics_write(struct session *s)
{
	struct diag_list diags;
	FILE *f;

	if (!gpu_wants_kernel_statistics(s->gpu))
		return;
	diag_init(&diags);
	f = whole_file_open_in(s->output.folder, "kernel_stats.txt", "w", &diags);
	if (f) {
		provenance_text(&s->provenance, s->is_interrupted, f);
		kernel_sums_statistics(s, f);
	}
	if (!f || !whole_file_close(f))
		s->output.is_broken = true;
	diag_fini(&diags);
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
	}
	if (!f || !whole_file_close(f))
		s->output.is_broken = true;
	diag_fini(&diags);
}

/* Where the results are, what they took, and the most memory that the whole program took on the host. */
static void report_close(const struct session *s)
{
	struct rusage usage;

	fflush(stdout); /* what the program has printed comes before */
	kernel_sums_print(s, stderr);
	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr, "lockstep: statistics in %s (processor time: %.4f s, host memory: %ld MiB)\n",
		s->output.folder, gpu_processor_seconds(s->gpu), usage.ru_maxrss / 1024);
}

bool output_close(struct session *s)
{
	struct session_output *o = &s->output;

	if (!o->folder)
		return true;
	gpu_drain(s->gpu);
	o->is_broken |= !gpu_close_reports(s->gpu);
	stat_show_members(gpu_stats(s->gpu), gpu_instances(s->gpu) != INSTANCES_NEVER);
	text_streams(s);
	estimates_text(s, BEGIN, END, o->text);
	text_total(s);
	if (o->energy_text)
		energy_output_end(s);
	fseek(o->json, o->json_tail, SEEK_SET);
	json_end(s, true);
	files_end(o, whole_file_close);
	latency_write(s);
	kernel_statistics_write(s);
	host_time_write(s);
	if (o->is_broken)
		fprintf(stderr, "lockstep: not all results could be written to %s\n", o->folder);
	else if (!s->is_quiet && o->kernels)
		report_close(s);
	folder_forget(o);
	return !o->is_broken;
}
