#!/bin/sh
# tests/sweep/run.sh BUILD -- whole sweeps: killed at random moments and resumed, two at once, interrupted,
# without room, with mistakes in the file: nothing is lost, and the database's facts are those of an
# undisturbed sweep. SEED=N chooses the moments; FULL=1 takes more jobs. Under sanitizers without the long
# ones, whose code is the same.
. tests/lib.sh
lockstep=$PWD/$build/bin/lockstep
root=$PWD here=$PWD/tests/sweep
is() { if [ "$2" = "$3" ]; then ok; else not_ok "$1: expected '$3', found '$2'"; fi; }
says() {
	if grep -q -e "$3" "$2"; then ok; else
		not_ok "$1: no '$3' in:"
		head -n 5 "$2"
	fi
}

# processes that have a word in their command line, but for this shell's
processes() {
	grep -l -a -e "$1" /proc/[0-9]*/cmdline 2>/dev/null | sed 's|/proc/\([0-9]*\)/.*|\1|' | grep -v -x -e $$
}
clean_up() { for p in $(processes "${out%?}[${out#"${out%?}"}]"); do kill -9 "$p" 2>/dev/null; done; }

compile overlap "$here/overlap.c"
few "$out" sdk/vectoradd sdk/reduction polybench/gemm polybench/atax # the README's commands and our sweeps see all
lockstep=$out/few/bin/lockstep

facts() { "$lockstep" sweep --facts "$1"; }
cp "$here"/*.yaml "$out/"
jobs=216
if ! full; then
	jobs=72
	sed 's/^seeds: .*/seeds: [1, 2, 3, 4]/' "$here/many.yaml" >"$out/many.yaml"
fi
sed -i "s|BENCH|$PWD/$build/bench|" "$out/fails.yaml"
cd "$out" || exit 1

# what docs/user/sweeps.md says of sweeps, word for word
readme() {
	mkdir readme
	cd readme || exit 1
	ln -s "$root/$build" build
	awk '/^```/ {
			code = !code
			if (!code && text ~ /lockstep sweep sweep.yaml/) printf "%s", text
			text = ""
			next
		}
		code { text = text $0 "\n" }' "$root/docs/user/sweeps.md" >commands
	sh -e commands >log 2>&1
	is "docs/user/sweeps.md: status" $? 0
	says "docs/user/sweeps.md: sweep" log "sweep: [1-9][0-9]* done, [1-9][0-9]* run now, 0 failed"
	says "docs/user/sweeps.md: report" sweep-report/index.html "speedup"
	cd ..
}

undisturbed() {
	"$lockstep" sweep -q many.yaml -o whole.db >log 2>&1
	is "undisturbed: status" $? 0
	is "undisturbed: last line" "$(tail -n 1 log)" "sweep: $jobs done, $jobs run now, 0 failed"
	facts whole.db >whole
	is "undisturbed: facts of every point" "$(cut -d, -f2 whole | sort -u | wc -l)" $((jobs + 1)) # and the head
	is "undisturbed: lines of CSV" "$(wc -l <whole.csv)" $((jobs + 1))
	if [ ! -e whole.work ]; then ok; else not_ok "undisturbed: folders of jobs are left"; fi
	"$lockstep" sweep -q many.yaml -o whole.db >log 2>&1
	is "once more: last line" "$(tail -n 1 log)" "sweep: $jobs done, 0 run now, 0 failed"
	sed 's/^# .*/# other words/; s/many/renamed/' many.yaml >renamed.yaml
	"$lockstep" sweep -q renamed.yaml -o whole.db >log 2>&1
	is "the same jobs by another name" "$(tail -n 1 log)" "sweep: $jobs done, 0 run now, 0 failed"
}

# a number from 0 to $1 - 1
random() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	echo $((seed / 65536 % $1))
}

# until_killed_has N: until so many more jobs of the sweep `killed` are done and one is under way, or it has
# ended
jobs_done() { sqlite3 killed.db "SELECT count(*) FROM jobs WHERE state = 'done'" 2>/dev/null || echo 0; }
until_killed_has() {
	goal=$(($(jobs_done) + $1))
	while kill -0 $sweep 2>/dev/null; do
		[ "$(jobs_done)" -lt $goal ] || [ -z "$(processes "[/]killed[.]work/")" ] || break
		sleep 0.02
	done
}

