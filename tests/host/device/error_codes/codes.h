/* tests/host/device/error_codes/codes.h -- cases: calls of an API whose error codes are printed, a line each.
 *
 * The program does not know which code is right. What it printed on a GPU is committed beside it, and what it
 * prints on the simulator must be the same. Cases stand in groups. Each group runs in a process of its own,
 * which makes a new one if a case ends it, so that the real library may crash where we return an error. */
#ifndef TESTS_CODES_H
#define TESTS_CODES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the case is to be done now; the process notes that it is under way. */
int case_begins(const char *what);
/* Prints the code that the case gave, by its name. */
void case_gives(const char *code);
/* Prints a number. */
void case_counts(long long value);
/* For calls that must work before the cases make sense: prints those that do not. */
void needs(int result, const char *call);

struct group {
	const char *name;
	void (*cases)(void);
};
/* Runs the groups; of several arguments only those named. Returns the exit status. */
int run_groups(const struct group *groups, int argc, char **argv);

/* The name of a result of the API; each program has its own. */
const char *code_name(int result);

#ifdef __cplusplus
}
#endif

#define CASE(call) (case_begins(#call) ? case_gives(code_name((int)(call))) : (void)0)
#define VALUE(call, number) \
	(case_begins(#call "; " #number) \
			? ((int)(call) ? case_gives("fails") : case_counts((long long)(number))) \
			: (void)0)
#define NEEDS(call) needs((int)(call), #call)

#endif
