/* cli/cmd_ptx.c -- lockstep ptx: checks PTX files and shows what libptx makes of them. */
#include "cli/command.h"
#include "cli/launch/kernel.h"
#include "cli/machine.h"
#include "experiment/paths.h"
#include "core/kernel/resource_request.h"
#include "frontend/print/coverage.h"
#include "sim/base/xalloc.h"

struct ptx_options {
	struct machine_options machine;
	bool check, parse, regs, cfg, dump, uops, coverage, refused_forms, valid_forms;
	const char *kernel;
	uint32_t block[3];
};

static const struct option ptx_option_table[] = {
	OPTION_FLAG(struct ptx_options, check, 0, "check",
		"only print one line for each refused file, and the number of refused files"),
	OPTION_FLAG(struct ptx_options, parse, 0, "parse",
		"with --check or --dump: stop before the lowering to micro-operations, so that\n"
		"valid instructions that are not executed are accepted"),
	OPTION_FLAG(struct ptx_options, regs, 0, "regs",
		"registers in use at each line, and the lines with the maximum"),
	OPTION_FLAG(struct ptx_options, cfg, 0, "cfg", "control flow of each kernel as a DOT graph"),
	OPTION_FLAG(struct ptx_options, uops, 0, "uops", "micro-operations of each kernel"),
	OPTION_FLAG(struct ptx_options, dump, 0, "dump", "the module as Lockstep understood it, as PTX"),
	OPTION_FLAG(struct ptx_options, coverage, 0, "coverage",
		"number of valid, executed and refused instruction forms of each opcode"),
	OPTION_FLAG(struct ptx_options, refused_forms, 0, "refused-forms",
		"each valid form that is not executed"),
	OPTION_FLAG(struct ptx_options, valid_forms, 0, "valid-forms", "one instruction of each valid form"),
	OPTION_TEXT(struct ptx_options, kernel, 'k', "kernel", "NAME", "show only this kernel"),
	OPTION_DIM3(struct ptx_options, block, 'b', "block",
		"occupancy for CTAs of this size (default: 64 to 1024 threads)"),
	MACHINE_OPTIONS(struct ptx_options, machine.), OPTION_END
};

/* -- a file, read and lowered -- */

struct ptx_file {
	const char *path;
	char *text;
	struct ptx_module *module;
	struct ptx_image *image; /* NULL if the file was refused */
	struct ptx_lines *lines; /* for --regs */
};

/* how: NULL, to refuse a file for anything in it that is not executed. */
static bool read_ptx_file(struct ptx_file *f, const char *path, bool parse_only,
	const struct ptx_lowering *how, struct diag_list *diags)
{
	size_t size;

	*f = (struct ptx_file){ .path = path };
	f->text = paths_read(path, &size, diags);
	if (f->text)
		f->module = ptx_parse(f->text, size, path, diags);
	if (f->module && !parse_only)
		f->image = how ? ptx_lower_kernels(&f->module, 1, how, diags) : ptx_lower(f->module, diags);
	return parse_only ? f->module != NULL : f->image != NULL;
}

static void close_file(struct ptx_file *f)
{
	if (f->image)
		ptx_image_free(f->image);
	ptx_lines_free(f->lines);
	ptx_module_free(f->module);
	free(f->text);
}

/* -- --check -- */

/* The first error alone, on one line. */
static void print_refusal(const struct diag_list *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct diag *d = &diags->items[i];

		if (d->kind != DIAG_ERROR)
			continue;
		printf("%s:", d->file ? d->file : "?");
		if (d->line)
			printf("%u:%u:", d->line, d->column);
		printf(" error: %s", d->message);
		if (diags->errors > 1)
			printf(" (and %zu more)", diags->errors - 1);
		putchar('\n');
		return;
	}
}

