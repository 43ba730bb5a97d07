/* gemm_tcgen05.cu -- products of matrices in tensor memory (sm_100a): A is m x k, B is n x k, C is m x n. A
 * tile has 128 rows of one CTA, or 256 of a pair, and `width` columns, 128 or 256. A CTA of a pair loads its
 * own rows of A and half of the columns' rows of B; the even one issues the products of both. Tiles go down
 * bands of eight, so that those under way at a time share few rows of A and B. In clusters of two pairs, which
 * have the same columns, each CTA loads half of its rows of B for its like in the other pair, too. */
#include "tensor_pairs.cuh"

enum { STEP = 128, ROWS = 128, MOST = 256, BLOCK = 512 /* bytes of scale factors */, COLUMNS = 512, BAND = 8 };

/* Steps of 128 bytes of k on their way to the products, and barriers that say of each that it is full (in the
 * even CTA, for both) and that it is empty. */
template <class T, int CTAS> struct ring {
	enum { STAGES = CTAS == 1 ? 4 : T::SCALES ? 5 : 6 };
	struct {
		unsigned char a[ROWS * STEP], b[MOST / CTAS * STEP];
	} stage[STAGES];
	unsigned char scales[T::SCALES ? STAGES : 1][T::SCALES ? 3 * T::SCALES : 1][BLOCK];
	u64 full[STAGES], empty[STAGES], done;
	u32 columns; /* where tensor memory begins */
};

/* The place in the ring, and the parity of the phase that is waited for there. */
template <int STAGES> struct position {
	u32 stage, parity;
	__device__ inline void next()
	{
		if (++stage == STAGES) {
			stage = 0;
			parity ^= 1;
		}
	}
};

struct matrices {
	const CUtensorMap *a, *b, *scale_a, *scale_b;
};

extern __shared__ unsigned char memory[];

template <class T, int CTAS> __device__ inline ring<T, CTAS> *ring_of_block()
{
	return (ring<T, CTAS> *)(((u64)memory + 1023) & ~(u64)1023);
}

/* pairs: in the cluster; all of them empty a stage, one fills it. */
template <class T, int CTAS> __device__ inline void ring_start(ring<T, CTAS> *r, u32 pairs)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < r->STAGES; s++) {
			barrier_init(&r->full[s], 1);
			barrier_init(&r->empty[s], pairs);
		}
		barrier_init(&r->done, 1);
		barriers_visible();
	}
	if (threadIdx.x / 32 == 1)
		columns_allocate<COLUMNS, CTAS>(&r->columns);
}

/* How many tiles of a CTA, a pair or two pairs C has, down and across, and their columns. */
struct tiling {
	int down, across, width;
};

/* A tile: the first row of this CTA's part, the first column, and the parity of the answer that names the
 * next one. */
struct tile {
	int m, n;
	u32 parity;
};

__device__ inline tile tile_of_block(u32 block, const tiling &c, u32 parity)
{
	int ctas = cluster_size(), at = block / ctas, band = at / (BAND * c.across) * BAND;
	int height = min((int)BAND, c.down - band);

	at -= band * c.across;
	return { ((band + at % height) * ctas + (int)cluster_rank()) * ROWS, at / height * c.width, parity };
}

/* All steps of a tile. */
template <class T, int CTAS>
__device__ inline void load_tile(ring<T, CTAS> *r, position<ring<T, CTAS>::STAGES> &at, const matrices &from,
	const tile &t, int width, int steps)
{
	int odd = is_even<CTAS>() ? 0 : 1, pair = cluster_rank() / 2;
	bool shares = CTAS == 2 && cluster_size() == 4;

#pragma unroll 1
	for (int k = 0; k < steps; k++, at.next()) {
		auto *to = &r->stage[at.stage];
		u32 full = even_address<CTAS>(&r->full[at.stage]);

		barrier_wait(&r->empty[at.stage], at.parity ^ 1);
		if (!odd)
			barrier_expect(&r->full[at.stage],
				CTAS * ROWS * STEP + width * STEP +
					CTAS * T::SCALES * BLOCK * (1 + width / 128));
		pair_load<CTAS>(to->a, from.a, full, k * T::ELEMENTS, t.m);
		if (shares)
			pair_multicast(to->b + pair * (width / 4) * STEP, from.b, full, k * T::ELEMENTS,
				t.n + odd * width / 2 + pair * width / 4, 5 << odd);
		else
			pair_load<CTAS>(to->b, from.b, full, k * T::ELEMENTS, t.n + odd * width / CTAS);
		if (T::SCALES == 0)
			continue;
		pair_load<CTAS>(r->scales[at.stage], from.scale_a, full, 0, (t.m / 128 * steps + k) * T::SCALES);
		for (int part = 0; part < width / 128; part++)
			pair_load<CTAS>(r->scales[at.stage][(1 + part) * T::SCALES], from.scale_b, full, 0,
				((t.n / 128 + part) * steps + k) * T::SCALES);
	}
}

