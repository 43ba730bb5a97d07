/* 2mm -- E = (A B) D: A ni by nk, B nk by nj, D nj by nl, in two kernels, naive as in PolyBench/GPU. The
 * memory behaviour stands at the product. */
#include "../product.h"

extern "C" __global__ void mm2_1(const float *a, const float *b, float *c, int ni, int nj, int nk)
{
	add_product(a, b, c, ni, nj, nk);
}

extern "C" __global__ void mm2_2(const float *c, const float *d, float *e, int ni, int nl, int nj)
{
	add_product(c, d, e, ni, nl, nj);
}
