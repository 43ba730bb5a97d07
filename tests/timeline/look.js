/* Put at the end of a copy of the page of a timeline by tests/look.sh: operates it by keys and pointer, and
 * puts what is wrong into attributes of <html>. */
(async function () {
	const html = document.documentElement, found = [];
	const expect = (what, holds) => { if (!holds) found.push(what); };
	const wait = (ms) => new Promise((done) => setTimeout(done, ms));
	const key = (k) => dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
	/* the power of all places is that of the machine, in the whole run and in a window */
	const lookAtMap = (map) => {
		const counters = map.run.counters, watts = counters.get("energy.watts").sums;
		const places = ["sm", "l2", "dram"].reduce((sum, kind) =>
			sum + counters.get(kind + "[*].energy.watts").parts.size, 0);
		expect("each place has a tile", map.chip.querySelectorAll(".tile").length === places);
		const busiest = watts.indexOf(Math.max(...watts));
		document.getElementById("window").value = busiest + 1;
		document.getElementById("window").dispatchEvent(new Event("input"));
		expect(`places of a window have ${map.total} of ${watts[busiest]} W`,
			Math.abs(map.total - watts[busiest]) < 1e-4 * watts[busiest]);
		expect("its hottest tile is coloured", Math.max(...[...map.chip.querySelectorAll(".tile")]
			.map((tile) => Number(tile.style.getPropertyValue("--share")))) > 0.5);
		document.getElementById("window").value = 0;
		document.getElementById("window").dispatchEvent(new Event("input"));
		const mean = map.mean({ sums: map.all().reduce((sums, place) =>
			sums.map((sum, i) => sum + place.sums[i]), new Array(map.at.length + 1).fill(0)) }, view.from, view.to);
		expect("the mean of the run is said", map.total > 0 && Math.abs(map.total - mean) < 1e-6 * mean);
		expect("what is in view is said", map.caption.textContent.includes("in view"));
	};
	/* the browser's clock in this test does not wait for what is unpacked in another thread */
	for (let i = 0; i < 500000 && document.body.dataset.state === "reading"; i++)
		await wait(1);
	expect("the page reads its timelines", document.body.dataset.state === "ready");
	if (document.body.dataset.state === "ready") {
		const runs = view.runs, box = view.canvas.getBoundingClientRect();
		const events = runs.reduce((sum, run) => sum + run.events, 0);
		html.setAttribute("data-events", events);
		html.setAttribute("data-draw", Math.round(view.took));
		expect("the page is as wide as its window", html.scrollWidth <= html.clientWidth);
		expect("the canvas has room", box.width > 300 && box.height > 150);
		expect("the number of events is said",
			document.getElementById("state").textContent.includes(events));

		/* something is drawn beside the names */
		const pixels = view.c.getImageData(LABELS, 30, view.canvas.width - LABELS,
			view.canvas.height - 40).data;
		const colours = new Set();
		for (let i = 0; i < pixels.length; i += 4)
			colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
		expect("there are coloured slices", colours.size > 5);

		const span = view.to - view.from;
		key("w");
		expect("w zooms in", view.to - view.from < span);
		const from = view.from;
		key("d");
		expect("d moves on", view.from > from);
		key("0");
		expect("0 shows the whole run", view.to - view.from === span);

		/* an SM opens, and closes */
		const rows = view.rows.length, sm = view.rows.find((row) => row.kind === "process");
		view.toggle(sm.key);
		expect("an SM has its tracks", view.rows.length > rows);
		view.toggle(sm.key);
		expect("and closes again", view.rows.length === rows);

		/* every slice can be found where it lies */
		let missed = 0, tried = 0;
		for (const track of runs[0].tracks.values())
			for (let i = 0; i < track.count; i += Math.max(1, Math.floor(track.count / 20))) {
				tried++;
				const middle = (track.begin[i] + track.end[i]) / 2;
				missed += sliceOf(track, track.depth[i], middle, 0) !== i;
			}
		expect(`of ${tried} slices ${missed} are not found where they lie`, tried && !missed);

		const stream = [...runs[0].tracks.values()].find((track) => track.process === 1);
		const kernel = runs[0].name(stream, 0);
		const search = document.getElementById("search");
		search.value = kernel;
		search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
		expect("a search selects what it finds",
			view.selected && view.selected.track.run.name(view.selected.track,
			view.selected.slice).includes(kernel));
		expect("what is selected is said",
			document.getElementById("about").textContent.includes(kernel));
		if (runs[0].sources.length) {
			const line = [...runs[0].lines.keys()][0] % SOURCE;
			search.value = "line " + line;
			search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
			expect("a line is found",
				view.selected && view.selected.track.line[view.selected.slice] % SOURCE === line);
			expect("and marked beside",
				document.querySelector(".marked")?.dataset.line === String(line));
			const selected = view.selected.slice;
			key("n");
			expect("n goes to the next slice", view.selected.slice !== selected);
			key("p");
			expect("p goes back", view.selected.slice === selected);
		}
		if (runs.length > 1) {
			document.getElementById("align").click();
			view.drawNow();
			expect("first kernels begin together",
				Math.abs(view.x(runs[0].kernel, runs[0]) - view.x(runs[1].kernel,
					runs[1])) < 1);
			expect("both runs have their rows",
				view.rows.filter((row) => row.kind === "title").length === 2);
		}
		key("Escape");
		key("0");
		view.drawNow();
		for (const map of maps.all)
			lookAtMap(map);
		const point = view.rows.find((row) => row.kind === "track"),
			y = box.top + AXIS + point.y - view.scroll + 5;
		const at = (type, x) => view.canvas.dispatchEvent(new PointerEvent(type,
			{ clientX: x, clientY: y, bubbles: true, pointerId: 1 }));
		at("pointermove", box.left + view.x((point.track.begin[0] + point.track.end[0]) / 2,
			point.track.run));
		expect("the pointer shows what is under it", !document.getElementById("tip").hidden);
	}
	html.setAttribute("data-errors", (window.lookErrors || []).join("; "));
	html.setAttribute("data-found", found.join("; "));
	html.setAttribute("data-script", "ran");
})();
