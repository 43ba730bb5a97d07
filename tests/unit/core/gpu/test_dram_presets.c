/* tests/unit/core/gpu/test_dram_presets.c -- configs/dram: each preset's peak bandwidth is the one its
 * comment states, and a sequential stream over all its channels reaches what its timing leaves of it after
 * refresh. Runs in the repository root. */
#include "core/gpu/machine_config.h"
#include "tests/unit/core/gpu/map_offset.h"
#include "tests/unit/dram/bandwidth.h"
#include "core/chip/address_map.h"
#include <string.h>

static const char *const presets[] = { "gddr5-gtx480", "gddr5-c2050", "gddr5x", "gddr6", "hbm2" };

static struct machine_config load(const char *name, double *stated)
{
	struct config *config = config_new();
	struct machine_config m;
	struct diag_list diags;
	char path[128], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "configs/dram/%s.yaml", name);
	*stated = 0;
	f = fopen(path, "r");
	cr_assert(f, "%s", path);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "# peak: ", 8))
			*stated = atof(strchr(line, '=') + 1);
	fclose(f);
	diag_init(&diags);
	cr_assert(config_load(config, path, &diags));
	machine_config_read(&m, config, &diags);
	config_check_unknown(config, &diags);
	diag_print(&diags, stderr);
	cr_assert(!diags.errors);
	diag_fini(&diags);
	machine_config_fini(&m); /* the configuration stays: strings are its */
	return m;
}

static double peak_of(const struct machine_config *m)
{
	return m->gpu.partitions * m->dram.bus_bytes * m->dram.data_rate * m->gpu.dram_mhz / 1e3;
}

Test(dram_presets, peak_bandwidths_are_those_stated)
{
	static const double published[] = { 177.4, 144, 480, 336, 652.8 }; /* gpu_chips: GB/s */

	for (int i = 0; i < 5; i++) {
		double stated;
		struct machine_config m = load(presets[i], &stated);

		cr_assert_float_eq(
			peak_of(&m), stated, 0.001, "%s: %g, stated %g", presets[i], peak_of(&m), stated);
		cr_assert_float_eq(stated, published[i], 0.01, "%s: %g", presets[i], stated);
	}
}

Test(dram_presets, the_file_of_the_GTX_480_has_the_defaults)
{
	double stated;
	struct machine_config m = load(presets[0], &stated);

	for (const struct sim_param *p = dram_params; p->type != SIM_PARAM_END; p++)
		if (p->type == SIM_PARAM_U32)
			cr_assert_eq(*(uint32_t *)((char *)&m.dram + p->offset), (uint32_t)p->number, "%s",
				p->name);
}

/* Channel 0's part of a sequential stream over all partitions. */
static struct partition_map partitions;

static bool sequential_of_channel_0(struct rig *rig, struct packet *p)
{
	addr local = rig->sent * 128;

	p->address = map_offset(&partitions, 0, local);
	cr_assert_eq(map_partition(&partitions, p->address, &p->local), 0);
	return true;
}

static bool sequential_writes_of_channel_0(struct rig *rig, struct packet *p)
{
	p->kind = PACKET_WRITE;
	return sequential_of_channel_0(rig, p);
}

/* By hand: a burst every `burst` cycles (chunks of 256 bytes lie in bank groups by turns, and the queue holds
 * 64 requests, so that tCCDS counts, not tCCDL), but for what each refresh takes: from the last column
 * command to the last PRE (reads: tRTP and a PRE a cycle; writes: their data and tWR, in which the others are
 * closed), tRP, tRFC, tRCD. */
static double by_hand(const struct machine_config *m, bool is_write)
{
	const struct dram_config *d = &m->dram;
	double burst = (double)d->burst_length / d->data_rate, close, lost;

	close = is_write ? d->tWL + burst + d->tWR : d->tRTP + d->banks - 1;
	lost = close + d->tRP + d->tRFC + (is_write && d->tRCDWR ? d->tRCDWR : d->tRCD);
	return peak_of(m) * (1 - lost / d->tREFI);
}

Test(dram_presets, a_sequential_stream_reaches_the_peak_less_refresh)
{
	for (int i = 0; i < 5; i++)
		for (int is_write = 0; is_write < 2; is_write++) {
			double stated, measured;
			struct machine_config m = load(presets[i], &stated);
			char what[64];

			partitions = address_map_partitions(&m.gpu, &m.dram);
			m.dram.check = true;
			measured =
				bandwidth(&m.dram,
					is_write ? sequential_writes_of_channel_0 : sequential_of_channel_0,
					60000) *
				m.gpu.dram_mhz * m.gpu.partitions / 1e3;
			snprintf(what, sizeof(what), "%s, %s, GB/s", presets[i],
				is_write ? "writes" : "reads");
			is_within_two_percent(what, measured, by_hand(&m, is_write));
		}
}
