/* transpose-shared -- host side, shared with the other two. */
#define TRANSPOSE_HELP "Transposes a matrix by tiles in shared memory, with bank conflicts."
#define TRANSPOSE_TAGS "warppool"
#include "../transpose.h"
