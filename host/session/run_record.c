/* host/session/run_record.c -- the records of a run: links 0, 1, 2 ... in a folder of its own, with the text
 * "STATE KIND PROCESS NUMBER PATH". Records are only added, each in one step: of two processes that want the
 * same number one finds the other's. */
#include "host/session/run_record.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define TEXT (PATH_MAX + 128)

static const char *const states[RUN_STATES] = { "open", "whole", "broken" };
static const char *const kinds[RUN_KINDS] = { "folder", "file" };

char *run_path(enum run_kind kind, const char *path, unsigned number)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = NULL;
	char *numbered;

	if (number < 2)
		return xstrdup(path);
	if (kind == RUN_FILE && *name)
		end = strchr(name + 1, '.');
	if (!end)
		end = path + strlen(path);
	if (asprintf(&numbered, "%.*s.%u%s", (int)(end - path), path, number, end) < 0)
		bug("out of memory");
	return numbered;
}

/* -- the whole run -- */

static void record_name(char name[TEXT], const char *run, unsigned index)
{
	snprintf(name, TEXT, "%s/%u", run, index);
}

char *run_folder_new(void)
{
	const char *given = getenv("TMPDIR");
	char *run;

	if (asprintf(&run, "%s/lockstep-run-XXXXXX", given && *given == '/' ? given : "/tmp") < 0)
		bug("out of memory");
	if (mkdtemp(run))
		return run;
	free(run);
	return NULL;
}

void run_folder_free(char *run)
{
	char name[TEXT];

	if (!run)
		return;
	for (unsigned i = 0;; i++) {
		record_name(name, run, i);
		if (unlink(name))
			break;
	}
	rmdir(run);
	free(run);
}

static int word_index(const char *word, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(word, words[i]))
			return i;
	return 0;
}

bool run_record_read(const char *run, unsigned index, struct run_record *r)
{
	char name[TEXT], text[TEXT], state[16], kind[16];
	int at = 0;

	record_name(name, run, index);
	ssize_t length = readlink(name, text, sizeof text - 1);
	if (length < 0)
		return false;
	text[length] = '\0';
	if (sscanf(text, "%15s %15s %d %u %n", state, kind, &r->process, &r->number, &at) != 4 || !at)
		return false;
	r->state = (enum run_state)word_index(state, states, RUN_STATES);
	r->kind = (enum run_kind)word_index(kind, kinds, RUN_KINDS);
	snprintf(r->path, sizeof r->path, "%s", text + at);
	return true;
}

/* -- this process -- */

static void text_of(
	char text[TEXT], enum run_state state, enum run_kind kind, unsigned number, const char *path)
{
	snprintf(text, TEXT, "%s %s %d %u %s", states[state], kinds[kind], (int)getpid(), number, path);
}

unsigned run_records_next(const struct run_records *r, const char *path)
{
	struct run_record other;
	unsigned next = 1;

	for (unsigned i = 0; r->run && run_record_read(r->run, i, &other); i++)
		if (!strcmp(other.path, path) && other.number >= next)
			next = other.number + 1;
	return next;
}

bool run_records_claim(struct run_records *r, enum run_kind kind, const char *path, unsigned number)
{
	char name[TEXT], text[TEXT];
	struct run_record other;

	if (!r->run || r->count == RUN_RECORDS)
		return true;
	text_of(text, RUN_OPEN, kind, number, path);
	for (unsigned i = 0;; i++) {
		record_name(name, r->run, i);
		if (!symlink(text, name)) {
			r->indices[r->count++] = i;
			return true;
		}
		if (errno != EEXIST || !run_record_read(r->run, i, &other))
			return true; /* the run has ended, and its folder is gone */
		if (!strcmp(other.path, path) && other.number == number)
			return false;
	}
}

static void close_one(const struct run_records *r, unsigned index, enum run_state state)
{
	char name[TEXT], fresh[TEXT + 8], text[TEXT];
	struct run_record mine;

	if (!run_record_read(r->run, index, &mine))
		return;
	record_name(name, r->run, index);
	snprintf(fresh, sizeof fresh, "%s.new", name);
	text_of(text, state, mine.kind, mine.number, mine.path);
	if (!symlink(text, fresh))
		rename(fresh, name);
}

void run_records_close(struct run_records *r, bool is_whole)
{
	for (unsigned i = 0; i < r->count; i++)
		close_one(r, r->indices[i], is_whole ? RUN_WHOLE : RUN_BROKEN);
	run_records_forget(r);
}

void run_records_forget(struct run_records *r)
{
	free(r->run);
	*r = (struct run_records){ 0 };
}
