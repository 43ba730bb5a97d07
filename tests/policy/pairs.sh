#!/bin/sh
# tests/policy/pairs.sh BUILD -- mechanisms two by two: every pair of a limiter, a coalescer, a request
# buffer, the bypasses, set indices, kinds of L1, L2 policies, schedulers, replays and host threads runs small
# programs on two SMs, verifies them, executes the same instructions as alone, what goes in comes out, and each
# of the two acts; or is refused with its sentence. Then the papers' designs, and all mechanisms at once, on
# the papers' machines. The second program of a pair runs where the first does not show that both act; with
# FULL=1 always. Every fourth, under the sanitizers every 25th.
. tests/lib.sh
sample 10 4
always_parallel

# ---- the mechanisms: factor, level, options ----

# Periods are so short that they act in a program of some thousand cycles.
early="--set l2.warp_type.hit_ratio.warmup=4 --set l2.warp_type.hit_ratio.mostly_miss=0.5"

levels() {
	cat <<END
limiter swl -c +swl --set sm.limiter.swl.warps=1
limiter ccws -c +ccws --set sm.limiter.ccws.k=64
limiter dwtcs -c +dwtcs --set sm.limiter.dwtcs.period=200 --set sm.limiter.dwtcs.detect=1 \
	--set sm.limiter.dwtcs.sample=1 --set sm.limiter.dwtcs.mpki=1
coalescer warppool -c +warppool
coalescer banked -c +banked
buffer mrpb --set sm.request_buffer.policy=mrpb
bypass stream --set sm.bypass.policy=stream --set sm.bypass.stream.period=200 \
	--set sm.bypass.stream.miss_rate=40
stall_bypass stalls --set sm.stall_bypass.policy=stalls
index pric -c +pric
index fermi --set sm.l1d.index=fermi
index xor --set sm.l1d.index=xor
l1 off -c +l1-off
l1 sectors --set sm.l1d.streaming=true --set sm.l1d.sectors=4 --set sm.l1d.write_global=through
l1 on_fill --set sm.l1d.allocate=on_fill
l2_bypass stream --set l2.bypass.policy=stream --set l2.bypass.stream.period=200 \
	--set l2.bypass.stream.miss_rate=10
l2_bypass wbyp -c +wbyp $early
l2_bypass pcal -c +pcal --set l2.bypass.pcal.tokens=1 --set l2.bypass.pcal.idle_gap=500
l2_bypass pcbyp -c +pcbyp --set l2.bypass.pcbyp.warmup=10 --set l2.bypass.pcbyp.threshold=0.5
l2_bypass rand -c +rand
l2_insertion bip --set l2.insertion.policy=bip
l2_insertion eaf -c +eaf
l2_insertion wip -c +wip $early
l2_index pric --set l2.index=pric
dram wms -c +wms $early
scheduler lrr --set sm.scheduler.policy=lrr
scheduler two_level --set sm.scheduler.policy=two_level
scheduler oldest --set sm.scheduler.policy=oldest
replays on --set sm.lsu_replay=true
threads 2 --threads 2
END
}
levels >"$out/levels"
options_of() { awk -v f="$1" -v l="$2" '$1 == f && $2 == l { $1 = $2 = ""; print }' "$out/levels"; }

# Why two levels do not go together: a part of the sentence; nothing: they do.
refused() {
	stalls="sm.stall_bypass.policy = stalls:" reserved="no line is ever reserved in an L1 with"
	decides="it decides by what the L1 hits and misses" off="sm.l1d.enabled = false"
	case " $1  $2 " in
	*" buffer:mrpb "*" replays:on "*) \
		echo "sm.request_buffer.policy = mrpb: nothing passes its first request," \
			"which the L1 may refuse, but sm.lsu_replay = true" ;;
	*" coalescer:banked "*" buffer:mrpb "*) \
		echo "sm.coalescer.policy = banked: it offers several requests in a cycle," \
			"of which a request buffer takes one" ;;
	*" coalescer:"*" l1:off "*) \
		echo ": no load looks up the L1: $off" ;;
	*" coalescer:"*" replays:on "*) \
		echo ": it decides what becomes of requests that the L1 refuses, but sm.lsu_replay = true" ;;
	*" limiter:ccws "*" l1:off "*) \
		echo "sm.limiter.policy = ccws: $decides, but $off" ;;
	*" limiter:dwtcs "*" l1:off "*) \
		echo "sm.limiter.policy = dwtcs: $decides, but $off" ;;
	*" bypass:stream "*" l1:off "*) \
		echo "sm.bypass.policy = stream: there is no L1 to go past: $off" ;;
	*" stall_bypass:stalls "*" l1:off "*) \
		echo "$stalls there is no L1 that could refuse a read: $off" ;;
	*" stall_bypass:stalls "*" l1:sectors "*) \
		echo "$stalls $reserved sm.l1d.streaming = true" ;;
	*" stall_bypass:stalls "*" l1:on_fill "*) \
		echo "$stalls $reserved sm.l1d.allocate = on_fill" ;;
	*" index:pric "*" l1:off "*) \
		echo "sm.l1d.index = pric: there is no L1 whose sets it could choose: $off" ;;
	esac
}

