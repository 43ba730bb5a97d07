#!/bin/sh
# tests/energy.sh BUILD -- lockstep energy fit as its users type it: known coefficients come back, models are
# read again, real measurements, mistakes with their lines.
. tests/lib.sh
has() { grep -qE -e "$1" "$2"; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }'; }
value() { awk -v name="$2" '$1 == name { print $3; exit }' "$1"; }

# 30 kernels of 20 W + 5 pJ for an add + 60 pJ for a read + 0.5 W for an idle SM; lines end in CR LF.
awk -v power="$out/power.csv" 'BEGIN {
	print "kernel,adds,reads,idle,never,seconds\r"
	print "name,watts\r" >power
	for (i = 1; i <= 30; i++) {
		s = 0.001 * (1 + i % 4)
		adds = 1e9 * ((i * 7) % 11 + 1); reads = 1e8 * ((i * 5) % 13); idle = i % 6
		printf "k%d,%.0f,%.0f,%d,0,%g\r\n", i, adds, reads, idle, s
		printf "k%d,%.9f\r\n", i, 20 + (5 * adds + 60 * reads) * 1e-12 / s + 0.5 * idle >power
	}
}' >"$out/activity.csv"
fit() { "$lockstep" energy fit "$@" 2>"$out/err"; }
fit "$out/activity.csv" "$out/power.csv" --level idle --ridge none --folds 5 -o "$out/model.yaml" \
	>"$out/out"
expect "a fit ends well" test $? = 0
expect "constant" near "$(value "$out/out" constant)" 20 0.001
expect "adds" near "$(value "$out/out" adds)" 5 0.001
expect "reads" near "$(value "$out/out" reads)" 60 0.001
expect "idle" near "$(value "$out/out" idle)" 0.5 0.001
expect "the last line" sh -c "tail -n 1 '$out/out' | grep -qE \
	'^fit: 30 kernels, 4 coefficients, leave-one-out mean absolute error 0.00 % \(0.00 W\)$'"
expect "a column of zeros is named" has "0 in every row.*never" "$out/out"
expect "folds" has "of 5 folds 0.00 %" "$out/out"

# The model as a prior of a fit to fewer kernels than it has coefficients.
sed 's/error: [0-9.e+-]*/error: 1/' "$out/model.yaml" >"$out/prior.yaml"
head -n 4 "$out/activity.csv" >"$out/few.csv"
fit "$out/few.csv" "$out/power.csv" --prior "$out/prior.yaml" >"$out/out"
expect "three kernels with a prior" test $? = 0
expect "reads with a prior" near "$(value "$out/out" reads)" 60 0.01
expect "kernels without a partner are named" has "without a partner.*k30" "$out/out"
answers 1 "too few for 4 coefficients" "$lockstep" energy fit "$out/few.csv" "$out/power.csv" \
	--level idle --ridge none

# Three clocks: 20 W, and 5 pJ and 0.5 W at 1000 MHz, where the voltage is 1; at 500 MHz it is 0.8.
awk -F , -v OFS=, -v power="$out/clocks-power.csv" '
	NR == 1 { sub(/\r/, ""); print $0, "mhz"; print "name,watts" >power; next }
	{
		sub(/\r/, "")
		for (mhz = 500; mhz <= 1000; mhz += 250) {
			name = $1 "@" mhz; v = 1 + 0.4 * (mhz / 1000 - 1)
			print name, $2, $3, $4, $5, $6, mhz
			watts = 20 + (5 * $2 + 60 * $3) * 1e-12 / $6 * v * v + 0.5 * $4 * v
			printf "%s,%.9f\n", name, watts >power
		}
	}' "$out/activity.csv" >"$out/clocks.csv"
fit "$out/clocks.csv" "$out/clocks-power.csv" --level idle --ridge none --dvfs mhz -o "$out/dvfs.yaml" >"$out/out"
expect "dvfs: the slope of the voltage" near \
	"$(awk '/^voltage slope/ { print $3 }' "$out/out")" 0.4 0.0001
expect "dvfs: energies at the highest clock" near "$(value "$out/out" reads)" 60 0.001
expect "dvfs: idle" near "$(value "$out/out" idle)" 0.5 0.0001
expect "dvfs: the model has both" has '^voltage_slope: 0.4$' "$out/dvfs.yaml"
expect "dvfs: and the clock" has '^clock: 1000$' "$out/dvfs.yaml"
fit "$out/clocks.csv" "$out/clocks-power.csv" --level idle --ridge none --ignore mhz >"$out/out"
expect "without dvfs these data do not fit" sh -c "tail -n 1 '$out/out' | \
	sed 's/.*error \([0-9.]*\) .*/\1/' | awk '{ exit !(\$1 > 3) }'"
sed 's/,[0-9]*$/,1000/' "$out/clocks.csv" >"$out/bad.csv"
sed -i '1s/,1000$/,mhz/' "$out/bad.csv"
answers 2 "clocks above 0 were expected, and more than one" "$lockstep" energy fit "$out/bad.csv" \
	"$out/clocks-power.csv" --level idle --dvfs mhz
answers 1 "no column mhzz; did you mean mhz" "$lockstep" energy fit "$out/clocks.csv" "$out/clocks-power.csv" \
	--level idle --dvfs mhzz

