/* sim/files/folder.h -- folders, made with their parents. */
#ifndef SIM_FILES_FOLDER_H
#define SIM_FILES_FOLDER_H

#include <stdbool.h>

/* Whether it is there now; if not, errno says why the first folder on the way could not be made. */
bool folder_make_all(const char *folder);

#endif
