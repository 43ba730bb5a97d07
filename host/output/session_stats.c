/* host/output/session_stats.c -- stats.txt and stats.json: the statistics of the whole run and of each
 * kernel, all its launches added up; where --stats-launches asks, of launches, too. Statistics of each SM,
 * slice and channel stand beside the sums where observe.instances says.
 *
 * Sections of launches are written when these end. What is about the whole run stands behind them, and is
 * written anew now and then, so that a process that is killed leaves a document: after a launch if as many
 * have ended since the last time as before it, or if they have executed WORTH_WRITING instructions. So a run
 * of many short launches spends no time on it, and of long ones every one is in it. */
#include "sim/text/json.h"
#include "core/kernel/resource_request.h"
#include "host/session/session_internal.h"
#include "sim/files/whole_file.h"

#define WORTH_WRITING 50000000 /* thread instructions */

#define BEGIN "---------- Begin Simulation Statistics ----------"
#define END   "---------- End Simulation Statistics   ----------"

const char *const launch_outcomes[] = { "done", "fault", "interrupted" };

const char *launch_timing(const struct session *s, const struct launch_result *r)
{
	if (s->is_functional)
		return "functional";
	if (r->timing_limit != TIMING_LIMIT_NONE)
		return "timing-limit";
	if (r->estimate.repeated_kernels)
		return "repeated";
	return r->is_untimed ? "warm-up" : "timed";
}

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

/* What is known of the whole run; is_last: it has ended. */
static void json_run(struct session *s, bool is_last, FILE *f)
{
	fputs("\n  ],\n  \"notes\": [", f);
	notes_json(s, f);
	fprintf(f, "],\n  \"interrupted\": %s,\n  \"total\": ",
		s->is_interrupted || !is_last ? "true" : "false");
	stat_print_json(gpu_stats(s->gpu), NULL, f, 2);
	if (is_last)
		estimates_json(s, f);
	fputs(",\n  \"streams\": ", f);
	streams_json(s, f);
	fputs(",\n  \"by_kernel\": ", f);
	kernel_sums_json(s, f);
	fputs("\n}\n", f);
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
	fprintf(f, "%s\n    {\n      \"id\": %llu,\n      \"name\": ", s->output.listed ? "," : "",
		(unsigned long long)r->id);
	json_string(l->kernel->name, f);
	fprintf(f,
		",\n      \"grid\": [%u, %u, %u],\n      \"block\": [%u, %u, %u],\n      \"stream\": %u,\n",
		l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->stream);
	if (l->parent)
		fprintf(f, "      \"launched_by\": %llu,\n", (unsigned long long)l->parent);
	json_occupancy(f, s, l);
	fprintf(f, "      \"timing_limit\": %s%s%s,\n      \"warmup\": %s,\n",
		r->timing_limit == TIMING_LIMIT_NONE ? "null" : "\"",
		r->timing_limit == TIMING_LIMIT_NONE ? "" : timing_limit_names[r->timing_limit],
		r->timing_limit == TIMING_LIMIT_NONE ? "" : "\"",
		strcmp(launch_timing(s, r), "warm-up") ? "false" : "true");
	fprintf(f, "      \"outcome\": \"%s\",\n      \"start_ps\": %llu,\n      \"end_ps\": %llu,\n",
		launch_outcomes[r->outcome], (unsigned long long)r->start, (unsigned long long)r->end);
	fputs("      \"stats\": ", f);
	stat_print_json(gpu_stats(s->gpu), kernel->before, f, 6);
	fputs(",\n", f);
	energy_json(s, kernel, f);
	fputs("      \"own\": ", f);
	kernel_json(s, l, r, f);
	fputs("\n    }", f);
	s->output.json_tail = ftell(f);
}

/* -- stats.txt -- */

