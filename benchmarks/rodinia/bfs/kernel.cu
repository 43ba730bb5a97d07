/* bfs -- one level of a breadth-first search over a graph in compressed rows, in Rodinia's two kernels; one
 * thread per node in both.
 *
 * bfs_expand: the threads whose node is in the frontier reach out to its neighbours that nobody has visited,
 * and leave them a cost and a mark. bfs_update: the marked nodes become the next frontier. Only bfs_update
 * writes `visited`, and all that write one cost or mark write the same: nothing depends on who comes first.
 *
 * Masks (a byte a node), costs and the nodes' own rows are read in order and coalesce; the neighbours lie
 * anywhere, a line each. Few lanes have work, and the loop is as long as the longest row of the warp. The
 * node's row and cost are read again for each edge: after the stores between, they might have changed. */
#include "cuda_kernel.h"

/* edges of v: edge[node[v].x] .. edge[node[v].x + node[v].y - 1] */
extern "C" __global__ void bfs_expand(int nodes, const int2 *node, const int *edge, unsigned char *frontier,
	unsigned char *updating, const unsigned char *visited, int *cost)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || !frontier[v])
		return;
	frontier[v] = 0;
	for (int i = node[v].x; i < node[v].x + node[v].y; i++) {
		int w = edge[i];
		if (!visited[w]) {
			cost[w] = cost[v] + 1;
			updating[w] = 1;
		}
	}
}

extern "C" __global__ void bfs_update(
	int nodes, unsigned char *frontier, unsigned char *updating, unsigned char *visited, int *more)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || !updating[v])
		return;
	frontier[v] = 1;
	visited[v] = 1;
	*more = 1;
	updating[v] = 0;
}
