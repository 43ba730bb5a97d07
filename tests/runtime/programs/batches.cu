// Advice on managed memory asked for, copies in batches, memory of graphs, limits of the L2: values by hand.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#define CK(c) do { auto r = (c); if (r) { printf("line %d: %d %s\n", __LINE__, (int)r, #c); bad = 1; } } while (0)
#define EQ(a, b) do { long long x_ = (a), y_ = (b); if (x_ != y_) { printf("line %d: %s is %lld, not %lld\n", __LINE__, #a, x_, y_); bad = 1; } } while (0)
int main() {
  int bad = 0, v = 7, list[3];
  cudaDeviceProp p; CK(cudaGetDeviceProperties(&p, 0));
  printf("shared %zu optin %zu sm %zu reserved %zu persisting %d window %d engines %d\n", p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor, p.reservedSharedMemPerBlock, p.persistingL2CacheMaxSize, p.accessPolicyMaxWindowSize, p.asyncEngineCount);
  char *m; CK(cudaMallocManaged(&m, 1 << 20));
  CUdeviceptr d = (CUdeviceptr)m;
  CK(cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, d, 4096)); EQ(v, 0);
  CK(cuMemRangeGetAttribute(&v, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, d, 4096)); EQ(v, -2);
  cudaMemLocation dev = { cudaMemLocationTypeDevice, 0 }, host = { cudaMemLocationTypeHost, 0 };
  CK(cudaMemAdvise(m, 8192, cudaMemAdviseSetReadMostly, dev));
  CK(cudaMemAdvise(m + 4096, 4096, cudaMemAdviseUnsetReadMostly, dev));
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, m, 4096)); EQ(v, 1);
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, m, 8192)); EQ(v, 0);
  CK(cudaMemAdvise(m + 4096, 4096, cudaMemAdviseSetReadMostly, dev));
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, m, 8192)); EQ(v, 1);
  CK(cudaMemAdvise(m, 8192, cudaMemAdviseSetPreferredLocation, host));
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributePreferredLocation, m, 8192)); EQ(v, -1);
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributePreferredLocation, m, 12288)); EQ(v, -2);
  CK(cudaMemAdvise(m, 8192, cudaMemAdviseSetAccessedBy, dev));
  CK(cudaMemRangeGetAttribute(list, 12, cudaMemRangeAttributeAccessedBy, m, 8192)); EQ(list[0], 0); EQ(list[1], -2); EQ(list[2], -2);
  CK(cudaMemPrefetchAsync(m, 1 << 20, dev, 0, 0));
  void *data[2] = { &v, list }; size_t sizes[2] = { 4, 4 };
  cudaMemRangeAttribute which[2] = { cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributeReadMostly };
  CK(cudaMemRangeGetAttributes(data, sizes, which, 2, m, 8192)); EQ(v, 0); EQ(list[0], 1);
  EQ(cudaMemRangeGetAttribute(&v, 8, cudaMemRangeAttributeReadMostly, m, 4096), cudaErrorInvalidValue);
  EQ(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, &v, 4096), cudaErrorInvalidValue);
  CK(cudaFree(m));
  CK(cudaMallocManaged(&m, 1 << 20));
  CK(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, m, 4096)); EQ(v, 0);
  /* batches */
  cudaStream_t s; CK(cudaStreamCreate(&s));
  char a[300], b[300], *g; for (int i = 0; i < 300; i++) { a[i] = (char)i; b[i] = 0; }
  CK(cudaMalloc(&g, 300));
  void *to[3] = { g, g + 100, g + 200 }; const void *from[3] = { a, a + 100, a + 200 }; size_t n[3] = { 100, 100, 100 };
  cudaMemcpyAttributes at = { cudaMemcpySrcAccessOrderStream, {}, {}, 0 }; size_t first = 0;
  CK(cudaMemcpyBatchAsync(to, from, n, 3, &at, &first, 1, s));
  void *back[1] = { b }; const void *gg[1] = { g }; size_t all[1] = { 300 };
  CK(cudaMemcpyBatchAsync(back, gg, all, 1, &at, &first, 1, s));
  CK(cudaStreamSynchronize(s)); EQ(memcmp(a, b, 300), 0);
  EQ(cudaMemcpyBatchAsync(to, from, n, 3, &at, &first, 1, 0), cudaErrorInvalidValue);
  at.srcAccessOrder = (cudaMemcpySrcAccessOrder)0;
  EQ(cudaMemcpyBatchAsync(to, from, n, 3, &at, &first, 1, s), cudaErrorInvalidValue);
  /* boxes: 5 x 4 elements of an array of floats */
  cudaArray_t arr; cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(); CK(cudaMallocArray(&arr, &f, 8, 8));
  float x[32], y[20]; for (int i = 0; i < 32; i++) x[i] = i;
  cudaMemcpy3DBatchOp op[2] = {};
  op[0].src.type = cudaMemcpyOperandTypePointer; op[0].src.op.ptr.ptr = x; op[0].src.op.ptr.rowLength = 8;
  op[0].dst.type = cudaMemcpyOperandTypeArray; op[0].dst.op.array.array = arr; op[0].dst.op.array.offset = { 2, 1, 0 };
  op[0].extent = { 5, 4, 1 }; op[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  op[1].dst.type = cudaMemcpyOperandTypePointer; op[1].dst.op.ptr.ptr = y;
  op[1].src = op[0].dst; op[1].extent = { 5, 4, 1 }; op[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CK(cudaMemcpy3DBatchAsync(2, op, 0, s)); CK(cudaStreamSynchronize(s));
  for (int i = 0; i < 20; i++) EQ((long long)y[i], i / 5 * 8 + i % 5);
  op[0].extent.width = 0;
  EQ(cudaMemcpy3DBatchAsync(2, op, 0, s), cudaErrorInvalidValue);
  /* the rest */
  EQ(cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
  unsigned long long bytes = 1; CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes)); EQ(bytes, 0);
  cudaGraph_t gr; CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); void *q; CK(cudaMallocAsync(&q, 4096, s)); CK(cudaFreeAsync(q, s)); CK(cudaStreamEndCapture(s, &gr));
  CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes)); EQ(bytes >= 4096, 1);
  CK(cudaGraphDestroy(gr)); CK(cudaDeviceGraphMemTrim(0));
  CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes)); EQ(bytes, 0);
  bytes = 0; CK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  CK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes)); EQ(bytes, 0);
  CK(cudaCtxResetPersistingL2Cache());
  CK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, p.persistingL2CacheMaxSize));
  EQ(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)p.persistingL2CacheMaxSize + 1), cudaErrorInvalidValue);
  cudaArrayMemoryRequirements need; EQ(cudaArrayGetMemoryRequirements(&need, arr, 0), cudaErrorInvalidValue);
  printf(bad ? "FAIL\n" : "PASS\n"); return bad;
}
