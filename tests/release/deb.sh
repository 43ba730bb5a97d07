#!/bin/sh
# tests/release/deb.sh [BUILD] -- the package of `make deb` in a Debian that has nothing else: apt installs it
# and what it depends on, programs run, and nothing is left when it is removed. KEEP=FOLDER keeps that Debian
# in FOLDER/deb. Needs root, mmdebstrap and Debian's servers; not part of make check.
. tests/lib.sh
. tests/release/debian.sh
release=$(cut -d . -f 1 /etc/debian_version)
case $release in 12 | 13) ;; *) skip_all "this is no Debian 12 or 13, for which the package would be" ;; esac
make -s BUILD="$build" deb >"$out/log" 2>&1 || { not_ok "make deb"; log_tail; finish; }
package=$(tail -n 1 "$out/log" | awk '{ print $1 }')
cat "$out/log"

root=${KEEP:-$out}/deb
debian "$root" "$release" || skip_all "Debian $release cannot be made here: $(tail -n 1 "$out/log")"
cp "$package" "$root/root/lockstep.deb"
began=$(date +%s)
expect "apt installs the package" inside "$root" \
	"apt-get -qq update && apt-get -qq install -y --no-install-recommends /root/lockstep.deb"
seconds=$(($(date +%s) - began))
answers 0 "^lockstep $(cat VERSION)" inside "$root" "lockstep --version"
answers 0 "^configurations (/usr/share/lockstep/configs)" inside "$root" "lockstep list"
answers 0 PASS inside "$root" "cd /tmp && lockstep run -- /usr/lib/lockstep/bench/polybench/gemm 64"
answers 0 "^3 verified, 0 failed" inside "$root" \
	"cd /tmp && lockstep bench run sdk/vectoradd rodinia/bfs ai/softmax --size tiny"
answers 0 "gpu.cycles" inside "$root" "grep gpu.cycles /tmp/lockstep-out/stats.txt"
for path in usr/share/man/man1/lockstep-run.1.gz usr/share/bash-completion/completions/lockstep \
	usr/share/zsh/vendor-completions/_lockstep usr/share/doc/lockstep/README.md \
	usr/share/doc/lockstep/copyright; do
	expect "/$path" [ -s "$root/$path" ]
done
expect "the checksums of the package" inside "$root" \
	"cd / && md5sum --quiet -c /var/lib/dpkg/info/lockstep.md5sums"
expect "apt removes it" inside "$root" "apt-get -qq remove -y lockstep"
expect "no folder is left" [ -z "$(cd "$root" && find usr etc -type d -path '*lockstep*')" ]
echo "Debian $(cat "$root/etc/debian_version"): installed in $seconds seconds, $(stat -c %s "$package") bytes"
finish
