/* core/observe/timeline.c -- a run as a file for viewers: its tracks, CTAs and counters. What is in it about
 * warps is in timeline_detail.c. */
#include "core/observe/timeline.h"
#include "core/chip/chip.h"
#include "core/observe/series.h"
#include "core/observe/timeline_internal.h"
#include "core/simt/warp.h"
#include "core/sm/sm.h"
#include "sim/stats/stat_select.h"
#include "sim/text/c_locale.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>

const struct sim_param timeline_params[] = {
	SIM_U64(struct timeline_config, period, 1000, 1, 1e15, "core cycles",
		"window over which the counters of a timeline (--timeline) are taken"),
	SIM_STRING(struct timeline_config, statistics,
		"gpu.ipc,sm.issue_slots,sm.l1d.hit_rate,l2.miss_rate,dram.bytes",
		"counters of a timeline: names of statistics as in stats.txt, with * and ?, separated by "
		"commas; power (energy.watts) comes with them if energy.model is set"),
	SIM_U64(struct timeline_config, limit, 1000000, 1, 1e9, "events",
		"most events of each kind in a timeline: of streams, of counters, of CTAs, of warps, of "
		"memory requests"),
	SIM_STRING(struct timeline_config, detail, "",
		"SMs and core cycles of which a timeline has each warp, instruction, wait and memory "
		"request, as in sm=0,cycles=1000:3000 or sm=0-3 (all cycles); power (alone, or before sm): "
		"counters of the power of each SM, L2 slice and DRAM channel; empty: none"),
	SIM_END,
};

enum { STREAMS = 1, COUNTERS = 2 }; /* processes */

/* ---- which tracks there are ---- */

static void name_track(
	struct timeline *t, struct trace_track track, const char *name, uint32_t number, uint32_t row)
{
	char text[64];

	if (row)
		snprintf(text, sizeof(text), "%s %" PRIu32 " (%" PRIu32 ")", name, number, row + 1);
	else
		snprintf(text, sizeof(text), "%s %" PRIu32, name, number);
	trace_thread(&t->events, track, text);
}

static void name_sm(struct timeline *t, uint32_t sm)
{
	char text[32];

	if (t->sms[sm].is_named)
		return;
	t->sms[sm].is_named = true;
	snprintf(text, sizeof(text), "SM %" PRIu32, sm);
	trace_process(&t->events, TIMELINE_SM + sm, text);
}

struct trace_track timeline_sm_track(
	struct timeline *t, uint32_t sm, const char *name, enum sm_tracks kind, uint32_t number)
{
	struct trace_track track = { TIMELINE_SM + sm, (uint32_t)kind + number };
	uint64_t *named = &t->sms[sm].tracks_named[((uint32_t)kind + number) / 64];

	name_sm(t, sm);
	if (*named >> number % 64 & 1)
		return track;
	*named |= UINT64_C(1) << number % 64;
	name_track(t, track, name, number, 0);
	return track;
}

uint32_t timeline_free_row(struct timeline_rows *rows, picoseconds begin, picoseconds end)
{
	uint32_t i = 0;

	while (i < rows->count && rows->ends[i] > begin)
		i++;
	if (i == rows->count) {
		rows->ends = xrealloc(rows->ends, (rows->count + 1) * sizeof(*rows->ends));
		rows->count++;
	}
	rows->ends[i] = end;
	return i;
}

/* ---- streams ---- */

static struct stream_tracks *stream_tracks_of(struct timeline *t, uint32_t stream)
{
	struct stream_tracks **at = &t->streams;

	while (*at && (*at)->stream != stream)
		at = &(*at)->next;
	if (*at)
		return *at;
	if (!t->streams)
		trace_process(&t->events, STREAMS, "Streams");
	*at = xcalloc(1, sizeof(**at));
	(*at)->stream = stream;
	return *at;
}

