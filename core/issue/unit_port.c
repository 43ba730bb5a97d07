/* core/issue/unit_port.c -- the units behind the operand collectors, by instruction and by scheduler. */
#include "core/issue/unit_port.h"

static enum unit_port_kind sp_port_of(uint32_t class, const struct sm_config *config)
{
	switch (class) {
	case CLASS_CONVERT:
		return config->convert_unit == BY_SFU ? PORT_SFU : PORT_SP;
	case CLASS_INT_COUNT:
		if (config->count_unit == BY_SFU)
			return PORT_SFU;
		return config->int_units ? PORT_INT : PORT_SP;
	case CLASS_INT_ADD:
	case CLASS_INT_MAX:
	case CLASS_INT_DIV:
	case CLASS_INT_BITS:
	case CLASS_FP_MAX:
		return config->int_units ? PORT_INT : PORT_SP;
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
		return sp_port_of(u->latency_class, config);
	}
}
