/* tests/runtime/samples/samples.h -- small programs in one executable: SAMPLE(name) { ... } is a program,
 * which main.cu runs by its name. */
#include "../programs/check.h"
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

struct sample {
	const char *name;
	void (*run)();
	sample *next;
	static sample *all;
	sample(const char *name, void (*run)()) : name(name), run(run), next(all)
	{
		all = this;
	}
};
#define SAMPLE(name) \
	static void name(); \
	static sample sample_##name(#name, name); \
	static void name()

/* Memory of the device with the content of a vector; freed with the object. */
template <typename T> struct device_copy {
	T *at;
	size_t count;
	explicit device_copy(const std::vector<T> &from) : count(from.size())
	{
		CUDA(cudaMalloc(&at, count * sizeof(T)));
		CUDA(cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
	}
	explicit device_copy(size_t count) : count(count)
	{
		CUDA(cudaMalloc(&at, count * sizeof(T)));
		CUDA(cudaMemset(at, 0, count * sizeof(T)));
	}
	device_copy(const device_copy &) = delete;
	~device_copy()
	{
		cudaFree(at);
	}
	operator T *() const
	{
		return at;
	}
	std::vector<T> host() const
	{
		std::vector<T> to(count);
		CUDA(cudaMemcpy(to.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
		return to;
	}
};

/* Pseudo-random numbers from 0 to `below` - 1, the same on every machine. */
inline uint32_t draw(uint32_t &state, uint32_t below)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % below;
}
inline std::vector<float> floats(size_t count, uint32_t seed)
{
	std::vector<float> v(count);
	for (float &x : v)
		x = (float)draw(seed, 1000) / 1000 - 0.5f;
	return v;
}
inline std::vector<int> ints(size_t count, uint32_t below, uint32_t seed)
{
	std::vector<int> v(count);
	for (int &x : v)
		x = (int)draw(seed, below);
	return v;
}
inline bool near(double a, double b, double tolerance = 1e-4)
{
	return fabs(a - b) <= tolerance * (1 + fabs(b));
}
