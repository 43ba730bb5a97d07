/* tests/host/memory/texture.c TEXTURE.PTX TEXREF.PTX SAMPLER.PTX [fetch|store] -- textures and surfaces
 * through the driver API, whole kernels: the expected values come from a reference of its own (expected_*),
 * written from the formulas of the CUDA C Programming Guide. A fourth argument ends in a device fault. */
#include <cuda.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;

static void expect(CUresult got, CUresult want, const char *what, int line)
{
	const char *name = "?", *wanted = "?";

	checks++;
	if (got == want)
		return;
	cuGetErrorName(got, &name);
	cuGetErrorName(want, &wanted);
	fprintf(stderr, "texture.c:%d: %s gave %s, not %s\n", line, what, name, wanted);
	failures++;
}
#define OK(call)         expect((call), CUDA_SUCCESS, #call, __LINE__)
#define FAILS(call, why) expect((call), CUDA_ERROR_##why, #call, __LINE__)

static void check(int is_true, const char *what, int line)
{
	checks++;
	if (is_true)
		return;
	fprintf(stderr, "texture.c:%d: not true: %s\n", line, what);
	failures++;
}
#define TRUE(condition) check((condition), #condition, __LINE__)

#define POINTS 64
static CUmodule objects, references;
static CUdeviceptr d_x, d_y, d_z, d_out;
static float x[POINTS], y[POINTS], z[POINTS];
static union {
	float f[POINTS][4];
	unsigned u[POINTS][4];
	int i[POINTS][4];
} out;

/* -- running a kernel of texture.cu over the points -- */

static void fetch(const char *kernel, CUtexObject texture)
{
	int n = POINTS;
	void *arguments[] = { &d_out, &d_x, &d_y, &d_z, &texture, &n };
	CUfunction f;

	OK(cuMemcpyHtoD(d_x, x, sizeof x));
	OK(cuMemcpyHtoD(d_y, y, sizeof y));
	OK(cuMemcpyHtoD(d_z, z, sizeof z));
	OK(cuModuleGetFunction(&f, objects, kernel));
	OK(cuLaunchKernel(f, POINTS / 32, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(&out, d_out, sizeof out));
}

/* Points on a grid that crosses the borders, in steps that are no multiples of texels. */
static void spread(double from, double to)
{
	for (int i = 0; i < POINTS; i++) {
		x[i] = (float)(from + (to - from) * i / (POINTS - 1));
		y[i] = (float)(from + (to - from) * (i * 29 % POINTS) / (POINTS - 1));
		z[i] = (float)(from + (to - from) * (i * 13 % POINTS) / (POINTS - 1));
	}
}

/* -- the reference -- */

static int width, height, depth, channels;
static float texels[8192]; /* as a fetch sees them, after promotion */
static int is_linear, is_normalized;
static CUaddress_mode mode;

static double component(long i, long j, long k, int c)
{
	if (c >= channels)
		return 0;
	return texels[((k * height + j) * width + i) * channels + c];
}

/* One dimension by the guide: the coordinate in texels, after the address mode. */
static double expected_coordinate(double v, int size)
{
	if (!is_normalized)
		return v;
	if (mode == CU_TR_ADDRESS_MODE_WRAP)
		v -= floor(v);
	else if (mode == CU_TR_ADDRESS_MODE_MIRROR)
		v = fmod(fabs(floor(v)), 2) == 1 ? 1 - (v - floor(v)) : v - floor(v);
	return (float)v * (float)size;
}

static int expected_index(long i, int size)
{
	if (i >= 0 && i < size)
		return (int)i;
	if (mode == CU_TR_ADDRESS_MODE_BORDER)
		return -1;
	if (mode == CU_TR_ADDRESS_MODE_WRAP && is_normalized)
		return (int)((i % size + size) % size);
	return i < 0 ? 0 : size - 1;
}

static double expected_tap(long i, long j, long k, int c)
{
	int a = expected_index(i, width), b = expected_index(j, height), d = expected_index(k, depth);

	if (a < 0 || b < 0 || d < 0)
		return c < channels ? 0.25 * (c + 1) : 0; /* the border's colour */
	return component(a, b, d, c);
}

static double expected(int dims, const float at[3], int c)
{
	double p[3] = { 0 }, sum = 0;
	int size[3] = { width, height, depth };
	long i[3] = { 0 };
	int w[3] = { 0 };

	for (int n = 0; n < dims; n++) {
		p[n] = expected_coordinate(at[n], size[n]) - (is_linear ? 0.5 : 0);
		i[n] = (long)floor(p[n]);
		w[n] = is_linear ? (int)floor((p[n] - (double)i[n]) * 256 + 0.5) : 0;
	}
	for (int corner = 0; corner < 8; corner++) {
		int a = corner & 1, b = corner >> 1 & 1, d = corner >> 2;
		double weight = (a ? w[0] : 256 - w[0]) / 256.0 * (b ? w[1] : 256 - w[1]) / 256.0 *
			(d ? w[2] : 256 - w[2]) / 256.0;
		if (weight != 0)
			sum += weight * expected_tap(i[0] + a, i[1] + b, i[2] + d, c);
	}
	return sum;
}

static void compare(int dims, const char *what, int line)
{
	int wrong = 0;

	for (int n = 0; n < POINTS; n++)
		for (int c = 0; c < 4; c++) {
			const float at[3] = { x[n], y[n], z[n] };
			float want = (float)expected(dims, at, c);
			if (out.f[n][c] == want || fabsf(out.f[n][c] - want) <= 1e-6f * fabsf(want))
				continue;
			if (!wrong++)
				fprintf(stderr,
					"texture.c:%d: %s: at (%g, %g, %g) component %d is %g, not %g\n",
					line, what, at[0], at[1], at[2], c, out.f[n][c], want);
		}
	checks++;
	failures += wrong != 0;
}
#define COMPARE(dims, what) compare(dims, what, __LINE__)

/* -- making textures -- */

static CUDA_TEXTURE_DESC how(unsigned flags)
{
	CUDA_TEXTURE_DESC d = { .addressMode = { mode, mode, mode },
		.filterMode = is_linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
		.flags = flags | (is_normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0),
		.maxMipmapLevelClamp = 16,
		.borderColor = { 0.25f, 0.5f, 0.75f, 1 } };

	return d;
}

static CUtexObject object_of(CUarray array, unsigned flags)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array };
	CUDA_TEXTURE_DESC d = how(flags);
	CUtexObject t = 0;

	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	return t;
}