# ---- one run ----

# run TO PROGRAM options...: statistics to $out/TO
machine="-c gtx480-papers --set l2.sets=16 --set l2.ways=2"
run() {
	to=$1 program=$2
	shift 2
	arguments=$(size_of "$program")
	passes "$to" $machine --set gpu.sms=2 --set observe.instances=never "$@" \
		-- "$build/bench/$program" ${arguments:-24 512} # gesummv
}

# What is wrong with a run: its instructions, sums that do not hold. $out/acted gets those of the levels that
# show that they acted.
wrong() {
	to=$1 program=$2; shift 2
	conserves "$to"
	awk -v levels="$*" -v want="$(cat "$out/want.${program#*/}")" -v acted="$out/acted" '
		/Begin Simulation Statistics/ { total = /total/ } total { v[$1] = $2 }
		function s(name) { if (!(name in v)) print "  no such statistic: " name; return v[name] + 0 }
		function wip(type) { return s("l2.insertion.wip.inserted::" type) }
		function shows(level) {
			if (level == "limiter:swl") return s("sm.limiter.warps") > s("sm.limiter.allowed")
			if (level == "limiter:ccws") return s("sm.limiter.allowed") > s("sm.limiter.loads")
			if (level == "limiter:dwtcs") return s("sm.limiter.dwtcs.detections") > 0 &&
				s("sm.limiter.warps") > s("sm.limiter.allowed")
			if (level == "coalescer:warppool") return s("sm.coalescer.warppool.merged") > 0
			if (level == "coalescer:banked") return s("sm.coalescer.banked.lookups") > \
				s("sm.coalescer.banked.lookup_cycles")
			if (level == "buffer:mrpb") return s("sm.request_buffer.entered") > 0
			if (level == "bypass:stream") return s("sm.bypass.before") > 0 &&
				s("sm.l1d.tag_only_misses") > 0
			if (level == "stall_bypass:stalls") return s("sm.stall_bypass.after") > 0
			if (level == "l1:off") return s("sm.l1d.uncached") > 0 &&
				s("sm.l1d.hits") + s("sm.l1d.misses") == 0
			if (level == "l1:sectors") return s("sm.l1d.sector_misses") > 0
			if (level ~ /^l2_bypass:/) return s("l2.bypassed") > 0
			if (level == "l2_insertion:eaf") return s("l2.insertion.eaf.high_reuse") > 0
			if (level == "l2_insertion:wip") return wip("total") > wip("balanced")
			if (level == "dram:wms") return s("dram.scheduler.wms.high_latency::samples") > 0
			return 1
		}
		END {
			got = s("gpu.kernels") " " s("gpu.ctas") " " s("gpu.thread_instructions") " " \
				s("gpu.warp_instructions")
			if (want == "") print got >"/dev/stderr"
			else if (got != want) print "  kernels, CTAs, instructions: " got ", alone " want
			n = split(levels, level, " ")
			for (i = 1; i <= n; i++) if (shows(level[i])) print level[i] >>acted
		}' "$out/$to/stats.txt"
}

# checked NAME TO PROGRAM levels...: whether the run that has just been is as it must be
checked() {
	name=$1
	shift
	wrong "$@" >"$out/wrong" 2>&1
	if [ ! -s "$out/wrong" ]; then ok; else
		not_ok "$name"
		cat "$out/wrong"
	fi
}

programs="polybench/gesummv polybench/atax" reversed="polybench/atax polybench/gesummv"
others="rodinia/bfs sdk/histogram polybench/gemm sdk/reduction"
for program in $programs $others; do
	want=$out/want.${program#*/}
	: >"$want"
	base=base.${program#*/}
	if run "$base" "$program" && wrong "$base" "$program" 2>"$want" >"$out/wrong" &&
		[ "$(wc -w <"$want")" = 4 ] && [ ! -s "$out/wrong" ]; then ok; else
		not_ok "$program alone"
		cat "$out/wrong"
		log_tail
	fi
done

# refused_with SENTENCE OPTION...: the combination is refused with this sentence
refused_with() {
	sentence=$1
	shift
	if run refused polybench/atax "$@"; then
		not_ok "accepted: $*"
	elif grep -qF "$sentence" "$out/log"; then
		ok
	else
		not_ok "$*: expected '$sentence', got"
		cat "$out/log"
	fi
}

# act LEVEL...: whether the programs that have run showed all of them
act() {
	for level in "$@"; do grep -qxF "$level" "$out/acted" || return; done
}

pair() { # FACTOR LEVEL FACTOR LEVEL
	first=$1:$2 second=$3:$4
	sentence=$(refused "$first" "$second")
	set -- $(options_of "$1" "$2") $(options_of "$3" "$4")
	if [ -n "$sentence" ]; then
		refused_with "$sentence" "$@"
		refusals=$((refusals + 1))
		return
	fi
	: >"$out/acted"
	if [ $((pairs % 2)) = 0 ]; then these=$programs; else these=$reversed; fi
	for program in $these; do
		! full && act "$first" "$second" && break
		if ! run pair "$program" "$@"; then
			not_ok "$program, $first and $second"
			log_tail
			continue
		fi
		checked "$program, $first and $second" pair "$program" "$first" "$second"
		case $second in threads:*) ;; *) continue ;; esac
		expect "$program, $first, one thread" run serial "$program" "$@" --threads 1
		expect "$program, $first: the same statistics with 2 threads" \
			same_statistics "$out/pair/stats.txt" "$out/serial/stats.txt"
	done
	for level in "$first" "$second"; do
		expect "$first and $second: $level does something in $programs" act "$level"
	done
	pairs=$((pairs + 1))
}

# ---- each alone: it changes the time of a program, or, as threads, nothing at all ----

alone() { # FACTOR LEVEL
	: >"$out/acted"
	differs=0
	for program in $programs; do
		if ! run alone "$program" $(options_of "$1" "$2"); then
			not_ok "$program, $1 $2"
			log_tail
			continue
		fi
		checked "$program, $1 $2" alone "$program" "$1:$2"
		same_statistics "$out/alone/stats.txt" "$out/base.${program#*/}/stats.txt" ||
			differs=$((differs + 1))
	done
	expect "$1 $2 does something in $programs" grep -qxF "$1:$2" "$out/acted"
	case $1 in
	threads) expect "threads: other statistics in $differs programs" [ $differs = 0 ] ;;
	*) expect "$1 $2: other statistics in $differs programs" [ $differs != 0 ] ;;
	esac
}
while read -r f1 l1 rest; do
	turn && alone "$f1" "$l1"
