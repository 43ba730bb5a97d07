/* state.h -- input of the programs of state-space models. Rates are negative, so that states decay. */
#ifndef AI_STATE_H
#define AI_STATE_H

#include "ai.h"

enum { STATES = 16 };

/* For so many positions of all sequences. */
struct state_model {
	float *x, *delta, *a, *b, *c, *skip;
	CUdeviceptr at_x, at_delta, at_a, at_b, at_c, at_skip;
};

static inline struct state_model state_input(struct bench *b, size_t positions, size_t channels)
{
	size_t n = positions * channels, m = channels * STATES;
	struct state_model s = { .x = ai_multiples(b, n, 128, 1.0f / 64),
		.delta = bench_random_floats(b, n) };

	s.a = bench_random_floats(b, m);
	for (size_t i = 0; i < m; i++)
		s.a[i] = -(float)(i % STATES + 1) * (0.5f + s.a[i]) / 8;
	s.b = ai_multiples(b, positions * STATES, 64, 1.0f / 64);
	s.c = ai_multiples(b, positions * STATES, 64, 1.0f / 64);
	s.skip = ai_multiples(b, channels, 64, 1.0f / 64);
	s.at_x = BENCH_COPY(b, s.x, n);
	s.at_delta = BENCH_COPY(b, s.delta, n);
	s.at_a = BENCH_COPY(b, s.a, m);
	s.at_b = BENCH_COPY(b, s.b, positions * STATES);
	s.at_c = BENCH_COPY(b, s.c, positions * STATES);
	s.at_skip = BENCH_COPY(b, s.skip, channels);
	return s;
}

/* One step of one channel: its output. */
static inline double state_step(
	const struct state_model *s, double *h, size_t position, size_t channel, size_t channels)
{
	size_t at = position * channels + channel;
	double out = (double)(s->x[at] * s->skip[channel]);

	for (size_t i = 0; i < STATES; i++) {
		double d = (double)s->delta[at];

		h[i] = exp(d * (double)s->a[channel * STATES + i]) * h[i] +
			d * (double)s->b[position * STATES + i] * (double)s->x[at];
		out += (double)s->c[position * STATES + i] * h[i];
	}
	return out;
}

#endif
