/* sim/files/descriptor.h -- descriptors that stay open in a process that is another's: a program may close
 * what it does not own, and open its own files under the same numbers. They have high numbers, out of the
 * program's way, end with exec, and are looked at before each use. */
#ifndef SIM_FILES_DESCRIPTOR_H
#define SIM_FILES_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/types.h>

struct descriptor {
	int number; /* negative: none */
	dev_t device;
	ino_t inode;
};

/* Takes over a descriptor that was just opened; it gets another number. Negative: none. */
struct descriptor descriptor_keep(int number);
/* Whether the number still stands for the file that was opened. */
bool descriptor_is_ours(const struct descriptor *d);
/* Closes it, if it still is ours. false, with errno, if what was written has got lost. */
bool descriptor_close(struct descriptor *d);

/* Opens /dev/null as standard input, output and error where these are closed, so that no file of ours gets
 * their numbers. */
void descriptors_open_standard(void);

#endif
