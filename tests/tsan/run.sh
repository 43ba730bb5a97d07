#!/bin/sh
# tests/tsan/run.sh PROGRAM -- runs a program built with ThreadSanitizer, which does not start where the host
# spreads addresses more than it knows of: then without that, or, if the host does not allow it, not at all,
# and says so.
set -u
program=${1:?usage: tests/tsan/run.sh PROGRAM}
TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"; export TSAN_OPTIONS
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

starts() { ! grep -q 'ThreadSanitizer: unexpected memory mapping' "$log"; }

"$program" >"$log" 2>&1
status=$?
if ! starts && setarch "$(uname -m)" -R true 2>/dev/null; then
	setarch "$(uname -m)" -R "$program" >"$log" 2>&1
	status=$?
fi
if ! starts; then
	echo "skipped: ThreadSanitizer does not start on this host"
	exit 0
fi
cat "$log"
exit $status
