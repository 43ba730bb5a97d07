#!/bin/sh
# tests/policy/workloads.sh BUILD -- workloads at --size tiny under each of the papers' mechanisms and under
# their full designs: verified results, and the kernels, CTAs and instructions that they have without timing,
# exactly, but for the programs named below, whose own races decide how many there are. Two at a time.
# Each design runs every sixth workload, the next one others, so that each workload has two or three designs; every
# seventh design runs those that race. MRPB runs atax, too, in which its bypass always acts. FULL=1 runs all under
# all. Under the sanitizers a few under some.
. tests/lib.sh

# What a program may count otherwise when time runs otherwise, and why. `warps`: the same lanes execute the
# same, in other company.
cat >"$out/races" <<END
lonestar/bfs all relaxes in place: what a launch sees of its own stores decides how many there are until nothing changes
lonestar/sssp all as bfs
lonestar/bh all threads try again for locks, and look again at cells that are not ready
lonestar/dmr all who of those whose cavities overlap retriangulates first
lonestar/mst warps who of two components that choose the same edge comes first, and adds its weight
parboil/bfs all who finds a node first, and so the order of a frontier
parboil/histo all a compare-and-swap that has lost is tried again
END

# batch NAME WHAT 'COUNTERS' options...: bench.csv to $out/NAME.csv
batch() {
	name=$1 what=$2 counters=$3
	shift 3
	if "$lockstep" bench run $what --size tiny -j 2 -o "$out/bench" -c dwtcs-gtx480 \
		--set observe.instances=never ${counters:+--stats "$counters"} "$@" >"$out/log" 2>&1; then ok
			else
		not_ok "$name: lockstep bench $*"
		grep -v verified "$out/log" | head -n 5
	fi
	mv "$out/bench/bench.csv" "$out/$name.csv" || return
	rm -rf "$out/bench"
	[ "$name" != none ] || return
	expect "under $name" compared
}

# compared: the runs of the last batch with those of `none`
compared() {
	awk -F , -v counters="$counters" -v differs="$out/differs" '
		FILENAME != last { last = FILENAME; file++; line = 0 }
		{ line++ }
		file == 1 { split($0, w, " "); may[w[1]] = w[2]; next }
		line == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		function value(name) { if (!(name in column)) { print "  no column " name;
			bad = 1 } return $column[name] }
		function same(name, k) {
			if (value(name) == base[program, name]) return
			if (k) { print program >>differs; return }
			print "  " program ": " name " " value(name) ", without timing " base[program, name]; bad = 1
		}
		{ program = $1 "/" $2; seen[program, file] = 1 }
		file == 2 { n = split("gpu.kernels gpu.ctas gpu.thread_instructions gpu.warp_instructions", c,
			" ");
			for (i = 1; i <= n; i++) base[program, c[i]] = value(c[i]); next }
		{
			if (!((program, 2) in seen)) { print "  " program " was not run without timing"; bad = 1 }
			number++
			same("gpu.kernels", may[program] == "all"); same("gpu.ctas", may[program] == "all");
				same("gpu.thread_instructions", may[program] == "all")
			same("gpu.warp_instructions", may[program] != "")
			n = split(counters, c, ",")
			for (i = 1; i <= n; i++) if (value(c[i]) + 0 > 0) acted[i]++
		}
		END {
			n = split(counters, c, ",")
			for (i = 1; i <= n; i++) { if (!acted[i]) { print "  " c[i] " is 0 everywhere";
				bad = 1 } }
			if (!number) { print "  no workloads"; bad = 1 }
			exit bad
		}' "$out/races" "$out/none.csv" "$out/$name.csv"
}

: >"$out/differs"
dwtcs="-c +dwtcs --set sm.limiter.dwtcs.period=500"
dwtcs="$dwtcs --set sm.limiter.dwtcs.detect=1 --set sm.limiter.dwtcs.sample=1"
stream="-c +stream --set sm.bypass.stream.period=500 --set l2.bypass.stream.period=500"
medic="-c +medic --set l2.warp_type.hit_ratio.warmup=4 --set l2.warp_type.hit_ratio.mostly_miss=0.5"
by_type=l2.bypassed,l2.insertion.wip.inserted::mostly_hit,dram.scheduler.wms.high_latency::samples
throttled=sm.limiter.dwtcs.detections streaming=sm.bypass.before,l2.bypassed \
	buffered=sm.request_buffer.entered,sm.stall_bypass.after
reused=l2.insertion.eaf.high_reuse tokens=l2.bypassed,l2.bypass.pcal.tokens_moved
by_pc=l2.bypassed,l2.bypass.pcbyp.entries_shared
small="--set l2.sets=16 --set l2.ways=4" # the inputs of --size tiny do not fill the L2

# some: the next sixth of all workloads, by turns with those that race; with FULL=1 all. Those of benchmarks/ai are
# for other chips than the papers'.
designs=0
some() {
	designs=$((designs + 1))
	if full; then some=$(awk -F , 'FNR > 1 { print $1 "/" $2 }' "$out/none.csv"); else
		some=$(awk -F , -v n=$designs -v slot=$SLOT 'FILENAME ~ /races$/ { split($0, w, " "); race[w[1]]; next }
			FNR > 1 { name = $1 "/" $2; if (name in race ? n % 7 == 1 : FNR % 6 == (n + slot) % 6) print name }' \
			"$out/races" "$out/none.csv")
	fi
}

# design NAME 'COUNTERS' options...: a batch of the next workloads, and of $also
also=
design() {
	name=$1 counters=$2
	shift 2
	some
	case " $(echo $some) " in *" $also "*) ;; *) some="$some $also" ;; esac
	batch "$name" "$some" "$counters" "$@"
}

if ! left_out; then
	batch none "$(cd "$build/bench" && ls -d */ | tr -d / | grep -vx ai)" "" --functional
	design swl "" -c +swl
	design ccws "" -c +ccws
	design pric "" -c +pric
	design dwtcs "$throttled" $dwtcs
	design stream "$streaming" $stream
	design dwt-pric "$throttled,$streaming" -c +pric $dwtcs $stream
	also=polybench/atax
	design mrpb "$buffered" -c +mrpb
	also=
	design warppool sm.coalescer.warppool.merged -c +warppool
	design warppool-swl sm.coalescer.warppool.merged -c +warppool -c +swl
	design banked sm.coalescer.banked.second_miss_cycles -c +banked
	design eaf-pcal "$reused,$tokens" $small -c +eaf -c +pcal --set l2.bypass.pcal.tokens=4
	design pcbyp "$by_pc" $small -c +pcbyp
	design rand l2.bypassed $small -c +rand
	design medic "$by_type" $medic
	# a program that is named without need would not be looked at
	for program in $(cut -d ' ' -f 1 "$out/races"); do
		expect "$program is named above, and some run differs" grep -qx "$program" "$out/differs"
	done
else
	few="rodinia/bfs rodinia/kmeans rodinia/srad rodinia/nw"
	batch none "$few" "" --functional
	batch mrpb "$few" "$buffered" -c +mrpb
	batch dwt-pric "$few" "$throttled,$streaming" -c +pric $dwtcs $stream
	batch warppool "$few" sm.coalescer.warppool.merged -c +warppool
	echo "note: under the sanitizers, four workloads were run under three designs"
fi
finish
