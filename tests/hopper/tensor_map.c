/* tests/hopper/tensor_map.c -- where tensor maps may lie, how a kernel changes one or makes one from nothing,
 * and which maps the driver refuses. */
#include "bulk_rig.h"

static struct bulk_rig rig;
static unsigned form_count;

static CUfunction form_of(const char *body)
{
	form_count++;
	return rig_kernel(body);
}

/* A tensor of 40 x 24 words at an offset of global memory, with lines of 192 bytes, and a box of 8 x 6. */
enum { WIDE = 40, HIGH = 24, LINE = 192, ACROSS = 8, DOWN = 6, BYTES = 4 * ACROSS * DOWN };

static CUtensorMap map_at(CUdeviceptr address)
{
	const cuuint64_t sizes[] = { WIDE, HIGH }, strides[] = { LINE };
	const cuuint32_t box[] = { ACROSS, DOWN }, steps[] = { 1, 1 };
	CUtensorMap map;

	must(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)address, sizes, strides,
		     box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
		     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
		"cuTensorMapEncodeTiled");
	return map;
}

/* The box at (x, y) of lines in `memory` from `at` on lies at the beginning of shared memory. */
static void expect_box(uint32_t at, int x, int y, int wide, int high, const char *what)
{
	uint32_t got[ACROSS * DOWN];

	memcpy(got, rig.after[0], sizeof(got));
	for (int j = 0; j < DOWN; j++)
		for (int i = 0; i < ACROSS; i++) {
			uint32_t want = 0;

			if (x + i >= 0 && x + i < wide && y + j >= 0 && y + j < high)
				memcpy(&want, rig.memory + at + (uint32_t)((y + j) * LINE + 4 * (x + i)), 4);
			if (!expect(got[j * ACROSS + i] == want, "%s: element %d, %d is %x, not %x", what, i,
				    j, got[j * ACROSS + i], want))
				return;
		}
}

#define LOAD_BOX(map) \
	RIG_EXPECT("192") \
	"cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$s], [" map \
	", {$a, $b}], [$bar];\n" RIG_WAIT

/* ---- places ---- */

static void try_places(void)
{
	CUtensorMap map = map_at(rig.global + 1024);
	CUdeviceptr constant;
	CUmodule module;
	CUfunction kernel;
	const uint32_t at[4] = { (uint32_t)-3, 20 };

	rig_fill(&rig);
	must(rig_run(&rig, form_of("prefetch.tensormap [$m];\n" LOAD_BOX("$m")), 1, at, &map), "a parameter");
	expect_box(1024, -3, 20, WIDE, HIGH, "a map among the parameters");
	memcpy(rig.memory + 16384, &map, sizeof(map));
	must(rig_run(&rig, form_of("add.u64 $x2, $g, 16384;\n" LOAD_BOX("$x2")), 1, at, NULL),
		"global memory");
	expect_box(1024, -3, 20, WIDE, HIGH, "a map in global memory");
	kernel = rig_kernel_behind(".const .align 64 .b8 here[128];", "",
		"mov.u64 $x2, here; cvta.const.u64 $x2, $x2;\n" LOAD_BOX("$x2"), &module);
	form_count++;
	must(cuModuleGetGlobal(&constant, NULL, module, "here"), "cuModuleGetGlobal");
	must(cuMemcpyHtoD(constant, &map, sizeof(map)), "the constant");
	must(rig_run(&rig, kernel, 1, at, NULL), "constant memory");
	expect_box(1024, -3, 20, WIDE, HIGH, "a map in constant memory");
}

/* ---- changes ---- */

/* The map is at $g + 32768. */
#define THROUGH_GLOBAL "add.u64 $x3, $g, 32768;\n"
#define FENCED         "fence.proxy.tensormap::generic.acquire.gpu [$x3], 128;\n"

static void try_replace(
	const char *all, const char *fields, uint32_t at, int x, int y, int wide, int high, const char *what)
{
	static char body[4096];
	CUtensorMap map = map_at(rig.global + 1024);
	CUmodule module;
	const uint32_t numbers[4] = { (uint32_t)x, (uint32_t)y, at };

	rig_fill(&rig);
	memcpy(rig.memory + 32768, &map, sizeof(map));
	snprintf(body, sizeof(body), THROUGH_GLOBAL "cvt.u64.u32 $x1, $c; add.u64 $x1, $g, $x1;\n%s\n" FENCED,
		fields);
	strcat(body, LOAD_BOX("$x3"));
	must(rig_run(&rig, rig_kernel_behind("", all, body, &module), 1, numbers, NULL), what);
	form_count++;
	expect_box(at, x, y, wide, high, what);
}