done <"$out/levels"

# ---- every pair ----

awk '{ factor[NR] = $1; level[NR] = $2 }
	END {
		for (i = 1; i < NR; i++)
			for (j = i + 1; j <= NR; j++)
				if (factor[i] != factor[j]) print factor[i], level[i], factor[j], level[j]
	}' "$out/levels" >"$out/pairs"
pairs=0 refusals=0
while read -r f1 l1 f2 l2; do
	if [ -n "$(refused "$f1:$l1" "$f2:$l2")" ] || turn; then # a refusal costs nothing
		pair "$f1" "$l1" "$f2" "$l2"
	fi
done <"$out/pairs"
expect "$pairs pairs run, $refusals are refused" [ "$pairs" -gt "$refusals" -a "$refusals" -gt 0 ]

# ---- the papers' designs on the papers' machines, comparators, and all mechanisms at once ----

short="--set sm.limiter.dwtcs.period=200 --set sm.limiter.dwtcs.detect=1 --set sm.limiter.dwtcs.sample=1"
short="$short --set sm.bypass.stream.period=200 --set l2.bypass.stream.period=200"
while read -r machine; do
	for program in $programs $others; do
		turn || continue
		if run design "$program" $short; then checked "$program, $machine" design "$program"; else
			not_ok "$program, $machine"
			log_tail
		fi
	done
