# tests/policy/tree.sh -- read in after tests/lib.sh by tests that add a policy as docs/user/policies.md says,
# one file and one line. They work on $tree, a tree of links to the sources with a copy of what $build has
# compiled, and leave the repository alone.
sanitized && skip_all "policies: under the sanitizers (they would rebuild everything)"
tree=$out/tree
mkdir -p "$tree/$build/obj"

# The same sources by link, the same objects by copy, with their times, so that make builds only what has
# changed.
for file in *; do
	case $file in build*) continue ;; esac
	cp -rs "$PWD/$file" "$tree/$file"
done
for folder in "$build"/obj/*; do
	case $folder in */tests) continue ;; esac
	cp -a "$folder" "$tree/$build/obj/"
done
cp -a "$build/gen" "$build/lib" "$tree/$build/"

products=$build/bin/lockstep
for name in $six; do products="$products $build/bench/$name"; done

# add FOLDER NAME LIST [FROM]: the two steps of docs/user/policies.md, whose line is this one with another
# name; the file is FROM/NAME.c
add() {
	tr -s ' \n' ' ' <docs/user/policies.md >"$out/page"
	expect "docs/user/policies.md has the line for $1" grep -q "\`POLICY(mine)\` to \`$1/$3.def\`" "$out/page"
	cp "${4:-tests/policy}/$2.c" "$tree/$1/$2.c"
	cp "$1/$3.def" "$tree/list" && rm "$tree/$1/$3.def" && mv "$tree/list" "$tree/$1/$3.def"
	echo "POLICY($2)" >>"$tree/$1/$3.def"
}

# compiled: what has been compiled since $tree/before was made
compiled() {
	(cd "$build/obj" && find . -path ./benchmarks -prune -o -name '*.o' -newer "$tree/before" -print) |
		sed 's|^\./||' | sort | tr '\n' ' '
}

# prints COMMAND PATTERN: what the command prints has the pattern
prints() { sh -c "$1" | grep -q -e "$2"; }

# counts NAME: the statistic is in the last run's, and is not 0
counts() { awk -v name="$1" '$1 == name && $2 > 0 { n++ } END { exit !n }' "$out/run/stats.txt"; }
