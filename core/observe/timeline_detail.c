/* core/observe/timeline_detail.c -- the detail of a timeline: warps of some SMs in a range of cycles, with
 * their instructions, waits and memory requests, and the PTX that they executed. */
#include "core/observe/timeline_internal.h"
#include "core/chip/chip.h"
#include "core/kernel/load_stage.h"
#include "core/kernel/slot_cause.h"
#include "core/lsu/load_time.h"
#include "core/pipeline/warp_timeline.h"
#include "frontend/module.h"
#include "sim/text/json.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define TIMESTAMP_ERROR 2   /* picoseconds (sim/event/timestamp.h) */
#define MOST_TEXT       100 /* bytes of an instruction's text in its slice */

/* ---- the parameter ---- */

/* N or N<between>M; false: neither. last is N if there is no M. */
static bool read_range(const char **at, char between, uint64_t *first, uint64_t *last)
{
	const char *end;

	if (number_read(*at, &end, first) != NUMBER_FITS || end == *at)
		return false;
	*last = *first;
	*at = end;
	if (*end != between)
		return true;
	return number_read(end + 1, at, last) == NUMBER_FITS && *at > end + 1 && *last >= *first;
}

/* "power", with a comma if more follows. */
static const char *read_power(struct timeline_detail *d, const char *text)
{
	size_t length = strcspn(text, ",");

	if (length != strlen("power") || strncmp(text, "power", length) != 0)
		return text;
	d->power = true;
	return text + length + (text[length] == ',' && text[length + 1]);
}

static bool read_detail(struct timeline_detail *d, const char *text)
{
	uint64_t first, last;

	text = read_power(d, text);
	if (!*text)
		return true;
	if (strncmp(text, "sm=", 3) != 0)
		return false;
	text += 3;
	if (!read_range(&text, '-', &first, &last) || last > UINT32_MAX)
		return false;
	*d = (struct timeline_detail){ true, d->power, (uint32_t)first, (uint32_t)last, 0, SIM_NEVER };
	if (!*text)
		return true;
	if (strncmp(text, ",cycles=", 8) != 0)
		return false;
	text += 8;
	return read_range(&text, ':', &d->first_cycle, &d->last_cycle) && d->last_cycle > d->first_cycle &&
		!*text;
}

bool timeline_detail_read(struct timeline_detail *d, const struct timeline_config *c, uint32_t sms,
	struct config *config, struct diag_list *diags)
{
	struct diag_location location = config_location(config, "observe.timeline", "detail");

	*d = (struct timeline_detail){ 0 };
	if (!*c->detail)
		return true;
	if (!read_detail(d, c->detail)) {
		diag_error(diags, &location,
			"observe.timeline.detail = %.80s: expected sm=N or sm=N-M, and perhaps cycles=A:B "
			"with A < B, as in sm=0,cycles=1000:3000; or power, alone or before sm",
			c->detail);
		return false;
	}
	if (!d->is_wanted || d->last_sm < sms)
		return true;
	diag_error(diags, &location, "observe.timeline.detail = %.80s: the machine has SMs 0 to %" PRIu32,
		c->detail, sms - 1);
	return false;
}

/* ---- code ---- */

/* The text of a module. */
struct timeline_source {
	struct timeline_source *next;
	char *file, *text;
	size_t size;
	uint32_t number;
	const char **lines; /* line n begins at lines[n - 1] */
	uint32_t line_count;
};

/* A kernel's instructions, which outlive its module. */
struct timeline_code {
	struct timeline_code *next;
	const struct ptx_kernel *kernel;
	char *name;
	struct code_line {
		const struct timeline_source *source;
		uint32_t line;
	} * lines; /* by micro-operation */
	uint32_t uop_count;
};

static void cut_source(struct timeline_source *s)
{
	uint32_t count = 1;

	for (size_t i = 0; i < s->size; i++)
		count += s->text[i] == '\n';
	s->lines = xcalloc(count, sizeof(*s->lines));
	s->lines[s->line_count++] = s->text;
	for (size_t i = 0; i < s->size; i++)
		if (s->text[i] == '\n')
			s->lines[s->line_count++] = s->text + i + 1;
}

