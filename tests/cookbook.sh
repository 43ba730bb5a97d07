#!/bin/sh
# tests/cookbook.sh BUILD -- the recipes of docs/user/cookbook.md, as they stand there: the blocks of commands in
# their order, each of which must succeed and print the lines of the block of text behind it, with the same
# figures (tests/cookbook.awk). RECORD=1 writes the present figures into the page: read the difference, and the
# sentences around, before committing it. The recipes run in a tree of links to the sources, and the recipe
# for a cluster on a cluster of this machine alone, where one can be started.
. tests/lib.sh
. tests/policy/tree.sh
cp -a "$build/bin" "$build/bench" "$tree/$build/"
mkdir "$out/cluster"
clean_up() { sh tests/slurm/cluster.sh stop "$out/cluster" >/dev/null 2>&1; }

# Blocks into files 01.sh, 01.text (what it prints), 01.of (its recipe), 02.sh ...
awk -v to="$out/" '
	/^## / { recipe = substr($0, 4) }
	/^```/ && in_block { in_block = 0; close(file); next }
	/^```text/ { in_block = 1; file = sprintf("%s%02d.text", to, n); next }
	/^```/ {
		in_block = 1
		file = sprintf("%s%02d.sh", to, ++n)
		print recipe >sprintf("%s%02d.of", to, n)
		next
	}
	in_block { print >file }' docs/user/cookbook.md

# shows TEXT OUTPUT: the output has each line of the text
shows() {
	awk -v record="${RECORD:+$1}" -f tests/cookbook.awk "$2" "$1"
}

cluster() {
	why=$(sh tests/slurm/cluster.sh start "$out/cluster")
	case $? in
	0) SLURM_CONF=$out/cluster/slurm.conf && export SLURM_CONF ;;
	77) echo "note: cookbook: skipped the recipe for a cluster: $why" && return 1 ;;
	*) not_ok "the cluster: $why" && return 1 ;;
	esac
}

same_results() {
	(cd "$tree/cook" && for db in schedulers cluster; do
		../"$lockstep" report $db.db --print >$db.txt || exit
	done && cmp schedulers.txt cluster.txt)
}

for block in "$out"/[0-9][0-9].sh; do
	name=${block%.sh}
	recipe=$(cat "$name.of")
	case $recipe in *cluster*) cluster || continue ;; esac
	sed "s|build/|$build/|g" "$block" >"$name.run"
	(cd "$tree" && MAKEFLAGS= BUILD=$build timeout 1200 sh -e "$name.run") >"$name.log" 2>&1
	status=$?
	if [ $status = 0 ]; then ok; else
		not_ok "$recipe, block ${name##*/}: exit status $status"
		tail -n 20 "$name.log"
	fi
	case $recipe in *cluster*) expect "$recipe: the same results as here" same_results ;; esac
	[ ! -e "$name.text" ] || expect "$recipe, block ${name##*/}" shows "$name.text" "$name.log"
done
expect "the page has all recipes" [ "$(cat "$out"/*.of | sort -u | wc -l)" -ge 5 ]
# the page with the blocks of text as they are now
if [ -n "${RECORD:-}" ]; then
	awk -v from="$out/" '
		/^```/ && !(in_block = !in_block) { skips = 0 }
		!skips { print }
		/^```text/ {
			skips = 1
			file = sprintf("%s%02d.text", from, n)
			while ((getline line <file) > 0) print line
		}
		/^```/ && !/^```text/ && in_block { n++ }
	' docs/user/cookbook.md >"$out/page" && cp "$out/page" docs/user/cookbook.md
fi
finish