# Kills the sweep, and some of its jobs, until it ends by itself: after a few more jobs each time, so that a
# busy machine has no part in it.
killed() {
	seed=${SEED:-1} kills=0 ended=0
	while :; do
		"$lockstep" sweep -q many.yaml -o killed.db >log 2>&1 &
		sweep=$!
		for i in 1 2 3 4; do
			until_killed_has "$(random 3)"
			set -- $(processes "[/]killed[.]work/")
			[ $# -gt 0 ] || continue
			shift "$(random $#)"
			kill -9 "$1" 2>/dev/null && ended=$((ended + 1))
		done
		if [ $kills -ge 8 ] || ! kill -9 $sweep 2>/dev/null; then
			wait $sweep
			status=$?
			[ $status -ge 128 ] || break
		fi
		wait $sweep 2>/dev/null
		kills=$((kills + 1))
	done
	is "killed: status" $status 0
	facts killed.db >facts
	expect "killed $kills times, jobs $ended times: the same facts" diff whole facts
	expect "killed $kills times, jobs $ended times: often enough" [ $kills -gt 1 -a $ended -gt 2 ]
	echo "sweep killed $kills times, jobs $ended times: the same facts"
}

# Two sweeps on one database share the work.
two() {
	"$lockstep" sweep -q few.yaml -o alone.db >log 2>&1
	"$lockstep" sweep -q few.yaml -o two.db >log1 2>&1 &
	"$lockstep" sweep -q few.yaml -o two.db >log2 2>&1
	is "two: status of one" $? 0
	wait $!
	is "two: status of the other" $? 0
	facts alone.db >a
	facts two.db >b
	if cmp -s a b; then ok; else not_ok "two sweeps at once: other facts"; fi
	says "two: all done" log1 "sweep: 24 done"
	says "two: all done" log2 "sweep: 24 done"
}

# --keep: the folders of jobs that are done stay, also when the sweep goes on; without it they go, also old
# ones
keep() {
	"$lockstep" sweep -q --keep one.yaml -o kept.db >log 2>&1
	is "keep: status" $? 0
	is "keep: folders" "$(ls kept.work | wc -l)" 1
	job=kept.work/$(ls kept.work)
	"$lockstep" sweep -q --keep one.yaml -o kept.db >log 2>&1
	is "keep, once more: last line" "$(tail -n 1 log)" "sweep: 1 done, 0 run now, 0 failed"
	expect "keep, once more: the job's statistics are still there" [ -s "$job/out/stats.txt" ]
	"$lockstep" sweep -q one.yaml -o kept.db >log 2>&1
	expect "without --keep nothing is left" [ ! -e kept.work ]
}

interrupted() {
	"$lockstep" sweep many.yaml -o c.db >log 2>&1 &
	sweep=$!
	while [ ! -d c.work ] && kill -0 $sweep; do sleep 0.05; done
	sleep 0.3
	kill -INT $sweep
	wait $sweep
	is "interrupted: status" $? 130
	says "interrupted: what is left" log "are still to be done; the same command goes on"
	is "interrupted: processes left" "$(processes "[/]c[.]work/" | wc -l)" 0
}

failures() {
	"$lockstep" sweep -q fails.yaml -o f.db >log 2>&1
	is "failures: status" $? 1
	says "failures: exit status" log "odd .*exit status 3: error: no luck today"
	is "failures: last line" "$(tail -n 1 log)" "sweep: 1 done, 2 run now, 1 failed"
	"$lockstep" sweep -q fails.yaml -o f.db >log 2>&1
	is "failures are not run again" "$(tail -n 1 log)" "sweep: 1 done, 0 run now, 1 failed"
	touch luck
	"$lockstep" sweep -q fails.yaml -o f.db --retry >log 2>&1
	is "failures, --retry" "$(tail -n 1 log)" "sweep: 2 done, 1 run now, 0 failed"
	"$lockstep" sweep -l fails.yaml -o f.db >log 2>&1
	says "failures: list" log "1  done .*workload=odd"
	"$lockstep" sweep -q slow.yaml -o slow.db >log 2>&1 # alone: no other job has its limit
	says "failures: timeout" log "slow: stopped after its limit of 1 s; it is run again"
	says "failures: timeout, at last" log "slow .*stopped after its limit of 1 s (attempt 2 of 2)"
	is "failures: timeout, last line" "$(tail -n 1 log)" "sweep: 0 done, 1 run now, 1 failed"
	"$lockstep" sweep -q memory.yaml -o m.db >log 2>&1 # without a limit of time: any host gets there
	says "failures: memory" log "big .*more than its limit of 200 MiB"
}

no_room() {
	mkdir small
	cp "$here/many.yaml" full.yaml
	if ! mount -t tmpfs -o size=2m tmpfs small 2>/dev/null; then
		echo "skipped: a full disk: no small file system can be made here"
		return
	fi
	"$lockstep" sweep -q full.yaml -o small/s.db --work w >log 2>&1
	is "no room: status" $? 1
	says "no room: message" log "MiB left, and the results need about\|the disk is full"
	rm -f small/s.*
	head -c 1900000 /dev/zero >small/filler
	"$lockstep" sweep -q few.yaml -o small/f.db --work w >log 2>&1
	is "little room: status" $? 1
	says "little room: message" log "MiB left, and the results need about\|the disk is full"
	rm small/filler
	"$lockstep" sweep -q few.yaml -o small/f.db --work w >log 2>&1
	is "room again: status" $? 0
	facts small/f.db >b
	if cmp -s a b; then ok; else not_ok "room again: other facts than alone"; fi
	umount small
}

# refused FILE-TEXT WHAT: each line of stdin is a pattern that the messages must have
refused() {
	printf '%s' "$1" >bad.yaml
	cat >patterns
	"$lockstep" sweep -q bad.yaml -o bad.db >log 2>&1
	is "refused ($1)" $? 1
	while read -r pattern; do says "refused" log "$pattern"; done <patterns
	if [ ! -e bad.db ] && [ ! -e bad.work ]; then ok; else
		not_ok "something was made of a bad file"
		rm -rf bad.db bad.work
	fi
}

mistakes() {
	refused 'workloads: [gem, sdk]
' <<'P'
bad.yaml:1:13: error: gem: no benchmark, suite or tag of that name; did you mean gemm?
P
	refused 'workload: gemm
' <<'P'
bad.yaml:1:1: error: unknown key workload; did you mean workloads?
no workloads: expected a key workloads
P
	refused 'workloads: gemm
base: gtx481
overlays: none.yaml
' <<'P'
bad.yaml:2:7: error: no configuration gtx481: .*; did you mean gtx480?
bad.yaml:3:11: error: no configuration none.yaml
P
	refused 'workloads: gemm
base: [gtx480, +swl]
' <<'P'
bad.yaml:2:16: error: base = +swl: an overlay is no machine; name it under overlays
P
	refused 'workloads: gemm
overlays: [+swl]
factors: {throttle: {own: {}, ccws: {config: +ccws}}}
' <<'P'
+ccws.yaml:[0-9]*:13: error: sm.limiter.policy = ccws, but .*+swl.yaml:[0-9]*:13 has sm.limiter.policy = swl: overlays must not contradict each other
P
	refused 'workloads: gemm
factors: {buffer: {none: {}, mrpb: {config: +mrpb}}, l1: {own: {}, off: {config: +l1-off}}}
' <<'P'
+mrpb.yaml:[0-9]*:13: error: sm.stall_bypass.policy = stalls: there is no L1 that could refuse a read: sm.l1d.enabled = false
P
	refused 'workloads: gemm
factors: {s: {a: {sm.schedular.policy: lrr}, b: {sm.scheduler.policy: rr}}, l: {x: {sm.l1d.ways: 0}}}
' <<'P'
bad.yaml:2:19: error: unknown key sm.schedular
bad.yaml:2:50: error: sm.scheduler.policy = rr: expected one of
bad.yaml:2:85: error: sm.l1d.ways = 0: expected 1 to
P
	refused 'workloads: gemm
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{s: a}, {t: b}, {s: c}]
' <<'P'
bad.yaml:3:20: error: there is no factor t
bad.yaml:3:31: error: factor s has no level c
P
	refused 'workloads: gemm
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{s: a}, {s: b}]
' <<'P'
the exclusions leave no point to run
P
	refused 'workloads: gemm
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{s: a}]
' <<'P'
bad.yaml:2:15: error: level a of factor s is excluded everywhere
P
	refused 'workloads: [gemm, {name: atax, arguments: [64]}]
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{workload: gemm, size: 64}, {s: c}, {workload: bicg}]
' <<'P'
bad.yaml:3:43: error: factor s has no level c
P
	refused 'workloads: [gemm, {name: atax, arguments: [64]}]
