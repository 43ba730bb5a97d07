/* tests/host/modules/fatbin.c -- programs that load fat binaries, as drivers' samples do: WHAT FILE [NUMBER].
 *
 *     vecadd, matmul, texture   run the kernels of that name, and compare with the CPU; NUMBER: matmul's tile
 *     architecture              prints for which architecture the PTX was compiled
 *     load, file, link          load the module, through each call; print the error's name
 *     lies                      loads NUMBER damaged copies: the calls return, whatever they return */
#include <cuda.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192 /* bytes behind an image whose sizes lie: cuModuleLoadData is told none */

static char *file;
static size_t file_size;

static void must(CUresult result, const char *what)
{
	const char *name = "?";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "%s: %s\n", what, name);
	exit(3);
}
#define MUST(call) must(call, #call)

static void file_read(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f || fseek(f, 0, SEEK_END))
		exit(2);
	file_size = (size_t)ftell(f);
	rewind(f);
	file = malloc(file_size);
	if (fread(file, 1, file_size, f) != file_size)
		exit(2);
	fclose(f);
}

static CUfunction function_of(const char *name)
{
	CUmodule module;
	CUfunction function;

	MUST(cuModuleLoadDataEx(&module, file, 0, NULL, NULL));
	MUST(cuModuleGetFunction(&function, module, name));
	return function;
}

static CUdeviceptr device_copy(const float *from, size_t count)
{
	CUdeviceptr p;

	MUST(cuMemAlloc(&p, count * sizeof *from));
	MUST(cuMemcpyHtoD(p, from, count * sizeof *from));
	return p;
}

static float random_value(void)
{
	return (float)(rand() % 1024) / 1024;
}

static int close_to(float got, double want, double tolerance, size_t index)
{
	if (fabs(got - want) <= tolerance)
		return 1;
	fprintf(stderr, "element %zu is %g, not %g\n", index, got, want);
	return 0;
}

static int vecadd(void)
{
	enum { N = 5000 };
	static float a[N], b[N], c[N];
	CUfunction add = function_of("vector_add");
	int n = N, right = 1;

	for (int i = 0; i < N; i++)
		a[i] = random_value(), b[i] = random_value();
	CUdeviceptr pa = device_copy(a, N), pb = device_copy(b, N), pc = device_copy(c, N);
	void *parameters[] = { &pa, &pb, &pc, &n };
	MUST(cuLaunchKernel(add, (N + 255) / 256, 1, 1, 256, 1, 1, 0, 0, parameters, NULL));
	MUST(cuMemcpyDtoH(c, pc, sizeof c));
	for (size_t i = 0; i < N && right; i++)
		right = close_to(c[i], a[i] + b[i], 0, i);
	return right;
}

/* Parameters in a buffer, as the sample has them. */
static int matmul(unsigned tile)
{
	enum { HEIGHT = 96, INNER = 64, WIDTH = 128 };
	static float a[HEIGHT * INNER], b[INNER * WIDTH], c[HEIGHT * WIDTH];
	struct {
		CUdeviceptr c, a, b;
		size_t wa, wb;
	} parameters;
	size_t size = sizeof parameters;
	CUfunction multiply = function_of(tile == 16 ? "multiply_16" : "multiply_32");

	for (size_t i = 0; i < sizeof a / sizeof *a; i++)
		a[i] = random_value();
	for (size_t i = 0; i < sizeof b / sizeof *b; i++)
		b[i] = random_value();
	parameters.a = device_copy(a, HEIGHT * INNER);
	parameters.b = device_copy(b, INNER * WIDTH);
	parameters.c = device_copy(c, HEIGHT * WIDTH);
	parameters.wa = INNER;
	parameters.wb = WIDTH;
	void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
		CU_LAUNCH_PARAM_END };
	MUST(cuLaunchKernel(multiply, WIDTH / tile, HEIGHT / tile, 1, tile, tile, 1, 0, 0, NULL, extra));
	MUST(cuMemcpyDtoH(c, parameters.c, sizeof c));
	for (size_t i = 0; i < HEIGHT * WIDTH; i++) {
		double sum = 0;
		for (size_t k = 0; k < INNER; k++)
			sum += (double)a[i / WIDTH * INNER + k] * b[k * WIDTH + i % WIDTH];
		if (!close_to(c[i], sum, 1e-4, i))
			return 0;
	}
	return 1;
}

