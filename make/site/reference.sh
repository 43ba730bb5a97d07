#!/bin/sh
# make/site/reference.sh LOCKSTEP FOLDER FORMS -- Markdown in FOLDER of what the command says of itself, and
# in FORMS the lists of PTX's instruction forms.
set -eu
lockstep=$1 folder=$2 forms=$3
here=make/site
COLUMNS=100000
export COLUMNS
mkdir -p "$folder/commands" "$forms"

sh make/release/commands.sh "$lockstep" | awk -f $here/commands.awk -v folder="$folder/commands"
"$lockstep" --help | awk -f $here/overview.awk >"$folder/commands/README.md"
{
	printf '# Parameters\n\nEvery parameter of a configuration, with the default of the GTX 480. '
	printf 'A file of YAML or `--set PATH=VALUE` changes it '
	printf '([configuration](../docs/user/configuration.md)). '
	printf 'This page is what `lockstep config doc` prints.\n'
	"$lockstep" config doc | awk -f $here/declared.awk -v kind=parameter
} >"$folder/parameters.md"
{
	printf '# Statistics\n\nEvery statistic of the machine, as `lockstep list stats` prints it for the GTX 480 '
	printf 'with its policies; other policies add their own ([statistics](../docs/user/statistics.md)).\n'
	"$lockstep" list stats | awk -f $here/declared.awk -v kind=statistic
} >"$folder/statistics.md"
{
	printf '# Policies\n\nEach decision that a policy makes, and the policies that come with Lockstep, '
	printf 'as `lockstep list policies` prints them ([adding one](../docs/user/policies.md)).\n'
	"$lockstep" list policies | awk '
		/^[^ ]/ { sub(/:$/, ""); print "\n## " toupper(substr($0, 1, 1)) substr($0, 2) "\n"; next }
		NF { name = $1; sub(/^ *[^ ]+ +/, ""); print "* `" name "` - " $0 }'
} >"$folder/policies.md"

"$lockstep" ptx --valid-forms >"$forms/valid"
"$lockstep" ptx --refused-forms >"$forms/refused"
"$lockstep" ptx --coverage |
	awk 'NR > 1 && $1 != "total" { print $1 "\t" $2 "\t" $3 "\t" $4 }' >"$forms/opcodes"
awk -f $here/opcodes.awk "$forms/opcodes" >"$folder/ptx.md"