done <<END
-c dwtcs-gtx480 -c +pric -c +dwtcs -c +stream
-c +stream -c +dwtcs -c +pric
-c mrpb-base-s -c +mrpb
-c mrpb-base-l -c +mrpb -c +ccws
-c dwtcs-gtx480 -c +mrpb-32 -c +swl
-c medic-base -c +medic $early
-c medic-base -c +medic $early -c +pric -c +dwtcs
-c mrpb-base-s -c +mrpb -c +eaf -c +pcal
-c gtx480 -c +mrpb -c +pric -c +dwtcs -c +stream
-c mrpb-base-s -c +pric -c +stream -c +mrpb -c +ccws
-c volta-l1 -c +dwtcs -c +stream -c +mrpb --set sm.stall_bypass.stalls.on=all
-c dwtcs-gtx480 -c +l1-64way -c +dwtcs -c +stream
-c mrpb-base-s -c +l1-full -c +mrpb
-c mrpb-base-l -c +l1-48k-full -c +stream
-c mrpb-base-s -c +l1-20k -c +ccws
-c gtx480 -c +l1-16way -c +swl
-c gtx480 -c +l1-32way -c +mrpb
-c mrpb-base-s -c +l1-off -c +swl --set sm.request_buffer.policy=mrpb
-c medic-base -c +pcal -c +eaf
-c medic-base -c +pcbyp -c +mrpb --set l2.bypass.pcbyp.with_warp=true
-c medic-base -c +rand -c +eaf -c +ccws
-c warppool-gtx480 -c +warppool
-c warppool-gtx480 -c +warppool -c +swl --set sm.request_buffer.policy=mrpb
-c warppool-gtx480 -c +warppool -c +ccws --set sm.stall_bypass.policy=stalls
-c medic-base -c +medic -c +warppool $early
-c warppool-gtx480 -c +banked
-c warppool-gtx480 -c +banked -c +swl -c +stream
-c medic-base -c +medic -c +banked -c +pric -c +dwtcs $early
END
machine="-c gtx480-papers --set l2.sets=16 --set l2.ways=2"

# ---- what is refused: a part of the sentence | options ----

while IFS='|' read -r sentence options; do
	turn || continue
	refused_with "$sentence" $options
done <<END
sm.limiter.policy = ccws, but |-c +swl -c +ccws
has sm.limiter.policy = swl: overlays must not contradict each other|-c +swl -c +ccws
:13: error: sm.limiter.policy = ccws|-c +swl -c +ccws
sm.limiter.policy = dwtcs, but |-c +ccws -c +stream -c +dwtcs
sm.l1d.index = linear, but |-c +pric -c +l1-16way
sm.l1d.ways = 32, but |-c +l1-16way -c +l1-32way
there is no file and no configuration +prick; did you mean +pric?|-c +prick
this policy decides before the look-up and would never be asked|--set sm.stall_bypass.policy=stream
sm.bypass.policy is the same, with the same parameters, and has said no when this one is asked|\
	--set sm.bypass.policy=stalls --set sm.stall_bypass.policy=stalls
sm.bypass.policy = stalls: no line is ever reserved in an L1 with sm.l1d.allocate = on_fill|\
	--set sm.bypass.policy=stalls --set sm.l1d.allocate=on_fill
sm.bypass.policy = stalls: there is no L1 to go past|--set sm.bypass.policy=stalls -c +l1-off
nothing passes its first request|-c +mrpb --set sm.lsu_replay=true
sm.coalescer.banked.banks does not divide sm.l1d.sets|-c +banked --set sm.coalescer.banked.banks=32 \
	--set sm.l1d.index=linear --set sm.l1d.sets=48
sm.coalescer.banked.banks is no power of two|-c +banked --set sm.coalescer.banked.banks=3
sm.coalescer.policy = banked, but |-c +warppool -c +banked
END

# from any folder by its name; without a machine on gtx480
command=$(realpath "$lockstep")
(cd "$out" && "$command" config show -c +pric) >"$out/log" 2>&1
expect "-c +pric from another folder has its machine" grep -q 'mshrs: 64 .*gtx480.yaml' "$out/log"
expect "-c +pric from another folder" grep -q 'index: pric .*+pric.yaml' "$out/log"

# a file that is no overlay, or --set, decides
for decided in "-c +swl -c +ccws --set sm.limiter.policy=none" \
	"-c +ccws -c +swl -c gtx480-papers --set sm.limiter.policy=dwtcs"; do
	turn || continue
	expect "$decided" run decided polybench/atax $decided
done
finish
