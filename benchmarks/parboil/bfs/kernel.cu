/* bfs -- one level of a breadth-first search by queues: the frontier's nodes find the next frontier.
 *
 * One thread takes a node of the frontier: its number coalesces, its row and its edges (pairs of 8 bytes) lie
 * anywhere, a thread reads its own edges one behind the other, and a warp takes as long as its longest row.
 * Each edge is an atomic on its end's level, anywhere in memory. New nodes go into one of eight queues in
 * shared memory (by lane, so that fewer meet at one tail), which the CTA then joins to the global queue: one
 * global atomic for the place, coalesced stores. What finds its queue full goes to the global one directly,
 * an atomic each.
 *
 * Which thread finds a node first is a race, and so the order of a frontier; its nodes and levels are not.
 * The colour, white, then one of two greys by level, then black, tells in general (edges of any length)
 * whether a node already stands in the queue. */
#include "cuda_kernel.h"

#define QUEUES 8
#define ROOM   400

#define BLACK 3

/* row: first edge and number of edges; edge: end and length; level: 1 or more. */
extern "C" __global__ void bfs_level(const int2 *row, const int2 *edge, int *level_of, int *colour,
	const int *frontier, int count, int *next, int *next_count, int level)
{
	__shared__ int queue[QUEUES][ROOM];
	__shared__ int tail[QUEUES], start[QUEUES];
	int thread = threadIdx.x, own = thread % QUEUES, i = blockIdx.x * blockDim.x + thread,
	    grey = 1 + level % 2;

	if (thread < QUEUES)
		tail[thread] = 0;
	__syncthreads();
	if (i < count) {
		int v = frontier[i];
		int2 edges = row[v];
		colour[v] = BLACK;
		for (int e = edges.x; e < edges.x + edges.y; e++) {
			int2 to = edge[e];
			int far = level - 1 + to.y;
			if (atomicMin(&level_of[to.x], far) <= far || atomicExch(&colour[to.x], grey) == grey)
				continue;
			int place = atomicAdd(&tail[own], 1);
			if (place < ROOM)
				queue[own][place] = to.x;
			else
				next[atomicAdd(next_count, 1)] = to.x;
		}
	}
	__syncthreads();
	if (thread == 0) {
		int total = 0;
		for (int q = 0; q < QUEUES; q++) {
			tail[q] = min(tail[q], ROOM);
			start[q] = total;
			total += tail[q];
		}
		int base = total ? atomicAdd(next_count, total) : 0;
		for (int q = 0; q < QUEUES; q++)
			start[q] += base;
	}
	__syncthreads();
	for (int q = 0; q < QUEUES; q++)
		for (int k = thread; k < tail[q]; k += blockDim.x)
			next[start[q] + k] = queue[q][k];
}