static void text_kernel(struct session *s, const struct launch *l, const struct launch_result *r,
	const struct stat_snapshot *since)
{
	FILE *f = s->output.text;
	const char *timing = launch_timing(s, r);

	fseek(f, s->output.text_tail, SEEK_SET);
	fprintf(f, BEGIN "  # kernel %llu %s grid %u,%u,%u block %u,%u,%u%s%s%s%s\n",
		(unsigned long long)r->id, l->kernel->name, l->grid[0], l->grid[1], l->grid[2], l->block[0],
		l->block[1], l->block[2], strcmp(timing, "timed") ? " " : "",
		strcmp(timing, "timed") ? timing : "", r->outcome == GPU_DONE ? "" : " ",
		r->outcome == GPU_DONE ? "" : launch_outcomes[r->outcome]);
	demangled_text(l->kernel->name, f);
	stat_print_text(gpu_stats(s->gpu), since, f);
	kernel_text(s, l, r, f);
	fputs(END "\n\n", f);
	s->output.text_tail = ftell(f);
}

static void text_total(struct session *s, bool is_last, FILE *f)
{
	fprintf(f, BEGIN "  # total of %llu kernel%s%s\n", (unsigned long long)s->output.kernels,
		s->output.kernels == 1 ? "" : "s", s->is_interrupted || !is_last ? " interrupted" : "");
	stat_print_text(gpu_stats(s->gpu), NULL, f);
	fputs(END "\n", f);
}

/* What is known of the whole run; is_last: it has ended. */
static void text_run(struct session *s, bool is_last, FILE *f)
{
	kernel_sums_sections(s, BEGIN, END, f);
	if (s->streams) {
		fputs(BEGIN "  # by kernel name\n", f);
		kernel_sums_text(s, f);
		fputs(END "\n\n", f);
		fputs(BEGIN "  # streams\n", f);
		streams_text(s, f);
		fputs(END "\n\n", f);
	}
	if (is_last)
		estimates_text(s, BEGIN, END, f);
	text_total(s, is_last, f);
}

/* -- both -- */

/* Writes what is known of the whole run behind the launches, in place of what stood there. */
static void run_write(struct session *s, bool is_last, long tail, FILE *f,
	void (*write)(struct session *s, bool is_last, FILE *f))
{
	fseek(f, tail, SEEK_SET);
	write(s, is_last, f);
	whole_file_truncate(f);
}

static void save_stats(struct session *s, bool is_last)
{
	struct session_output *o = &s->output;

	stat_show_members(gpu_stats(s->gpu), gpu_instances(s->gpu) != INSTANCES_NEVER);
	if (is_last || o->text_tail >= 0) /* what was written to a pipe stays */
		run_write(s, is_last, o->text_tail, o->text, text_run);
	if (is_last || o->json_tail >= 0)
		run_write(s, is_last, o->json_tail, o->json, json_run);
	o->written = o->kernels;
	o->pending = 0;
}

void stats_begin(struct session *s)
{
	struct session_output *o = &s->output;

	stat_show_zeros(gpu_stats(s->gpu), !s->is_functional);
	provenance_text(&s->provenance, false, o->text);
	o->text_head = o->text_tail = ftell(o->text);
	json_begin(s);
	save_stats(s, false);
}

void stats_launch(struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct session_kernel *kernel)
{
	struct session_output *o = &s->output;

	o->kernels++;
	o->pending += r->thread_instructions + r->stats.untimed_thread_instructions;
	if (!kernel->before)
		return;
	stat_show_members(gpu_stats(s->gpu), gpu_instances(s->gpu) == INSTANCES_KERNELS);
	text_kernel(s, launch, r, kernel->before);
	json_kernel(s, launch, r, kernel);
	o->listed++;
	o->pending += WORTH_WRITING; /* what is known of the run was written over */
}

void stats_save(struct session *s)
{
	const struct session_output *o = &s->output;

	if (o->kernels >= 2 * o->written || o->pending >= WORTH_WRITING)
		save_stats(s, false);
}

void stats_end(struct session *s)
{
	save_stats(s, true);
}