exclude: [{workload: gemm, size: 64}]
' <<'P'
bad.yaml:2:11: error: this excludes nothing
P
	refused 'workloads: [gemm, atax]
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{s: a, workload: gemm}]
baseline: {s: a}
derived: {up: base(gpu.cycles) / gpu.cycles, x: gpu.cycls, y: gpu.ipc +}
' <<'P'
bad.yaml:5:49: error: x: no statistic gpu.cycls; did you mean gpu.cycles?
bad.yaml:5:63: error: y: .*syntax error
P
	refused 'workloads: [gemm, atax]
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
exclude: [{s: a, workload: gemm}]
baseline: {s: a}
derived: {up: base(gpu.cycles) / gpu.cycles}
' <<'P'
bad.yaml:4:11: error: there is no such point for polybench/gemm: it is excluded
P
	for wrong in "figure: bras, value: gpu.ipc|there is no kind of figure 'bras'" \
		"figure: bars, value: ipcc|the sweep has no statistic or derived value 'ipcc'; did you mean ipc?" \
		"figure: bars, value: gpu.ipcs|no statistic or derived value 'gpu.ipcs'; did you mean gpu.ipc?" \
		"figure: bars, value: ipc, workloads: gem|no workload or suite 'gem'; did you mean gemm?" \
		"figure: bars, value: ipc, only: {s: c}|factor s has no level 'c'" \
		"figure: bars, value: ipc, tilte: x|unknown key tilte; did you mean title?" \
		"figure: bars|a figure of kind bars shows 1 value, not 0" \
		"figure: printed, rows: [{what: x, value: ipx, only: {s: a}, printed: 1, quantity: value}]|no .* value 'ipx'" \
		"figure: printed, rows: [{what: x, value: ipc, only: {s: a}, printed: more}]|expected a number, or higher"; do
		refused "workloads: [gemm, atax]
