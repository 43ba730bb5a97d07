#!/bin/sh
# tests/run.sh BUILD -- all tests of whole programs: the scripts below, as many at a time as there are
# processors, the long ones first. Each ends with "N passed, M failed"; a script that does not, or that exits
# with an error, fails here. FULL=1 runs all of them; otherwise some have their turn with the commit (SLOT in
# lib.sh), in ten of which all of them run.
. tests/lib.sh

# These run always; under the sanitizers each makes another part of its runs with each commit.
sampled="policy/workloads workloads programs policy/pairs policy/mrpb memory/conserve observe policy/cross
	policy/banked policy/dwtcs"
# These run always without sanitizers and, with them, one in five.
scripts="sweep/run look monitor runtime validate checkpoints hopper blackwell ai ptx/conformance/run
	host/device/error_codes ptx/random/run report sanitize cli/cases ptx/barrier/run
	host/modules/fatbin host/streams/streams trace cli/terminal large cli/interrupt cli/config_names
	cli/triton cli/refused_values cli/timing_limit host/memory/texture ptx/instructions cli/figures
	host/modules/locale readmes declarations cli/gpgpusim cli/bench cli/profile ptx/math/run
	host/device/cuda_header forks cli/import cli/diff cli/correlate host/device/driver_api
	host/launches/cooperative host/streams/graphs host/memory/virtual_memory
	host/streams/values_in_memory host/launches/launches_by_kernels host/modules/compilers
	host/memory/carve_outs host/memory/l2_windows cli/files cli/descriptors cli/supervise cli/limits
	cli/endings cli/functional process ptx/verdicts ptx/modules memory/torture defaults tune
	host/modules/refused_functions host/device/properties host/memory/page_bounds
	host/streams/many_threads host/streams/waits_without_calls host/launches/many_launches
	fuzz/campaigns"
# Those that compare figures of whole runs, or one way of running with another. Under the sanitizers the
# scripts above and the unit tests run the same code, so that one in ten of these runs there; but for
# sampling, which takes its parts in turn there. Without sanitizers the first run always, of the others every
# second one.
compared="threads windows golden"
figures="scheduled reproduce energymicro cookbook branches install release/guides release/site costs cachemicro speed/test recordings
	policy/run interactions micro slurm/run cachemodel cli/series energy_estimate policy/pc_bypass policy/l2
	workloads_graph ptx/registers ptx/oracle ptx/contract energy"

# one_in N SCRIPT...: those whose turn it is
one_in() {
	every=$1 place=0
	shift
	for script; do
		place=$((place + 1))
		[ $(((place + SLOT) % every)) != 0 ] || echo "$script"
	done
}
if full; then
	scripts="sampling $figures $compared $sampled $scripts"
elif sanitized; then
	scripts="$sampled sampling $(one_in 5 $scripts) $(one_in 10 $compared $figures)"
else
	scripts="$(one_in 2 sampling $figures) $compared $sampled $scripts"
fi
full || echo "note: $0: the scripts of slot $SLOT (SLOT=$SLOT repeats them; FULL=1: all)"

# Scripts that run the same under many configurations leak in one run if they leak in all. Looking for leaks
# takes a third of a short run, noting where memory came from a tenth, which a run by hand can do.
without_leaks="policy/cross policy/pairs policy/workloads policy/dwtcs policy/mrpb policy/banked memory/conserve
	threads micro windows host/streams/streams cli/series observe memory/torture sampling branches scheduled validate
	interactions costs ptx/conformance/run ptx/random/run"

# With FOLDER BUILD SCRIPT: the output to FOLDER/SCRIPT.log, the exit status to FOLDER/SCRIPT.status, the
# processor time that it took to FOLDER/seconds
one='log=$0/$(echo "$2" | tr / _)
	case $WITHOUT_LEAKS in *" $2 "*) ASAN_OPTIONS=$ASAN_OPTIONS:$NO_LEAKS ;; esac
	sh "tests/$2.sh" "$1" >"$log.log" 2>&1
	echo $? >"$log.status"
	times >"$log.times"
	awk -F "[ms ]+" -v name="$2" "NR == 2 { print int(60 * (\$1 + \$3) + \$2 + \$4 + 0.5), name }" "$log.times" >>"$0/seconds"'

# judge SCRIPT: adds its numbers to ours
judge() {
	log=$out/$(echo "$1" | tr / _)
	last=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log.log" | tail -n 1)
	if [ "$(cat "$log.status")" = 0 ] && [ -n "$last" ] && [ "${last#* }" = 0 ]; then
		passed=$((passed + ${last% *}))
		grep -iE 'skip|^note: ' "$log.log"
	else
		not_ok "tests/$1.sh"
		tail -n 60 "$log.log"
		echo "to repeat: SLOT=$SLOT${FULL:+ FULL=1} sh tests/$1.sh $build"
	fi
}

AMONG_ALL=1
export AMONG_ALL
WITHOUT_LEAKS= NO_LEAKS=$no_leaks
! sanitized || WITHOUT_LEAKS=" $(echo $without_leaks) "
export WITHOUT_LEAKS NO_LEAKS
echo $scripts | tr ' ' '\n' | xargs -P "$(nproc)" -L 1 sh -c "$one" "$out" "$build"
for script in $scripts; do judge "$script"; done
slowest=$(sort -rn "$out/seconds" | head -n 8 | sed 's/\(.*\) \(.*\)/\2 \1/' | xargs)
echo "seconds of processor time of the slowest scripts: $slowest; of all: $(awk '{ s += $1 } END { print s }' "$out/seconds")"
finish
