#!/bin/sh
# tests/energy.sh BUILD -- lockstep energy fit as its users type it: known coefficients come back, models are
# read again, real measurements, mistakes with their lines.
set -u
build=$(cd "${1:?usage: tests/energy.sh BUILD}" && pwd)
cd "$(dirname "$0")/.." || exit 1
lockstep=$build/bin/lockstep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
ok() { # TITLE CONDITION...
	title=$1
	shift
	if "$@"; then passed=$((passed + 1)); else
		failed=$((failed + 1))
		echo "not ok: $title"
	fi
}
has() { grep -qE -e "$1" "$2"; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }'; }
value() { awk -v name="$2" '$1 == name { print $3; exit }' "$1"; }
refused() { # TITLE STATUS PATTERN ARGUMENTS...
	title=$1 status=$2 pattern=$3
	shift 3
	"$lockstep" energy "$@" >"$work/out" 2>"$work/err"
	got=$?
	ok "$title: status $got" test $got = "$status"
	ok "$title: $(head -n 1 "$work/err")" has "$pattern" "$work/err"
}

# 30 kernels of 20 W + 5 pJ for an add + 60 pJ for a read + 0.5 W for an idle SM; lines end in CR LF.
awk -v power="$work/power.csv" 'BEGIN {
	print "kernel,adds,reads,idle,never,seconds\r"
	print "name,watts\r" >power
	for (i = 1; i <= 30; i++) {
		s = 0.001 * (1 + i % 4)
		adds = 1e9 * ((i * 7) % 11 + 1); reads = 1e8 * ((i * 5) % 13); idle = i % 6
		printf "k%d,%.0f,%.0f,%d,0,%g\r\n", i, adds, reads, idle, s
		printf "k%d,%.9f\r\n", i, 20 + (5 * adds + 60 * reads) * 1e-12 / s + 0.5 * idle >power
	}
}' >"$work/activity.csv"
fit() { "$lockstep" energy fit "$@" 2>"$work/err"; }
fit "$work/activity.csv" "$work/power.csv" --level idle --ridge none --folds 5 -o "$work/model.yaml" \
	>"$work/out"
ok "a fit ends well" test $? = 0
ok "constant" near "$(value "$work/out" constant)" 20 0.001
ok "adds" near "$(value "$work/out" adds)" 5 0.001
ok "reads" near "$(value "$work/out" reads)" 60 0.001
ok "idle" near "$(value "$work/out" idle)" 0.5 0.001
ok "the last line" sh -c "tail -n 1 '$work/out' | grep -qE \
	'^fit: 30 kernels, 4 coefficients, leave-one-out mean absolute error 0.00 % \(0.00 W\)$'"
ok "a column of zeros is named" has "0 in every row.*never" "$work/out"
ok "folds" has "of 5 folds 0.00 %" "$work/out"

# The model as a prior of a fit to fewer kernels than it has coefficients.
sed 's/error: [0-9.e+-]*/error: 1/' "$work/model.yaml" >"$work/prior.yaml"
head -n 4 "$work/activity.csv" >"$work/few.csv"
fit "$work/few.csv" "$work/power.csv" --prior "$work/prior.yaml" >"$work/out"
ok "three kernels with a prior" test $? = 0
ok "reads with a prior" near "$(value "$work/out" reads)" 60 0.01
ok "kernels without a partner are named" has "without a partner.*k30" "$work/out"
refused "three kernels without a prior" 1 "too few for 4 coefficients" fit "$work/few.csv" "$work/power.csv" \
	--level idle --ridge none

# Measured kernels of a GV100.
real() {
	fit benchmarks/energy/gv100/activity.csv benchmarks/energy/gv100/power.csv --name Benchmark,Kernel \
		--aliases benchmarks/energy/gv100/aliases.csv --cycles Elapsed_Cycles --clock 1417 \
		--level Num_Idle_SMs --level Pipeline_Duty --ignore "Chip Voltage" "$@"
}
real -o "$work/gv100.yaml" >"$work/out"
ok "GV100: 25 kernels" sh -c "tail -n 1 '$work/out' | grep -qE '^fit: 25 kernels, 15 coefficients'"
ok "GV100: what these data cannot tell is said" has "hardly tell DRAM_Rd and L2_RM apart" "$work/out"
ok "GV100: pathfinder has no activity" has "without a partner.*pathfinder_k1" "$work/out"
ok "GV100: better than the mean" sh -c "tail -n 1 '$work/out' | sed 's/.*error \([0-9.]*\) .*/\1/' | \
	awk '{ exit !(\$1 < 18.6) }'" # 18.64 % with a constant alone
real --robust --relative >"$work/out"
ok "robust, relative" test $? = 0
real --prior "$work/gv100.yaml" >"$work/out"
ok "its model as a prior" test $? = 0

# Mistakes.
bad() { # TITLE PATTERN SED-SCRIPT ARGUMENTS...
	title=$1 pattern=$2 script=$3
	shift 3
	sed "$script" "$work/activity.csv" >"$work/bad.csv"
	refused "$title" 1 "$pattern" fit "$work/bad.csv" "$work/power.csv" --level idle "$@"
}
bad "NaN" "bad.csv:4:.*adds: 'nan' is no finite number" '4s/^\(k[0-9]*\),[0-9]*/\1,nan/'
bad "no number" "bad.csv:6:.*'many' is no finite" '6s/^\(k[0-9]*\),[0-9]*/\1,many/'
bad "negative" "bad.csv:5:.*-3 is negative" '5s/^\(k[0-9]*\),[0-9]*/\1,-3/'
bad "a field too many" "bad.csv:7:.*7 fields, where the header has 6" '7s/^/x,/'
bad "a column twice" "bad.csv:1:.*column adds is there twice" '1s/reads/adds/'
bad "no time" "bad.csv:3:.*time above 0" '3s/[0-9.]*.$/0/'
bad "a kernel twice" "bad.csv:4:.*second row for k2" '4s/^k3/k2/'
bad "no such column" "no column idel; did you mean idle" '' --ignore idel
bad "an open quote" "does not end" '9s/^/"/'
bad "no clock" "needs --clock" '' --cycles adds
bad "no ridge" "number above 0" '' --ridge strong
sed '3s/,.*/,-5/' "$work/power.csv" >"$work/bad-power.csv"
refused "negative watts" 1 "bad-power.csv:3:.*-5 is negative" fit "$work/activity.csv" "$work/bad-power.csv"
sed 's/^k/j/' "$work/power.csv" >"$work/other.csv"
refused "nothing matches" 1 "do they need --aliases" fit "$work/activity.csv" "$work/other.csv"
head -n 1 "$work/power.csv" >"$work/empty.csv"
refused "no rows" 1 "no row behind the header" fit "$work/activity.csv" "$work/empty.csv"
refused "no file" 1 "nothing.csv cannot be read" fit "$work/nothing.csv" "$work/power.csv"
printf 'coefficients:\n  - { name: constant, unit: kW, value: 1 }\n' >"$work/bad.yaml"
refused "wrong unit" 1 "bad.yaml:2:.*unit, pJ or W" fit "$work/activity.csv" "$work/power.csv" \
	--prior "$work/bad.yaml"
refused "no action" 2 "fit was expected" bake
refused "one file" 2 "two files" fit "$work/power.csv"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
