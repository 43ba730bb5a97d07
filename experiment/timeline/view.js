/* view.js -- draws: what rows there are, which time is visible, colours. */
"use strict";

let LABELS = 170; /* pixels of the column of names */
const AXIS = 26, ROW = 17, COUNTER = 44, GAP = 3;

class View {
	constructor(canvas, runs) {
		this.canvas = canvas;
		this.runs = runs;
		this.open = new Set();
		this.scroll = 0;
		this.selected = null;
		this.hovered = null;
		this.isAligned = false;
		this.fit();
		this.layOut();
	}
	fit() {
		this.first = Math.min(...this.runs.map((run) => run.first - this.shift(run)));
		this.last = Math.max(...this.runs.map((run) => run.last - this.shift(run)), this.first + 1);
		this.from = this.first;
		this.to = this.last;
	}
	/* What is taken from the times of a run, so that first kernels begin together. */
	shift(run) {
		return this.isAligned && isFinite(run.kernel) ? run.kernel : 0;
	}
	align(isAligned) {
		this.isAligned = isAligned;
		this.fit();
		this.draw();
	}

	/* ---- rows ---- */

	layOut() {
		this.rows = [];
		for (const run of this.runs) {
			this.rows.push({ kind: "title", text: run.title, height: ROW + GAP });
			this.layOutCounters(run);
			for (const [process, name] of [...run.processes].sort((a, b) => a[0] - b[0]))
				if (process !== COUNTERS)
					this.layOutProcess(run, process, name);
		}
		let y = 0;
		for (const row of this.rows) {
			row.y = y;
			y += row.height;
		}
		this.height = y;
	}
	layOutCounters(run) {
		for (const counter of run.counters.values())
			this.rows.push({ kind: "counter", counter, height: COUNTER + GAP });
	}
	layOutProcess(run, process, name) {
		const tracks = [...run.tracks.values()].filter((t) => t.process === process
			&& (t.count || t.instants.length))
			.sort((a, b) => a.thread - b.thread);
		const key = this.runs.indexOf(run) + "/" + process,
			isOpen = process === STREAMS || this.open.has(key);
		if (process !== STREAMS)
			this.rows.push({ kind: "process", key, name, isOpen, height: ROW + GAP,
				hasDetail: tracks.some((t) => t.thread >= WARPS),
					tracks: tracks.filter((t) => t.thread < WARPS) });
		for (const track of isOpen ? tracks : [])
			this.rows.push({ kind: "track", track, height: track.levels * ROW + GAP });
	}
	toggle(key) {
		if (!this.open.delete(key))
			this.open.add(key);
		this.layOut();
		this.draw();
	}
	show(track) {
		const key = this.runs.indexOf(track.run) + "/" + track.process;
		if (track.process !== STREAMS && !this.open.has(key)) {
			this.open.add(key);
			this.layOut();
		}
		const row = this.rows.find((r) => r.track === track), room = this.size[1] - AXIS;
		if (row && (row.y < this.scroll || row.y + row.height > this.scroll + room))
			this.scrollTo(row.y - room / 3);
	}
	scrollTo(y) {
		this.scroll = Math.max(0, Math.min(y, this.height - this.size[1] + AXIS));
	}

	/* ---- time and pixels ---- */

	x(time, run) {
		return LABELS + (time - this.shift(run) - this.from) * this.scale;
	}
	time(x) {
		return this.from + (x - LABELS) / this.scale;
	}
	zoom(factor, x) {
		const at = this.time(x ?? (LABELS + this.size[0]) / 2);
		const span = Math.max(200, Math.min((this.to - this.from) * factor,
			(this.last - this.first) * 1.02));
		const share = (at - this.from) / (this.to - this.from);
		this.from = at - span * share;
		this.to = this.from + span;
		this.clamp();
	}
	pan(pixels) {
		const by = pixels / this.scale;
		this.from += by;
		this.to += by;
		this.clamp();
	}
	clamp() {
		const span = this.to - this.from, edge = (this.last - this.first) * 0.01;
		this.from = Math.max(this.first - edge, Math.min(this.from, this.last + edge - span));
		this.to = this.from + span;
		this.draw();
	}
	range(from, to) {
		const edge = Math.max((to - from) * 0.05, 100);
		this.from = from - edge;
		this.to = to + edge;
		this.clamp();
	}

