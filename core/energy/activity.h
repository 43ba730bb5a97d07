/* core/energy/activity.h -- what instructions did, by kind: the activity from which energy is estimated.
 * Group "activity". Counted only where the configuration asks for it (observe.activity, or an energy model).
 *
 * Of each micro-operation an SM counts how often it was executed and in how many lanes (issue_counts.h); the
 * sums here are made of these when statistics are read. */
#ifndef CORE_ENERGY_ACTIVITY_H
#define CORE_ENERGY_ACTIVITY_H

#include "core/energy/instruction_class.h"
#include "core/sm/tensor_products.h"
#include "sim/stats/stat.h"

struct chip;
struct kernel_run;

enum { ACTIVITY_READ, ACTIVITY_WRITTEN, ACTIVITY_DIRECTIONS };

/* All fields are uint64_t counters. */
struct activity_counts {
	uint64_t warp_instructions[INSTRUCTION_CLASSES], thread_instructions[INSTRUCTION_CLASSES];
	uint64_t register_rows[ACTIVITY_DIRECTIONS], register_lanes[ACTIVITY_DIRECTIONS];
	uint64_t collector_accesses, shared_words[ACTIVITY_DIRECTIONS];
	uint64_t active_sm_cycles[STATIC_CATEGORIES], lane_cycles[STATIC_CATEGORIES];
	uint64_t idle_sm_cycles, silent_sm_cycles;
	uint64_t tensor_products[TENSOR_TYPES];
};

struct activity;

/* Of this machine; registers its statistics. */
struct activity *activity_new(struct chip *chip, struct stat_tree *stats);
void activity_free(struct activity *activity);
/* What its counts need of a kernel that starts with timing: counters on each SM. run->on_sm is there.
 * activity NULL: only if the run is profiled. */
void activity_kernel_started(const struct activity *activity, struct kernel_run *run, uint32_t sms);
/* The counts of issue have been brought up to date (gpu_account): so are these now. activity may be NULL. */
void activity_account(struct activity *activity);
/* A run ends, after its last issue slot has been counted: its counts are kept, and go to its profile if it
 * has one. activity may be NULL. */
void activity_kernel_ended(struct activity *activity, const struct kernel_run *run, uint32_t sms);
/* Frees what activity_kernel_started made. */
void activity_kernel_free(struct kernel_run *run, uint32_t sms);

#endif
