#!/bin/sh
# sweeps/reproduce.sh BUILD [PAPER [SIZE [OUT]]] -- which printed numbers and statements of five papers hold
# here (docs/user/reproduce.md). PAPER: mrpb, dwtcs, medic, warppool, reuse, or all; several in one word, with
# blanks between. SIZE: tiny, small or repro (default). OUT: default BUILD/reproduce; results are in OUT/SIZE.
# What is there already is not run again. SWEEP: more options of lockstep sweep ("-j 1", "--engine slurm
# --engine-options --partition=short"); REPORT=no: no page for each sweep. For tests, ONLY: these
# sweeps alone, of those of the papers; WORKLOADS: these alone for the cache model.
set -u
build=${1:?usage: sweeps/reproduce.sh BUILD [PAPER [SIZE [OUT]]]}
papers=${2:-all} size=${3:-repro}
out=${4:-$build/reproduce}/$size
lockstep=$build/bin/lockstep
here=$(dirname "$0")

case $size in
tiny | small | repro) ;;
*)
	echo "reproduce: unknown size $size; there are tiny, small and repro" >&2
	exit 2
	;;
esac
[ "$papers" != all ] || papers="mrpb dwtcs medic warppool reuse"

# The sweeps of a paper, and what its page is called
sweeps() {
	case $1 in
	mrpb) echo mrpb-overall mrpb-unshared mrpb-design ;;
	dwtcs) echo dwtcs ;;
	medic) echo medic ;;
	warppool) echo warppool warppool-design ;;
	reuse) ;;
	*) return 1 ;;
	esac
}
title() {
	case $1 in
	mrpb) echo "MRPB: Jia, Shaw and Martonosi, HPCA 2014" ;;
	dwtcs) echo "DWT-CS, PRIC and streaming bypass: Khairy, Zahran and Wassal, GPGPU-8 2015" ;;
	medic) echo "MeDiC: Ausavarungnirun et al., PACT 2015" ;;
	warppool) echo "WarpPool: Kloosterman et al., MICRO 2015" ;;
	reuse) echo "A cache model by reuse distance: Nugteren et al., HPCA 2014" ;;
	esac
}
for paper in $papers; do
	sweeps "$paper" >/dev/null || {
		echo "reproduce: unknown paper $paper; there are mrpb, dwtcs, medic, warppool, reuse, all" >&2
		exit 2
	}
done

status=0
# Runs what is missing, and makes the sweep's own page. Failed jobs are told of and leave their claims
# unchecked; an interrupted sweep ends everything.
run_sweep() {
	"$lockstep" sweep "$here/$1.yaml" --size "$size" -o "$out/$1.db" ${SWEEP:-}
	result=$?
	[ $result -lt 128 ] || exit $result
	[ $result = 0 ] || status=1
	[ -f "$out/$1.db" ] || exit 1
	[ "${REPORT:-}" = no ] || "$lockstep" report "$out/$1.db" --no-png -o "$out/$1" >/dev/null || exit 1
}

mkdir -p "$out" || exit 1
set --
for paper in $papers; do
	set -- "$@" --title "$paper=$(title "$paper")"
	for sweep in $(sweeps "$paper"); do
		case " ${ONLY:-$sweep} " in *" $sweep "*) ;; *) continue ;; esac
		echo "$paper: $sweep"
		run_sweep "$sweep"
		set -- "$@" "$paper=$out/$sweep.db"
	done
	if [ "$paper" = reuse ]; then
		echo "reuse: cache model"
		sh "$here/../benchmarks/reuse.sh" "$build" "$size" "$out/reuse.csv" ${WORKLOADS:-} || status=1
		[ -f "$out/reuse.csv" ] || exit 1
		set -- "$@" "reuse=$out/reuse.csv"
	fi
done
if [ "$size" != repro ]; then
	set -- "$@" --remark "not examined at the size $size"
fi
"$lockstep" reproduce "$@" -o "$out" \
	--note "Measured with workloads of the size $size, by 'make reproduce' (docs/user/reproduce.md)." || exit 1
exit $status
