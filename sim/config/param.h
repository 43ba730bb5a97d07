/* sim/config/param.h -- declared parameters: a table beside the component that uses them, read from a
 * configuration.
 *
 *   static const struct sim_param l1_params[] = {
 *       SIM_U32 (struct l1_config, ways, 4, 1, 64, "lines", "associativity"),
 *       SIM_ENUM(struct l1_config, write, L1_WRITE_EVICT, write_names, "what a global store does to a line"),
 *       SIM_END
 *   };
 *
 * Reading, range checks, error messages, `lockstep config doc` and the resolved config.yaml all come from
 * here. */
#ifndef SIM_CONFIG_PARAM_H
#define SIM_CONFIG_PARAM_H

#include "sim/base/types.h"

enum sim_param_type {
	SIM_PARAM_END,
	SIM_PARAM_U32,
	SIM_PARAM_U64,
	SIM_PARAM_F64,
	SIM_PARAM_BOOL,
	SIM_PARAM_ENUM,
	SIM_PARAM_STRING
};

struct sim_param {
	enum sim_param_type type;
	const char *name;
	size_t offset;            /* of the field in the struct that is filled */
	double minimum, maximum;  /* numbers only */
	double number;            /* default: U32, U64, F64, BOOL, ENUM (the index) */
	const char *text;         /* default: STRING (field type: const char *, owned by the configuration) */
	const char *const *names; /* ENUM: NULL-terminated; field type: uint32_t */
	const char *unit;         /* "" for none */
	const char *help; /* one line, lower case, no final stop; names its source where there is one */
};

/* A row: the field of the struct that it fills, default, range, unit, help. The compiler refuses a row whose
 * field has another type than the macro says. _AS: the parameter has another name than the field, which may
 * then be an element (latency[CLASS_SFU]) or a member (stream.period). */
#define SIM_U32(type, field, def, min, max, units, text) \
	SIM_U32_AS(type, field, #field, def, min, max, units, text)
#define SIM_U64(type, field, def, min, max, units, text) \
	SIM_U64_AS(type, field, #field, def, min, max, units, text)
#define SIM_F64(type, field, def, min, max, units, text) \
	SIM_F64_AS(type, field, #field, def, min, max, units, text)
#define SIM_BOOL(type, field, def, text) SIM_BOOL_AS(type, field, #field, def, text)
#define SIM_BOOL_AS(type, field, name, def, text) \
	{ \
		SIM_PARAM_BOOL, name, \
			FIELD_OFFSET(type, field, bool, "SIM_BOOL fills a field of type bool"), 0, 1, def, \
			0, 0, "", text \
	}
#define SIM_ENUM(type, field, def, choices, text) \
	{ \
		SIM_PARAM_ENUM, #field, \
			FIELD_OFFSET(type, field, uint32_t, "SIM_ENUM fills a field of type uint32_t"), 0, \
			0, def, 0, choices, "", text \
	}
#define SIM_STRING(type, field, def, text) \
	{ \
		SIM_PARAM_STRING, #field, \
			FIELD_OFFSET( \
				type, field, const char *, "SIM_STRING fills a field of type const char *"), \
			0, 0, 0, def, 0, "", text \
	}
#define SIM_U32_AS(type, field, name, def, min, max, units, text) \
	{ \
		SIM_PARAM_U32, name, \
			FIELD_OFFSET(type, field, uint32_t, "SIM_U32 fills a field of type uint32_t"), min, \
			max, def, 0, 0, units, text \
	}
#define SIM_U64_AS(type, field, name, def, min, max, units, text) \
	{ \
		SIM_PARAM_U64, name, \
			FIELD_OFFSET(type, field, uint64_t, "SIM_U64 fills a field of type uint64_t"), min, \
			max, def, 0, 0, units, text \
	}
#define SIM_F64_AS(type, field, name, def, min, max, units, text) \
	{ \
		SIM_PARAM_F64, name, \
			FIELD_OFFSET(type, field, double, "SIM_F64 fills a field of type double"), min, max, \
			def, 0, 0, units, text \
	}
#define SIM_END SIM_END_FORMER(NULL)
/* The end of a table some of whose parameters are gone or have another name now. former: each old name and
 * what is to be said of it ("renamed to sm.l1d.ways"), by turns, and NULL. */
#define SIM_END_FORMER(former) \
	{ \
		SIM_PARAM_END, 0, 0, 0, 0, 0, 0, former, 0, 0 \
	}

#endif
