/* page.js -- the page: keys, mouse, search, what is said of a slice, the PTX beside it. */
"use strict";

let view = null;
const find = { text: "", hits: [], at: -1 };
const id = (name) => document.getElementById(name);

/* ---- what is said ---- */

function describe({ track, slice, counter, at }) {
	if (counter)
		return describeCounter(counter, at);
	const run = track.run, rows = [["", run.name(track, slice)], ["track", track.name]];
	rows.push(["begin", exactTime(track.begin[slice])],
		["duration", exactTime(track.end[slice] - track.begin[slice])]);
	if (track.kind[slice] === INSTRUCTION)
		rows.push(["cycle", Math.floor(track.value[slice] / 64)], ["lanes", track.value[slice] % 64]);
	if (track.kind[slice] === WAIT)
		rows.push(["waits from cycle", track.value[slice]]);
	if (track.line[slice])
		rows.push(["PTX line", track.line[slice] % SOURCE]);
	for (const [name, value] of Object.entries(run.detail(track, slice) || {}))
		if (name !== "line" && name !== "source")
			rows.push([name, value]);
	return rows;
}
function describeCounter(counter, time) {
	const i = upperBound(counter.at, time) - 1, rows = [["", counter.name]];
	if (i < 0)
		return rows;
	rows.push(["window from", exactTime(counter.at[i])]);
	const sum = counter.sums[i], parts = [...counter.parts].filter((part) => part[1][i]);
	for (const [name, values] of parts.sort((a, b) => b[1][i] - a[1][i]).slice(0, 12))
		rows.push([name, values[i] + (counter.parts.size > 1 && sum
			? ` (${(100 * values[i] / sum).toFixed(1)} %)` : "")]);
	return rows;
}
function fill(element, rows) {
	element.replaceChildren(...rows.map(([name, value]) => {
		const line = document.createElement("div"), label = document.createElement("span");
		label.textContent = name ? name + ": " : "";
		label.className = "name";
		line.append(label, String(value));
		if (!name)
			line.className = "title";
		return line;
	}));
}

/* ---- PTX ---- */

let shownSource = null;

function showSource(run, index) {
	const source = run.sources[index], list = id("lines");
	if (!source || shownSource === source)
		return;
	shownSource = source;
	id("file").textContent = source.file;
	const longest = Math.max(1, ...[...run.lines.values()].map((line) => line.waited));
	list.replaceChildren(...source.text.split("\n").map((text, i) => {
		const row = document.createElement("tr"), counts = run.lines.get(i + 1 + index * SOURCE);
		for (const cell of [i + 1, counts?.issued || "",
			counts ? (counts.waited / 1e3).toFixed(1) : "", text]) {
			const element = document.createElement("td");
			element.textContent = cell;
			row.append(element);
		}
		if (counts) {
			row.style.setProperty("--heat", counts.waited / longest);
			row.title = Object.entries(counts.causes).sort((a, b) => b[1] - a[1])
				.map(([cause, time]) => `${cause} ${exactTime(time)}`).join(", ");
		}
		row.dataset.line = i + 1;
		return row;
	}));
}
function markLine(line) {
	for (const row of id("lines").querySelectorAll(".marked"))
		row.classList.remove("marked");
	const row = id("lines").querySelector(`[data-line="${line}"]`);
	row?.classList.add("marked");
	if (row) {
		const box = id("source");
		box.scrollTop = row.offsetTop - box.clientHeight / 2;
	}
}

/* ---- selection ---- */

function select(what) {
	view.selected = what && what.track ? what : null;
	if (what)
		fill(id("about"), describe(what));
	if (view.selected) {
		const { track, slice } = view.selected, line = track.line[slice];
		if (line) {
			showSource(track.run, Math.floor(line / SOURCE));
			markLine(line % SOURCE);
		}
	}
	view.draw();
}
function goTo(what) {
	view.show(what.track);
	const { track, slice } = what, shift = view.shift(track.run);
	view.range(track.begin[slice] - shift, track.end[slice] - shift);
	select(what);
}
/* The slice behind or before the selected one on its track and level. */
function step(by) {
	if (!view.selected)
		return;
	const { track, slice } = view.selected, list = track.byDepth[track.depth[slice]];
	const next = list[list.indexOf(slice) + by];
	if (next === undefined)
		return;
	select({ track, slice: next });
	const begin = track.begin[next] - view.shift(track.run), span = view.to - view.from;
	if (begin < view.from || begin > view.to) {
		view.from = begin - span / 2;
		view.to = view.from + span;
		view.clamp();
	}
}

/* ---- search: a text in names, "line N", an address ---- */

function matcher(text) {
	const line = /^line\s+(\d+)$/i.exec(text), lower = text.toLowerCase();
	if (line)
		return (track, i) => track.line[i] % SOURCE === Number(line[1]) && track.kind[i] !== STAGE;
	const hits = new Map(); /* of texts, of which there are few */
	return (track, i) => {
		const key = track.run.texts[track.text[i]];
		if (!hits.has(key))
			hits.set(key, key.toLowerCase().includes(lower));
		return hits.get(key);
	};
}
function search(text) {
	find.text = text;
	find.hits = [];
	find.at = -1;
	if (text) {
		const fits = matcher(text);
		for (const run of view.runs)
			for (const track of run.tracks.values())
				for (let i = 0; i < track.count; i++)
					if (fits(track, i))
						find.hits.push({ track, slice: i });
		find.hits.sort((a, b) => a.track.begin[a.slice] - b.track.begin[b.slice]);
	}
	id("hits").textContent = text ? `${find.hits.length} found` : "";
}
function nextHit(by) {
	const text = id("search").value.trim();
	if (text !== find.text)
		search(text);
	if (!find.hits.length)
		return;
	find.at = (find.at + by + find.hits.length) % find.hits.length;
	id("hits").textContent = `${find.at + 1} of ${find.hits.length}`;
	goTo(find.hits[find.at]);
}