static int check_files(char **paths, size_t count, bool parse_only)
{
	size_t refused = 0;

	for (size_t i = 0; i < count; i++) {
		struct diag_list diags;
		struct ptx_file f;

		diag_init(&diags);
		if (!read_ptx_file(&f, paths[i], parse_only, NULL, &diags)) {
			refused++;
			print_refusal(&diags);
		}
		close_file(&f);
		diag_fini(&diags);
	}
	printf("%zu accepted, %zu refused\n", count - refused, refused);
	return refused ? STATUS_FAILED : STATUS_FINE;
}

/* -- the summary of a kernel -- */

static const struct ptx_function *entry_function(const struct ptx_kernel *k)
{
	const struct ptx_function *f = k->module->functions;

	while (f && strcmp(f->name, k->name) != 0)
		f = f->next;
	return f;
}

static void print_parameters(const struct ptx_kernel *k)
{
	printf("  %-14s", "parameters");
	for (uint32_t i = 0; i < k->param_count; i++) {
		const struct ptx_param *p = &k->params[i];
		unsigned bytes = ptx_type_bits(p->type) / 8;

		printf("%s%s", i ? ", " : "", ptx_type_name(p->type));
		if (bytes && p->size > bytes)
			printf("[%u]", p->size / bytes);
		printf(" %s", p->name);
	}
	printf("%s%u bytes%s\n", k->param_count ? " (" : "", k->param_bytes, k->param_count ? ")" : "");
}

static void print_registers(const struct ptx_kernel *k, const struct sm_limits *limits)
{
	struct kernel_registers r = registers_of(limits, k);

	printf("  %-14s%u per thread", "registers", r.count);
	if (r.source == REGISTERS_ESTIMATED)
		printf(" (estimated; at most %u are live at once)\n", k->pressure);
	else
		printf(" (%s; the estimate is %u)\n", register_source_name(r.source), k->registers);
}

static void print_directives(const struct ptx_kernel *k)
{
	if (k->maxntid[0])
		printf("  %-14s%u,%u,%u\n", ".maxntid", k->maxntid[0], k->maxntid[1], k->maxntid[2]);
	if (k->reqntid[0])
		printf("  %-14s%u,%u,%u\n", ".reqntid", k->reqntid[0], k->reqntid[1], k->reqntid[2]);
	if (k->maxnreg)
		printf("  %-14s%u\n", ".maxnreg", k->maxnreg);
	if (k->minnctapersm)
		printf("  %-14s%u\n", ".minnctapersm", k->minnctapersm);
}

static void print_occupancy(const struct ptx_kernel *k, const struct sm_limits *limits, uint32_t threads)
{
	struct cta_resource_request demand = cta_resource_request_of(limits, k, threads, 0);
	struct occupancy o = occupancy_of(limits, &demand);

	printf("  %-14s%11u  %9u  %10u  %6.0f %%  %s\n", "", threads, o.ctas, o.warps, 100 * o.ratio,
		occupancy_limit_name(o.limit));
}

static void print_occupancies(
	const struct ptx_kernel *k, const struct sm_limits *limits, const uint32_t block[3])
{
	static const uint32_t usual[] = { 64, 128, 192, 256, 512, 1024 };
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

	printf("  %-14s%11s  %9s  %10s  %8s  %s\n", "occupancy", "threads/CTA", "CTAs/SM", "warps/SM",
		"of all", "limited by");
	if (block[0])
		print_occupancy(k, limits, threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads);
	for (size_t i = 0; !block[0] && i < sizeof(usual) / sizeof(*usual); i++)
		print_occupancy(k, limits, usual[i]);
}

static void print_summary(const struct ptx_file *f, const struct ptx_kernel *k,
	const struct sm_limits *limits, const uint32_t block[3])
{
	const struct ptx_function *function = entry_function(k);

	printf("kernel %s (%s:%u)\n", k->name, f->path, function ? function->location.line : 0);
	print_parameters(k);
	print_registers(k, limits);
	printf("  %-14s%u\n", "predicates", k->predicates);
	printf("  %-14s%u bytes per CTA%s\n", "shared", k->shared_bytes,
		k->dynamic_align ? ", and dynamic shared memory behind them" : "");
	printf("  %-14s%u bytes per thread\n", "local", k->local_bytes);
	printf("  %-14s%u\n", "barriers", k->barriers);
	printf("  %-14s%u in PTX, %u micro-operations, %u basic block%s\n", "instructions",
		function ? function->insn_count : 0, k->uop_count, k->block_count,
		k->block_count == 1 ? "" : "s");
	print_directives(k);
	print_occupancies(k, limits, block);
}

