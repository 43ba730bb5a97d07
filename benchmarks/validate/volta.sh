# volta.sh -- part of validate.sh for Pascal and later: micro-benchmarks of an SM (CHIP-figures.csv) with the
# PTX as it stands, since scheduled code (frontend.timed_code) would drop some of what they repeat, or, if the
# figures are those of our own PTX as the vendor's compiler made it ("# compiled"), in the configuration's own mode; loads and
# streams by footprint and occupancy (CHIP-curves.csv) and counters of launches (CHIP-counters.csv) in the
# configuration's own mode; whole programs (CHIP-programs.csv) in both. All are drawn, too (plot.sh). A third of
# the figures, chosen by their names before any was looked at, is held
# out: no value of the configuration may be chosen by them.
#
#   MODES="ptx scheduled"  which of the two; the last line is that of the configuration's own, or of the first
#   ONLY=NAME              programs whose names begin so; ONLY=hopper: CHIP-hopper.csv alone
#   LAUNCHES=instructions  only launches of the programs of benchmarks/ (CHIP-launches.csv), in both modes; or =cycles (launches.sh)
#   LONG=1                 figures of an SM with all SMs, and the peaks; also 2mm, which runs for hours, and what CHIP-curves.csv says takes long
# shellcheck shell=sh disable=SC2154
build=${1:-build}
config=${CONFIG:-configs/$chip.yaml}
out=$build/validate-$chip
modes=${MODES:-ptx scheduled}
mkdir -p "$out"
status=0

own=$("$build/bin/lockstep" config show -c "$config" | awk '$1 == "timed_code:" { print $2; exit }')
case " $modes " in *" $own "*) ;; *) own=${modes%% *} ;; esac

# The published cycles are counts of events, for which the profiler lets each kernel run alone ("all kernel
# executions will be serialized on the GPU", Profiler User's Guide): each starts on an idle chip.
alone=$("$build/bin/lockstep" config show -c "$config" | awk '$1 == "first:" { print $2; exit }')

# A row is held out if the check sum of its name (cksum) is a multiple of three.
part_of() {
	sum=$(printf %s "$1" | cksum)
	[ $((${sum%% *} % 3)) = 0 ] && echo held-out || echo training
}

# run FOLDER MODE ARGUMENT...: a run of the simulator; its own status
run() {
	folder=$1 mode=$2 verb=$3; shift 3
	"$build/bin/lockstep" "$verb" -q -c "$config" --set frontend.timed_code="$mode" \
		--set gpu.launch.queued="$alone" -o "$folder" "$@" \
		>"$folder.log" 2>&1
}

# program MODE COMMAND...: a row of CHIP-programs.csv; prints the cycles of all its kernels
program() {
	mode=$1 what=$2; shift 2
	folder=$out/$mode-$(printf '%s-%s' "$what" "$*" | tr -c 'A-Za-z0-9\n' '[_*]' | cut -c1-60)
	case $what in
	*/*) run "$folder" "$mode" run -- "$build/bench/$what" "$@" ;;
	*)
		grid=$1 block=$2 given=; shift 2
		for argument; do given="$given --arg $argument"; done
		# shellcheck disable=SC2086
		run "$folder" "$mode" launch "$here/tuner.ptx" "$what" --grid "$grid" --block "$block" $given
		;;
	esac || { echo "validate: $what $* ($mode):" >&2; tail -n 3 "$folder.log" >&2; return 1; }
	awk '$1 == "gpu.cycles" { n = $2 } END { print n }' "$folder/stats.txt" # the last: of the whole run
}

# Both measurements write lines: part, name, mode, unit, ours, hardware, peers' two (or -), source
micro() {
	mode=ptx few="--set gpu.sms=8" # these are figures of an SM, but for the peaks
	[ -z "${LONG-}" ] || few=
	set -- latency throughput barrier shared l1
	if grep -q '^# compiled' "$here/$chip-figures.csv"; then
		mode=$own
		set -- latency throughput issue occupancy shared constant l1 barrier divergence control
		if grep -q '^lanes' "$here/$chip-figures.csv"; then set -- "$@" lanes; fi
	fi
	measured=$out/micro-$mode.log
	# shellcheck disable=SC2086
	run "$out/micro-$mode" "$mode" run $few -- "$build/bench/micro" --csv "$@" || {
		echo "validate: micro ($mode):" >&2
		tail -n 3 "$measured" >&2
		return 1
	}
	if grep -q '^chase' "$here/$chip-figures.csv"; then
		# shellcheck disable=SC2086
		run "$out/chases" "$mode" run $few -- "$build/bench/validate" --csv latency
		grep '^chase' "$out/chases.log" >>"$measured"
	fi
	grep -v '^#\|^name,' "$here/$chip-figures.csv" | while IFS=, read -r name value unit chip source; do
		case $few/$name in ?*/peak*) continue ;; esac
		ours=$(awk -F, -v name="$name" '$1 == name { print $3; exit }' "$measured")
		[ -n "$ours" ] || { echo "validate: micro does not print '$name'" >&2; continue; }
		echo "$(part_of "$name")|$name|$mode|$unit|$ours|$value|-|-|$chip, $source"
	done
}

programs() {
	mode=$1
	grep -v '^#\|^name,' "$here/$chip-programs.csv" |
		while IFS=, read -r name hardware peer1 peer2 command; do
			case $name in "${ONLY-}"*) ;; *) continue ;; esac
			case $command in -*) continue ;; esac
			[ "$name" != 2mm ] || [ -n "${LONG-}" ] || continue
			# shellcheck disable=SC2086
			ours=$(program "$mode" $command) || exit 1
			echo "$(part_of "$name")|$name|$mode|cycles|$ours|$hardware|$peer1|$peer2|Quadro GV100"
		done
}

. "$here/peaks.sh"
. "$here/curves.sh"
. "$here/hopper.sh"
. "$here/counters.sh"
. "$here/launches.sh"
. "$here/plot.sh"

case ${LAUNCHES-} in '' | instructions | cycles) ;; *)
	echo "validate: LAUNCHES is instructions or cycles, not '$LAUNCHES'" >&2
	exit 2
	;;
esac
[ -z "${LAUNCHES-}" ] || [ -f "$here/$chip-launches.csv" ] || {
	echo "validate: no launches were counted on the $chip" >&2
	exit 2
}

{
	if [ -n "${LAUNCHES-}" ]; then
		for mode in $modes; do launches "$mode" || status=1; done
	else
		if [ -f "$here/$chip-figures.csv" ] && [ -z "${ONLY-}" ]; then micro || status=1; fi
		if [ -z "${ONLY-}" ]; then peaks || status=1; fi
		if [ -f "$here/$chip-hopper.csv" ] && { [ -z "${ONLY-}" ] || [ "$ONLY" = hopper ]; }; then hopper || status=1; fi
		if [ -f "$here/$chip-curves.csv" ] && [ "${ONLY-}" != hopper ]; then curves || status=1; fi
		if [ -f "$here/$chip-counters.csv" ]; then counters || status=1; fi
		if [ -f "$here/$chip-programs.csv" ]; then
			for mode in $modes; do programs "$mode" || status=1; done
		fi
	fi
} >"$out/measured"

[ -n "${ONLY-}${LAUNCHES-}" ] || plot "$chip" "$own" || status=1
awk -F'|' -v own="$own" "$(cat "$here/errors.awk" "$here/volta.awk")" "$out/measured"
exit $status
