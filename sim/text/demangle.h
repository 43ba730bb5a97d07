/* sim/text/demangle.h -- names of C++ as people write them. */
#ifndef SIM_TEXT_DEMANGLE_H
#define SIM_TEXT_DEMANGLE_H

#include <stddef.h>

/* What a mangled name stands for, malloc'ed: "void scale<float>(float*, int)" for _Z5scaleIfEvPT_i. NULL: the
 * name is not mangled. */
char *demangle(const char *name);

/* The same, or the name as it is if it is not mangled, in at most `width` bytes (at least 8): what is longer
 * has "..." in its middle. to has more than width bytes. */
void demangle_short(const char *name, char *to, size_t width);

#endif
