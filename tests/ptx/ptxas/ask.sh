#!/bin/sh
# tests/ptx/ptxas/ask.sh RECORD QUESTION <FILES -- what ptxas answers about each file, a line "FILE ANSWER"
# each, in the order of FILES. QUESTION is a shell command that prints one line about "$1"; $PTXAS is the
# assembler. An answer depends on the file's bytes and on ptxas alone: RECORD holds those of one release of it
# by the SHA-256 of the file, and only what is not there is asked. Where there is no ptxas, the record answers
# too, and the rest is "unknown"; another release is asked about everything. RECORD=1 in the environment asks
# about everything and writes the record anew. STALE, in the environment, is a file to which the number of files is
# written that the record of the ptxas here (or, without one, the record) does not know.
set -u
record=$1 question=$2
PTXAS=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas)
export PTXAS
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

xargs -r sha256sum | awk '{ print substr($1, 1, 24), $2 }' >"$tmp/files"
release=
[ -z "$PTXAS" ] || release=$("$PTXAS" --version | sed -n 's/.*release/# ptxas/p')
if [ -n "${RECORD:-}" ]; then : >"$tmp/known"
elif [ -z "$release" ] || [ "$(head -n 1 "$record")" = "$release" ]; then cp "$record" "$tmp/known"
else : >"$tmp/known"; fi
awk 'part == 1 { known[$1] = 1; next } !($1 in known)' part=1 "$tmp/known" part=2 "$tmp/files" >"$tmp/new"
[ -z "${STALE:-}" ] || { if [ -s "$tmp/known" ]; then wc -l <"$tmp/new"; else echo 0; fi; } >"$STALE"
QUESTION=$question; export QUESTION
if [ -n "$PTXAS" ]; then
	xargs -r -P "$(nproc)" -L 1 sh -c 'printf "%s %s\n" "$0" "$(eval "$QUESTION")"' <"$tmp/new" \
		>"$tmp/answers"
else
	awk '{ print $1, "unknown" }' "$tmp/new" >"$tmp/answers"
fi
[ -z "${RECORD:-}" ] || { echo "$release"; sort -u "$tmp/answers"; } >"$record"
awk '/^#/ { next } part == 1 { key = $1; sub(/^[^ ]* */, ""); answer[key] = $0; next } {
	print $2, answer[$1] }' \
	part=1 "$tmp/known" "$tmp/answers" part=2 "$tmp/files"
