#!/bin/sh
# tests/speed/front_end.sh BUILD -- megabytes per second of a module of 10 MB. parse: text to checked tree;
# lower: to micro-operations as well. Seconds of processor time, system included.
set -eu
build=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
sh tests/ptx/large.sh 10 >"$out/large.ptx"
for mode in parse lower; do
	flag=""
	[ $mode = parse ] && flag=--parse
	sh -c '"$0" ptx --check $2 "$1" >/dev/null; times' "$build/bin/lockstep" "$out/large.ptx" $flag |
		awk -v m=$mode 'NR == 2 { gsub(/[ms]/, " "); s = $1 * 60 + $2 + $3 * 60 + $4
			printf "10 MB of PTX, %s: %.2f s, %.1f MB/s\n", m, s, s ? 10 / s : 0 }'
done
echo
