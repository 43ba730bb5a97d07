/* tests/host/device/error_codes/driver_textures.c -- cases: arrays, textures, surfaces and tensor maps. */
#include "driver.h"

static char host[8192];

void array_cases(void)
{
	CUDA_ARRAY_DESCRIPTOR good = { 16, 16, CU_AD_FORMAT_FLOAT, 1 },
			      three = { 16, 16, CU_AD_FORMAT_FLOAT, 3 },
			      none = { 0, 16, CU_AD_FORMAT_FLOAT, 1 },
			      odd = { 16, 16, (CUarray_format)99, 1 },
			      huge = { 1 << 20, 1 << 20, CU_AD_FORMAT_FLOAT, 1 }, got;
	CUDA_ARRAY3D_DESCRIPTOR cube = { 16, 16, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP },
				skew = { 16, 8, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP },
				six = { 16, 16, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP },
				layers = { 16, 0, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED },
				flat = { 16, 0, 4, CU_AD_FORMAT_FLOAT, 1, 0 },
				flags = { 16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0x4000000 }, got3;
	CUarray array = NULL, other, level;
	CUmipmappedArray mipmap;

	open_device();
	CASE(cuArrayCreate(NULL, &good));
	CASE(cuArrayCreate(&array, NULL));
	CASE(cuArrayCreate(&other, &three));
	CASE(cuArrayCreate(&other, &none));
	CASE(cuArrayCreate(&other, &odd));
	CASE(cuArrayCreate(&other, &huge));
	NEEDS(cuArrayCreate(&array, &good));
	CASE(cuArrayGetDescriptor(NULL, array));
	CASE(cuArrayGetDescriptor(&got, NULL));
	CASE(cuArray3DGetDescriptor(&got3, array));
	VALUE(0, got3.Depth);
	CASE(cuArray3DCreate(&other, &cube));
	CASE(cuArray3DCreate(&other, &skew));
	CASE(cuArray3DCreate(&other, &six));
	CASE(cuArray3DCreate(&other, &layers));
	CASE(cuArray3DCreate(&other, &flat));
	CASE(cuArray3DCreate(&other, &flags));
	CASE(cuMipmappedArrayCreate(&mipmap, &six, 0));
	CASE(cuMipmappedArrayCreate(&mipmap, &six, 99));
	NEEDS(cuMipmappedArrayCreate(&mipmap, &six, 3));
	CASE(cuMipmappedArrayGetLevel(&level, mipmap, 3));
	CASE(cuMipmappedArrayGetLevel(&level, mipmap, 2));
	CASE(cuMipmappedArrayGetLevel(NULL, mipmap, 0));
	CASE(cuArrayDestroy(level));
	CASE(cuMemcpyHtoA(array, 0, host, 1024));
	CASE(cuMemcpyHtoA(array, 4, host, 1024));
	CASE(cuMemcpyHtoA(array, 0, host, 1025));
	CASE(cuMemcpyHtoA(NULL, 0, host, 4));
	CASE(cuMemcpyAtoH(host, array, 1020, 8));
	CASE(cuMemcpyDtoA(array, 0, memory, 64));
	CASE(cuMemcpyDtoA(array, 0, 0, 64));
	CASE(cuMemcpyAtoA(array, 0, array, 512, 64));
	CASE(cuMipmappedArrayDestroy(mipmap));
	CASE(cuArrayDestroy(array));
	CASE(cuArrayDestroy(NULL));
}

