/* core/energy/instruction_class.h -- the energy class of a micro-operation (instruction_classes.def), and the
 * category of static power of a kernel. */
#ifndef CORE_ENERGY_INSTRUCTION_CLASS_H
#define CORE_ENERGY_INSTRUCTION_CLASS_H

#include "frontend/ptx.h"
#include "frontend/uop.h"

enum instruction_class {
#define CLASS(name, category, help) INSTRUCTION_##name,
#include "core/energy/instruction_classes.def"
#undef CLASS
	INSTRUCTION_CLASSES
};
extern const char *const instruction_class_names[INSTRUCTION_CLASSES + 1];

enum instruction_class instruction_class_of(const struct uop *uop);

/* The categories by which AccelWattch (Kandiah et al., MICRO 2021, Section 4.4) distinguishes the static
 * power of an active SM: which of its units a kernel uses. Here: for which there is an instruction in its
 * code. If there are several, the last one of this list decides. */
enum static_category {
	STATIC_int,
	STATIC_fp,
	STATIC_texture,
	STATIC_sfu,
	STATIC_dp,
	STATIC_tensor,
	STATIC_CATEGORIES
};
extern const char *const static_category_names[STATIC_CATEGORIES + 1];

enum static_category static_category_of(const struct ptx_kernel *kernel);

#endif