/* All of an array, from or to the program's memory. */
static CUresult whole(CUarray array, void *memory, bool is_back)
{
	CUDA_ARRAY3D_DESCRIPTOR d;
	CUDA_MEMCPY3D m = { .srcMemoryType = is_back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST,
		.dstMemoryType = is_back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY,
		.srcArray = array,
		.dstArray = array,
		.srcHost = memory,
		.dstHost = memory };
	CUresult result = cuArray3DGetDescriptor(&d, array);
	size_t bytes = d.Format == CU_AD_FORMAT_UNSIGNED_INT8 || d.Format == CU_AD_FORMAT_SIGNED_INT8 ? 1
		: d.Format == CU_AD_FORMAT_FLOAT || d.Format == CU_AD_FORMAT_UNSIGNED_INT32 ||
			d.Format == CU_AD_FORMAT_SIGNED_INT32
		? 4
		: 2;

	m.WidthInBytes = d.Width * bytes * d.NumChannels;
	m.Height = d.Height ? d.Height : 1;
	m.Depth = d.Depth ? d.Depth : 1;
	return result ? result : cuMemcpy3D(&m);
}

static CUarray array_of(CUarray_format format, int h, int d, unsigned flags, const void *data, size_t bytes)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { .Width = (size_t)width,
		.Height = (size_t)h,
		.Depth = (size_t)d,
		.Format = format,
		.NumChannels = (unsigned)channels,
		.Flags = flags };
	CUDA_MEMCPY3D m = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = data,
		.dstMemoryType = CU_MEMORYTYPE_ARRAY,
		.WidthInBytes = (size_t)(width * channels) * bytes,
		.Height = h ? (size_t)h : 1,
		.Depth = d ? (size_t)d : 1 };
	CUarray array = NULL;

	OK(cuArray3DCreate(&array, &a));
	m.dstArray = array;
	OK(cuMemcpy3D(&m));
	return array;
}

static void shape(int w, int h, int d, int c)
{
	width = w;
	height = h;
	depth = d;
	channels = c;
	for (int i = 0; i < w * h * d * c; i++)
		texels[i] = (float)((i * 37 + i / 5 * 11) % 101) / 8 - 4;
}

static void release(CUtexObject t, CUarray a)
{
	OK(cuTexObjectDestroy(t));
	OK(cuArrayDestroy(a));
}

/* -- floats in all shapes, modes and filters -- */

static void one_way(const char *kernel, int dims, CUarray a)
{
	static const char *const modes[] = { "wrap", "clamp", "mirror", "border" };
	char what[80];
	CUtexObject t = object_of(a, 0);

	fetch(kernel, t);
	snprintf(what, sizeof what, "%s %s %s %s", kernel, modes[mode], is_linear ? "linear" : "point",
		is_normalized ? "normalised" : "in texels");
	COMPARE(dims, what);
	OK(cuTexObjectDestroy(t));
}

static void every_way(const char *kernel, int dims, CUarray a)
{
	for (is_normalized = 0; is_normalized < 2; is_normalized++)
		for (is_linear = 0; is_linear < 2; is_linear++)
			for (mode = CU_TR_ADDRESS_MODE_WRAP; mode <= CU_TR_ADDRESS_MODE_BORDER; mode++) {
				if (is_normalized)
					spread(-1.37, 2.41);
				else
					spread(-3.2, width + 2.7);
				one_way(kernel, dims, a);
			}
	OK(cuArrayDestroy(a));
}

static void shapes(void)
{
	shape(13, 1, 1, 1);
	every_way("fetch_1d", 1, array_of(CU_AD_FORMAT_FLOAT, 0, 0, 0, texels, 4));
	shape(16, 9, 1, 4);
	every_way("fetch_2d", 2, array_of(CU_AD_FORMAT_FLOAT, 9, 0, 0, texels, 4));
	shape(7, 5, 6, 2);
	every_way("fetch_3d", 3, array_of(CU_AD_FORMAT_FLOAT, 5, 6, 0, texels, 4));
}

/* -- formats -- */

