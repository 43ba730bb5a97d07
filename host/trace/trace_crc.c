/* host/trace/trace_crc.c -- the checksum of a block, eight bytes at a time (Kounavis and Berry, "A systematic
 * approach to building high performance software-based CRC generators", ISCC 2005). */
#include "host/trace/trace.h"
#include <endian.h>
#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u /* bit 31 is x^0 */

/* tables[k][b]: what byte b changes in the checksum when k zero bytes follow it */
static uint32_t tables[8][256];

static void make_tables(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		tables[0][i] = i;
		for (int bit = 0; bit < 8; bit++)
			tables[0][i] = tables[0][i] >> 1 ^ (tables[0][i] & 1 ? POLYNOMIAL : 0);
	}
	for (int k = 1; k < 8; k++)
		for (uint32_t i = 0; i < 256; i++)
			tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
}

uint32_t trace_crc(const uint8_t *bytes, size_t count)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t crc = ~0u;

	pthread_once(&once, make_tables);
	for (; count >= 8; count -= 8, bytes += 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		word = le64toh(word) ^ crc;
		crc = 0;
		for (int k = 0; k < 8; k++)
			crc ^= tables[7 - k][word >> 8 * k & 255];
	}
	for (; count; count--)
		crc = crc >> 8 ^ tables[0][(crc ^ *bytes++) & 255];
	return ~crc;
}
