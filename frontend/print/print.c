/* frontend/print/print.c -- a module back as valid PTX: declarations first, scopes flattened (print_names.c),
 * debug information last. What is printed parses to the same module again. */
#include "frontend/parse/form.h"
#include "frontend/tables/opcode.h"
#include "frontend/print/print_names.h"
#include "frontend/ptx.h"
#include <inttypes.h>
#include <string.h>

struct printer {
	FILE *out;
	struct print_names names;
};

static const char *const linkages[] = {
	[PTX_NO_LINKAGE] = "",
	[PTX_EXTERN] = ".extern ",
	[PTX_VISIBLE] = ".visible ",
	[PTX_WEAK] = ".weak ",
	[PTX_COMMON] = ".common ",
};

static void print_ptx_value(struct printer *pr, struct ptx_value v)
{
	switch (v.kind) {
	case PTX_INT:
		fprintf(pr->out, "%" PRId64, (int64_t)v.bits);
		break;
	case PTX_UINT:
		fprintf(pr->out, "%" PRIu64 "U", v.bits);
		break;
	case PTX_FLOAT32_BITS:
		fprintf(pr->out, "0f%08" PRIX32, (uint32_t)v.bits);
		break;
	case PTX_FLOAT64_BITS:
		fprintf(pr->out, "0d%016" PRIX64, v.bits);
		break;
	}
}

static const char *name_of_variable(const struct printer *pr, const struct ptx_var *v)
{
	return printed_name(&pr->names, v, v->name);
}

/* declarations */

static void print_attribute(struct printer *pr, bool is_managed, const uint64_t *unified)
{
	fprintf(pr->out, ".attribute(%s", is_managed ? ".managed" : "");
	if (unified)
		fprintf(pr->out, "%s.unified(%" PRIu64 ", %" PRIu64 ")", is_managed ? ", " : "", unified[0],
			unified[1]);
	fputs(") ", pr->out);
}

static void print_attributes(struct printer *pr, const struct ptx_var *v)
{
	fprintf(pr->out, ".%s ", ptx_space_name(v->space));
	if (v->is_managed || v->unified)
		print_attribute(pr, v->is_managed, v->unified);
	if (v->space != PTX_REG)
		fprintf(pr->out, ".align %" PRIu64 " ", v->align);
	if (v->vector > 1)
		fprintf(pr->out, ".v%u ", v->vector);
	fprintf(pr->out, ".%s ", ptx_type_name(v->type));
	if (v->is_pointer)
		fputs(".ptr ", pr->out);
	if (v->pointer_space)
		fprintf(pr->out, ".%s ", ptx_space_name(v->pointer_space));
	if (v->pointer_align)
		fprintf(pr->out, ".align %u ", v->pointer_align);
}

static void print_dimensions(struct printer *pr, const struct ptx_var *v)
{
	for (uint32_t i = 0; i < v->dimensions; i++) {
		if (v->dimension[i])
			fprintf(pr->out, "[%" PRIu64 "]", v->dimension[i]);
		else
			fputs("[]", pr->out);
	}
}

static void print_init(struct printer *pr, const struct ptx_init *init)
{
	if (init->property) {
		fprintf(pr->out, "%s = ", init->property);
		if (init->symbol)
			fputs(init->symbol, pr->out);
		else
			print_ptx_value(pr, init->value);
		return;
	}
	if (init->is_list) {
		fputc('{', pr->out);
		for (const struct ptx_init *item = init->list; item; item = item->next) {
			print_init(pr, item);
			if (item->next)
				fputs(", ", pr->out);
		}
		fputc('}', pr->out);
		return;
	}
	if (init->mask)
		fprintf(pr->out, "0x%" PRIx64 "(", init->mask);
	if (!init->symbol)
		print_ptx_value(pr, init->value);
	else
		fprintf(pr->out, init->is_generic ? "generic(%s)" : "%s",
			init->variable ? name_of_variable(pr, init->variable) : init->function->name);
	if (init->addend)
		fprintf(pr->out, "+%" PRId64, init->addend);
	if (init->mask)
		fputc(')', pr->out);
}

static void print_variable(struct printer *pr, const struct ptx_var *v)
{
	fputs(linkages[v->linkage], pr->out);
	print_attributes(pr, v);
	fputs(name_of_variable(pr, v), pr->out);
	if (v->range)
		fprintf(pr->out, "<%u>", v->range);
	print_dimensions(pr, v);
	if (v->init) {
		fputs(" = ", pr->out);
		print_init(pr, v->init);
	}
	if (v->properties) {
		fputs(" = ", pr->out);
		print_init(pr, v->properties);
	}
	fputs(";\n", pr->out);
}

