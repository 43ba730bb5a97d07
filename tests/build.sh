#!/bin/sh
# tests/build.sh BUILD COMMAND... -- runs the command, which compiles into the folder BUILD, and says meanwhile
# how many of the files that it has to compile are done: on a terminal in a line that changes, elsewhere every
# 15 seconds. With -n behind it the command must print what it would do, as make does.
set -u
build=${1:?usage: tests/build.sh BUILD COMMAND...}
shift
todo=$("$@" -n 2>/dev/null | grep -c -e ' -c ')
[ "$todo" -gt 0 ] || exec "$@"

mkdir -p "$build" || exit 1
mark=$(mktemp "$build/began.XXXXXX") || exit 1
"$@" &
compiler=$!
trap 'rm -f "$mark"' EXIT
trap 'kill $compiler 2>/dev/null; exit 130' HUP INT TERM

# say END: one line
say() {
	done=$(find "$build" -name '*.o' -newer "$mark" | wc -l)
	printf "%sbuilding: %d of %d files compiled$2" "$1" "$done" "$todo" >&2
}
seconds=0
while kill -0 $compiler 2>/dev/null; do
	if [ -t 2 ]; then
		say "$(printf '\r')" ''
	elif [ $((seconds % 15)) = 0 ] && [ $seconds != 0 ]; then
		say '' '\n'
	fi
	sleep 1
	seconds=$((seconds + 1))
done
[ ! -t 2 ] || printf '\r\033[K' >&2
wait $compiler
