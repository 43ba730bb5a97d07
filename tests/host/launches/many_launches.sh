#!/bin/sh
# tests/host/launches/many_launches.sh BUILD -- programs of many launches: what is written of them, with and
# without timing, by kernel and by launch, against each other. FULL=1: 100 000 launches.
. tests/lib.sh
compile launches tests/host/launches/many_launches.c
many=3000
full && many=100000
run() {
	to=$1
	shift
	"$lockstep" run -q -o "$out/$to" "$@" >"$out/log" 2>&1 || not_ok "run $*: $(log_tail)"
}
size() { stat -c %s "$out/$1"; }
folder_size() { cat "$out/$1"/* | wc -c; }
# column FOLDER NAME [KERNEL]: of launches.csv
column() {
	awk -F , -v name="$2" -v kernel="${3:-}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		kernel == "" || $2 == kernel { print $c }' "$out/$1/launches.csv"
}
sum() { column "$@" | awk '{ s += $1 } END { printf "%.0f\n", s }'; }
# of_kernel FOLDER KERNEL NAME: a statistic of the section of a kernel
of_kernel() {
	awk -v kernel="$2" -v name="$3" '/Begin/ { mine = / launches of / && $NF == kernel }
		mine && $1 == name { print $2 }' "$out/$1/stats.txt"
}
sections() { grep -c "Begin .*# $2" "$out/$1/stats.txt"; }

# ---- how much is written ----

run timed -- "$out/launches" $many
written=$(sed -n 's/^written: //p' "$out/log")
expect "400 bytes a launch at most, and 2 MB" [ "$(folder_size timed)" -lt $((2000000 + 400 * many)) ]
expect "so much is written while it runs, too, but for some documents: $written bytes" \
	[ "$written" -lt $((30000000 + 400 * many)) ]
run one -- "$out/launches" 1
expect "stats.txt does not grow with the launches" \
	[ "$(size timed/stats.txt)" -lt $(($(size one/stats.txt) + 2000)) ]
# its numbers have more digits
without_digits() { tr -d 0-9 <"$out/$1/stats.json" | wc -c; }
expect "nor does stats.json" [ "$(without_digits timed)" -lt $(($(without_digits one) + 1000)) ]
run values -f -- "$out/launches" $many
expect "a line for each launch" [ "$(column values launch | wc -l)" = $many ]
expect "100 bytes a launch without timing, and 100 KB" [ "$(folder_size values)" -lt $((100000 + 100 * many)) ]
expect "without timing nothing is written that needs it" \
	sh -c '! grep -q -e "^gpu.cycles " -e "^gpu.ipc " -e "^sm\." -e "^kernel.cycles " -e "^kernel.timed_" \
		-e " 0 # " -e " nan # " -e " inf # " "$1" && grep -q "^gpu.kernels " "$1"' - "$out/values/stats.txt"
expect "nor in stats.json" sh -c '! grep -q -e "\"cycles\"" -e "\"sm\"" -e ": 0,*\$" -e null "$1"' - \
	"$out/values/stats.json"

# ---- sums ----

run two -- "$out/launches" 60 4
for name in cycles warp_instructions thread_instructions ctas; do
	expect "$name of launches add up to the run's" [ "$(sum two $name)" = "$(total two gpu.$name)" ]
	for kernel in empty few; do
		expect "$name of launches of $kernel are the kernel's" \
			[ "$(sum two $name $kernel)" = "$(of_kernel two $kernel kernel.$name)" ]
	done
done
expect "launches of each" [ "$(of_kernel two empty kernel.launches) $(of_kernel two few kernel.launches)" = "60 15" ]
expect "the machine during launches of few" [ "$(of_kernel two few gpu.cycles)" = "$(sum two cycles few)" ]
expect "bytes of DRAM" [ "$(of_kernel two empty dram.bytes)" = "$(sum two dram_bytes empty)" ]
column two cycles empty | sort -n >"$out/cycles"
expect "the shortest" [ "$(of_kernel two empty kernel.least_cycles)" = "$(head -n 1 "$out/cycles")" ]
expect "the longest" [ "$(of_kernel two empty kernel.most_cycles)" = "$(tail -n 1 "$out/cycles")" ]
expect "the mean" [ "$(of_kernel two empty kernel.mean_cycles)" = \
	"$(awk '{ s += $1 } END { printf "%.1f\n", s / NR }' "$out/cycles")" ]
expect "sizes" [ "$(column two grid few | sort -u) $(column two block few | sort -u)" = "2x1x1 64x1x1" ]
if command -v python3 >/dev/null; then
	expect "stats.json has the kernels" python3 -c "
import json
d = json.load(open('$out/two/stats.json'))
k = d['by_kernel']
assert d['kernels'] == [] and list(k) == ['empty', 'few'], k.keys()
assert k['few']['launches'] == 15 and k['few']['stats']['gpu']['cycles'] == $(sum two cycles few), k['few']
assert k['few']['own']['kernel']['ctas'] == 30"
fi

# ---- all statistics of launches, where they are asked for ----

run both --stats-launches 2 -- "$out/launches" 60 4
expect "two of each kernel" [ "$(sections both 'kernel ')" = 4 ]
expect "the first of each" [ "$(sed -n 's/^-.*# kernel \([0-9]* [a-z]*\) .*/\1/p' "$out/both/stats.txt" |
	paste -sd ' ')" = "1 empty 2 empty 5 few 10 few" ]
expect "their cycles are those of the table" [ "$(awk '/Begin/ { mine = /# kernel / }
	mine && $1 == "gpu.cycles" { print $2 }' "$out/both/stats.txt" | paste -sd ' ')" = \
	"$(awk -F , '$1 ~ /^(1|2|5|10)$/ { print $11 }' "$out/both/launches.csv" | paste -sd ' ')" ]
expect "nothing else changes" cmp "$out/two/launches.csv" "$out/both/launches.csv"
sed '/Begin .*# kernel /,/^---------- End/d' "$out/both/stats.txt" | grep -v '^#\|^$' >"$out/rest"
grep -v '^#\|^$' "$out/two/stats.txt" >"$out/plain"
expect "nor in stats.txt" cmp "$out/plain" "$out/rest"
run all --stats-launches all -- "$out/launches" 5
expect "of each launch" [ "$(sections all 'kernel ') $(sections two 'kernel ')" = "5 0" ]
expect "instances are of the whole run" sh -c '! sed "/# total of/,\$d" "$1" | grep -q "^sm\[" && grep -q "^sm\[" "$1"' - \
	"$out/all/stats.txt"
for wrong in -1 some 2x; do
	refuses "--stats-launches $wrong: expected a number of launches, all or none" \
		"$lockstep" run -o "" --stats-launches "$wrong" -- "$out/launches" 1
done

# ---- host threads ----

run threads --threads 3 -- "$out/launches" 60 4
expect "host threads change nothing" cmp "$out/two/launches.csv" "$out/threads/launches.csv"
grep -v '^#\|^$' "$out/threads/stats.txt" >"$out/rest"
expect "nor in stats.txt" cmp "$out/plain" "$out/rest"
finish
