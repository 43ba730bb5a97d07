/* model.js -- reads a timeline: tracks with their slices, counters, arrows, PTX. Times are picoseconds. */
"use strict";

const INSTRUCTION = 0, WAIT = 1, STAGE = 2, OTHER = 3;
const KINDS = { instruction: INSTRUCTION, wait: WAIT, stage: STAGE };

/* A list of numbers that grows. */
class Numbers {
	constructor(Kind) {
		this.values = new Kind(64);
		this.length = 0;
	}
	push(value) {
		if (this.length === this.values.length) {
			const larger = new this.values.constructor(2 * this.length);
			larger.set(this.values);
			this.values = larger;
		}
		this.values[this.length++] = value;
	}
	/* In the order of positions. */
	sorted(order) {
		const result = new this.values.constructor(this.length);
		for (let i = 0; i < this.length; i++)
			result[i] = this.values[order[i]];
		return result;
	}
}

class Track {
	constructor(run, process, thread) {
		this.run = run;
		this.process = process;
		this.thread = thread;
		this.name = "";
		this.begin = new Numbers(Float64Array);
		this.end = new Numbers(Float64Array);
		this.text = new Numbers(Uint32Array); /* index in run.texts */
		this.kind = new Numbers(Uint8Array);
		this.line = new Numbers(Uint32Array);
		this.value = new Numbers(Float64Array); /* a cycle, or index in run.details */
		this.instants = [];
	}
	/* Slices by their beginnings, the longer first, and how deep each lies in others. */
	finish() {
		const order = Array.from({ length: this.begin.length }, (_, i) => i);
		const begin = this.begin.values, end = this.end.values;
		order.sort((a, b) => begin[a] - begin[b] || end[b] - end[a] || a - b);
		for (const field of ["begin", "end", "text", "kind", "line", "value"])
			this[field] = this[field].sorted(order);
		this.count = order.length;
		this.depth = new Uint8Array(this.count);
		this.levels = 1;
		const open = [];
		for (let i = 0; i < this.count; i++) {
			while (open.length && open[open.length - 1] <= this.begin[i])
				open.pop();
			this.depth[i] = open.length;
			this.levels = Math.max(this.levels, open.length + 1);
			open.push(this.end[i]);
		}
		this.byDepth = Array.from({ length: this.levels }, () => []);
		for (let i = 0; i < this.count; i++)
			this.byDepth[this.depth[i]].push(i);
		this.instants.sort((a, b) => a.at - b.at);
	}
}

