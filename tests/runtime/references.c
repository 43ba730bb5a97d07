/* tests/runtime/references.c -- texture and surface references as nvcc's generated code until CUDA 11
 * registers them, in C and without a header: linear memory, rows with a pitch, an array that is filtered,
 * bytes read as fractions, a surface; memory bound anew; what is wrong. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	unsigned int x, y, z;
} dim3;
struct channels {
	int x, y, z, w, kind;
};
struct reference {
	int normalized, filter, address[3];
	struct channels channels;
	int is_srgb;
	unsigned int anisotropy;
	int level_filter;
	float bias, least, most;
	int trilinear, reserved[14];
};

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads,
	void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
	int dimensions, int reads_normalized, int is_extern);
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name,
	int dimensions, int is_extern);
int cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **arguments, size_t shared, void *stream);
int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocArray(void **array, const struct channels *c, size_t width, size_t height, unsigned int flags);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpy2DToArray(void *array, size_t x, size_t y, const void *from, size_t pitch, size_t width,
	size_t height, int kind);
int cudaMemcpy2DFromArray(
	void *to, size_t pitch, const void *array, size_t x, size_t y, size_t width, size_t height, int kind);
int cudaBindTexture(
	size_t *offset, const struct reference *r, const void *p, const struct channels *c, size_t bytes);
int cudaBindTexture2D(size_t *offset, const struct reference *r, const void *p, const struct channels *c,
	size_t width, size_t height, size_t pitch);
int cudaBindTextureToArray(const struct reference *r, const void *array, const struct channels *c);
int cudaBindSurfaceToArray(const void *r, const void *array, const struct channels *c);
int cudaUnbindTexture(const struct reference *r);
int cudaGetTextureAlignmentOffset(size_t *offset, const struct reference *r);
int cudaGetTextureReference(const struct reference **r, const void *symbol);
int cudaGetLastError(void);
int cudaDeviceSynchronize(void);

enum {
	TO_DEVICE = 1,
	TO_HOST = 2,
	SIGNED = 0,
	UNSIGNED = 1,
	FLOAT = 2,
	INVALID_VALUE = 1,
	INVALID_TEXTURE = 18
};

static const char text[] =
	".version 4.0\n.target sm_30\n.address_size 64\n"
	".visible .global .texref line;\n.visible .global .texref image;\n.visible .global .texref bytes;\n"
	".visible .global .surfref canvas;\n"
	/* out[i] = line[i], line at (x, y) of the image, of the bytes; canvas[i] = i */
	".visible .entry read(.param .u64 out, .param .f32 x, .param .f32 y)\n{\n"
	".reg .f32 %f<12>;\n.reg .b32 %r<6>;\n.reg .b64 %d<4>;\n"
	"ld.param.u64 %d0, [out];\nld.param.f32 %f0, [x];\nld.param.f32 %f1, [y];\nmov.u32 %r0, %tid.x;\n"
	"tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [line, {%r0}];\n"
	"tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [image, {%f0, %f1}];\n"
	"tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [bytes, {%r0}];\n"
	"mul.wide.u32 %d1, %r0, 12;\nadd.u64 %d0, %d0, %d1;\n"
	"st.global.f32 [%d0], %f2;\nst.global.f32 [%d0+4], %f3;\nst.global.f32 [%d0+8], %f4;\n"
	"shl.b32 %r1, %r0, 2;\nmov.u32 %r2, 0;\nsust.b.2d.b32.trap [canvas, {%r1, %r2}], {%r0};\nret;\n}\n";

static struct reference line, image = { .normalized = 1, .filter = 1, .address = { 1, 1, 1 } }, bytes, other;
static char canvas;
static int failures;
static void read_all(void)
{
}

#define IS(result, call) is((result), (call), #call, __LINE__)
static void is(int want, int got, const char *call, int line_of)
{
	if (want == got)
		return;
	printf("line %d: %s gives %d, not %d\n", line_of, call, got, want);
	failures++;
}

