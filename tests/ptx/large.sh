#!/bin/sh
# tests/ptx/large.sh MEGABYTES -- a module of that size on standard output: the kernels of benchmarks/peer/ptx
# again and again, each with a name of its own.
set -eu
megabytes=${1:?usage: tests/ptx/large.sh MEGABYTES}
cat benchmarks/peer/ptx/*.ptx | awk -v most="$((megabytes * 1000000))" '
	/^\.(version|target|address_size)/ || /^\/\// { next }
	{ line[++lines] = $0 }
	END {
		print ".version 3.2\n.target sm_20\n.address_size 64\n"
		for (i = 1; size < most; i++)
			for (l = 1; l <= lines; l++) {
				text = line[l]
				if (text ~ /\.entry/)
					sub(/\(/, "_" i "(", text)
				print text
				size += length(text) + 1
			}
	}'
