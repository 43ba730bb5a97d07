/* sim/base/build_id.h -- which build of the simulator this is: the linker's hash over all that the library
 * contains. */
#ifndef SIM_BASE_BUILD_ID_H
#define SIM_BASE_BUILD_ID_H

/* The first 16 hexadecimal digits of the build id of the object (liblockstep.so, or a program that was linked
 * with its parts) in which this function stands; "none" if it was linked without one. The same text at every
 * call, for the life of the process; any thread may ask. */
const char *build_id(void);

#endif
