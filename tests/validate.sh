#!/bin/sh
# tests/validate.sh BUILD -- a taste of `make validate`: values are right in timed and functional runs,
# latencies are what the configuration declares, the misses of a copy that fits the L1 are the compulsory
# ones, and the table adds up.
. tests/lib.sh


# measure NAME options... -- topics...: figures go to $out/NAME.csv
measure() {
	name=$1; shift
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	if "$lockstep" run -q -o "$out/$name" $options -- "$build/bench/validate" --csv "$@" \
		>"$out/$name.csv" 2>"$out/log" &&
		grep -q PASS "$out/log"; then ok; else not_ok "validate $* under $options"; \
			tail -n 3 "$out/log"; fi
}

# figure NAME FIGURE
figure() { awk -F, -v name="$2" '$1 == name { print $3 }' "$out/$1.csv"; }

measured() {
	measure latency -c configs/gtx480.yaml -- latency
	# a hit in the L1 costs the same however much of the L1 it is one of; beyond each cache, loads cost
	# more
	if awk -v l1="$(figure latency 'chase 8 KB')" -v l1_too="$(figure latency 'chase 16 KB')" \
		-v l2="$(figure latency 'chase 256 KB')" \
		-v dram="$(figure latency 'chase 4096 KB')" -v rows="$(figure latency 'latency load DRAM')" 'BEGIN {
			d = l1 - l1_too
			exit !(l1 > 0 && d * d < 9 && l2 > 2 * l1 && dram > 1.1 * l2 && rows > dram) }'; then ok; else
		not_ok "latencies: $(tr '\n' ' ' <"$out/latency.csv")"; fi

	# six CTAs on one SM; L1 and L2 do not depend on how many SMs there are
	measure peaks -c configs/gtx480-1550.yaml --set gpu.sms=1 -- peaks
	measure functional --functional -- latency peaks rows hotspot backprop
}
if left_out; then echo "note: validate: one row copy under the sanitizers"; else measured; fi
"$lockstep" launch -q -o "$out/rows" -c configs/gtx470.yaml benchmarks/validate/kernel.ptx row_copy --grid 1 \
	--block 32 \
	--arg 'f32[32768]=iota' --arg 'f32[32768]=zero' >"$out/log" 2>&1
if grep -q '^kernel.l1_miss_rate  *0.031250 ' "$out/rows/stats.txt"; then ok; else not_ok \
	"row copy of 32 rows: not one miss a line"; fi

"$lockstep" run -q -o "$out/wrong" -- "$build/bench/validate" latncy >"$out/log" 2>&1
if grep -q "validate: latncy: no such topic" "$out/log"; then ok; else not_ok "a topic that does not exist"; \
	fi

# A chip without figures, and a figure by footprint: the difference of two launches is the latency of the L1.
sh benchmarks/validate/validate.sh "$build" gtx9999 >"$out/log" 2>&1
if [ $? = 2 ] && grep -q "no figures of 'gtx9999'; CHIP is one of: gtx480 v100" "$out/log"; then ok; else
	not_ok "a chip without figures"; fi
chips="v100 a100 h200"
! left_out || chips=h200
for chip in $chips; do
	ONLY="load chase 16 KB" sh benchmarks/validate/validate.sh "$build" $chip >"$out/log" 2>&1
	hit=$("$lockstep" config show -c configs/$chip.yaml | awk '$1 == "hit_latency:" { print $2; exit }')
	if awk -v hit="$hit" '/^load chase 16 KB/ { n++; ours = $8 } END { exit !(n == 1 && ours == hit + 1) }' \
		"$out/log"; then ok; else not_ok "$chip: load chase 16 KB is not $hit + 1 cycles"; cat "$out/log"; fi
done

# Figures of which each is measured in one mode, but not in the same: the last line counts them all (10, 20,
# 30).
printf '%s\n' 'training|one|ptx|cycles|110|100|-|-|x' 'training|two|scheduled|cycles|120|100|-|-|x' \
	'training|program|ptx|cycles|150|100|100|100|x' 'training|program|scheduled|cycles|130|100|100|100|x' |
	awk -F'|' -v own=scheduled "$(cat benchmarks/validate/errors.awk benchmarks/validate/volta.awk)" >"$out/log"
if tail -n 1 "$out/log" | grep -q '^validate: 3 figures, mean error 20.0 %, median error 20.0 %, worst 30.0 %'; then
	ok; else not_ok "figures of two modes in the last line"; cat "$out/log"; fi

