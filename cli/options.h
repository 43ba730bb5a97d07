/* cli/options.h -- declared options of a sub-command: a table beside the struct that it fills. Reading the
 * command line, error messages and the help texts all come from the table.
 *
 *   static const struct option ptx_options[] = {
 *       OPTION_FLAG(struct ptx_options, check, 0, "check", "only say which files are accepted"),
 *       OPTION_TEXT(struct ptx_options, kernel, 'k', "kernel", "NAME", "show only this kernel"),
 *       OPTION_END
 *   };
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "sim/base/types.h"
#include <stdio.h>

enum option_type {
	OPTION_END_TYPE,
	OPTION_FLAG_TYPE,
	OPTION_TEXT_TYPE,
	OPTION_LIST_TYPE,
	OPTION_DIM3_TYPE,
	OPTION_BYTES_TYPE,
	OPTION_SET_TYPE,
	OPTION_SET_TEXT_TYPE,
	OPTION_SET_FILE_TYPE,
	OPTION_SET_ERROR_TYPE
};

/* An option that may be given several times; texts of its own. */
struct option_list {
	const char **items;
	size_t count;
};

struct option {
	enum option_type type;
	char letter;              /* 0: none */
	const char *name, *value; /* value: how the help calls it; NULL for a flag */
	size_t offset;            /* of the field */
	const char *help;         /* \n is a blank */
	const char *path;         /* SET: of the parameter */
};

#define OPTION_FLAG(type, field, letter, name, help) \
	{ \
		OPTION_FLAG_TYPE, letter, name, NULL, offsetof(type, field), help, 0 \
	} /* bool */
#define OPTION_TEXT(type, field, letter, name, value, help) \
	{ \
		OPTION_TEXT_TYPE, letter, name, value, offsetof(type, field), help, 0 \
	} /* const char *, the command line's */
#define OPTION_LIST(type, field, letter, name, value, help) \
	{ \
		OPTION_LIST_TYPE, letter, name, value, offsetof(type, field), help, 0 \
	} /* struct option_list */
#define OPTION_DIM3(type, field, letter, name, help) \
	{ \
		OPTION_DIM3_TYPE, letter, name, "X[,Y,Z]", offsetof(type, field), help, 0 \
	} /* uint32_t[3]; what is left out is 1 */
#define OPTION_BYTES(type, field, letter, name, help) \
	{ \
		OPTION_BYTES_TYPE, letter, name, "BYTES", offsetof(type, field), help, 0 \
	} /* uint32_t; 48K is 49152 */
/* A count, as a parameter of the machine: "path=N" goes to the list of --set (an OPTION_LIST's field). */
#define OPTION_SET(type, field, letter, name, path, help) \
	{ \
		OPTION_SET_TYPE, letter, name, "N", offsetof(type, field), help, path \
	}
/* The same for a text. */
#define OPTION_SET_TEXT(type, field, letter, name, value, path, help) \
	{ \
		OPTION_SET_TEXT_TYPE, letter, name, value, offsetof(type, field), help, path \
	}
/* The same for a file that is added to those of earlier options: "path=FILE,FILE", absolute paths. */
#define OPTION_SET_FILE(type, field, letter, name, path, help) \
	{ \
		OPTION_SET_FILE_TYPE, letter, name, "FILE", offsetof(type, field), help, path \
	}
/* The same for a part that is written error=3% or error=0.03. */
#define OPTION_SET_ERROR(type, field, letter, name, path, help) \
	{ \
		OPTION_SET_ERROR_TYPE, letter, name, "error=3%", offsetof(type, field), help, path \
	}
#define OPTION_END \
	{ \
		OPTION_END_TYPE, 0, 0, 0, 0, 0, 0 \
	}

enum options_outcome { OPTIONS_READ, OPTIONS_HELP, OPTIONS_WRONG };

/* Reads arguments[count] into object and moves the operands, in order, to the front of arguments; *operands
 * is their number. After "--" all are operands; with stop_at_operand also after the first operand (options of
 * a foreign program stay its own). OPTIONS_HELP: -h or --help was met. OPTIONS_WRONG: message[size] holds a
 * sentence. */
enum options_outcome options_read(const struct option *table, void *object, char **arguments, size_t count,
	bool stop_at_operand, size_t *operands, char *message, size_t size);
/* Frees the lists in object. */
void options_fini(const struct option *table, void *object);
void options_print_help(const struct option *table, FILE *stream);

#endif