static void promoted(void)
{
	unsigned char bytes[64 * 4];
	signed char chars[64 * 4];
	unsigned short shorts[64], halves[64];

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = 0;
	is_linear = 1;
	shape(8, 8, 1, 4);
	for (int i = 0; i < 256; i++) {
		bytes[i] = (unsigned char)(i * 7);
		texels[i] = (float)bytes[i] / 255;
	}
	spread(-1, 9);
	CUarray a = array_of(CU_AD_FORMAT_UNSIGNED_INT8, 8, 0, 0, bytes, 1);
	one_way("fetch_2d", 2, a);
	OK(cuArrayDestroy(a));
	for (int i = 0; i < 256; i++) {
		chars[i] = (signed char)(i - 128);
		texels[i] = chars[i] == -128 ? -1 : (float)chars[i] / 127;
	}
	a = array_of(CU_AD_FORMAT_SIGNED_INT8, 8, 0, 0, chars, 1);
	one_way("fetch_2d", 2, a);
	OK(cuArrayDestroy(a));
	shape(8, 8, 1, 1);
	for (int i = 0; i < 64; i++) {
		shorts[i] = (unsigned short)(i * 1037);
		texels[i] = (float)shorts[i] / 65535;
	}
	a = array_of(CU_AD_FORMAT_UNSIGNED_INT16, 8, 0, 0, shorts, 2);
	one_way("fetch_2d", 2, a);
	OK(cuArrayDestroy(a));
	for (int i = 0; i < 64; i++) {
		halves[i] = (unsigned short)(0x3c00 + i * 16); /* 1 + i / 64 */
		texels[i] = 1 + (float)i / 64;
	}
	a = array_of(CU_AD_FORMAT_HALF, 8, 0, 0, halves, 2);
	one_way("fetch_2d", 2, a);
	OK(cuArrayDestroy(a));
}

static void integers(void)
{
	int numbers[64];
	unsigned char bytes[64];

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = is_linear = 0;
	shape(8, 8, 1, 1);
	for (int i = 0; i < 64; i++) {
		numbers[i] = -i * 1000000;
		bytes[i] = (unsigned char)(255 - i);
		x[i] = (float)(i % 8) + 0.5f;
		y[i] = (float)(i / 8) + 0.25f;
	}
	CUarray a = array_of(CU_AD_FORMAT_SIGNED_INT32, 8, 0, 0, numbers, 4);
	CUtexObject t = object_of(a, CU_TRSF_READ_AS_INTEGER);
	fetch("fetch_2d_int", t);
	for (int i = 0; i < 64; i++)
		TRUE(out.i[i][0] == numbers[i] && !out.i[i][1] && !out.i[i][2] && !out.i[i][3]);
	release(t, a);
	a = array_of(CU_AD_FORMAT_UNSIGNED_INT8, 8, 0, 0, bytes, 1);
	t = object_of(a, CU_TRSF_READ_AS_INTEGER);
	fetch("fetch_2d_uint", t);
	for (int i = 0; i < 64; i++)
		TRUE(out.u[i][0] == bytes[i]);
	release(t, a);
}

/* sRGB: 0, 188 and 255 are 0, 0.50289 and 1 in linear light; alpha stays. */
static void srgb(void)
{
	unsigned char bytes[4 * 4] = { 0, 188, 255, 188, 10, 11, 12, 13 };

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = is_linear = 0;
	shape(4, 1, 1, 4);
	for (int i = 0; i < POINTS; i++)
		x[i] = (float)(i % 2);
	CUarray a = array_of(CU_AD_FORMAT_UNSIGNED_INT8, 0, 0, 0, bytes, 1);
	CUtexObject t = object_of(a, CU_TRSF_SRGB);
	fetch("fetch_1d", t);
	TRUE(out.f[0][0] == 0 && fabsf(out.f[0][1] - 0.502886f) < 1e-6f && out.f[0][2] == 1);
	TRUE(fabsf(out.f[0][3] - 188.0f / 255) < 1e-6f);
	TRUE(fabsf(out.f[1][0] - 10 / 255.0f / 12.92f) < 1e-8f);
	release(t, a);
}

/* -- layers and cubes -- */

static void layers(void)
{
	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = 0;
	is_linear = 0;
	shape(8, 4, 5, 1);
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 4, 5, CUDA_ARRAY3D_LAYERED, texels, 4);
	CUtexObject t = object_of(a, 0);
	spread(0, 7.9);
	for (int i = 0; i < POINTS; i++)
		y[i] /= 2;
	fetch("fetch_2d_layered", t);
	for (int i = 0; i < POINTS; i++) {
		int layer = (int)z[i] > 4 ? 4 : (int)z[i]; /* the last one stands for those beyond */
		TRUE(out.f[i][0] == component((int)x[i], (int)y[i], layer, 0));
	}
	release(t, a);
	shape(8, 1, 5, 1);
	a = array_of(CU_AD_FORMAT_FLOAT, 0, 5, CUDA_ARRAY3D_LAYERED, texels, 4);
	t = object_of(a, 0);
	fetch("fetch_1d_layered", t);
	for (int i = 0; i < POINTS; i++)
		TRUE(out.f[i][0] == component((int)x[i], 0, (int)z[i] > 4 ? 4 : (int)z[i], 0));
	release(t, a);
}

