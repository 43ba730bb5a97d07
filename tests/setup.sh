#!/bin/sh
# Installs the Debian packages that the build and the tests need, when it may; else prints the one command to
# type. Some tests need more than the rest (a Slurm cluster, a browser, clang-format): OPTIONAL=1 installs
# that, too. Without it those tests are skipped.
set -eu
packages="gcc make flex bison libyaml-dev libzstd-dev zlib1g-dev libgsl-dev libiberty-dev libsqlite3-dev libxxhash-dev libmicrohttpd-dev gnuplot-nox"
packages="$packages pkgconf fonts-dejavu-core sqlite3 libxml2-utils libcriterion-dev"
optional="slurm-wlm munge chromium clang-format-14 pandoc zsh"

# of those named, the ones that are not installed
missing_of() {
	for p; do
		case "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null || true)" in
		*"ok installed"*) ;;
		*) printf ' %s' "$p" ;;
		esac
	done
}

install() {
	DEBIAN_FRONTEND=noninteractive $as apt-get -qq install -y "$@" >/dev/null 2>&1 ||
		{ $as apt-get -qq update && DEBIAN_FRONTEND=noninteractive $as apt-get -qq install -y "$@" \
			>/dev/null; }
}

# The tests start a cluster of their own, and want no service of the system.
no_services() {
	[ ! -d /run/systemd/system ] || $as systemctl -q disable --now munge slurmctld slurmd 2>/dev/null ||
		true
}

may=yes as=""
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as="sudo -n"; else may=no; fi
fi

missing=$(missing_of $packages)
if [ -n "$missing" ]; then
	echo "missing Debian packages:$missing"
	if [ $may = no ] || ! install $missing; then
		echo "to install them, type: sudo apt-get update && sudo apt-get install -y$missing" >&2
		exit 1
	fi
fi

missing=$(missing_of $optional)
if [ -n "$missing" ] && [ -n "${OPTIONAL:-}" ]; then
	new_slurm=$(missing_of munge slurmctld slurmd)
	if [ $may = no ] || ! install --no-install-recommends $missing; then
		echo "some tests are skipped without Debian's packages$missing"
	elif [ -n "$new_slurm" ]; then
		no_services
	fi
fi
