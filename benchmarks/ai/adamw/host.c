/* adamw -- host side: steps of the optimiser; compared exactly. */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "Steps of AdamW over all parameters, fp32.",
	.source = "AdamW (Loshchilov and Hutter, ICLR 2019)",
	.tags = "ai",
	.sizes = { { "parameters", "parameters", { 5003, 1 << 18, 1 << 23, 1 << 26 }, 1 << 28 },
		{ "steps", "steps", { 2, 2, 1, 1 }, 100 } },
	.repro = "parameters are more than most L2s hold; steps: each does the same",
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

struct model {
	float *value, *gradient, *first, *second;
};

static void reference_step(const struct model *m, size_t count, float rate, float decay, const float *correct)
{
	const float beta1 = 0.9f, beta2 = 0.999f;

	for (size_t i = 0; i < count; i++) {
		float g = m->gradient[i], by;

		m->first[i] = fmaf(beta1, m->first[i], (1 - beta1) * g);
		m->second[i] = fmaf(beta2, m->second[i], (1 - beta2) * g * g);
		by = sqrtf(m->second[i] * correct[1]) + 1e-8f;
		m->value[i] =
			fmaf(-rate, fmaf(decay, m->value[i], m->first[i] * correct[0] / by), m->value[i]);
	}
}

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	struct model m = { ai_multiples(b, n, 128, 1.0f / 64), ai_multiples(b, n, 128, 1.0f / 1024),
		bench_floats(b, n), bench_floats(b, n) };
	CUdeviceptr value = BENCH_COPY(b, m.value, n), gradient = BENCH_COPY(b, m.gradient, n),
		    first = bench_device_words(b, n, 0), second = bench_device_words(b, n, 0);

	bench_work(b, "%zu parameters, %zu steps", n, b->size[1]);
	for (size_t step = 1; step <= b->size[1]; step++) {
		float correct[2] = { (float)(1 / (1 - pow(0.9, (double)step))),
			(float)(1 / (1 - pow(0.999, (double)step))) };

		elements_launch(b, "adamw", n,
			ARGS(&value, &gradient, &first, &second, FLOAT(1e-3f), FLOAT(0.01f), &correct[0],
				&correct[1], INT(n)));
		reference_step(&m, n, 1e-3f, 0.01f, correct);
	}
	bench_verify_f32(b, "parameter", value, m.value, n);
	bench_verify_f32(b, "first moment", first, m.first, n);
	bench_verify_f32(b, "second moment", second, m.second, n);
}
