#!/bin/sh
# tests/cli/bench.sh BUILD -- lockstep bench: what it selects, prints and writes, and that it says so when a
# benchmark fails.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
built=$(realpath "$build")

answers 0 '^sdk/vectoradd$' "$lockstep" bench list
listed=$(grep -c '^[^ ]' "$out/log")
expect "every benchmark is listed" [ "$listed" = "$(ls -d "$build"/bench/*/* | wc -l)" ]

few "$out" sdk/vectoradd sdk/reduction polybench/gemm
lockstep=$out/few/bin/lockstep
answers 0 'tags: .*streaming' "$lockstep" bench list sdk/vectoradd
answers 2 'nosuch: no benchmark, suite or tag' "$lockstep" bench run nosuch
answers 2 'did you mean vectoradd?' "$lockstep" bench run vectorad
answers 2 'run which benchmarks' "$lockstep" bench run
answers 2 'expected tiny, small, repro or paper' "$lockstep" bench run all --size huge
answers 2 'expected a number from 1' "$lockstep" bench run all -j 0
answers 2 'unknown action' "$lockstep" bench walk
answers 2 'sm.l1d.wayz' "$lockstep" bench run sdk/vectoradd --set sm.l1d.wayz=3 -o "$out/b"
answers 0 '^2 verified, 0 failed' "$lockstep" bench run sdk/vectoradd sdk/reduction sdk/vectoradd \
	--size tiny \
	-j 2 -o "$out/b" --stats sm.loads,dram.activates
heading='^suite,name,size,tags,verified,gpu.kernels,.*sm.loads,dram.activates,dram_gb_per_s'
expect "the heading of bench.csv" grep -q "$heading" "$out/b/bench.csv"
# the figures are those of stats.txt, and of a run by hand
"$lockstep" run -q -o "$out/hand" -- "$build/bench/sdk/vectoradd" --size tiny >"$out/log" 2>&1
same_figures() {
	awk -F, '
		FILENAME ~ /csv$/ && FNR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		FILENAME ~ /csv$/ {
			if ($2 == "vectoradd")
				for (i = 6; name[i] != "dram_gb_per_s"; i++) { want[name[i]] = $i; n++ }
			next
		}
		/Begin Simulation/ { total = /total of/ }
		total { split($0, word, " "); if (word[1] in want && want[word[1]] == word[2]) same++ }
		END { exit !(n == 12 && same == n) }' "$out/b/bench.csv" "$out/hand/stats.txt"
}
expect "bench.csv has the figures of a run by hand" same_figures
answers 0 'verified .* - .* - ' "$lockstep" bench run sdk/vectoradd --size tiny --functional -o "$out/b"
answers 0 'no run has a statistic sm.lodes' "$lockstep" bench run sdk/vectoradd --size tiny --stats sm.lodes \
	-o "$out/b"
answers 1 'it took longer than --timeout' "$lockstep" bench run polybench/gemm --size paper --timeout 1 \
	-o "$out/b"
expect "the run that took too long is counted" grep -q '^0 verified, 1 failed' "$out/log"
: >"$out/file"
answers 1 'cannot be written' "$lockstep" bench run sdk/vectoradd --size tiny -o "$out/file/b"

# a program that fails, and one that dies, among others: a tree of links with two false benchmarks
mkdir -p "$out/tree/bin" "$out/tree/bench/sdk"
cp "$lockstep" "$out/tree/bin/"
ln -s "$built/lib" "$out/tree/lib"
cp "$build/bench/sdk/vectoradd" "$out/tree/bench/sdk/good"
say='case $* in *--describe*) printf "suite: sdk\nname: x\nhelp: x\nsource: x\ntags: x\n"; exit ;; esac'
printf '#!/bin/sh\n%s\necho "x: FAIL: element 3 is 1, expected 2 (1 wrong)"; echo more; exit 1\n' "$say" \
	>"$out/tree/bench/sdk/bad"
printf '#!/bin/sh\n%s\nkill -SEGV $$\n' "$say" >"$out/tree/bench/sdk/dead"
printf '#!/bin/sh\n%s\nexit 0\n' "$say" >"$out/tree/bench/sdk/silent"
chmod +x "$out/tree/bench/sdk"/*
answers 1 '^1 verified, 3 failed' "$out/tree/bin/lockstep" bench run all --size tiny -c configs/gtx480.yaml \
	-o "$out/b"
expect "the benchmark that failed" grep -q 'element 3 is 1, expected 2' "$out/log"
expect "the benchmark that died" grep -q 'egmentation' "$out/log"
expect "the benchmark without a verdict" grep -q 'without saying PASS' "$out/log"
# limits of instructions belong to the sizes paper and repro
cat >"$out/tree/bench/sdk/limited" <<END
#!/bin/sh
case \$* in
*--describe*)
	printf 'suite: sdk\nname: limited\nhelp: x\nsource: x\ntags: x\nrepro-limit: 1000\nlimit: 2000\n'
	;;
*) exec "$built/bench/sdk/vectoradd" --size tiny ;;
esac
END
chmod +x "$out/tree/bench/sdk/limited"
answers 0 'at the size repro 1000 thread' "$out/tree/bin/lockstep" bench list limited
limited() { # SIZE EXPECTED [OPTION]...
	size=$1 expected=$2
	shift 2
	answers 0 '^1 verified, 0 failed' "$out/tree/bin/lockstep" bench run limited --size "$size" -o "$out/b" \
		-c configs/gtx480.yaml "$@"
	ended=$(grep -o 'timing ended after [0-9]*' "$out/b/sdk/limited/log.txt")
	expect "the limit at the size $size $*" [ "${ended%???}" = "$expected" ]
}
limited small ""
limited repro "timing ended after 1"
limited paper "timing ended after 2"
limited paper "" --sample error=3%
limited paper "" --set sample.error=0.03
rm "$out/tree/bench/sdk/limited"

# a chip of its own, unless a configuration is named
cat >"$out/tree/bench/sdk/chosen" <<END
#!/bin/sh
case \$* in
*--describe*) printf 'suite: sdk\nname: chosen\nhelp: x\nsource: x\ntags: x\nchip: a100\n' ;;
*) exec "$built/bench/sdk/vectoradd" --size tiny ;;
esac
END
chmod +x "$out/tree/bench/sdk/chosen"
answers 0 'chip:  a100, unless' "$out/tree/bin/lockstep" bench list chosen
chosen() { # CHIP [OPTION]...
	chip=$1
	shift
	answers 0 '^1 verified, 0 failed' "$out/tree/bin/lockstep" bench run chosen --size tiny -o "$out/b" "$@"
	expect "it runs on $chip with '$*'" grep -q "on .*$chip (simulated)" "$out/b/sdk/chosen/log.txt"
}
chosen A100
chosen "GTX 480" -c configs/gtx480.yaml
rm "$out/tree/bench/sdk/chosen"

printf '#!/bin/sh\nexit 3\n' >"$out/tree/bench/sdk/mute"; chmod +x "$out/tree/bench/sdk/mute"
answers 1 'sdk/mute does not say what it is' "$out/tree/bin/lockstep" bench list

finish
