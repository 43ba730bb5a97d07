#!/bin/sh
# tests/ptx/oracle.sh BUILD -- does ptxas accept what we hold to be valid PTX? The program of every form of
# the conformance suite, every *.ptx of the repository that is not there to be refused, and what `lockstep ptx
# --dump` prints of each.
. tests/lib.sh
sanitized && skip_all "oracle: under the sanitizers (the same texts)"
here=tests/ptx/ptxas
refused=0
unknown=0
PATH=$PATH:/usr/local/cuda/bin
# What its help lists between quotes; it names others in its sentences.
KNOWN=" $(ptxas --help 2>/dev/null | grep -o "'sm_[0-9a-z]*'" | tr -d "'" | tr "\n" " ") "
export KNOWN

# For the architecture of the file's target, or the oldest that this ptxas knows if it knows that no more.
question='target=$(sed -n "s/^[[:space:]]*\.target[[:space:]]*\(sm_[0-9a-z]*\).*/\1/p" "$1" | head -n 1)
	case $KNOWN in *" $target "*) ;; *) target=sm_75 ;; esac
	"$PTXAS" -arch="$target" -O0 "$1" -o /dev/null >"$1.log" 2>&1 && echo accepted || echo refused'

# check FILE LABEL: a copy that is to be asked about
number=0
check() {
	number=$((number + 1))
	cp "$1" "$out/ask/$number"
	echo "$2" >>"$out/labels"
}

# ptxas_refuses FILE LABEL: what it is that ptxas refuses
ptxas_refuses() {
	not_ok "ptxas refuses $2"
	line=$(sed -n 's/.*line \([0-9]*\);.*/\1/p' "$1.log" 2>/dev/null | head -n 1)
	head -n "${line:-0}" "$1" 2>/dev/null | grep '^// ' | tail -n 1
	head -n 3 "$1.log" 2>/dev/null
}

# dump FILE: to dump.ptx. What the simulator does not execute yet it does not print.
dump() {
	if "$build/bin/lockstep" ptx --parse --dump "$1" >"$out/dump.ptx" 2>"$out/dump.log"; then return 0; fi
	case $(basename "$1") in refused-*) refused=$((refused + 1)); return 1 ;; esac
	if grep -q 'not executed yet' "$out/dump.log"; then refused=$((refused + 1)); return 1; fi
	not_ok "no dump of $(basename "$1")"
	head -n 3 "$out/dump.log"
	return 1
}

mkdir "$out/forms" "$out/ask"
LD_LIBRARY_PATH=$build/lib "$build/tests/conformance" --refused tests/ptx/conformance/refused.txt \
	--emit "$out/forms"
for file in "$out"/forms/*.ptx; do check "$file" "$(basename "$file")"; done
git ls-files '*.ptx' | grep -v "^tests/cli/ptx/\|^tests/ptx/broken/\|^tests/ptx/found/" >"$out/list"
while read -r file; do
	case $file in tests/ptx/valid/*) ;; *) check "$file" "$file" ;; esac # those: verdicts.sh
	dump "$file" || continue
	check "$out/dump.ptx" "the dump of $file"
done <"$out/list"
for file in "$out"/forms/*.ptx; do
	dump "$file" || continue
	check "$out/dump.ptx" "the dump of $(basename "$file")"
done
seq "$number" | sed "s|^|$out/ask/|" | sh $here/ask.sh $here/oracle.txt "$question" |
	paste -d ' ' - "$out/labels" >"$out/answers"
while read -r file answer label; do
	case $answer in
	accepted) ok ;;
	refused) ptxas_refuses "$file" "$label" ;;
	*) unknown=$((unknown + 1)) ;;
	esac
done <"$out/answers"
[ "$unknown" = 0 ] || \
	echo "skipped: no ptxas here to ask about $unknown texts that are not in the record of its verdicts"
[ "$(wc -l <"$out/answers")" = "$number" ] || not_ok "texts were not asked about"
[ "$refused" = 0 ] || echo "skipped: $refused dumps of files with forms that are refused"
finish