factors: {s: {a: {}, b: {sm.scheduler.policy: lrr}}}
derived: {ipc: gpu.ipc}
report:
  - {figure: bars, value: ipc, workloads: gemm, only: {s: a}}
  - {figure: stacked, values: 'sm.issue_slots::*'}
  - {${wrong%|*}}
" <<P
bad.yaml:7:[0-9]*: error: .*${wrong#*|}
P
	done
	refused 'workloads: [gemm
' <<'P'
bad.yaml:2:1: error: not valid YAML
P
}

other_databases() {
	"$lockstep" sweep -q one.yaml -o one.db >log 2>&1
	is "one: status" $? 0
	printf '\000\000\000\143' | dd of=one.db bs=1 seek=60 conv=notrunc 2>/dev/null # user_version = 99
	"$lockstep" sweep -q one.yaml -o one.db >log 2>&1
	is "another version: status" $? 1
	says "another version" log "one.db has schema version 99, and this lockstep reads and writes version 1"
	echo "no database" >text.db
	"$lockstep" sweep -q one.yaml -o text.db >log 2>&1
	is "no database: status" $? 1
	says "no database" log "text.db .*file is not a database"
	is "no database: left as it is" "$(cat text.db)" "no database"
}

best() {
	"$lockstep" sweep best.yaml -o best.db --list >log 2>&1
	says "best: not yet" log "^4  open .*machine=quickest$"
	"$lockstep" sweep -q best.yaml -o best.db >log 2>&1
	is "best: last line" "$(tail -n 1 log)" "sweep: 3 done, 3 run now, 0 failed"
	"$lockstep" sweep best.yaml -o best.db --list >log 2>&1
	says "best: quickest" log "^4  done .*machine=quickest: latency-1$"
	says "best: slowest" log "^5  done .*machine=slowest: latency-400$"
	"$lockstep" report best.db --print >log 2>&1
	is "best: report" $? 0
	says "best: report" log "^latency of the quickest  *1  *1  *1  within 25 %  *one  *by hand$"
	says "best: report" log "^latency of the slowest  *400  *400  *1  within 25 %  *one"
	says "best: report" log "^the quickest over the slowest  *0[.][0-9]*  *lower  *-  in direction  one"
	says "best: counts" log "^printed: 2 numbers, 2 in direction, 2 within 25 % of the gain, 0 not checked$"
	is "best: CSV" "$(grep -c 'quickest\|slowest' best.csv)" 2
}

