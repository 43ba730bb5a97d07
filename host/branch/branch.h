/* host/branch/branch.h -- a run that goes on in several ways from a point (--at, --then, --branch).
 *
 *   run ----------- point ------------------ the run itself (with the changes of --then)
 *                     |-- fork -- branch A   the same run with the changes of A, in a folder of its own
 *                     '-- fork -- branch B
 *
 * A branch is a copy of the whole process, host program included, which the host's kernel makes without
 * copying memory that nobody writes. So all state is that of the run: device memory, warps, caches, queues,
 * requests under way, what policies have learned. Then its changes take effect:
 *
 *   - Where a kernel has been timed or is under way: only policies that may change at work
 *     (core/gpu/change.h).
 *   - Before a launch, when all launches so far have been executed without timing (gpu.warmup.kernels): any
 *     change but those of device memory and of kernels' code. The branch goes on with another machine, which
 *     takes over the memory; the launches so far are counted on it again, at the same times. So its files are
 *     those of a run with that configuration from the start. */
#ifndef HOST_BRANCH_BRANCH_H
#define HOST_BRANCH_BRANCH_H

#include "host/session/session_internal.h"
#include <sys/types.h>

enum branch_point { BRANCH_AT_KERNEL, BRANCH_AT_CYCLE, BRANCH_AT_INSTRUCTIONS, BRANCH_WITHIN };

/* How the process of a branch ended. */
struct branch_end {
	bool is_known;
	int status; /* exit status, or 128 + signal */
	double seconds;
	uint64_t peak_kib; /* most memory resident */
};

struct branch {
	char *name, *changes;  /* as the user wrote them */
	struct config *config; /* with the changes */
	char *config_path;     /* its files, one a line */
	bool is_changed;       /* it differs from the run's */
	bool has_other_warmup; /* in what comes before the point */
	char *forbidden;       /* a parameter that cannot change at work; NULL: all of them can */
	pid_t process;         /* 0: not running */
	struct branch_end end;
};

/* A launch that was executed without timing or, where a checkpoint is asked for, with it. */
struct branch_launch {
	struct launch launch;
	struct launch_known known;
	uint8_t *params;
	picoseconds start;
};

struct session_branches {
	char *at; /* as the user wrote it */
	enum branch_point point;
	uint64_t value;
	uint64_t launch;         /* BRANCH_WITHIN: the value is of its warp instructions */
	struct branch *branches; /* behind them, if has_then, the run's own changes */
	size_t count;
	bool has_then;
	char *save, *recording; /* of a checkpoint; NULL: none is asked for */
	bool is_taken;          /* the point has been reached */
	bool is_spoilt;         /* launches so far cannot be counted again */
	bool is_timed;          /* some of them have been timed; in part, or beside others: */
	bool is_timed_in_part;
	struct branch_launch *launches;
	size_t launch_count;
	uint32_t at_once; /* processes of branches; 0: as many as the host has processors, the run's included
			   */
	bool failed;      /* a branch has ended with an error */
};

/* branch_options.c: what the options say; false, with diagnostics, if something is wrong. NULL in *branches:
 * no point was asked for. */
bool branches_new(struct session_branches **branches, struct session *session,
	const struct session_options *options, struct diag_list *diags);
void branches_free(struct session_branches *branches);

/* branch.c: the machine is there; a launch has ended, or a module is unloaded; the run has ended: waits for
 * its branches, and returns whether all have ended well. branches may be NULL. */
void branches_begin(struct session *session);
void branches_launch_ended(
	struct session *session, const struct launch *launch, const struct launch_result *result);
void branches_unload(struct session *session);
bool branches_end(struct session *session);

/* branch_process.c: makes the process of a branch. Returns true in the child, whose terminal output goes to
 * FOLDER/output.txt from then on, and which does not know the other branches. */
bool branch_fork(struct session *session, struct branch *branch, const char *folder);
/* In the child: the parent, which has waited so that its files stay as they are, may go on. */
void branch_is_ready(void);
/* Waits for a branch, and says on stderr if it did not end well. */
bool branch_wait(const struct session *session, struct branch *branch);
/* Writes FOLDER/branches.txt: a line for each, with name, status, processor seconds and KiB. */
bool branches_list(const struct session *session);

/* branch_launches.c */
void branch_launch_keep(
	struct session *session, const struct launch *launch, const struct launch_result *result);
void branch_launches_free(struct session_branches *branches);
/* Counts the launches on another session, whose machine has the memory; its time is then `now`. */
void branch_launches_repeat(
	const struct session_branches *branches, struct session *session, picoseconds now);

#endif
