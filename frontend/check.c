#include "frontend/parser.h"
void check_module(struct ptx_parser *p) {}