/* Between the four texels around a place, with wrapped coordinates. */
static double bilinear(const float *image, int width, int height, double u, double v)
{
	double x = u * width - 0.5, y = v * height - 0.5, sum = 0;
	int x0 = (int)floor(x), y0 = (int)floor(y);

	for (int i = 0; i < 4; i++) {
		int dx = i & 1, dy = i >> 1;
		double weight = (dx ? x - x0 : 1 - (x - x0)) * (dy ? y - y0 : 1 - (y - y0));
		int column = ((x0 + dx) % width + width) % width,
		    row = ((y0 + dy) % height + height) % height;
		sum += weight * image[row * width + column];
	}
	return sum;
}

static int texture(void)
{
	enum { WIDTH = 64, HEIGHT = 32 };
	static float image[WIDTH * HEIGHT], got[WIDTH * HEIGHT];
	CUDA_ARRAY_DESCRIPTOR shape = {
		.Width = WIDTH, .Height = HEIGHT, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1
	};
	CUfunction turn = function_of("turn");
	CUarray array;
	CUtexObject object;
	int width = WIDTH, height = HEIGHT;
	float angle = 0.5f;

	for (size_t i = 0; i < WIDTH * HEIGHT; i++)
		image[i] = random_value();
	MUST(cuArrayCreate(&array, &shape));
	CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = image,
		.srcPitch = WIDTH * sizeof *image,
		.dstMemoryType = CU_MEMORYTYPE_ARRAY,
		.dstArray = array,
		.WidthInBytes = WIDTH * sizeof *image,
		.Height = HEIGHT };
	MUST(cuMemcpy2D(&copy));
	CUDA_RESOURCE_DESC resource = { .resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array };
	CUDA_TEXTURE_DESC how = { .addressMode = { CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_WRAP },
		.filterMode = CU_TR_FILTER_MODE_LINEAR,
		.flags = CU_TRSF_NORMALIZED_COORDINATES };
	MUST(cuTexObjectCreate(&object, &resource, &how, NULL));
	CUdeviceptr to = device_copy(got, WIDTH * HEIGHT);
	void *parameters[] = { &to, &width, &height, &angle, &object };
	MUST(cuLaunchKernel(turn, WIDTH / 8, HEIGHT / 8, 1, 8, 8, 1, 0, NULL, parameters, NULL));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH(got, to, sizeof got));
	for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
		double u = (double)(i % WIDTH) / WIDTH - 0.5, v = (double)(i / WIDTH) / HEIGHT - 0.5;
		double want = bilinear(image, WIDTH, HEIGHT, u * cos(angle) - v * sin(angle) + 0.5,
			v * cos(angle) + u * sin(angle) + 0.5);
		if (!close_to(got[i], want, 0.01, i)) /* weights have 8 bits behind the point */
			return 0;
	}
	return 1;
}

static int architecture(void)
{
	int number = 0;
	CUdeviceptr to;
	CUfunction function = function_of("architecture");

	MUST(cuMemAlloc(&to, sizeof number));
	void *parameters[] = { &to };
	MUST(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
	MUST(cuMemcpyDtoH(&number, to, sizeof number));
	printf("architecture %d\n", number);
	return 1;
}

static void say(const char *call, CUresult result)
{
	const char *name = "?";

	cuGetErrorName(result, &name);
	printf("%s: %s\n", call, name);
}

static int load(void)
{
	CUmodule module;
	CUlibrary library;
	CUlinkState link;
	/* what nvcc puts into a program */
	struct {
		uint32_t magic, version;
		const void *data;
		void *names;
	} wrapper = { 0x466243b1, 1, file, NULL };

	say("cuModuleLoadData", cuModuleLoadData(&module, file));
	say("cuModuleLoadFatBinary", cuModuleLoadFatBinary(&module, file));
	say("cuModuleLoadFatBinary of a wrapper", cuModuleLoadFatBinary(&module, &wrapper));
	say("cuLibraryLoadData of a wrapper",
		cuLibraryLoadData(&library, &wrapper, NULL, NULL, 0, NULL, NULL, 0));
	wrapper.data = NULL;
	say("cuModuleLoadData of an empty wrapper", cuModuleLoadData(&module, &wrapper));
	MUST(cuLinkCreate(0, NULL, NULL, &link));
	say("cuLinkAddData",
		cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, file, file_size, "f", 0, NULL, NULL));
	MUST(cuLinkDestroy(link));
	return 1;
}

