#!/bin/sh
# tests/speed/test.sh BUILD -- `make bench` in the small: the arithmetic of its tables on made-up runs, the
# peer's kernels, the time by phase, a table and a comparison of tiny runs.
. tests/lib.sh
here=tests/speed
# has FILE TEXT...: a line of the file begins with these words, whatever the spaces between
has() {
	file=$1; shift
	tr -s ' ' <"$file" | grep -qF -e "$*" && ok || { not_ok "no line \"$*\""; cat "$file"; }
}
# is STATUS COMMAND...: the exit status, whatever is printed
is() {
	want=$1
	shift
	answers "$want" '' "$@"
}

# medians of 3 and of 2 runs; 1000 and 40 instructions a second, where the peer has 100 and 2: 10 x and 20 x
{ printf 'kernel,size,cycles,thread_instructions,ipc,cpu_seconds,thread_instr_per_s,cycles_per_s,rss_MiB,'
  echo 'l1d_accesses,l1d_misses,l1d_reservation_fails,l2_accesses,l2_misses,dram_requests'
  cat <<'E2'; } >"$out/peer.csv"
add,7,500,3000,6,30,100,10,9,11,12,13,14,15,16
mul,8,500,100,6,50,2,10,9,11,12,13,14,15,16
E2
sed s/add,7/vecadd,1000/ "$out/peer.csv" >"$out/peer.tiny"
made_up() {
	printf 'peer\t%s\t%s\ttimed\t%s\t%s\t9\t%s\tmemory=5\tgpu.thread_instructions=%s\t' "$@"
	printf 'gpu.warp_instructions=300\tgpu.cycles=600\tgpu.ipc=5\tsm.l1d.accesses=21\t'
	printf 'sm.l1d.misses=22\tdram.read_bursts=20\tdram.write_bursts=3\n'
}
{ made_up add 7 a 4 1 3000; made_up add 7 a 2 1 3000; made_up add 7 a 3 1 3000; made_up mul 8 a 2 1 100; \
	made_up mul 8 a 3 1 100; } >"$out/runs"
printf 'peer\tadd\t7\tcore\t0.25\n' >"$out/phases"
awk -v stamp=now,here,this -v csv="$out/csv" -f $here/median.awk \
	-f $here/table.awk "$out/peer.csv" "$out/phases" "$out/runs" >"$out/table"
has "$out/table" "add 7 timed 0.00 0.00 0.20 3.0000 66.7 5 - 25.0 - - - - - 10.0"
has "$out/table" "add 7 600 500 5.0 6.0 21 11 22 12 23 16"
[ "$(tail -n 1 "$out/table")" = "bench: geometric mean 14.1 x peer, least 10.0 x peer" ] && ok ||
	not_ok "the last line"
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR != 3 }' "$out/csv" && ok ||
	not_ok "columns of the file"

# b has 1 and 4 seconds where a had 2 and 2: medians 2.5 and 2; the other build says no processor time, so 9
# against 9
{ made_up add 7 b 1 1 3; made_up add 7 a 2 1 3; made_up add 7 b 4 1 3; made_up add 7 a 2 1 3; made_up mul 8 \
	b 1 1 3; made_up mul 8 a 5 0 3; } >"$out/runs"
printf 'peer\tmul\t8\ttimed\n' >"$out/differ"
awk -v build=b -v other=a -v stamp=now,here,this -v csv="$out/csv" -f $here/median.awk \
	-f $here/compare.awk "$out/differ" "$out/runs" >"$out/table"
has "$out/table" "add 7 timed 2 2.0000 2.5000 0.800 0.500 2.000 same"
has "$out/table" "mul 8 timed 1 9.0000 9.0000 1.000 1.000 1.000 differ"
has "$out/table" "bench: geometric mean 0.894 x a, statistics of 1 differ"

# the peer's kernels are right, and would notice if not
for kernel in vecadd matmul atax1 atax2 syrk reduce spmv bfs; do
	is 0 "$lockstep" run -q -o "" -- "$build/bench/peer" $kernel --size tiny
	is 1 "$lockstep" run -q -o "" --functional -- "$build/bench/peer" $kernel --size tiny \
		--break-reference 1
done
is 2 "$lockstep" run -q -o "" -- "$build/bench/peer" nosuch

# time by phase: shares of a whole, and no statistic changes
for profile in "" --host-profile; do
	is 0 "$lockstep" run -o "$out/run$profile" $profile -- "$build/bench/peer" spmv 500
done
same_statistics "$out/run/stats.txt" "$out/run--host-profile/stats.txt" && ok ||
	not_ok "statistics with --host-profile"
[ ! -e "$out/run/host.txt" ] && awk '/^#|^host[.](total|window|fork|imbalance|serial|speed_up)/ { next } { sum += $2; n += $2 > 0 } END {
	exit !(n == 7 && sum > 0.999 && sum < 1.001) }' "$out/run--host-profile/host.txt" &&
	ok || { not_ok "host.txt"; cat "$out/run--host-profile/host.txt"; }
