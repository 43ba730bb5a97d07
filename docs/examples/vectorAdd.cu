/* docs/examples/vectorAdd.cu -- adds two vectors on the device and looks at each sum on the host: a whole
 * program of the CUDA runtime API, as anybody's. nvcc compiles it without any option of Lockstep's. */
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vectorAdd(const float *a, const float *b, float *sum, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		sum[i] = a[i] + b[i];
}

static void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	std::fprintf(stderr, "vectorAdd: %s: %s\n", what, cudaGetErrorString(error));
	std::exit(1);
}

int main()
{
	const int count = 50000, threads = 256;
	const size_t bytes = count * sizeof(float);
	std::vector<float> a(count), b(count), sum(count);
	float *device[3];

	for (int i = 0; i < count; i++) {
		a[i] = float(i % 1000) / 8;
		b[i] = float(i % 777) / 4;
	}
	for (float *&vector : device)
		check(cudaMalloc(&vector, bytes), "cudaMalloc");
	check(cudaMemcpy(device[0], a.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	check(cudaMemcpy(device[1], b.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	vectorAdd<<<(count + threads - 1) / threads, threads>>>(device[0], device[1], device[2], count);
	check(cudaGetLastError(), "the launch");
	check(cudaMemcpy(sum.data(), device[2], bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
	for (int i = 0; i < count; i++)
		if (sum[i] != a[i] + b[i]) {
			std::printf("vectorAdd: element %d is %g, not %g\n", i, sum[i], a[i] + b[i]);
			return 1;
		}
	for (float *vector : device)
		check(cudaFree(vector), "cudaFree");
	std::printf("vectorAdd: %d sums are right\n", count);
	return 0;
}
