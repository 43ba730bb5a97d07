/* host/output/line_profile_json.c -- the profile as numbers: profile.json. Of each line those that are not 0.
 */
#include "sim/text/json.h"
#include "host/output/line_profile.h"
#include <inttypes.h>
#include <string.h>

static void print_number(const char *name, uint64_t value, FILE *stream)
{
	if (value)
		fprintf(stream, ", \"%s\": %" PRIu64, name, value);
}

static void print_json_slots(const uint64_t slots[SLOT_COUNT], FILE *stream)
{
	const char *between = "";

	fputs("{", stream);
	for (uint32_t i = 0; i < SLOT_COUNT; i++) {
		if (!slots[i])
			continue;
		fprintf(stream, "%s\"%s\": %" PRIu64, between, slot_names[i], slots[i]);
		between = ", ";
	}
	fputs("}", stream);
}

static void print_waits(const struct profile_kernel *k, const struct line_counts *c, FILE *stream)
{
	const char *between = "";

	fputs(", \"waits_for\": [", stream);
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++) {
		const struct profile_line *l = &k->lines[c->waits[i].producer];

		if (!c->waits[i].slots)
			continue;
		fprintf(stream, "%s{\"function\": %u, \"line\": %u, \"slots\": %" PRIu64 "}", between,
			l->function, l->number, c->waits[i].slots);
		between = ", ";
	}
	fputs("]", stream);
	print_number("waits_other", c->waits_other, stream);
}

static void print_json_counts(const struct profile_kernel *k, const struct line_counts *c, FILE *stream)
{
	uint64_t slots = c->slots[SLOT_issued] + profile_lost(c);

	fprintf(stream, ", \"executions\": %" PRIu64 ", \"threads\": %" PRIu64, c->executions, c->lanes);
	if (slots) {
		fputs(", \"slots\": ", stream);
		print_json_slots(c->slots, stream);
	}
	print_number("l1_hits", c->l1_hits, stream);
	print_number("l1_misses", c->l1_misses, stream);
	print_number("l1_merged", c->l1_merged, stream);
	print_number("accesses", c->accesses, stream);
	print_number("requests", c->requests, stream);
	print_number("conflict_cycles", c->conflict_cycles, stream);
	print_number("loads", c->loads, stream);
	print_number("latency_cycles", c->latency, stream);
	print_number("attributed", c->attributed, stream);
	if (c->waits[0].slots)
		print_waits(k, c, stream);
}

static void print_json_line(const struct profile_kernel *k, const struct profile_line *l, FILE *stream)
{
	size_t length;
	const char *text = profile_source_line(k->functions[l->function].source, l->number, &length);

	fprintf(stream, "{\"function\": %u, \"line\": %u, \"text\": ", l->function, l->number);
	json_bytes(text, length, stream);
	if (l->origin) {
		fputs(", \"source_file\": ", stream);
		json_string(l->origin, stream);
		fprintf(stream, ", \"source_line\": %u", l->origin_line);
	}
	print_json_counts(k, &l->counts, stream);
	fputs("}", stream);
}

static void print_functions(const struct profile_kernel *k, FILE *stream)
{
	for (uint32_t i = 0; i < k->function_count; i++) {
		const struct profile_function *f = &k->functions[i];

		fprintf(stream, "%s\n        {\"name\": ", i ? "," : "");
		json_string(f->name, stream);
		fputs(", \"file\": ", stream);
		json_string(f->source->file, stream);
		fprintf(stream, ", \"first_line\": %u, \"last_line\": %u}", f->first, f->last);
	}
}

static void print_kernel(const struct profile_kernel *k, FILE *stream)
{
	const char *between = "";

	fputs("    {\n      \"name\": ", stream);
	json_string(k->name, stream);
	fprintf(stream,
		",\n      \"launches\": %" PRIu64 ",\n      \"unfinished\": %" PRIu64
		",\n      \"ctas\": %" PRIu64,
		k->launches, k->unfinished, k->ctas);
	fprintf(stream,
		",\n      \"cycles\": %" PRIu64 ",\n      \"warp_instructions\": %" PRIu64
		",\n      \"thread_instructions\": %" PRIu64,
		k->cycles, k->total.executions, k->total.lanes);
	fputs(",\n      \"slots\": ", stream);
	print_json_slots(k->slots, stream);
	fputs(",\n      \"slots_of_no_line\": ", stream);
	print_json_slots(k->lines[k->line_count].counts.slots, stream);
	fputs(",\n      \"functions\": [", stream);
	print_functions(k, stream);
	fputs("\n      ],\n      \"lines\": [", stream);
	for (uint32_t i = 0; i < k->line_count; i++) {
		if (!k->lines[i].uops)
			continue;
		fprintf(stream, "%s\n        ", between);
		print_json_line(k, &k->lines[i], stream);
		between = ",";
	}
	fputs("\n      ]\n    }", stream);
}

void profile_print_json(const struct profile *profile, FILE *stream)
{
	fputs("{\n", stream);
	provenance_json(&profile->provenance, stream);
	fprintf(stream, "  \"functional\": %s,\n  \"interrupted\": %s,\n  \"kernels\": [",
		profile->is_functional ? "true" : "false", profile->is_interrupted ? "true" : "false");
	for (const struct profile_kernel *k = profile->kernels; k; k = k->next) {
		fputs(k == profile->kernels ? "\n" : ",\n", stream);
		print_kernel(k, stream);
	}
	fputs("\n  ]\n}\n", stream);
}
