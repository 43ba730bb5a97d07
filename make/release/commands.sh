#!/bin/sh
# make/release/commands.sh LOCKSTEP -- the table of commands.awk for all commands of this lockstep.
set -eu
COLUMNS=100000
export COLUMNS
for command in $("$1" --help | sed -n 's/^  \([a-z][a-z]*\)   *[a-z].*/\1/p'); do
	"$1" "$command" --help | awk -f make/release/commands.awk
done
