#!/bin/sh
# tests/hopper.sh BUILD [PROGRAM...] -- the programs of tests/hopper (all, or those named) on an H200 as it is
# configured, or with FOLDER=blackwell those of tests/blackwell on a B200 or an RTX 5090 (tests/blackwell.sh):
# functional, timed with the PTX as written and with scheduled code, and with two threads of the host; under
# the sanitizers with scheduled code alone. Each compares its kernels with values of its own. A numbered fact
# is one of semantics that simulators get wrong (tests/hopper/README.md). The random tensors and descriptors
# are others in each slot, and with FULL=1 more than 10 000 of each.
. tests/lib.sh
[ $# -gt 0 ] && shift
programs=$*
folder=${FOLDER:-hopper}
[ -n "$programs" ] || programs=$(for file in tests/$folder/*.c; do basename "$file" .c; done | grep -vx hopper)

# hopper_run LABEL PROGRAM ARGUMENT...: one way of running it
hopper_run() {
	label=$1 program=$2
	shift 2
	if "$lockstep" run -q -c $chip -o "" "$@" -- "$build/tests/$folder/$program" tests/$folder $random \
		>"$out/log" 2>&1; then
		ok
	else
		not_ok "$program, $label"
		log_tail 12
		right=no
	fi
}

pass=0 fail=0
for program in $programs; do
	right=yes random= chip=h200
	[ $folder = hopper ] || chip=$(sed -n 's/.*chip: \([a-z0-9]*\).*/\1/p' tests/$folder/$program.c | head -n 1)
	[ -n "$chip" ] || chip=b200
	case $program in
	rows) campaign 5 350 && random="$seed $count" ;;
	vectors) campaign 5 70 && random="$seed $count" ;;
	mma) campaign 1 200 && random="$seed $count" ;; # 5000 of each kind with FULL=1, and other ones each time
	wide) campaign 1 27 && random="$seed $count" ;; # 10 368 tensors with FULL=1
	tensor) campaign 1 2 && random="$seed $count" ;; # 10 000 tensors, ...
	wgmma) campaign 1 12 && random="$seed $count" ;; # ... and descriptors, with FULL=1
	product) campaign 1 160 && random="$seed $count" ;; # 5000 products of each kind with FULL=1, ...
	transfer) campaign 1 140 && random="$seed $count" ;; # ... loads, stores, copies and shifts, ...
	pairs) campaign 12 1250 && random="$seed $count" ;; # ... copies of pairs of CTAs
	esac
	hopper_run "timed, scheduled" "$program" -s frontend.timed_code=scheduled
	grep -E '^(fact|forms) ' "$out/log" >>"$out/shown"
	if full || ! sanitized; then
		case $program in
		product) [ "$count" -gt 1 ] || random="$((seed + 500000)) 4" ;; # others, and more of them
		esac
		hopper_run functional "$program" --functional
		case $program in
		product) random="$((seed + 1000000)) 1" ;;
		esac
		hopper_run "timed, as written" "$program" -s frontend.timed_code=ptx
		hopper_run "timed, two threads of the host" "$program" --threads 2
	fi
	if [ $right = yes ]; then pass=$((pass + 1)); else fail=$((fail + 1)); fi
done
forms=$(awk '$1 == "forms" { n += $2 } END { print n + 0 }' "$out/shown")
facts=$(sed -n 's/^fact \([0-9]*[a-z]*\):.*/\1/p' "$out/shown" | sort -u | wc -l)
echo "$folder: $pass programs pass, $fail fail; $forms forms, $facts facts"
finish