static void launch(float *host, void *out, float x, float y)
{
	void *arguments[] = { &out, &x, &y };
	const dim3 one = { 1, 1, 1 }, eight = { 8, 1, 1 };

	IS(0, cudaLaunchKernel((const void *)read_all, one, eight, arguments, 0, NULL));
	IS(0, cudaDeviceSynchronize());
	IS(0, cudaMemcpy(host, out, 96, TO_HOST));
}

int main(void)
{
	const struct channels f = { 32, 0, 0, 0, FLOAT }, u8 = { 8, 0, 0, 0, UNSIGNED },
			      s32 = { 32, 0, 0, 0, SIGNED };
	const struct reference *found;
	float numbers[24], pixels[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, got[24];
	unsigned char small[8] = { 0, 51, 102, 153, 204, 255, 255, 0 };
	int drawn[8];
	void *memory, *out, *octets, *array, *surface, *rows, **binary = __cudaRegisterFatBinary(text);
	size_t offset = 9;

	__cudaRegisterFunction(
		binary, (const char *)read_all, NULL, "read", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterTexture(binary, &line, NULL, "line", 1, 0, 0);
	__cudaRegisterTexture(binary, &image, NULL, "image", 2, 0, 0);
	__cudaRegisterTexture(binary, &bytes, NULL, "bytes", 1, 1, 0);
	__cudaRegisterSurface(binary, &canvas, NULL, "canvas", 2, 0);
	for (int i = 0; i < 24; i++)
		numbers[i] = (float)(10 * i);
	IS(0, cudaMalloc(&memory, sizeof numbers));
	IS(0, cudaMalloc(&out, 96));
	IS(0, cudaMalloc(&octets, 8));
	IS(0, cudaMalloc(&rows, 1024));
	IS(0, cudaMallocArray(&array, &f, 4, 2, 0));
	IS(0, cudaMallocArray(&surface, &s32, 8, 1, 2));
	IS(0, cudaMemcpy(memory, numbers, sizeof numbers, TO_DEVICE));
	IS(0, cudaMemcpy(octets, small, sizeof small, TO_DEVICE));
	IS(0, cudaMemcpy2DToArray(array, 0, 0, pixels, 16, 16, 2, TO_DEVICE));
	IS(0, cudaBindTexture(&offset, &line, memory, &f, UINT32_MAX));
	IS(0, (int)offset);
	IS(0, cudaBindTexture(NULL, &bytes, octets, &u8, 8));
	IS(0, cudaBindTextureToArray(&image, array, &f));
	IS(0, cudaBindSurfaceToArray(&canvas, surface, &s32));
	launch(got, out, 0.5f, 0.5f); /* between four pixels */
	for (int i = 0; i < 8; i++)
		if (got[3 * i] != 10.0f * (float)i || got[3 * i + 1] != 3.5f ||
			got[3 * i + 2] != (float)small[i] / 255.0f)
			IS(0, 1);
	IS(0, cudaMemcpy2DFromArray(drawn, 32, surface, 0, 0, 32, 1, TO_HOST));
	for (int i = 0; i < 8; i++)
		IS(i, drawn[i]);
	/* bound anew, with other wishes */
	IS(0, cudaMemcpy(rows, pixels, 16, TO_DEVICE));
	IS(0, cudaMemcpy((char *)rows + 512, pixels + 4, 16, TO_DEVICE));
	image.normalized = image.filter = 0;
	IS(0, cudaBindTexture2D(&offset, &image, rows, &f, 4, 2, 512));
	IS(0, cudaBindTexture(NULL, &line, (char *)memory + 32 * 0 + 0, &f, 48));
	launch(got, out, 2.5f, 1.5f);
	IS(1, got[1] == 6);
	IS(1, got[0] == 0 && got[3 * 7] == 70);
	IS(0, cudaGetTextureAlignmentOffset(&offset, &image));
	IS(0, cudaGetTextureReference(&found, &image));
	IS(1, found == &image);
	IS(0, cudaUnbindTexture(&image));
	IS(INVALID_TEXTURE, cudaBindTextureToArray(&other, array, &f));
	IS(INVALID_VALUE, cudaBindTexture(NULL, &line, memory, NULL, 8));
	cudaGetLastError();
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
