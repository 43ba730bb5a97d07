/* core/energy/voltage_curve.h -- the supply voltage of a chip's core by its clock, as points of an energy
 * model:
 *
 *   clock: 700
 *   voltages:
 *     - { MHz: 300, V: 0.72, source: "..." }
 *     - { MHz: 700, V: 0.96, source: "..." }
 *
 * Between two points the voltage is on the line between them. */
#ifndef CORE_ENERGY_VOLTAGE_CURVE_H
#define CORE_ENERGY_VOLTAGE_CURVE_H

#include "sim/base/diag.h"
#include "sim/config/document.h"

struct voltage_point {
	double mhz, volts;
	char *source; /* or NULL */
};

struct voltage_curve {
	struct voltage_point *points; /* by clock */
	size_t count;                 /* 0: no curve is known */
};

/* Reads the list of points; with diagnostics at their lines, clocks that do not grow, and voltages that fall
 * or are none, are wrong. list 0: there is no curve. */
void voltage_curve_read(
	struct voltage_curve *curve, const struct document *document, doc_node list, struct diag_list *diags);
void voltage_curve_free(struct voltage_curve *curve);
/* Volts. Below the first point: those of the first, beyond the last: those of the last, since a supply has
 * bounds. The curve has points. */
double voltage_curve_at(const struct voltage_curve *curve, double mhz);
/* Whether the clock lies between the first and the last point. */
bool voltage_curve_has(const struct voltage_curve *curve, double mhz);

#endif
