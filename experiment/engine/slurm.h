/* experiment/engine/slurm.h -- inside the Slurm engine: job arrays, what the queue holds, and how a task
 * ended.
 *
 * A batch is one job array. Its folder WORK/.slurm/ID holds the list of its jobs (`jobs`, one a line, in the
 * order of the tasks), its script, and what its tasks say (`log.txt`). The array's name in Slurm ends in ID,
 * and a job's folder holds a note (`slurm`: ID and task), written before the array is submitted: whatever
 * ends a sweep process and when, the next one finds in the queue what it left there. */
#ifndef EXPERIMENT_ENGINE_SLURM_H
#define EXPERIMENT_ENGINE_SLURM_H

#include "experiment/engine/engine.h"

enum { SLURM_ID = 7 }; /* of a batch: six characters and a NUL */
enum {
	SLURM_MOST = 5000,  /* tasks under way: half of what a controller accepts unless it is told otherwise
			       (MaxJobCount 10000) */
	SLURM_NO_LIST = 72, /* the script's exit status if the list of jobs is not there (EX_OSFILE of
			       sysexits.h) */
	SLURM_SECONDS = 120 /* after which a command of Slurm's that does not answer is killed */
};
#define SLURM_PAUSE_LEAST 1.0 /* seconds between readings of the queue */

/* How a task ended, as the controller knows it. */
struct slurm_end {
	char state[24]; /* COMPLETED FAILED TIMEOUT OUT_OF_MEMORY NODE_FAIL CANCELLED ...; "": not known (any
			   more) */
	char reason[48];
	char node[64];
	int status, signal; /* of the script */
};

enum slurm_stage {
	SLURM_UNDER_WAY, /* submitted; waiting or running, when the queue was read last */
	SLURM_GONE,      /* no longer in the queue; there is no result yet */
	SLURM_ENDED      /* poll has named it, collect has not */
};

struct slurm_task {
	const char *job; /* NULL: none of ours, or collected */
	enum slurm_stage stage;
	uint32_t seen;   /* number of the last listing that it was in */
	double deadline; /* GONE: until when a result is waited for; of slurm_now */
	struct slurm_end end;
};

struct slurm_batch {
	struct slurm_batch *next;
	char id[SLURM_ID];
	uint32_t array; /* Slurm's number; 0: not known */
	uint32_t count; /* of tasks */
	uint32_t open;  /* tasks with a job */
	uint32_t seen;  /* number of the last listing that any task of it was in */
	struct slurm_task *tasks;
};

/* A line of the queue. */
struct slurm_line {
	char id[SLURM_ID];
	uint32_t array, task;
};

struct slurm {
	struct engine_options options;
	char name[24]; /* of our arrays, before the ID: tells work folders apart */
	char **words;  /* options.arguments, NULL-terminated */
	size_t word_count;
	uint32_t largest; /* tasks that an array may have */
	struct slurm_batch *batches;
	uint32_t under_way; /* tasks UNDER_WAY or GONE */
	uint32_t full_at;   /* how many were under way when the site let us have no more; 0: not so */

	struct slurm_line *lines; /* the last listing that was answered, */
	size_t line_count;
	uint32_t listing; /* and its number, and when that was */
	double listed_at;
	double next_look, pause; /* when to read the queue again; seconds between readings */
	double took;             /* seconds that the last answer took */
	bool is_away;            /* the controller did not answer last time */
};

/* slurm.c */
double slurm_now(void); /* seconds, monotonic */
/* Sleeps until then. false: a signal came. */
bool slurm_sleep(double until);
/* Tells the user, once, that the controller does not answer, and that we wait. */
void slurm_say_away(struct slurm *s, const char *why);

/* slurm_check.c */
/* Is there all that is needed; reads the queue, and what an array may be. A warning if the work folder seems
 * not to be shared. */
bool slurm_check(struct slurm *s, struct diag_list *diags);

/* slurm_watch.c */
/* Takes charge of a job that waits or runs; false: it does not. */
bool slurm_take(struct slurm *s, const char *job);
/* Reads the queue and finds those that have left it. */
void slurm_look(struct slurm *s);
/* Those that left the queue and whose result is there, or will not come; *waiting: some may still get theirs.
 */
size_t slurm_name_ended(struct slurm *s, const char **ended, size_t most, bool *waiting);
/* Is it still this task that the job's note names? No: another sweep has taken its result and the folder, or
 * has submitted it again. */
bool slurm_is_ours(const struct slurm *s, const struct slurm_batch *b, const struct slurm_task *t);
/* Was any of our arrays in the queue when it was read last? */
bool slurm_any_in_queue(struct slurm *s);

/* slurm_queue.c */
/* Reads the queue: our tasks that wait or run. false, with *why (malloc'ed) if it was given, if the
 * controller did not answer. */
bool slurm_list(struct slurm *s, char **why);
/* A line "ARRAY|TASK|NAME" of the queue; false if it is no task of an array whose name is `name` and an ID.
 */
bool slurm_parse_line(const char *line, const char *name, struct slurm_line *to);
/* Asks the controller how a task ended. */
struct slurm_end slurm_ask(uint32_t array, uint32_t task);
void slurm_parse_end(const char *text, struct slurm_end *to);
/* What that means for a job of batch `id` that left no result (JOB_LOST), or was killed by somebody. */
void slurm_judge(const struct slurm_end *end, const char *work, const char *id, struct job_result *result);

/* slurm_submit.c */
/* One array for jobs[0..count), count <= largest. *why (malloc'ed) says what sbatch answered if it returns
 * NULL. */
struct slurm_batch *slurm_submit_array(struct slurm *s, const char *const *jobs, uint32_t count, char **why);
/* Removes its folder; a log that says something stays. */
void slurm_batch_clean(const struct slurm *s, const char *id);
/* Removes folders of batches that are no longer in the queue and are older than an hour: of sweep processes
 * that were killed. */
void slurm_clean_old(const struct slurm *s);
/* The note in a job's folder; false: there is none. */
bool slurm_note_read(const struct slurm *s, const char *job, char id[SLURM_ID], uint32_t *task);

#endif
