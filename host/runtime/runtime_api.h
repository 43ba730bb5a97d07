/* host/runtime/runtime_api.h -- types of the CUDA runtime API as programs are compiled with them: layouts and
 * values are those of the real API (CUDA 13; where older versions differ, it is said). */
#ifndef HOST_RUNTIME_RUNTIME_API_H
#define HOST_RUNTIME_RUNTIME_API_H

#include "host/cuda.h"

/* Both forms of a call that has a default stream: with the legacy one, and with the thread's own, for
 * programs compiled with --default-stream per-thread. Files in stream/ are compiled for each. */
#define PTSZ(name) LOCKSTEP_PTSZ(name)
#define PTDS(name) LOCKSTEP_PTDS(name)

typedef int cudaError_t; /* errors.def */
enum {
#define RUNTIME_ERROR(code, name, text) name = code,
#include "host/runtime/errors.def"
#undef RUNTIME_ERROR
};

typedef CUstream cudaStream_t;
typedef CUevent cudaEvent_t;
typedef CUkernel cudaKernel_t;

typedef struct {
	unsigned int x, y, z;
} dim3;

enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered,
	cudaMemoryTypeHost,
	cudaMemoryTypeDevice,
	cudaMemoryTypeManaged
};

struct cudaPointerAttributes {
	enum cudaMemoryType type;
	int device;
	void *devicePointer, *hostPointer;
	/* CUDA 13 has reserved words behind it, which are not written: programs of earlier versions have not
	 */
};

/* Up to preferredShmemCarveout in CUDA 11, with reserved words behind it from CUDA 12 on. */
struct cudaFuncAttributes {
	size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
	int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
		preferredShmemCarveout;
};

typedef struct {
	dim3 gridDim, blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	CUlaunchAttribute *attrs; /* cudaLaunchAttribute has the driver's layout and values */
	unsigned int numAttrs;
} cudaLaunchConfig_t;

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *user);
typedef void (*cudaHostFn_t)(void *user);

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};
struct cudaExtent {
	size_t width, height, depth;
};
struct cudaPos {
	size_t x, y, z;
};

/* -- arrays and textures -- */

typedef CUarray cudaArray_t;
typedef CUmipmappedArray cudaMipmappedArray_t;

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned,
	cudaChannelFormatKindUnsigned,
	cudaChannelFormatKindFloat,
	cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
	int x, y, z, w; /* bits; 0: there is no such channel */
	enum cudaChannelFormatKind f;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};

struct cudaResourceDesc {
	int resType; /* as CUresourcetype */
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			cudaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
		/* CUDA 13 has reserved words here, which are neither read nor written: earlier versions have
		 * not */
	} res;
};

struct cudaTextureDesc {
	int addressMode[3]; /* as CUaddress_mode */
	int filterMode;     /* as CUfilter_mode */
	int readMode;       /* 0: the element's type, 1: normalised to floating point */
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	int mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int seamlessCubemap; /* from CUDA 12 on */
};

struct cudaResourceViewDesc {
	int format; /* as CUresourceViewFormat */
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#endif
