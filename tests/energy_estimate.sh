#!/bin/sh
# tests/energy_estimate.sh BUILD -- lockstep run --energy as its users type it: files, the last line, kernels
# that add up, power over time, the same estimate for any number of threads, the way from runs to a fit, and
# mistakes with their places.
. tests/lib.sh
has() { grep -qE -e "$1" "$2"; }
stat() { awk -v name="$2" '/total of/ { total = 1 } total && $1 == name { print $2; exit }' "$1/stats.txt"; }
near() { awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }'; }

"$lockstep" list configs >"$out/list"
cat >"$out/model.yaml" <<'END'
chip: a chip of this test
model_error: 0.1
coefficients:
  - { name: constant, component: board, unit: W, value: 30, error: 5 }
  - { name: idle_sm, component: static, event: activity.idle_sm_cycles, unit: W, value: 0.3, error: 0.1 }
  - { name: fma, component: execution, unit: pJ, value: 20, error: 2,
      event: "activity.thread_instructions::fp_fma + activity.thread_instructions::fp_mul" }
  - { name: l1, component: l1, event: sm.l1d.look_ups, unit: pJ, value: 500, error: 50 }
  - { name: dram, component: dram, event: dram.bytes, unit: pJ, value: 160, error: 20, scale: none }
  - { name: mrpb, component: policy, event: sm.request_buffer.mrpb.switches, unit: pJ, value: 1, optional: true }
END
run() {
	to=$1
	shift
	"$lockstep" run --energy "$out/model.yaml" -o "$out/$to" "$@" >"$out/log" 2>&1
}
run two --stats-launches all -- "$build/bench/polybench/atax" 64 64
expect "a run with a model" test $? = 0
expect "the last line" sh -c "tail -n 1 '$out/log' | grep -qE \
	'^lockstep: energy [0-9.e-]+ \+- [0-9.e-]+ J, power [0-9.e+]+ \+- [0-9.]+ W \(95 %\) in [0-9.]+ ms simulated$'"
expect "a model of another chip" has '^lockstep: note: the energy model is of another chip .a chip of this test' "$out/log"
expect "energy.txt: two kernels and their total" test "$(grep -cE '^(kernel [12]|1 launch of atax[12]|total of 2)' "$out/two/energy.txt")" = 5
expect "energy.txt: components" has '^  execution .* J .* W .* %$' "$out/two/energy.txt"
expect "energy.csv: a row for each launch" test "$(wc -l <"$out/two/energy.csv")" = 3
expect "energy.csv: columns" has '^kernel,launch,cycles,seconds,idle_sm,fma,l1,dram,mrpb$' "$out/two/energy.csv"
if command -v python3 >/dev/null; then
	expect "stats.json: components of kernels" sh -c "python3 -c \"
import json
d = json.load(open('$out/two/stats.json'))
k = [x['energy'] for x in d['kernels']]
parts = sum(x['joules'] for e in k for n, x in e.items() if n != 'total')
whole = sum(e['total']['joules'] for e in k)
assert abs(parts - whole) < 1e-8 * whole, (parts, whole) # places are rounded, too
assert abs(whole - d['total']['energy']['total'] * 1e-12) < 1e-9 * whole, whole
\""
else
	echo "note: no python3: the energies in stats.json are not added up"
fi
expect "watts are joules by time" near "$(stat "$out/two" energy.watts)" \
	"$(awk -v j="$(stat "$out/two" energy.total)" -v t="$(stat "$out/two" gpu.picoseconds)" \
		'BEGIN { printf "%.6f", j / t }')" 0.00001

# The estimate only reads: the same cycles, and the same picojoules whatever the number of threads.
"$lockstep" run -q -o "$out/plain" -- "$build/bench/polybench/atax" 64 64 >"$out/log" 2>&1
expect "the estimate changes no cycle" test "$(stat "$out/plain" gpu.cycles)" = "$(stat "$out/two" gpu.cycles)"
run threads --threads 3 -- "$build/bench/polybench/atax" 64 64
sed '1!s/,[12],/,all,/' "$out/two/energy.csv" >"$out/kernels.csv"
expect "three threads estimate the same, of kernels what their launches have" cmp "$out/kernels.csv" "$out/threads/energy.csv"

