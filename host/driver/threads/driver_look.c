/* host/driver/threads/driver_look.c -- what Linux says of the threads of this process, in /proc/self/task.
 *
 * A thread is blocked if it waits for a futex without a time limit: for a mutex, a condition, a semaphore, a
 * barrier, or the end of another thread. Then nothing but another thread of the process can wake it. One that
 * has ended counts as blocked: the first thread of a process stays in the folder as long as others live. */
#include "host/driver/threads/threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The content of a file of the thread's. false: the thread has ended, or there is no such file. */
static bool read_thread_file(pid_t tid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t length;
	int file;

	snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)tid, name);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	length = read(file, text, size - 1);
	close(file);
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* "202 0xaddress 0xoperation 0xvalue 0xtimeout ...": the number of the system call and its arguments. */
static bool is_futex_for_ever(const char *call)
{
	unsigned long operation, timeout;
	long number;

	if (sscanf(call, "%ld %*x %lx %*x %lx", &number, &operation, &timeout) != 3 || number != SYS_futex)
		return false;
	operation &= (unsigned long)FUTEX_CMD_MASK;
	return !timeout &&
		(operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI ||
			operation == FUTEX_LOCK_PI2 || operation == FUTEX_WAIT_REQUEUE_PI);
}

/* The letter behind the name, which is in parentheses and may have some of its own. 'X': there is no such
 * thread. */
static char state_of(pid_t tid)
{
	char text[512], *state;

	if (!read_thread_file(tid, "stat", text, sizeof text))
		return 'X';
	state = strrchr(text, ')');
	return state && state[1] == ' ' ? state[2] : '?';
}

bool look_has_ended(pid_t tid)
{
	char state = state_of(tid);

	return state == 'Z' || state == 'X';
}

struct sight look_at(pid_t tid)
{
	struct sight sight = { .look = LOOK_RUNNING };
	unsigned long long ran, slices;
	char text[256];

	if (read_thread_file(tid, "schedstat", text, sizeof text) &&
		sscanf(text, "%llu %*u %llu", &ran, &slices) == 2) {
		sight.ran = ran;
		sight.slices = slices;
	}
	if (read_thread_file(tid, "syscall", text, sizeof text) && is_futex_for_ever(text)) {
		sight.look = LOOK_BLOCKED;
		return sight;
	}
	switch (state_of(tid)) {
	case 'Z':
	case 'X':
		sight.look = LOOK_BLOCKED;
		break;
	case 'S':
		sight.look = LOOK_ASLEEP;
		break;
	}
	return sight;
}

unsigned look_count(void)
{
	struct stat folder;

	return stat("/proc/self/task", &folder) || folder.st_nlink < 3 ? 0 : (unsigned)folder.st_nlink - 2;
}

unsigned look_for_all(const pid_t **tids)
{
	static pid_t *list;
	static unsigned capacity;
	unsigned count = 0;
	DIR *folder = opendir("/proc/self/task");
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		if (count == capacity) {
			capacity = capacity ? 2 * capacity : 16;
			list = xrealloc(list, capacity * sizeof *list);
		}
		list[count++] = (pid_t)strtol(entry->d_name, NULL, 10);
	}
	if (folder)
		closedir(folder);
	*tids = list;
	return count;
}

pid_t look_self(void)
{
	return (pid_t)syscall(SYS_gettid);
}