/* All fields of 128 bytes that were zero, in shared memory, as Triton makes a map; then copied by a warp. */
static void try_from_nothing(void)
{
	static const char fields[] = /* by the first warp, all its lanes */
		"setp.ge.u32 $p3, $t, 32; @$p3 bra MADE; cvt.u64.u32 $x1, $c; add.u64 $x1, $g, $x1; add.u64 "
		"$x3, $g, 32768;\n"
		"add.u32 $y4, $s, 8192; cvt.u64.u32 $x2, $y4; mov.u32 $y5, 0;\n"
		"ZERO: add.u32 $y6, $y4, $y5; st.shared.b32 [$y6], 0; add.u32 $y5, $y5, 4; setp.lt.u32 $p2, "
		"$y5, 128; "
		"@$p2 bra ZERO;\n"
		"tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$y4], $x1;\n"
		"tensormap.replace.tile.rank.shared::cta.b1024.b32 [$y4], 1;\n"
		"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$y4], 0, 8;\n"
		"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$y4], 1, 6;\n"
		"tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$y4], 0, 30;\n"
		"tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$y4], 1, 9;\n"
		"tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$y4], 0, 192;\n"
		"tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$y4], 0, 1;\n"
		"tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$y4], 1, 1;\n"
		"tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$y4], 2;\n"
		"tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [$y4], 0;\n"
		"tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$y4], 0;\n"
		"tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [$y4], 0;\n"
		"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
		"[$x3], [$y4], 128;\nMADE:\n";

	form_count += 8;
	try_replace(fields, "", 2048, 25, 5, 30, 9, "a map from nothing");
}

static void try_changes(void)
{
	try_replace("", "tensormap.replace.tile.global_address.global.b1024.b64 [$x3], $x1;\n", 4096, 3, 2,
		WIDE, HIGH, "another address");
	try_replace("",
		"tensormap.replace.tile.global_address.b1024.b64 [$x3], $x1;\n"
		"tensormap.replace.tile.global_dim.b1024.b32 [$x3], 0, 7;\n",
		4096, 3, 2, 7, HIGH, "a generic address");
	try_replace("", "tensormap.replace.tile.global_dim.global.b1024.b32 [$x3], 1, 5;\n", 1024, 3, 2, WIDE,
		5, "another size");
	try_from_nothing();
}

/* ---- large tensors ---- */

/* Lines 1 GiB apart, the last of them more than 4 GiB from the first. */
static void try_large(void)
{
	const cuuint64_t sizes[] = { 64, 6 }, strides[] = { UINT64_C(1) << 30 };
	const cuuint32_t box[] = { ACROSS, DOWN }, steps[] = { 1, 1 };
	CUfunction kernel = form_of(LOAD_BOX("$m"));
	CUdeviceptr large;
	CUtensorMap map;
	uint32_t got[ACROSS * DOWN];

	must(cuMemAlloc(&large, (UINT64_C(5) << 30) + 4096), "5 GiB");
	for (uint32_t i = 0; i < 6; i++)
		must(cuMemsetD32(large + (i * UINT64_C(1) << 30), 100 + i, 64), "cuMemsetD32");
	must(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, (void *)large, sizes, strides,
		     box, steps, 0, 0, 0, 0),
		"a large tensor");
	must(rig_run(&rig, kernel, 1, (uint32_t[4]){ 60, 0 }, &map), "a large tensor");
	memcpy(got, rig.after[0], sizeof(got));
	for (uint32_t i = 0; i < ACROSS * DOWN; i++)
		expect(got[i] == (i % ACROSS < 4 ? 100 + i / ACROSS : 0), "a large tensor: element %u is %u",
			i, got[i]);
	must(cuMemFree(large), "cuMemFree");
	fact(21, "addresses and strides of a tensor map have more than 32 bits");
}

/* ---- limits ---- */

struct tiled {
	CUtensorMapDataType type;
	cuuint32_t rank, box[5], steps[5];
	cuuint64_t sizes[5], strides[4], address;
	CUtensorMapSwizzle swizzle;
};

