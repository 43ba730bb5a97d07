#!/bin/sh
# measure.sh [-n] [-o FOLDER] [PATTERN] -- the power that the energy micro-benchmarks take on this GPU,
# measured through NVML (nvidia-smi). Run it from the root of the tree. FOLDER (default: measured) then has
#
#	card.txt    what was measured: card, driver, clocks, sensor, and how
#	idle.csv    watts before the first kernel
#	power.csv   kernel,watts,... as lockstep energy fit reads it, a row for each kernel
#
# A kernel that power.csv has is not measured again: the script can be stopped at any time, and goes on where
# it was. -n, or a machine without a card: a dry run, which says what would be done and how long it takes. It
# measures; it fits nothing. All kernels take about a quarter of an hour.
#
#	LOCK_MHZ       lock the SM clock to this, and release it at the end (needs the rights to)
#	SECONDS_EACH   that are sampled in each repetition (1.5)
#	WARM_UP        seconds before, which are not (1)
#	REPETITIONS    of each kernel, each a process of its own (2)
#	REPEAT         how much each launch does (100); see energymicro --repeat
#	GPU            its number (0)
#	BUILD          the build folder (build)
set -eu
dry='' folder=measured
while getopts no: option; do
	case $option in
	n) dry=yes ;;
	o) folder=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
pattern=${1:-}
gpu=${GPU:-0} seconds=${SECONDS_EACH:-1.5} warm=${WARM_UP:-1}
repetitions=${REPETITIONS:-2} repeat=${REPEAT:-100}
build=${BUILD:-build}
program=$build/bench/energymicro
export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES="$gpu"
samples='' meter='' locked=''

end() {
	[ -z "$meter" ] || kill "$meter" 2>/dev/null || :
	[ -z "$samples" ] || rm -f "$samples" "$samples.log"
	[ -z "$locked" ] || nvidia-smi --id="$gpu" --reset-gpu-clocks >/dev/null || :
}
trap end EXIT
trap 'exit 130' HUP INT TERM
query() { nvidia-smi --id="$gpu" --query-gpu="$1" --format=csv,noheader,nounits; }

# -- the sensor --

# sensor CAPABILITY: the period in ms at which it changes, the window in ms that a value is the mean of, and
# where that is from. What a window leaves out of a period is not seen; kernels here do the same all the time.
sensor() {
	case $1 in
	[2-5].*) echo "100 100 recalled; on the safe side" ;;
	6.* | 7.0) echo "20 10 recalled from arXiv 2312.02741" ;;
	7.*) echo "100 100 recalled from arXiv 2312.02741" ;;
	8.0 | 9.*) echo "100 25 arXiv 2312.02741: a quarter of the time of an A100 or H100 is seen" ;;
	*) echo "100 1000 NVML manual: from Ampere on, but for GA100, power.draw is the mean of a second" ;;
	esac
}

describe() {
	sensor "$1" | sed 's/\([0-9]*\) \([0-9]*\) \(.*\)/a value each \1 ms, the mean of \2 ms (\3)/'
}

# The value of this moment where the driver has it, since means over a second contain what was before.
power_field() {
	if nvidia-smi --help-query-gpu 2>/dev/null | grep -q 'power\.draw\.instant'; then
		echo power.draw.instant
	else
		echo power.draw
	fi
}

# -- the kernels --

kernels() {
	set -- "$program" --list ${pattern:+--only "$pattern"}
	{ "$@" 2>/dev/null || "$build/bin/lockstep" run -q -f -o "" -- "$@" 2>/dev/null; } | cut -d ' ' -f 1
}
left() { for k in $(kernels); do grep -q "^$k," "$folder/power.csv" 2>/dev/null || echo "$k"; done; }

# From one time of the clock to another: mean, scatter, number, lowest clock, temperature
summary() {
	awk -F ', *' -v from="$1" -v to="$2" '
		{ split($1, t, " ") }
		t[2] >= from && t[2] <= to && $2 ~ /^[0-9.]+$/ {
			n++; sum += $2; squares += $2 * $2
			if (!slowest || $3 < slowest) slowest = $3
			if ($4 > hottest) hottest = $4
		}
		END {
			if (!n) exit 1
			spread = squares / n - (sum / n) ^ 2
			printf "%.3f %.3f %d %d %d\n", sum / n, (spread > 0 ? sqrt(spread) : 0), n, slowest,
				hottest
		}' "$samples"
}
clock_after() { date -d "@$(awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a + b }')" +%T.%3N; }
meter_on() {
	nvidia-smi --id="$gpu" --query-gpu="timestamp,$field,clocks.sm,temperature.gpu" \
		--format=csv,noheader,nounits --loop-ms="$period" >"$samples" &
	meter=$!
}
meter_off() {
	kill "$meter"
	wait "$meter" 2>/dev/null || :
	meter=''
}

