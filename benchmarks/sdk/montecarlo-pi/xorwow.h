/* xorwow.h -- the generator, on both sides: Marsaglia's xorwow (Xorshift RNGs, J. Statistical Software 8(14),
 * 2003), five words that are shifted and xored, and a counter that is added to what comes out.
 *
 * The five words as 160 bits go on linearly over GF(2), so that a jump ahead is a product with a matrix: here
 * a list of 160 rows of five words, row i what bit i of the old words contributes to the new ones. */
#ifndef XORWOW_H
#define XORWOW_H

#define XORWOW_WORDS 5
#define XORWOW_BITS  (32 * XORWOW_WORDS)
#define XORWOW_ROWS  (XORWOW_BITS * XORWOW_WORDS) /* words of a matrix */
#define XORWOW_STEP  362437u                      /* what the counter adds */

/* 48 bytes, as in the published library, of which six words are used here. */
struct xorwow {
	unsigned counter, word[XORWOW_WORDS], unused[6];
};

#endif
