#!/bin/sh
# Installs the Debian packages that the build and the tests need, when it may; else prints the one command to type.
set -eu
packages="gcc make flex bison libyaml-dev libgsl-dev libsqlite3-dev libxxhash-dev gnuplot-nox libcriterion-dev"
missing=""
for p in $packages; do
	case "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null || true)" in
	*"ok installed"*) ;;
	*) missing="$missing $p" ;;
	esac
done
[ -z "$missing" ] && exit 0
echo "missing Debian packages:$missing"
as=""
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		as="sudo -n"
	else
		echo "to install them, type: sudo apt-get update && sudo apt-get install -y$missing" >&2
		exit 1
	fi
fi
if ! { DEBIAN_FRONTEND=noninteractive $as apt-get -qq install -y $missing >/dev/null 2>&1 ||
	{ $as apt-get -qq update && DEBIAN_FRONTEND=noninteractive $as apt-get -qq install -y $missing >/dev/null; }; }; then
	echo "they could not be installed; type: sudo apt-get update && sudo apt-get install -y$missing" >&2
	exit 1
fi