class Run {
	constructor(title) {
		this.title = title;
		this.tracks = new Map();
		this.processes = new Map();
		this.counters = new Map();
		this.texts = [];
		this.textOf = new Map();
		this.details = [];
		this.flows = new Map();
		this.sources = [];
		this.leftOut = {};
		this.events = 0;
		this.shift = 0;
	}
	track(process, thread) {
		const key = process * 65536 + thread;
		let track = this.tracks.get(key);
		if (!track)
			this.tracks.set(key, track = new Track(this, process, thread));
		return track;
	}
	textIndex(text) {
		let i = this.textOf.get(text);
		if (i === undefined) {
			this.textOf.set(text, i = this.texts.length);
			this.texts.push(text);
		}
		return i;
	}
	slice(e) {
		const track = this.track(e.pid, e.tid), begin = picoseconds(e.ts);
		const kind = KINDS[e.cat] ?? OTHER;
		track.begin.push(begin);
		track.end.push(begin + picoseconds(e.dur));
		track.text.push(this.textIndex(e.name));
		track.kind.push(kind);
		track.line.push(e.args.line ? e.args.line + (e.args.source || 0) * SOURCE : 0);
		if (kind === INSTRUCTION || kind === WAIT)
			track.value.push(kind === INSTRUCTION
				? e.args.cycle * 64 + e.args.lanes : e.args.cycle);
		else {
			track.value.push(this.details.length);
			this.details.push(kind === STAGE ? null : { category: e.cat, ...e.args });
		}
	}
	counter(e) {
		let counter = this.counters.get(e.name);
		if (!counter)
			this.counters.set(e.name,
				counter = { run: this, name: e.name, at: [], parts: new Map(), sums: [] });
		const i = counter.at.length;
		counter.at.push(picoseconds(e.ts));
		for (const [part, value] of Object.entries(e.args)) {
			if (!counter.parts.has(part))
				counter.parts.set(part, []);
			counter.parts.get(part)[i] = value;
		}
	}
	flow(e) {
		const key = e.cat + e.id, end = { track: this.track(e.pid, e.tid), at: picoseconds(e.ts) };
		const flow = this.flows.get(key) || {};
		flow[e.ph] = end;
		this.flows.set(key, flow);
	}
	event(e) {
		this.events++;
		if (e.ph === "X")
			this.slice(e);
		else if (e.ph === "C")
			this.counter(e);
		else if (e.ph === "s" || e.ph === "f")
			this.flow(e);
		else if (e.ph === "i")
			this.track(e.pid, e.tid).instants.push({ at: picoseconds(e.ts), name: e.name });
		else if (e.name === "process_name")
			this.processes.set(e.pid, e.args.name);
		else if (e.name === "thread_name")
			this.track(e.pid, e.tid).name = e.args.name;
	}
	/* A part that a window does not name was 0 in the one before, too. */
	finishCounter(counter) {
		for (const values of counter.parts.values())
			for (let i = 0; i < counter.at.length; i++)
				values[i] ??= 0;
		counter.most = 0;
		for (let i = 0; i < counter.at.length; i++) {
			let sum = 0;
			for (const values of counter.parts.values())
				sum += values[i];
			counter.sums[i] = sum;
			counter.most = Math.max(counter.most, sum);
		}
	}
	finish() {
		this.first = Infinity;
		this.last = 0;
		this.kernel = Infinity; /* beginning of the first */
		for (const track of this.tracks.values()) {
			track.finish();
			for (let i = 0; i < track.count; i++) {
				this.first = Math.min(this.first, track.begin[i]);
				this.last = Math.max(this.last, track.end[i]);
				if (track.process === STREAMS && this.detail(track, i)?.category === "kernel")
					this.kernel = Math.min(this.kernel, track.begin[i]);
			}
		}
		for (const counter of this.counters.values())
			this.finishCounter(counter);
		if (!this.tracks.size)
			this.first = 0;
		this.lines = this.countLines();
		this.arrows = [...this.flows.values()].filter((flow) => flow.s && flow.f);
		delete this.flows;
		delete this.textOf;
	}
	detail(track, i) {
		return track.kind[i] === OTHER ? this.details[track.value[i]] : null;
	}
	name(track, i) {
		return this.texts[track.text[i]];
	}
	/* What each PTX line did in the detail: instructions, and time of waits before it by cause. */
	countLines() {
		const lines = new Map();
		for (const track of this.tracks.values())
			for (let i = 0; i < track.count; i++) {
				if (!track.line[i] || track.kind[i] > WAIT)
					continue;
				let line = lines.get(track.line[i]);
				if (!line)
					lines.set(track.line[i], line = { issued: 0, waited: 0, causes: {} });
				if (track.kind[i] === INSTRUCTION) {
					line.issued++;
					continue;
				}
				const time = track.end[i] - track.begin[i], cause = this.name(track, i);
				line.waited += time;
				line.causes[cause] = (line.causes[cause] || 0) + time;
			}
		return lines;
	}
}

const STREAMS = 1, COUNTERS = 2; /* processes */
const WARPS = 1024; /* the first track of an SM that is none of CTAs */
const SOURCE = 1 << 22; /* line + source * SOURCE */

function picoseconds(microseconds) {
	return Math.round(microseconds * 1e6);
}

/* The lines of a gzip stream in base64, as they come. */
async function readLines(base64, take) {
	const binary = atob(base64.replace(/\s+/g, ""));
	const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
	const text = new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream("gzip"))
		.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	for (;;) {
		const { value, done } = await text.read();
		if (done)
			break;
		const lines = (rest + value).split("\n");
		rest = lines.pop();
		for (const line of lines)
			take(line);
	}
	take(rest);
}

/* The first line has what is said of the run, each event has a line, the last lines have the PTX. */
async function readRun(base64) {
	const run = new Run("");
	let tail = null;
	await readLines(base64, (line) => {
		if (tail !== null)
			tail += line + "\n";
		else if (line.startsWith('{"ph"'))
			run.event(JSON.parse(line.endsWith(",") ? line.slice(0, -1) : line));
		else if (line.startsWith('{"displayTimeUnit"'))
			run.title = JSON.parse(line + "]}").otherData.title || "";
		else if (line.startsWith("]"))
			tail = "{" + line.slice(2) + "\n";
	});
	if (tail) {
		const more = JSON.parse(tail).lockstep;
		run.sources = more.sources;
		run.leftOut = more.left_out;
	}
	run.finish();
	return run;
}