# kernels that a limit leaves without timing: an error, unless the file or the workload permits it
cut_runs() {
	"$lockstep" sweep -q cut.yaml -o cut.db >log 2>&1
	is "cut: status" $? 1
	says "cut: message" log "polybench/atax: kernel atax2 was never timed: .*allow_untimed_kernels: true"
	is "cut: last line" "$(tail -n 1 log)" "sweep: 2 done, 4 run now, 2 failed"
	sed 's/130, 70]/&, allow_untimed_kernels: true/' cut.yaml >permitted.yaml
	"$lockstep" sweep -q permitted.yaml -o cut.db --retry >log 2>&1
	is "cut: permitted for the workload" "$(tail -n 1 log)" "sweep: 4 done, 2 run now, 0 failed"
	"$lockstep" sweep -q cut.yaml -o cut.db >log 2>&1
	is "cut: done already, status" $? 1
	says "cut: done already" log "atax: kernel atax2 was never timed in a job that is done already"
	sed 's/^set:/allow_untimed_kernels: true\n&/' cut.yaml >permitted.yaml
	"$lockstep" sweep -q permitted.yaml -o all.db >log 2>&1
	is "cut: permitted for all" "$(tail -n 1 log)" "sweep: 4 done, 4 run now, 0 failed"
	is "cut: no column a kernel" "$(head -n 1 all.csv | grep -c 'kernels[.]')" 0
	is "cut: shares" "$(sqlite3 all.db "SELECT t.name, round(r.value, 1) FROM points p
		JOIN results r ON r.job = p.job JOIN statistics t ON t.id = r.statistic
		WHERE p.number = 1 AND t.name LIKE 'kernels.timed_share::%' ORDER BY t.name" | tr '\n' ' ')" \
		"kernels.timed_share::atax1|0.3 kernels.timed_share::atax2|0.0 "
	sed 's/^set: .*//' cut.yaml >whole.yaml
	"$lockstep" sweep -q whole.yaml -o w.db >log 2>&1
	is "cut: without a limit" "$(tail -n 1 log)" "sweep: 4 done, 4 run now, 0 failed"
	refused 'workloads: {name: gemm, allow_untimed_kernels: yes}
' <<'P'
bad.yaml:1:48: error: allow_untimed_kernels: expected true or false
P
}

