#!/bin/sh
# tests/cli/correlate.sh BUILD -- lockstep correlate word for word on made-up launches (correlate/), on broken
# files, and a real run against itself. expected/correlate-NAME.txt holds output and exit status of each case;
# RECORD=1 writes them anew.
. tests/lib.sh
here=tests/cli
made=$here/correlate

# check NAME ARGUMENT...: lockstep correlate ARGUMENT..., word for word
check() {
	name=correlate-$1; shift
	word_for_word "$name" "$lockstep" correlate "$@"
}

check raw $made/run.csv $made/raw.csv
check details $made/run.csv $made/details.csv
check kernels $made/run.csv $made/raw.csv -k -m cycles
check two $made/run.csv $made/raw.csv $made/run.csv $made/details.csv -m instructions --csv
check metric-wrong $made/run.csv $made/raw.csv -m ipc
check odd $made/run.csv $made/raw.csv $made/run.csv
check missing "$out/nothing" $made/raw.csv
sed '/^"ID"/d' $made/raw.csv >"$out/headless.csv"
check headless $made/run.csv "$out/headless.csv"
sed 's/usecond/fortnight/' $made/raw.csv >"$out/unit.csv"
check unit $made/run.csv "$out/unit.csv"
sed 's/__/_/g' $made/raw.csv >"$out/metrics.csv"
check metrics $made/run.csv "$out/metrics.csv"
sed 's/"3,300","2.4","1"/"n\/a","2.4","3,000"/' $made/raw.csv >"$out/unmeasured.csv"
check unmeasured $made/run.csv "$out/unmeasured.csv" -m cycles
sed 's/(4, 1, 1)/4 by 1/' $made/raw.csv >"$out/size.csv"
check size $made/run.csv "$out/size.csv"
sed 's/,warp_instructions,/,warps,/' $made/run.csv >"$out/columns.csv"
check columns "$out/columns.csv" $made/raw.csv

# A card that counts what the run does: no figure is off.
expect "a program runs" "$lockstep" run -q -o "$out/run" -- "$build/bench/rodinia/bfs" --size tiny
awk -F, -v OFS=, 'NR == 1 { print "ID,Kernel Name,Grid Size,Block Size,gpc__cycles_elapsed.max,smsp__inst_executed.sum"
	print ",,,,cycle,inst"; next } { print NR, $2, $4, $5, $11, $13 }' "$out/run/launches.csv" >"$out/card.csv"
"$lockstep" correlate "$out/run" "$out/card.csv" --plot "$out/plot.svg" >"$out/said" 2>"$out/log"
launches=$(($(wc -l <"$out/run/launches.csv") - 1))
expect "every launch has a partner" [ "$launches" -gt 2 ] && expect "and is equal" \
	[ "$(grep -c "^[ci].*: $launches launches, mean error 0.0 %" "$out/said")" = 2 ]
if command -v gnuplot >/dev/null; then
	expect "it is drawn" grep -q "card: cycles" "$out/plot.svg"
else
	expect "without gnuplot that is said" grep -q 'cannot be drawn' "$out/log"
fi
finish