static const struct timeline_source *source_of(struct timeline *t, const struct ptx_module *m)
{
	struct timeline_source **at = &t->sources, *s;

	for (; *at; at = &(*at)->next)
		if ((*at)->size == m->text_size && !strcmp((*at)->file, m->file) &&
			!memcmp((*at)->text, m->text, m->text_size))
			return *at;
	s = *at = xcalloc(1, sizeof(*s));
	s->file = xstrdup(m->file);
	s->size = m->text_size;
	s->text = xcalloc(s->size + 1, 1);
	memcpy(s->text, m->text, s->size);
	for (const struct timeline_source *i = t->sources; i != s; i = i->next)
		s->number++;
	cut_source(s);
	return s;
}

static void fill_code(struct timeline *t, struct timeline_code *code, const struct ptx_kernel *k)
{
	for (uint32_t f = 0; f < k->function_count; f++) {
		const struct timeline_source *source = source_of(t, k->functions[f].module);
		uint32_t end = f + 1 < k->function_count ? k->functions[f + 1].entry : k->uop_count;

		for (uint32_t i = k->functions[f].entry; i < end; i++)
			code->lines[i] = (struct code_line){ source, k->uops[i].line };
	}
}

/* Another kernel may stand where one was that has been unloaded. */
static bool is_code_of(struct timeline *t, const struct timeline_code *code, const struct ptx_kernel *k)
{
	return code->kernel == k && code->uop_count == k->uop_count && !strcmp(code->name, k->name) &&
		k->uop_count && code->lines[0].source == source_of(t, k->functions[0].module);
}

static const struct timeline_code *code_of(struct timeline *t, const struct ptx_kernel *k)
{
	struct timeline_code *code;

	for (code = t->codes; code; code = code->next)
		if (is_code_of(t, code, k))
			return code;
	code = xcalloc(1, sizeof(*code));
	code->kernel = k;
	code->name = xstrdup(k->name);
	code->uop_count = k->uop_count;
	code->lines = xcalloc(k->uop_count + 1, sizeof(*code->lines));
	fill_code(t, code, k);
	code->next = t->codes;
	return t->codes = code;
}

void timeline_kernel_started(struct timeline *t, const struct kernel_run *run)
{
	if (!t || !t->detail.is_wanted)
		return;
	if (t->launch_count == t->launch_capacity) {
		t->launch_capacity = t->launch_capacity ? 2 * t->launch_capacity : 16;
		t->launches = xrealloc(t->launches, t->launch_capacity * sizeof(*t->launches));
	}
	t->launches[t->launch_count].launch = run->id;
	t->launches[t->launch_count++].code = code_of(t, run->kernel);
}

/* Most records are of the same launch as the one before. */
static const struct timeline_code *code_of_launch(struct timeline *t, uint32_t launch)
{
	if (t->launch_found < t->launch_count && (uint32_t)t->launches[t->launch_found].launch == launch)
		return t->launches[t->launch_found].code;
	for (uint64_t i = t->launch_count; i; i--) {
		if ((uint32_t)t->launches[i - 1].launch != launch)
			continue;
		t->launch_found = i - 1;
		return t->launches[i - 1].code;
	}
	return NULL;
}

static const struct code_line *line_of(struct timeline *t, uint32_t launch, uint32_t uop)
{
	static const struct code_line none;
	const struct timeline_code *code = code_of_launch(t, launch);

	return code && uop < code->uop_count && code->lines[uop].source ? &code->lines[uop] : &none;
}

/* The instruction on the line, without what is around it. */
static void text_of(const struct code_line *l, char text[MOST_TEXT])
{
	const char *from;
	size_t length, to = 0;

	snprintf(text, MOST_TEXT, "line %" PRIu32, l->line);
	if (!l->source || !l->line || l->line > l->source->line_count)
		return;
	from = l->source->lines[l->line - 1];
	from += strspn(from, " \t{");
	length = strcspn(from, ";\r\n");
	for (size_t i = 0; i < length && to < MOST_TEXT - 1; i++) {
		bool is_blank = from[i] == ' ' || from[i] == '\t';

		if (!is_blank || (to && text[to - 1] != ' '))
			text[to++] = is_blank ? ' ' : from[i];
	}
	if (length)
		text[to] = '\0';
}

