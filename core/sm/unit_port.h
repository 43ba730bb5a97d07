/* core/sm/unit_port.h -- which execution units an instruction goes to behind its operand collector.
 *
 * The kind of unit says which collectors an instruction takes (enum uop_unit); the port, which units it then
 * occupies. They differ where the configuration has integer units beside those for floats (sm.int_units) or
 * tensor units (sm.tensor), beside which tensor memory is read and written, or converts or counts bits in the
 * special-function units (sm.convert_unit, sm.count_unit). */
#ifndef CORE_SM_UNIT_PORT_H
#define CORE_SM_UNIT_PORT_H

#include "core/sm/sm_config.h"

enum unit_port_kind { PORT_SP, PORT_SFU, PORT_DP, PORT_INT, PORT_TENSOR, PORT_COUNT };

enum unit_port_kind unit_port_of(const struct uop *u, const struct sm_config *config);
/* With sm.sub_cores: by how much a unit of a scheduler is narrower than 32 lanes, since it is the scheduler's
 * share of the SM's units: 4 schedulers with 2 units have 16 lanes each, and take twice as long. */
uint32_t unit_port_narrows(enum unit_port_kind port, const struct sm_config *config);
/* NULL, or the parameter whose number of units the schedulers cannot share evenly. */
const char *unit_port_uneven(const struct sm_config *config);

#endif
