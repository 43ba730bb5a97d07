/* core/sm/tensor.h -- the tensor units: how long matrix products (mma, wmma.mma) take (section sm.tensor).
 *
 * A product of m x n x k occupies a unit for m * n * k multiply-adds at the rate of its types, so that a wmma
 * of 16 x 16 x 16 costs twice an mma of 16 x 8 x 16, and one with a sparse A half of what its depth says
 * (data sheets: sparse peaks are twice the dense ones). Its latency grows with that time, since a product is
 * computed in steps: on an A100, 16 x 8 x 8 and 16 x 8 x 16 of f16 take 4 and 8 cycles, and their results 18
 * and 25 (Sun et al., Dissecting Tensor Cores via Microbenchmarks, IEEE TPDS 34(1), 2023).
 *
 * Products of a warpgroup (wgmma) read operands from shared memory. Each warp's unit computes its 16 rows of
 * so many columns a cycle, whatever the type, as long as 32 bytes of each row of A go into one instruction;
 * the SM fetches 2048 bytes of A, if it is in memory, and 32 of each column of B (64 where A is sparse). The
 * larger of both is what an H100 takes, within 1.3 cycles, for m64nNk16 of bf16 at N = 8 to 256: max(N / 2,
 * 16 + N / 4) (flash-vla, unit-mma.md); a product alone ends 43 + N / 2 cycles after its issue, with A in
 * registers 33 + N / 2 (FlashGPU-Sim, cluster_noc/calibration.md, on an H200).
 *
 * Products of tensor memory (tcgen05.mma) take columns of D at a rate, and bytes of A and B from shared
 * memory at another, whatever the type; the larger counts. A product alone takes its columns, the fetch of A,
 * and a constant that is another for two CTAs; its commit and a thread's wait come to that, 50 cycles and
 * sm.mbarrier_wake_latency (B200, tensor-core microbenchmarks: one CTA max(N / 2, 32 + N / 4) and 136 + N /
 * 2, a pair of M 256 max(N / 2, 32 + N / 8) and 165 + N / 2). */
#ifndef CORE_SM_TENSOR_H
#define CORE_SM_TENSOR_H

#include "sim/base/types.h"
#include "sim/config/param.h"

/* Multiply-adds a cycle of a unit, by the types of A and B, and of D for f16; 0: the chip has no such product
 */
struct tensor_config {
	uint32_t units;
	double f16, f16_to_f32, tf32, f64, fp8, fp8_to_f16, fp8_scaled, fp4, int8, int4, b1;
	double latency, latency_by_interval;
	double memory_columns, memory_bytes; /* products of tensor memory */
	double memory_latency, memory_latency_pair, memory_latency_half_pair, memory_latency_copy;
	double warpgroup_columns, warpgroup_bytes, warpgroup_latency, warpgroup_latency_registers;
};

extern const struct sim_param tensor_params[];

struct tensor_operation;
struct uop;

/* Cycles for which a matrix product occupies its unit; 0: the units have none of its types, so that
 * sm.interval.matrix and sm.latency.matrix say how long it takes. */
uint32_t tensor_interval(const struct tensor_config *config, const struct uop *u);
/* Cycles from its issue to that of an instruction that uses the result */
uint32_t tensor_latency(const struct tensor_config *config, const struct uop *u);
/* Of what tensor cores do with tensor memory: until the next one may start, and until it is done. */
struct tensor_time {
	cycles interval, latency;
};
struct tensor_time tensor_operation_time(
	const struct tensor_config *config, const struct tensor_operation *operation);

#endif
