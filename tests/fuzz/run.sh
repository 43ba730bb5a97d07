#!/bin/sh
# Fuzzes libptx: tests/fuzz/run.sh BUILD SECONDS. The corpus grows in BUILD/fuzz/corpus; what fails is left in
# BUILD/fuzz as crash-*, and belongs into tests/ptx/found once it is mended.
set -eu
build=$1 seconds=$2
mkdir -p "$build/fuzz/corpus" "$build/fuzz/seeds"
for file in $(git ls-files '*.ptx'); do
	cp "$file" "$build/fuzz/seeds/$(echo "$file" | tr / _)"
done
find "$build/fuzz/seeds" -size +6k -delete
exec "$build/fuzz/fuzz_ptx" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=4096 \
	-artifact_prefix="$build/fuzz/" -print_final_stats=1 "$build/fuzz/corpus" "$build/fuzz/seeds"
