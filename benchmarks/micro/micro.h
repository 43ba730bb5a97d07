/* micro.h -- what the files of the micro-benchmarks share.
 *
 * Kernels (generate.sh) leave a record for each thread: the clock before and after, the SM, the warp slot, a
 * value. Cycles are those of %clock: shader cycles. Figures go into a list that is printed in the end, each
 * beside the published one of the same name (published.csv). */
#ifndef MICRO_H
#define MICRO_H

#include <stdbool.h>
#include "bench.h"

enum {
	WARP = 32,
	LINKS = 135,
	AHEAD = 8,
	TIMED = LINKS - AHEAD, /* of a dependent chain */
	LENGTH = 512,
	CHAINS = 8,     /* of a throughput sequence */
	ACCESSES = 256, /* of a sequence of loads or swaps */
	DATA_BYTES = 4 << 20,
};

struct record {
	uint32_t start, stop, sm, warp;
	uint64_t value;
};

/* One launch. Operands are the bits of an integer or of a float. */
struct shape {
	unsigned ctas; /* for each SM, or as many as fit; 0: one CTA in all */
	unsigned threads;
	unsigned repeats;
	uint32_t x, y;
};

struct micro {
	CUdevice device;
	CUcontext context;
	CUmodule module; /* of the topic that runs */
	CUevent begin, end;
	CUdeviceptr data, out;
	unsigned sms, threads_per_sm;
	double mhz;     /* shader clock */
	int capability; /* 90: compute capability 9.0 */

	struct record *records;
	size_t capacity, count;
	double cycles; /* from the first start to the last stop on an SM, mean over the SMs used */
	double rate;   /* threads a cycle and SM that went through the sequence once */
	double ms;     /* the launch by events */

	size_t figures, checks;
	char failure[256]; /* the first complaint; empty: none */
};

/* -- topics.c -- */

/* What is measured together, by the kernels of one PTX file. */
struct topic {
	const char *name, *about, *ptx;
	void (*run)(struct micro *m);
	int needs; /* compute capability, 80: 8.0 (0: any); below it the topic runs only if it is named */
};

/* A program that measures by topics; published figures are those of benchmarks/NAME/published.csv. */
struct topics {
	const char *name, *help;
	const struct topic *topic;
	size_t count;
	void (*begin)(struct micro *m, bool csv); /* before the report; NULL: nothing */
};

/* Returns the exit status. */
int topics_main(const struct topics *p, int argc, char **argv);

/* -- measure.c -- */

/* Runs kernel PREFIX NAME; fills records, cycles, rate and ms. Records of threads that left early are left
 * out. */
void micro_run(struct micro *m, const char *prefix, const char *name, const struct shape *shape);
/* Cycles that thread 0 saw. */
double micro_first(const struct micro *m);
/* Every record must have the value; or be within a relative tolerance of it, read as float. */
void micro_expect(struct micro *m, const char *what, uint64_t value);
void micro_expect_near(struct micro *m, const char *what, float value, float tolerance);
uint32_t float_bits(float value);
uint64_t double_bits(double value);

/* -- report.c -- */

void report_begin(const char *published, bool csv);
/* format makes the name. */
__attribute__((format(printf, 4, 5))) void report(
	struct micro *m, double value, const char *unit, const char *format, ...);
void report_topic(const char *name, const char *about);

/* one for each topic */
void topic_latency(struct micro *m);
void topic_throughput(struct micro *m);
void topic_issue(struct micro *m);
void topic_banks(struct micro *m);
void topic_occupancy(struct micro *m);
void topic_shared(struct micro *m);
void topic_constant(struct micro *m);
void topic_l1(struct micro *m);
void topic_barrier(struct micro *m);
void topic_divergence(struct micro *m);
void topic_control(struct micro *m);
void topic_lanes(struct micro *m);

#endif
