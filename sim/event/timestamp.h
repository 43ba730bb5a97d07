/* sim/event/timestamp.h -- a time in 32 bits, for records of which there are many. */
#ifndef SIM_EVENT_TIMESTAMP_H
#define SIM_EVENT_TIMESTAMP_H

#include "sim/base/types.h"

/* The low 32 bits of a time in picoseconds, of which the lowest bit is always set. Two timestamps that are
 * less than 4.29 ms apart tell how much time lies between them, to the nearest two picoseconds. 0 means
 * never. */
typedef uint32_t timestamp;

static inline timestamp timestamp_of(picoseconds when)
{
	return (timestamp)when | 1;
}
/* Picoseconds from then to now. */
static inline uint32_t timestamp_age(timestamp then, picoseconds now)
{
	return timestamp_of(now) - then;
}

#endif
