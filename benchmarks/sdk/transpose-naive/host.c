/* transpose-naive -- host side, shared with the other two. */
#define TRANSPOSE_HELP "Transposes a matrix, reading columns."
#define TRANSPOSE_TAGS "warppool divergent"
#include "../transpose.h"
