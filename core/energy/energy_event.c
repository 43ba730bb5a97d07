/* core/energy/energy_event.c -- statistics of events: found once, then read by number. */
#include "core/energy/energy_event.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* ---- finding ---- */

struct finder {
	struct energy_events *events;
	const struct coefficients *model;
	const struct stat_tree *tree;
	struct diag_list *diags;
	char *names; /* of what is no counter, for one selection */
	size_t length;
};

static void complain_of_event(const struct finder *f, const struct coefficient *c, const char *hint,
	const char *name, const char *what)
{
	struct diag_location at = { .file = coefficient_file(f->model, c), .line = c->line };

	diag_add(f->diags, DIAG_ERROR, &at, NULL, "coefficient %s: %s %s%s%s%s", c->name, what, name,
		*hint ? " (did you mean " : "", hint, *hint ? "?)" : "");
}

/* The name stands for exactly one number. *is_there: it is a statistic of this machine. */
static bool check_name(const struct finder *f, const struct coefficient *c, const char *name, bool *is_there)
{
	struct stat_select_error error;
	struct stat_selection *s = stat_select(f->tree, name, c->is_optional ? NULL : &error);
	bool is_one = s && stat_selection_count(s) == 1 && !strpbrk(name, "*?");

	*is_there = s != NULL;
	stat_selection_free(s);
	if (!*is_there && !c->is_optional)
		complain_of_event(f, c, error.nearest, name, "there is no statistic");
	else if (*is_there && !is_one)
		complain_of_event(f, c, "", name, "one number is needed, such as its ::total, of");
	return is_one;
}

static void add_chosen_name(struct finder *f, const char *name)
{
	size_t more = strlen(name) + 2;

	f->names = xrealloc(f->names, f->length + more);
	f->length += (size_t)snprintf(f->names + f->length, more, "%s%s", f->length ? "," : "", name);
}

static void add_term(struct finder *f, size_t coefficient, const char *name, bool is_negative)
{
	const struct coefficient *c = &f->model->items[coefficient];
	struct energy_event *e = &f->events->of[coefficient];
	bool is_there;

	if (!*name) {
		complain_of_event(f, c, "", c->event, "names of statistics joined by + and - were expected:");
		return;
	}
	if (!check_name(f, c, name, &is_there))
		return;
	e->terms = xrealloc(e->terms, (e->count + 1) * sizeof(*e->terms));
	e->terms[e->count] = (struct energy_term){ stat_members_find(f->tree, name), 0, is_negative };
	if (!e->terms[e->count++].members)
		add_chosen_name(f, name);
}

/* The terms of a coefficient's event. */
static void add_event(struct finder *f, size_t coefficient)
{
	char *copy = xstrdup(f->model->items[coefficient].event), *at = copy;
	char sign = '+', next;

	do {
		char *name = at + strspn(at, " \t"), *end = name + strcspn(name, "+-");

		next = *end;
		at = end + 1;
		while (end > name && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		*end = '\0';
		add_term(f, coefficient, name, sign == '-');
		sign = next;
	} while (next);
	free(copy);
}

static size_t counter_number(const struct stat_selection *s, const char *name)
{
	size_t i = 0;

	while (i < stat_selection_count(s) && strcmp(stat_selection_name(s, i), name) != 0)
		i++;
	bug_if(i == stat_selection_count(s), "statistic %s was chosen, but is not there", name);
	return i;
}

/* In the order in which add_term has made them: the names as they were given. */
static void number_terms(struct finder *f)
{
	char *rest = f->names, *name;

	for (size_t i = 0; i < f->events->count; i++)
		for (size_t t = 0; t < f->events->of[i].count; t++) {
			if (f->events->of[i].terms[t].members)
				continue;
			name = strsep(&rest, ",");
			f->events->of[i].terms[t].number = counter_number(f->events->selection, name);
		}
}

bool energy_events_find(struct energy_events *events, const struct coefficients *model,
	const struct stat_tree *tree, struct diag_list *diags)
{
	struct finder f = { events, model, tree, diags, NULL, 0 };
	size_t errors = diags->errors;
	struct stat_select_error error;

	*events =
		(struct energy_events){ xcalloc(model->count + 1, sizeof(*events->of)), model->count, NULL };
	for (size_t i = 0; i < model->count; i++)
		if (model->items[i].event)
			add_event(&f, i);
	if (diags->errors == errors && f.names) {
		events->selection = stat_select(tree, f.names, &error);
		bug_if(!events->selection, "statistic %s was there, but is not", error.name);
		number_terms(&f);
	}
	free(f.names);
	return diags->errors == errors;
}

void energy_events_free(struct energy_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		for (size_t t = 0; t < events->of[i].count; t++)
			stat_members_free(events->of[i].terms[t].members);
		free(events->of[i].terms);
	}
	free(events->of);
	stat_selection_free(events->selection);
}

/* ---- reading ---- */

static double members_sum(const struct stat_members *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < stat_members_count(m); i++)
		sum += stat_members_value(m, i);
	return (double)sum;
}

static void event_step(struct energy_event *e, const struct stat_selection *selection)
{
	double counted = 0;

	for (size_t t = 0; t < e->count; t++) {
		const struct energy_term *term = &e->terms[t];
		double sign = term->is_negative ? -1 : 1, value;

		if (term->members) {
			counted += sign * members_sum(term->members);
			continue;
		}
		value = stat_selection_value(selection, term->number).real;
		if (!isnan(value)) /* a ratio of nothing */
			e->chosen += sign * value;
	}
	e->sum = e->chosen + counted;
}

void energy_events_step(struct energy_events *events)
{
	if (events->selection)
		stat_selection_step(events->selection);
	for (size_t i = 0; i < events->count; i++)
		event_step(&events->of[i], events->selection);
}
