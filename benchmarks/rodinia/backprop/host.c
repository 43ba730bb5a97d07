/* backprop -- host side: one training step, forward and back, of a network with one output.
 *
 * The device has the layer between the inputs and 16 hidden units; the host adds up what the CTAs made of it,
 * and does the other layer, of 17 weights, and the errors. Checked for equality, the tiles that the forward
 * kernel leaves over the weights, too: the reference adds the products of 16 inputs as the CTA's tree does.
 */
#include "variant.h"
#include "backprop/backprop.h"

enum { HIDDEN = 16, ROWS = 16 /* of a CTA */ };

struct net {
	size_t inputs;
	float *input;           /* 1 + inputs, the first 1.0 */
	float *weight, *change; /* (1 + inputs) rows of BACKPROP_STRIDE */
	float hidden_weight[1 + HIDDEN];
};

static size_t weights(const struct net *net)
{
	return (net->inputs + 1) * BACKPROP_STRIDE;
}

static void net_init(struct net *net, struct bench *b)
{
	net->inputs = b->size[0];
	net->input = bench_host(b, net->inputs + 1, sizeof *net->input);
	net->weight = bench_host(b, weights(net), sizeof *net->weight);
	net->change = bench_host(b, weights(net), sizeof *net->change);
	bench_fill_f32(net->input, net->inputs + 1, &b->seed);
	net->input[0] = 1.0f;
	for (size_t i = 0; i < weights(net); i++) { /* few saturate: sums of many terms stay near 0 */
		net->weight[i] = (bench_random_f32(&b->seed) - 0.5f) / 64.0f;
		net->change[i] = (bench_random_f32(&b->seed) - 0.5f) / 1024.0f;
	}
	bench_fill_f32(net->hidden_weight, 1 + HIDDEN, &b->seed);
}

/* The sum of `count` products (a power of two) from input i on, for hidden unit j, halves first. */
static float tree(const struct net *net, size_t i, size_t j, size_t count)
{
	if (count == 1)
		return net->weight[i * BACKPROP_STRIDE + j] * net->input[i];
	return tree(net, i, j, count / 2) + tree(net, i + count / 2, j, count / 2);
}

/* What the forward kernel makes of the weights: row r of a tile keeps the sum of as many rows as r's last
 * bits are zero, row 0 that of all; and the CTAs' sums. */
static void forward_reference(const struct net *net, float *weight, float *partial)
{
	memcpy(weight, net->weight, weights(net) * sizeof *weight);
	for (size_t i = 0; i < net->inputs; i++) {
		size_t r = i % ROWS, count = r ? r & -r : ROWS;
		for (size_t j = 1; j <= HIDDEN; j++) {
			float sum = tree(net, 1 + i, j, count);
			weight[(1 + i) * BACKPROP_STRIDE + j] = sum;
			if (r == 0)
				partial[i / ROWS * HIDDEN + j - 1] = sum;
		}
	}
}

static float squash(float x)
{
	return 1.0f / (1.0f + expf(-x));
}

/* The errors of the hidden units, delta[1 .. HIDDEN], from the CTAs' sums. */
static void hidden_errors(const struct net *net, const float *partial, float *delta)
{
	float hidden[1 + HIDDEN] = { 1.0f }, sum = net->hidden_weight[0], out, error;
	const float target = 0.1f;

	for (size_t j = 1; j <= HIDDEN; j++) {
		hidden[j] = net->weight[j];
		for (size_t cta = 0; cta < net->inputs / ROWS; cta++)
			hidden[j] += partial[cta * HIDDEN + j - 1];
		hidden[j] = squash(hidden[j]);
		sum += hidden[j] * net->hidden_weight[j];
	}
	out = squash(sum);
	error = out * (1.0f - out) * (target - out);
	for (size_t j = 1; j <= HIDDEN; j++)
		delta[j] = hidden[j] * (1.0f - hidden[j]) * net->hidden_weight[j] * error;
}

