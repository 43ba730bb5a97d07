# tests/release/debian.sh -- folders with a minimal Debian, read in by tests that install something there;
# behind tests/lib.sh. Where none can be made the test says so and ends.
[ "$(id -u)" = 0 ] || skip_all "a fresh Debian is made by root only"
command -v mmdebstrap >/dev/null 2>&1 || skip_all "there is no mmdebstrap (apt-get install mmdebstrap)"

# debian FOLDER RELEASE: a minimal one with make, and nothing of ours
debian() {
	[ ! -e "$1/etc/debian_version" ] || return 0
	case $2 in 12) name=bookworm ;; 13) name=trixie ;; esac
	mkdir -p "${1%/*}"
	nice -n 10 mmdebstrap --variant=minbase --include=make,ca-certificates $name "$1" >"$out/log" 2>&1
}

# inside FOLDER COMMAND: with mounts that end with it
inside() {
	unshare --mount --pid --fork sh -c 'mount --make-rprivate / && mount -t proc proc "$1/proc" &&
		mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" &&
		exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb chroot "$1" sh -c "$2"' - \
		"$1" "$2"
}
