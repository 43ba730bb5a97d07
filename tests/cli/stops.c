/* tests/cli/stops.c -- a job of a shell with job control: COMMAND... is stopped by SIGTSTP, and continued.
 * Says what it sees; its exit status is that of the command. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The state of the command's child, as /proc has it: T is stopped. '?': there is none. */
static char child_state(pid_t command)
{
	char path[64], state = '?';
	int child;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)command, (int)command);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%d", &child) != 1)
		exit(5);
	fclose(f);
	snprintf(path, sizeof path, "/proc/%d/stat", child);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		exit(5);
	fclose(f);
	return state;
}

int main(int argc, char **argv)
{
	int status;
	pid_t command;

	if (fork()) { /* the shell, in a session of its own: its jobs' groups are not orphans, which never
			 stop */
		wait(&status);
		return WEXITSTATUS(status);
	}
	setsid();
	command = fork();
	if (!command) {
		setpgid(0, 0);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	while (access("ready", F_OK)) /* which the command makes */
		usleep(10000);
	kill(command, SIGTSTP);
	waitpid(command, &status, WUNTRACED);
	printf("%s, its program is in state %c\n", WIFSTOPPED(status) ? "stopped" : "ended",
		child_state(command));
	kill(command, SIGCONT);
	while (child_state(command) == 'T')
		usleep(10000);
	puts("continued");
	fflush(stdout);
	if (creat("go", 0666) < 0)
		return 5;
	waitpid(command, &status, 0);
	return WEXITSTATUS(status);
}