static void expect_tiled(struct tiled t, CUresult want, const char *what)
{
	CUtensorMap map;
	CUresult got = cuTensorMapEncodeTiled(&map, t.type, t.rank, (void *)(rig.global + t.address), t.sizes,
		t.strides, t.box, t.steps, 0, t.swizzle, 0, 0);

	expect(got == want, "%s: result %d, not %d", what, got, want);
}

static void try_limits(void)
{
	const struct tiled good = { CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, { 64, 256 }, { 1, 1 }, { 64, 512 },
		{ 128 }, 0, CU_TENSOR_MAP_SWIZZLE_128B };
	struct tiled t = good;
	static uint8_t want[SHARED];
	CUfunction kernel = form_of(
		RIG_EXPECT("32768") "cp.async.bulk.tensor.2d.shared::cta.global.tile."
				    "mbarrier::complete_tx::bytes [$s], [$m, {$a, $b}], [$bar];\n" RIG_WAIT);
	CUtensorMap map;

	expect_tiled(good, CUDA_SUCCESS, "128 bytes x 256");
	t.box[1] = 257;
	expect_tiled(t, CUDA_ERROR_INVALID_VALUE, "a side of 257");
	t = good, t.box[0] = 72;
	expect_tiled(t, CUDA_ERROR_INVALID_VALUE, "longer than the swizzle's span");
	t = good, t.box[0] = 60;
	expect_tiled(t, CUDA_ERROR_INVALID_VALUE, "no multiple of 16 bytes");
	t = good, t.strides[0] = 136;
	expect_tiled(t, CUDA_ERROR_INVALID_VALUE, "a stride of 136");
	t = good, t.address = 8;
	expect_tiled(t, CUDA_ERROR_INVALID_VALUE, "an address of 8");
	must(cuTensorMapEncodeTiled(&map, good.type, 2, (void *)rig.global, good.sizes, good.strides,
		     good.box, good.steps, 0, good.swizzle, 0, 0),
		"the largest box");
	rig_fill(&rig);
	must(rig_run(&rig, kernel, 1, (uint32_t[4]){ 0, 100 }, &map), "the largest box");
	for (uint32_t i = 0; i < SHARED; i++) /* 16-byte chunks by the line's number modulo 8 */
		want[i ^ ((i / 128 % 8) * 16)] = rig.memory[100 * 128 + i];
	rig_same(rig.after[0], want, SHARED, "the largest box");
	fact(23,
		"sides to 256, the inner one within the span, multiples of 16 bytes: 128 bytes x 256 are the "
		"largest box");
}

/* ---- im2col ---- */

static void expect_im2col(
	unsigned rank, int lower, int upper, unsigned channels, unsigned pixels, bool is_right)
{
	const cuuint64_t sizes[] = { 32, 16, 16, 16, 4 }, strides[] = { 64, 1024, 16384, 262144 };
	const cuuint32_t steps[] = { 1, 1, 1, 1, 1 };
	const int low[] = { lower, lower, lower }, high[] = { upper, upper, upper };
	CUtensorMap map;
	CUresult got = cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, rank,
		(void *)rig.global, sizes, strides, low, high, channels, pixels, steps, 0, 0, 0, 0);

	expect(got == (is_right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE),
		"im2col of rank %u, corners %d and %d, %u channels, %u pixels: result %d", rank, lower, upper,
		channels, pixels, got);
}

static void try_im2col(void)
{
	expect_im2col(4, -1, -1, 32, 64, true);
	expect_im2col(2, -1, -1, 32, 64, false);
	expect_im2col(3, -32768, 32767, 32, 1024, true);
	expect_im2col(3, -32769, 0, 32, 64, false);
	expect_im2col(4, -128, 127, 32, 64, true);
	expect_im2col(4, -129, 0, 32, 64, false);
	expect_im2col(4, 0, 128, 32, 64, false);
	expect_im2col(5, -16, 15, 32, 64, true);
	expect_im2col(5, -17, 0, 32, 64, false);
	expect_im2col(4, 0, -16, 32, 64, false); /* an empty box */
	expect_im2col(4, 0, -15, 32, 64, true);
	expect_im2col(4, 0, 0, 512, 64, false);
	expect_im2col(4, 0, 0, 32, 1025, false);
	expect_im2col(4, 0, 0, 4, 64, false); /* 8 bytes */
}

int main(void)
{
	rig_start(&rig);
	try_places();
	try_changes();
	try_large();
	try_limits();
	try_im2col();
	forms(form_count);
	return hopper_end();
}
