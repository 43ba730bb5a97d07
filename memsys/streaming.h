/* memsys/streaming.h -- the rule of streaming bypass (Khairy et al., GPGPU 2015, section 4.1), for an L1 and
 * an L2 slice alike: a cache most of whose reads miss is bypassed ("closed"). This is decided anew at the end
 * of every sampling period.
 *
 * Periods are [0, period), [period, 2 period) ... cycles of the cache's clock. At the end of one, the cache
 * is closed if more than miss_rate percent of the reads that were measured in it have missed, and open if
 * not; a period without measured reads changes nothing. No component ticks for it: the first read at or after
 * the end of a period ends it. How a read is measured, while the cache is open and while it is closed, is up
 * to the caller. */
#ifndef MEMSYS_STREAMING_H
#define MEMSYS_STREAMING_H

#include "sim/base/state.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct streaming {
	/* parameters */
	uint64_t period;  /* cycles */
	double miss_rate; /* percent */
	/* state */
	bool is_closed;
	cycles end;             /* first cycle after the current period; 0: there has been no read yet */
	cycles counted;         /* cycles_closed is up to date before this cycle */
	uint64_t reads, missed; /* in the current period */
	/* statistics */
	uint64_t periods, periods_closed, closed, opened, cycles_closed;
	uint64_t measured, measured_misses, bypassed;
};

/* For the tables of a policy whose struct has a struct streaming in `field`; clock: of its cycles. */
#define STREAMING_PARAMS(type, field, clock) \
	SIM_U64_AS(type, field.period, "period", 10000, 1, 1e18, clock " cycles", \
		"length of a sampling period, after which the miss rate is checked (Khairy et al., GPGPU " \
		"2015: 10000)"), \
		SIM_F64_AS(type, field.miss_rate, "miss_rate", 90, 0, 100, "%", \
			"miss rate of a period's reads above which the cache is closed for the next period " \
			"(Khairy et al., GPGPU 2015: 90)")
#define STREAMING_COUNT(type, field, name, unit, help) SIM_COUNT_AS(type, field.name, #name, unit, help)
#define STREAMING_STATS(type, field) \
	STREAMING_COUNT(type, field, periods, "periods", "sampling periods that ended"), \
		STREAMING_COUNT(type, field, periods_closed, "periods", \
			"sampling periods that ended while the cache was closed"), \
		STREAMING_COUNT(type, field, closed, "times", "times that the policy closed the cache"), \
		STREAMING_COUNT( \
			type, field, opened, "times", "times that the policy opened the cache again"), \
		STREAMING_COUNT(type, field, cycles_closed, "cycles", \
			"cycles in which the cache was closed, including cycles without a read"), \
		STREAMING_COUNT( \
			type, field, measured, "requests", "reads that were measured as hits or misses"), \
		STREAMING_COUNT( \
			type, field, measured_misses, "requests", "reads that were measured as misses"), \
		STREAMING_COUNT(type, field, bypassed, "requests", "reads that bypassed the closed cache")

/* Ends the periods that are over at cycle `now`, which has come. */
void streaming_end_periods(struct streaming *s, cycles now);

/* Whether the cache is closed at cycle `now`. */
static inline bool streaming_is_closed(struct streaming *s, cycles now)
{
	if (now >= s->end)
		streaming_end_periods(s, now);
	return s->is_closed;
}

/* A read of this cycle, for which streaming_is_closed has been asked, was measured. */
static inline void streaming_measured(struct streaming *s, bool missed)
{
	s->reads++;
	s->missed += missed;
	s->measured++;
	s->measured_misses += missed;
}

/* The statistics are up to date before cycle `until`. */
void streaming_sync_stats(struct streaming *s, cycles until);
void streaming_state(struct streaming *s, struct state *state);

#endif
