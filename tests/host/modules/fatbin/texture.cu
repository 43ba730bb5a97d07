/* tests/host/modules/fatbin/texture.cu -- an image turned about its centre, read through a texture object. */
extern "C" __global__ void turn(float *to, int width, int height, float angle, cudaTextureObject_t image)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;

	to[y * width + x] = tex2D<float>(image, u * cosf(angle) - v * sinf(angle) + 0.5f,
		v * cosf(angle) + u * sinf(angle) + 0.5f);
}
