/* sim/files/descriptor.c -- descriptors that stay open in a process that is another's. */
#include "sim/files/descriptor.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define HIGHEST 4096 /* the host's kernel keeps a table up to the highest number */
#define OURS    256  /* so many below the limit */

static int first_of_ours(void)
{
	struct rlimit limit;
	rlim_t end = HIGHEST;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < end)
		end = limit.rlim_cur;
	return (int)(end > 2 * OURS ? end - OURS : end / 2);
}

struct descriptor descriptor_keep(int number)
{
	struct descriptor d = { .number = number };
	struct stat s;
	int high = number < 0 ? -1 : fcntl(number, F_DUPFD_CLOEXEC, first_of_ours());

	if (high >= 0) {
		close(number);
		d.number = high;
	}
	if (d.number >= 0 && !fstat(d.number, &s)) {
		d.device = s.st_dev;
		d.inode = s.st_ino;
	}
	return d;
}

bool descriptor_is_ours(const struct descriptor *d)
{
	struct stat s;

	return d->number >= 0 && !fstat(d->number, &s) && s.st_dev == d->device && s.st_ino == d->inode;
}

bool descriptor_close(struct descriptor *d)
{
	bool is_fine = !descriptor_is_ours(d) || !close(d->number);

	d->number = -1;
	return is_fine;
}

void descriptors_open_standard(void)
{
	int got;

	do
		got = open("/dev/null", O_RDWR);
	while (got >= 0 && got <= STDERR_FILENO);
	if (got > STDERR_FILENO)
		close(got);
}