static void print_params(struct printer *pr, const struct ptx_var *v)
{
	fputc('(', pr->out);
	for (; v; v = v->next) {
		print_attributes(pr, v);
		fputs(v->name ? name_of_variable(pr, v) : "_", pr->out);
		print_dimensions(pr, v);
		if (v->next)
			fputs(", ", pr->out);
	}
	fputc(')', pr->out);
}

static void print_dim3(struct printer *pr, const char *directive, const uint32_t size[3])
{
	if (size[0])
		fprintf(pr->out, "\n%s %u, %u, %u", directive, size[0], size[1], size[2]);
}

static void print_limit(struct printer *pr, const char *directive, bool is_given, uint32_t value)
{
	if (is_given)
		fprintf(pr->out, "\n%s %u", directive, value);
}

static void print_function_head(struct printer *pr, const struct ptx_function *f)
{
	fprintf(pr->out, "%s%s ", linkages[f->linkage], f->is_entry ? ".entry" : ".func");
	if (f->unified)
		print_attribute(pr, false, f->unified);
	if (f->returns) {
		print_params(pr, f->returns);
		fputc(' ', pr->out);
	}
	fprintf(pr->out, "%s", f->name);
	print_params(pr, f->params);
	print_dim3(pr, ".maxntid", f->maxntid);
	print_dim3(pr, ".reqntid", f->reqntid);
	print_dim3(pr, ".reqnctapercluster", f->reqnctapercluster);
	print_limit(pr, ".maxnreg", f->maxnreg, f->maxnreg);
	print_limit(pr, ".minnctapersm", f->minnctapersm, f->minnctapersm);
	print_limit(pr, ".maxnctapersm", f->maxnctapersm, f->maxnctapersm);
	print_limit(pr, ".maxclusterrank", f->maxclusterrank, f->maxclusterrank);
	print_limit(pr, ".abi_preserve", f->has_abi_preserve, f->abi_preserve);
	print_limit(pr, ".abi_preserve_control", f->has_abi_preserve_control, f->abi_preserve_control);
	if (f->is_explicit_cluster)
		fputs("\n.explicitcluster", pr->out);
	if (f->blocks_are_clusters)
		fputs("\n.blocksareclusters", pr->out);
	if (f->is_noreturn)
		fputs("\n.noreturn", pr->out);
	for (const struct ptx_remark *r = f->remarks; r && f->has_body; r = r->next)
		if (r->kind == PTX_HEAD_PRAGMA)
			fprintf(pr->out, "\n.pragma %s;", r->text);
}

/* operands */

/* Of table[3]. */
static void print_index(struct printer *pr, const struct ptx_operand *o)
{
	uint64_t bytes = (uint64_t)(ptx_type_bits(o->variable->type) + 7) / 8 * o->variable->vector;

	fprintf(pr->out, "[%llu]", (unsigned long long)(o->value.bits / (bytes ? bytes : 1)));
}

static void print_operand(struct printer *pr, const struct ptx_operand *o);

static void print_elements(struct printer *pr, const struct ptx_operand *o, const char *open,
	const char *between, const char *close)
{
	fputs(open, pr->out);
	for (uint32_t i = 0; i < o->element_count; i++) {
		if (i)
			fputs(between, pr->out);
		print_operand(pr, &o->elements[i]);
	}
	fputs(close, pr->out);
}

static void print_register(struct printer *pr, const struct ptx_operand *o)
{
	static const char *const selectors[] = { "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1" };

	fputs(name_of_variable(pr, o->variable), pr->out);
	if (o->variable->range)
		fprintf(pr->out, "%u", o->index);
	if (o->component >= 0)
		fprintf(pr->out, ".%c", "xyzw"[o->component & 3]);
	fputs(o->selector == PTX_LANES ? strrchr(o->name, '.') : selectors[o->selector], pr->out);
}

static void print_offset(struct printer *pr, uint64_t offset)
{
	if (offset)
		fprintf(pr->out, "+%" PRId64, (int64_t)offset);
}

