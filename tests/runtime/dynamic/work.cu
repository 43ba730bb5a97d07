/* Work whose shape the data decide: a sort, a search in a graph, a tree of points, curves. */
#include "../samples/samples.h"
#include <algorithm>
#include <queue>

/* -- quicksort: a thread partitions, and launches both parts into streams of their own -- */

#define SORT_DEPTH 16
#define SORT_SMALL 24

__device__ static void sort_small(int *v, int left, int right)
{
	for (int i = left + 1; i <= right; i++)
		for (int j = i; j > left && v[j - 1] > v[j]; j--) {
			int swap = v[j];
			v[j] = v[j - 1];
			v[j - 1] = swap;
		}
}

__global__ static void quicksort(int *v, int left, int right, int depth)
{
	int low = left, high = right, pivot = v[(left + right) / 2];

	if (depth >= SORT_DEPTH || right - left <= SORT_SMALL) {
		sort_small(v, left, right);
		return;
	}
	while (low <= high) {
		while (v[low] < pivot)
			low++;
		while (v[high] > pivot)
			high--;
		if (low <= high) {
			int swap = v[low];
			v[low++] = v[high];
			v[high--] = swap;
		}
	}
	if (left < high) {
		cudaStream_t stream;
		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
		quicksort<<<1, 1, 0, stream>>>(v, left, high, depth + 1);
		cudaStreamDestroy(stream);
	}
	if (low < right) {
		cudaStream_t stream;
		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
		quicksort<<<1, 1, 0, stream>>>(v, low, right, depth + 1);
		cudaStreamDestroy(stream);
	}
}

SAMPLE(recursive_quicksort)
{
	std::vector<int> v = ints(700, 100000, 17);
	device_copy<int> values(v);

	quicksort<<<1, 1>>>(values, 0, (int)v.size() - 1, 0);
	std::sort(v.begin(), v.end());
	CHECK(values.host() == v);
}

/* -- breadth-first search: a level in a grid; vertices of many neighbours get a grid of their own, which
 * nobody waits for but the next level, a tail launch -- */

struct search_graph {
	const int *first, *neighbours;
	int *distance, *frontier[2], *count;
	int vertices;
};

__device__ static void visit(search_graph g, int to, int level, int next)
{
	if (atomicCAS(&g.distance[to], -1, level + 1) == -1)
		g.frontier[next][atomicAdd(&g.count[next], 1)] = to;
}

__global__ static void visit_all(search_graph g, int from, int level, int next)
{
	int i = g.first[from] + blockIdx.x * blockDim.x + threadIdx.x;

	if (i < g.first[from + 1])
		visit(g, g.neighbours[i], level, next);
}

__global__ static void search_level(search_graph g, int level);

