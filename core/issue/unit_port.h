/* core/issue/unit_port.h -- which execution units an instruction goes to behind its operand collector.
 *
 * The kind of unit says which collectors an instruction takes (enum uop_unit); the port, which units it then
 * occupies. They differ where the configuration has integer units beside those for floats (sm.int_units), or
 * converts or counts bits in the special-function units (sm.convert_unit, sm.count_unit). */
#ifndef CORE_ISSUE_UNIT_PORT_H
#define CORE_ISSUE_UNIT_PORT_H

#include "core/sm/sm_config.h"

enum unit_port_kind { PORT_SP, PORT_SFU, PORT_DP, PORT_INT, PORT_COUNT };

enum unit_port_kind unit_port_of(const struct uop *u, const struct sm_config *config);

#endif