void texture_cases(void)
{
	CUDA_ARRAY_DESCRIPTOR plain = { 16, 16, CU_AD_FORMAT_FLOAT, 1 };
	CUDA_RESOURCE_DESC linear = { .resType = CU_RESOURCE_TYPE_LINEAR },
			   image = { .resType = CU_RESOURCE_TYPE_ARRAY }, odd = { 0 },
			   pitched = { .resType = CU_RESOURCE_TYPE_PITCH2D }, shifted, got;
	CUDA_TEXTURE_DESC texture = { .filterMode = CU_TR_FILTER_MODE_POINT },
			  smooth = { .filterMode = CU_TR_FILTER_MODE_LINEAR },
			  wrong = { .filterMode = (CUfilter_mode)9 },
			  mode = { .addressMode = { (CUaddress_mode)9 } };
	CUDA_RESOURCE_VIEW_DESC view = { .format = CU_RES_VIEW_FORMAT_UINT_1X32, .width = 16, .height = 16 },
				small = { .format = CU_RES_VIEW_FORMAT_UINT_1X8, .width = 16, .height = 16 };
	CUDA_ARRAY3D_DESCRIPTOR bare = { 16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
	CUtexObject object;
	CUsurfObject surface;
	CUarray array, other;
	CUtexref reference;

	open_device();
	NEEDS(cuArrayCreate(&array, &plain));
	linear.res.linear.devPtr = memory;
	linear.res.linear.format = CU_AD_FORMAT_FLOAT;
	linear.res.linear.numChannels = 1;
	linear.res.linear.sizeInBytes = 4096;
	pitched.res.pitch2D.devPtr = memory;
	pitched.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
	pitched.res.pitch2D.numChannels = 1;
	pitched.res.pitch2D.width = pitched.res.pitch2D.height = 4;
	pitched.res.pitch2D.pitchInBytes = 20;
	image.res.array.hArray = array;
	odd.resType = (CUresourcetype)9;
	shifted = linear;
	shifted.res.linear.devPtr = memory + 4;
	CASE(cuTexObjectCreate(NULL, &linear, &texture, NULL));
	CASE(cuTexObjectCreate(&object, NULL, &texture, NULL));
	CASE(cuTexObjectCreate(&object, &linear, NULL, NULL));
	CASE(cuTexObjectCreate(&object, &odd, &texture, NULL));
	CASE(cuTexObjectCreate(&object, &shifted, &texture, NULL));
	CASE(cuTexObjectCreate(&object, &pitched, &texture, NULL));
	CASE(cuTexObjectCreate(&object, &linear, &smooth, NULL));
	CASE(cuTexObjectCreate(&object, &image, &wrong, NULL));
	CASE(cuTexObjectCreate(&object, &image, &mode, NULL));
	CASE(cuTexObjectCreate(&object, &image, &texture, &small));
	CASE(cuTexObjectCreate(&object, &image, &texture, &view));
	CASE(cuTexObjectCreate(&object, &linear, &texture, &view));
	NEEDS(cuTexObjectCreate(&object, &linear, &texture, NULL));
	CASE(cuTexObjectGetResourceDesc(NULL, object));
	CASE(cuTexObjectGetResourceDesc(&got, object));
	CASE(cuTexObjectGetResourceViewDesc(&view, object));
	CASE(cuTexObjectGetResourceDesc(&got, 0x12345));
	CASE(cuTexObjectDestroy(object));
	CASE(cuTexObjectDestroy(object));
	CASE(cuTexObjectDestroy(0));
	CASE(cuSurfObjectCreate(NULL, &image));
	CASE(cuSurfObjectCreate(&surface, &linear));
	CASE(cuSurfObjectCreate(&surface, &image));
	NEEDS(cuArray3DCreate(&other, &bare));
	image.res.array.hArray = other;
	CASE(cuSurfObjectCreate(&surface, &image));
	CASE(cuSurfObjectDestroy(surface));
	CASE(cuSurfObjectDestroy(0));
	CASE(cuTexRefCreate(NULL));
	NEEDS(cuTexRefCreate(&reference));
	CASE(cuTexRefSetFormat(reference, CU_AD_FORMAT_FLOAT, 3));
	CASE(cuTexRefSetFormat(reference, (CUarray_format)99, 1));
	CASE(cuTexRefSetAddressMode(reference, 3, CU_TR_ADDRESS_MODE_WRAP));
	CASE(cuTexRefSetFilterMode(reference, (CUfilter_mode)9));
	CASE(cuTexRefSetArray(reference, NULL, CU_TRSA_OVERRIDE_FORMAT));
	CASE(cuTexRefSetArray(reference, array, 0));
	CASE(cuTexRefSetArray(reference, array, CU_TRSA_OVERRIDE_FORMAT));
	CASE(cuTexRefSetFlags(reference, 0x1000));
	CASE(cuTexRefSetMaxAnisotropy(reference, 99));
	CASE(cuTexRefDestroy(reference));
	CASE(cuTexRefDestroy(NULL));
}

/* A call with one thing changed: the tensor is 64 x 64 floats, the tile 16 x 16. */
struct tensor {
	CUtensorMapDataType type;
	unsigned rank;
	void *address;
	cuuint64_t sizes[5], strides[4];
	cuuint32_t box[5], steps[5];
	CUtensorMapInterleave interleave;
	CUtensorMapSwizzle swizzle;
	CUtensorMapL2promotion promotion;
	CUtensorMapFloatOOBfill fill;
};

static CUtensorMap map;

static CUresult encode(const struct tensor *t)
{
	return cuTensorMapEncodeTiled(&map, t->type, t->rank, t->address, t->sizes, t->strides, t->box,
		t->steps, t->interleave, t->swizzle, t->promotion, t->fill);
}

static struct tensor usual(void)
{
	return (struct tensor){ CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)memory, { 64, 64, 4, 2, 2 },
		{ 256, 16384, 65536, 131072 }, { 16, 16, 1, 1, 1 }, { 1, 1, 1, 1, 1 },
		CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
		CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE };
}