# Power over time: the windows add up.
run series --series 2000:energy.total,energy.watts,energy.component -- "$build/bench/polybench/atax" 64 64
expect "windows add up to the total" test \
	"$(awk -F , '$4 ~ /^[0-9]+$/ { sum += $4 } END { printf "%.0f", sum }' "$out/series/series.csv")" = \
	"$(stat "$out/series" energy.total)"

# Power over space: SMs, slices, channels and the rest are the total, to the picojoule; so are their windows.
places() { # STATS: the sum over all places
	awk '/total of/ { total = 1 }
		total && $1 ~ /^(sm|l2|dram)\[[0-9]+\]\.energy\.total$/ { sum += $2; n++ }
		total && $1 ~ /^energy\.place::(network|chip|board)$/ { sum += $2 }
		END { if (n < 3) sum = "none"; printf "%.0f", sum }' "$1/stats.txt"
}
expect "places add up to the total" test "$(places "$out/two")" = "$(stat "$out/two" energy.total)"
expect "energy.txt has the same total" near "$(stat "$out/two" energy.total)" \
	"$(awk '/^total of/ { t = 1 } t && $1 == "total" && $3 == "J" { print $2 * 1e12 }' "$out/two/energy.txt")" \
	"$(awk -v t="$(stat "$out/two" energy.total)" 'BEGIN { print t * 1e-5 }')"
expect "energy.txt has the places" test "$(grep -c '^  at ' "$out/two/energy.txt")" = 30
run space --series "2000:energy.total,sm[*].energy.total,l2[*].energy.total,dram[*].energy.total,energy.place" -- \
	"$build/bench/polybench/atax" 64 64
expect "places add up in each window" awk -F , '
	/^[a-z].*energy/ { for (i = 1; i <= NF; i++) {
		if ($i == "energy.total") all = i
		if ($i ~ /^(sm|l2|dram)\[/ || $i ~ /place::(network|chip|board)/) place[i] } }
	$1 ~ /^[0-9]/ { sum = 0; for (i in place) sum += $i; n++; if (sum != $all) bad++ }
	END { exit !(n > 3 && !bad) }' "$out/space/series.csv"

# Voltage: what hangs on it falls, DRAM and the board do not.
run sample --set gpu.sms=2 --set l2.sets=8 --sample error=3% -- "$build/bench/polybench/2dconv" 1024
expect "of a sampled run the whole is estimated" has 'ms simulated, estimated from a sample$' "$out/log"
expect "so it is in energy.txt" has '^total of 1 kernel, estimated from a sample' "$out/sample/energy.txt"
if ! sanitized; then
	run all --set gpu.sms=2 --set l2.sets=8 -- "$build/bench/polybench/2dconv" 1024
	sampled=$(sed -n '/^total of/,$s/^  total *\([0-9.e-]*\) J.*/\1/p' "$out/sample/energy.txt")
	expect "within 3 % of what it is if all is timed" awk -v a="$sampled" -v b="$(stat "$out/all" energy.joules)" \
		'BEGIN { exit !(a > 0.97 * b && a < 1.03 * b) }'
fi
run low --set energy.voltage=0.5 -- "$build/bench/polybench/atax" 64 64
expect "half the voltage" near "$(stat "$out/low" energy.component::l1)" \
	"$(awk -v x="$(stat "$out/two" energy.component::l1)" 'BEGIN { print x / 4 }')" 1
expect "DRAM has its own supply" test "$(stat "$out/low" energy.component::dram)" = \
	"$(stat "$out/two" energy.component::dram)"

# With a policy its own structures count; without timing there is no energy.
run mrpb -c gtx480 -c configs/+mrpb.yaml -- "$build/bench/polybench/atax" 64 64
expect "an optional statistic that is there" test "$(stat "$out/mrpb" energy.activity::mrpb)" = \
	"$(stat "$out/mrpb" sm.request_buffer.mrpb.switches)"
run values -f -- "$build/bench/polybench/atax" 64 64
expect "without timing" has "energy: not estimated, since there is no timing" "$out/log"
expect "without timing there is no energy.txt" test ! -e "$out/values/energy.txt"

# From the folder that the user is in, whatever folder the program goes to.
(cd "$out" && "$OLDPWD/$lockstep" run --energy model.yaml -o here -- "$OLDPWD/$build/bench/polybench/atax" 64 64 \
	>log 2>&1)
expect "a model by its name in this folder" has '^total of 2' "$out/here/energy.txt"

# From runs to a fit: watts of the model for kernels of several programs give the model back.
for size in 32 48 64 96 128; do
	for program in atax bicg mvt gemm; do
		case $program in gemm) arguments=$size ;; mvt) arguments=$size ;; *) arguments="$size $size" ;; esac
		# shellcheck disable=SC2086
		"$lockstep" run -q --energy "$out/model.yaml" -o "$out/fit-$program-$size" -- \
			"$build/bench/polybench/$program" $arguments >"$out/log" 2>&1 || not_ok "$program $size"
	done