__global__ static void next_level(search_graph g, int level)
{
	int count = g.count[level & 1];

	g.count[(level + 1) & 1] = 0;
	if (!count)
		return;
	search_level<<<(count + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(g, level);
	next_level<<<1, 1, 0, cudaStreamTailLaunch>>>(g, level + 1);
}

__global__ static void search_level(search_graph g, int level)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, next = (level + 1) & 1;

	if (i >= g.count[level & 1])
		return;
	int from = g.frontier[level & 1][i], degree = g.first[from + 1] - g.first[from];
	if (degree > 16)
		visit_all<<<(degree + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(g, from, level, next);
	else
		for (int j = g.first[from]; j < g.first[from + 1]; j++)
			visit(g, g.neighbours[j], level, next);
}

static std::vector<int> search_on_host(const std::vector<int> &first, const std::vector<int> &neighbours)
{
	std::vector<int> distance(first.size() - 1, -1);
	std::queue<int> todo;

	distance[0] = 0;
	todo.push(0);
	for (; !todo.empty(); todo.pop())
		for (int j = first[todo.front()]; j < first[todo.front() + 1]; j++)
			if (distance[neighbours[j]] < 0) {
				distance[neighbours[j]] = distance[todo.front()] + 1;
				todo.push(neighbours[j]);
			}
	return distance;
}

SAMPLE(breadth_first_search)
{
	const int vertices = 400;
	std::vector<int> first(1, 0), neighbours;
	uint32_t seed = 3;

	for (int v = 0; v < vertices; v++) {
		int degree = v % 50 == 1 ? 60 : 1 + (int)draw(seed, 2);
		for (int i = 0; i < degree; i++)
			neighbours.push_back((int)draw(seed, vertices));
		first.push_back((int)neighbours.size());
	}
	std::vector<int> distance(vertices, -1);
	distance[0] = 0;
	device_copy<int> f(first), n(neighbours), d(distance), a(std::vector<int>(vertices, 0)), b(vertices),
		count(std::vector<int>{ 1, 0 });
	search_graph g = { f, n, d, { a, b }, count, vertices };
	next_level<<<1, 1>>>(g, 0);
	CUDA(cudaDeviceSynchronize());
	CHECK(d.host() == search_on_host(first, neighbours));
}

/* -- a quadtree: a grid of four CTAs for the quarters of a square with many points -- */

struct square {
	float x, y, size;
};

__global__ static void divide(const float2 *points, int n, square of, int most, int depth, int *leaves, int *sum)
{
	__shared__ int inside;
	square mine = { of.x + (blockIdx.x & 1) * of.size / 2, of.y + (blockIdx.x >> 1) * of.size / 2,
		of.size / 2 };

	if (threadIdx.x == 0)
		inside = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		if (points[i].x >= mine.x && points[i].x < mine.x + mine.size && points[i].y >= mine.y &&
			points[i].y < mine.y + mine.size)
			atomicAdd(&inside, 1);
	__syncthreads();
	if (threadIdx.x)
		return;
	if (inside > most && depth < 10) {
		divide<<<4, 32>>>(points, n, mine, most, depth + 1, leaves, sum);
		return;
	}
	atomicAdd(leaves, 1);
	atomicAdd(sum, inside);
}

static int count_leaves(const std::vector<float2> &points, square s, int most, int depth)
{
	int inside = 0, leaves = 0;

	for (const float2 &p : points)
		inside += p.x >= s.x && p.x < s.x + s.size && p.y >= s.y && p.y < s.y + s.size;
	if (depth >= 0 && (inside <= most || depth >= 10))
		return 1;
	for (int q = 0; q < 4; q++)
		leaves += count_leaves(points,
			square{ s.x + (q & 1) * s.size / 2, s.y + (q >> 1) * s.size / 2, s.size / 2 }, most,
			depth + 1);
	return leaves;
}

SAMPLE(quadtree)
{
	std::vector<float2> points(300);
	uint32_t seed = 9;

	for (float2 &p : points) {
		p.x = draw(seed, 1000) * draw(seed, 1000) / 1e6f;
		p.y = draw(seed, 1000) / 1000.0f;
	}
	device_copy<float2> p(points);
	device_copy<int> leaves(1), sum(1);
	square all = { 0, 0, 1 };
	divide<<<4, 32>>>(p, (int)points.size(), all, 12, 0, leaves, sum);
	CUDA(cudaDeviceSynchronize());
	CHECK(sum.host()[0] == (int)points.size());
	CHECK(leaves.host()[0] == count_leaves(points, all, 12, -1));
}

/* -- Bezier lines: the curvature decides how many points a line gets, in memory that the kernel allocates -- */

struct line {
	float2 control[3];
	float2 *points;
	int count;
};

__global__ static void compute_points(line *l)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= l->count)
		return;
	float u = (float)i / (l->count - 1), v = 1 - u;
	float2 p = { v * v * l->control[0].x + 2 * u * v * l->control[1].x + u * u * l->control[2].x,
		v * v * l->control[0].y + 2 * u * v * l->control[1].y + u * u * l->control[2].y };
	l->points[i] = p;
}

__global__ static void tessellate(line *lines, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	line *l = &lines[i];
	float x = l->control[1].x - (l->control[0].x + l->control[2].x) / 2,
	      y = l->control[1].y - (l->control[0].y + l->control[2].y) / 2;
	l->count = min(max((int)(sqrtf(x * x + y * y) * 32), 4), 64);
	if (cudaMalloc((void **)&l->points, l->count * sizeof(float2)) == cudaSuccess)
		compute_points<<<(l->count + 31) / 32, 32>>>(l);
}

__global__ static void measure_and_free(line *lines, int n, float *length)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	length[i] = 0;
	for (int k = 1; k < lines[i].count; k++)
		length[i] += hypotf(lines[i].points[k].x - lines[i].points[k - 1].x,
			lines[i].points[k].y - lines[i].points[k - 1].y);
	cudaFree(lines[i].points);
}

SAMPLE(bezier_lines)
{
	const int n = 40;
	std::vector<line> lines(n);
	uint32_t seed = 23;

	for (line &l : lines)
		for (float2 &c : l.control)
			c = make_float2(draw(seed, 1000) / 500.0f, draw(seed, 1000) / 500.0f);
	device_copy<line> d(lines);
	device_copy<float> length(n);
	tessellate<<<2, 32>>>(d, n);
	measure_and_free<<<2, 32>>>(d, n, length);
	std::vector<line> found = d.host();
	std::vector<float> measured = length.host();
	for (int i = 0; i < n; i++) {
		float expected = 0;
		float2 before = lines[i].control[0];
		for (int k = 1; k < found[i].count; k++) {
			float u = (float)k / (found[i].count - 1), v = 1 - u;
			const float2 *c = lines[i].control;
			float2 p = { v * v * c[0].x + 2 * u * v * c[1].x + u * u * c[2].x,
				v * v * c[0].y + 2 * u * v * c[1].y + u * u * c[2].y };
			expected += hypotf(p.x - before.x, p.y - before.y);
			before = p;
		}
		CHECK(found[i].count >= 4 && near(measured[i], expected));
	}
}