# The tables: errors.awk by hand (-10, +20, +5, +1: mean 9, median 7.5), and volta.awk on lines made up: parts
# apart, peers compared on the same programs, the last line that of one mode.
awk "$(cat benchmarks/validate/errors.awk)"'BEGIN {
	e[1] = -10; e[2] = 20; e[3] = 5; e[4] = 1
	print errors_line(e, 4)
	print errors_list(e, 4)
	e[1] = -3
	print errors_line(e, 1)
	print errors_line(e, 0) }' >"$out/log"
printf '%s\n' 'validate: 4 figures, mean error 9.0 %, median error 7.5 %, worst 20.0 %' \
	'errors in order, %, 90th percentile 17.0: 1.0 5.0 10.0 20.0' \
	'validate: 1 figures, mean error 3.0 %, median error 3.0 %, worst 3.0 %' \
	'validate: 0 figures' >"$out/expected"
if cmp -s "$out/log" "$out/expected"; then ok; else not_ok "errors.awk"; cat "$out/log"; fi

printf '%s\n' 'training|one|ptx|cycles|110|100|150|95|x' 'held-out|two|ptx|cycles|80|100|200|100|x' \
	'training|rate|ptx|results/clk/SM|66|64|-|-|x' 'training|one|scheduled|cycles|104|100|150|95|x' |
	awk -F'|' -v own=scheduled "$(cat benchmarks/validate/errors.awk benchmarks/validate/volta.awk)" \
		>"$out/log"
expect_line() {
	if grep -qx "$1" "$out/log"; then ok; else not_ok "volta.awk: no line $1"; cat "$out/log"; fi
}
expect_line 'ptx  *programs training: 1 figures, mean error 10.0 %, median error 10.0 %, worst 10.0 %'
expect_line 'ptx  *programs held-out: 1 figures, mean error 20.0 %, median error 20.0 %, worst 20.0 %'
expect_line 'ptx  *figures  training: 1 figures, mean error 3.1 %, median error 3.1 %, worst 3.1 %'
expect_line 'scheduled  *programs held-out: 0 figures'
expect_line 'Accel-Sim  *programs training: 1 figures, mean error 5.0 %, median error 5.0 %, worst 5.0 %'
expect_line 'one  *cycles  *training  *100.00 *110.00  *+10.0 % *104.00  *+4.0 %  *+50.0 %  *-5.0 %'
expect_line 'errors in order, %, 90th percentile 3.9: 3.1 4.0'
expect_line 'validate: 2 figures, mean error 3.6 %, median error 3.6 %, worst 4.0 %' # the rate counts, too

# Every line of the data has its fields, every name of a figure is one that micro prints, or validate's
# chases, and every command a program or a kernel that there is.
if awk -F, '!/^#/ && (NF < 5 || $5 == "") { print FILENAME ": " $0; bad = 1 } END { exit bad }' \
	benchmarks/validate/*-figures.csv benchmarks/validate/v100-programs.csv; then ok; else
	not_ok "a line without its five fields"; fi
rows() { grep -hv '^#\|^name,' benchmarks/validate/*-"$1".csv; }
figures_are_printed() {
	{
		"$lockstep" run -q --functional -o "" -- "$build/bench/micro" --csv
		"$lockstep" run -q --functional -c configs/h200.yaml -o "" -- "$build/bench/micro" --csv lanes
		"$lockstep" run -q --functional -o "" -- "$build/bench/validate" --csv latency
	} 2>"$out/errors" | cut -d, -f1 | sort >"$out/printed"
	missing=$(rows figures | cut -d, -f1 | sort -u | comm -23 - "$out/printed")
	if [ -z "$missing" ]; then ok; else not_ok "micro does not print: $missing"; fi
}
left_out || figures_are_printed # the data are the same

# Rows of Hopper have four fields, and names that a topic prints (those of copies take long).
if awk -F, '!/^#/ && NF != 4 { print FILENAME ": " $0; bad = 1 } END { exit bad }' benchmarks/validate/*-hopper.csv; then
	ok; else not_ok "a row of Hopper without its four fields"; fi
hopper_rows_are_printed() {
	{
		"$lockstep" run -q --functional -c configs/h200.yaml -o "" -- "$build/bench/validate" --csv \
			products clusters barriers
		"$lockstep" run -q --functional -c configs/rtx5090.yaml -o "" -- "$build/bench/validate" --csv kinds
	} 2>"$out/errors" | cut -d, -f1 | sort >"$out/printed"
	missing=$(rows hopper | cut -d, -f1 | grep -v -e "^cop" -e "^ring" | sort -u | comm -23 - "$out/printed")
	if [ -z "$missing" ]; then ok; else not_ok "no topic prints: $missing"; fi
}
left_out || hopper_rows_are_printed

# The network of clusters: all pairs of 16 CTAs are 4 mean distances beyond the own CTA, and no port carries
# more than it can, with little of it left idle.
"$lockstep" run -q -c configs/h200.yaml -o "" -- "$build/bench/validate" --csv clusters >"$out/clusters" 2>&1
"$lockstep" config show -c configs/h200.yaml | awk -F'"' '/^ *distances:/ { print $2; exit }' >"$out/distances"
if awk -F, 'NR == FNR { n = split($0, d, " "); for (i = 1; i <= n; i++) sum += d[i]; next }
	$1 == "cluster latency own" { own = $3 }
	$1 == "cluster latency mean" { mean = $3 }
	$2 == "bytes/clk" { rows++; most = /and|opposite/ ? 42.67 : 21.34; bad += $3 > most + 0.1 || (!/128/ && $3 < 0.45 * most) }
	END { want = own + 4 * sum / n; exit !(n == 16 && rows == 14 && !bad && mean > want - 2 && mean < want + 2) }' \
	"$out/distances" "$out/clusters"; then ok; else not_ok "the network of clusters"; cat "$out/clusters"; fi
missing=$(rows programs | cut -d, -f5 | while read -r what rest; do
	case $what in
	-) ;;
	*/*) [ -x "$build/bench/$what" ] || echo "$what" ;;
	*) grep -q "\.entry $what(" benchmarks/validate/tuner.ptx || echo "$what" ;;
	esac
