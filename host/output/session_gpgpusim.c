/* host/output/session_gpgpusim.c -- statistics as lines that GPGPU-Sim's users search for: after each kernel
 * and at the end, on standard output and in gpgpusim.txt. What the lines are says gpgpusim.def; here is what
 * prints them. */
#include "dram/channel.h"
#include "host/session/session_internal.h"
#include "sim/base/host_clock.h"
#include "sim/files/whole_file.h"
#include "sim/text/c_locale.h"

#include <ctype.h>
#include <math.h>

enum scope { KERNEL, RUN, HOST, END };
enum each { ONCE, SM, SLICE, CHANNEL };

static const struct line {
	enum scope scope;
	enum each each;
	const char *text;
} lines[] = {
#define LINE(scope, each, text) { scope, each, text },
#include "host/output/gpgpusim.def"
#undef LINE
};

/* -- quantities of the run, which are no statistics -- */

struct quantity {
	const char *name;
	double value;
};

#define QUANTITIES 20
struct quantities {
	struct quantity of[QUANTITIES];
	size_t count;
};

/* seconds: of the host since the session began. Whole ones are never 0, as in GPGPU-Sim: scripts divide by
 * them. */
static void add_time(struct quantities *q, double seconds, double core_mhz)
{
	double whole = fmax(1, floor(seconds));
	const struct quantity of[] = { { "seconds", seconds }, { "days", floor(whole / 86400) },
		{ "hours", floor(fmod(whole, 86400) / 3600) }, { "minutes", floor(fmod(whole, 3600) / 60) },
		{ "whole_seconds", fmod(whole, 60) }, { "total_seconds", whole },
		{ "chip_cycles", seconds * core_mhz * 1e6 } };

	memcpy(q->of + q->count, of, sizeof of);
	q->count += sizeof of / sizeof *of;
}

static void add_dram(struct quantities *q, const struct dram_config *d, double memory_mhz)
{
	const struct quantity of[] = { { "dram_per_ps", memory_mhz * 2 / d->data_rate * 1e-6 },
		{ "dram_banks", d->banks }, { "dram_bus", d->bus_bytes }, { "dram_burst", d->burst_length },
		{ "tCL", d->tCL }, { "tRRD", d->tRRD }, { "tCCD", d->tCCDS }, { "tRCD", d->tRCD },
		{ "tRAS", d->tRAS }, { "tRP", d->tRP }, { "tRC", d->tRC } };

	_Static_assert(sizeof of / sizeof *of + 7 <= QUANTITIES, "room for all");
	memcpy(q->of + q->count, of, sizeof of);
	q->count += sizeof of / sizeof *of;
}

static void quantities_take(struct quantities *q, const struct session *s)
{
	const struct gpu_properties *p = gpu_properties(s->gpu);

	q->count = 0;
	add_time(q, host_seconds() - s->started, p->core_mhz);
	add_dram(q, gpu_dram(s->gpu), p->memory_mhz);
}

/* -- expressions: of the table, so that what is wrong in one is a bug -- */

struct reader {
	const char *at;
	const struct stat_tree *tree;
	const struct stat_snapshot *since;
	const struct quantities *quantities;
	uint32_t object; /* that # stands for */
	bool is_unknown; /* some statistic does not exist */
};

static double sum(struct reader *r);

static double quantity(const struct quantities *q, const char *name)
{
	for (size_t i = 0; i < q->count; i++)
		if (strcmp(q->of[i].name, name) == 0)
			return q->of[i].value;
	bug("gpgpusim.def: there is no quantity @%s", name);
}

/* A mean of nothing has no value, but its statistic exists: whatever it is multiplied with is 0 then. */
static double statistic(struct reader *r, const char *name)
{
	double value = stat_value(r->tree, r->since, name);
	const char *mean = strstr(name, "::mean");

	r->is_unknown |= isnan(value) && !mean;
	return isnan(value) ? 0 : value;
}

static double read_named(struct reader *r)
{
	char name[160];
	size_t size = 0;

	for (; isalnum((unsigned char)*r->at) || (*r->at && strchr("_.:[]#@", *r->at)); r->at++) {
		bug_if(size + 16 > sizeof name, "gpgpusim.def: a name is too long");
		if (*r->at == '#')
			size += (size_t)snprintf(name + size, sizeof name - size, "%u", r->object);
		else
			name[size++] = *r->at;
	}
	name[size] = '\0';
	bug_if(!size, "gpgpusim.def: a name is missing at \"%s\"", r->at);
	if (isdigit((unsigned char)name[0]))
		return strtod(name, NULL);
	return name[0] == '@' ? quantity(r->quantities, name + 1) : statistic(r, name);
}

static double atom(struct reader *r)
{
	double value;

	if (*r->at != '(')
		return read_named(r);
	r->at++;
	value = sum(r);
	bug_if(*r->at++ != ')', "gpgpusim.def: a parenthesis is missing");
	return value;
}

static double read_product(struct reader *r)
{
	double value = atom(r);

	while (*r->at == '*' || *r->at == '/') {
		bool divides = *r->at++ == '/';
		double next = atom(r);

		value = divides ? value / next : value * next;
	}
	return value;
}

static double sum(struct reader *r)
{
	double value = read_product(r);

	while (*r->at == '+' || *r->at == '-') {
		bool subtracts = *r->at++ == '-';
		double next = read_product(r);

		value += subtracts ? -next : next;
	}
	return value;
}