/* Columns for scale factors, behind those of the sums: four for each block of A, eight for each of B. */
enum { SCALES_A = MOST, SCALES_B = MOST + 16 };

/* Descriptors of the first stage; those of others differ in the lower bits, addresses by 16 bytes. */
struct descriptors {
	u64 a, b, scales;
	u32 product;
};

/* The products of one stage, before which its scale factors go to tensor memory. */
template <class T, int CTAS>
__device__ inline void multiply_stage(u32 stage, u32 d, const descriptors &at, u32 is_wide, u32 adds)
{
	u64 operands = stage * (u32)(sizeof(ring<T, CTAS>::stage[0]) / 16);
	u64 scales = at.scales + stage * (u32)(sizeof(ring<T, CTAS>::scales[0]) / 16);

#pragma unroll
	for (int i = 0; i < T::SCALES; i++) {
		scales_copy<CTAS>(d + SCALES_A + 4 * i, scales + i * BLOCK / 16, 1);
		scales_copy<CTAS>(d + SCALES_B + 8 * i, scales + (T::SCALES + i) * BLOCK / 16, 1);
		scales_copy<CTAS>(d + SCALES_B + 8 * i + 4, scales + (2 * T::SCALES + i) * BLOCK / 16, is_wide);
	}
#pragma unroll
	for (u32 i = 0; i < STEP / 32; i++) {
		u32 block = i * T::SCALES / 4, byte = i * T::SCALES % 4;

		T::template multiply<CTAS>(d, at.a + operands + 2 * i, at.b + operands + 2 * i,
			at.product | byte << 4 | byte << 29, d + SCALES_A + 4 * block,
			d + SCALES_B + 8 * block, adds | i);
	}
}

/* All of a tile; `done` is told. */
template <class T, int CTAS>
__device__ inline void multiply_tile(ring<T, CTAS> *r, position<ring<T, CTAS>::STAGES> &at, u32 d, int width,
	int steps, u64 *done)
{
	descriptors first = { operand(r->stage[0].a), operand(r->stage[0].b), scale_rows(r->scales[0]),
		descriptor_of<T>(CTAS * ROWS, width) };
	u32 all = (1 << cluster_size()) - 1, is_wide = width > 128;

#pragma unroll 1
	for (int k = 0; k < steps; k++, at.next()) {
		barrier_wait(&r->full[at.stage], at.parity);
		columns_after_barrier();
		multiply_stage<T, CTAS>(at.stage, d, first, is_wide, k);
		pair_commit<CTAS>(&r->empty[at.stage], all);
	}
	pair_commit<CTAS>(done, 3 << even_rank<CTAS>());
}

/* ---- one tile for each CTA or pair ---- */

/* A thread has a row; sectors of 32 bytes are whole. */
__device__ inline void store_row(float *c, u32 d, int n, int width, int columns, bool is_inside)
{
#pragma unroll 1
	for (int i = 0; i < width; i += 32) {
		float sum[32];

		columns_read(sum, d + i);
		for (int j = 0; j < 32; j += 8)
			if (is_inside && n + i + j < columns)
				asm volatile("st.global.v8.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"l"(
						     c + n + i + j),
					"f"(sum[j]), "f"(sum[j + 1]), "f"(sum[j + 2]), "f"(sum[j + 3]),
					"f"(sum[j + 4]), "f"(sum[j + 5]), "f"(sum[j + 6]), "f"(sum[j + 7])
					: "memory");
	}
}

template <class T, int CTAS>
__device__ inline void one_tile(
	const matrices &from, float *c, int rows, int columns, int steps, const tiling &by)
{
	auto *r = ring_of_block<T, CTAS>();
	tile t = tile_of_block(blockIdx.x, by, 0);
	int warp = threadIdx.x / 32, row = t.m + threadIdx.x;
	position<ring<T, CTAS>::STAGES> at = { 0, 0 };
	u32 d;

	ring_start(r, 1);
	columns_before_barrier();
	pair_meet<CTAS>();
	columns_after_barrier();
	d = r->columns;
	if (warp == 0 && elected())
		load_tile(r, at, from, t, by.width, steps);
	if (warp == 1 && is_even<CTAS>() && elected())
		multiply_tile(r, at, d, by.width, steps, &r->done);
	__syncwarp();
	barrier_wait(&r->done, 0);
	columns_after_barrier();
	store_row(c + (size_t)row * columns, d + (warp << 21), t.n, by.width, columns, row < rows);
	columns_before_barrier();
	pair_meet<CTAS>();
	if (warp == 1)
		columns_free<COLUMNS, CTAS>(d);
}

