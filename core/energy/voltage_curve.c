/* core/energy/voltage_curve.c -- voltage by clock. */
#include "core/energy/voltage_curve.h"
#include "sim/base/xalloc.h"
#include <stdlib.h>

#define MOST_MHZ   1e5
#define MOST_VOLTS 3.0

static const char *const point_keys[] = { "MHz", "V", "source", NULL };

/* ---- reading ---- */

/* A number above 0, and at most `most`; otherwise 0, which is said. */
static double read_above_zero(
	const struct document *d, doc_node point, const char *key, double most, struct diag_list *diags)
{
	doc_node node = doc_get(d, point, key);
	const char *text = doc_text(d, node);
	struct diag_location at = doc_location(d, node ? node : point);
	char *end = NULL;
	double value = text ? strtod(text, &end) : 0;

	if (text && end != text && !*end && value > 0 && value <= most)
		return value;
	diag_error(diags, &at, "a point of voltages needs %s, above 0 and at most %g", key, most);
	return 0;
}

static void read_point(
	struct voltage_curve *c, const struct document *d, doc_node node, struct diag_list *diags)
{
	struct diag_location at = doc_location(d, node);
	struct voltage_point *p = &c->points[c->count], *before = c->count ? p - 1 : NULL;
	const char *source;

	if (!doc_is_mapping(d, node)) {
		diag_error(diags, &at, "a point { MHz: ..., V: ... } was expected");
		return;
	}
	if (!doc_allow(d, node, point_keys, diags))
		return;
	source = doc_text(d, doc_get(d, node, "source"));
	p->mhz = read_above_zero(d, node, "MHz", MOST_MHZ, diags);
	p->volts = read_above_zero(d, node, "V", MOST_VOLTS, diags);
	p->source = source ? xstrdup(source) : NULL;
	c->count++;
	if (before && (p->mhz <= before->mhz || p->volts < before->volts))
		diag_error(diags, &at,
			"clocks of voltages must grow from point to point, and no voltage may fall");
}

void voltage_curve_read(
	struct voltage_curve *c, const struct document *d, doc_node list, struct diag_list *diags)
{
	struct diag_location at = doc_location(d, list);

	*c = (struct voltage_curve){ NULL, 0 };
	if (!list)
		return;
	if (!doc_is_list(d, list) || !doc_count(d, list)) {
		diag_error(diags, &at, "voltages: a list of points { MHz: ..., V: ... } was expected");
		return;
	}
	c->points = xcalloc(doc_count(d, list), sizeof(*c->points));
	for (size_t i = 0; i < doc_count(d, list); i++)
		read_point(c, d, doc_item(d, list, i), diags);
}

void voltage_curve_free(struct voltage_curve *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->points[i].source);
	free(c->points);
}

/* ---- asking ---- */

double voltage_curve_at(const struct voltage_curve *c, double mhz)
{
	const struct voltage_point *p = c->points;
	size_t i = 0;

	if (mhz <= p->mhz)
		return p->volts;
	while (i + 1 < c->count && p[i + 1].mhz < mhz)
		i++;
	if (i + 1 == c->count)
		return p[i].volts;
	return p[i].volts + (p[i + 1].volts - p[i].volts) * (mhz - p[i].mhz) / (p[i + 1].mhz - p[i].mhz);
}

bool voltage_curve_has(const struct voltage_curve *c, double mhz)
{
	return mhz >= c->points[0].mhz && mhz <= c->points[c->count - 1].mhz;
}