#define WITH(...) \
	(case_begins("tensor with " #__VA_ARGS__) \
			? (t = usual(), (void)(__VA_ARGS__), case_gives(code_name((int)encode(&t)))) \
			: (void)0)

static void tile_cases(void)
{
	struct tensor t;

	WITH(0);
	WITH(t.type = (CUtensorMapDataType)99);
	WITH(t.rank = 0);
	WITH(t.rank = 1);
	WITH(t.rank = 3);
	WITH(t.rank = 5);
	WITH(t.rank = 6);
	WITH(t.address = NULL);
	WITH(t.address = (char *)t.address + 8);
	WITH(t.address = (char *)t.address + 16);
	WITH(t.address = host);
	WITH(t.address = (void *)0x123450000);
	WITH(t.sizes[0] = 0);
	WITH(t.sizes[1] = 0);
	WITH(t.sizes[1] = (cuuint64_t)1 << 32);
	WITH(t.sizes[1] = ((cuuint64_t)1 << 32) + 1);
	WITH(t.strides[0] = 0);
	WITH(t.strides[0] = 252);
	WITH(t.strides[0] = 260);
	WITH(t.strides[0] = 240);
	WITH(t.strides[0] = 272);
	WITH(t.strides[0] = (cuuint64_t)1 << 40);
	WITH(t.strides[0] = ((cuuint64_t)1 << 40) - 16);
	WITH(t.rank = 3, t.strides[1] = 128);
	WITH(t.box[0] = 0);
	WITH(t.box[0] = 1);
	WITH(t.box[0] = 2);
	WITH(t.box[0] = 4);
	WITH(t.box[0] = 256);
	WITH(t.box[0] = 257);
	WITH(t.box[1] = 256);
	WITH(t.box[0] = 256, t.box[1] = 256);
	WITH(t.box[1] = 257);
	WITH(t.box[1] = 128);
	WITH(t.steps[0] = 0);
	WITH(t.steps[0] = 2);
	WITH(t.steps[1] = 8);
	WITH(t.steps[1] = 9);
	WITH(t.steps[1] = 0);
	WITH(t.promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
	WITH(t.promotion = (CUtensorMapL2promotion)9);
	WITH(t.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
	WITH(t.fill = (CUtensorMapFloatOOBfill)9);
	WITH(t.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
		t.type = CU_TENSOR_MAP_DATA_TYPE_INT32);
}

static void layout_cases(void)
{
	struct tensor t;

	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B, t.box[0] = 8);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_64B);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_128B);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_128B, t.box[0] = 32);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_128B, t.box[0] = 36);
	WITH(t.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
	WITH(t.swizzle = (CUtensorMapSwizzle)99);
	WITH(t.interleave = (CUtensorMapInterleave)9);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_16B);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_16B, t.rank = 3);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_16B, t.rank = 3, t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_32B, t.rank = 3, t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_32B, t.rank = 3);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_32B, t.rank = 3, t.strides[0] = 272,
		t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_32B, t.rank = 3, t.swizzle = CU_TENSOR_MAP_SWIZZLE_32B,
		t.address = (char *)t.address + 16);
	WITH(t.interleave = CU_TENSOR_MAP_INTERLEAVE_NONE, t.steps[0] = 3);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8, t.box[0] = 24);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64, t.strides[0] = 512);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B);
	WITH(t.type = CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B);
}

void tensor_cases(void)
{
	struct tensor t;

	open_device();
	t = usual();
	tile_cases();
	layout_cases();
	CASE(cuTensorMapEncodeTiled(
		NULL, t.type, 2, t.address, t.sizes, t.strides, t.box, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled((CUtensorMap *)((char *)&map + 16), t.type, 2, t.address, t.sizes,
		t.strides, t.box, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled(&map, t.type, 2, t.address, NULL, t.strides, t.box, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled(&map, t.type, 2, t.address, t.sizes, NULL, t.box, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled(&map, t.type, 1, t.address, t.sizes, NULL, t.box, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled(
		&map, t.type, 2, t.address, t.sizes, t.strides, NULL, t.steps, 0, 0, 0, 0));
	CASE(cuTensorMapEncodeTiled(&map, t.type, 2, t.address, t.sizes, t.strides, t.box, NULL, 0, 0, 0, 0));
	CASE(encode(&t));
	CASE(cuTensorMapReplaceAddress(NULL, (void *)memory));
	CASE(cuTensorMapReplaceAddress(&map, NULL));
	CASE(cuTensorMapReplaceAddress(&map, (void *)(memory + 8)));
	CASE(cuTensorMapReplaceAddress(&map, (void *)(memory + 16)));
}
