/* core/sm/unit_port.c -- the units behind the operand collectors, by instruction and by scheduler. */
#include "core/sm/unit_port.h"

static enum unit_port_kind sp_port_of(uint32_t class, const struct sm_config *config)
{
	switch (class) {
	case CLASS_CONVERT:
	case CLASS_CONVERT_HALF:
		if (config->convert_unit == BY_MIXED)
			return config->int_units ? PORT_INT : PORT_SP;
		return config->convert_unit == BY_SFU ? PORT_SFU : PORT_SP;
	case CLASS_CONVERT_INT:
	case CLASS_CONVERT_WIDE:
		return config->convert_unit == BY_SP ? PORT_SP : PORT_SFU;
	case CLASS_SHUFFLE:
	case CLASS_MATCH:
	case CLASS_REDUCE:
		return config->exchange_unit == BY_SFU ? PORT_SFU : PORT_SP;
	case CLASS_INT_COUNT:
		if (config->count_unit == BY_SFU)
			return PORT_SFU;
		return config->int_units ? PORT_INT : PORT_SP;
	case CLASS_INT_ADD:
	case CLASS_INT_MAX:
	case CLASS_INT_DIV:
	case CLASS_INT_BITS:
	case CLASS_FP_MAX:
	case CLASS_VOTE:
	case CLASS_GUARDING:
		return config->int_units ? PORT_INT : PORT_SP;
	case CLASS_TENSOR_MEMORY:
		return config->tensor.units ? PORT_TENSOR : PORT_SP;
	case CLASS_HALF:
		return config->half_unit == HALF_BY_TENSOR && config->tensor.units ? PORT_TENSOR : PORT_SP;
	default:
		return PORT_SP;
	}
}

enum unit_port_kind unit_port_of(const struct uop *u, const struct sm_config *config)
{
	switch (u->unit) {
	case UNIT_SFU:
		return PORT_SFU;
	case UNIT_DP:
		return PORT_DP;
	default:
		if (u->latency_class == CLASS_MATRIX && tensor_interval(&config->tensor, u))
			return PORT_TENSOR;
		return sp_port_of(u->latency_class, config);
	}
}

static uint32_t units_of(enum unit_port_kind port, const struct sm_config *config)
{
	switch (port) {
	case PORT_SFU:
		return config->sfu_units;
	case PORT_DP:
		return config->dp_units;
	case PORT_INT:
		return config->int_units;
	case PORT_TENSOR:
		return config->tensor.units;
	default:
		return config->sp_units;
	}
}

uint32_t unit_port_narrows(enum unit_port_kind port, const struct sm_config *config)
{
	uint32_t units = units_of(port, config);

	if (port == PORT_DP && config->dp_shared)
		return 1;
	return config->sub_cores && units && units < config->schedulers ? config->schedulers / units : 1;
}

const char *unit_port_uneven(const struct sm_config *config)
{
	static const char *const names[] = { [PORT_SP] = "sp_units",
		[PORT_SFU] = "sfu_units",
		[PORT_DP] = "dp_units",
		[PORT_INT] = "int_units",
		[PORT_TENSOR] = "tensor.units" };

	for (uint32_t i = 0; config->sub_cores && i < PORT_COUNT; i++) {
		uint32_t units = units_of((enum unit_port_kind)i, config);

		if (i == PORT_DP && config->dp_shared)
			continue;
		if (units && units % config->schedulers && config->schedulers % units)
			return names[i];
	}
	return NULL;
}
