/* nn -- host side: generated digits and weights through four layers, a launch each.
 *
 * Each layer is checked by itself, from what the device has in the layer before. The sums x are exact, in the
 * kernels' order, with fma. The activation 1.7159 tanh(2 x / 3) is computed as 1.7159 (1 - 2 / (E + 1)),
 * where E is exp(y) and y is 4 x / 3. With u = 2^-24:
 *
 * - E's exponent comes from four roundings, two of them in constants, and ex2.approx adds 2 ulp (PTX ISA),
 *   at most 4 u. So E is off by at most 4 u (|y| + 1) relative, of which tanh(y / 2) feels the part
 *   1 / (2 cosh^2(y / 2)): less than 4 u (0.45 + 0.5) = 3.8 u.
 * - The roundings of E + 1 and of the division add at most 2 u each, as 2 / (E + 1) is below 2, and that of
 *   the difference u: 8.8 u in all.
 * - The factor makes this 15.1 u, and adds at most 1.7159 * 2 u; the reference's own rounding 1.7159 u.
 *
 * That is less than 32 u = 2^-19. */
#include "bench.h"
#include "layers.h"

#define TOLERANCE 0x1p-19

enum { LAYERS = 4 };

/* A layer, for all digits. */
struct layer {
	const char *kernel, *neuron;
	size_t maps, neurons, inputs; /* neurons of one map; weights of a map without the bias */
	float *value, *weight;        /* value: as the device has it */
	CUdeviceptr dvalue, dweight;
};

/* Where, among the values of the layer before that belong to a digit, the input is that weight i goes with.
 */
static size_t input_index(size_t layer, size_t neuron, size_t i)
{
	size_t side = layer == 1 ? SIDE1 : SIDE2, before = layer == 1 ? INPUT : SIDE1,
	       maps = layer == 1 ? 1 : MAPS1;
	size_t x = neuron % side, y = neuron / side, map = i % maps, place = i / maps;

	if (layer > 2)
		return i;
	return (map * before + 2 * y + place / WINDOW) * before + 2 * x + place % WINDOW;
}

static void reference(float *want, const struct layer *l, size_t layer, size_t digits)
{
	const struct layer *before = l - 1;
	size_t inputs = before->maps * before->neurons;

	for (size_t digit = 0; digit < digits; digit++)
		for (size_t map = 0; map < l->maps; map++)
			for (size_t n = 0; n < l->neurons; n++) {
				const float *weight = l->weight + map * (1 + l->inputs);
				const float *in = before->value + digit * inputs;
				float sum = weight[0];
				for (size_t i = 0; i < l->inputs; i++)
					sum = fmaf(in[input_index(layer, n, i)], weight[1 + i], sum);
				*want++ = (float)(1.7159 * tanh((double)sum * 2.0 / 3.0));
			}
}

/* Weights are small enough that the sums seldom drive the activation to its limits. */
static void fill(struct bench *b, struct layer *l, size_t digits)
{
	size_t values = digits * l->maps * l->neurons, weights = l->maps * (1 + l->inputs);

	l->value = bench_host(b, values, sizeof *l->value);
	l->dvalue = bench_device(b, values, sizeof *l->value);
	l->weight = bench_host(b, weights, sizeof *l->weight);
	for (size_t i = 0; i < weights; i++)
		l->weight[i] = (bench_random_f32(&b->seed) - 0.5f) * 4.0f / sqrtf((float)l->inputs);
	l->dweight = BENCH_COPY(b, l->weight, weights);
}

/* The kernels of the convolutions know their windows, and have no use for the last argument. */
static void launch(const struct bench *b, struct layer *l, size_t layer, size_t digits)
{
	unsigned side = layer == 1 ? SIDE1 : layer == 2 ? SIDE2 : 1;

	bench_launch(b, l->kernel, DIM(l->maps, digits), DIM(side, side),
		ARGS(&l->dvalue, &l[-1].dvalue, &l->dweight, INT(l->inputs)));
}

const struct bench_program bench_program = {
	.help = "Recognises handwritten digits with a convolution network.",
	.source = "NN of the GPGPU-Sim set (Bakhoda et al., ISPASS 2009; its layers, 28 digits); DWT-CS "
		  "Table 2",
	.tags = "dwtcs friendly",
	.sizes = { { "digits", "images of 29x29", { 2, 4, 28, 28 }, 65535 },
		{ "maps", "of the second layer", { 12, 50, 50, 50 }, 4096 },
		{ "neurons", "of the third layer", { 20, 100, 100, 100 }, 65535 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t digits = b->size[0], maps = b->size[1], neurons = b->size[2];
	bench_work(b, "%zu digits, layers of 6x13x13, %zux5x5, %zu, 10", digits, maps, neurons);

	struct layer l[1 + LAYERS] = {
		{ .maps = 1, .neurons = INPUT * INPUT },
		{ .kernel = "layer1",
			.neuron = "neuron of layer 1",
			.maps = MAPS1,
			.neurons = SIDE1 * SIDE1,
			.inputs = WINDOW * WINDOW },
		{ .kernel = "layer2",
			.neuron = "neuron of layer 2",
			.maps = maps,
			.neurons = SIDE2 * SIDE2,
			.inputs = WINDOW * WINDOW * MAPS1 },
		{ .kernel = "layer3",
			.neuron = "neuron of layer 3",
			.maps = neurons,
			.neurons = 1,
			.inputs = maps * SIDE2 * SIDE2 },
		{ .kernel = "layer4",
			.neuron = "neuron of layer 4",
			.maps = OUTPUT,
			.neurons = 1,
			.inputs = neurons },
	};
	l[0].value = bench_random_floats(b, digits * INPUT * INPUT);
	l[0].dvalue = BENCH_COPY(b, l[0].value, digits * INPUT * INPUT);
	for (size_t i = 1; i <= LAYERS; i++)
		fill(b, &l[i], digits);

	bench_start(b);
	for (size_t i = 1; i <= LAYERS; i++)
		launch(b, &l[i], i, digits);
	bench_stop(b);
	for (size_t i = 1; i <= LAYERS; i++) {
		size_t values = digits * l[i].maps * l[i].neurons;
		float *want = bench_floats(b, values);
		BENCH_READ(l[i].value, l[i].dvalue, values);
		reference(want, &l[i], i, digits);
		bench_near_f32(b, l[i].neuron, l[i].value, want, values, TOLERANCE, 1.0);
	}
}
