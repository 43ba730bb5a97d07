/* sim/policy/policy.h -- policies: what all of them have in common.
 *
 * A policy interface is a decision of the machine that can be made in several ways: which warp issues next,
 * which line is replaced. Its header declares two structs:
 *
 *   struct sched_class { POLICY_CLASS; ... }
 *         a policy: its name, its tables, its functions
 *   struct sched { const struct sched_class *class; ... }
 *         the state of each policy, which its own struct begins with
 *
 * Its .c file declares a struct policy_interface, whose tables come from a list of the policies
 * (sim/policy/table.h). A policy is one file, which ends in its class, and one line in the list.
 *
 * The life of a policy's object: policy_read makes a prototype from the configuration, which holds nothing
 * but parameters. policy_new copies it for each part of the machine that decides (an SM, a slice), which then
 * sets the fields that connect the policy to it. policy_start calls init and registers the statistics;
 * policy_kernel_started announces each kernel; policy_free calls fini. */
#ifndef SIM_POLICY_POLICY_H
#define SIM_POLICY_POLICY_H

#include "sim/base/state.h"
#include "sim/base/xalloc.h"
#include "sim/config/config.h"
#include "sim/policy/storage.h"
#include "sim/stats/stat.h"

/* The fields that every class begins with. All but name and size may be NULL. */
#define POLICY_CLASS_FIELDS \
	const char *name;                     /* in the configuration and the list */ \
	const char *help;                     /* a line for `lockstep list` */ \
	const char *source;                   /* the paper that it is from */ \
	const struct policy_storage *storage; /* what it would add to a chip (sim/policy/storage.h) */ \
	size_t size;                          /* of the policy's own struct, the base included */ \
	const struct sim_param *params; /* fields of that struct: subsection `name` of the configuration */ \
	const struct sim_stat *stats;   /* fields of it, too: in the output behind the same name */ \
	/* Parameters are read and the object is connected: sets its state, may allocate. */ \
	void (*init)(void *policy); \
	/* A kernel is about to send its first CTA to the policy's SM; or, for policies that belong to no \
	 * SM, to start. `now`: the cycle of the component that the policy decides for. Names of kernels \
	 * live as long as their module: compare text. */ \
	void (*kernel_started)(void *policy, const char *name, uint64_t launch, cycles now); \
	/* Frees what init allocated. */ \
	void (*fini)(void *policy); \
	/* What it has learned by the end of a kernel, no other being under way, into a checkpoint and back \
	 * (sim/base/state.h). policy_keeps_nothing: nothing that matters to the next kernel. NULL: a replay \
	 * from a checkpoint begins without, and says so. */ \
	void (*state)(void *policy, struct state *state);

struct policy_class {
	POLICY_CLASS_FIELDS
};

/* The beginning of an interface's class: these fields by their names, and together as `policy`. */
#define POLICY_CLASS \
	union { \
		struct policy_class policy; \
		struct { \
			POLICY_CLASS_FIELDS \
		}; \
	}

struct policy_interface {
	const char *title;                   /* for `lockstep list`: "warp schedulers" */
	const char *keys;                    /* where the policy is chosen: "sm.scheduler.policy" */
	const char *name;                    /* in the names of its structs: "sched" */
	const struct policy_class **classes; /* NULL-terminated, by table.h */
	const char **names;                  /* theirs */
	uint32_t places;                     /* for classes and names, those of plug-ins included */
	size_t class_size;                   /* of the interface's class */
	const struct sim_param *choice;      /* POLICY_CHOICE; NULL: another section's parameter chooses */
	const struct sim_param *params; /* further ones, of every policy: fields of the base struct; or NULL
					 */
	const struct sim_stat *stats;   /* the same of statistics */
	size_t size;                    /* of the base struct */
};

#define POLICY_PLUGINS 16 /* policies that plug-ins can add to an interface */

/* What table.h has made for the interface. */
#define POLICY_TABLES(interface) \
	.name = #interface, .classes = interface##_classes, .names = interface##_names, \
	.places = interface##_at_end + POLICY_PLUGINS, .class_size = sizeof(struct interface##_class)

/* The parameter `policy` of an interface's section, with its default and a line of help. */
struct policy_choice {
	uint32_t policy; /* position in classes */
};
#define POLICY_CHOICE(interface, initial, text) \
	SIM_ENUM(struct policy_choice, policy, interface##_at_##initial, interface##_names, text)

/* ---- prototypes ---- */

/* Reads the section `path`: `policy`, the interface's own parameters, and a subsection for each policy, which
 * is checked also if another policy was chosen. */
void *policy_read(const struct policy_interface *interface, struct config *config, const char *path,
	struct diag_list *diags);
/* The same where something else has chosen classes[chosen]: reads only the subsections. */
void *policy_read_chosen(const struct policy_interface *interface, struct config *config, const char *path,
	uint32_t chosen, struct diag_list *diags);
/* All parameters have their defaults; the class need not be in the list. */
void *policy_blank(const struct policy_interface *interface, const struct policy_class *class);
void policy_prototype_free(const void *prototype); /* may be NULL */

/* ---- objects ---- */

/* A copy of the prototype, in whole cache lines of the host, not yet connected. */
void *policy_new(const void *prototype);
/* The same; without a prototype, of classes[chosen] with the defaults of its parameters. */
void *policy_new_chosen(const struct policy_interface *interface, uint32_t chosen, const void *prototype);
/* The object is connected. Statistics are registered as `group` and `group`.NAME, with this index
 * (sim/stats/stat.h); stats may be NULL. */
void policy_start(const struct policy_interface *interface, void *policy, struct stat_tree *stats,
	const char *group, int index);
/* policy may be NULL. */
void policy_kernel_started(void *policy, const char *name, uint64_t launch, cycles now);
void policy_free(void *policy);

/* ---- checkpoints ---- */

void policy_keeps_nothing(void *policy, struct state *state);
/* Whether its class can keep its state; policy may be NULL, and has none then. */
bool policy_can_keep(const void *policy);
/* Its state; nothing if it is NULL or cannot keep it. */
void policy_state(void *policy, struct state *state);
/* Its name and parameters: a state fits where these are the same. */
void policy_describe(const struct policy_interface *interface, const void *policy, FILE *to);

#endif