# Measured kernels of a GV100: by counters alone, and with the published model as a prior.
measured() {
	fit benchmarks/energy/gv100/activity.csv benchmarks/energy/gv100/power.csv --name Benchmark,Kernel \
		--aliases benchmarks/energy/gv100/aliases.csv --cycles Elapsed_Cycles --clock 1417 "$@"
}
published=""
for class in issue int fp dp sfu tensor texture static; do published="$published --ignore published_$class"; done
# shellcheck disable=SC2086
real() { measured --level Num_Idle_SMs --level Pipeline_Duty --ignore "Chip Voltage" $published "$@"; }
real -o "$out/gv100.yaml" >"$out/out"
expect "GV100: 25 kernels" sh -c "tail -n 1 '$out/out' | grep -qE '^fit: 25 kernels, 14 coefficients'"
expect "GV100: what these data cannot tell is said" has \
	"cannot tell DRAM_Rd and L2_RM apart .likeness 1.0000.: one coefficient for both" "$out/out"
expect "GV100: both stand in the model with one value" test 1 = \
	"$(grep -E 'DRAM_Rd|L2_RM' "$out/gv100.yaml" | sed 's/.*value: \([^,]*\),.*/\1/' | sort -u | wc -l)"
expect "GV100: pathfinder has no activity" has "without a partner.*pathfinder_k1" "$out/out"
expect "GV100: better than the mean" sh -c "tail -n 1 '$out/out' | sed 's/.*error \([0-9.]*\) .*/\1/' | \
	awk '{ exit !(\$1 < 18.6) }'" # 18.64 % with a constant alone
prior=benchmarks/energy/gv100/prior.yaml
measured --prior $prior -o "$out/published.yaml" >"$out/out"
expect "GV100: at most 9 % with the published model as a prior" sh -c "tail -n 1 '$out/out' | \
	sed 's/^fit: 25 kernels, 23 coefficients, leave-one-out mean absolute error \([0-9.]*\) .*/\1/' | \
	awk '{ exit !(\$1 > 5 && \$1 <= 9) }'"
expect "GV100: the interval holds what it should" has \
	'^interval of 95 % by the errors of kernels left out, \+- 19\.[0-9] %: it holds 24 of 25 of them$' "$out/out"
expect "GV100: the model says what its error is" has '^model_error: 0\.0[0-9]+' "$out/published.yaml"
expect "GV100: a fitted value names its prior" has 'fitted; prior 338.3 ' "$out/published.yaml"
cut -d , -f 1-19 benchmarks/energy/gv100/activity.csv >"$out/counters.csv"
fit "$out/counters.csv" benchmarks/energy/gv100/power.csv --name Benchmark,Kernel --cycles Elapsed_Cycles \
	--aliases benchmarks/energy/gv100/aliases.csv --clock 1417 --prior $prior -o "$out/part.yaml" >"$out/out"
expect "what the activity lacks stays as the prior has it" has "as the prior has it: published_issue" "$out/out"
expect "and stands in the model" has 'published_static.*value: 1, error: 0.3' "$out/part.yaml"
answers 2 "evidence.*--prior" "$lockstep" energy fit "$out/activity.csv" "$out/power.csv" --ridge evidence
real --robust --relative >"$out/out"
expect "robust, relative" test $? = 0
real --prior "$out/gv100.yaml" >"$out/out"
expect "its model as a prior" test $? = 0

# Models made from others: what show prints, and a fit with one as its prior.
printf 'base: %s/model.yaml\nscales:\n  - { name: half, of: reads, value: 0.5, error: 0.05, source: here }\n' \
	"$out" >"$out/half.yaml"
"$lockstep" energy show "$out/half.yaml" >"$out/out" 2>&1
expect "show: the value and its origin" has '^reads .* 30 +[0-9.]+  model.yaml 60 x half 0.5' "$out/out"
expect "show: the scale" has '^half +0.5 +0.05  reads; here$' "$out/out"
fit "$out/few.csv" "$out/power.csv" --prior "$out/half.yaml" >"$out/out"
expect "a prior that is made from another" test $? = 0
answers 1 "half.yaml:3:.*no coefficient or component reeds .did you mean reads" sh -c \
	"sed 's/of: reads/of: reeds/' '$out/half.yaml' >'$out/bad-half.yaml'; cd '$out' && \
	mv bad-half.yaml half.yaml && '$(realpath "$lockstep")' energy show half.yaml"
answers 2 "show takes one model" "$lockstep" energy show

# Mistakes.
bad() { # TITLE PATTERN SED-SCRIPT ARGUMENTS...
	title=$1 pattern=$2 script=$3
	shift 3
	sed "$script" "$out/activity.csv" >"$out/bad.csv"
	answers "${status:-1}" "$pattern" "$lockstep" energy fit "$out/bad.csv" "$out/power.csv" --level idle "$@"
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
status=2 bad "no clock" "needs --clock" '' --cycles adds
status=2 bad "no ridge" "number above 0" '' --ridge strong
sed '3s/,.*/,-5/' "$out/power.csv" >"$out/bad-power.csv"
answers 1 "bad-power.csv:3:.*-5 is negative" "$lockstep" energy fit "$out/activity.csv" "$out/bad-power.csv"
sed 's/^k/j/' "$out/power.csv" >"$out/other.csv"
answers 1 "do they need --aliases" "$lockstep" energy fit "$out/activity.csv" "$out/other.csv"
head -n 1 "$out/power.csv" >"$out/empty.csv"
answers 1 "no row behind the header" "$lockstep" energy fit "$out/activity.csv" "$out/empty.csv"
answers 1 "nothing.csv cannot be read" "$lockstep" energy fit "$out/nothing.csv" "$out/power.csv"
printf 'coefficients:\n  - { name: constant, unit: kW, value: 1 }\n' >"$out/bad.yaml"
answers 1 "bad.yaml:2:.*unit, pJ or W" "$lockstep" energy fit "$out/activity.csv" "$out/power.csv" \
	--prior "$out/bad.yaml"
answers 2 "fit, characterise or show was expected" "$lockstep" energy bake
answers 2 "two files" "$lockstep" energy fit "$out/power.csv"
finish
