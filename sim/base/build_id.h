/* sim/base/build_id.h -- identifies the build of the simulator by the hash that the linker computes over
 * everything that the library contains. */
#ifndef SIM_BASE_BUILD_ID_H
#define SIM_BASE_BUILD_ID_H

/* The first 16 hexadecimal digits of the build id of the object that contains this function
 * (liblockstep.so, or a program linked with its parts); "none" if it was linked without one. Every call
 * returns the same text, which is valid until the process ends. Any thread may call it. */
const char *build_id(void);

#endif
