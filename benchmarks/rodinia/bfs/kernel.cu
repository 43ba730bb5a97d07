/* bfs -- one level of a breadth-first search over a graph in compressed rows; one thread per node.
 *
 * The threads whose node is on the current level reach out to its neighbours; the others have nothing to do.
 * So warps diverge, loops are as long as their longest row, and the neighbours' levels lie anywhere in
 * memory. Several threads may find the same node: all write the same level, and that race is the algorithm's.
 *
 *   edges of v: edge[row[v]] .. edge[row[v + 1] - 1];  level_of[v] < 0: not reached yet */
#include "cuda_kernel.h"

extern "C" __global__ void bfs_level(
	int nodes, const int *row, const int *edge, int *level_of, int level, int *changed)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || level_of[v] != level)
		return;
	int end = row[v + 1];
	for (int i = row[v]; i < end; i++) {
		int w = edge[i];
		if (level_of[w] < 0) {
			level_of[w] = level + 1;
			*changed = 1;
		}
	}
}