# a value of each kernel, and the harmonic mean of the two: by hand from the statistics by kernel
kernels() {
	sed '/^set:/d' cut.yaml >kernels.yaml
	cat >>kernels.yaml <<-'Y'
		baseline: {ways: 1}
		derived:
		  ipc: {value: kernel.thread_instructions / kernel.cycles, kernels: harmonic}
		  gain: {value: base(kernel.cycles) / kernel.cycles, unit: times, kernels: harmonic, mean: harmonic}
		  whole: {value: gpu.thread_instructions / gpu.cycles}
	Y
	"$lockstep" sweep -q kernels.yaml -o kernels.db >log 2>&1
	is "kernels: status" $? 0
	sqlite3 kernels.db "CREATE TEMP VIEW v AS SELECT p.number, t.name, r.value FROM points p
			JOIN results r ON r.job = p.job JOIN statistics t ON t.id = r.statistic;
		CREATE TEMP VIEW k AS SELECT c.number, c.name, 1.0 * c.value AS cycles, 1.0 * i.value AS done
			FROM v c JOIN v i ON i.number = c.number AND i.name =
			replace(c.name, 'kernels.cycles', 'kernels.thread_instructions')
			WHERE c.name LIKE 'kernels.cycles::%';
		SELECT count(*), max(abs(d.value / h.value - 1)) < 1e-9 FROM derived_results d JOIN
			(SELECT number, count(*) / sum(cycles / done) AS value FROM k GROUP BY number) h
			USING (number) WHERE d.name = 'ipc';
		SELECT count(*), max(abs(d.value / h.value - 1)) < 1e-9, sum(d.value = 1) FROM derived_results d JOIN
			(SELECT k.number, count(*) / sum(k.cycles / b.cycles) AS value FROM k JOIN k b ON
			b.name = k.name AND b.number = (k.number + 1) / 2 * 2 - 1 GROUP BY k.number) h
			USING (number) WHERE d.name = 'gain';
		SELECT sum(abs(d.value - e.value) > 1e-3) FROM derived_results d JOIN derived_results e
			USING (number) WHERE d.name = 'ipc' AND e.name = 'whole'" >found
	is "kernels: means" "$(tr '\n' ' ' <found)" "4|1 4|1|2 2 "
	refused 'workloads: gemm
derived: {x: {value: kernel.cycles}, y: {value: kernel.cycle, kernels: harmonic}}
' <<'P'
error: x: kernel.cycles is of each kernel: kernels: harmonic
error: y: no statistic kernel.cycle
P
	refused 'workloads: gemm
derived: {x: {value: kernel.cycles, kernels: harmonious}}
' <<'P'
error: kernels: expected each, geometric, harmonic, arithmetic or none
P
}

# the statistics of each kernel: all its launches added up, nothing where kernels overlap
sums() {
	for threads in 1 2; do
		for kernels in false true; do
			"$lockstep" run -q --threads $threads -o $kernels-$threads --set gpu.sms=2 \
				--set observe.kernels=$kernels --stats-launches all -- ./overlap >log 2>&1
			is "sums: status" $? 0
			sed '/^# command/d; /^# config/d; /Begin .*# launches of/,/^---------- End/d' \
				$kernels-$threads/stats.txt >$kernels-$threads.stats
			sed -n '/Begin .*# launches of/,/^---------- End/p' $kernels-$threads/stats.txt >sums-$kernels-$threads
		done
	done
	is "sums: only the kernels' own, if the machine's are not wanted" \
		"$(sed '/^kernel/d; /^--/d' sums-false-1)" ""
	is "sums: sections either way" "$(grep -c 'Begin .*# launches of' sums-false-1)" 3
	if cmp -s false-1.stats true-1.stats; then ok; else not_ok "sums: other statistics differ"; fi
	for threads in 1 2; do mv sums-true-$threads sums-$threads; done
	if cmp -s sums-1 sums-2; then ok; else not_ok "sums: they depend on host threads"; fi
	# counters of the kernel's three launches in stats.txt; formulas are those of the sums
	awk '/Begin/ { mine = / kernel [0-9]+ again /; sums = /launches of again/; n += mine }
		/^[a-z]/ && mine { v[$1] += $2; all[$1]++ }
		/^[a-z]/ && sums && !/^kernel\./ && $2 ~ /^[0-9]+$/ && $1 !~ /::mean$/ {
			if (v[$1] != $2) { print $1, $2, v[$1]; bad = 1 }
			lines++
		}
		sums && $1 == "gpu.ipc" { ipc = $2 }
		sums && $1 == "sm.load_latency::mean" { mean = $2 }
		END {
			ipc -= v["gpu.thread_instructions"] / v["gpu.cycles"]
			if (ipc > 1e-6 || ipc < -1e-6) { print "ipc"; bad = 1 }
			exit bad || n != 3 || lines < 200 || !mean
		}' true-1/stats.txt >log
	is "sums: of three launches" $? 0
	is "sums: kernels in their order" "$(sed -n 's/^-.*# launches of //p' sums-1 | tr '\n' ' ')" \
		"again left right "
	is "sums: launches" "$(awk '/^kernel.launches/ { print $2 }' sums-1 | tr '\n' ' ')" "3 1 1 "
	is "sums: overlapping" "$(awk '/^kernel.overlapping/ { print $2 }' sums-1 | tr '\n' ' ')" "0 1 1 "
	is "sums: of the machine" "$(grep -c '^gpu.cycles ' sums-1)" 1
	is "sums: no maxima" "$(grep -c '::max ' sums-1)" 0
	"$lockstep" run -q -o constant -c warppool-gtx480 -c +warppool --set gpu.sms=2 \
		-- ./overlap >log 2>&1
	is "sums: constants" "$(awk '/Begin/ { sums = /launches of again/ }
		sums && $1 == "sm.coalescer.warppool.storage_bits::total" { print $2 }' constant/stats.txt)" "$(awk '/total of/ { total = 1 }
		total && $1 == "sm.coalescer.warppool.storage_bits::total" && $2 > 0 { print $2 }' constant/stats.txt)"
	is "sums: who overlaps" "$(grep -c '^# Other kernels were under way' sums-1)" 2
}