/* -- lines -- */

/* The expression behind a brace, in its format, which is the table's own; returns whether it has a value. */
static bool print_expression(struct reader *r, FILE *f)
{
	double value = sum(r);
	char format[16] = "%.0f";
	size_t size;

	if (*r->at == '|') {
		size = strcspn(++r->at, "}");
		bug_if(size >= sizeof format, "gpgpusim.def: a format is too long");
		memcpy(format, r->at, size);
		format[size] = '\0';
		r->at += size;
	}
	bug_if(*r->at++ != '}', "gpgpusim.def: a brace is missing");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	fprintf(f, format, isnan(value) ? (double)NAN : value); /* of one sign, on every host */
#pragma GCC diagnostic pop
	return !isnan(value) && !isinf(value);
}

static void print_template_line(const char *text, struct reader *r, FILE *f)
{
	char *line = NULL;
	size_t size, values = 0;
	bool has_value = true;
	FILE *to = open_memstream(&line, &size);

	bug_if(!to, "out of memory");
	r->is_unknown = false;
	for (r->at = text; *r->at;) {
		if (*r->at == '{') {
			r->at++;
			values++;
			has_value = print_expression(r, to);
		} else if (*r->at == '#') {
			fprintf(to, "%u", r->object);
			r->at++;
		} else {
			fputc(*r->at++, to);
		}
	}
	fclose(to);
	if (!r->is_unknown && (has_value || values > 1))
		fprintf(f, "%s\n", line);
	free(line);
}

static uint32_t objects(const struct session *s, enum each each)
{
	if (each == ONCE)
		return 1;
	return each == SM ? gpu_properties(s->gpu)->sm_count : gpu_partitions(s->gpu);
}

/* The lines of these scopes (1 << enum scope): several of one object in a row stand together. */
static void print_lines(struct session *s, uint32_t scopes, const struct stat_snapshot *since, FILE *f)
{
	struct quantities quantities;
	struct reader r = { .tree = gpu_stats(s->gpu), .quantities = &quantities };
	size_t count = sizeof lines / sizeof *lines, to;

	quantities_take(&quantities, s);
	for (size_t from = 0; from < count; from = to) {
		for (to = from + 1;
			to < count && lines[to].each != ONCE && lines[to].each == lines[from].each;)
			to++;
		for (r.object = 0; r.object < objects(s, lines[from].each); r.object++)
			for (size_t i = from; i < to; i++) {
				r.since = lines[i].scope == KERNEL ? since : NULL;
				if (scopes >> lines[i].scope & 1)
					print_template_line(lines[i].text, &r, f);
			}
	}
}

/* Without time only instructions have a meaning. */
static void print_functional(struct session *s, const struct launch_result *result, FILE *f)
{
	if (result)
		fprintf(f, "gpu_sim_insn = %llu\n", (unsigned long long)result->thread_instructions);
	fprintf(f, "gpu_tot_sim_insn = %.0f\n",
		stat_value(gpu_stats(s->gpu), NULL, "gpu.thread_instructions"));
}

/* -- the session's moments -- */

void gpgpusim_enable(struct session *s, struct diag_list *diags)
{
	s->started = host_seconds();
	if (s->is_functional)
		return;
	config_set(s->config, "observe.accesses=true", diags);
	config_set(s->config, "observe.occupancy=true", diags);
}

static void print_to_both(struct session *s, const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
	if (!s->output.gpgpusim)
		return;
	fputs(text, s->output.gpgpusim);
	whole_file_flush(s->output.gpgpusim);
}

static void kernel_head(const struct launch *launch, const struct launch_result *result, FILE *f)
{
	fprintf(f, "kernel_name = %s \nkernel_launch_uid = %llu \nkernel_stream_id = %u\n",
		launch->kernel->name, (unsigned long long)result->id, launch->stream);
}

/* launch and result: NULL at the end of the run. */
static void print_block(struct session *s, const struct launch *launch, const struct launch_result *result,
	const struct stat_snapshot *since, uint32_t scopes)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	locale_t before = c_locale_enter();

	bug_if(!f, "out of memory");
	if (launch)
		kernel_head(launch, result, f);
	if (s->is_functional)
		print_functional(s, result, f);
	print_lines(s, s->is_functional ? scopes & 1u << END : scopes, since, f);
	fclose(f);
	c_locale_leave(before);
	print_to_both(s, text);
	free(text);
}

void gpgpusim_kernel(struct session *s, const struct launch *launch, const struct launch_result *result,
	const struct stat_snapshot *since)
{
	print_block(s, launch, result, since, 1u << KERNEL | 1u << RUN | 1u << HOST);
}

/* What the memory system still had to write is in these lines. Scripts take the last one for a sign that
 * nothing went wrong. */
void gpgpusim_end(struct session *s)
{
	bool is_fine = !s->is_interrupted && !s->is_fault_reported;

	gpu_drain(s->gpu);
	if (!s->stats_launches && s->launched)
		fputs("lockstep: the lines for GPGPU-Sim's scripts are of the whole run; with "
		      "--stats-launches all "
		      "of each kernel launch, too\n",
			stderr);
	print_block(s, NULL, NULL, NULL, 1u << RUN | 1u << HOST | (is_fine ? 1u << END : 0));
}
