/* experiment/engine/slurm_check.c -- is there a Slurm here, and what does it allow: asked before the first
 * job. */
#include "experiment/engine/slurm.h"
#include "experiment/capture.h"
#include "sim/base/xalloc.h"
#include <sys/vfs.h>
#include <unistd.h>

/* The number behind "KEY" in what scontrol prints; otherwise if there is none. */
static uint32_t number_behind(const char *text, const char *key, uint32_t otherwise)
{
	const char *at = strstr(text, key);
	unsigned value;

	return at && sscanf(at + strlen(key) + strspn(at + strlen(key), " ="), "%u", &value) == 1 ? value
												  : otherwise;
}

/* How many tasks an array may have here. */
static bool ask_limits(struct slurm *s, struct diag_list *diags)
{
	static const char *const arguments[] = { "scontrol", "show", "config", NULL };
	struct capture c = capture_run(arguments, SLURM_SECONDS);
	uint32_t size = number_behind(c.out, "MaxArraySize", 1001),
		 tasks = number_behind(c.out, "max_array_tasks", size);
	bool fine = false;

	s->largest = tasks < size ? tasks : size;
	s->largest = s->largest < SLURM_MOST ? s->largest : SLURM_MOST;
	if (c.status)
		diag_error(diags, NULL, "engine slurm: 'scontrol show config': %s",
			*c.err ? c.err : "no answer");
	else if (!s->largest)
		diag_error(
			diags, NULL, "engine slurm: this Slurm has job arrays switched off (MaxArraySize)");
	else
		fine = true;
	capture_free(&c);
	return fine;
}

static bool is_there(const char *program, struct diag_list *diags)
{
	const char *const arguments[] = { program, "--version", NULL };
	struct capture c = capture_run(arguments, SLURM_SECONDS);
	bool fine = c.status == 0;

	if (!fine)
		diag_error(diags, NULL, "engine slurm: '%s --version': %s", program,
			*c.err ? c.err : "no answer");
	capture_free(&c);
	return fine;
}

/* Magic numbers of file systems that no other machine sees (linux/magic.h; statfs(2)). */
static bool is_of_one_machine(const char *folder)
{
	static const unsigned long types[] = { 0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */,
		0x794c7630 /* overlayfs */, 0xef53 /* ext */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */ };
	struct statfs found;

	if (statfs(folder, &found))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((unsigned long)found.f_type == types[i])
			return true;
	return false;
}

/* A guess, as such file systems can be exported: a warning only. */
static void check_shared(const struct slurm *s, struct diag_list *diags)
{
	static const char *const arguments[] = { "sinfo", "--noheader", "--Node", "--format", "%n", NULL };
	char here[65] = "", *line, *rest;
	struct capture c;

	if (!is_of_one_machine(s->options.work))
		return;
	gethostname(here, sizeof(here) - 1);
	here[strcspn(here, ".")] = 0;
	c = capture_run(arguments, SLURM_SECONDS);
	for (rest = c.status ? NULL : c.out; rest && (line = strsep(&rest, "\n"));) {
		line[strcspn(line, ".")] = 0;
		if (!*line || !strcmp(line, here))
			continue;
		diag_warning(diags, NULL,
			"%s seems to be on a file system of this machine alone; Slurm's node %s must see it "
			"under the same path",
			s->options.work, line);
		break;
	}
	capture_free(&c);
}

/* What users set for their own calls of squeue and scancel (a choice of states, a question before each job)
 * is not for ours. */
static void forget_habits(void)
{
	static const char *const prefixes[] = { "SQUEUE_", "SCANCEL_" };

	for (size_t i = 0; environ[i];) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(environ[i], "="), environ[i]);
		if (strncmp(name, prefixes[0], strlen(prefixes[0])) &&
			strncmp(name, prefixes[1], strlen(prefixes[1])))
			i++;
		else if (unsetenv(name))
			break;
	}
}

bool slurm_check(struct slurm *s, struct diag_list *diags)
{
	static const char *const programs[] = { "sbatch", "squeue", "scancel", "scontrol" };
	char *why = NULL;

	forget_habits();
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!is_there(programs[i], diags))
			return false;
	if (!slurm_list(s, &why)) {
		diag_error(diags, NULL, "engine slurm: Slurm's controller does not answer; squeue says: %s",
			why);
		free(why);
		return false;
	}
	if (!ask_limits(s, diags))
		return false;
	check_shared(s, diags);
	return true;
}
