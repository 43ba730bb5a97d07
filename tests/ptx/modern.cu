// Source of the modern_*.ptx here: nvcc -ptx -arch=sm_75 (and sm_90 -lineinfo -rdc=true). They are read by the parser tests.
#include <stdio.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <mma.h>
#include <assert.h>
template<typename T> struct P { T x, y; int n[5]; };
__constant__ float ctab[16] = {1,2,3};
__device__ int gtab[4][2] = {{1,2},{3,4}};
__device__ int *gp = &gtab[1][1];
__device__ const char *str = "hello\n";
__managed__ int man;
__device__ __noinline__ double fn(double x, P<float> p){ return sin(x)*p.x+p.n[threadIdx.x%5]; }
typedef int (*FP)(int);
__device__ __noinline__ int f1(int x){return x+1;} __device__ __noinline__ int f2(int x){return x*3;}
__device__ FP fps[2]={f1,f2};
template<typename T> __global__ void __launch_bounds__(256,2) k(T*a, P<T> p, int n){
 __shared__ T s[256]; extern __shared__ char dyn[];
 int i=threadIdx.x+blockIdx.x*blockDim.x; s[threadIdx.x]=a[i]; __syncthreads();
 if(i<n){ atomicAdd(a+i,(T)1); printf("i %d %f\n",i,(double)s[255-threadIdx.x]); a[i]=p.x+ctab[i&15]+fps[i&1](i)+gtab[i&3][0]+*gp+dyn[i]; }
 unsigned b=__ballot_sync(~0u,i&1); a[i]+=__shfl_xor_sync(~0u,a[i],3)+__popc(b)+fn(i,P<float>{1,2});
 switch(i){case 0:a[1]=2;break;case 1:a[2]=4;break;case 2:a[5]=1;break;case 3:a[9]=1;break;case 4:a[4]=3;break;case 5:a[2]=8;}
 for(int j=0;j<n;j++){ if(a[j]>3) break; a[j]=__ldg(a+j+1);} assert(n>0); man++; __threadfence(); asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p bra L; mov.u32 %0, 1; L: }":"+r"(n)); a[0]=n;
}
template __global__ void k<float>(float*,P<float>,int); template __global__ void k<int>(int*,P<int>,int);
#if __CUDA_ARCH__>=600 || !defined(__CUDA_ARCH__)
template __global__ void k<double>(double*,P<double>,int);
#endif
__global__ void h(__half2*a,__half*b,int n){ int i=threadIdx.x; a[i]=__hfma2(a[i],a[i+1],a[i+2]); b[i]=b[i]*b[i+1]+__float2half(1.5f); int loc[64]; for(int j=0;j<n;j++) loc[(j*7)&63]=j; b[0]=__int2half_rn(loc[n&63]); b[1]=__float2half(tanhf(i)*expf(i)/powf(i,2.5f)); atomicAdd(b+3,b[1]);}
using namespace nvcuda;
__global__ void wm(half*a,half*b,float*c){ wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb; wmma::fragment<wmma::accumulator,16,16,16,float> fc; wmma::fill_fragment(fc,0.f); wmma::load_matrix_sync(fa,a,16); wmma::load_matrix_sync(fb,b,16); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(c,fc,16,wmma::mem_row_major);}
namespace cg=cooperative_groups;
__global__ void cgk(int*a){ auto g=cg::tiled_partition<16>(cg::this_thread_block()); a[g.thread_rank()]=g.shfl_down(a[0],1); }
__global__ void tx(cudaTextureObject_t t, cudaSurfaceObject_t s, float*o){ o[0]=tex2D<float>(t,1.f,2.f)+tex1Dfetch<float>(t,3)+tex3D<float>(t,1,2,3); surf2Dwrite(1.f,s,4,4); o[1]=surf2Dread<float>(s,0,0);}
