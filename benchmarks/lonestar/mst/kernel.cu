/* mst -- the lightest spanning forest of an undirected graph, after Boruvka, as in LonestarGPU: in every
 * round each component takes the lightest edge that leaves it, components that are so joined become one, and
 * the host loops until no edge leaves any. Of edges equally heavy the one with the lower number is the
 * lighter, so there is one such forest, and it does not depend on who comes first.
 *
 * A thread per node throughout. mst_lightest is the heart: each lane walks its own row (a line each of edges,
 * weights and numbers in step) and reads, for every edge, the component of the node at its end, which lies
 * anywhere. Components are told apart by the number of one of their nodes; the words of a component are
 * written by atomicMin from all of its nodes, in late rounds from the whole grid to a few words. mst_adopt
 * chases pointers.
 *
 * The published kernels merge under a barrier across the grid; here each step is a launch.
 *
 *   edges of v: edge[row[v]] .. edge[row[v + 1] - 1], each there and back, with weight[] and number[] beside
 * them component[v]: a node, the same for all of a component */
#include "cuda_kernel.h"

#define NONE 0x7fffffff

/* What the components know is forgotten. */
extern "C" __global__ void mst_forget(int nodes, int *weight_of, int *number_of, int *joins)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes)
		return;
	weight_of[v] = NONE;
	number_of[v] = NONE;
	joins[v] = v;
}

/* Of each node the lightest edge that leaves its component (best[v]: where it stands; -1: none), of each
 * component the least weight of one. Sets *found if there is any. */
extern "C" __global__ void mst_lightest(int nodes, const int *row, const int *edge, const int *weight,
	const int *number, const int *component, int *best, int *weight_of, int *found)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes)
		return;
	int own = component[v], end = row[v + 1], which = -1, least = NONE, first = NONE;
#pragma unroll 1
	for (int i = row[v]; i < end; i++) {
		if (component[edge[i]] == own)
			continue;
		int w = weight[i];
		if (w > least || (w == least && which >= 0 && number[i] > first))
			continue;
		least = w;
		first = number[i];
		which = i;
	}
	best[v] = which;
	if (which < 0)
		return;
	atomicMin(&weight_of[own], least);
	*found = 1;
}

/* Of each component the lowest number among the edges of its least weight. */
extern "C" __global__ void mst_first(int nodes, const int *weight, const int *number, const int *component,
	const int *best, const int *weight_of, int *number_of)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || best[v] < 0)
		return;
	int own = component[v];
	if (weight[best[v]] == weight_of[own])
		atomicMin(&number_of[own], number[best[v]]);
}

/* The one node of a component that has its edge takes it into the forest and tells where it leads. Two
 * components may choose the same edge: it counts once. */
extern "C" __global__ void mst_take(int nodes, const int *edge, const int *weight, const int *number,
	const int *component, const int *best, const int *number_of, int *joins, int *taken,
	unsigned long long *total)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || best[v] < 0)
		return;
	int own = component[v], e = best[v];
	if (number[e] != number_of[own])
		return;
	joins[own] = component[edge[e]];
	if (atomicExch(&taken[number[e]], 1) == 0)
		atomicAdd(total, (unsigned long long)weight[e]);
}

/* Components that chose each other would chase each other for ever: the lower one stays. */
extern "C" __global__ void mst_root(int nodes, const int *joins, int *leader)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes)
		return;
	int to = joins[v];
	leader[v] = v < to && joins[to] == v ? v : to;
}

/* Each node finds the leader of the leaders of its component. */
extern "C" __global__ void mst_adopt(int nodes, const int *leader, int *component)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes)
		return;
	int c = component[v], up;
#pragma unroll 1
	while ((up = leader[c]) != c)
		c = up;
	component[v] = c;
}
