/* counters -- three kernels with the grids, the arithmetic and the accesses of those whose profiler counters
 * are published for several cards (github.com/marcosamaris/gpuperfpredict): hotspot and the two kernels of
 * backprop of Rodinia. They differ from those in ../rodinia in what costs time: constants without a suffix make
 * the arithmetic around them f64, and the steps of the sum come from a logarithm and a power. The code is ours.
 *
 * counters.ptx: nvcc -O3 -ptx -arch=sm_75, with the target lowered to sm_60, since nothing in it is newer. */

enum { TILE = 16 };

static __device__ bool between(int first, int i, int last)
{
	return first <= i && i <= last;
}

/* A tile that overlaps its neighbours by so many cells each way as there are steps, and perhaps the grid's edge by
 * others; every step makes the ring that is not known wider by a cell. Resistances and the capacity come as they
 * are, so that each thread divides. As in the published program the edges are clamped by comparisons, every step
 * asks for all its bounds, and what was computed is kept as a value. */
extern "C" __global__ void hotspot(int steps, const float *power, const float *from, float *to, int columns,
	int rows, int over_columns, int over_rows, float capacity, float rx, float ry, float rz, float step)
{
	__shared__ float now[TILE][TILE], source[TILE][TILE], next[TILE][TILE];
	const float ambient = 80.0f;
	float per_step = step / capacity, per_x = 1 / rx, per_y = 1 / ry, per_z = 1 / rz;
	int x = threadIdx.x, y = threadIdx.y, stored = TILE - 2 * steps;
	int top = stored * blockIdx.y - over_rows, left = stored * blockIdx.x - over_columns;
	int bottom = top + TILE - 1, right = left + TILE - 1;
	int row = top + y, column = left + x, cell = columns * row + column;
	bool known;

	if (between(0, row, rows - 1) && between(0, column, columns - 1)) {
		now[y][x] = from[cell];
		source[y][x] = power[cell];
	}
	__syncthreads();

	int y_first = top < 0 ? -top : 0, x_first = left < 0 ? -left : 0;
	int y_last = bottom > rows - 1 ? TILE - 1 - (bottom - rows + 1) : TILE - 1;
	int x_last = right > columns - 1 ? TILE - 1 - (right - columns + 1) : TILE - 1;
	int north = y - 1 < y_first ? y_first : y - 1, south = y + 1 > y_last ? y_last : y + 1;
	int west = x - 1 < x_first ? x_first : x - 1, east = x + 1 > x_last ? x_last : x + 1;

	for (int s = 1; s <= steps; s++) {
		known = false;
		if (between(s, x, TILE - 1 - s) && between(s, y, TILE - 1 - s) && between(x_first, x, x_last) &&
			between(y_first, y, y_last)) {
			known = true; /* 2.0 is f64, and so is what it meets */
			next[y][x] = now[y][x] + per_step *
					(source[y][x] + (now[south][x] + now[north][x] - 2.0 * now[y][x]) * per_y +
						(now[y][east] + now[y][west] - 2.0 * now[y][x]) * per_x +
						(ambient - now[y][x]) * per_z);
		}
		__syncthreads();
		if (s == steps)
			break;
		if (known)
			now[y][x] = next[y][x];
		__syncthreads();
	}
	if (known)
		to[cell] = next[y][x];
}

/* Products of 16 inputs with a row of weights each, added up by halves; the tile goes over the weights. */
extern "C" __global__ void forward(const float *input, float *weight, float *partial, int hidden)
{
	__shared__ float in[TILE], tile[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, row = TILE * blockIdx.y + y + 1;
	float *own = weight + row * (hidden + 1) + x + 1;

	if (x == 0)
		in[y] = input[row];
	__syncthreads();
	tile[y][x] = *own;
	__syncthreads();
	tile[y][x] *= in[y];
	__syncthreads();
	for (int level = 1; level <= __log2f((float)TILE); level++) {
		int rows = (int)__powf(2.0f, (float)level);

		if (y % rows == 0)
			tile[y][x] += tile[y + rows / 2][x];
		__syncthreads();
	}
	*own = tile[y][x];
	__syncthreads();
	if (x == 0)
		partial[blockIdx.y * hidden + y] = tile[0][y];
}

/* Rates are constants of f64. */
extern "C" __global__ void adjust(
	const float *delta, int hidden, const float *input, float *weight, float *change)
{
	const double rate = 0.3, momentum = 0.3;
	int x = threadIdx.x + 1, y = TILE * blockIdx.y + threadIdx.y + 1, at = y * (hidden + 1) + x;

	weight[at] += rate * delta[x] * input[y] + momentum * change[at];
	change[at] = rate * delta[x] * input[y] + momentum * change[at];
	__syncthreads();
	if (threadIdx.y == 0 && blockIdx.y == 0) {
		weight[x] += rate * delta[x] + momentum * change[x];
		change[x] = rate * delta[x] + momentum * change[x];
	}
}