# values of each kernel
each() {
	"$lockstep" sweep -q each.yaml -o each.db >log 2>&1
	is "each: status" $? 0
	is "each: kernels" "$(sqlite3 each.db "SELECT group_concat(workload || ' ' || name)
		FROM (SELECT workload, name FROM point_kernels JOIN points USING (number) WHERE number % 2 ORDER BY number, kernel)")" \
		"overlap again,overlap left,overlap right,polybench/atax atax2,polybench/gemm gemm"
	# cycles are known of kernels that overlap, statistics of the machine are not
	is "each: values" "$(sqlite3 each.db "SELECT name || ' ' || count(*) FROM derived_kernel_results
		GROUP BY name" | tr '\n' ' ')" "change 6 misses 6 mpki 6 speedup 10 "
	is "each: speed-up" "$(sqlite3 each.db "SELECT sum(abs(d.value - 1.0 * b.value / r.value) < 1e-12)
		FROM derived_kernel_results d JOIN points p USING (number)
		JOIN job_kernels k ON k.job = p.job AND k.position = d.kernel
		JOIN statistics t ON t.name = 'kernels.cycles::' || k.name
		JOIN results r ON r.job = p.job AND r.statistic = t.id
		JOIN points q ON q.number = p.number - 1 + p.number % 2
		JOIN results b ON b.job = q.job AND b.statistic = t.id WHERE d.name = 'speedup'")" 10
	is "each: misses" "$(sqlite3 each.db "SELECT sum(d.value = r.value)
		FROM derived_kernel_results d JOIN points p USING (number) JOIN job_kernels k ON k.job = p.job AND k.position = d.kernel JOIN statistics t
		ON t.name = 'kernels.l1_misses::' || k.name JOIN results r ON r.job = p.job AND r.statistic = t.id
		WHERE d.name = 'misses'")" 6
	is "each: lines of CSV" "$(wc -l <each.csv) $(wc -l <each.kernels.csv)" "7 11"
	is "each: CSV" "$(head -n 1 each.kernels.csv | cut -d, -f 6-13)" \
		"machine,kernel,name,state,message,speedup,misses,mpki"
	is "each: CSV: rows" "$(sed -n '2,4p' each.kernels.csv | cut -d, -f 1,2,6-8,11 | tr '\n' ' ')" \
		"1,overlap,none,1,again,1 1,overlap,none,2,left,1 1,overlap,none,3,right,1 "
	is "each: CSV: of whole runs" "$(head -n 1 each.csv | cut -d, -f 6-9)" "machine,state,message,whole"
	"$lockstep" report each.db -o each --no-png >log 2>&1
	is "each: report" $? 0
	is "each: rows" "$(sed '1d; s/,.*//' each/tables/01-bars-speedup.csv | tr '\n' ' ')" \
		"overlap_1 overlap_2 overlap_3 polybench/atax_2 polybench/gemm geometric mean "
	says "each: what rows are" each/index.html "means by suite and over all kernels"
	is "each: chosen rows" "$(sed '1d; s/,.*//' each/tables/02-heat-speedup.csv | tr '\n' ' ')" \
		"polybench/atax_2 polybench/gemm geometric mean "
	"$lockstep" report each.db --print >log 2>&1
	is "each: print" $? 0
	says "each: one" log '^one .* in direction  *one'
	says "each: a program" log '^a program .*geometric mean of 3'
	says "each: all" log '^all .*geometric mean of 5'
	says "each: the run" log '^the run .*one'
	says "each: missing" log '^missing .*1 of 1 missing'
	says "each: pair" log '^pair  *[0-9]'

	# a program of which nothing is known is a row, and missing
	sed 's/^name: .*/name: lost/; s/^set: {/&gpu.hang_cycles: 1, /' each.yaml >lost.yaml
	"$lockstep" sweep -q lost.yaml -o lost.db >log 2>&1
	"$lockstep" report lost.db --print >log 2>&1
	says "each: nothing has run" log '^one .*1 of 1 missing'

	each_mistakes
}

