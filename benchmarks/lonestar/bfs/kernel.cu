/* bfs -- breadth-first search as LonestarGPU does it without a worklist: a thread per node, and every launch
 * tries all edges of all nodes, whether their level has changed or not, until a launch changes nothing.
 *
 * The ends of a node's row are read coalesced; then each lane walks a row of its own, so that a load of edges
 * touches up to 32 lines, whose rest is for the same lane's next steps; and each edge reads a level that lies
 * anywhere. Rows of different lengths leave lanes idle. A level only ever falls, by atomicMin, so the outcome
 * is one however the threads meet; how many launches it takes is not.
 *
 *   edges of v: edge[row[v]] .. edge[row[v + 1] - 1];  level[v]: UNREACHED, or the edges of a way to v */
#include "cuda_kernel.h"

extern "C" __global__ void bfs_relax(int nodes, const int *row, const int *edge, int *level, int *changed)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;
	bool has = false;

	if (v >= nodes)
		return;
	int end = row[v + 1];
	/* unsigned, so that UNREACHED (2^31 - 1) and one more is no shorter than any */
	unsigned next = (unsigned)level[v] + 1;
#pragma unroll 1
	for (int i = row[v]; i < end; i++) {
		int w = edge[i];
		if (next < (unsigned)level[w] && (int)next < atomicMin(&level[w], (int)next))
			has = true;
	}
	if (has)
		*changed = 1;
}
