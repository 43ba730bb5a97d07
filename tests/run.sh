#!/bin/sh
# tests/run.sh BUILD -- all tests of whole programs: the scripts below, three at a time, the long ones first.
# Each ends with "N passed, M failed"; a script that does not, or that exits with an error, fails here.
. tests/lib.sh

scripts="sweep/run cli/cases memory/conserve host/streams threads ptx/oracle micro ptx/random/run
	ptx/verdicts policy/cross policy/workloads policy/pairs programs cli/series cli/gpgpusim
	cli/import cli/timing_limit cli/figures ptx/registers ptx/conformance/run host/texture observe
	cli/profile report cookbook cli/bench cli/interrupt cli/diff cli/terminal cli/files cli/endings speed/test host/driver_api host/cooperative host/graphs
	host/functions
	host/cuda_header runtime host/fatbin host/locale host/waits host/several
	scheduled ptx/instructions ptx/math/run ptx/barrier/run policy/run policy/pc_bypass policy/dwtcs policy/l2 policy/mrpb policy/banked
	sanitize workloads workloads_graph golden costs memory/torture validate windows cachemicro large declarations readmes trace
	sampling cachemodel energy energymicro energy_estimate interactions reproduce install defaults"
sanitized || scripts="slurm/run $scripts"

# Scripts that run the same under many configurations leak in one run if they leak in all. Looking for leaks
# takes a third of a short run, noting where memory came from a tenth, which a run by hand can do.
without_leaks="policy/cross policy/pairs policy/workloads policy/dwtcs policy/mrpb policy/banked memory/conserve
	threads micro windows host/streams cli/series observe memory/torture"

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

WITHOUT_LEAKS= NO_LEAKS=$no_leaks
! sanitized || WITHOUT_LEAKS=" $(echo $without_leaks) "
export WITHOUT_LEAKS NO_LEAKS
echo $scripts | tr ' ' '\n' | xargs -P 3 -L 1 sh -c "$one" "$out" "$build"
for script in $scripts; do judge "$script"; done
slowest=$(sort -rn "$out/seconds" | head -n 8 | sed 's/\(.*\) \(.*\)/\2 \1/' | xargs)
echo "seconds of the slowest scripts: $slowest"
finish