/* -- the command -- */

static void show_kernel(const struct ptx_options *o, const struct ptx_file *f, const struct ptx_kernel *k,
	const struct sm_limits *limits)
{
	if (k->refusal) {
		printf("kernel %s: cannot be launched\n", k->name);
		return;
	}
	if (o->cfg)
		ptx_print_cfg(k, stdout);
	if (o->uops)
		ptx_print_kernel(k, stdout);
	if (o->regs)
		ptx_print_pressure(k, f->lines, stdout);
	if (!o->cfg && !o->uops && !o->dump && !o->regs)
		print_summary(f, k, limits, o->block);
}

static void show_kernels(
	const struct ptx_options *o, const struct ptx_file *f, const struct sm_limits *limits)
{
	for (uint32_t i = 0; i < f->image->kernel_count; i++) {
		if (i)
			putchar('\n');
		show_kernel(o, f, &f->image->kernels[i], limits);
	}
}

static void show_file(const struct ptx_options *o, const char *path, const struct ptx_lowering *how,
	const struct sm_limits *limits, struct diag_list *diags)
{
	const struct ptx_kernel *kernel;
	struct ptx_file f;

	if (read_ptx_file(&f, path, o->parse && o->dump, how, diags)) {
		kernel = o->kernel && f.image ? kernel_named(f.image, o->kernel, path, diags) : NULL;
		if (o->dump)
			ptx_print_module(f.module, stdout);
		if (o->regs)
			f.lines = ptx_lines_new(f.module);
		if (kernel)
			show_kernel(o, &f, kernel, limits);
		else if (!o->kernel && f.image)
			show_kernels(o, &f, limits);
	}
	close_file(&f);
}

static int show_files(const struct ptx_options *o, char **paths, size_t count)
{
	struct machine_config machine;
	struct sm_limits limits;
	struct diag_list diags;
	struct config *config;
	size_t errors = 0;

	diag_init(&diags);
	config = machine_configure(&o->machine, &machine, &diags);
	if (!config)
		return failed(&diags);
	sm_limits_from(&machine.sm, &limits);
	for (size_t i = 0; i < count; i++) {
		show_file(o, paths[i], &machine.frontend, &limits, &diags);
		errors += diags.errors;
		fflush(stdout);
		failed(&diags);
	}
	machine_config_fini(&machine);
	config_free(config);
	return errors ? STATUS_FAILED : STATUS_FINE;
}

static int run_ptx_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct ptx_options *o = object;

	if (o->coverage || o->refused_forms || o->valid_forms) {
		ptx_print_coverage(stdout,
			o->coverage                ? COVERAGE_TABLE
				: o->refused_forms ? COVERAGE_REFUSED
						   : COVERAGE_VALID);
		return STATUS_FINE;
	}
	if (!count)
		return usage_error(self, "needs FILE.ptx...");
	return o->check ? check_files(operands, count, o->parse) : show_files(o, operands, count);
}

const struct command command_ptx = {
	.name = "ptx",
	.operands = "FILE.ptx...",
	.summary = "check PTX files; show registers, occupancy, control flow, micro-operations",
	.details = "Without --regs, --cfg, --uops or --dump, prints the resources of each kernel and how "
		   "many of its CTAs fit on\n"
		   "one SM.\n"
		   "\n"
		   "  lockstep ptx --kernel vecadd --block 256 vec.ptx\n"
		   "  lockstep ptx --cfg vec.ptx | dot -Tsvg > vec.svg\n",
	.options = ptx_option_table,
	.size = sizeof(struct ptx_options),
	.run = run_ptx_command,
};