/* Each axis hits the middle of its face; a little to the side, the neighbour that the guide's table says. */
static void cubes(void)
{
	static const float directions[6][3] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 },
		{ 0, 0, 1 }, { 0, 0, -1 } };
	/* texel of a 2 x 2 face when the two other coordinates, in their order, are +0.5 and +0.25: (s, t) by
	 * the table */
	static const int corner[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 1, 0 }, { 1, 0 }, { 0, 0 } };

	mode = CU_TR_ADDRESS_MODE_WRAP;
	is_normalized = 1;
	is_linear = 0;
	shape(2, 2, 12, 1);
	for (int i = 0; i < 48; i++)
		texels[i] = (float)i;
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 2, 6, CUDA_ARRAY3D_CUBEMAP, texels, 4);
	CUtexObject t = object_of(a, 0);
	for (int i = 0; i < POINTS; i++) {
		float d[3], side = 0.5f;
		for (int c = 0; c < 3; c++) {
			d[c] = directions[i % 6][c];
			if (d[c] == 0) {
				d[c] = side;
				side = 0.25f;
			}
		}
		x[i] = d[0];
		y[i] = d[1];
		z[i] = d[2];
	}
	fetch("fetch_cube", t);
	for (int i = 0; i < 6; i++)
		TRUE(out.f[i][0] == (float)(i * 4 + corner[i][1] * 2 + corner[i][0]));
	release(t, a);
	a = array_of(CU_AD_FORMAT_FLOAT, 2, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, texels, 4);
	t = object_of(a, 0);
	fetch("fetch_cube_layered", t);
	for (int i = 0; i < 6; i++)
		TRUE(out.f[i][0] == (float)(24 + i * 4 + corner[i][1] * 2 + corner[i][0]));
	release(t, a);
}

/* -- plain memory -- */

static void linear(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_LINEAR };
	CUDA_TEXTURE_DESC d;
	CUdeviceptr p;
	CUtexObject t;

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = is_linear = 0;
	shape(40, 1, 1, 1);
	OK(cuMemAlloc(&p, 160));
	OK(cuMemcpyHtoD(p, texels, 160));
	r.res.linear.devPtr = p;
	r.res.linear.format = CU_AD_FORMAT_FLOAT;
	r.res.linear.numChannels = 1;
	r.res.linear.sizeInBytes = 160;
	d = how(0);
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	for (int i = 0; i < POINTS; i++)
		x[i] = (float)(i - 10);
	fetch("fetch_linear", t);
	for (int i = 0; i < POINTS; i++)
		TRUE(out.f[i][0] == (i < 10 || i >= 50 ? 0 : texels[i - 10]));
	OK(cuTexObjectDestroy(t));
	OK(cuTexObjectDestroy(t)); /* as the real call: content with any number */
	OK(cuMemFree(p));
}

static void pitch(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_PITCH2D };
	CUDA_MEMCPY2D m = {
		.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = texels, .dstMemoryType = CU_MEMORYTYPE_DEVICE
	};
	CUDA_TEXTURE_DESC d;
	CUdeviceptr p;
	size_t bytes;
	CUtexObject t;

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = 0;
	is_linear = 1;
	shape(10, 6, 1, 1);
	OK(cuMemAllocPitch(&p, &bytes, 40, 6, 4));
	m.dstDevice = p;
	m.dstPitch = bytes;
	m.WidthInBytes = 40;
	m.Height = 6;
	OK(cuMemcpy2D(&m));
	r.res.pitch2D.devPtr = p;
	r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
	r.res.pitch2D.numChannels = 1;
	r.res.pitch2D.width = 10;
	r.res.pitch2D.height = 6;
	r.res.pitch2D.pitchInBytes = bytes;
	d = how(0);
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	spread(-1, 11);
	fetch("fetch_2d", t);
	COMPARE(2, "pitched memory");
	OK(cuTexObjectDestroy(t));
	r.res.pitch2D.pitchInBytes = 41;
	FAILS(cuTexObjectCreate(&t, &r, &d, NULL), INVALID_VALUE);
	OK(cuMemFree(p));
}

/* -- levels -- */

static void levels(void)
{
	CUDA_ARRAY3D_DESCRIPTOR a = {
		.Width = 8, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1
	};
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
	CUDA_TEXTURE_DESC d;
	CUmipmappedArray m;
	CUarray level;
	CUtexObject t;
	float all[64];

	OK(cuMipmappedArrayCreate(&m, &a, 99));
	for (unsigned i = 0; i < 4; i++) {
		CUDA_ARRAY_DESCRIPTOR got;
		OK(cuMipmappedArrayGetLevel(&level, m, i));
		OK(cuArrayGetDescriptor(&got, level));
		TRUE(got.Width == 8u >> i && got.Height == 8u >> i);
		for (unsigned n = 0; n < 64u >> 2 * i; n++)
			all[n] = (float)(10 * i);
		OK(whole(level, all, false));
	}
	FAILS(cuMipmappedArrayGetLevel(&level, m, 4), INVALID_VALUE);
	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = 1;
	is_linear = 0;
	r.res.mipmap.hMipmappedArray = m;
	d = how(0);
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	for (int i = 0; i < POINTS; i++) {
		x[i] = y[i] = 0.3f;
		z[i] = (float)i / 16 - 0.25f;
	}
	fetch("fetch_level", t);
	for (int i = 0; i < POINTS; i++)
		TRUE(out.f[i][0] == 10 * (z[i] < 0.5f ? 0 : z[i] < 1.5f ? 1 : z[i] < 2.5f ? 2 : 3));
	OK(cuTexObjectDestroy(t));
	d.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
	d.maxMipmapLevelClamp = 2.5f;
	OK(cuTexObjectCreate(&t, &r, &d, NULL));
	fetch("fetch_level", t);
	for (int i = 0; i < POINTS; i++)
		TRUE(out.f[i][0] == (z[i] < 0 ? 0 : z[i] > 2.5f ? 25 : 10 * z[i]));
	for (int i = 0; i < POINTS; i++)
		z[i] = (float)(1 << i % 4) / 8; /* dx spans 1, 2, 4, 8 texels, dy half of that */
	fetch("fetch_grad", t);
	TRUE(out.f[0][0] == 0 && out.f[1][0] == 10 && out.f[2][0] == 20 && out.f[3][0] == 25);
	OK(cuTexObjectDestroy(t));
	OK(cuMipmappedArrayDestroy(m));
	FAILS(cuMipmappedArrayDestroy(m), INVALID_HANDLE);
}

