/* sim/base/student.h -- Student's t distribution, for confidence intervals of a mean. (The library under a
 * program does without GSL, so that its programs may use their own.) */
#ifndef SIM_BASE_STUDENT_H
#define SIM_BASE_STUDENT_H

#include <stdint.h>

/* The 95 % quantile, both sides, for so many degrees of freedom, at least 1. */
double student_95(uint32_t degrees);

#endif
