/* 3mm -- G = (A B) (C D): A ni by nk, B nk by nj, C nj by nm, D nm by nl, in three kernels, naive as in
 * PolyBench/GPU. The memory behaviour stands at the product. */
#include "../product.h"

extern "C" __global__ void mm3_1(const float *a, const float *b, float *e, int ni, int nj, int nk)
{
	add_product(a, b, e, ni, nj, nk);
}

extern "C" __global__ void mm3_2(const float *c, const float *d, float *f, int nj, int nl, int nm)
{
	add_product(c, d, f, nj, nl, nm);
}

extern "C" __global__ void mm3_3(const float *e, const float *f, float *g, int ni, int nl, int nj)
{
	add_product(e, f, g, ni, nl, nj);
}
