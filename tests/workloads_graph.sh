#!/bin/sh
# tests/workloads_graph.sh BUILD -- graphs from files: what the benchmarks of the suite lonestar make of DIMACS and Matrix Market files, and
# what they say of broken ones: the file, the line, and what was expected.
build=${1:?usage: tests/workloads_graph.sh BUILD}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# start PROGRAM FILE: status and $tmp/out, both streams
start() {
	"$build/bin/lockstep" run --functional -q -o "" -- "$build/bench/lonestar/$1" --graph "$2" >"$tmp/out" 2>&1 </dev/null
}

judge() {
	if [ "$1" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $2"
		cat "$tmp/out"
	fi
}

# reads PROGRAM FILE LINE...: the program passes and prints these lines
reads() {
	program=$1 file=$2 good=yes
	shift 2
	start "$program" "$file" || good=no
	for line; do grep -qxF -e "$line" "$tmp/out" || good=no; done
	judge $good "$program $file"
}

# refuses FILE MESSAGE TEXT: a file of this text (as printf knows it) is refused with this message, and nothing else is said
refuses() {
	good=no
	printf "$3" >"$tmp/$1"
	start bfs "$tmp/$1"
	status=$?
	grep -qxF -e "$tmp/$1:$2" "$tmp/out" && [ $status = 1 ] && [ "$(wc -l <"$tmp/out")" = 1 ] && good=yes
	judge $good "$1: exit status $status, expected 1 and: $2"
}

# -- what is right --

for file in tests/graphs/six.gr tests/graphs/six.mtx; do
	reads bfs $file "bfs: 7 nodes, 12 edges: PASS" "bfs: 6 of 7 nodes reached, the farthest at 2"
	reads sssp $file "sssp: 7 nodes, 12 edges: PASS" "sssp: 6 of 7 nodes reached, the farthest at 20"
	reads mst $file "mst: 7 nodes, 12 edges: PASS" "mst: weight 34"
done
reads sssp tests/graphs/chain.mtx "sssp: 5 nodes, 9 edges: PASS" "sssp: 5 of 5 nodes reached, the farthest at 15"
reads mst tests/graphs/chain.mtx "mst: weight 15"
reads bfs tests/graphs/star.mtx "bfs: 4 nodes, 6 edges: PASS" "bfs: 4 of 4 nodes reached, the farthest at 1"
reads sssp tests/graphs/star.mtx "sssp: 4 of 4 nodes reached, the farthest at 1"
printf 'p sp 2 1\r\na 1 2 2147483646\r\n' >"$tmp/far.gr"
reads sssp "$tmp/far.gr" "sssp: 2 of 2 nodes reached, the farthest at 2147483646"
for kind in uniform rmat grid; do reads bfs $kind; done

# -- what is not --

graph='p sp 3 2\na 1 2 5\n'
refuses no-header.gr "1: an edge before the header \"p sp NODES EDGES\"" 'a 1 2 5\n'
refuses only-comments.gr "3: the file ends without a header \"p sp NODES EDGES\"" 'c one\nc two\n'
refuses empty.gr "1: the file ends without a header \"p sp NODES EDGES\"" ''
refuses two-headers.gr "2: a second header" 'p sp 3 2\np sp 3 2\n'
refuses other-problem.gr "1: the problem is \"max\": expected \"p sp NODES EDGES\"" 'p max 3 2\n'
refuses no-count.gr "1: the number of edges is missing" 'p sp 3\n'
refuses long-header.gr "1: \"9\" is too much on this line" 'p sp 3 2 9\n'
refuses no-nodes.gr "1: the number of nodes is 0: expected 1 to 2147483646" 'p sp 0 0\n'
refuses many-edges.gr "1: the number of edges is 2147483648: expected 0 to 2147483647" 'p sp 3 2147483648\n'
refuses most-edges.gr "1: the number of edges is 99999999999999999999: expected 0 to 2147483647" 'p sp 3 99999999999999999999\n'
refuses other-line.gr "3: \"e\": expected a line that begins with c, p or a" "${graph}e 1 2 5\n"
refuses index-zero.gr "3: the first node is 0: expected 1 to 3" "${graph}a 0 2 5\n"
refuses index-high.gr "3: the second node is 4: expected 1 to 3" "${graph}a 1 4 5\n"
refuses no-weight.gr "3: the weight is missing" "${graph}a 1 2\n"
refuses word.gr "3: the weight is \"five\": expected a whole number" "${graph}a 1 2 five\n"
refuses half.gr "3: the weight is \"1.5\": expected a whole number" "${graph}a 1 2 1.5\n"
refuses negative.gr "3: the weight is -5: expected 0 to 2147483647" "${graph}a 1 2 -5\n"
refuses heavy.gr "3: the weight is 2147483648: expected 0 to 2147483647" "${graph}a 1 2 2147483648\n"
refuses too-much.gr "3: \"6\" is too much on this line" "${graph}a 1 2 5 6\n"
refuses too-few.gr "3: the file ends after 1 of the 2 edges of the header" "$graph"
refuses too-many.gr "4: more edges than the 2 of the header" "${graph}a 1 3 5\na 2 3 5\n"
refuses zero-byte.gr "3: a zero byte: this is no text" "${graph}a 1\\000 2 5\n"
refuses long-word.gr "3: a word of 47 characters" "${graph}a 00000000000000000000000000000000000000000000001 2 5\n"
refuses no-edges.gr " a graph without edges" 'p sp 3 0\n'
refuses graph.txt " a graph is uniform, rmat, grid or a file *.gr (DIMACS) or *.mtx (Matrix Market)" "$graph"

banner='%%%%MatrixMarket matrix coordinate real general\n'
lower='%%%%MatrixMarket matrix coordinate integer symmetric\n'
refuses empty.mtx "1: the file is empty" ''
refuses no-banner.mtx "1: the first word is \"3\": expected %%MatrixMarket" '3 3 1\n1 2 5\n'
refuses object.mtx "1: the object is \"vector\": expected matrix" '%%%%MatrixMarket vector coordinate real general\n'
refuses array.mtx "1: the format is \"array\": expected coordinate" '%%%%MatrixMarket matrix array real general\n'
refuses complex.mtx "1: the field is \"complex\": expected pattern, integer or real" '%%%%MatrixMarket matrix coordinate complex general\n'
refuses skew.mtx "1: the symmetry is \"skew-symmetric\": expected general or symmetric" '%%%%MatrixMarket matrix coordinate real skew-symmetric\n'
refuses short.mtx "1: the symmetry is \"\": expected general or symmetric" '%%%%MatrixMarket matrix coordinate real\n'
refuses no-sizes.mtx "3: the file ends without a line \"ROWS COLUMNS ENTRIES\"" "$banner%%%% and no more\n"
refuses oblong.mtx "2: a graph is a square matrix" "${banner}3 4 1\n"
refuses many-entries.mtx "2: the number of entries is 2147483648: expected 0 to 2147483647" "${banner}3 3 2147483648\n"
refuses row.mtx "3: the row is 4: expected 1 to 3" "${banner}3 3 1\n4 1 5\n"
refuses column.mtx "3: the column is 0: expected 1 to 3" "${banner}3 3 1\n1 0 5\n"
refuses negative.mtx "3: the weight is -0.5: expected 0 to 2147483647" "${banner}3 3 1\n1 2 -0.5\n"
refuses infinite.mtx "3: the weight is \"inf\": expected a number" "${banner}3 3 1\n1 2 inf\n"
refuses overflow.mtx "3: the weight is \"1e999\": expected a number" "${banner}3 3 1\n1 2 1e999\n"
refuses missing.mtx "3: the weight is missing" "${banner}3 3 1\n1 2\n"
refuses whole.mtx "3: the weight is \"2.5\": expected a whole number" "${lower}3 3 1\n2 1 2.5\n"
refuses above.mtx "3: column 3 of row 2 is above the diagonal of a symmetric matrix" "${lower}3 3 1\n2 3 5\n"
refuses few.mtx "4: the file ends after 1 of the 2 edges of the header" "${lower}3 3 2\n2 1 5\n"
refuses many.mtx "4: more edges than the 1 of the header" "${lower}3 3 1\n2 1 5\n3 1 5\n"

start bfs "$tmp/nowhere.gr" && good=no || good=yes
grep -qxF "$tmp/nowhere.gr: No such file or directory" "$tmp/out" || good=no
judge $good "a file that is not there"
printf 'p sp 3 2\na 1 2 2147483000\na 2 3 1000\n' >"$tmp/far.gr"
start sssp "$tmp/far.gr" && good=no || good=yes
grep -qxF "sssp: node 3 is 2147484000 away: more than 32 bits hold" "$tmp/out" || good=no
judge $good "ways that are too long"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
