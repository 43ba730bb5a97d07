#!/bin/sh
# tests/install.sh [BUILD] -- make install into a folder that is then moved elsewhere: the command, a
# benchmark and programs that are compiled with pkg-config use what was installed and nothing of the build;
# make uninstall leaves no file behind.
. tests/lib.sh
sanitized && skip_all "an installation has no sanitizers"
top=$PWD
stage=$out/stage
first=$stage/opt/first # where it is put ...
moved=$out/elsewhere   # ... and used from

# -o all: what is built is not looked at again, as other tests use it
make_() { make -s -o all BUILD="$build" DESTDIR="$stage" PREFIX=/opt/first "$@"; }
mkdir -p "$first/lib/lockstep-of-another" "$first/bin"
echo mine >"$first/lib/lockstep-of-another/file"
echo mine >"$first/bin/another"
expect "make install" make_ install
cp -a "$first" "$moved"
expect "make uninstall" make_ uninstall
left=$(cd "$first" && find . -type f -o -type l | sort | xargs)
expect "make uninstall takes what make install has put, and no more" \
	[ "$left" = "./bin/another ./lib/lockstep-of-another/file" ]

expect "... nor a folder of others" [ "$(cd "$first" && find . -type d | sort | xargs)" = \
	". ./bin ./lib ./lib/lockstep-of-another" ]
# Where there was nothing, nothing stays, but for what others have put there since and what was there before.
mkdir "$out/root"
fresh() { make -s -o all BUILD="$build" DESTDIR="$out/root" PREFIX=/a/b "$@"; }
expect "make install, twice" sh -c "make -s -o all BUILD='$build' DESTDIR='$out/root' PREFIX=/a/b install install"
expect "make uninstall" fresh uninstall
expect "make uninstall removes the folders that it made" [ "$(ls -A "$out/root")" = "" ]
expect "make uninstall where nothing is" fresh uninstall
mkdir -p "$out/root/a/b/share"
expect "make install" fresh install
echo mine >"$out/root/a/b/include/mine"
expect "make uninstall" fresh uninstall
expect "... and no others" [ "$(cd "$out/root" && find . | sort | xargs)" = \
	". ./a ./a/b ./a/b/include ./a/b/include/mine ./a/b/share" ]

# installed COMMAND...: from /, with a clean environment
installed() { (cd / && env -i HOME="$out" PATH=/usr/bin:/bin "$@"); }
lockstep=$moved/bin/lockstep

answers 0 "$(cat VERSION)" installed "$lockstep" --version
answers 0 "$moved/share/lockstep/configs" installed "$lockstep" list configs
answers 0 "gtx480" installed "$lockstep" list configs
answers 0 "$moved/lib/lockstep/bench" installed "$lockstep" list benchmarks
answers 0 "policy: mrpb" installed "$lockstep" config show -c +mrpb
bench=$moved/lib/lockstep/bench
answers 0 PASS installed "$lockstep" run -q -o "$out/gemm" -c gtx470 -- "$bench/polybench/gemm" 40
answers 0 "^ptx: $moved/share/lockstep/benchmarks/polybench/gemm/kernel.ptx" \
	installed "$lockstep" run -q -o "" -- "$bench/polybench/gemm" --describe
answers 0 PASS installed "$lockstep" run -q -o "" -- "$bench/micro" control
answers 0 "sdk/vectoradd" installed "$lockstep" bench run sdk/vectoradd --size tiny -o "$out/bench"

# needed LIBRARY: what it asks the dynamic linker for
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | xargs; }
for library in liblockstep.so libcuda.so.1; do
	case $(needed "$moved/lib/lockstep/$library") in
	*gsl* | *blas* | *sqlite*) not_ok "$library needs $(needed "$moved/lib/lockstep/$library")" ;;
	*libc.so*) ok ;;
	*) not_ok "what $library needs cannot be read" ;;
	esac
done

if ! command -v pkg-config >/dev/null 2>&1; then
	echo "note: $0: there is no pkg-config: its two files were not tested"
	finish
fi
PKG_CONFIG_PATH=$moved/lib/pkgconfig
export PKG_CONFIG_PATH
answers 0 "$(cat VERSION)" pkg-config --modversion lockstep
answers 0 "$(cat VERSION)" pkg-config --modversion libptx
# a plug-in, with nothing of the source tree
mkdir "$out/plugin"
cp docs/examples/pc_bypass.c "$out/plugin/"
(cd "$out/plugin" && ${CC:-gcc} -shared -fPIC -Wall -Werror $(pkg-config --cflags lockstep) -o mine.so pc_bypass.c) \
	>"$out/log" 2>&1
expect "a plug-in compiles with the installed headers" [ $? = 0 ] || log_tail
answers 0 PASS installed "$lockstep" run -q -o "$out/plugged" --plugin "$out/plugin/mine.so" \
	--set sm.bypass.policy=pc_bypass -- "$bench/polybench/gemm" 40
expect "... and counts" grep -q '^sm.bypass.pc_bypass.dead ' "$out/plugged/stats.txt"

# compile_with PACKAGE NAME: $out/NAME.c to $out/NAME, in a folder without our headers
compile_with() {
	(cd "$out" && ${CC:-gcc} -std=gnu11 -Wall -Werror $(pkg-config --cflags "$1") -o "$2" "$2.c" \
		$(pkg-config --libs "$1"))
}
cp "$top/tests/host/device/driver_api.c" "$out/"
expect "a program that uses the driver API compiles" compile_with lockstep driver_api
expect "... and runs" installed "$lockstep" run -q -o "" -- "$out/driver_api"

cat >"$out/front.c" <<'END'
#include "frontend/ptx.h"
#include <string.h>
int main(void)
{
	static const char text[] = ".version 3.0\n.target sm_20\n.address_size 64\n.entry k() { ret; }\n";
	struct diag_list diags = { 0 };
	struct ptx_module *module = ptx_parse(text, strlen(text), "k.ptx", &diags);

	puts(module && !diags.errors ? "parsed" : "refused");
	ptx_module_free(module);
	diag_fini(&diags);
	return 0;
}
END
expect "a program that uses the PTX front end compiles" compile_with libptx front
answers 0 parsed installed "$out/front"
finish