static void gathered(void)
{
	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = is_linear = 0;
	shape(6, 6, 1, 2);
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 6, 0, CUDA_ARRAY3D_TEXTURE_GATHER, texels, 4);
	CUtexObject t = object_of(a, 0);
	for (int i = 0; i < POINTS; i++) {
		x[i] = 1.2f + (float)(i % 4);
		y[i] = 1.1f + (float)(i / 16);
	}
	fetch("gather", t);
	for (int n = 0; n < POINTS; n++) {
		int i = (int)floorf(x[n] - 0.5f), j = (int)floorf(y[n] - 0.5f);
		TRUE(out.f[n][0] == component(i, j + 1, 0, 1) &&
			out.f[n][1] == component(i + 1, j + 1, 0, 1));
		TRUE(out.f[n][2] == component(i + 1, j, 0, 1) && out.f[n][3] == component(i, j, 0, 1));
	}
	release(t, a);
}

/* The same bytes as fractions and as floats; one layer of three. */
static void views(void)
{
	CUDA_RESOURCE_VIEW_DESC v = { .format = CU_RES_VIEW_FORMAT_UINT_4X8, .width = 8, .height = 1 }, got;
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_TEXTURE_DESC d;
	CUtexObject t;

	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = is_linear = 0;
	shape(8, 1, 3, 1);
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 1, 3, CUDA_ARRAY3D_LAYERED, texels, 4);
	r.res.array.hArray = a;
	d = how(0);
	spread(0, 7.9);
	OK(cuTexObjectCreate(&t, &r, &d, &v));
	fetch("fetch_1d", t);
	for (int i = 0; i < POINTS; i++) {
		unsigned char bytes[4];
		memcpy(bytes, &texels[(int)x[i]], 4);
		for (int c = 0; c < 4; c++)
			TRUE(out.f[i][c] == (float)bytes[c] / 255);
	}
	OK(cuTexObjectGetResourceViewDesc(&got, t));
	TRUE(got.format == v.format && got.width == 8);
	OK(cuTexObjectDestroy(t));
	v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
	v.firstLayer = v.lastLayer = 2;
	OK(cuTexObjectCreate(&t, &r, &d, &v));
	fetch("fetch_1d_layered", t);
	for (int i = 0; i < POINTS; i++)
		TRUE(out.f[i][0] == component((int)x[i], 0, 2, 0));
	OK(cuTexObjectDestroy(t));
	v.format = CU_RES_VIEW_FORMAT_FLOAT_2X32;
	FAILS(cuTexObjectCreate(&t, &r, &d, &v), INVALID_VALUE);
	OK(cuArrayDestroy(a));
}

/* -- surfaces -- */

static CUsurfObject surface_of(CUarray a)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a };
	CUsurfObject s = 0;

	OK(cuSurfObjectCreate(&s, &r));
	return s;
}

static void run(CUmodule module, const char *kernel, const unsigned grid[3], const unsigned block[3],
	void **arguments)
{
	CUfunction f;

	OK(cuModuleGetFunction(&f, module, kernel));
	OK(cuLaunchKernel(
		f, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, NULL, arguments, NULL));
}

