#!/bin/sh
# make/release/dist.sh BUILD NAME -- the sources of the commit that is checked out, as BUILD/NAME.tar.gz: the
# same bytes wherever it is made. The last line of the output is the file and its checksum.
set -eu
build=$1 name=$2
git rev-parse --verify -q HEAD >/dev/null || { echo "make dist needs a checkout of git" >&2; exit 1; }
[ -z "$(git status --porcelain -uno)" ] || echo "note: changes that are not committed are left out" >&2
mkdir -p "$build"
git archive --format=tar --prefix="$name/" HEAD | gzip -n -9 >"$build/$name.tar.gz.new"
mv "$build/$name.tar.gz.new" "$build/$name.tar.gz"
echo "$build/$name.tar.gz $(sha256sum <"$build/$name.tar.gz" | cut -c 1-64)"
