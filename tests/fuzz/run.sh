#!/bin/sh
# Fuzzes libptx: tests/fuzz/run.sh BUILD SECONDS. The corpus grows in BUILD/fuzz/corpus; what fails is left in
# BUILD/fuzz as crash-* and belongs into tests/ptx/found once it is mended. Seeds are the small PTX files of
# the repository and, where the conformance suite is built, each of its forms.
set -eu
build=$1 seconds=$2
mkdir -p "$build/fuzz/corpus" "$build/fuzz/seeds" "$build/fuzz/forms"
for file in $(git ls-files '*.ptx'); do
	cp "$file" "$build/fuzz/seeds/$(echo "$file" | tr / _)"
done
if [ -x build/tests/conformance ]; then
	LD_LIBRARY_PATH=build/lib build/tests/conformance --emit "$build/fuzz/forms" >"$build/fuzz/forms.log"
	for file in "$build"/fuzz/forms/*.ptx; do
		awk -v prefix="$build/fuzz/seeds/$(basename "$file" .ptx)-" -f tests/fuzz/split.awk "$file"
	done
fi
find "$build/fuzz/seeds" -type f -size +6k -delete
exec "$build/fuzz/fuzz_ptx" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=4096 \
	-artifact_prefix="$build/fuzz/" -print_final_stats=1 "$build/fuzz/corpus" "$build/fuzz/seeds"
