/* memsys/index/pric.c -- the pseudo-random interleaved cache: the line number modulo an irreducible
 * polynomial over GF(2) (Khairy et al., GPGPU 2015, section 4.3, for GPUs; Rau, ISCA 1991, for interleaved
 * memories).
 *
 * The line number's bits are a polynomial's coefficients; its set is the rest of the division by P, of degree
 * log2(sets). As that is linear, each bit of the number contributes x^i mod P, a column of the H-matrix, and
 * the set is the exclusive or of the columns of the bits that are set. They are summed up beforehand for each
 * byte of the number: a look-up costs one exclusive or for each byte of it that is not above the highest bit.
 *
 * The paper's Figure 7 (P = 37, lines of 128 bytes) prints no address bit above A26: for larger memories its
 * sums go on with the columns x^20 ..., as here. */
#include "memsys/index/pric.h"
#include "memsys/index/index.h"
#include <stdio.h>
#include <string.h>

#define BYTES (PRIC_LINE_BITS / 8)

struct pric {
	struct index base;
	uint32_t polynomial;      /* parameter; 0: pric_default */
	uint16_t sum[BYTES][256]; /* by byte of the line number, and its value: its part of the set */
};

/* ---- polynomials ---- */

/* Of the highest power; that of 0 is taken as 0. */
static uint32_t pric_degree(uint64_t polynomial)
{
	return polynomial ? 63 - (uint32_t)__builtin_clzll(polynomial) : 0;
}

uint32_t pric_rest(uint64_t a, uint32_t p)
{
	uint32_t degree = pric_degree(p);

	while (a && pric_degree(a) >= degree)
		a ^= (uint64_t)p << (pric_degree(a) - degree);
	return (uint32_t)a;
}

/* A factor of the lowest degree has at most half of p's. */
uint32_t pric_smallest_factor(uint32_t p)
{
	if (p < 2)
		return 0;
	for (uint32_t factor = 2; 2 * pric_degree(factor) <= pric_degree(p); factor++)
		if (!pric_rest(p, factor))
			return factor;
	return p;
}

bool pric_is_irreducible(uint32_t p)
{
	return p > 1 && pric_smallest_factor(p) == p;
}

uint32_t pric_default(uint32_t degree)
{
	uint32_t p = 1u << degree;

	if (degree == 5)
		return 37;
	while (!pric_is_irreducible(p))
		p++;
	return p;
}

void pric_matrix(uint32_t p, uint32_t column[PRIC_LINE_BITS])
{
	for (uint32_t i = 0; i < PRIC_LINE_BITS; i++)
		column[i] = i ? pric_rest((uint64_t)column[i - 1] << 1, p) : pric_rest(1, p);
}

/* ---- the index function ---- */

static bool pric_fits(uint32_t sets)
{
	return !(sets & (sets - 1)) && sets >> PRIC_LEAST_DEGREE && sets <= 1u << PRIC_MOST_DEGREE;
}

/* "37 (x^5 + x^2 + 1)" */
static const char *polynomial_text(uint32_t p, char *text, size_t size)
{
	int n = snprintf(text, size, "%u (", p);

	for (uint32_t i = 32; i-- && n >= 0 && (size_t)n < size;)
		if (p >> i & 1)
			n += snprintf(text + n, size - (size_t)n,
				i > 1       ? "%sx^%u"
					: i ? "%sx"
					    : "%s1",
				i == pric_degree(p) ? "" : " + ", i);
	if (n >= 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, ")");
	return text;
}

/* The irreducible polynomial of p's degree that is nearest to it from below or from above; 0: none. */
static uint32_t neighbour(uint32_t p, int step)
{
	uint32_t degree = pric_degree(p), q = p;

	do
		q += (uint32_t)step;
	while (pric_degree(q) == degree && !pric_is_irreducible(q));
	return pric_degree(q) == degree ? q : 0;
}

static bool pric_check(const struct index *index, uint32_t sets, const char **key, char *message, size_t size)
{
	uint32_t p = ((const struct pric *)index)->polynomial, degree = pric_degree(sets), below, above;
	char text[256], factor[256];

	*key = "polynomial";
	if (!p || (pric_degree(p) == degree && pric_is_irreducible(p)))
		return true;
	if (pric_degree(p) != degree) {
		snprintf(message, size,
			"polynomial = %s has degree %u: expected an irreducible one of degree %u, for %u "
			"sets, such as %s",
			polynomial_text(p, text, sizeof(text)), pric_degree(p), degree, sets,
			polynomial_text(pric_default(degree), factor, sizeof(factor)));
		return false;
	}
	below = neighbour(p, -1);
	above = neighbour(p, 1);
	snprintf(message, size,
		"polynomial = %s is divisible by %s: expected an irreducible one of degree %u; the nearest",
		polynomial_text(p, text, sizeof(text)),
		polynomial_text(pric_smallest_factor(p), factor, sizeof(factor)), degree);
	if (below && above)
		snprintf(text, sizeof(text), " are %u and %u", below, above);
	else
		snprintf(text, sizeof(text), " is %u", below ? below : above);
	strncat(message, text, size - strlen(message) - 1);
	return false;
}

static void pric_init(void *policy)
{
	struct pric *x = policy;
	const struct index *index = &x->base;
	uint32_t column[PRIC_LINE_BITS], p = x->polynomial ? x->polynomial : pric_default(index->bits);

	bug_if(pric_degree(p) != index->bits || !pric_is_irreducible(p), "polynomial %u for %u sets", p,
		index->sets);
	pric_matrix(p, column);
	for (uint32_t byte = 0; byte < BYTES; byte++) {
		x->sum[byte][0] = 0;
		for (uint32_t value = 1; value < 256; value++)
			x->sum[byte][value] = (uint16_t)(x->sum[byte][value & (value - 1)] ^
				column[8 * byte + (uint32_t)__builtin_ctz(value)]);
	}
}

static uint32_t pric_set(const struct index *index, addr line_number)
{
	const uint16_t(*sum)[256] = ((const struct pric *)index)->sum;
	uint32_t set = 0;

	for (; line_number; line_number >>= 8, sum++)
		set ^= (*sum)[line_number & 255];
	return set;
}

static const struct sim_param pric_params[] = {
	SIM_U32(struct pric, polynomial, 0, 0, (2 << PRIC_MOST_DEGREE) - 1, "",
		"irreducible polynomial over GF(2) of degree log2(sets), as the number that its coefficients "
		"form: 37 is x^5 + x^2 + 1; 0: 37 for 32 sets (Khairy et al., GPGPU 2015), else the "
		"smallest: 19, 67, 131, 283, 515, 1033, 2053"),
	SIM_END
};

static const struct policy_storage index_pric_storage[] = {
	STORED_LOGIC("L1", "a tree of XOR gates for each bit of the set", "GPGPU 2015, after Rau, ISCA 1991"),
	STORED_END,
};

const struct index_class index_pric = {
	.name = "pric",
	.help = "line number modulo an irreducible polynomial over GF(2) (pseudo-random interleaved cache)",
	.source = "Khairy et al., GPGPU 2015 (Rau, ISCA 1991)",
	.storage = index_pric_storage,
	.size = sizeof(struct pric),
	.state = policy_keeps_nothing,
	.is_optional = true,
	.params = pric_params,
	.fits = pric_fits,
	.needs = "a power of two from 16 to 2048",
	.check = pric_check,
	.init = pric_init,
	.set = pric_set,
};
