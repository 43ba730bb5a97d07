#!/bin/sh
# tests/blackwell.sh BUILD [PROGRAM...] -- the programs of tests/blackwell (all, or those named), as
# tests/hopper.sh runs those of tests/hopper: on a B200 as it is configured, or on the chip that the program's
# opening comment names ("chip: rtx5090").
FOLDER=blackwell exec sh tests/hopper.sh "$@"
