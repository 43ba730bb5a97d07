/* tests/ptx/math/math.c -- the functions of functions.def on the device against the host's in higher
 * precision: the error in units in the last place may not exceed what the CUDA manual states. */
#include "cuda.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096, BLOCK = 128 };

/* The functions at long double precision: sinf of a float is compared with sinl. */
#define exp10l(x) powl(10, x)
#define F1(name, bound, low, high)
#define F2(name, bound, low, high)
#define D1(name, bound, low, high) \
	static long double r_##name(long double a, long double b) \
	{ \
		return name##l(a); \
	}
#define D2(name, bound, low, high) \
	static long double r_##name(long double a, long double b) \
	{ \
		return name##l(a, b); \
	}
#include "functions.def"
#undef F1
#undef F2
#undef D1
#undef D2
/* Floats: sinf is compared with sinl too. */
#define F1(name, bound, low, high) static long double r_##name(long double a, long double b);
#define F2(name, bound, low, high) static long double r_##name(long double a, long double b);
#define D1(name, bound, low, high)
#define D2(name, bound, low, high)
#include "functions.def"
#undef F1
#undef F2
#undef D1
#undef D2
#define SINGLE1(name) \
	static long double r_##name##f(long double a, long double b) \
	{ \
		return name##l(a); \
	}
#define SINGLE2(name) \
	static long double r_##name##f(long double a, long double b) \
	{ \
		return name##l(a, b); \
	}
/* clang-format off */
SINGLE1(sin)
SINGLE1(cos)
SINGLE1(tan)
SINGLE1(exp)
SINGLE1(exp2)
SINGLE1(exp10)
SINGLE1(expm1)
SINGLE1(log)
SINGLE1(log2)
SINGLE1(log10)
SINGLE1(log1p)
SINGLE1(cbrt)
SINGLE1(asin)
SINGLE1(acos)
SINGLE1(atan)
SINGLE1(sinh)
SINGLE1(cosh)
SINGLE1(tanh)
SINGLE1(asinh)
SINGLE1(acosh)
SINGLE1(atanh)
SINGLE1(erf)
SINGLE1(erfc)
SINGLE1(tgamma)
SINGLE1(lgamma)
SINGLE2(pow)
SINGLE2(atan2)
SINGLE2(hypot)
SINGLE2(fmod)
SINGLE2(remainder)
/* clang-format on */

static const struct function {
	const char *name;
	bool wide;
	double bound, low, high;
	long double (*reference)(long double a, long double b);
} functions[] = {
#define F1(name, bound, low, high) { "k_" #name, false, bound, low, high, r_##name },
#define F2(name, bound, low, high) { "k_" #name, false, bound, low, high, r_##name },
#define D1(name, bound, low, high) { "k_" #name, true, bound, low, high, r_##name },
#define D2(name, bound, low, high) { "k_" #name, true, bound, low, high, r_##name },
#include "functions.def"
};

static void must(CUresult result, const char *what)
{
	const char *name = "?";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "math: %s: %s\n", what, name);
	exit(2);
}

static uint64_t state = 12345;

static double draw(void)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (double)(state >> 11) * 0x1p-53;
}

/* Evenly over the range, or, where it spans many powers of ten, evenly over those. */
static double argument(const struct function *f)
{
	if (f->low > 0 && f->high / f->low > 1e6)
		return f->low * pow(f->high / f->low, draw());
	return f->low + (f->high - f->low) * draw();
}

static double ulps(const struct function *f, double got, long double want)
{
	double nearest = f->wide ? (double)want : (double)(float)want, ulp;

	if (isnan(want) || isnan(got) || isinf(nearest))
		return (isnan(want) && isnan(got)) || got == nearest ? 0 : INFINITY;
	ulp = f->wide ? nextafter(fabs(nearest), INFINITY) - fabs(nearest)
		      : (double)nextafterf(fabsf((float)nearest), INFINITY) - fabs(nearest);
	return (double)(fabsl(got - want) / ulp);
}

static bool check(CUmodule module, const struct function *f)
{
	static double a[COUNT], b[COUNT], out[COUNT];
	static float single[COUNT];
	size_t bytes = COUNT * (f->wide ? sizeof(double) : sizeof(float));
	CUdeviceptr d[3];
	CUfunction kernel;
	int n = COUNT;
	double worst = 0;
	int at = 0;

	must(cuModuleGetFunction(&kernel, module, f->name), f->name);
	for (int i = 0; i < COUNT; i++) {
		a[i] = f->wide ? argument(f) : (float)argument(f);
		b[i] = f->wide ? argument(f) : (float)argument(f);
	}
	for (int k = 0; k < 3; k++) {
		const double *from = k ? b : a;

		must(cuMemAlloc(&d[k], bytes), "cuMemAlloc");
		for (int i = 0; i < COUNT; i++)
			single[i] = (float)from[i];
		if (k < 2)
			must(cuMemcpyHtoD(d[k], f->wide ? (const void *)from : single, bytes),
				"cuMemcpyHtoD");
	}
	must(cuLaunchKernel(kernel, COUNT / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL,
		     (void *[]){ &d[0], &d[1], &d[2], &n }, NULL),
		"cuLaunchKernel");
	must(cuMemcpyDtoH(f->wide ? (void *)out : single, d[2], bytes), "cuMemcpyDtoH");
	for (int i = 0; i < COUNT; i++) {
		double got = f->wide ? out[i] : (double)single[i],
		       off = ulps(f, got, f->reference(a[i], b[i]));

		if (!(off <= worst)) {
			worst = off;
			at = i;
		}
	}
	for (int k = 0; k < 3; k++)
		cuMemFree(d[k]);
	/* the manual rounds its bounds to whole units; half a unit is what a right rounding alone may cost */
	if (worst <= f->bound + 0.5)
		return true;
	printf("%s: %.3g units in the last place at (%.17g, %.17g), the manual says %g\n", f->name + 2, worst,
		a[at], b[at], f->bound);
	return false;
}

int main(int argc, char **argv)
{
	size_t count = sizeof(functions) / sizeof(*functions), wrong = 0;
	CUdevice device;
	CUcontext context;
	CUmodule module;

	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuCtxCreate(&context, 0, device), "cuCtxCreate");
	must(cuModuleLoad(&module, argc > 1 ? argv[1] : "math.ptx"), "cuModuleLoad");
	for (size_t i = 0; i < count; i++)
		wrong += !check(module, &functions[i]);
	printf("%zu functions at %d points, %zu wrong\n", count, COUNT, wrong);
	must(cuCtxDestroy(context), "cuCtxDestroy");
	return wrong != 0;
}
