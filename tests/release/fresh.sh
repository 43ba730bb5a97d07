#!/bin/sh
# tests/release/fresh.sh [12|13 [COMMAND...]] -- README's two commands on a Debian that has nothing but what
# they install: unpacks the release (make dist) in a folder of Debian 12, and in one of Debian 13, and runs
# there `make demo` and, with FULL=1, `make check`; or COMMAND in the place of both. KEEP=FOLDER keeps the
# Debian in FOLDER/12 or FOLDER/13 and uses it again. Needs root, mmdebstrap and Debian's servers, some
# minutes and some gigabytes; where one is missing it says so.
. tests/lib.sh
unset AMONG_ALL
case $build in 12 | 13) releases=$build build=build ;; *) releases="12 13" ;; esac
[ $# = 0 ] || shift
commands=${*:-make demo${FULL:+ && make check}}
keep=${KEEP:-$out}

. tests/release/debian.sh
make -s dist >"$out/log" 2>&1 || { not_ok "make dist"; log_tail; finish; }
tarball=$PWD/$(tail -n 1 "$out/log" | awk '{ print $1 }')

for release in $releases; do
	root=$keep/$release
	if ! debian "$root" $release; then
		echo "note: $0: Debian $release cannot be made here: $(tail -n 1 "$out/log")"
		continue
	fi
	rm -rf "$root/root/lockstep" && mkdir "$root/root/lockstep"
	tar -xzf "$tarball" -C "$root/root/lockstep" --strip-components=1
	began=$(date +%s)
	expect "Debian $release: $commands" \
		inside "$root" "cd /root/lockstep && { $commands; } >/root/log 2>&1"
	tail -n 12 "$root/root/log" 2>/dev/null
	echo "Debian $(cat "$root/etc/debian_version"): $commands: $(($(date +%s) - began)) seconds"
done
[ "$((passed + failed))" -gt 0 ] || skip_all "no Debian can be made here"
finish