static void transposed(void)
{
	unsigned short from[5 * 9], back[5 * 9];
	const unsigned grid[3] = { 2, 2, 1 }, block[3] = { 8, 8, 1 };

	for (int i = 0; i < 45; i++)
		from[i] = (unsigned short)(i * 3 + 1);
	shape(9, 5, 1, 1);
	CUarray a = array_of(CU_AD_FORMAT_UNSIGNED_INT16, 5, 0, CUDA_ARRAY3D_SURFACE_LDST, from, 2);
	width = 5;
	CUarray b = array_of(CU_AD_FORMAT_UNSIGNED_INT16, 9, 0, CUDA_ARRAY3D_SURFACE_LDST, from, 2);
	CUsurfObject s = surface_of(a), t = surface_of(b);
	int w = 9, h = 5;
	void *arguments[] = { &s, &t, &w, &h };
	run(objects, "transpose", grid, block, arguments);
	OK(whole(b, back, true));
	for (int i = 0; i < 9; i++)
		for (int j = 0; j < 5; j++)
			TRUE(back[i * 5 + j] == from[j * 9 + i]);
	OK(cuSurfObjectDestroy(s));
	OK(cuSurfObjectDestroy(t));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

static void written(void)
{
	unsigned char bytes[3 * 4 * 6 * 4] = { 0 };
	float pairs[2 * 2 * 3 * 2], back[24];
	const unsigned grid[3] = { 4, 3, 1 }, block[3] = { 32, 1, 1 }, one[3] = { 1, 1, 1 },
		       box[3] = { 2, 2, 3 };

	shape(6, 4, 3, 4);
	CUarray a = array_of(
		CU_AD_FORMAT_UNSIGNED_INT8, 4, 3, CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED, bytes, 1);
	CUsurfObject s = surface_of(a);
	int w = 6;
	void *arguments[] = { &s, &w };
	run(objects, "fill_layers", grid, block, arguments);
	OK(whole(a, bytes, true));
	for (int i = 0; i < 72; i++)
		TRUE(bytes[4 * i] == i % 6 && bytes[4 * i + 1] == i / 6 % 4 && bytes[4 * i + 2] == i / 24 &&
			bytes[4 * i + 3] == 9);
	OK(cuSurfObjectDestroy(s));
	OK(cuArrayDestroy(a));
	shape(2, 2, 3, 2);
	for (int i = 0; i < 24; i++)
		pairs[i] = (float)i;
	a = array_of(CU_AD_FORMAT_FLOAT, 2, 3, CUDA_ARRAY3D_SURFACE_LDST, pairs, 4);
	s = surface_of(a);
	run(objects, "add_3d", one, box, arguments);
	OK(whole(a, back, true));
	for (int i = 0; i < 24; i += 2)
		TRUE(back[i] == pairs[i] + 1 && back[i + 1] == pairs[i + 1] * 2);
	OK(cuSurfObjectDestroy(s));
	OK(cuArrayDestroy(a));
}

/* -- references -- */

static void named(void)
{
	CUtexref r, again;
	CUfunction f;
	int n = POINTS;
	void *arguments[] = { &d_out, &d_x, &d_y, &n };
	CUaddress_mode got;
	unsigned flags;

	FAILS(cuModuleGetTexRef(&r, references, "canvas"), NOT_FOUND);
	OK(cuModuleGetTexRef(&r, references, "image"));
	OK(cuModuleGetTexRef(&again, references, "image"));
	TRUE(r == again);
	OK(cuTexRefGetAddressMode(&got, r, 0));
	TRUE(got == CU_TR_ADDRESS_MODE_MIRROR);
	mode = CU_TR_ADDRESS_MODE_MIRROR;
	is_normalized = 1;
	is_linear = 1;
	shape(11, 7, 1, 2);
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 7, 0, 0, texels, 4), bound;
	OK(cuTexRefSetArray(r, a, CU_TRSA_OVERRIDE_FORMAT));
	OK(cuTexRefSetFlags(r, CU_TRSF_NORMALIZED_COORDINATES));
	OK(cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_LINEAR));
	OK(cuTexRefSetAddressMode(r, 1, CU_TR_ADDRESS_MODE_MIRROR));
	OK(cuTexRefGetFlags(&flags, r));
	OK(cuTexRefGetArray(&bound, r));
	TRUE(flags == CU_TRSF_NORMALIZED_COORDINATES && bound == a);
	spread(-1.2, 2.3);
	OK(cuMemcpyHtoD(d_x, x, sizeof x));
	OK(cuMemcpyHtoD(d_y, y, sizeof y));
	OK(cuModuleGetFunction(&f, references, "by_name"));
	OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, arguments, NULL));
	/* what is said now is for later kernels */
	OK(cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_POINT));
	OK(cuMemcpyDtoH(&out, d_out, sizeof out));
	COMPARE(2, "a reference by name");
	OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, NULL, arguments, NULL));
	OK(cuMemcpyDtoH(&out, d_out, sizeof out));
	is_linear = 0;
	COMPARE(2, "a reference by name, point");
}

static void by_handle(void)
{
	CUtexref r;
	CUdeviceptr p;
	size_t offset = 1;
	int pairs[2 * 50], first = -3;
	void *arguments[] = { &d_out, &first };
	const unsigned one[3] = { 1, 1, 1 }, block[3] = { 32, 1, 1 };

	for (int i = 0; i < 100; i++)
		pairs[i] = 7 * i - 50;
	OK(cuMemAlloc(&p, sizeof pairs));
	OK(cuMemcpyHtoD(p, pairs, sizeof pairs));
	OK(cuModuleGetTexRef(&r, references, "table"));
	OK(cuTexRefSetFormat(r, CU_AD_FORMAT_SIGNED_INT32, 2));
	OK(cuTexRefSetFlags(r, CU_TRSF_READ_AS_INTEGER));
	OK(cuTexRefSetAddress(&offset, r, p, sizeof pairs));
	TRUE(offset == 0);
	run(references, "by_handle", one, block, arguments);
	OK(cuMemcpyDtoH(&out, d_out, 8 * 32));
	for (int i = 0; i < 32; i++) {
		const int *got = &out.i[0][0] + 2 * i;
		TRUE(got[0] == (i < 3 ? 0 : pairs[2 * (i - 3)]) &&
			got[1] == (i < 3 ? 0 : pairs[2 * (i - 3) + 1]));
	}
	OK(cuTexRefSetAddress(&offset, r, p + 8, 64));
	TRUE(offset == 8);
	FAILS(cuTexRefSetAddress(NULL, r, p + 8, 64), INVALID_VALUE);
	first = 1; /* one pair of offset: the texture begins at p again */
	run(references, "by_handle", one, block, arguments);
	OK(cuMemcpyDtoH(&out, d_out, 8 * 32));
	TRUE(out.i[0][0] == pairs[2] && out.i[3][2] == pairs[16] && out.i[4][0] == 0);
	OK(cuMemFree(p));
}

