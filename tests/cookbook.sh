#!/bin/sh
# tests/cookbook.sh BUILD [PAGE]... -- the commands of the pages of docs/user, as they stand there: of each
# page the blocks of commands in their order, each of which must succeed and print the lines of the block of
# text behind it, with the same figures (tests/cookbook.awk). A block whose fence has another word than `text`
# behind it is not run. RECORD=1 writes the present figures into the pages: read the difference, and the
# sentences around, before committing it. The commands run in a tree of links to the sources, and those for a
# cluster on a cluster of this machine alone, where one can be started.
. tests/lib.sh
. tests/policy/tree.sh
cp -a "$build/bin" "$build/bench" "$tree/$build/"
mkdir "$out/cluster"
clean_up() { sh tests/slurm/cluster.sh stop "$out/cluster" >/dev/null 2>&1; }
has_cluster=unknown

# split PAGE FOLDER: its blocks as FOLDER/01.sh, 01.text (what it prints), 01.of (its heading), 02.sh ...
split() {
	awk -v to="$2/" '
	/^## / { heading = substr($0, 4) }
	/^```/ && in_block { in_block = 0; close(file); next }
	/^```text/ && is_run { in_block = 1; file = sprintf("%s%02d.text", to, n); next }
	/^```./ { in_block = 1; is_run = 0; file = "/dev/null"; next }
	/^```/ {
		in_block = is_run = 1
		file = sprintf("%s%02d.sh", to, ++n)
		print heading >sprintf("%s%02d.of", to, n)
		next
	}
	in_block { print >file }' "$1"
}

# record PAGE FOLDER: the page with the blocks of text as they are now
record() {
	awk -v from="$2/" '
		/^```/ && !(in_block = !in_block) { skips = 0 }
		!skips { print }
		/^```text/ && in_block && is_run {
			skips = 1
			file = sprintf("%s%02d.text", from, n)
			while ((getline line <file) > 0) print line
		}
		/^```/ && !/^```text/ && in_block { is_run = /^```$/; n += is_run }
	' "$1" >"$out/page" && cp "$out/page" "$1"
}

# shows TEXT OUTPUT: the output has each line of the text
shows() {
	awk -v record="${RECORD:+$1}" -f tests/cookbook.awk "$2" "$1"
}

# cluster: one is there; it is started when the first block wants it
cluster() {
	[ "$has_cluster" = unknown ] || { [ "$has_cluster" = yes ]; return; }
	has_cluster=no
	why=$(sh tests/slurm/cluster.sh start "$out/cluster")
	case $? in
	0) SLURM_CONF=$out/cluster/slurm.conf && export SLURM_CONF && has_cluster=yes ;;
	77) echo "note: cookbook: skipped the commands for a cluster: $why" && return 1 ;;
	*) not_ok "the cluster: $why" && return 1 ;;
	esac
}

# run_block NAME PAGE: NAME.sh in the tree; its output is NAME.log
run_block() {
	heading="$2: $(cat "$1.of")"
	! grep -q -e '--engine slurm\|squeue' "$1.sh" || cluster || return 0
	sed "s|build/|$build/|g" "$1.sh" >"$1.run"
	(cd "$here" && unset COLUMNS && MAKEFLAGS= BUILD=$build timeout 1200 sh -e "$1.run") >"$1.log" 2>&1
	status=$?
	if [ $status = 0 ]; then ok; else
		not_ok "$heading, block ${1##*/}: exit status $status"
		tail -n 20 "$1.log"
	fi
	[ ! -e "$1.text" ] || expect "$heading, block ${1##*/}" shows "$1.text" "$1.log"
}

# run_page PAGE: in a folder of its own with links to what is at the top of the tree
run_page() {
	folder=$out/$(basename "$1" .md) here=$tree/pages/$(basename "$1" .md)
	mkdir -p "$folder" "$here"
	ln -s "$tree"/[!p]* "$tree"/py* "$here"
	split "$1" "$folder"
	for block in "$folder"/[0-9][0-9].sh; do
		[ ! -e "$block" ] || run_block "${block%.sh}" "$1"
	done
	[ -z "${RECORD:-}" ] || record "$1" "$folder"
}

same_results() {
	(cd "$tree/pages/cookbook/cook" && for db in schedulers cluster; do
		../"$lockstep" report $db.db --print >$db.txt || exit
	done && cmp schedulers.txt cluster.txt)
}

# python.sh runs the blocks of Python, policy/pc_bypass.sh those of add-a-policy.md.
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- $(ls docs/user/*.md docs/user/tutorials/*.md | grep -v -e python -e notebook -e triton -e add-a-policy)
for page; do run_page "$page"; done
expect "the pages have many blocks of commands" [ "$(ls "$out"/*/[0-9][0-9].sh | wc -l)" -ge $# ]
# of README.md the part of whose output it shows a line
case $* in
*cookbook.md*)
	sed -n '/^## First results/,/^## What/p' README.md >"$out/first-results.md"
	RECORD= run_page "$out/first-results.md"
	;;
esac
case "$has_cluster $*" in "yes "*cookbook*) expect "a cluster gives the same results" same_results ;; esac
finish