/* ---- persistent pairs, which take further tiles off the queue of their launch. Sums of one tile are stored
 * while the next one is multiplied ---- */

struct queue {
	uint4 answer;
	u64 answered, read; /* by all roles of all CTAs, told to the first */
	u64 sums_full[2], sums_empty[2];
};

enum { READERS = 7 + 6 /* of a pair */, STORING = 8 /* warps of both CTAs */, BOX = 32 * 128 };

__device__ inline void queue_start(queue *q)
{
	if (threadIdx.x > 0)
		return;
	barrier_init(&q->answered, 1);
	barrier_init(&q->read, READERS * cluster_size() / 2);
	for (int i = 0; i < 2; i++) {
		barrier_init(&q->sums_full[i], 1);
		barrier_init(&q->sums_empty[i], STORING);
	}
	barriers_visible();
}

/* Another tile, or false. */
__device__ inline bool next_tile(queue *q, tile &t, const tiling &by)
{
	u32 is, x;

	barrier_wait(&q->answered, t.parity);
	asm volatile("{\n.reg .pred p;\n.reg .b64 low, high;\n.reg .b128 answer;\n"
		     "ld.shared.v2.b64 {low, high}, [%2];\nmov.b128 answer, {low, high};\n"
		     "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer;\n"
		     "selp.b32 %0, 1, 0, p;\nmov.b32 %1, 0;\n"
		     "@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, answer;\n}"
		     : "=r"(is), "=r"(x)
		     : "r"(shared_address(&q->answer))
		     : "memory");
	shared_visible_to_copies();
	t = tile_of_block(x, by, t.parity ^ 1);
	return is;
}

/* For a role of one thread: the same, and tells that it has read the answer. */
__device__ inline bool next_tile_alone(queue *q, tile &t, const tiling &by)
{
	bool is = next_tile(q, t, by);

	barrier_arrive_at(&q->read, 0);
	return is;
}

__device__ inline void ask_for_tiles(queue *q, tile t, const tiling &by)
{
	bool asks = cluster_rank() == 0;

	do {
		if (asks)
			barrier_wait(&q->read, t.parity ^ 1);
		barrier_expect(&q->answered, sizeof(q->answer));
		if (asks)
			asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::"
				     "bytes.multicast::cluster::all.b128 [%0], [%1];" ::"r"(
					     shared_address(&q->answer)),
				"r"(shared_address(&q->answered))
				: "memory");
	} while (next_tile_alone(q, t, by));
}

template <class T>
__device__ inline void multiply_tiles(ring<T, 2> *r, queue *q, u32 d, tile t, const tiling &by, int steps)
{
	position<ring<T, 2>::STAGES> at = { 0, 0 };
	u32 i = 0;

	do {
		barrier_wait(&q->sums_empty[i % 2], (i / 2 ^ 1) & 1);
		columns_after_barrier();
		multiply_tile(r, at, d + i % 2 * MOST, by.width, steps, &q->sums_full[i % 2]);
		i++;
	} while (next_tile_alone(q, t, by));
}

