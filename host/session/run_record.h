/* host/session/run_record.h -- what `lockstep run` knows of the results of the processes under it. A program
 * may be a script that starts several, and may end in ways of which its libraries hear nothing. So each
 * output folder, recording and trace that a process begins has a record in a private folder of the run: who
 * writes it, and whether it is complete. A record is a symbolic link, whose text is changed in one step and
 * which needs no open descriptor. */
#ifndef HOST_SESSION_RUN_RECORD_H
#define HOST_SESSION_RUN_RECORD_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum run_kind { RUN_FOLDER, RUN_FILE, RUN_KINDS };
enum run_state {
	RUN_OPEN,   /* being written */
	RUN_WHOLE,  /* written */
	RUN_BROKEN, /* not all could be written, which has been said */
	RUN_STATES
};

struct run_record {
	enum run_state state;
	enum run_kind kind;
	pid_t process;       /* that writes */
	unsigned number;     /* of the results of that name, from 1 on */
	char path[PATH_MAX]; /* of the first */
};

/* The path of results of a number, malloc'ed: of the first the path itself, then PATH.2, PATH.3 ... of a
 * folder, and NAME.2.rec ... of a file NAME.rec. */
char *run_path(enum run_kind kind, const char *path, unsigned number);

/* -- the whole run -- */

/* The private folder of a run, malloc'ed; NULL, with errno, if none can be made. */
char *run_folder_new(void);
/* Removes it, and frees its name. NULL: nothing. */
void run_folder_free(char *run);
/* Record 0, 1 ... of a run; false: there are no more. */
bool run_record_read(const char *run, unsigned index, struct run_record *record);

/* -- this process -- */

#define RUN_RECORDS 4
struct run_records {
	char *run; /* NULL: the program was not started by `lockstep run` */
	unsigned indices[RUN_RECORDS], count;
};
/* The first number of results of this name that no process of the run has. */
unsigned run_records_next(const struct run_records *records, const char *path);
/* Begins a record. false: a process of this run has that number. */
bool run_records_claim(struct run_records *records, enum run_kind kind, const char *path, unsigned number);
/* They are closed, and the struct is empty. */
void run_records_close(struct run_records *records, bool is_whole);
/* The struct is empty, in a process that was forked. */
void run_records_forget(struct run_records *records);

#endif
