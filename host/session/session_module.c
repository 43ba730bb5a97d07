/* host/session/session_module.c -- the loader: PTX text to an image whose variables lie in device memory. */
#include "host/branch/branch.h"
#include "host/session/session_internal.h"
#include "memsys/texture/texture.h"

struct session_module {
	struct ptx_module **modules; /* linked together; NULL where a text was wrong */
	size_t count;
	struct ptx_image *image;
};

/* A .texref, .samplerref or .surfref has a handle for an address; the program binds memory to it later. */
static void reference_location(struct device_memory *memory, struct ptx_symbol *symbol)
{
	enum texture_kind kind = symbol->type == PTX_TEXREF ? TEXTURE_FETCHED
		: symbol->type == PTX_SAMPLERREF            ? TEXTURE_SAMPLER
							    : TEXTURE_SURFACE;

	symbol->address = texture_create(memory, kind);
	struct texture_sampler *s = &texture_find(memory, symbol->address)->sampler;
	memcpy(s->address, symbol->sampler.address, sizeof s->address);
	s->filter = symbol->sampler.filter;
	s->is_normalized =
		kind == TEXTURE_SAMPLER ? !symbol->sampler.is_unnormalized : symbol->sampler.is_normalized;
}

static bool is_reference(const struct ptx_symbol *symbol)
{
	return symbol->type >= PTX_TEXREF && symbol->type <= PTX_SURFREF;
}

static bool symbol_location(struct device_memory *memory, struct ptx_symbol *symbol, struct diag_list *diags)
{
	if (symbol->is_extern) {
		diag_error(diags, NULL, "variable %s is extern, and no module defines it", symbol->name);
		return false;
	}
	if (is_reference(symbol)) {
		reference_location(memory, symbol);
		return true;
	}
	symbol->address = memory_allocate(memory, symbol->size ? symbol->size : 1, symbol->align);
	if (!symbol->address) {
		diag_error(diags, NULL, "variable %s takes %llu bytes of device memory, %llu are left",
			symbol->name, (unsigned long long)symbol->size,
			(unsigned long long)memory_available(memory));
		return false;
	}
	uint8_t *bytes = memory_host(symbol->address);
	if (symbol->space == PTX_CONST)
		memory_mark_constant(memory, symbol->address);
	if (symbol->data)
		memcpy(bytes, symbol->data, symbol->size);
	else
		memset(bytes, 0, symbol->size);
	return true;
}

/* Fills in the addresses inside the initial values: all variables have theirs by now. */
static void symbol_relocate(const struct ptx_image *image, const struct ptx_symbol *symbol)
{
	for (uint32_t i = 0; i < symbol->reloc_count; i++) {
		const struct ptx_init_reloc *r = &symbol->relocs[i];
		uint64_t value = (image->symbols[r->symbol].address + (uint64_t)r->addend) >> r->shift;
		memcpy((uint8_t *)memory_host(symbol->address) + r->offset, &value, r->bytes);
	}
}

/* A 32-bit address is the lower half of a device address: none of them shall be NULL, so that nothing is
 * allocated where the device's memory begins from here on. */
static void keep_null(struct device_memory *memory)
{
	addr start = memory_allocate(memory, 1, 0);

	if (start && (uint32_t)start)
		memory_release(memory, start);
}

static bool symbols_load(struct device_memory *memory, struct ptx_image *image, struct diag_list *diags)
{
	bool is_placed = true;

	if (image->has_narrow_addresses)
		keep_null(memory);
	for (uint32_t i = 0; i < image->symbol_count; i++)
		is_placed &= symbol_location(memory, &image->symbols[i], diags);
	if (!is_placed)
		return false;
	for (uint32_t i = 0; i < image->symbol_count; i++)
		symbol_relocate(image, &image->symbols[i]);
	ptx_image_relocate(image);
	return true;
}

/* Everything but the device's part of loading. */
static struct session_module *module_make(const char *text, size_t size, const char *name,
	const struct ptx_lowering *lowering, struct diag_list *diags)
{
	struct session_module *m = xcalloc(1, sizeof *m);
	struct session_part *parts;
	bool is_right = true;

	m->count = session_parts(text, size, name, &parts);
	m->modules = xcalloc(m->count, sizeof *m->modules);
	for (size_t i = 0; i < m->count; i++) {
		m->modules[i] = ptx_parse(parts[i].text, parts[i].size, parts[i].name, diags);
		is_right &= m->modules[i] != NULL;
	}
	if (!m->count)
		diag_error(diags, NULL, "%s: the linked image is damaged", name);
	if (is_right && m->count)
		m->image = ptx_lower_kernels(m->modules, m->count, lowering, diags);
	session_parts_free(parts, m->count);
	return m;
}

static void module_free(struct session_module *m)
{
	if (m->image)
		ptx_image_free(m->image);
	for (size_t i = 0; i < m->count; i++)
		ptx_module_free(m->modules[i]);
	free(m->modules);
	free(m);
}

bool session_check(const char *text, size_t size, const char *name, struct diag_list *diags)
{
	const struct ptx_lowering as_written = { .timed_code = PTX_AS_WRITTEN };
	struct session_module *m = module_make(text, size, name, &as_written, diags);
	bool is_right = m->image != NULL;

	module_free(m);
	return is_right;
}

/* libcudadevrt, whose PTX is of one target and runs on all that NVIDIA has a binary for. */
static bool is_device_runtime(const struct ptx_module *module)
{
	for (const struct ptx_var *v = module->variables; v; v = v->next)
		if (!strcmp(v->name, "__CNPRT_VERSION_NUMBER__"))
			return true;
	return false;
}

struct session_module *session_load(struct session *session, const char *text, size_t size, const char *name,
	uint32_t register_cap, struct diag_list *diags)
{
	struct ptx_lowering lowering = *gpu_lowering(session->gpu);
	struct session_module *m;

	lowering.register_cap = register_cap;
	session_apart_begin();
	m = module_make(text, size, name, &lowering, diags);
	session_apart_end();
	diag_drop(diags, DIAG_WARNING, PTX_REFUSAL_HINT); /* these are said if such a kernel is launched */
	diag_drop(diags, DIAG_WARNING, PTX_LAUNCH_HINT);
	for (uint32_t k = 0; m->image && k < m->image->kernel_count; k++)
		m->image->kernels[k].register_cap = register_cap;

	for (size_t i = 0; m->image && i < m->count; i++)
		if (!is_device_runtime(m->modules[i]))
			chip_check(session, m->modules[i]->sm);
	if (m->image && symbols_load(gpu_memory(session->gpu), m->image, diags))
		return m;
	session_unload(session, m);
	return NULL;
}

void session_unload(struct session *session, struct session_module *m)
{
	branches_unload(session);
	if (m->image && session->profile)
		profile_forget(session->profile, m->image);
	for (uint32_t i = 0; m->image && i < m->image->symbol_count; i++)
		if (is_reference(&m->image->symbols[i]))
			texture_destroy(gpu_memory(session->gpu), m->image->symbols[i].address);
		else if (m->image->symbols[i].address)
			memory_release(gpu_memory(session->gpu), m->image->symbols[i].address);
	module_free(m);
}

struct ptx_image *session_image(struct session_module *module)
{
	return module->image;
}