void timeline_detail_sources(const struct timeline *t, FILE *f)
{
	fputs("\"sources\":[", f);
	for (const struct timeline_source *s = t->sources; s; s = s->next) {
		fprintf(f, "%s\n{\"file\":", s->number ? "," : "");
		json_string(s->file, f);
		fputs(",\"text\":", f);
		json_bytes(s->text, s->size, f);
		fputc('}', f);
	}
	fputs("]", f);
}

/* ---- warps ---- */

static void put_line(const struct code_line *l, FILE *f)
{
	if (l->source)
		fprintf(f, "\"line\":%" PRIu32 ",\"source\":%" PRIu32, l->line, l->source->number);
	else
		fputs("\"line\":0", f);
}

static void put_warp(struct timeline *t, uint32_t sm, const struct warp_record *r)
{
	struct trace_track track = timeline_sm_track(t, sm, "warp slot", SM_WARPS, r->slot);
	picoseconds begin = sim_edge(t->chip->sim, CLOCK_CORE, r->begin),
		    end = sim_edge(t->chip->sim, CLOCK_CORE, r->end);
	const struct code_line *l = line_of(t, r->launch, r->uop);
	char text[MOST_TEXT];
	FILE *f;

	if (r->kind == WARP_CTA_WAS) {
		snprintf(text, sizeof(text), "CTA %" PRIu32 ", warp %" PRIu32, r->cta, r->warp);
		f = trace_slice(&t->events, track, "warp", text, begin, end);
		fprintf(f, "\"launch\":%" PRIu32 ",\"cycle\":%" PRIu64 ",\"cycles\":%" PRIu64, r->launch,
			r->begin, r->end - r->begin);
	} else if (r->kind == WARP_ISSUED) {
		text_of(l, text);
		f = trace_slice(&t->events, track, "instruction", text, begin, end);
		put_line(l, f);
		fprintf(f, ",\"lanes\":%d,\"cycle\":%" PRIu64, __builtin_popcount(r->lanes), r->begin);
	} else {
		f = trace_slice(&t->events, track, "wait", slot_names[r->cause], begin, end);
		put_line(l, f);
		fprintf(f, ",\"cycle\":%" PRIu64 ",\"cycles\":%" PRIu64, r->begin, r->end - r->begin);
	}
	trace_event_end(&t->events);
}

/* ---- requests ---- */

static void name_request(const struct request_record *r, char *text, size_t size)
{
	static const char *const kinds[] = { [PACKET_READ] = "read",
		[PACKET_WRITE] = "write",
		[PACKET_ATOMIC] = "atomic",
		[PACKET_RAISE] = "raise" };
	static const char *const units[] = { [UNIT_L1_DATA] = "",
		[UNIT_L1_CONST] = " of constants",
		[UNIT_L1_INST] = " of instructions",
		[UNIT_L1_TEX] = " of a texture",
		[UNIT_L0_CONST] = " of constants",
		[UNIT_BULK] = " of a bulk copy" };

	snprintf(text, size, "%s%s at 0x%" PRIx64, kinds[r->kind], units[r->unit], (uint64_t)r->address);
}

static picoseconds request_begin(const struct request_record *r)
{
	if (r->issued)
		return r->issued;
	for (int i = 0; i < AT_COUNT; i++)
		if (r->at[i])
			return r->at[i];
	return r->replied;
}

static void put_stage(
	struct timeline *t, struct trace_track track, const char *name, picoseconds begin, picoseconds end)
{
	if (end <= begin + TIMESTAMP_ERROR)
		return;
	trace_slice(&t->events, track, "stage", name, begin, end);
	trace_event_end(&t->events);
}

/* The stages follow each other; what is not later than the one before took no time. */
static void put_stages(struct timeline *t, struct trace_track track, const struct request_record *r)
{
	picoseconds reached = request_begin(r);

	for (int i = 0; i < AT_COUNT; i++) {
		if (r->at[i] <= reached || r->at[i] > r->replied)
			continue;
		put_stage(t, track, load_stage_names[load_stage_until[i]], reached, r->at[i]);
		reached = r->at[i];
	}
	put_stage(t, track, load_stage_names[LOAD_return], reached, r->replied);
}

