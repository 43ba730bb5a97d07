/* bench_check.h -- a result against the reference, element by element (part of bench.h).
 *
 * bench_expect_T() wants equality; -0 equals +0, and no NaN equals anything. bench_near_T() wants
 * |got - want| <= relative * max(|want|, scale): scale is the size of what was summed, so that an element in
 * which large terms cancel is judged by their rounding, not by what is left. The program says in a comment
 * why the tolerance is what it is. bench_verify_T() reads `got` from the device and then does as
 * bench_expect_T().
 *
 * --break-reference N spoils the reference of the N-th comparison: the middle element by the least that must
 * be noticed. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

/* `element` is what one of the values is called in a complaint. */
#define BENCH_DECLARE_EXPECT(T, type) \
	void bench_expect_##T( \
		struct bench *b, const char *element, const type *got, const type *want, size_t count); \
	void bench_verify_##T( \
		struct bench *b, const char *element, CUdeviceptr got, const type *want, size_t count);

BENCH_DECLARE_EXPECT(f32, float)
BENCH_DECLARE_EXPECT(f64, double)
BENCH_DECLARE_EXPECT(i32, int32_t)
BENCH_DECLARE_EXPECT(u32, uint32_t)
BENCH_DECLARE_EXPECT(u8, uint8_t)
BENCH_DECLARE_EXPECT(u16, uint16_t)
BENCH_DECLARE_EXPECT(u64, uint64_t)

void bench_near_f32(struct bench *b, const char *element, const float *got, const float *want, size_t count,
	double relative, double scale);
void bench_near_f64(struct bench *b, const char *element, const double *got, const double *want, size_t count,
	double relative, double scale);

/* A property of the result that is no list of values (a tree spans, a mesh has no bad triangle) holds or does
 * not; format is the complaint. */
__attribute__((format(printf, 3, 4))) void bench_expect(struct bench *b, bool holds, const char *format, ...);

/* The result is wrong, as printf says it; the first complaint of a run is printed with the verdict. */
__attribute__((format(printf, 2, 3))) void bench_complain(struct bench *b, const char *format, ...);

#endif
