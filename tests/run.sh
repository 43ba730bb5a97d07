#!/bin/sh
# tests/run.sh BUILD -- all tests of whole programs: the scripts below, three at a time, the long ones first.
# Each ends with "N passed, M failed"; a script that does not, or that exits with an error, fails here.
. tests/lib.sh

scripts="policy/workloads workloads policy/pairs checkpoints sweep/run report memory/conserve programs
	host/codes runtime ptx/random/run ptx/conformance/run host/streams cli/cases policy/cross policy/mrpb
	observe validate policy/dwtcs sanitize ptx/barrier/run host/fatbin policy/banked trace large cli/terminal
	cli/interrupt cli/names cli/values
	cli/timing_limit host/texture ptx/instructions cli/figures host/locale readmes declarations
	cli/gpgpusim cli/bench cli/profile ptx/math/run host/cuda_header forks cli/import cli/diff
	host/driver_api host/cooperative host/graphs host/virtual host/values host/carve_outs cli/files
	cli/descriptors cli/supervise cli/limits cli/endings cli/functional process ptx/verdicts memory/torture defaults
	host/functions host/several host/waits host/launches fuzz/campaigns"
# Those that compare figures of whole runs, or one way of running with another. Under the sanitizers the scripts
# above and the unit tests run the same code, so that these run there with FULL=1 only.
figures="slurm/run recordings branches windows sampling scheduled interactions cachemodel threads
	energymicro reproduce cookbook cachemicro policy/run cli/series speed/test costs micro golden
	energy_estimate policy/pc_bypass policy/l2 workloads_graph install ptx/registers ptx/oracle energy"
sanitized && ! full || scripts="$figures $scripts"

# Scripts that run the same under many configurations leak in one run if they leak in all. Looking for leaks
# takes a third of a short run, noting where memory came from a tenth, which a run by hand can do.
without_leaks="policy/cross policy/pairs policy/workloads policy/dwtcs policy/mrpb policy/banked memory/conserve
	threads micro windows host/streams cli/series observe memory/torture sampling branches scheduled validate
	interactions costs ptx/conformance/run ptx/random/run"

# With FOLDER BUILD SCRIPT: the output to FOLDER/SCRIPT.log, the exit status to FOLDER/SCRIPT.status, the
# seconds that it took to FOLDER/seconds
one='began=$(date +%s)
	log=$0/$(echo "$2" | tr / _)
	case $WITHOUT_LEAKS in *" $2 "*) ASAN_OPTIONS=$ASAN_OPTIONS:$NO_LEAKS ;; esac
	sh "tests/$2.sh" "$1" >"$log.log" 2>&1
	echo $? >"$log.status"
	echo "$(($(date +%s) - began)) $2" >>"$0/seconds"'

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
	fi
}

AMONG_ALL=1
export AMONG_ALL
WITHOUT_LEAKS= NO_LEAKS=$no_leaks
! sanitized || WITHOUT_LEAKS=" $(echo $without_leaks) "
export WITHOUT_LEAKS NO_LEAKS
echo $scripts | tr ' ' '\n' | xargs -P 3 -L 1 sh -c "$one" "$out" "$build"
for script in $scripts; do judge "$script"; done
slowest=$(sort -rn "$out/seconds" | head -n 8 | sed 's/\(.*\) \(.*\)/\2 \1/' | xargs)
echo "seconds of the slowest scripts: $slowest"
finish