/* Instructions are recorded in the order in which they issue, until there is no more room. */
static bool has_record(const struct timeline *t, uint32_t sm, picoseconds issued)
{
	cycles complete = warp_timeline_complete(t->chip->sms[sm]->spec.warp_timeline);

	return complete == SIM_NEVER ||
		issued + TIMESTAMP_ERROR < sim_edge(t->chip->sim, CLOCK_CORE, complete);
}

static void put_request(
	struct timeline *t, uint32_t sm, struct timeline_rows *rows, const struct request_record *r)
{
	picoseconds begin = request_begin(r),
		    first = sim_edge(t->chip->sim, CLOCK_CORE, t->detail.first_cycle);
	uint32_t row = timeline_free_row(rows, begin, r->replied);
	struct trace_track track, warp;
	char text[64];
	FILE *f;

	if (row >= SM_TRACKS - SM_REQUESTS || r->replied <= begin) {
		t->counts[TIMELINE_REQUESTS].lost++;
		return;
	}
	t->counts[TIMELINE_REQUESTS].written++;
	track = timeline_sm_track(t, sm, "requests", SM_REQUESTS, row);
	name_request(r, text, sizeof(text));
	f = trace_slice(&t->events, track, "request", text, begin, r->replied);
	put_line(line_of(t, r->launch, r->uop), f);
	fprintf(f, ",\"bytes\":%u,\"warp slot\":%u,\"launch\":%" PRIu32, r->bytes, r->slot, r->launch);
	trace_event_end(&t->events);
	put_stages(t, track, r);
	if (!r->issued || r->issued < first || !has_record(t, sm, r->issued))
		return;
	warp = timeline_sm_track(t, sm, "warp slot", SM_WARPS, r->slot);
	trace_flow(&t->events, ++t->flows, "request", warp, r->issued + 2, track, begin);
}

/* ---- the timeline ---- */

static bool is_watched(const struct timeline *t, uint32_t sm)
{
	return t->detail.is_wanted && sm >= t->detail.first_sm && sm <= t->detail.last_sm;
}

void timeline_detail_begin(struct timeline *t)
{
	uint32_t count = t->detail.last_sm - t->detail.first_sm + 1;

	for (uint32_t i = 0; i < t->chip->config->sms; i++)
		if (is_watched(t, i))
			warp_timeline_new(t->chip->sms[i], t->detail.first_cycle, t->detail.last_cycle,
				(t->config.limit + count - 1) / count);
}

static void put_sm(struct timeline *t, struct sm *sm)
{
	const struct warp_timeline *w = sm->spec.warp_timeline;
	struct timeline_rows rows = { 0 };
	const struct request_record *requests;
	const struct warp_record *records;
	uint64_t count, lost;

	warp_timeline_end(sm, sim_next_cycle(t->chip->sim, CLOCK_CORE));
	records = warp_timeline_records(w, &count, &lost);
	for (uint64_t i = 0; i < count; i++)
		put_warp(t, sm->spec.number, &records[i]);
	t->counts[TIMELINE_WARPS].written += count;
	t->counts[TIMELINE_WARPS].lost += lost;
	requests = warp_timeline_requests(w, &count, &lost);
	for (uint64_t i = 0; i < count; i++)
		put_request(t, sm->spec.number, &rows, &requests[i]);
	t->counts[TIMELINE_REQUESTS].lost += lost;
	free(rows.ends);
}

static void say_nothing_was_there(const struct timeline *t)
{
	if (t->detail.is_wanted && !t->counts[TIMELINE_WARPS].written)
		fprintf(stderr,
			"lockstep: the timeline has no detail: no warp was on these SMs in these cycles "
			"(CTAs "
			"ran from core cycle %" PRIu64 " to %" PRIu64 ")\n",
			t->first_cta, t->last_cta);
}

void timeline_detail_end(struct timeline *t)
{
	for (uint32_t i = 0; i < t->chip->config->sms; i++)
		if (is_watched(t, i))
			put_sm(t, t->chip->sms[i]);
	say_nothing_was_there(t);
}

void timeline_detail_free(struct timeline *t)
{
	for (struct timeline_code *code = t->codes, *next; code; code = next) {
		next = code->next;
		free(code->name);
		free(code->lines);
		free(code);
	}
	for (struct timeline_source *s = t->sources, *next; s; s = next) {
		next = s->next;
		free(s->file);
		free(s->text);
		free(s->lines);
		free(s);
	}
	free(t->launches);
}
