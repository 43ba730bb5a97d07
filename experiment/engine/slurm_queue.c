/* experiment/engine/slurm_queue.c -- what Slurm's controller says: the queue (squeue), and the end of a task
 * (scontrol). */
#include "experiment/engine/slurm.h"
#include "experiment/capture.h"
#include "sim/base/xalloc.h"
#include <unistd.h>

bool slurm_parse_line(const char *line, const char *name, struct slurm_line *to)
{
	size_t length = strlen(name);
	char found[64];

	if (sscanf(line, "%u|%u|%63[^\n]", &to->array, &to->task, found) != 3)
		return false; /* no array, or many tasks in one line */
	if (strncmp(found, name, length) || strlen(found + length) != SLURM_ID - 1)
		return false;
	memcpy(to->id, found + length, SLURM_ID);
	return true;
}

static void take_lines(struct slurm *s, char *text)
{
	size_t room = 0;
	char *line;

	free(s->lines);
	s->lines = NULL;
	s->line_count = 0;
	while ((line = strsep(&text, "\n"))) {
		if (s->line_count == room)
			s->lines = xrealloc(s->lines, (room = room * 2 + 64) * sizeof(*s->lines));
		s->line_count += slurm_parse_line(line, s->name, &s->lines[s->line_count]);
	}
}

bool slurm_list(struct slurm *s, char **why)
{
	char user[16];
	/* by user: the controller sends no more than needed, and unknown numbers of jobs are no error */
	const char *const arguments[] = { "squeue", "--noheader", "--array", "--user", user, "--format",
		"%F|%K|%j", NULL };
	struct capture c;

	snprintf(user, sizeof(user), "%u", (unsigned)getuid());
	c = capture_run(arguments, SLURM_SECONDS);
	if (c.status == 0) {
		take_lines(s, c.out);
		s->listing++;
		s->listed_at = slurm_now();
	} else if (why && asprintf(why, "%s", *c.err ? c.err : "squeue does not answer") < 0) {
		bug("out of memory");
	}
	s->is_away = c.status;
	capture_free(&c);
	return !s->is_away;
}

/* The word behind key in "... Key=value ...". */
static void word_of(const char *text, const char *key, char *to, size_t size)
{
	const char *at = strstr(text, key);
	size_t length;

	*to = 0;
	if (!at)
		return;
	at += strlen(key);
	length = strcspn(at, " \n");
	snprintf(to, size, "%.*s", (int)length, at);
}

void slurm_parse_end(const char *text, struct slurm_end *to)
{
	char code[24];

	*to = (struct slurm_end){ 0 };
	word_of(text, " JobState=", to->state, sizeof(to->state));
	word_of(text, " Reason=", to->reason, sizeof(to->reason));
	word_of(text, " NodeList=", to->node, sizeof(to->node));
	word_of(text, " ExitCode=", code, sizeof(code));
	if (sscanf(code, "%d:%d", &to->status, &to->signal) < 2)
		to->signal = 0;
	if (!*to->node || to->node[0] == '(')
		snprintf(to->node, sizeof(to->node), "its node");
}

struct slurm_end slurm_ask(uint32_t array, uint32_t task)
{
	char number[32];
	const char *const arguments[] = { "scontrol", "--oneliner", "show", "job", number, NULL };
	struct slurm_end end = { 0 };
	struct capture c;

	snprintf(number, sizeof(number), "%u_%u", array, task);
	c = capture_run(arguments, SLURM_SECONDS);
	if (c.status == 0)
		slurm_parse_end(c.out, &end);
	capture_free(&c);
	return end;
}

struct meaning {
	const char *state;
	enum job_outcome outcome;
	const char *message;
};

static const struct meaning meanings[] = {
	{ "TIMEOUT", JOB_TIMEOUT, "stopped by Slurm after the array's time limit" },
	{ "DEADLINE", JOB_TIMEOUT, "stopped by Slurm at its deadline" },
	{ "OUT_OF_MEMORY", JOB_MEMORY, "stopped by Slurm: it held more memory than the array asked for" },
	{ "CANCELLED", JOB_KILLED, "cancelled in Slurm" },
	{ "PREEMPTED", JOB_KILLED, "preempted by Slurm" },
	{ "NODE_FAIL", JOB_LOST, "Slurm gave up its node" },
	{ "BOOT_FAIL", JOB_LOST, "Slurm could not start its node" },
};

/* The script ended by itself, and yet there is no result. */
static void judge_script(const struct slurm_end *end, const char *work, char *to, size_t size)
{
	int status = end->signal ? 128 + end->signal : end->status;

	if (!*end->state)
		snprintf(to, size, "it left no result, and Slurm no longer knows what became of it");
	else if (status == SLURM_NO_LIST)
		snprintf(to, size,
			"%s does not see %s: the work folder must be on a file system that all nodes share",
			end->node, work);
	else if (status == 126 || status == 127)
		snprintf(to, size,
			"the lockstep program cannot be run on %s (exit status %d): it must be on a file "
			"system that all nodes share",
			end->node, status);
	else if (status > 128)
		snprintf(to, size, "'lockstep job' was ended by signal %d (%s) on %s", status - 128,
			strsignal(status - 128), end->node);
	else
		snprintf(to, size,
			"its script ended on %s with exit status %d and left no result in %s: do all nodes "
			"share that file system?",
			end->node, status, work);
}

void slurm_judge(const struct slurm_end *end, const char *work, const char *id, struct job_result *result)
{
	char why[400];

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		const struct meaning *m = &meanings[i];

		if (strcmp(end->state, m->state))
			continue;
		result->outcome = m->outcome;
		snprintf(result->message, sizeof(result->message), "%s (%s, %s)", m->message, end->node,
			m->state);
		return;
	}
	if (result->outcome != JOB_LOST)
		return; /* it knows better itself */
	judge_script(end, work, why, sizeof(why));
	snprintf(
		result->message, sizeof(result->message), "%s (what Slurm said: .slurm/%s/log.txt)", why, id);
	result->status = end->signal ? 128 + end->signal : end->status;
}
