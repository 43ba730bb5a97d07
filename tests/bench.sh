#!/bin/sh
# Speed of the simulator: thread-instructions per second of each benchmark, timed and functional, one thread; and of the PTX
# front end: megabytes per second of a module of 10 MB.
set -eu
build=${1:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%-12s %10s %14s %10s %10s %10s\n' benchmark mode "thread-instr." seconds "M instr/s" "host MiB"
for spec in "sdk/vectoradd 1048576" "polybench/gemm 512" "polybench/atax 2048" "sdk/reduction 4194304" "rodinia/bfs 65536" "sdk/histogram 1048576"; do
	set -- $spec
	program=$1 name=${1##*/}
	shift
	for mode in timed functional; do
		flag=""
		[ $mode = functional ] && flag=--functional
		"$build/bin/lockstep" run -c configs/gtx480.yaml -o "$out/run" $flag -- "$build/bench/$program" "$@" >"$out/log" 2>&1 ||
			{ cat "$out/log"; exit 1; }
		memory=$(sed -n 's/.*host memory: \([0-9]*\) MiB.*/\1/p' "$out/log")
		sed -n 's/.*[,:] \([0-9]*\) thread-instructions in \([0-9.]*\) s.*/\1 \2/p' "$out/log" |
			awk -v n="$name" -v m=$mode -v r="$memory" '{ i += $1; s += $2 }
				END { printf "%-12s %10s %14d %10.4f %10.1f %10d\n", n, m, i, s, s ? i / s * 1e-6 : 0, r }'
	done
done

# parse: text to checked tree; lower: to micro-operations as well. Seconds of processor time, system included.
sh tests/ptx/large.sh 10 >"$out/large.ptx"
for mode in parse lower; do
	flag=""
	[ $mode = parse ] && flag=--parse
	sh -c '"$0" ptx --check $2 "$1" >/dev/null; times' "$build/bin/lockstep" "$out/large.ptx" $flag |
		awk -v m=$mode 'NR == 2 { gsub(/[ms]/, " "); s = $1 * 60 + $2 + $3 * 60 + $4
			printf "%-12s %10s %14s %10.4f %10.1f MB/s\n", "10 MB of PTX", m, "", s, s ? 10 / s : 0 }'
done