static void asked(void)
{
	const unsigned one[3] = { 1, 1, 1 };
	void *arguments[] = { &d_out };
	unsigned got[15];
	CUsurfref s;
	unsigned colors[2 * 4 * 4] = { 0 };

	FAILS(cuModuleGetSurfRef(&s, references, "image"), NOT_FOUND);
	OK(cuModuleGetSurfRef(&s, references, "canvas"));
	shape(4, 2, 1, 1);
	CUarray a = array_of(CU_AD_FORMAT_UNSIGNED_INT32, 2, 0, CUDA_ARRAY3D_SURFACE_LDST, colors, 4), plain,
		bound;
	OK(cuSurfRefSetArray(s, a, 0));
	OK(cuSurfRefGetArray(&bound, s));
	TRUE(bound == a);
	run(references, "ask", one, one, arguments);
	OK(cuMemcpyDtoH(got, d_out, sizeof got));
	TRUE(got[0] == 11 && got[1] == 7 && got[2] == 0x10de && got[3] == 0x10b2); /* image: 11 x 7 pairs of
										      floats */
	TRUE(got[4] == 1 && got[5] == 1 && got[6] == 0 && got[7] == 1); /* mirror, mirror, nearest, normalised
									 */
	TRUE(got[8] == 4 && got[9] == 2 && got[10] == 0x10dc);          /* canvas: 4 x 2 unsigned words */
	TRUE(got[11] == 1 && got[12] == 0 && got[13] == 1 && got[14] == 0);
	const unsigned block[3] = { 32, 1, 1 };
	run(references, "reduce", one, block, NULL);
	OK(whole(a, colors, true));
	for (unsigned i = 0; i < 4; i++)
		TRUE(colors[i] == 8 * (8 * i) + 36 && colors[4 + i] == 8 * i + 7);
	plain = array_of(CU_AD_FORMAT_UNSIGNED_INT32, 2, 0, 0, colors, 4);
	FAILS(cuSurfRefSetArray(s, plain, 0), INVALID_VALUE);
	OK(cuArrayDestroy(plain));
	OK(cuArrayDestroy(a));
	unsigned short shorts[4] = { 0 };
	shape(4, 1, 1, 1);
	a = array_of(CU_AD_FORMAT_UNSIGNED_INT16, 1, 0, CUDA_ARRAY3D_SURFACE_LDST, shorts, 2);
	OK(cuSurfRefSetArray(s, a, 0));
	run(references, "paint", one, block, NULL);
	OK(cuMemcpyAtoH(shorts, a, 0, 8));
	TRUE(shorts[0] == 10000 && shorts[1] == 65535 && shorts[3] == 65535);
	OK(cuArrayDestroy(a));
}

static void samplers(const char *path)
{
	static const float numbers[8] = { 10, 20, 30, 40, 50, 60, 70, 80 };
	CUmodule m;
	CUtexref r;
	unsigned got[9];
	const unsigned one[3] = { 1, 1, 1 };

	OK(cuModuleLoad(&m, path));
	OK(cuModuleGetTexRef(&r, m, "image"));
	FAILS(cuModuleGetTexRef(&r, m, "smooth"), NOT_FOUND);
	shape(4, 2, 1, 1);
	mode = CU_TR_ADDRESS_MODE_CLAMP;
	is_normalized = 1;
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 2, 0, 0, numbers, 4);
	CUtexObject given = object_of(a, 0);
	void *arguments[] = { &d_out, &given };
	OK(cuTexRefSetArray(r, a, CU_TRSA_OVERRIDE_FORMAT));
	run(m, "sample", one, one, arguments);
	OK(cuMemcpyDtoH(got, d_out, sizeof got));
	TRUE(got[0] == 0x41700000 && got[1] == 0x42a00000);        /* 15, 80 */
	TRUE(got[2] == 0x5500 && got[3] == 0x5500 && got[8] == 0); /* halves of 80, 0, 0, 1 */
	TRUE(got[4] == 0x42700000 && got[5] == 0 && got[6] == 0x41700000 && got[7] == 0x41f00000); /* 60 0 15
												      30 */
	release(given, a);
	OK(cuModuleUnload(m));
}

/* .tex variables of PTX 1.4, and one to which nothing is bound. */
static void ancient(void)
{
	static const char text[] = ".version 1.4\n"
				   ".target sm_13\n"
				   ".tex .u64 t;\n"
				   ".entry k (.param .u64 out)\n"
				   "{\n"
				   "\t.reg .f32 %f<4>;\n"
				   "\t.reg .s32 %r<2>;\n"
				   "\t.reg .u64 %d;\n"
				   "\tld.param.u64 %d, [out];\n"
				   "\tmov.s32 %r1, 2;\n"
				   "\ttex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r1,%r1,%r1,%r1}];\n"
				   "\tst.global.f32 [%d], %f0;\n"
				   "\texit;\n"
				   "}\n";
	static const float numbers[4] = { 1, 2, 3, 4 };
	const unsigned one[3] = { 1, 1, 1 };
	void *arguments[] = { &d_out };
	CUmodule m;
	CUtexref r;
	CUdeviceptr p;
	size_t offset;
	float got = 0;

	OK(cuModuleLoadData(&m, text));
	OK(cuModuleGetTexRef(&r, m, "t"));
	OK(cuMemAlloc(&p, 16));
	OK(cuMemcpyHtoD(p, numbers, 16));
	OK(cuTexRefSetAddress(&offset, r, p, 16));
	run(m, "k", one, one, arguments);
	OK(cuMemcpyDtoH(&got, d_out, 4));
	TRUE(got == 3);
	OK(cuModuleUnload(m));
	OK(cuMemFree(p));
}