template <class T> __device__ inline u32 two_results(float low, float high)
{
	u32 both;

	if (T::NUMBER == bf16::NUMBER)
		asm("cvt.rn.bf16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(low), "f"(high));
	else
		asm("cvt.rn.f16x2.f32 %0, %2, %1;" : "=r"(both) : "f"(low), "f"(high));
	return both;
}

template <class T> __device__ inline uint4 eight_results(const float *sum)
{
	return make_uint4(two_results<T>(sum[0], sum[1]), two_results<T>(sum[2], sum[3]),
		two_results<T>(sum[4], sum[5]), two_results<T>(sum[6], sum[7]));
}

/* 32 rows of this warp: boxes of 64 columns of 16 bits, their rows swizzled. One is under way at a time, while
 * the next is filled, so that loads of the next tile, which the unit for copies takes in turn, do not wait
 * for many. */
template <class T>
__device__ inline void store_boxes(const CUtensorMap *c, unsigned char *boxes, u32 d, tile t, int width)
{
	int lane = threadIdx.x % 32;

#pragma unroll 1
	for (int i = 0; i < width; i += 64) {
		unsigned char *box = boxes + i / 64 % 2 * BOX;

		for (int half = 0; half < 2; half++) {
			float sum[32];

			columns_read(sum, d + i + 32 * half);
			for (int j = 0; j < 4; j++)
				*(uint4 *)(box + lane * 128 + (4 * half + j ^ lane % 8) * 16) =
					eight_results<T>(sum + 8 * j);
		}
		shared_visible_to_copies();
		__syncwarp();
		if (lane == 0) {
			asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
			tensor_store(c, box, t.n + i, t.m);
			asm volatile("cp.async.bulk.commit_group;" ::: "memory");
		}
		__syncwarp(); /* the other box is free */
	}
}

template <class T>
__device__ inline void store_tiles(
	const CUtensorMap *c, unsigned char *boxes, queue *q, u32 d, tile t, const tiling &by)
{
	int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
	bool more;

	for (u32 i = 0;; i++) {
		barrier_wait(&q->sums_full[i % 2], i / 2 & 1);
		columns_after_barrier();
		store_boxes<T>(c, boxes + warp * 2 * BOX, d + i % 2 * MOST + (warp << 21),
			{ t.m + 32 * warp, t.n, 0 }, by.width);
		columns_before_barrier();
		more = next_tile(q, t, by);
		__syncwarp();
		if (lane == 0) {
			barrier_arrive_at(&q->sums_empty[i % 2], even_rank<2>());
			barrier_arrive_at(&q->read, 0);
		}
		if (!more)
			break;
	}
	if (lane == 0)
		asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <class T>
__device__ inline void all_tiles(const matrices &from, const CUtensorMap *c, int steps, const tiling &by)
{
	__shared__ queue q;
	auto *r = ring_of_block<T, 2>();
	unsigned char *boxes = (unsigned char *)r + (sizeof(*r) + 1023) / 1024 * 1024;
	int warp = threadIdx.x / 32;
	tile t = tile_of_block(blockIdx.x, by, 0);
	u32 d;

	ring_start(r, cluster_size() / 2);
	queue_start(&q);
	columns_before_barrier();
	pair_meet<2>();
	columns_after_barrier();
	d = r->columns;
	if (warp >= 4) {
		store_tiles<T>(c, boxes, &q, d, t, by);
	} else if (elected()) {
		position<ring<T, 2>::STAGES> at = { 0, 0 };

		if (warp == 0)
			do
				load_tile(r, at, from, t, by.width, steps);
			while (next_tile_alone(&q, t, by));
		else if (warp == 1 && is_even<2>())
			multiply_tiles(r, &q, d, t, by, steps);
		else if (warp == 2)
			ask_for_tiles(&q, t, by);
	}
	__syncwarp();
	columns_before_barrier();
	pair_meet<2>();
	if (warp == 1)
		columns_free<COLUMNS, 2>(d);
}

/* ---- the kernels by type ---- */

#define PAIR KERNEL __cluster_dims__(2, 1, 1)
#define PLAIN(type) \
	KERNEL __launch_bounds__(128, 1) gemm_tcgen05_##type( \
		MAP a, MAP b, float *c, int rows, int columns, int steps, tiling by) \
	{ \
		one_tile<type, 1>({ &a, &b }, c, rows, columns, steps, by); \
	} \
	PAIR __launch_bounds__(128, 1) gemm_tcgen05_pair_##type( \
		MAP a, MAP b, float *c, int rows, int columns, int steps, tiling by) \
	{ \
		one_tile<type, 2>({ &a, &b }, c, rows, columns, steps, by); \
	} \
	KERNEL __launch_bounds__(256, 1) \
		gemm_tcgen05_persistent_##type(MAP a, MAP b, MAP c, int steps, tiling by) \
	{ \
		all_tiles<type>({ &a, &b }, &c, steps, by); \
	}
PLAIN(f16)
PLAIN(bf16)
PLAIN(fp8)

#define SCALED(type) \
	KERNEL __launch_bounds__(128, 1) gemm_tcgen05_##type(MAP a, MAP b, MAP scale_a, MAP scale_b, \
		float *c, int rows, int columns, int steps, tiling by) \
	{ \
		one_tile<type, 1>({ &a, &b, &scale_a, &scale_b }, c, rows, columns, steps, by); \
	} \
	PAIR __launch_bounds__(128, 1) gemm_tcgen05_pair_##type(MAP a, MAP b, MAP scale_a, MAP scale_b, \
		float *c, int rows, int columns, int steps, tiling by) \
	{ \
		one_tile<type, 2>({ &a, &b, &scale_a, &scale_b }, c, rows, columns, steps, by); \
	}
SCALED(nvfp4)
SCALED(mxfp4)
SCALED(mxfp8)
