#!/bin/sh
# tests/ptx/verdicts.sh BUILD -- what is valid PTX and what is not: every file of broken/ is refused with the message of
# expected.txt (the first error), every file of valid/ is accepted, as far as the lowering. Where the vendor's assembler is
# on the machine it must say the same. Runs in the repository root. RECORD=1 writes expected.txt anew: read the difference.
build=${1:?usage: tests/ptx/verdicts.sh BUILD}
here=tests/ptx
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

"$build/bin/lockstep" ptx --check --parse $here/broken/*.ptx >"$tmp/broken" 2>&1
[ -z "$RECORD" ] || sed "s|^$here/||" "$tmp/broken" >$here/broken/expected.txt
sed "s|^$here/||" "$tmp/broken" >"$tmp/got"
count=$(ls $here/broken/*.ptx | wc -l)
if diff -u $here/broken/expected.txt "$tmp/got" >"$tmp/diff"; then
	passed=$((passed + count))
else
	failed=$((failed + 1))
	echo "not ok: messages about broken files"
	cat "$tmp/diff"
fi
[ "$(tail -n 1 "$tmp/got")" = "0 accepted, $count refused" ] || { failed=$((failed + 1)); echo "not ok: a broken file is accepted"; }

count=$(ls $here/valid/*.ptx | wc -l)
if "$build/bin/lockstep" ptx --check --parse $here/valid/*.ptx >"$tmp/valid" 2>&1; then
	passed=$((passed + count))
else
	failed=$((failed + 1))
	echo "not ok: a valid file is refused"
	cat "$tmp/valid"
fi

# one FILE: the assembler's verdict, for the chip that the module names if that is a special one
cat >"$tmp/one" <<'EOF'
arch=$(sed -n 's/.*\.target *\(sm_[0-9]*[af]\).*/\1/p' "$1" | head -n 1)
"$PTXAS" -arch="${arch:-sm_90}" "$1" -o /dev/null >/dev/null 2>&1 && echo "accepted $1" || echo "refused $1"
EOF
PTXAS=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
if [ -n "${SANITIZE:-}" ]; then
	echo "note: verdicts: ptxas is not asked again under the sanitizers"
elif [ -n "$PTXAS" ]; then
	export PTXAS
	ls $here/broken/*.ptx $here/valid/*.ptx | xargs -P "$(nproc)" -n 1 sh "$tmp/one" >"$tmp/verdicts"
	grep "^accepted $here/broken/" "$tmp/verdicts"
	grep "^refused $here/valid/" "$tmp/verdicts"
	wrong=$(grep -cE "^(accepted $here/broken|refused $here/valid)/" "$tmp/verdicts")
	failed=$((failed + wrong))
	passed=$((passed + $(wc -l <"$tmp/verdicts") - wrong))
else
	echo "skipped: the vendor's assembler (ptxas) is not on this machine, so that its verdicts are not compared"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
