/* frontend/link/image.c -- the finished image: looking things up in it, putting it at an address, giving it
 * back.
 */
#include "frontend/parse/arena.h"
#include "frontend/lower/constant_bank.h"
#include "frontend/ptx.h"

#include <string.h>

_Static_assert(sizeof(struct uop) == 64, "a micro-operation fills one cache line");

void ptx_image_free(struct ptx_image *image)
{
	if (image)
		arena_free(image->arena);
}

void ptx_image_relocate(struct ptx_image *image)
{
	for (uint32_t i = 0; i < image->kernel_count; i++) {
		struct ptx_kernel *k = &image->kernels[i];

		for (uint32_t r = 0; r < k->reloc_count; r++) {
			const struct ptx_const_reloc *reloc = &k->relocs[r];
			uint64_t address = image->symbols[reloc->symbol].address + (uint64_t)reloc->addend;

			ptx_fill_row(&k->constants[reloc->row], address, reloc->wide);
		}
	}
}

struct ptx_kernel *ptx_image_kernel(struct ptx_image *image, const char *name)
{
	for (uint32_t i = 0; i < image->kernel_count; i++)
		if (!strcmp(image->kernels[i].name, name))
			return &image->kernels[i];
	return NULL;
}

struct ptx_kernel *ptx_image_entry(struct ptx_image *image, uint64_t address)
{
	for (uint32_t i = 0; i < image->kernel_count; i++)
		if (image->kernels[i].address == address)
			return &image->kernels[i];
	return NULL;
}

struct ptx_symbol *ptx_image_symbol(struct ptx_image *image, const char *name)
{
	for (uint32_t i = 0; i < image->symbol_count; i++)
		if (!strcmp(image->symbols[i].name, name))
			return &image->symbols[i];
	return NULL;
}

uint32_t ptx_kernel_function(const struct ptx_kernel *kernel, uint32_t uop)
{
	uint32_t low = 0, high = kernel->function_count;

	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (kernel->functions[middle].entry <= uop)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const struct ptx_module *ptx_kernel_module(const struct ptx_kernel *kernel, const struct uop *u)
{
	uint32_t n = ptx_kernel_function(kernel, (uint32_t)(u - kernel->uops));

	return n ? kernel->functions[n].module : kernel->module;
}
