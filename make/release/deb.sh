#!/bin/sh
# make/release/deb.sh BUILD -- the Debian package BUILD/lockstep_VERSION_ARCHITECTURE.deb from what `make
# install` puts below /usr. It needs the packages whose libraries this build is linked with, in these versions
# or later ones. The same commit and compiler give the same bytes.
set -eu
build=$1
version=$(cat VERSION) architecture=$(dpkg --print-architecture)
root=$build/deb package=$build/lockstep_${version}_$architecture.deb
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)
export SOURCE_DATE_EPOCH

# libraries FILE...: the paths of those that they name themselves, but for ours
libraries() {
	for file; do
		ldd "$file" >"$build/deb.ldd"
		readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r name; do
			awk -v name="$name" '$1 == name && $3 ~ "^/(usr/)?lib/" { print $3 }' "$build/deb.ldd"
		done
	done | sort -u
	rm -f "$build/deb.ldd"
}

# depends FILE...: "PACKAGE (>= VERSION), ..." of what has those libraries
depends() {
	libraries "$@" | while read -r path; do
		dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "/usr$path" || dpkg-query -S "${path#/usr}"
	done | sed 's/:.*//' | sort -u | while read -r name; do
		echo "$name (>= $(dpkg-query -W -f='${Version}\n' "$name" | sed 's/[-+].*//'))"
	done | paste -sd , | sed 's/,/, /g'
}

rm -rf "$root"
"${MAKE:-make}" --no-print-directory -s -o all BUILD="$build" PREFIX=/usr DESTDIR="$root" install
rm -f "$root/usr/share/lockstep/new-folders"
find "$root/usr/bin" "$root/usr/lib" -type f \( -perm -100 -o -name '*.so*' \) -exec strip --strip-debug {} +
gzip -n -9 "$root"/usr/share/man/man1/*.1
cat >"$root/usr/share/doc/lockstep/copyright" <<END
Lockstep $version. Its owner has not chosen a licence yet.
END
mkdir "$root/DEBIAN"
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: lockstep
Version: $version
Architecture: $architecture
Maintainer: The authors of Lockstep <lockstep@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $(depends "$build/bin/lockstep" "$build/lib/liblockstep.so" "$build/lib/libcuda.so.1")
Recommends: gnuplot-nox
Suggests: python3, gcc
Section: science
Priority: optional
Description: simulated NVIDIA GPU that runs CUDA programs and tells where time goes
 Lockstep parses the PTX of CUDA programs, executes it bit by bit as a GPU does,
 and times it on a model of the chip: SMs, caches, networks and DRAM.
END
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
rm -rf "$root"
echo "$package $(stat -c %s "$package") bytes, sha256 $(sha256sum <"$package" | cut -c 1-64)"
