/* sim/base/student.c -- see student.h. */
#include "sim/base/student.h"
#include <math.h>

/* Quantiles for 1 to 30 degrees of freedom; beyond, the first terms of the expansion about the normal
 * distribution's 1.95996 (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 26.7.5). */
double student_95(uint32_t degrees)
{
	static const double table[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
		2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 };
	double x = 1.959964, n = degrees;

	if (degrees <= 30)
		return table[degrees ? degrees - 1 : 0];
	return x + (x * x * x + x) / (4 * n) + (5 * pow(x, 5) + 16 * x * x * x + 3 * x) / (96 * n * n);
}