# nor a value, also while the watch for hangs is on
is 0 "$lockstep" run -q -o "$out/watched" --host-profile --set gpu.hang_check=1 \
	-- "$build/bench/parboil/histo" --size tiny
is 1 "$lockstep" run -o "" --host-profile -- "$build/bench/peer" spmv 500

# the whole, tiny
printf '# a comment\npeer matmul 16\npeer vecadd 1000\nours sdk/vectoradd 1000 --max-instructions=10K\n' \
	>"$out/cases"
bench() { is "$1" sh tests/bench.sh "$build" --cases "$out/cases" --peer "$out/peer.tiny" --runs 1 --most 0 \
	-o "$out/csv" ${2:-} ${3:-} ${4:-}; }
bench 0 matmul
tail -n 1 "$out/log" | grep -qx "bench: none of the peer's was run" && ok ||
	not_ok "a size that the peer has no figures of"
bench 0 vec
tail -n 1 "$out/log" | grep -qE '^bench: geometric mean [0-9.]+ x peer, least [0-9.]+ x peer$' && ok ||
	not_ok "the last line of tiny runs"
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR != 5 }' "$out/csv" && ok ||
	{ not_ok "the file of tiny runs"; cat "$out/csv"; }
awk -F, '$4 == "ours" && $6 == "1000" { if ($7 == "timed") cut = $15 >= 10240 && $15 < 21192;
	else whole = $15 == 21192 } END { exit !(cut && whole) }' "$out/csv" && ok ||
	{ not_ok "a case with a limit of instructions"; cat "$out/csv"; }
grep -q "^the peer's figures are recorded" "$out/log" && ok || not_ok "of which day the peer's figures are"
bench 0 --compare "$build" matmul
tail -n 1 "$out/log" | grep -qE '^bench: geometric mean [0-9.]+ x .*, statistics the same$' && ok ||
	not_ok "a build compared with itself"
bench 2 nosuch
bench 2 --compare "$out" matmul
is 2 sh tests/bench.sh "$build" --runs 0
is 2 sh tests/bench.sh "$build" --cases "$out/nosuch"

# host instructions: made-up figures of 10 warp instructions; what a call costs is its callee's
echo 'gpu.warp_instructions 10 # made up' >"$out/stats"
cat >"$out/callgrind" <<'E2'
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
fl=(1) core/pipeline/issue.c
fn=(1) sm_issue
10 300 9 9 20 30 40 0 0 0 90 5
fi=(2) core/sched/gto.c
+1 100
fe=(1)
cfi=(3) dram/channel.c
cfn=(2) channel_tick
calls=1 7
* 9999 9 9 99 99 99
fl=(3)
fn=(2)
7 200 0 0 0 0 0 0 0 0 0 0 5 5
E2
awk -v name=add -f $here/callgrind.awk "$out/stats" "$out/callgrind" >"$out/lines"
awk -F '\t' -f $here/count.awk "$out/lines" >"$out/table"
has "$out/table" "issue 40"
has "$out/table" "DRAM 20"
has "$out/table" "total host instructions 60"
has "$out/table" "L1I misses 2"
has "$out/table" "L1D misses 7"
has "$out/table" "mispredicts 1"
[ "$(tail -n 1 "$out/table")" = "count: add 60" ] && ok || not_ok "the last line of the count"
echo 'vecadd 1000 tiny' >"$out/counted"
if sanitized || ! command -v valgrind >/dev/null; then
	echo "note: speed: skipped: counting host instructions needs valgrind, and a build without sanitizers"
else
	is 0 sh tests/count.sh "$build" --cases "$out/counted"
	tail -n 1 "$out/log" | grep -qE '^count: tiny [1-9][0-9]+$' && ok || not_ok "the count of a tiny run"
	is 2 sh tests/count.sh "$build" --cases "$out/counted" nosuch
fi
# and beside a peer, which is one that takes as many as we do
printf '#!/bin/sh\n[ "$1 $2" = "vecadd 1000" ] || exit 1\nexec %s run -q -o "" -- %s "$@"\n' \
	"$lockstep" "$build/bench/peer" >"$out/made_up_peer"
chmod +x "$out/made_up_peer"
if ! sanitized && command -v valgrind >/dev/null; then
	is 0 sh $here/peer_count.sh "$build" "$out/made_up_peer" "$out/counted"
	tail -n 1 "$out/log" | grep -qE '^geometric mean +1[.][0-9]$' && ok || not_ok "a peer like us"
	echo 'vecadd 2000 tiny' >"$out/other"
	is 1 sh $here/peer_count.sh "$build" "$out/made_up_peer" "$out/other"
	is 2 sh $here/peer_count.sh "$build" "$out/nosuch"
fi
mkdir "$out/empty"
is 1 env PATH="$out/empty" /bin/sh tests/count.sh "$build"

finish