done)
if [ -z "$missing" ]; then ok; else not_ok "neither a program nor a kernel of tuner.ptx: $missing"; fi

# The rows of counters: seven fields, a topic of validate, a kernel of counters.ptx.
if grep -v '^#\|^name,' benchmarks/validate/p100-counters.csv | awk -F, '
	NF != 7 || $4 !~ /^(hotspot|backprop)$/ || $6 !~ /^[0-9]+x[0-9]+$/ { print; bad = 1 }
	{ print $5 > "'"$out/kernels"'" }
	END { exit bad }' >"$out/log"; then ok; else not_ok "a row of counters"; cat "$out/log"; fi
missing=$(sort -u "$out/kernels" | while read -r kernel; do
	grep -q "\.entry $kernel(" benchmarks/validate/counters.ptx || echo "$kernel"
done)
if [ -z "$missing" ]; then ok; else not_ok "no kernel of counters.ptx: $missing"; fi

# Launches: each row has its fields and a program, its classes are its instructions (but where warps wait for
# others).
# A kernel's sum is that of the launches that were counted.
launched=benchmarks/validate/h200-launches.csv
if awk -F, '/^#/ { next } !n++ { next }
	NF != 24 { print; bad = 1 }
	{ sum = $11 + $12 + $13 + $14 + $15 + $16 + $17; print $1 > "'"$out/programs"'" }
	(sum > 1.03 * $9 || sum < 0.97 * $9) && $1 != "lonestar/bh" { print; bad = 1 }
	END { exit bad || n < 380 }' $launched >"$out/log"; then ok; else not_ok "a row of launches"; cat "$out/log"; fi
missing=$(sort -u "$out/programs" | while read -r program; do [ -x "$build/bench/$program" ] || echo "$program"; done)
if [ -z "$missing" ]; then ok; else not_ok "no program: $missing"; fi
printf '%s\n' '# made up' program,kernel,launch,grid,block,cycles,instructions,memory,integer \
	one/a,f,1,1x1x1,8x1x1,100,10,4,6 one/a,g,1,1x1x1,8x1x1,7,7,7,0 one/a,f,3,1x1x1,8x1x1,300,30,0,30 \
	one/b,f,1,1x1x1,8x1x1,1,1,0,1 one/a,h,1,1x1x1,8x1x1,50,20,9,12 \
	one/a,i,1,2x1x1,8x1x1,9,9,9,0 one/a,i,2,1x1x1,9x1x1,9,9,9,0 >"$out/made-launches.csv"
mkdir -p "$out/made"
echo launch,kernel,grid,block,cycles,warp_instructions,ipc >"$out/made/launches.csv"
for launch in "f 11" "f 22" "g 5" "f 33" "h 20" "i 9" "i 9"; do
	echo "1,${launch% *},1x1x1,8x1x1,${launch#* }0,${launch#* },1"
