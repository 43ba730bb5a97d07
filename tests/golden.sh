#!/bin/sh
# tests/golden.sh BUILD -- the exact statistics of some runs, in tests/golden/NAME.stats. UPDATE=1 records
# them anew: say in the commit why they change.
#
# A file has the statistics of the whole run, name and value: first those that are not zero, one a line, then
# the names of those that are, grouped by what they begin with. A statistic that appears or disappears is
# therefore noticed even if it is zero. Of the statistics of each SM, slice and channel, and of each launch
# and stream, the file has a checksum of names and values: `lockstep diff --launches --instances` of two builds
# shows which of them differ. Descriptions are not compared.
. tests/lib.sh

# condense STATS.TXT: what is recorded of it
condense() {
	awk -v others="$out/others" '
		/Begin Simulation Statistics/ { sums = /# by kernel name|# launches of/; section += !sums; total = /total of/ }
		/^[-#]/ || NF < 2 || sums { next } # sums of what the launches have
		!total || $1 ~ /\[/ { print section, $1, $2 >others; next }
		$2 != 0 { print $1, $2; next }
		{
			match($1, /^.*(::|[.])/)
			group = substr($1, 1, RLENGTH)
			if (!(group in zeros)) order[++groups] = group
			zeros[group] = zeros[group] " " substr($1, RLENGTH + 1)
		}
		function zero_names(group,    n, name, i, line) {
			n = split(zeros[group], name, " ")
			line = "zero: " group
			for (i = 1; i <= n; i++) {
				if (length(line " " name[i]) > 110) { print line; line = "zero: " group }
				line = line " " name[i]
			}
			print line
		}
		END { for (i = 1; i <= groups; i++) zero_names(order[i]) }' "$1"
	echo "others: $(wc -l <"$out/others") lines, checksum $(cksum <"$out/others" | cut -d ' ' -f 1)"
}

# golden NAME COMMAND...: the run's statistics are those recorded
golden() {
	file=tests/golden/$1.stats name=$1
	shift
	if ! "$lockstep" "$@" -q --stats-launches all --set observe.instances=kernels -o "$out/$name" $program >"$out/log" 2>&1; then
		not_ok "$name: the run fails"
		log_tail
		return
	fi
	condense "$out/$name/stats.txt" >"$out/now"
	[ "${UPDATE:-}" != 1 ] || cp "$out/now" "$file"
	expect "$name: statistics are the golden ones (< golden, > now)" diff "$file" "$out/now"
}

# some FOLDER NAME LEAST: the run is worth recording only if the statistic is at least so much
some() { expect "$1: $2 is at least $3" [ "$(total "$1" "$2")" -ge "$3" ]; }

mrpb="-c configs/mrpb-base-s.yaml -c configs/+mrpb.yaml"
dwtpric="-c configs/dwtcs-gtx480.yaml -c configs/+pric.yaml -c configs/+dwtcs.yaml -c configs/+stream.yaml"
dwtpric="$dwtpric --set sm.limiter.dwtcs.period=300" # instead of periods longer than these runs
dwtpric="$dwtpric --set sm.bypass.stream.period=300 --set l2.bypass.stream.period=300"
medic="-c configs/medic-base.yaml -c configs/+medic.yaml --set l2.sets=4 --set l2.ways=4"
medic="$medic --set l2.warp_type.hit_ratio.warmup=4 --set l2.warp_type.hit_ratio.mostly_hit=0.5"
warppool="-c configs/warppool-gtx480.yaml"

program="-- $build/bench/polybench/gemm 40"
golden gemm-gtx480 run -c configs/gtx480.yaml
golden gemm-volta run -c configs/volta-l1.yaml
golden gemm-mrpb run $mrpb
golden gemm-dwtpric run $dwtpric
program="-- $build/bench/polybench/atax 130 70"
golden atax-gtx480 run -c configs/gtx480.yaml
golden atax-48k run -c configs/gtx480-l1-48k.yaml
golden atax-mrpb run $mrpb
golden atax-dwtpric run $dwtpric
golden atax-medic run $medic
golden atax-banked run $warppool -c configs/+banked.yaml
some atax-banked sm.coalescer.banked.second_miss_cycles 100
some atax-medic l2.bypassed 100
some atax-medic l2.insertion.wip.inserted::mostly_hit 50
some atax-medic dram.scheduler.wms.high_latency::samples 10
program="-- $build/bench/polybench/syrk 48 48"
golden syrk-warppool run $warppool -c configs/+warppool.yaml --set sm.coalescer.warppool.quantum=500 \
	--set sm.coalescer.warppool.miss_rate=0.1
some syrk-warppool sm.coalescer.warppool.merged 1000
some syrk-warppool sm.coalescer.warppool.toggles 1
program="-- $build/bench/rodinia/bfs 700"
golden bfs-torture run -c tests/configs/torture.yaml

# More CTAs than the 15 SMs hold at once (8 each), so that CTAs start when others end, and a small L2 that
# must write its dirty lines back; then dirty lines of local memory in a small L1.
program="-- $build/bench/sdk/vectoradd 60000"
golden vectoradd-small-l2 run -c configs/gtx480.yaml --set l2.sets=4
some vectoradd-small-l2 l2.write_backs 1000
some vectoradd-small-l2 gpu.ctas 150
program=
golden local-small-l1 launch tests/cli/ptx/local.ptx k --grid 150 --block 256 --arg 'u32[38400]=zero' \
	--arg u32=4 \
	-c configs/gtx480.yaml --set sm.l1d.ways=1
some local-small-l1 sm.l1d.write_backs 1000
some local-small-l1 gpu.ctas 150
finish
