/* model.h -- the particle filter's arithmetic, the same on the device and on the host to the last bit: random
 * numbers, noise, the exponential. It uses no library function that differs between the two. */
#ifndef PARTICLEFILTER_MODEL_H
#define PARTICLEFILTER_MODEL_H

#ifndef MODEL
#define MODEL static inline
#endif

/* What a pixel says for the disk, squares of differences in brightness, is divided by this: weights stay
 * floats. */
#define BRIGHTNESS 200.0f

/* In [0, 1), a multiple of 2^-23; a linear congruential generator for each particle. */
MODEL float uniform(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return (float)(*state >> 9) * (1.0f / 8388608);
}

/* Nearly normal, mean 0, variance 1: four uniform numbers less their mean, by their deviation sqrt(1/3). */
MODEL float noise(unsigned *state)
{
	float sum = uniform(state);

	sum += uniform(state);
	sum += uniform(state);
	sum += uniform(state);
	return (sum - 2.0f) * 1.7320508f;
}

/* e^x within 2^-20 of it, for x from -80 to 80; else as at these. x = n ln 2 + r, |r| <= ln 2 / 2, and a
 * Taylor series in r: 2^n times it, n put into the exponent. */
MODEL float exponential(float x)
{
	union {
		int bits;
		float value;
	} power;
	float limited = x < -80.0f ? -80.0f : x > 80.0f ? 80.0f : x;
	int n = (int)fmaf(limited, 1.442695f, limited < 0.0f ? -0.5f : 0.5f);
	float r = fmaf((float)n, -1.4286068e-6f, fmaf((float)n, -0.69314575f, limited));
	float sum = fmaf(r, 1.0f / 5040, 1.0f / 720);

	sum = fmaf(sum, r, 1.0f / 120);
	sum = fmaf(sum, r, 1.0f / 24);
	sum = fmaf(sum, r, 1.0f / 6);
	sum = fmaf(sum, r, 0.5f);
	sum = fmaf(sum, r, 1.0f);
	sum = fmaf(sum, r, 1.0f);
	power.bits = (n + 127) << 23;
	return sum * power.value;
}

#endif
