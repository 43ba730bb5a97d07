/* validate.h -- what the files of the validation share. Figures and their report are those of the
 * micro-benchmarks. */
#ifndef VALIDATE_H
#define VALIDATE_H

#include "micro.h"

/* Milliseconds by events. */
double launch_ms(struct micro *m, const char *kernel, unsigned ctas, unsigned threads, void **args);
/* Counts a value as checked, and complains, once in a run, if it was wrong. */
__attribute__((format(printf, 3, 4))) void expect(struct micro *m, bool right, const char *format, ...);

/* one for each topic */
void topic_latency(struct micro *m);
void topic_sweep(struct micro *m);
void topic_peaks(struct micro *m);
void topic_memory(struct micro *m);
void topic_shared_memory(struct micro *m);
void topic_rows(struct micro *m);
void topic_hotspot(struct micro *m);
void topic_backprop(struct micro *m);
void topic_copies(struct micro *m);
void topic_rings(struct micro *m);
void topic_kinds(struct micro *m);
void topic_products(struct micro *m);
void topic_clusters(struct micro *m);
void topic_barriers(struct micro *m);
void topic_device(struct micro *m);
void topic_rings_l1(struct micro *m);
void topic_rings_l2(struct micro *m);
void topic_slices(struct micro *m);

#endif
