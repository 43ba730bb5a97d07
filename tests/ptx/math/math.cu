/* tests/ptx/math/math.cu -- functions of the CUDA math library as the compiler emits them: math.ptx is made from it by run.sh:
 *	nvcc -ptx -arch=sm_75 math.cu (not shipped: much of it is the compiler's own library)
 * A function is a line of functions.def. */
#define F1(name, bound, low, high) \
	extern "C" __global__ void k_##name(const float *a, const float *b, float *out, int n) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < n) \
			out[i] = name(a[i]); \
	}
#define F2(name, bound, low, high) \
	extern "C" __global__ void k_##name(const float *a, const float *b, float *out, int n) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < n) \
			out[i] = name(a[i], b[i]); \
	}
#define D1(name, bound, low, high) \
	extern "C" __global__ void k_##name(const double *a, const double *b, double *out, int n) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < n) \
			out[i] = name(a[i]); \
	}
#define D2(name, bound, low, high) \
	extern "C" __global__ void k_##name(const double *a, const double *b, double *out, int n) \
	{ \
		int i = blockIdx.x * blockDim.x + threadIdx.x; \
		if (i < n) \
			out[i] = name(a[i], b[i]); \
	}
#include "functions.def"