static struct trace_track track_of_stream(struct timeline *t, struct stream_tracks *s, uint32_t row)
{
	if (row >= s->track_count) {
		s->tracks = xrealloc(s->tracks, (row + 1) * sizeof(*s->tracks));
		for (; s->track_count <= row; s->track_count++) {
			s->tracks[s->track_count] = (struct trace_track){ STREAMS, ++t->stream_tracks };
			name_track(t, s->tracks[s->track_count], "stream", s->stream, s->track_count);
		}
	}
	return s->tracks[row];
}

bool timeline_has_room(struct timeline *t, enum timeline_kind kind)
{
	if (t->counts[kind].written < t->config.limit) {
		t->counts[kind].written++;
		return true;
	}
	t->counts[kind].lost++;
	return false;
}

struct timeline_slice timeline_stream_slice(struct timeline *t, uint32_t stream, const char *category,
	const char *name, picoseconds begin, picoseconds end, const char *members)
{
	struct stream_tracks *s;
	struct trace_track track;

	if (!t || !timeline_has_room(t, TIMELINE_STREAMS))
		return (struct timeline_slice){ 0 };
	s = stream_tracks_of(t, stream);
	track = track_of_stream(t, s, timeline_free_row(&s->rows, begin, end));
	fputs(members, trace_slice(&t->events, track, category, name, begin, end));
	trace_event_end(&t->events);
	return (struct timeline_slice){ track, begin, end };
}

void timeline_stream_instant(
	struct timeline *t, uint32_t stream, const char *category, const char *name, picoseconds at)
{
	if (!t || !timeline_has_room(t, TIMELINE_STREAMS))
		return;
	trace_instant(&t->events, track_of_stream(t, stream_tracks_of(t, stream), 0), category, name, at);
	trace_event_end(&t->events);
}

void timeline_dependency(
	struct timeline *t, const struct timeline_slice *first, const struct timeline_slice *second)
{
	picoseconds last;

	if (!t || !first->end || !second->end || !timeline_has_room(t, TIMELINE_STREAMS))
		return;
	last = first->end - first->begin > 1000 ? first->end - 1000 : first->begin; /* within it for viewers
										       that count nanoseconds
										     */
	trace_flow(&t->events, ++t->flows, "dependency", first->track, last, second->track, second->begin);
}

/* ---- CTAs ---- */

void timeline_cta_started(struct timeline *t, const struct sm *sm, uint32_t place, cycles now)
{
	struct timeline_cta *c;

	if (!t)
		return;
	t->first_cta = t->first_cta ? t->first_cta : now;
	c = &t->sms[sm->spec.number].ctas[place];
	*c = (struct timeline_cta){ .begin = sim_edge(t->chip->sim, CLOCK_CORE, now),
		.number = sm->state.ctas[place].cta.linear,
		.launch = sm->state.ctas[place].cta.run->id,
		.kernel = sm->state.ctas[place].cta.run->kernel->name,
		.is_there = true };
}

void timeline_cta_ended(struct timeline *t, const struct sm *sm, uint32_t place, const char *why, cycles now)
{
	uint32_t number = sm->spec.number;
	struct timeline_cta *c;
	FILE *f;

	if (!t)
		return;
	c = &t->sms[number].ctas[place];
	if (!c->is_there)
		return;
	c->is_there = false;
	t->last_cta = now;
	if (!timeline_has_room(t, TIMELINE_CTAS))
		return;
	f = trace_slice(&t->events, timeline_sm_track(t, number, "CTA slot", SM_CTAS, place), "cta",
		c->kernel, c->begin, sim_edge(t->chip->sim, CLOCK_CORE, now));
	fprintf(f, "\"CTA\":%" PRIu64 ",\"launch\":%" PRIu64, c->number, c->launch);
	if (why)
		fprintf(f, ",\"end\":\"%s\"", why);
	trace_event_end(&t->events);
}

/* Those on the SMs when the run ends: a fault or an interruption has ended them. */
static void cut_ctas(struct timeline *t)
{
	cycles now = sim_cycle(t->chip->sim, CLOCK_CORE);

	for (uint32_t i = 0; i < t->chip->config->sms; i++)
		for (uint32_t place = 0; place < t->chip->sm->max_ctas; place++)
			timeline_cta_ended(t, t->chip->sms[i], place, "the run has ended", now);
}

