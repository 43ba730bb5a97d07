/* tests/fuzz/mutants.c -- mutants SEED COUNT FILE.ptx...: PTX files, each changed at random in one to four
 * places, of which must hold what hold.h says. Each is tried in a process of its own; one that fails is left
 * behind as mutant-SEED-NUMBER.ptx with what was said. Prints how many were tried and how many failed. */
#include "tests/fuzz/hold.h"
#include "tests/fuzz/mutate.h"
#include "sim/files/file_read.h"
#include <sys/wait.h>
#include <unistd.h>

#define ROOM  8192 /* bytes of a text; longer files are left out */
#define ALARM 600  /* seconds: of work that hold.h does not count */

static unsigned random_state;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	if (size > max_size)
		size = max_size;
	if (size)
		data[next_random(&random_state) % size] ^= (uint8_t)(1u << next_random(&random_state) % 8);
	return size;
}

struct text {
	uint8_t bytes[ROOM + 1];
	size_t size;
};

/* The next of the files, changed. */
static void make(struct text *t, char **files, size_t count)
{
	char *original;

	do {
		original = file_read(files[next_random(&random_state) % count], &t->size);
		if (original && t->size <= ROOM)
			memcpy(t->bytes, original, t->size);
		free(original);
	} while (!original || t->size > ROOM);
	for (unsigned n = next_random(&random_state) % 4 + 1; n; n--)
		t->size = mutate(t->bytes, t->size, ROOM, next_random(&random_state));
	t->bytes[t->size] = 0;
}

static void leave(const struct text *t, const char *seed, unsigned long number, int status)
{
	char name[64];
	FILE *to;

	snprintf(name, sizeof name, "mutant-%s-%lu.ptx", seed, number);
	to = fopen(name, "w");
	if (to) {
		fwrite(t->bytes, 1, t->size, to);
		fclose(to);
	}
	printf("%s: status 0x%x\n", name, status);
}

/* Whether all holds of it. */
static int try(const struct text *t)
{
	pid_t child;
	int status = -1;

	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(ALARM);
		hold((const char *)t->bytes, t->size);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

int main(int count, char **arguments)
{
	unsigned long tried, most, failed = 0;
	static struct text memory; /* large for a stack */
	struct text *text = &memory;

	if (count < 4)
		return 2;
	random_state = (unsigned)strtoul(arguments[1], NULL, 10) * 2654435761u;
	most = strtoul(arguments[2], NULL, 10);
	for (tried = 0; tried < most; tried++) {
		make(text, arguments + 3, (size_t)count - 3);
		int status = try(text);

		failed += status != 0;
		if (status)
			leave(text, arguments[1], tried, status);
	}
	printf("mutants: %lu tried, %lu failed\n", tried, failed);
	return failed != 0;
}
