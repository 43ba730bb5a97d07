#!/bin/sh
# tests/ptx/random/run.sh BUILD -- random programs against the scalar evaluator: by values alone at two vector
# levels, and timed, on the GTX 480 and where every queue has size 1. What ptxas thinks of a few of them,
# where there is one. Half of them, by turns; FULL=1: all.
. tests/lib.sh
export LD_LIBRARY_PATH="$build/lib" LOCKSTEP_QUIET=1 LOCKSTEP_OUT=""

# programs LABEL FIRST COUNT options...: of so many programs from the first on the part whose turn it is
programs() {
	label=$1 count=$(($3 / part)) first=$(($2 + SLOT % part * ($3 / part)))
	shift 3
	expect "$label: $build/tests/random --first $first --count $count $*" "$build/tests/random" \
		--first $first --count $count "$@"
}

part=1
full || part=2
! sanitized || full || { part=8; echo "note: random programs: an eighth of them under the sanitizers"; }
export LOCKSTEP_FUNCTIONAL=1
levels="base v3"
! sanitized || levels=base # the only one there is
for level in $levels; do
	export LOCKSTEP_VECTOR=$level
	programs "short programs, vector level $level" 1 400 --length 12
	programs "long programs, vector level $level" 2000 60 --length 250
done
unset LOCKSTEP_FUNCTIONAL LOCKSTEP_VECTOR
programs "timed" 5000 40 --length 60
export LOCKSTEP_CONFIG=tests/configs/torture.yaml
programs "timed, every queue of size 1" 6000 40 --length 40
unset LOCKSTEP_CONFIG

PATH=$PATH:/usr/local/cuda/bin
if command -v ptxas >/dev/null 2>&1; then
	for seed in 1 2 3; do
		"$build/tests/random" --first $seed --emit "$out/random.ptx"
		expect "ptxas accepts random program $seed" ptxas -arch=sm_90 "$out/random.ptx" -o /dev/null
	done
else
	echo "skipped: no ptxas here to check random programs with"
fi
finish