	/* ---- drawing ---- */

	draw() {
		this.isDue = this.isDue || requestAnimationFrame(() => {
			this.isDue = 0;
			this.drawNow();
		}) || true;
	}
	drawNow() {
		const began = performance.now(), box = this.canvas.getBoundingClientRect(),
			ratio = devicePixelRatio || 1;
		this.size = [box.width, box.height];
		LABELS = box.width < 600 ? 104 : 170;
		if (this.canvas.width !== Math.round(box.width * ratio)
			|| this.canvas.height !== Math.round(box.height * ratio)) {
			this.canvas.width = Math.round(box.width * ratio);
			this.canvas.height = Math.round(box.height * ratio);
		}
		this.scale = (box.width - LABELS) / (this.to - this.from);
		this.scrollTo(this.scroll);
		const c = this.c = this.canvas.getContext("2d");
		this.colours = coloursOfPage();
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = this.colours.paper;
		c.fillRect(0, 0, box.width, box.height);
		c.font = "11px system-ui, sans-serif";
		c.textBaseline = "middle";
		this.drawRows();
		this.drawArrows();
		this.drawLabels();
		this.drawAxis();
		this.drawn?.();
		this.took = performance.now() - began;
	}
	*visibleRows() {
		for (const row of this.rows) {
			const y = AXIS + row.y - this.scroll;
			if (y + row.height > AXIS && y < this.size[1])
				yield [row, y];
		}
	}
	drawRows() {
		for (const [row, y] of this.visibleRows()) {
			if (row.kind === "track")
				this.drawTrack(row.track, y);
			else if (row.kind === "process" && !row.isOpen)
				for (const track of row.tracks)
					this.drawLevel(track, 0, y, ROW, 0.35);
			else if (row.kind === "counter")
				this.drawCounter(row.counter, y);
		}
	}
	drawTrack(track, y) {
		for (let depth = 0; depth < track.levels; depth++)
			this.drawLevel(track, depth, y + depth * ROW, ROW, 1);
		this.c.fillStyle = this.colours.ink;
		for (const instant of track.instants) {
			const x = this.x(instant.at, track.run);
			if (x >= LABELS && x <= this.size[0])
				this.c.fillRect(x, y, 1, 5);
		}
	}
	/* Slices of less than a pixel become one with those in the same pixel. */
	drawLevel(track, depth, y, height, alpha) {
		const c = this.c, list = track.byDepth[depth], run = track.run, shift = this.shift(run);
		let i = firstEndingAfter(track, list, this.from + shift);
		c.globalAlpha = alpha;
		while (i < list.length && track.begin[list[i]] < this.to + shift) {
			const slice = list[i], left = Math.max(LABELS, this.x(track.begin[slice], run));
			const right = Math.min(this.size[0], this.x(track.end[slice], run)),
				width = right - left;
			c.fillStyle = colourOf(track, slice);
			c.fillRect(left, y, Math.max(width - (width > 3 ? 0.5 : 0), 0.6), height - 1);
			if (this.selected && this.selected.track === track && this.selected.slice === slice)
				this.outline(left, y, width, height);
			if (width > 24 && alpha === 1)
				this.writeIn(run.name(track, slice), left, y, width, height);
			i = width >= 1 ? i + 1 : firstEndingAfter(track, list,
				this.time(Math.floor(right) + 1) + shift, i + 1);
		}
		c.globalAlpha = 1;
	}
	outline(x, y, width, height) {
		this.c.strokeStyle = this.colours.ink;
		this.c.lineWidth = 2;
		this.c.strokeRect(x + 1, y + 1, Math.max(width - 2, 1), height - 3);
	}
	writeIn(text, x, y, width, height) {
		const c = this.c, most = Math.floor((width - 6) / 5.6);
		if (most < 2)
			return;
		c.fillStyle = "#111";
		c.fillText(text.length > most ? text.slice(0, most - 1) + "…" : text, x + 3,
			y + height / 2 - 0.5);
	}
	drawCounter(counter, y) {
		const c = this.c, run = counter.run, bottom = y + COUNTER, shift = this.shift(run);
		const parts = [...counter.parts.entries()], at = counter.at;
		let i = Math.max(0, upperBound(at, this.from + shift) - 1);
		for (; i < at.length && at[i] < this.to + shift; i++) {
			const left = Math.max(LABELS, this.x(at[i], run));
			let end = i + 1; /* windows in the same pixel: the highest */
			const right = Math.min(this.size[0], this.x(at[i + 1] ?? at[i], run));
			while (end < at.length && this.x(at[end], run) < left + 1)
				end++;
			let best = i;
			for (let k = i; k < end; k++)
				best = counter.sums[k] > counter.sums[best] ? k : best;
			let top = bottom;
			for (const [name, values] of parts) {
				const height = counter.most ? values[best] / counter.most * (COUNTER - 2) : 0;
				c.fillStyle = colourOfText(name === "value" ? counter.name : name);
				c.fillRect(left, top - height, Math.max(right - left, 1), height);
				top -= height;
			}
			i = end - 1;
		}
	}
	drawArrows() {
		const at = new Map(), c = this.c;
		if (!this.selected)
			return;
		for (const [row, y] of this.visibleRows())
			if (row.kind === "track")
				at.set(row.track, y);
		c.strokeStyle = this.colours.arrow;
		c.lineWidth = 1.5;
		for (const arrow of arrowsOf(this.selected)) {
			if (!at.has(arrow.s.track) || !at.has(arrow.f.track))
				continue;
			const x0 = this.x(arrow.s.at, arrow.s.track.run),
				x1 = this.x(arrow.f.at, arrow.f.track.run);
			const y0 = at.get(arrow.s.track) + ROW / 2, y1 = at.get(arrow.f.track) + ROW / 2;
			c.beginPath();
			c.moveTo(x0, y0);
			c.bezierCurveTo(x0 + 20, y0, x1 - 20, y1, x1, y1);
			c.stroke();
		}
	}
	drawLabels() {
		const c = this.c;
		c.fillStyle = this.colours.labels;
		c.fillRect(0, AXIS, LABELS, this.size[1]);
		for (const [row, y] of this.visibleRows()) {
			c.fillStyle = this.colours.ink;
			c.save();
			c.beginPath();
			c.rect(0, y, row.kind === "title" ? this.size[0] : LABELS - 4, row.height);
			c.clip();
			if (row.kind === "process")
				c.fillText((row.isOpen ? "▾ " : "▸ ") + row.name + (row.hasDetail
					? " (detail)" : ""), 4, y + ROW / 2);
			else if (row.kind === "track")
				c.fillText(row.track.name, 14, y + ROW / 2);
			else if (row.kind === "title")
				c.fillText(row.text, 4, y + ROW / 2);
			else {
				c.fillText(row.counter.name, 4, y + 9);
				c.fillStyle = this.colours.faint;
				c.fillText("to " + shortNumber(row.counter.most), 4, y + 24);
			}
			c.restore();
			c.fillStyle = this.colours.line;
			c.fillRect(0, y + row.height - 1, this.size[0], 0.5);
		}
	}
	drawAxis() {
		const c = this.c, step = stepOf((this.to - this.from) / Math.max(2,
			(this.size[0] - LABELS) / 110));
		c.fillStyle = this.colours.labels;
		c.fillRect(0, 0, this.size[0], AXIS);
		c.fillStyle = this.colours.ink;
		for (let t = Math.ceil(this.from / step) * step; t < this.to; t += step) {
			const x = LABELS + (t - this.from) * this.scale;
			c.fillRect(x, AXIS - 5, 1, 5);
			c.fillText(timeText(t, step), x + 3, AXIS / 2 - 2);
		}
	}