done >>"$out/made/launches.csv"
sums=$(here=$out chip=made; . benchmarks/validate/launches.sh
	LAUNCHES=instructions launch_sums one/a "$out/made" 2>"$out/log"
	LAUNCHES=cycles launch_sums one/a "$out/made" 2>/dev/null)
if [ "$sums" = "f 44 40
g 5 7
f 440 400
g 50 7
h 200 50" ] && [ "$(grep -c "i,[12] of one/a is left out" "$out/log")" = 2 ]; then ok; else not_ok "sums of launches: $sums"; fi
# What was measured of another program than today's is not compared.
printf '%s\n' "# ptx: rodinia/nn $(cksum <benchmarks/rodinia/nn/kernel.ptx | cut -d ' ' -f 1)" "# ptx: rodinia/nw 1" \
	>"$out/made-launches.csv"
compared=$(here=$out chip=made; . benchmarks/validate/launches.sh
	for program in rodinia/nn rodinia/nw rodinia/lud; do ! is_as_measured $program || echo "$program"; done)
if [ "$compared" = rodinia/nn ]; then ok; else not_ok "programs as measured: $compared"; fi
LAUNCHES=many sh benchmarks/validate/validate.sh "$build" h200 >"$out/log" 2>&1
if [ $? = 2 ] && grep -q "LAUNCHES is instructions or cycles, not 'many'" "$out/log"; then ok; else not_ok "LAUNCHES=many"; fi

# A counter is found by kernel and grid, over a number where there is one; another grid or kernel has none.
"$lockstep" launch -q --stats-launches all -o "$out/counted" -c configs/p100.yaml benchmarks/validate/counters.ptx forward --grid 1,2 \
	--block 16,16 --arg 'f32[33]=iota' --arg 'f32[561]=iota' --arg 'f32[32]=zero' --arg s32=16 >"$out/log" 2>&1
(. benchmarks/validate/counters.sh
	echo "$(counter "$out/counted" forward 1x2 kernel.ctas)" \
		"$(counter "$out/counted" forward 1x2 kernel.warp_instructions/2)" \
		"$(counter "$out/counted" forward 1x3 kernel.ctas)$(counter "$out/counted" adjust 1x2 kernel.ctas)."
	awk '$1 == "kernel.warp_instructions" { printf "2.00 %.2f .\n", $2 / 2 }' "$out/counted/stats.txt"
) >"$out/counters"
if [ "$(sort -u "$out/counters" | wc -l)" = 1 ]; then ok; else not_ok "counter"; cat "$out/counters"; fi

# The drawing: marks in their sets, an empty set as NaN, of programs those of one mode, and their peers.
(
	out=$out/drawn
	mkdir -p "$out"
	printf '%s\n' 'training|rate|ptx|x|66|64|-|-|s' 'held-out|one|ptx|cycles|110|100|150|95|s' \
		'held-out|one|scheduled|cycles|104|100|150|95|s' >"$out/measured"
	. benchmarks/validate/plot.sh
	plot test scheduled
) >"$out/log" 2>&1
printf '%s\n' '64 66 "rate"' 'NaN NaN' 'NaN NaN' '100 104 "one"' '100 150' '100 95' >"$out/expected"
grep . "$out/drawn/plot.dat" >"$out/sets"
if cmp -s "$out/sets" "$out/expected"; then ok; else not_ok "what is drawn"; cat "$out/sets"; fi
if ! command -v gnuplot >/dev/null || grep -q '</svg>' "$out/drawn/plot.svg"; then ok; else
	not_ok "the drawing"; cat "$out/log"; fi

# One row of the chip's own table, without timing of the long ones, and a chip of which nothing is known.
if left_out; then echo "note: validate: no kernel of tuner.ptx under the sanitizers"; else
	"$lockstep" launch -q -f -o "" benchmarks/validate/tuner.ptx shared_lat --grid 1 --block 32 \
		--arg 'b64[1]=zero' --arg u32=1 --print 0 >"$out/log" 2>&1
	if grep -q '\<2048\>' "$out/log"; then ok; else not_ok "2048 links lead to word 2048"; cat "$out/log"; fi
fi
sh benchmarks/validate/validate.sh "$build" v99 >"$out/log" 2>&1
if [ $? = 2 ] && grep -q "no figures of 'v99'" "$out/log"; then ok; else not_ok "a chip that there is not"; fi

finish
