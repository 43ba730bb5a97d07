# volta.awk -- the table of volta.sh: a line for each figure with ours in each mode, then the errors of the part
# that is for training and of the part held out, and those that others' simulators have on the same programs.
function signed(ours, hardware) { return 100 * (ours / hardware - 1) }
function cell(ours, hardware) { return sprintf("%12.2f %+7.1f %%", ours, signed(ours, hardware)) }
function peer(value, hardware) {
	return value == "-" ? sprintf("%9s", "-") : sprintf("%+7.1f %%", signed(value, hardware))
}

# the errors of a mode (or of a peer: its field) over rows of a kind and a part, "" for all: then figures, which
# are measured in one mode each, count in any. `found`, an array, gets them; returns how many
function find_errors(found, who, kind, part,  n, i, row, which) {
	split("", found)
	for (i = 1; i <= rows; i++) {
		row = order[i]
		if ((kind != "" && kind_of[row] != kind) || (part != "" && part_of[row] != part))
			continue
		which = kind == "" && kind_of[row] == "figure" ? figures_mode[row] : who
		if ((which, row) in value && value[which, row] != "-")
			found[++n] = signed(value[which, row], hardware[row])
	}
	return n + 0
}
function errors_of(who, kind, part,  e, n) {
	n = find_errors(e, who, kind, part)
	return errors_text(e, n)
}

{
	row = $2
	if (!(row in hardware)) {
		order[++rows] = row
		part_of[row] = $1
		kind_of[row] = $7 == "-" ? "figure" : "program"
		unit[row] = $4
		hardware[row] = $6
		value["GPGPU-Sim 3.x", row] = $7
		value["Accel-Sim", row] = $8
	}
	value[$3, row] = $5
	if (kind_of[row] == "figure")
		figures_mode[row] = $3
	if (!($3 in seen)) {
		seen[$3]
		mode[++modes] = $3
	}
}

END {
	printf "%-30s %-15s %-8s %12s", "figure", "unit", "part", "hardware"
	for (m = 1; m <= modes; m++)
		printf " %22s", mode[m]
	printf " %9s %9s\n", "GPGPU-Sim", "Accel-Sim"
	for (i = 1; i <= rows; i++) {
		row = order[i]
		printf "%-30s %-15s %-8s %12.2f", row, unit[row], part_of[row], hardware[row]
		for (m = 1; m <= modes; m++)
			printf " %22s", \
				(mode[m], row) in value ? cell(value[mode[m], row], hardware[row]) : "-"
		printf " %s %s\n", peer(value["GPGPU-Sim 3.x", row], hardware[row]),
			peer(value["Accel-Sim", row], hardware[row])
	}
	print ""
	mode[++modes] = "GPGPU-Sim 3.x"
	mode[++modes] = "Accel-Sim"
	for (m = 1; m <= modes; m++)
		for (k = (m > modes - 2) + 1; k <= 2; k++) {
			kind = k == 1 ? "figure" : "program"
			printf "%-14s %-8s training: %s\n", mode[m], kind "s", errors_of(mode[m], kind, "training")
			printf "%-14s %-8s held-out: %s\n", mode[m], kind "s", errors_of(mode[m], kind, "held-out")
		}
	count = find_errors(all, own, "", "")
	print "\n" errors_list(all, count)
	print errors_line(all, count)
}