static void print_address(struct printer *pr, const struct ptx_operand *o)
{
	fputc('[', pr->out);
	if (o->base) {
		print_operand(pr, o->base);
		print_offset(pr, o->value.bits);
	} else {
		print_ptx_value(pr, o->value);
	}
	fputc(']', pr->out);
}

static void print_operand(struct printer *pr, const struct ptx_operand *o)
{
	if (o->negated)
		fputc(o->kind == PTX_OP_REG && o->variable->type != PTX_PRED ? '-' : '!', pr->out);
	switch (o->kind) {
	case PTX_OP_REG:
		print_register(pr, o);
		print_offset(pr, o->value.bits);
		break;
	case PTX_OP_VALUE:
		print_ptx_value(pr, o->value);
		break;
	case PTX_OP_SREG:
		fputs(ptx_sreg_name(o->sreg), pr->out);
		break;
	case PTX_OP_SYMBOL:
		fputs(name_of_variable(pr, o->variable), pr->out);
		if (o->is_element)
			print_index(pr, o);
		else
			print_offset(pr, o->value.bits);
		break;
	case PTX_OP_ADDRESS:
		print_address(pr, o);
		break;
	case PTX_OP_VECTOR:
		if (o->name && o->name[0] == '%') /* a special register as a whole */
			fputs(o->name, pr->out);
		else
			print_elements(pr, o, "{", ", ", "}");
		break;
	case PTX_OP_LIST:
		print_elements(pr, o, "(", ", ", ")");
		break;
	case PTX_OP_PAIR:
		print_elements(pr, o, "", "|", "");
		break;
	case PTX_OP_TEXTURE:
		print_elements(pr, o, "[", ", ", "]");
		break;
	case PTX_OP_LABEL:
		fputs(printed_name(&pr->names, o->label, o->label->name), pr->out);
		break;
	case PTX_OP_FUNCTION:
		fputs(o->function->name, pr->out);
		break;
	case PTX_OP_SINK:
		fputc('_', pr->out);
		break;
	case PTX_OP_NAME:
		fputs(o->name, pr->out);
		break;
	case PTX_OP_NONE:
		break;
	}
}

/* bodies */

static void print_label(struct printer *pr, const struct ptx_label *l)
{
	fprintf(pr->out, "%s:", printed_name(&pr->names, l, l->name));
	if (l->prototype) {
		fputs(" .callprototype ", pr->out);
		print_params(pr, l->prototype->returns);
		fputs(" _ ", pr->out);
		print_params(pr, l->prototype->params);
		fputs(l->prototype->is_noreturn ? " .noreturn;" : ";", pr->out);
	} else if (l->target_count) {
		fputs(l->is_call_list ? " .calltargets " : " .branchtargets ", pr->out);
		for (uint32_t i = 0; i < l->target_count; i++)
			fprintf(pr->out, "%s%s", i ? ", " : "",
				l->target_labels && l->target_labels[i]
					? printed_name(&pr->names, l->target_labels[i], l->targets[i])
					: l->targets[i]);
		fputc(';', pr->out);
	}
	fputc('\n', pr->out);
}

static void print_insn(struct printer *pr, const struct ptx_insn *insn)
{
	fputc('\t', pr->out);
	if (insn->has_guard) {
		fputs(insn->guard_negated ? "@!" : "@", pr->out);
		print_operand(pr, &insn->guard);
		fputc(' ', pr->out);
	}
	fputs(insn->form->spelling, pr->out);
	for (uint32_t i = 0; i < insn->operand_count; i++) {
		fputs(i ? ", " : " ", pr->out);
		print_operand(pr, &insn->operands[i]);
	}
	fputs(";\n", pr->out);
}

/* Those before instruction index; returns the first behind it. */
static const struct ptx_remark *print_remarks(struct printer *pr, const struct ptx_remark *r, uint32_t index)
{
	for (; r && r->insn <= index; r = r->next) {
		if (r->kind == PTX_PRAGMA)
			fprintf(pr->out, "\t.pragma %s;\n", r->text);
		if (r->kind != PTX_LOC)
			continue;
		fprintf(pr->out, "\t.loc %" PRIu64 " %" PRIu64 " %" PRIu64, r->number[0], r->number[1],
			r->number[2]);
		if (r->count > 3) {
			fprintf(pr->out, ", function_name %s", r->text);
			print_offset(pr, r->number[6]);
			fprintf(pr->out, ", inlined_at %" PRIu64 " %" PRIu64 " %" PRIu64, r->number[3],
				r->number[4], r->number[5]);
		}
		fputc('\n', pr->out);
	}
	return r;
}