	/* ---- what lies where ---- */

	rowAt(y) {
		for (const [row, top] of this.visibleRows())
			if (y >= top && y < top + row.height)
				return [row, y - top];
		return [null, 0];
	}
	sliceAt(x, y) {
		const [row, below] = this.rowAt(y);
		if (!row || x < LABELS || y < AXIS)
			return null;
		if (row.kind === "counter")
			return { counter: row.counter, at: this.time(x) + this.shift(row.counter.run) };
		const tracks = row.kind === "track" ? [row.track] : row.kind === "process" && !row.isOpen
			? row.tracks : [];
		for (const track of tracks) {
			const slice = sliceOf(track, row.kind === "track" ? Math.floor(below / ROW) : 0,
				this.time(x) + this.shift(track.run), 1 / this.scale);
			if (slice >= 0)
				return { track, slice };
		}
		return null;
	}
}

/* ---- search in sorted slices ---- */

/* The first in the list, of slices beside each other, that ends after the time. */
function firstEndingAfter(track, list, time, low = 0) {
	let high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (track.end[list[middle]] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
function upperBound(values, time) {
	let low = 0, high = values.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (values[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
function sliceOf(track, depth, time, pixel) {
	const list = track.byDepth[depth];
	if (!list)
		return -1;
	const i = firstEndingAfter(track, list, time - pixel);
	return i < list.length && track.begin[list[i]] <= time + pixel ? list[i] : -1;
}
/* Arrows from or to what is selected. */
function arrowsOf({ track, slice }) {
	return track.run.arrows.filter((arrow) => [arrow.s, arrow.f].some((end) =>
		end.track === track && end.at >= track.begin[slice] && end.at < track.end[slice]));
}

/* ---- colours, texts ---- */

const CAUSES = { issued: "#3b8c4a", not_selected: "#a7d4a0", arithmetic: "#e8c15a", l1_miss: "#d9694f",
	l1_hit: "#e79b77",
	barrier: "#8a6bbd", buffer_empty: "#b9b9b9", control_hazard: "#9a9a9a", constant: "#78b0d6",
		shared: "#4f8fc0",
	ldst_busy: "#c7558b", no_warp: "#e3e3e3", membar: "#6d4c41", phase: "#7c6fd0", products: "#2a9d8f" };

function hash(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return h >>> 0;
}
const colours = new Map();
function colourOfText(text) {
	if (!colours.has(text))
		colours.set(text, CAUSES[text] || `hsl(${hash(text) % 360} 48% 68%)`);
	return colours.get(text);
}
function colourOf(track, slice) {
	const kind = track.kind[slice], text = track.run.name(track, slice);
	if (kind === INSTRUCTION)
		return text.includes("ld.") || text.includes("st.") ? "#2f7fb5" : "#3b8c4a";
	return colourOfText(kind === OTHER && text.startsWith("CTA ") ? text.split(",")[0] : text);
}
function coloursOfPage() {
	const style = getComputedStyle(document.documentElement),
		of = (name) => style.getPropertyValue(name).trim();
	return { paper: of("--paper"), ink: of("--ink"), faint: of("--faint"), labels: of("--labels"),
		line: of("--line"),
		arrow: of("--arrow") };
}
function stepOf(least) {
	let step = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	for (const factor of [1, 2, 5, 10])
		if (step * factor >= least)
			return step * factor;
	return step * 10;
}
/* In a unit that fits the step between two ticks. */
function timeText(time, step) {
	const [unit, size] = step >= 1e9 ? ["ms", 1e9] : step >= 1e6 ? ["µs", 1e6] : ["ns", 1e3];
	const digits = Math.max(0, Math.ceil(-Math.log10(step / size)));
	return (time / size).toFixed(digits) + " " + unit;
}
function exactTime(time) {
	return time >= 1e9 ? (time / 1e9).toFixed(9) + " ms" : time >= 1e6 ? (time / 1e6).toFixed(6) + " µs"
		: (time / 1e3).toFixed(3) + " ns";
}
function shortNumber(n) {
	return n >= 1e9 ? (n / 1e9).toFixed(2) + " G" : n >= 1e6 ? (n / 1e6).toFixed(2) + " M" : n >= 1e4
		? (n / 1e3).toFixed(1) + " K" : String(Math.round(n * 1000) / 1000);
}