static void try_load(const void *image)
{
	CUmodule module;

	if (cuModuleLoadData(&module, image) == CUDA_SUCCESS)
		MUST(cuModuleUnload(module));
}

static void try_link(const void *image, size_t size)
{
	CUlinkState link;
	void *linked;
	size_t length;
	CUmodule module;

	MUST(cuLinkCreate(0, NULL, NULL, &link));
	if (cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, (void *)image, size, "f", 0, NULL, NULL) ==
			CUDA_SUCCESS &&
		cuLinkComplete(link, &linked, &length) == CUDA_SUCCESS &&
		cuModuleLoadData(&module, linked) == CUDA_SUCCESS)
		MUST(cuModuleUnload(module));
	MUST(cuLinkDestroy(link));
}

/* Other values in some bytes or fields; the magic number stays. */
static void spoil(uint8_t *image, size_t size)
{
	static const uint64_t sizes[] = { 0, 1, 63, 64, 65, 4096, 1u << 31, UINT32_MAX, UINT64_C(1) << 40,
		UINT64_MAX - 64, UINT64_MAX };
	static const struct {
		size_t at, bytes;
	} fields[] = { { 16, 2 }, { 20, 4 }, { 24, 8 }, { 32, 4 }, { 44, 4 }, { 56, 8 }, { 72, 8 } };

	for (int changes = 1 + rand() % 3; changes; changes--) {
		unsigned which = (unsigned)rand() % 10, to = (unsigned)rand() % 11;
		if (which < 7 && fields[which].at + fields[which].bytes <= size)
			memcpy(image + fields[which].at, &sizes[to], fields[which].bytes);
		else if (size > 80)
			image[16 + (size_t)rand() % (size - 16)] ^= (uint8_t)(1 << rand() % 8);
	}
}

static int lies(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		srand(i);
		uint8_t *image = calloc(1, file_size + ROOM);
		memcpy(image, file, file_size);
		spoil(image, file_size);
		/* right, more than there is, less than there is, or what no process has */
		uint64_t totals[] = { file_size - 16, file_size + (size_t)rand() % (ROOM - 16),
			(size_t)rand() % file_size, UINT64_MAX - (uint64_t)rand() };
		memcpy(image + 8, &totals[rand() % 4], 8);
		try_load(image);
		/* the calls that are told a size may read no byte more */
		size_t size = rand() % 2 ? file_size : 16 + (size_t)rand() % (file_size - 16);
		uint8_t *exact = malloc(size);
		memcpy(exact, image, size);
		try_link(exact, size);
		free(exact);
		free(image);
	}
	return 1;
}

int main(int argc, char **argv)
{
	CUdevice device;
	CUcontext context;
	CUmodule module;
	int right;

	if (argc < 3)
		return 2;
	file_read(argv[2]);
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	if (!strcmp(argv[1], "vecadd"))
		right = vecadd();
	else if (!strcmp(argv[1], "matmul"))
		right = argc == 4 && matmul((unsigned)atoi(argv[3]));
	else if (!strcmp(argv[1], "texture"))
		right = texture();
	else if (!strcmp(argv[1], "architecture"))
		right = architecture();
	else if (!strcmp(argv[1], "load"))
		right = load();
	else if (!strcmp(argv[1], "file")) {
		say("cuModuleLoad", cuModuleLoad(&module, argv[2]));
		right = 1;
	} else
		right = lies((unsigned)atoi(argv[3]));
	MUST(cuCtxDestroy(context));
	free(file);
	puts(right ? "PASS" : "FAIL");
	return !right;
}