/* Rounded as in the kernel: of the products, that with the input is fused into the sum. */
static void adjust_reference(const struct net *net, const float *delta, float *weight, float *change)
{
	for (size_t i = 0; i <= net->inputs; i++) {
		weight[i * BACKPROP_STRIDE] = net->weight[i * BACKPROP_STRIDE];
		change[i * BACKPROP_STRIDE] = net->change[i * BACKPROP_STRIDE];
		for (size_t j = 1; j <= HIDDEN; j++) {
			size_t at = i * BACKPROP_STRIDE + j;
			float last = BACKPROP_MOMENTUM * net->change[at];
			change[at] = i ? fmaf(BACKPROP_RATE * delta[j], net->input[i], last)
				       : fmaf(delta[j], BACKPROP_RATE, last);
			weight[at] = net->weight[at] + change[at];
		}
	}
}

const struct bench_program bench_program = {
	.help = "Trains a neural network for one step: many inputs, 16 hidden units, one output.",
	.source = "Rodinia backprop (Che et al., IISWC 2009); MRPB, Table 3: 65536 nodes",
	.tags = VARIANT_TAGS("mrpb dwtcs friendly medic"),
	.sizes = { { "inputs", "input units", { 1008, 16384, 65536, 65536 }, 65535 * ROWS, ROWS, ROWS } },
	.repro = "the paper's",
};

/* On the device. */
struct memory {
	CUdeviceptr input, weight, change, scratch;
};

/* The forward kernel, its results compared; the CTAs' sums go to sum[]. */
static void forward(struct bench *b, const struct net *net, struct memory *d, float *sum)
{
	size_t n = weights(net), sums = net->inputs / ROWS * HIDDEN;
	unsigned ctas = (unsigned)(net->inputs / ROWS);
	float *tiles_want = bench_floats(b, n), *sum_want = bench_floats(b, sums);
	CUdeviceptr dsum = bench_device(b, sums, sizeof *sum);

	bench_start(b);
	bench_launch(b, "backprop_forward", DIM(1, ctas), DIM(HIDDEN, ROWS),
		ARGS(&d->input, &d->weight, &dsum, &d->scratch));
	bench_stop(b);
	forward_reference(net, tiles_want, sum_want);
	BENCH_READ(sum, dsum, sums);
	bench_expect_f32(b, "sum", sum, sum_want, sums);
	bench_verify_f32(b, "tile, weight", d->weight, tiles_want, n);
}

/* The adjusting kernel, its results compared. */
static void adjust(struct bench *b, const struct net *net, struct memory *d, const float *delta)
{
	size_t n = weights(net);
	unsigned ctas = (unsigned)(net->inputs / ROWS);
	float *weight_want = bench_floats(b, n), *change_want = bench_floats(b, n);
	CUdeviceptr ddelta = BENCH_COPY(b, delta, 1 + HIDDEN);

	CHECK(cuMemcpyHtoD(d->weight, net->weight, n * sizeof *net->weight));
	bench_start(b);
	bench_launch(b, "backprop_adjust", DIM(1, ctas), DIM(HIDDEN, ROWS),
		ARGS(&ddelta, &d->input, &d->weight, &d->change));
	bench_stop(b);
	adjust_reference(net, delta, weight_want, change_want);
	bench_verify_f32(b, "weight", d->weight, weight_want, n);
	bench_verify_f32(b, "change", d->change, change_want, n);
}

void bench_run(struct bench *b)
{
	struct net net;
	float delta[1 + HIDDEN] = { 0 };

	net_init(&net, b);
	bench_work(b, "%zu inputs", net.inputs);

	float *sum = bench_floats(b, net.inputs / ROWS * HIDDEN);
	struct memory d = { 0 };
	d.input = BENCH_COPY(b, net.input, net.inputs + 1);
	d.weight = BENCH_COPY(b, net.weight, weights(&net));
	d.change = BENCH_COPY(b, net.change, weights(&net));
	d.scratch = variant_scratch(b, net.inputs / ROWS, BACKPROP_SCRATCH * sizeof(float));

	forward(b, &net, &d, sum);
	hidden_errors(&net, sum, delta);
	adjust(b, &net, &d, delta);
}
