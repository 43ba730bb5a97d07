#!/bin/sh
# tests/ptx/oracle.sh BUILD -- does ptxas accept what we hold to be valid PTX? The program of every form of the conformance
# suite, every *.ptx of the repository that is not there to be refused, and what `lockstep ptx --dump` prints of each.
set -u
build=${1:-build}
[ -z "${SANITIZE:-}" ] || { echo "oracle: skipped under the sanitizers (the same texts)"; exit 0; }
if ! command -v ptxas >/dev/null 2>&1; then
	PATH=$PATH:/usr/local/cuda/bin
	command -v ptxas >/dev/null 2>&1 || { echo "skipped: no ptxas here to check PTX with"; exit 0; }
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0
refused=0
known=" $(ptxas --help | tr -cs 'a-z0-9_' ' ') "

# The architecture for a file: its target's, or the oldest that this ptxas knows if it knows it no more.
arch_of() {
	target=$(sed -n 's/^[[:space:]]*\.target[[:space:]]*\(sm_[0-9a-z]*\).*/\1/p' "$1" | head -n 1)
	case $known in *" $target "*) echo "$target" ;; *) echo sm_75 ;; esac
}

# check FILE LABEL
check() {
	if ptxas -arch="$(arch_of "$1")" -O0 "$1" -o /dev/null >"$out/log" 2>&1; then passed=$((passed + 1)); return; fi
	failed=$((failed + 1))
	echo "not ok: ptxas refuses $2"
	line=$(sed -n 's/.*line \([0-9]*\);.*/\1/p' "$out/log" | head -n 1)
	head -n "${line:-0}" "$1" 2>/dev/null | grep '^// ' | tail -n 1
	head -n 3 "$out/log"
}

# dump FILE: to dump.ptx. What the simulator does not execute yet it does not print.
dump() {
	if "$build/bin/lockstep" ptx --parse --dump "$1" >"$out/dump.ptx" 2>"$out/dump.log"; then return 0; fi
	case $(basename "$1") in refused-*) refused=$((refused + 1)); return 1 ;; esac
	if grep -q 'not executed yet' "$out/dump.log"; then refused=$((refused + 1)); return 1; fi
	echo "not ok: no dump of $(basename "$1")"
	head -n 3 "$out/dump.log"
	failed=$((failed + 1))
	return 1
}

mkdir "$out/forms"
LD_LIBRARY_PATH=$build/lib "$build/tests/conformance" --refused tests/ptx/conformance/refused.txt --emit "$out/forms"
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
[ "$refused" = 0 ] || echo "skipped: $refused dumps of files with forms that are refused"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
