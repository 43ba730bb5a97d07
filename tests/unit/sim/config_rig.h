/* tests/unit/sim/config_rig.h -- what test_config.c and test_config_files.c share. */
#ifndef CONFIG_RIG_H
#define CONFIG_RIG_H

#include "sim/config/config.h"
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum policy { LRR, GTO, TWO_LEVEL };

static const char *const policies[] = { "lrr", "gto", "two_level", NULL };

struct cache {
	uint32_t ways;
	uint64_t size;
	double volts;
	bool sectored;
	uint32_t policy;
	const char *trace, *label;
};

static const struct sim_param cache_params[] = {
	SIM_U32(struct cache, ways, 4, 1, 64, "lines", "associativity"),
	SIM_U64(struct cache, size, 16384, 0, 0x1p64, "bytes", "capacity"),
	SIM_F64(struct cache, volts, 1.05, 0.5, 2, "V", "supply"),
	SIM_BOOL(struct cache, sectored, false, "whether lines have sectors"),
	SIM_ENUM(struct cache, policy, GTO, policies, "who goes first"),
	SIM_STRING(struct cache, trace, NULL, "where to write a trace"),
	SIM_STRING(struct cache, label, "plain", "name in reports"),
	SIM_END,
};

struct mrpb {
	uint32_t entries;
};

static const struct sim_param mrpb_params[] = {
	SIM_U32(struct mrpb, entries, 8, 1, 4096, "requests", "capacity of one queue"),
	SIM_END,
};

static struct config *config;

static struct diag_list list;

static struct cache cache;

static inline void start(void)
{
	config = config_new();
	diag_init(&list);
}

static inline void stop(void)
{
	config_free(config);
	diag_fini(&list);
}

static inline void expect_errors(const char *expected)
{
	char *text = diag_render(&list, DIAG_ERROR);

	cr_expect_str_eq(text, expected, "got:\n%s", text);
	free(text);
}

static inline bool load(const char *text)
{
	return config_load_text(config, "a.yaml", text, &list);
}

static inline void read_cache(void)
{
	config_read(config, "sm.l1", cache_params, &cache, &list);
}

typedef void print(const struct config *config, FILE *stream);

#endif
