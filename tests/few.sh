# tests/few.sh -- read in by tests: a tree with few of the benchmarks, as `lockstep bench` and `lockstep sweep` ask every program what it is.

# few BUILD FOLDER suite/name...: the tree BUILD-like FOLDER/few; its command is FOLDER/few/bin/lockstep. In the repository root.
few() {
	few_build=$(realpath "$1") few_to=$2; shift 2
	mkdir -p "$few_to/few/bin" && cp "$few_build/bin/lockstep" "$few_to/few/bin/" && ln -s "$few_build/lib" "$few_to/few/lib" && ln -s "$PWD/configs" "$few_to/configs"
	for few_name in "$@"; do
		mkdir -p "$few_to/few/bench/${few_name%/*}" && ln -s "$few_build/bench/$few_name" "$few_to/few/bench/$few_name"
	done
}