/* -- copies and mistakes -- */

static void copies(void)
{
	unsigned char from[64], to[64];
	CUarray a, b;
	CUdeviceptr p;
	CUDA_ARRAY_DESCRIPTOR d = { .Width = 8,
		.Height = 4,
		.Format = CU_AD_FORMAT_UNSIGNED_INT8,
		.NumChannels = 2 },
			      got;
	CUDA_MEMCPY2D m = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
		.srcXInBytes = 2,
		.srcY = 1,
		.dstMemoryType = CU_MEMORYTYPE_ARRAY,
		.dstXInBytes = 4,
		.dstY = 2,
		.WidthInBytes = 6,
		.Height = 2 };

	for (int i = 0; i < 64; i++)
		from[i] = (unsigned char)i;
	OK(cuArrayCreate(&a, &d));
	OK(cuArrayCreate(&b, &d));
	OK(cuArrayGetDescriptor(&got, a));
	TRUE(!memcmp(&got, &d, sizeof d));
	OK(cuMemAlloc(&p, 64));
	OK(cuMemcpyHtoD(p, from, 64));
	OK(whole(a, from, false));
	memset(to, 0, sizeof to);
	OK(whole(b, to, false));
	OK(cuMemcpyDtoA(b, 0, p, 16));
	FAILS(cuMemcpyDtoA(b, 0, p, 17), INVALID_VALUE); /* these calls are for one line */
	OK(cuMemsetD8(p, 0, 64));
	OK(cuMemcpyDtoA(b, 0, p, 16));
	m.srcArray = a;
	m.dstArray = b;
	OK(cuMemcpy2D(&m));
	OK(whole(b, to, true));
	for (int i = 0; i < 32; i++) {
		int row = i / 16, column = i % 16 - 4;
		TRUE(to[32 + i] == (column >= 0 && column < 6 ? 16 * (row + 1) + 2 + column : 0));
	}
	OK(cuMemcpyAtoA(b, 0, a, 8, 8));
	OK(cuMemcpyAtoH(to, b, 0, 8));
	TRUE(!memcmp(to, from + 8, 8));
	OK(cuMemcpyAtoD(p, b, 0, 8));
	OK(cuMemcpyDtoH(to + 8, p, 8));
	TRUE(!memcmp(to, to + 8, 8));
	OK(cuMemcpyHtoAAsync(b, 8, from, 8, NULL));
	OK(cuMemcpyAtoHAsync(to, b, 8, 8, NULL));
	OK(cuCtxSynchronize());
	TRUE(!memcmp(to, from, 8));
	FAILS(cuMemcpyHtoA(a, 60, from, 5), INVALID_VALUE);
	m.WidthInBytes = 13;
	FAILS(cuMemcpy2D(&m), INVALID_VALUE);
	OK(cuArrayDestroy(b));
	FAILS(cuArrayDestroy(b), INVALID_HANDLE);
	FAILS(cuMemcpy2D(&m), INVALID_HANDLE);
	OK(cuArrayDestroy(a));
	d.NumChannels = 3;
	FAILS(cuArrayCreate(&a, &d), INVALID_VALUE);
	OK(cuMemFree(p));
}

/* Ends the process's use of the device: a handle that is none, a store with .trap past the end. */
static void fault(int is_store)
{
	CUfunction f;
	CUtexObject nothing = 12345;
	int n = 32;

	OK(cuModuleGetFunction(&f, objects, is_store ? "past_the_end" : "fetch_2d"));
	shape(4, 1, 1, 1);
	CUarray a = array_of(CU_AD_FORMAT_FLOAT, 1, 0, CUDA_ARRAY3D_SURFACE_LDST, texels, 4);
	CUsurfObject s = surface_of(a);
	void *fetched[] = { &d_out, &d_x, &d_y, &d_z, &nothing, &n }, *stored[] = { &s };
	OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, is_store ? stored : fetched, NULL));
	FAILS(cuCtxSynchronize(), LAUNCH_FAILED);
}

int main(int argc, char **argv)
{
	CUcontext context;

	if (argc < 4)
		return 2;
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&objects, argv[1]));
	OK(cuModuleLoad(&references, argv[2]));
	OK(cuMemAlloc(&d_x, sizeof x));
	OK(cuMemAlloc(&d_y, sizeof y));
	OK(cuMemAlloc(&d_z, sizeof z));
	OK(cuMemAlloc(&d_out, sizeof out));
	shapes();
	promoted();
	integers();
	srgb();
	layers();
	cubes();
	linear();
	pitch();
	levels();
	gathered();
	views();
	transposed();
	written();
	named();
	by_handle();
	asked();
	samplers(argv[3]);
	ancient();
	copies();
	if (argc > 4)
		fault(!strcmp(argv[4], "store"));
	else
		OK(cuCtxDestroy(context));
	fprintf(stderr, "texture: %d checks, %d failures\n", checks, failures);
	return failures != 0;
}
