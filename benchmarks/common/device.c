/* device.c -- the device: opening it, loading kernels, launches, time; the verdict at the end. */
#include "bench.h"

void bench_check(CUresult result, const char *call, const char *file, int line)
{
	const char *name = NULL, *text = NULL;

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	cuGetErrorString(result, &text);
	fprintf(stderr, "%s:%d: %.*s: %s (%d): %s\n", file, line, (int)strcspn(call, "("), call,
		name ? name : "unknown error", (int)result, text ? text : "no description");
	exit(1);
}

void bench_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

char *bench_read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0, capacity = 0;

	while (f && !feof(f) && !ferror(f)) {
		if (capacity - size < 2) {
			capacity = capacity ? 2 * capacity : 16384;
			text = realloc(text, capacity);
			if (!text)
				bench_die("%s: out of memory", path);
		}
		size += fread(text + size, 1, capacity - size - 1, f);
	}
	if (!f || ferror(f))
		bench_die("%s: %s", path, strerror(errno));
	fclose(f);
	text[size] = '\0';
	return text;
}

CUmodule bench_load(const char *path)
{
	static char errors[16384];
	CUjit_option option[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *value[] = { errors, (void *)(uintptr_t)sizeof errors };
	char *text = bench_read_file(path);
	CUmodule module;
	CUresult result = cuModuleLoadDataEx(&module, text, 2, option, value);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s was not accepted:\n%.*s\n", path, (int)sizeof errors, errors);
		bench_check(result, "cuModuleLoadDataEx", __FILE__, __LINE__);
	}
	free(text);
	return module;
}

void bench_begin(
	struct bench *b, const char *folder, const struct bench_program *program, int argc, char **argv)
{
	char kernels[256];

	*b = (struct bench){
		.program = program, .folder = folder, .name = strchr(folder, '/') + 1, .seed = BENCH_SEED
	};
	snprintf(kernels, sizeof kernels, "%s/kernel.ptx", folder);
	b->ptx = bench_find_file(program->ptx ? program->ptx : kernels);
	bench_arguments(b, argc, argv);
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&b->device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&b->context, b->device));
	CHECK(cuCtxSetCurrent(b->context));
	b->module = bench_load(b->ptx);
	CHECK(cuEventCreate(&b->start, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&b->stop, CU_EVENT_DEFAULT));
}

void bench_work(struct bench *b, const char *format, ...)
{
	char device[128] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(b->work, sizeof b->work, format, args);
	va_end(args);
	CHECK(cuDeviceGetName(device, sizeof device, b->device));
	printf("%s: %s on %s\n", b->name, b->work, device);
	fflush(stdout);
}

static CUfunction find_kernel(const struct bench *b, const char *name)
{
	CUfunction kernel;
	CUresult result = cuModuleGetFunction(&kernel, b->module, name);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: kernel %s is not in the PTX file\n", b->name, name);
		bench_check(result, "cuModuleGetFunction", __FILE__, __LINE__);
	}
	return kernel;
}

CUdeviceptr bench_variable(const struct bench *b, const char *name, size_t size)
{
	CUdeviceptr p;
	size_t has;
	CUresult result = cuModuleGetGlobal(&p, &has, b->module, name);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: variable %s is not in the PTX file\n", b->name, name);
		bench_check(result, "cuModuleGetGlobal", __FILE__, __LINE__);
	}
	if (has < size)
		bench_die("%s: variable %s has %zu bytes, not %zu", b->name, name, has, size);
	return p;
}

unsigned bench_ctas(const struct bench *b, size_t threads, unsigned cta)
{
	size_t ctas = (threads + cta - 1) / cta;
	int max = 0;

	CHECK(cuDeviceGetAttribute(&max, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, b->device));
	if (ctas > (size_t)max)
		bench_die("%s: %zu CTAs are more than the %d that this device launches at once", b->name,
			ctas, max);
	return (unsigned)ctas;
}

void bench_launch_shared(const struct bench *b, const char *kernel, struct bench_dim grid,
	struct bench_dim cta, unsigned shared_bytes, void **args)
{
	CHECK(cuLaunchKernel(find_kernel(b, kernel), grid.x, grid.y, grid.z, cta.x, cta.y, cta.z,
		shared_bytes, NULL, args, NULL));
}

void bench_launch(
	const struct bench *b, const char *kernel, struct bench_dim grid, struct bench_dim cta, void **args)
{
	bench_launch_shared(b, kernel, grid, cta, 0, args);
}

void bench_launch_1d(const struct bench *b, const char *kernel, size_t threads, unsigned cta, void **args)
{
	bench_launch(b, kernel, DIM(bench_ctas(b, threads, cta)), DIM(cta), args);
}

void bench_launch_2d(const struct bench *b, const char *kernel, size_t width, size_t height,
	struct bench_dim cta, void **args)
{
	bench_launch(b, kernel, DIM(bench_ctas(b, width, cta.x), bench_ctas(b, height, cta.y)), cta, args);
}

void bench_start(struct bench *b)
{
	CHECK(cuEventRecord(b->start, NULL));
}

void bench_stop(struct bench *b)
{
	float ms = 0.0f;

	CHECK(cuEventRecord(b->stop, NULL));
	CHECK(cuEventSynchronize(b->stop));
	CHECK(cuEventElapsedTime(&ms, b->start, b->stop));
	b->ms += ms;
}

int bench_end(struct bench *b)
{
	if (b->broken > b->comparisons) {
		fprintf(stderr, "%s: --break-reference %u: there are only %u comparisons\n", b->name,
			b->broken, b->comparisons);
		exit(2);
	}
	if (!b->compared && !*b->failure)
		snprintf(b->failure, sizeof b->failure, "nothing was compared");
	for (size_t i = 0; i < b->on_device_count; i++)
		CHECK(cuMemFree(b->on_device[i]));
	for (size_t i = 0; i < b->host_count; i++)
		free(b->host[i]);
	free(b->on_device);
	free(b->host);
	CHECK(cuEventDestroy(b->start));
	CHECK(cuEventDestroy(b->stop));
	CHECK(cuModuleUnload(b->module));
	CHECK(cuDevicePrimaryCtxRelease(b->device));
	printf("%s: kernel time %.6f ms, %llu values compared, %zu KB allocated on the device\n", b->name,
		b->ms, b->compared, (bench_device_bytes() + 1023) / 1024);
	printf("%s: %s: %s%s\n", b->name, b->work, *b->failure ? "FAIL: " : "PASS", b->failure);
	return *b->failure ? 1 : 0;
}
