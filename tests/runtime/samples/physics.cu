/* Particles, fields and signals, in the shapes of SHOC and Parboil. */
#include "samples.h"
#include <algorithm>
#include <complex>

/* -- forces between neighbours of a list, in the way of molecular dynamics -- */

__global__ void forces(const float4 *at, const int *neighbours, int each, float reach, float4 *force, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float4 me = at[i];
	float3 sum = make_float3(0, 0, 0);
	for (int k = 0; k < each; k++) {
		float4 other = __ldg(&at[neighbours[k * n + i]]);
		float x = me.x - other.x, y = me.y - other.y, z = me.z - other.z, d = x * x + y * y + z * z;
		if (d >= reach || d == 0)
			continue;
		float inverse = 1 / d, six = inverse * inverse * inverse, f = inverse * six * (1.5f * six - 2);
		sum.x += f * x, sum.y += f * y, sum.z += f * z;
	}
	force[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

SAMPLE(molecular_dynamics)
{
	const int n = 700, each = 12;
	std::vector<float4> at(n);
	std::vector<int> neighbours = ints(n * each, n, 5);
	uint32_t seed = 3;

	for (float4 &p : at)
		p = make_float4(draw(seed, 100) / 20.f, draw(seed, 100) / 20.f, draw(seed, 100) / 20.f, 0);
	device_copy<float4> dat(at), dforce((size_t)n);
	device_copy<int> dneighbours(neighbours);
	forces<<<(n + 255) / 256, 256>>>(dat, dneighbours, each, 16, dforce, n);
	std::vector<float4> force = dforce.host();
	for (int i = 0; i < n; i++) {
		double sum[3] = {}, size = 0;
		for (int k = 0; k < each; k++) {
			float4 other = at[neighbours[k * n + i]];
			double v[3] = { at[i].x - other.x, at[i].y - other.y, at[i].z - other.z };
			double d = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
			if (d >= 16 || d == 0)
				continue;
			double f = pow(d, -4) * (1.5 * pow(d, -3) - 2);
			for (int c = 0; c < 3; c++)
				sum[c] += f * v[c], size += fabs(f * v[c]);
		}
		CHECK(fabs(force[i].x - sum[0]) + fabs(force[i].y - sum[1]) + fabs(force[i].z - sum[2]) <=
			1e-4 * (1e-3 + size));
	}
}

/* -- a box of seven points in three dimensions, planes of it in shared memory and registers -- */

template <int X, int Y> __global__ void seven_points(const float *in, float *out, int nx, int ny, int nz)
{
	__shared__ float plane[Y + 2][X + 2];
	int x = blockIdx.x * X + threadIdx.x + 1, y = blockIdx.y * Y + threadIdx.y + 1, tx = threadIdx.x + 1,
	    ty = threadIdx.y + 1, step = nx * ny, at = y * nx + x;
	float below = in[at], here = in[at + step];

	for (int z = 1; z < nz - 1; z++) {
		float above = in[at + (z + 1) * step];
		const float *row = in + z * step;
		__syncthreads();
		plane[ty][tx] = here;
		if (tx == 1)
			plane[ty][0] = row[at - 1];
		if (tx == X)
			plane[ty][X + 1] = row[at + 1];
		if (ty == 1)
			plane[0][tx] = row[at - nx];
		if (ty == Y)
			plane[Y + 1][tx] = row[at + nx];
		__syncthreads();
		out[at + z * step] = 0.1f * (below + above + plane[ty][tx - 1] + plane[ty][tx + 1] +
			plane[ty - 1][tx] + plane[ty + 1][tx]) + 0.4f * here;
		below = here, here = above;
	}
}

SAMPLE(stencil_of_seven_points)
{
	const int nx = 34, ny = 18, nz = 9;
	std::vector<float> in = floats(nx * ny * nz, 21);
	device_copy<float> din(in), dout(in);

	seven_points<16, 8><<<dim3(2, 2), dim3(16, 8)>>>(din, dout, nx, ny, nz);
	std::vector<float> out = dout.host();
	auto p = [&](int x, int y, int z) { return in[(z * ny + y) * nx + x]; };
	for (int z = 1; z < nz - 1; z++)
		for (int y = 1; y < ny - 1; y++)
			for (int x = 1; x < nx - 1; x++)
				CHECK(near(out[(z * ny + y) * nx + x],
					0.1 * (p(x - 1, y, z) + p(x + 1, y, z) + p(x, y - 1, z) + p(x, y + 1, z) +
						p(x, y, z - 1) + p(x, y, z + 1)) + 0.4 * p(x, y, z)));
}

/* -- sums over samples in constant memory, which is filled once for each part of them -- */

struct frequency {
	float x, y, z, weight;
};
__constant__ frequency part[64];

__global__ void add_part(const float3 *at, float2 *sum, int n, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float2 s = sum[i];
	for (int k = 0; k < count; k++) {
		float sine, cosine;
		sincospif(2 * (part[k].x * at[i].x + part[k].y * at[i].y + part[k].z * at[i].z), &sine, &cosine);
		s.x += part[k].weight * cosine, s.y += part[k].weight * sine;
	}
	sum[i] = s;
}

SAMPLE(samples_in_constant_memory)
{
	const int n = 300, count = 150;
	std::vector<frequency> all(count);
	std::vector<float3> at(n);
	uint32_t seed = 8;
	auto one = [&] { return draw(seed, 1000) / 1000.f; };

	for (frequency &f : all)
		f = { one(), one(), one(), one() };
	for (float3 &p : at)
		p = make_float3(one(), one(), one());
	device_copy<float3> dat(at);
	device_copy<float2> dsum((size_t)n);
	for (int k = 0; k < count; k += 64) {
		int now = std::min(64, count - k);
		CUDA(cudaMemcpyToSymbolAsync(part, &all[k], now * sizeof(frequency), 0, cudaMemcpyHostToDevice));
		add_part<<<(n + 127) / 128, 128>>>(dat, dsum, n, now);
	}
	std::vector<float2> sum = dsum.host();
	for (int i = 0; i < n; i++) {
		std::complex<double> wanted;
		for (const frequency &f : all)
			wanted += std::polar((double)f.weight,
				2 * M_PI * ((double)f.x * at[i].x + (double)f.y * at[i].y + (double)f.z * at[i].z));
		CHECK(fabs(sum[i].x - wanted.real()) < 1e-3 && fabs(sum[i].y - wanted.imag()) < 1e-3);
	}
}

/* -- angles between all pairs of points, counted in classes: a search in constant memory, a histogram in
 * shared memory -- */

__constant__ double borders[9];

__global__ void angles(const double3 *at, int n, unsigned *counts)
{
	__shared__ unsigned mine[10];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (threadIdx.x < 10)
		mine[threadIdx.x] = 0;
	__syncthreads();
	for (int j = i + 1; i < n && j < n; j++) {
		double cosine = at[i].x * at[j].x + at[i].y * at[j].y + at[i].z * at[j].z;
		int low = 0, high = 9;
		while (low < high) {
			int middle = (low + high) / 2;
			if (cosine >= borders[middle])
				high = middle;
			else
				low = middle + 1;
		}
		atomicAdd(&mine[low], 1u);
	}
	__syncthreads();
	if (threadIdx.x < 10)
		atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

SAMPLE(angles_in_classes)
{
	const int n = 200;
	std::vector<double3> at(n);
	std::vector<unsigned> wanted(10);
	double border[9];
	uint32_t seed = 77;

	for (int i = 0; i < 9; i++)
		border[i] = cos((i + 1) * M_PI / 10);
	for (double3 &p : at) {
		double a = draw(seed, 1000) * 0.00628, z = draw(seed, 1000) / 500.0 - 1, r = sqrt(1 - z * z);
		p = make_double3(r * cos(a), r * sin(a), z);
	}
	/* every product rounded once, as the kernel's fused operations do */
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			double cosine = at[i].x * at[j].x + at[i].y * at[j].y + at[i].z * at[j].z;
			int k = 0;
			while (k < 9 && cosine < border[k])
				k++;
			wanted[k]++;
		}
	CUDA(cudaMemcpyToSymbol(borders, border, sizeof border));
	device_copy<double3> dat(at);
	device_copy<unsigned> dcounts((size_t)10);
	angles<<<(n + 63) / 64, 64>>>(dat, n, dcounts);
	CHECK(dcounts.host() == wanted);
}

/* -- a gas on a lattice: nine directions, two buffers, walls that reflect -- */

struct lattice {
	enum { X = 32, Y = 16 };
	static __host__ __device__ void step(const float *from, float *to, int x, int y)
	{
		const int dx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, dy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 },
			  back[9] = { 0, 3, 4, 1, 2, 7, 8, 5, 6 };
		const float weight[9] = { 4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f,
			1 / 36.f };
		float f[9], density = 0, u = 0, v = 0;
		for (int k = 0; k < 9; k++) {
			int fx = (x - dx[k] + X) % X, fy = y - dy[k];
			f[k] = fy < 0 || fy >= Y ? from[(back[k] * Y + y) * X + x] : from[(k * Y + fy) * X + fx];
			density += f[k], u += f[k] * dx[k], v += f[k] * dy[k];
		}
		u /= density, v /= density;
		for (int k = 0; k < 9; k++) {
			float d = dx[k] * u + dy[k] * v;
			float e = weight[k] * density * (1 + 3 * d + 4.5f * d * d - 1.5f * (u * u + v * v));
			to[(k * Y + y) * X + x] = f[k] + (e - f[k]) / 0.8f;
		}
	}
};

__global__ void lattice_step(const float *from, float *to)
{
	lattice::step(from, to, threadIdx.x, blockIdx.x);
}

SAMPLE(lattice_gas)
{
	const int size = 9 * lattice::X * lattice::Y;
	std::vector<float> a(size), b(size);
	uint32_t seed = 4;

	for (float &x : a)
		x = 0.1f + draw(seed, 100) / 1000.f;
	double mass = 0, now = 0;
	for (float x : a)
		mass += x;
	device_copy<float> da(a), db(b);
	float *from = da, *to = db;
	for (int t = 0; t < 10; t++) {
		lattice_step<<<lattice::Y, lattice::X>>>(from, to);
		std::swap(from, to);
		for (int i = 0; i < lattice::X * lattice::Y; i++)
			lattice::step(a.data(), b.data(), i % lattice::X, i / lattice::X);
		std::swap(a, b);
	}
	std::vector<float> got = da.host();
	for (int i = 0; i < size; i++)
		CHECK(near(got[i], a[i]));
	for (float x : got)
		now += x;
	CHECK(near(now, mass));
}
