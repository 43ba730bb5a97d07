/* core/lsu/load_time_stats.c -- declared statistics of where loads spent their time. */
#include "core/lsu/load_time.h"

const char *const load_stage_names[] = {
#define LOAD_STAGE(name, help) #name,
#include "core/kernel/load_stages.def"
#undef LOAD_STAGE
	NULL
};

const char *const load_stage_help[] = {
#define LOAD_STAGE(name, help) help,
#include "core/kernel/load_stages.def"
#undef LOAD_STAGE
	NULL
};

static const char *const class_names[LOAD_CLASSES + 1] = { "below_32", "from_32", "from_64", "from_128",
	"from_256", "from_512", "from_1024", "from_2048", "from_4096", "from_8192", "from_16384",
	"from_32768", "from_65536", NULL };

/* The least latency of each bin. */
static const char *const bin_names[LOAD_BINS + 1] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
	"11", "12", "13", "14", "15", "16", "20", "24", "28", "32", "40", "48", "56", "64", "80", "96", "112",
	"128", "160", "192", "224", "256", "320", "384", "448", "512", "640", "768", "896", "1024", "1280",
	"1536", "1792", "2048", "2560", "3072", "3584", "4096", "5120", "6144", "7168", "8192", "10240",
	"12288", "14336", "16384", "20480", "24576", "28672", "32768", "40960", "49152", "57344", "65536",
	"81920", "98304", "114688", "131072", "163840", "196608", "229376", "262144", "327680", "393216",
	"458752", "524288", "655360", "786432", "917504", NULL };

static uint64_t bin_start(uint32_t bin)
{
	uint32_t octave = 4 + (bin - 16) / 4;

	return bin < 16 ? bin : (UINT64_C(4) + (bin - 16) % 4) << (octave - 2);
}

double load_time_percentile(const struct load_time *t, double share)
{
	double wanted = share * (double)t->loads, before = 0;
	uint32_t bin = 0;

	if (!t->loads)
		return 0;
	while (bin < LOAD_BINS - 1 && before + (double)t->latency[bin] < wanted)
		before += (double)t->latency[bin++];
	if (!t->latency[bin])
		return (double)bin_start(bin);
	return (double)bin_start(bin) +
		(wanted - before) / (double)t->latency[bin] * (double)(bin_start(bin + 1) - bin_start(bin));
}

static double mean(const void *object)
{
	const struct load_time *t = object;

	return t->loads ? (double)t->cycles / (double)t->loads : 0;
}

static double p50(const void *object)
{
	return load_time_percentile(object, 0.5);
}

static double p95(const void *object)
{
	return load_time_percentile(object, 0.95);
}

static double p99(const void *object)
{
	return load_time_percentile(object, 0.99);
}

#define FROM(i, name) \
	SIM_VECTOR_AS(struct load_time, from[i], name, load_stage_names, "cycles", \
		"cycles that loads with this range of latency spent, by stage")
#define SPENT(stage) \
	SIM_HIST_AS(struct load_time, spent[LOAD_##stage], "spent_" #stage, "cycles", \
		"cycles that a load spent in this stage, if any")

const struct sim_stat load_time_stats[] = {
	SIM_COUNT(struct load_time, loads, "instructions",
		"load instructions of global and local memory that ended"),
	SIM_COUNT(struct load_time, cycles, "cycles",
		"cycles from issue to the last data of load instructions, added up"),
	SIM_VECTOR(struct load_time, stages, load_stage_names, "cycles",
		"cycles of load instructions by the stage in which they were spent (elsewhere: loads of "
		"shared memory and constants)"),
	SIM_FORMULA("mean", mean, "cycles", "mean latency of a load instruction of global or local memory"),
	SIM_VECTOR(struct load_time, latency, bin_names, "instructions",
		"load instructions by latency; the number of each element is the cycles at which it begins"),
	SIM_FORMULA("p50", p50, "cycles", "median latency of load instructions"),
	SIM_FORMULA("p95", p95, "cycles", "latency below which 95 % of the load instructions lie"),
	SIM_FORMULA("p99", p99, "cycles", "latency below which 99 % of the load instructions lie"),
	SIM_VECTOR(struct load_time, loads_from, class_names, "instructions",
		"load instructions by latency, in powers of two"),
	FROM(0, "below_32"), FROM(1, "from_32"), FROM(2, "from_64"), FROM(3, "from_128"), FROM(4, "from_256"),
	FROM(5, "from_512"), FROM(6, "from_1024"), FROM(7, "from_2048"), FROM(8, "from_4096"),
	FROM(9, "from_8192"), FROM(10, "from_16384"), FROM(11, "from_32768"), FROM(12, "from_65536"),
	SPENT(coalescer), SPENT(buffer), SPENT(l1), SPENT(xbar), SPENT(rop), SPENT(l2_queue), SPENT(l2),
	SPENT(dram_queue), SPENT(dram), SPENT(return ), SIM_STAT_END
};

static void add_class(struct load_time *sum, const struct load_counts *part, uint32_t class)
{
	sum->loads += part->loads_from[class];
	sum->loads_from[class] += part->loads_from[class];
	for (int i = 0; i < LOAD_STAGES; i++) {
		sum->from[class][i] += part->from[class][i];
		sum->stages[i] += part->from[class][i];
		sum->spent[i].sum += part->from[class][i];
		sum->cycles += part->from[class][i];
	}
}

static void add_histogram(struct sim_histogram *sum, const uint64_t *buckets, uint64_t longest)
{
	for (int i = 0; i < SIM_HIST_BUCKETS; i++) {
		sum->bucket[i] += buckets[i];
		sum->samples += buckets[i];
	}
	sum->maximum = longest > sum->maximum ? longest : sum->maximum;
}

void load_time_add_up(struct load_time *sum, const struct load_counts *part)
{
	uint64_t before = sum->loads;

	for (uint32_t class = 0; class < LOAD_CLASSES; class ++)
		if (part->loads_from[class])
			add_class(sum, part, class);
	for (int i = 0; i < LOAD_STAGES; i++)
		if (part->longest[i])
			add_histogram(&sum->spent[i], part->spent[i], part->longest[i]);
	for (int i = 0; sum->loads > before && i < LOAD_BINS; i++)
		sum->latency[i] += part->latency[i];
	sum->stages[LOAD_elsewhere] += part->elsewhere;
}