done
awk -F , -v OFS=, -v power="$out/power.csv" '
	FNR == 1 { if (!head++) { print; print "name,watts" >power } next }
	{
		$1 = $1 "-" ++n
		print
		watts = 30 + 0.3 * $5 + (20 * $6 + 500 * $7 + 160 * $8) * 1e-12 / $4
		printf "%s,%.12g\n", $1, watts >power
	}' "$out"/fit-*/energy.csv >"$out/activity.csv"
"$lockstep" energy fit "$out/activity.csv" "$out/power.csv" --seconds seconds --level idle_sm --ignore cycles \
	--ignore launch --ridge none >"$out/fit.txt" 2>&1
expect "a fit to estimates" has '^fit: [0-9]+ kernels, 5 coefficients, leave-one-out mean absolute error 0.00 %' \
	"$out/fit.txt"
expect "it finds the energy of DRAM" near "$(awk '$1 == "dram" { print $3 }' "$out/fit.txt")" 160 0.1

# The models that come with Lockstep.
for model in configs/energy/*.yaml; do
	name=$(basename "$model" .yaml)
	"$lockstep" run --energy "$name" -o "$out/$name" -- "$build/bench/polybench/gemm" 64 >"$out/log" 2>&1
	expect "$name: the chip of the machine is noticed" test \
		"$(grep -c 'of another chip' "$out/log")" = "$([ "$name" = gtx480 ] && echo 0 || echo 1)"
	expect "$name: a run" has '^lockstep: energy ' "$out/log"
	expect "$name: more than idle, less than a melting chip" sh -c \
		"awk '\$1 == \"energy.watts\" { w = \$2 } END { exit !(w > 20 && w < 400) }' '$out/$name/stats.txt'"
	expect "$name: every coefficient has a source" test "$(grep -c '{ name:' "$model")" = \
		"$(tr '\n' ' ' <"$model" | grep -o '{ name:[^}]*source: [^}]*}' | wc -l)"
	[ ! -f "configs/$name.yaml" ] || "$lockstep" run -c "$name" --energy "$name" -o "$out/own-$name" -- \
		"$build/bench/polybench/gemm" 64 >"$out/log" 2>&1
	[ ! -f "configs/$name.yaml" ] || expect "$name: on its own machine" has '^lockstep: energy ' "$out/log"
	[ ! -f "configs/$name.yaml" ] || expect "$name: which is of this chip" test "$(grep -c 'another chip' "$out/log")" = 0
	expect "$name is listed" has "^  $name\$" "$out/list"
done

# Mistakes.
mistake() { # PATTERN SED-SCRIPT
	sed "$2" "$out/model.yaml" >"$out/bad.yaml"
	answers 1 "$1" "$lockstep" run --energy "$out/bad.yaml" -o "$out/bad" -- "$build/bench/polybench/atax" 64 64
}
mistake "bad.yaml:5:.*no statistic activity.idle_cycles" 's/idle_sm_cycles/idle_cycles/'
mistake "bad.yaml:8:.*no statistic sm.l1d.look_up .did you mean sm.l1d.look_ups" 's/look_ups/look_up/'
mistake "bad.yaml:4:.*not negative" 's/value: 30/value: -30/'
mistake "bad.yaml:4:.*finite number" 's/value: 30/value: .inf/'
mistake "bad.yaml:1:.*unknown key" 's/^chip/chap/'
answers 2 "no model gtx481 in configs/energy" "$lockstep" run --energy gtx481 -- "$build/bench/polybench/atax" 64 64
answers 1 "none.yaml cannot be read" "$lockstep" run --energy "$out/none.yaml" -- "$build/bench/polybench/atax" 64 64
expect "no statistics of a run that is refused" test ! -e "$out/bad/stats.txt"
finish
