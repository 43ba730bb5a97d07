/* swiglu -- host side: gated activations and their derivatives. */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "SwiGLU of fp16, gate * sigmoid(gate) * up, and its derivatives.",
	.source = "GLU variants (Shazeer, 2020); columns of LLaMA 7B (Touvron et al., 2023)",
	.tags = "ai",
	.sizes = ELEMENTS_SIZES(11008),
	.repro = ELEMENTS_REPRO,
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t n = elements_count(b);
	struct ai_array gate = ai_activations(b, AI_F16, n), up = ai_activations(b, AI_F16, n),
			d = ai_activations(b, AI_F16, n);
	CUdeviceptr out = ai_room_16(b, n), d_gate = ai_room_16(b, n), d_up = ai_room_16(b, n);
	float *want[3] = { bench_floats(b, n), bench_floats(b, n), bench_floats(b, n) };

	elements_launch(b, "swiglu", n / 2, ARGS(&gate.at, &up.at, &out, INT(n / 2)));
	elements_launch(
		b, "swiglu_backward", n / 2, ARGS(&gate.at, &up.at, &d.at, &d_gate, &d_up, INT(n / 2)));
	for (size_t i = 0; i < n; i++) {
		double g = (double)gate.value[i], u = (double)up.value[i], by = (double)d.value[i];
		double s = 1 / (1 + exp(-g));

		want[0][i] = (float)(g * s * u);
		want[1][i] = (float)(by * u * s * (1 + g * (1 - s)));
		want[2][i] = (float)(by * g * s);
	}
	/* rounded to f16; ex2.approx and the divisions add less than a tenth of that */
	ai_near_16(b, AI_F16, "element of the output", out, want[0], n, 1.1 / 2048, 0x1p-13);
	ai_near_16(b, AI_F16, "derivative by the gate", d_gate, want[1], n, 1.1 / 2048, 0x1p-10);
	ai_near_16(b, AI_F16, "derivative by the other", d_up, want[2], n, 1.1 / 2048, 0x1p-13);
}
