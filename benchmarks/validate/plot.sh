# plot.sh -- part of validate.sh: what was measured against the hardware, both axes logarithmic, with lines at
# 10 and 25 per cent: OUT/plot.svg by gnuplot, from OUT/plot.dat and OUT/plot.gp. Figures of different units
# share the axes; how far a mark is from the diagonal is its error. Without gnuplot, data and script remain.
# shellcheck shell=sh disable=SC2154

# plot TITLE MODE: draws $out/measured (part|name|mode|unit|ours|hardware|peers' two|source), of programs those
# of MODE
plot() {
	awk -F'|' -v own="$2" '
		{ kind = $7 == "-" ? "figures" : "programs" }
		$5 <= 0 || $6 <= 0 || (kind == "programs" && $3 != own) { next }
		{ line[kind, $1] = line[kind, $1] $6 " " $5 " \"" $2 "\"\n" }
		kind == "programs" { line["peers", 1] = line["peers", 1] $6 " " $7 "\n"
			line["peers", 2] = line["peers", 2] $6 " " $8 "\n" }
		END {
			n = split("figures:training figures:held-out programs:training programs:held-out peers:1 peers:2", \
				set, " ")
			for (i = 1; i <= n; i++) { # an empty set has a mark that is not drawn
				split(set[i], key, ":")
				printf "%s\n\n", (key[1], key[2]) in line ? line[key[1], key[2]] : \
					"NaN NaN\n"
			}
		}' "$out/measured" >"$out/plot.dat"
	peers=
	if grep -q '|[0-9.]*|[0-9.]*|[^|]*$' "$out/measured"; then
		peers=", f index 4 w p pt 1 ps 0.6 lc rgb '#999999' t 'GPGPU-Sim 3.x', \\
f index 5 w p pt 2 ps 0.6 lc rgb '#777777' t 'Accel-Sim'"
	fi
	cat >"$out/plot.gp" <<END
set terminal svg size 760,720 font 'sans,12'
set output '$out/plot.svg'
set title '$1'
set logscale xy
set format xy '10^{%T}'
set xlabel 'hardware'
set ylabel 'simulated'
set key top left
set grid lc rgb '#dddddd'
f = '$out/plot.dat'
stats f using 1 nooutput
set xrange [STATS_min / 2 : STATS_max * 2]
plot x w l lc rgb '#000000' t 'equal', \\
1.1 * x w l lc rgb '#4477aa' t '10 %', x / 1.1 w l lc rgb '#4477aa' notitle, \\
1.25 * x w l dt 2 lc rgb '#cc6677' t '25 %', x / 1.25 w l dt 2 lc rgb '#cc6677' notitle, \\
f index 0 w p pt 7 ps 0.7 lc rgb '#117733' t 'figures, training', \\
f index 1 w p pt 6 ps 0.8 lc rgb '#117733' t 'figures, held out', \\
f index 2 w p pt 5 ps 0.7 lc rgb '#882255' t 'programs, training', \\
f index 3 w p pt 4 ps 0.8 lc rgb '#882255' t 'programs, held out'$peers
END
	if ! command -v gnuplot >/dev/null; then
		echo "validate: no gnuplot: $out/plot.gp would draw $out/plot.dat" >&2
	elif gnuplot "$out/plot.gp" 2>"$out/plot.log"; then
		echo "validate: drawn in $out/plot.svg" >&2
	else
		echo "validate: gnuplot $out/plot.gp failed: $(tail -n 1 "$out/plot.log")" >&2
		return 1
	fi
}