/* ---- keys, mouse ---- */

const KEYS = {
	w: () => view.zoom(0.7), s: () => view.zoom(1 / 0.7), a: () => view.pan(-90), d: () => view.pan(90),
	"+": () => view.zoom(0.7), "-": () => view.zoom(1 / 0.7), ArrowLeft: () => view.pan(-90),
		ArrowRight: () => view.pan(90),
	ArrowUp: () => scroll(-60), ArrowDown: () => scroll(60), 0: () => fitAll(), n: () => step(1),
		p: () => step(-1),
	f: () => view.selected && goTo(view.selected), "/": () => id("search").focus(),
		Escape: () => select(null),
};

function fitAll() {
	view.fit();
	view.draw();
}
function scroll(by) {
	view.scrollTo(view.scroll + by);
	view.draw();
}
function place(event) {
	const box = view.canvas.getBoundingClientRect();
	return [event.clientX - box.left, event.clientY - box.top];
}
function hover(event) {
	const [x, y] = place(event), what = view.sliceAt(x, y);
	drawMaps(x >= LABELS ? view.time(x) : undefined);
	if (what)
		showTip(event, describe(what));
	else
		id("tip").hidden = true;
}
function showTip(event, rows) {
	const tip = id("tip");
	tip.hidden = false;
	fill(tip, rows);
	tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}
function click(event) {
	const [x, y] = place(event), [row] = view.rowAt(y);
	if (row?.kind === "process" && (x < LABELS || !view.sliceAt(x, y)))
		view.toggle(row.key);
	else if (x >= LABELS)
		select(view.sliceAt(x, y));
}
function listen(canvas) {
	let drag = null;
	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		if (event.ctrlKey || event.metaKey)
			view.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, place(event)[0]);
		else if (event.shiftKey || event.deltaX)
			view.pan(event.deltaX || event.deltaY);
		else
			scroll(event.deltaY);
	}, { passive: false });
	canvas.addEventListener("pointerdown", (event) => {
		drag = { x: event.clientX, y: event.clientY, moved: 0 };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!drag)
			return hover(event);
		const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
		drag = { x: event.clientX, y: event.clientY,
			moved: drag.moved + Math.abs(dx) + Math.abs(dy) };
		if (drag.moved > 4) {
			view.pan(-dx);
			scroll(-dy);
		}
	});
	canvas.addEventListener("pointerup", (event) => {
		if (drag && drag.moved <= 4)
			click(event);
		drag = null;
	});
	canvas.addEventListener("pointerleave", () => {
		id("tip").hidden = true;
		drawMaps();
	});
	canvas.addEventListener("dblclick", (event) => {
		const what = view.sliceAt(...place(event));
		if (what?.track)
			goTo(what);
	});
	addEventListener("keydown", (event) => {
		if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (KEYS[event.key]) {
			event.preventDefault();
			KEYS[event.key]();
		}
	});
	addEventListener("resize", () => view.draw());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
	for (const button of document.querySelectorAll("button[data-key]"))
		button.addEventListener("click", () => KEYS[button.dataset.key]());
	id("search").addEventListener("keydown", (event) => {
		if (event.key === "Enter")
			nextHit(event.shiftKey ? -1 : 1);
		if (event.key === "Escape")
			event.target.blur();
	});
	id("search").addEventListener("input", (event) => search(event.target.value.trim()));
	id("align")?.addEventListener("change", (event) => view.align(event.target.checked));
}

/* ---- beginning ---- */

function sayLeftOut(runs) {
	const parts = runs.flatMap((run) => Object.entries(run.leftOut).map(([kind,
		n]) => `${n} of ${kind}`));
	if (parts.length)
		id("left").textContent = `Left out of the file, beyond its limit: ${parts.join(", ")}.`;
}
async function begin() {
	const state = id("state"), began = performance.now(), runs = [];
	try {
		for (const element of document.querySelectorAll("script[type='application/gzip']"))
			runs.push(await readRun(element.textContent));
	} catch (error) {
		state.textContent = `The timeline cannot be read: ${error}`;
		document.body.dataset.state = "failed";
		return;
	}
	view = new View(id("view"), runs);
	beginMaps(runs);
	view.drawn = () => drawMaps();
	listen(view.canvas);
	const events = runs.reduce((sum, run) => sum + run.events, 0);
	sayLeftOut(runs);
	const first = runs.find((run) => run.sources.length);
	if (first)
		showSource(first, 0);
	else
		document.body.classList.add("no-source");
	const tracks = runs.reduce((sum, run) => sum + run.tracks.size, 0);
	state.textContent = `${events} events on ${tracks} tracks`;
	view.drawNow();
	document.body.dataset.read = Math.round(performance.now() - began);
	document.body.dataset.state = "ready";
	if (location.hash) { /* index.html#line 57 */
		id("search").value = decodeURIComponent(location.hash.slice(1));
		nextHit(1);
	}
}
begin();