/* ---- counters ---- */

/* Statistics side by side that are elements of the same vector, or the power of places of one kind: one
 * counter with several values. Of sm[3].energy.watts the counter is sm[*].energy.watts, the element 3. */
static bool is_of_place(const char *name)
{
	const char *bracket = strstr(name, "].energy.");

	return bracket && bracket > strchr(name, '[');
}

static size_t vector_name(const char *name)
{
	const char *end = is_of_place(name) ? strchr(name, '[') : strstr(name, "::");

	return end ? (size_t)(end - name) : strlen(name);
}

static bool is_same_vector(const char *a, const char *b)
{
	size_t length = vector_name(a);

	return a[length] && vector_name(b) == length && !strncmp(a, b, length) && a[length] == b[length];
}

static void put_element(const char *name, FILE *f)
{
	const char *element = name + vector_name(name);

	if (!*element)
		fputs("\"value\":", f);
	else if (*element == '[')
		fprintf(f, "\"%.*s\":", (int)strcspn(element + 1, "]"), element + 1);
	else
		fprintf(f, "\"%s\":", element + 2);
}

static void put_value(const char *name, struct stat_number n, bool is_zero, FILE *f)
{
	put_element(name, f);
	if (is_zero || (!n.is_whole && !isfinite(n.real)))
		fputs("0", f);
	else if (n.is_whole)
		fprintf(f, "%" PRIu64, n.whole);
	else
		fprintf(f, "%.9g", n.real);
}

/* Elements of a vector that were 0 in the window before, too, are left out: viewers keep the last value. */
static bool is_wanted(struct timeline *t, const char *name, size_t i, struct stat_number n, bool is_zero)
{
	bool was = t->had_value[i], is = !is_zero && (n.is_whole ? n.whole != 0 : n.real != 0);

	t->had_value[i] = is;
	return is || was || name[vector_name(name)] != ':';
}

/* One counter, from statistic i on, unless nothing is to be said of it; returns the first statistic behind
 * it. */
static size_t put_counter(
	struct timeline *t, const struct stat_selection *values, size_t i, picoseconds at, bool is_zero)
{
	const char *first = stat_selection_name(values, i);
	char name[160];
	FILE *f = NULL;

	snprintf(name, sizeof(name), "%.*s%s", (int)vector_name(first), first,
		is_of_place(first) ? "[*].energy.watts" : "");
	do {
		const char *statistic = stat_selection_name(values, i);
		struct stat_number n = stat_selection_value(values, i);

		if (strcmp(statistic + vector_name(statistic), "::total") != 0 &&
			is_wanted(t, statistic, i, n, is_zero)) {
			if (f)
				fputc(',', f);
			else
				f = trace_counter(&t->events, COUNTERS, name, at);
			put_value(statistic, n, is_zero, f);
		}
		i++;
	} while (i < stat_selection_count(values) && is_same_vector(first, stat_selection_name(values, i)));
	if (f)
		trace_event_end(&t->events);
	return i;
}

static void put_counters(
	struct timeline *t, const struct stat_selection *values, picoseconds at, bool is_zero)
{
	locale_t before = c_locale_enter();

	for (size_t i = 0; i < stat_selection_count(values);)
		i = put_counter(t, values, i, at, is_zero);
	c_locale_leave(before);
}

static void take_window(void *object, const struct series_row *row)
{
	struct timeline *t = object;

	t->values = row->values;
	if (!t->had_value)
		t->had_value = xcalloc(stat_selection_count(row->values), sizeof(*t->had_value));
	if (!timeline_has_room(t, TIMELINE_COUNTERS))
		return;
	if (t->counted_until && t->counted_until < row->begin)
		put_counters(t, row->values, t->counted_until, true);
	put_counters(t, row->values, row->begin, false);
	t->counted_until = row->time;
}

