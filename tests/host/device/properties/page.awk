# tests/host/device/properties/page.awk -- docs/user/device-properties.md, from what each chip says (CHIP.txt:
# NAME VALUE), published.txt and differences.txt. -v chips="gtx480 ...", -v folder=where CHIP.txt are.
function short(name) { sub(/^MAXIMUM_/, "", name); return "`" name "`" }
function published_of(name, chip) { return (name SUBSEP chip) in card ? card[name, chip] : "" }
BEGIN { count = split(chips, chip, " ") }
FILENAME ~ /published.txt$/ && !/^#/ {
	for (i = 2; i <= NF; i++) { split($i, pair, "="); card[$1, pair[1]] = pair[2]; compared++ }
	next
}
FILENAME ~ /differences.txt$/ && !/^#/ {
	reason = $0; sub(/^[^ ]+ [^ ]+ /, "", reason)
	notes[++note] = reason; n = split($2, some, ",")
	for (i = 1; i <= n; i++) why[$1, some[i]] = note
	next
}
/^#/ { next }
{
	name = FILENAME; sub(/.*\//, "", name); sub(/\.txt$/, "", name)
	if (!((name, $1) in value)) { if (name == chip[1]) order[++rows] = $1 }
	value[name, $1] = $2
}
END {
	for (r = 1; r <= rows; r++) {
		name = order[r]; same = 1
		for (c = 2; c <= count; c++) same = same && value[chip[c], name] == value[chip[1], name]
		cells = ""
		for (c = 1; c <= count; c++) {
			mine = value[chip[c], name]; its = published_of(name, chip[c])
			cell = mine
			if (its != "" && its != mine) {
				if (!((name, chip[c]) in why)) { print name, chip[c] ": " mine ", published " its >"/dev/stderr"; bad = 1 }
				cell = mine " (" its ")[" why[name, chip[c]] "]"; differ++; same = 0
			}
			if ((name, chip[c]) in why && (its == "" || its == mine)) {
				print name, chip[c] ": a difference is explained, and there is none" >"/dev/stderr"; bad = 1
			}
			cells = cells " " cell " |"
		}
		if (!same) varied = varied "| " short(name) " |" cells "\n"
		else if (value[chip[1], name]) alike = alike "| " short(name) " | " value[chip[1], name] " |\n"
		else zero = zero (zero == "" ? "" : " ") short(name)
	}
	print "# What the simulated devices say of themselves\n"
	print "A program asks the GPU for its properties with `cudaGetDeviceProperties` or `cuDeviceGetAttribute`. This page\n" \
		"lists what each simulated chip answers. Where a real card answers something else, its answer stands in\n" \
		"brackets, with the number of the reason, which follows the first table. For example, `-c v100` says\n" \
		"`1447000 (1380000)[3]` for its clock: the simulated chip has 1447 MHz, the card 1380, and reason 3 says why.\n" \
		"Clocks are in kHz. `ga100` is no real card.\n\n" \
		"The name of each device ends in \"(simulated)\", by which a program can tell. `h100` and `titanx` have no\n" \
		"column; `lockstep config show -c h100` prints what they are configured with.\n\n" \
		"Most values follow from the configuration. For example, `MULTIPROCESSOR_COUNT` is `gpu.sms`, so that\n" \
		"`--set gpu.sms=30` changes what a program is told. " compared " values were compared with published ones, and\n" \
		differ + 0 " differ; `tests/host/device/properties/published.txt` names the sources.\n\n## Properties that differ between chips\n"
	head = "| attribute |"; line = "|---|"
	for (c = 1; c <= count; c++) { head = head " " chip[c] " |"; line = line "---|" }
	printf "%s\n%s\n%s\n", head, line, varied
	print "Reasons:\n"
	for (i = 1; i <= note; i++) print i ". " notes[i]
	printf "\n## Properties that all chips share\n\n| attribute | value |\n|---|---|\n%s\n", alike
	print "## Properties that are 0 for all chips\n\nThe simulator does not have these features and limits:\n"
	n = split(zero, name_of, " "); text = ""
	for (i = 1; i <= n; i++) {
		if (length(text) + length(name_of[i]) > 105) { print text; text = "" }
		text = text (text == "" ? "" : " ") name_of[i]
	}
	print text
	exit bad
}
