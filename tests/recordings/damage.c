/* tests/recordings/damage.c -- damage FROM TO SEED: the recording FROM with one to three numbers or bytes of
 * its entries changed, entries left out or doubled, and checksums that are right: what only the replay can
 * refuse. */
#include "host/recording/recording_reader.h"
#include "host/recording/recording_writer.h"
#include "sim/base/xalloc.h"

static uint64_t state;

static uint64_t any(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 16) % (below ? below : 1);
}

/* Most entries are a number or two: those are left alone. */
static bool is_large(enum recording_kind kind)
{
	return kind != RECORDING_SUBMIT && kind != RECORDING_POINT && kind != RECORDING_AWAIT;
}

static void change(uint8_t *bytes, size_t count)
{
	static const uint64_t odd[] = { 0, 1, 2, 3, 255, 256, 65536, UINT32_MAX, UINT64_C(1) << 32,
		UINT64_C(0x200000000000), UINT64_C(0x200000000001), INT64_MAX, UINT64_MAX };
	size_t at = any(count);

	if (count >= 8 && any(4)) /* a number, one of the first most often */
		memcpy(bytes + any(count / 8 < 16 ? count / 8 : 16) * 8, &odd[any(sizeof odd / sizeof *odd)],
			8);
	else if (count)
		bytes[at] ^= (uint8_t)(1u << any(8));
}

int main(int count, char **arguments)
{
	struct diag_list diags;
	enum recording_kind kind;
	uint64_t entries = 0, at = 0, chosen[3];

	if (count != 4)
		return 2;
	diag_init(&diags);
	struct recording_reader *r = recording_reader_open(arguments[1], &diags);
	while (r && (kind = recording_next(r)))
		entries += is_large(kind);
	if (!r)
		return 2;
	recording_reader_free(r);
	r = recording_reader_open(arguments[1], &diags);
	struct recording_writer *w = recording_writer_open(arguments[2], &diags);
	state = strtoull(arguments[3], NULL, 10) * 7919 + 1;
	for (int i = 0; i < 3; i++)
		chosen[i] = i && any(2) ? entries : any(entries);
	while (w && (kind = recording_next(r))) {
		size_t size = recording_left(r);
		uint8_t *bytes = xmalloc(size + 1);
		int times = 1;

		recording_take_bytes(r, bytes, size);
		for (int i = 0; i < 3; i++)
			if (is_large(kind) && chosen[i] == at && any(6))
				change(bytes, size);
			else if (is_large(kind) && chosen[i] == at)
				times = any(2) ? 0 : 2;
		if (is_large(kind) && chosen[0] == at && !any(10))
			size = any(size);
		for (; times; times--) {
			recording_put(w, kind, size);
			recording_put_bytes(w, bytes, size);
		}
		free(bytes);
		at += is_large(kind);
	}
	recording_reader_free(r);
	diag_fini(&diags);
	return !w || !recording_writer_close(w);
}