#define POWER_BY_PLACE "energy.watts,energy.place,sm[*].energy.watts,l2[*].energy.watts,dram[*].energy.watts"

static bool counters_new(struct timeline *t, struct config *all, struct diag_list *diags)
{
	struct series_config c = { .period = t->config.period };
	struct stat_selection *watts = stat_select(t->chip->stat_tree, "energy.watts", NULL);
	struct diag_location location = config_location(all, "observe.timeline", "detail");
	const char *power = !watts ? "" : t->detail.power ? "," POWER_BY_PLACE : ",energy.watts";
	char *names;

	if (asprintf(&names, "%s%s", t->config.statistics, power) < 0)
		bug("out of memory");
	stat_selection_free(watts);
	if (t->detail.power && !*power) {
		diag_error(
			diags, &location, "observe.timeline.detail: power needs an energy model (--energy)");
		free(names);
		return false;
	}
	c.statistics = names;
	t->counters = series_new(t->chip, &c, "observe.timeline", all, diags);
	free(names);
	if (!t->counters)
		return false;
	trace_process(&t->events, COUNTERS, "Counters");
	series_add(t->series, t->counters);
	series_begin(t->counters, take_window, t);
	return true;
}

static void counters_end(struct timeline *t)
{
	series_close(t->counters);
	if (t->counted_until)
		put_counters(t, t->values, t->counted_until, true);
	series_remove(t->series, t->counters);
}

/* ---- the timeline ---- */

struct timeline *timeline_new(struct chip *chip, struct series **series, const struct timeline_config *config,
	FILE *file, const char *title, struct config *all, struct diag_list *diags)
{
	struct timeline *t = xcalloc(1, sizeof(*t));

	t->chip = chip;
	t->config = *config;
	t->series = series;
	t->sms = xcalloc(chip->config->sms, sizeof(*t->sms));
	trace_events_begin(&t->events, file, title);
	if (timeline_detail_read(&t->detail, config, chip->config->sms, all, diags) &&
		counters_new(t, all, diags)) {
		timeline_detail_begin(t);
		return t;
	}
	timeline_free(t);
	return NULL;
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	for (struct stream_tracks *s = t->streams, *next; s; s = next) {
		next = s->next;
		free(s->rows.ends);
		free(s->tracks);
		free(s);
	}
	timeline_detail_free(t);
	series_free(t->counters);
	free(t->had_value);
	free(t->sms);
	free(t);
}

static const char *const kind_names[TIMELINE_KINDS] = { [TIMELINE_STREAMS] = "streams",
	[TIMELINE_COUNTERS] = "counters",
	[TIMELINE_CTAS] = "CTAs",
	[TIMELINE_WARPS] = "warps",
	[TIMELINE_REQUESTS] = "requests" };

static void put_left_out(const struct timeline *t, FILE *f)
{
	bool any = false;

	fputs(",\"left_out\":{", f);
	for (int i = 0; i < TIMELINE_KINDS; i++) {
		if (!t->counts[i].lost)
			continue;
		fprintf(f, "%s\"%s\":%" PRIu64, any ? "," : "", kind_names[i], t->counts[i].lost);
		any = true;
	}
	fputs("}", f);
}

static void say_left_out(const struct timeline *t)
{
	for (int i = 0; i < TIMELINE_KINDS; i++)
		if (t->counts[i].lost)
			fprintf(stderr,
				"lockstep: the timeline has the first %" PRIu64 " events of %s; %" PRIu64
				" more were left out (--timeline-limit)\n",
				t->counts[i].written, kind_names[i], t->counts[i].lost);
}

void timeline_end(struct timeline *t)
{
	if (!t)
		return;
	counters_end(t);
	cut_ctas(t);
	timeline_detail_end(t);
	trace_events_end(&t->events);
	fputs(",\"lockstep\":{", t->events.file);
	timeline_detail_sources(t, t->events.file);
	put_left_out(t, t->events.file);
	fputs("}", t->events.file);
	trace_events_close(&t->events);
	say_left_out(t);
}