each_mistakes() {
	head='set: {observe.kernels: true}
workloads: '
	refused "$head"'[{name: polybench/atax, kernels: [1, 3]}]
' <<'P'
bad.yaml:2:49: error: kernels: polybench/atax has no kernel 3; its PTX has atax1, atax2
P
	refused "$head"'[{name: polybench/atax, kernels: atax12}]
' <<'P'
error: kernels: polybench/atax has no kernel atax12; did you mean atax1?
P
	refused "$head"'[{name: gemm, kernels: 0}, {name: atax, kernels: -1}, {name: bicg, kernels: []}]
' <<'P'
bad.yaml:2:35: error: kernels: expected numbers from 1 (in the order of first launch) or names, not 0
expected numbers from 1 (in the order of first launch) or names, not -1
P
	refused "$head"'[polybench/atax, {name: atax, kernels: [1]}]
' <<'P'
error: polybench/atax small is there already, with other kernels
P
	refused 'workloads: gemm
derived: {x: {value: sm.l1d.misses, kernels: each}}
' <<'P'
bad.yaml:2:22: error: x: sm.l1d.misses of each kernel is counted only with set: {observe.kernels: true}
P
	refused "$head"'gemm
derived: {x: {value: sm.l1d.misses, kernels: each}, y: gpu.cycles, z: x / 2, a: {value: y, kernels: each},
  b: {value: "sm.load_latency::max", kernels: each}, c: kernel.cycles, d: {value: sm.l1d.mises, kernels: each}}
' <<'P'
error: z: x is of each kernel: so must be what is computed from it (kernels: each)
error: a: y is of the whole run, and this of each kernel
error: b: sm.load_latency::max is not known of each kernel
error: c: kernel.cycles is of each kernel: kernels: harmonic, or another mean
error: d: no statistic sm.l1d.mises; did you mean sm.l1d.misses?
P
	# which kernels a program without known PTX has is known from its runs
	sed '1,10s|overlap}|overlap, kernels: [again, 4]}|' each.yaml >late.yaml
	sed -i "s/^name: .*/name: late/" late.yaml
	"$lockstep" sweep -q late.yaml -o each.db >log 2>&1
	is "each: late: status" $? 1
	says "each: late" log 'late.yaml:4:59: error: kernels: overlap has no kernel 4; it launched 1 again, 2 left, 3 right'
	for figure in '{figure: bars, value: speedup, workloads: atax_3}|no kernel, workload or suite .atax_3.; did you' \
		'{figure: bars, value: whole, workloads: atax_2}|no workload or suite .atax_2.' \
		'{figure: table, values: [speedup, gpu.cycles]}|speedup is of each kernel, and gpu.cycles of the whole' \
		'{figure: printed, rows: [{what: x, value: speedup, workloads: atax_1, only: {machine: slow}}]}|.atax_1.'
	do
		printf 'report:\n  - %s\n' "${figure%%|*}" >figures.yaml
		"$lockstep" report each.db --sweep each --print --figures figures.yaml >log 2>&1
		is "each: $figure: status" $? 1
		says "each: $figure" log "figures.yaml:2:.*${figure#*|}"
	done
}

# the sweeps that come with Lockstep can be run
ours() {
	for f in "$root"/sweeps/*.yaml; do
		"$root/$build/bin/lockstep" sweep -n "$f" >log 2>&1
		is "$(basename "$f"): status" $? 0
		says "$(basename "$f"): jobs" log "^lockstep run"
	done
}

if ! left_out; then
	undisturbed
	killed
	two
	no_room
	readme
	ours
fi
best
cut_runs
kernels
sums
each
keep
interrupted
failures
mistakes
other_databases
finish