static void print_body(struct printer *pr, const struct ptx_function *f)
{
	const struct ptx_label *label = f->labels;
	const struct ptx_remark *remark = f->remarks;

	fputs("\n{\n", pr->out);
	for (const struct ptx_var *v = f->variables; v; v = v->next) {
		fputc('\t', pr->out);
		print_variable(pr, v);
	}
	for (uint32_t i = 0; i <= f->insn_count; i++) {
		remark = print_remarks(pr, remark, i);
		for (; label && label->target == i; label = label->next)
			print_label(pr, label);
		if (i < f->insn_count)
			print_insn(pr, &f->insns[i]);
	}
	fputs("}\n\n", pr->out);
}

static void print_header(struct printer *pr, const struct ptx_module *m)
{
	fprintf(pr->out, ".version %u.%u\n.target %s%s%s%s%s\n", m->version_major, m->version_minor,
		m->target, m->texmode ? ", " : "", m->texmode ? m->texmode : "",
		m->target_debug ? ", debug" : "", m->target_map_f64 ? ", map_f64_to_f32" : "");
	if (m->address_bits == 32 || m->version_major > 2 || (m->version_major == 2 && m->version_minor >= 3))
		fprintf(pr->out, ".address_size %u\n", m->address_bits);
	fputc('\n', pr->out);
}

/* Files and pragmas stand first, debug sections last. */
static void print_module_remarks(struct printer *pr, const struct ptx_module *m, bool are_last)
{
	for (const struct ptx_remark *r = m->remarks; r; r = r->next) {
		if ((r->kind == PTX_SECTION || r->kind == PTX_DWARF) != are_last)
			continue;
		if (r->kind == PTX_FILE)
			fprintf(pr->out, ".file %" PRIu64 " ", r->number[0]);
		if (r->kind == PTX_PRAGMA)
			fputs(".pragma ", pr->out);
		fputs(r->text, pr->out);
		for (uint8_t i = 1; i < r->count; i++)
			fprintf(pr->out, ", %" PRIu64, r->number[i]);
		fputs(r->kind == PTX_PRAGMA ? ";\n" : "\n", pr->out);
	}
}

/* What is only declared, or what a body follows for: read again, the latter stand where their bodies do. */
static void print_declarations(struct printer *pr, bool have_bodies)
{
	for (const struct ptx_function *f = pr->names.module->functions; f; f = f->next)
		if (f->has_body == have_bodies &&
			!(f->has_body && (f->is_entry || f->linkage == PTX_EXTERN))) {
			print_function_head(pr, f);
			fputs(";\n", pr->out);
		}
}

/* Kernels whose addresses initialisers name stand before these, too; *last: the one that was printed last. */
static void print_named_kernels(
	struct printer *pr, const struct ptx_init *init, const struct ptx_function **last)
{
	for (; init; init = init->next) {
		const struct ptx_function *f = init->function;

		print_named_kernels(pr, init->list, last);
		if (!f || !f->is_entry || !f->has_body || f == *last)
			continue;
		print_function_head(pr, f);
		fputs(";\n", pr->out);
		*last = f;
	}
}

void ptx_print_module(const struct ptx_module *module, FILE *stream)
{
	const struct ptx_function *last = NULL;
	struct printer pr = { .out = stream, .names = { .module = module, .arena = arena_new() } };

	print_header(&pr, module);
	print_module_remarks(&pr, module, false);
	print_names_begin(&pr.names, NULL);
	print_declarations(&pr, false);
	print_declarations(&pr, true);
	for (const struct ptx_var *v = module->variables; v; v = v->next)
		print_named_kernels(&pr, v->init, &last);
	for (const struct ptx_var *v = module->variables; v; v = v->next)
		print_variable(&pr, v);
	fputc('\n', stream);
	for (const struct ptx_function *f = module->functions; f; f = f->next)
		if (f->has_body) {
			print_names_begin(&pr.names, f);
			print_function_head(&pr, f);
			print_body(&pr, f);
		}
	print_module_remarks(&pr, module, true);
	for (const struct ptx_function *f = module->functions; f; f = f->next)
		if (f->aliasee)
			fprintf(stream, ".alias %s, %s;\n", f->name, f->aliasee->name);
	print_names_fini(&pr.names);
	arena_free(pr.names.arena);
}