# once KERNEL: its summary; 3: this GPU lacks what it needs
once() {
	all=$(awk -v a="$warm" -v b="$seconds" 'BEGIN { print a + b }')
	meter_on
	status=0
	"$program" --repeat "$repeat" --seconds "$all" "$1" >"$samples.log" 2>&1 || status=$?
	meter_off
	[ $status != 3 ] || return 3
	[ $status = 0 ] || { cat "$samples.log" >&2; return 1; }
	times=$(sed -n 's/.*: began \([0-9.]*\) ended \([0-9.]*\) .*/\1 \2/p' "$samples.log")
	summary "$(clock_after "${times% *}" "$warm")" "$(clock_after "${times#* }" 0)"
}

# all KERNEL: a row of its repetitions
all() {
	rows=''
	for _ in $(seq "$repetitions"); do
		status=0
		row=$(once "$1") || status=$?
		[ $status = 0 ] || return $status
		rows="$rows$row
"
	done
	printf '%s' "$rows" | awk -v kernel="$1" '
		{
			sum += $1; squares += $1 * $1; scatter += $2; n += $3
			if (!low || $4 < low) low = $4
			if ($5 > hot) hot = $5
		}
		END {
			spread = squares / NR - (sum / NR) ^ 2
			printf "%s,%.3f,%.3f,%.3f,%d,%d,%d,%d\n", kernel, sum / NR,
				(spread > 0 ? sqrt(spread) : 0), scatter / NR, NR, n, low, hot
		}'
}

# -- the course --

clock="as it is"
[ -z "${LOCK_MHZ:-}" ] || clock="locked to $LOCK_MHZ MHz"
name=$(query name 2>/dev/null) || name=
[ -n "$name" ] || dry=yes
count=$(left | wc -l)
minutes=$(awk -v n="$count" -v r="$repetitions" -v s="$seconds" -v w="$warm" \
	'BEGIN { printf "%.1f", n * r * (s + w) / 60 }')
if [ -n "$dry" ]; then
	echo "measure.sh: a dry run${name:+ on $name}; nothing is measured, and no model is fitted or claimed"
	[ -n "$name" ] || echo "  no card: nvidia-smi is missing, or finds no GPU $gpu"
	echo "  SM clock: $clock"
	for capability in 6.0 7.0 7.5 8.0 8.6 9.0 10.0; do
		[ -z "$name" ] || capability=$(query compute_cap)
		echo "  sensor of compute capability $capability: $(describe "$capability")"
		[ -z "$name" ] || break
	done
	echo "  $count kernels, $repetitions times ${warm} s of warm-up and ${seconds} s: $minutes minutes," \
		"after 5 s idle; to $folder/power.csv"
	exit 0
fi

capability=$(query compute_cap)
what=$(sensor "$capability")
period=${what%% *}
field=$(power_field)
samples=$(mktemp)
mkdir -p "$folder"
if [ -n "${LOCK_MHZ:-}" ]; then
	nvidia-smi --id="$gpu" --lock-gpu-clocks="$LOCK_MHZ" >/dev/null
	locked=yes
fi
{
	echo "card: $name, compute capability $capability, driver $(query driver_version)"
	echo "clocks: SM $clock, memory $(query clocks.mem) MHz"
	echo "limit: $(query power.limit) W"
	echo "sensor: $field each $period ms; published: $(describe "$capability")"
	echo "each kernel: $repetitions times $warm s of warm-up and $seconds s, launches of --repeat $repeat"
	echo "begun: $(date -u +%FT%TZ)"
} >"$folder/card.txt"
if [ ! -f "$folder/idle.csv" ]; then
	meter_on
	sleep "${IDLE_SECONDS:-5}"
	meter_off
	summary 00 99 >"$samples.log"
	awk '{ print "watts,scatter,samples,sm_mhz,celsius"; print $1 "," $2 "," $3 "," $4 "," $5 }' \
		"$samples.log" >"$folder/idle.csv.new"
	mv "$folder/idle.csv.new" "$folder/idle.csv"
fi
[ -f "$folder/power.csv" ] ||
	echo "kernel,watts,between_repetitions,scatter,repetitions,samples,least_sm_mhz,celsius" \
		>"$folder/power.csv"
echo "measure.sh: $count kernels, $minutes minutes, to $folder/power.csv"
for kernel in $(left); do
	status=0
	row=$(all "$kernel") || status=$?
	case $status in
	0) ;;
	3) continue ;; # this GPU lacks what the kernel needs
	*) exit "$status" ;;
	esac
	echo "$row" >>"$folder/power.csv"
	echo "$row"
	mhz=$(echo "$row" | cut -d , -f 7)
	[ -z "${LOCK_MHZ:-}" ] || [ "$mhz" -ge $((LOCK_MHZ - 15)) ] ||
		echo "measure.sh: $kernel: the clock fell to $mhz MHz: its power is that of another clock" >&2
done
echo "measure.sh: done. This is measured power and no model: lockstep energy fit makes one, and says how" \
	"far to trust it"
