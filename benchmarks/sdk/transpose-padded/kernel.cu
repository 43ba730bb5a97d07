/* transpose-padded -- as transpose-shared, but the tile's rows are a word longer: a column's words lie in 32
 * different banks, and nothing conflicts. */
#define PADDING 1
#include "../transpose-shared/kernel.cu"
