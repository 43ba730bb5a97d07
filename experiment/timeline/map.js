/* map.js -- the chip coloured by power: SMs, L2 slices and DRAM channels of a timeline with their power. */
"use strict";

const PLACES = [["sm", "SM"], ["l2", "L2 slice"], ["dram", "DRAM channel"]];
const WHOLE = [["network", "network"], ["chip", "chip as a whole"], ["board", "board"]];

function make(kind, className, text) {
	const element = document.createElement(kind);
	element.className = className;
	element.textContent = text ?? "";
	return element;
}
function wattsText(watts) {
	return (watts >= 100 ? watts.toFixed(0) : watts >= 9.995 ? watts.toFixed(1) : watts.toFixed(2)) + " W";
}

/* Energies of a place, as sums up to the beginning of each window. */
class Place {
	constructor(name, label, energy) {
		this.name = name;
		this.label = label;
		this.sums = new Float64Array(energy.length + 1);
		for (let i = 0; i < energy.length; i++)
			this.sums[i + 1] = this.sums[i] + energy[i];
	}
}

class PowerMap {
	constructor(run) {
		const watts = run.counters.get("energy.watts"), energy = run.counters.get("energy.place");
		this.run = run;
		this.at = watts.at;
		/* the time in each window in which a kernel was under way */
		const busy = watts.sums.map((w, i) => w ? energy.sums[i] / w : 0);
		this.busy = new Place("", "", busy);
		this.kinds = PLACES.map(([kind, label]) => this.placesOf(kind, label, busy)).filter((k) => k);
		this.whole = WHOLE.map(([name, label]) => new Place("", label,
			energy.parts.get(name) ?? busy.map(() => 0)));
		this.build();
	}
	placesOf(kind, label, busy) {
		const counter = this.run.counters.get(kind + "[*].energy.watts");
		if (!counter)
			return null;
		const places = [...counter.parts].map(([name, watts]) => new Place(name, label + " " + name,
			watts.map((w, i) => w * busy[i])));
		let most = 0;
		for (const watts of counter.parts.values())
			for (const w of watts)
				most = Math.max(most, w);
		return { kind, label, places, most };
	}

	/* ---- the elements ---- */

	build() {
		this.box = make("div", "power");
		this.caption = make("p", "when");
		this.chip = make("div", "chip");
		const [sm, ...others] = this.kinds, half = Math.ceil(sm.places.length / 2);
		const rows = new Map(others.map((k) => [k.kind, k]));
		this.addRow(rows.get("dram"), 0, 0.5);
		this.addRow(sm, 0, half / sm.places.length);
		this.addRow(rows.get("l2"), 0, 1);
		this.addRow(sm, half / sm.places.length, 1);
		this.addRow(rows.get("dram"), 0.5, 1);
		const rest = make("div", "row rest");
		for (const place of this.whole)
			rest.append(this.tile(place, place.label, null));
		const legend = make("p", "legend");
		legend.append(make("span", "scale"), ...this.kinds.map((k) => make("span", "",
			`${k.label}: 0 to ${wattsText(k.most)}`)));
		this.box.append(this.caption, this.chip, rest, legend);
	}
	addRow(kind, from, to) {
		if (!kind)
			return;
		const n = kind.places.length, first = Math.ceil(n * from), row = make("div", "row " + kind.kind);
		row.classList.toggle("many", n > 40);
		row.append(make("span", "kind", kind.label + "s"));
		for (const place of kind.places.slice(first, Math.ceil(n * to)))
			row.append(this.tile(place, place.name, kind));
		this.chip.append(row);
	}
	tile(place, text, kind) {
		const tile = make("div", "tile");
		place.value = make("span", "value");
		place.tile = tile;
		place.kind = kind;
		tile.append(make("span", "number", text), place.value);
		tile.addEventListener("pointermove", (event) => showTip(event, [["", place.label],
			["power", wattsText(place.watts)],
			["of the machine", (100 * place.watts / this.total).toFixed(2) + " %"]]));
		tile.addEventListener("pointerleave", () => { id("tip").hidden = true; });
		return tile;
	}

	/* ---- values ---- */

	/* A sum up to a time, in proportion within a window. */
	sumAt(sums, time) {
		const i = upperBound(this.at, time) - 1;
		if (i < 0)
			return 0;
		const next = this.at[i + 1];
		if (next === undefined)
			return sums[i + 1];
		return sums[i] + (sums[i + 1] - sums[i]) * (time - this.at[i]) / (next - this.at[i]);
	}
	mean(place, from, to) {
		const time = this.sumAt(this.busy.sums, to) - this.sumAt(this.busy.sums, from);
		return time > 0 ? (this.sumAt(place.sums, to) - this.sumAt(place.sums, from)) / time : 0;
	}
	all() {
		return [...this.kinds.flatMap((k) => k.places), ...this.whole];
	}
	show(from, to, text) {
		this.total = 0;
		for (const place of this.all()) {
			place.watts = this.mean(place, from, to);
			this.total += place.watts;
			place.value.textContent = wattsText(place.watts);
			if (place.kind)
				place.tile.style.setProperty("--share", place.kind.most
					? Math.min(1, place.watts / place.kind.most).toFixed(3) : 0);
		}
		this.caption.textContent = `${wattsText(this.total)}, ${text}`;
	}
	showView(view) {
		const shift = view.shift(this.run);
		this.show(view.from + shift, view.to + shift, "mean of the time in view while kernels ran");
	}
	/* The window in which a time lies. */
	showTime(time) {
		this.showWindow(upperBound(this.at, time) - 1);
	}
	showWindow(i) {
		if (i >= 0 && i + 1 < this.at.length)
			this.show(this.at[i], this.at[i + 1], `window from ${exactTime(this.at[i])}`);
	}
}

/* Maps of the runs that have power by place, in the section #map. */
const maps = { all: [], window: 0 };

function beginMaps(runs) {
	maps.all = runs.filter((run) => run.counters.has("energy.place")
		&& run.counters.has("sm[*].energy.watts")).map((run) => new PowerMap(run));
	if (!maps.all.length)
		return;
	const slider = id("window");
	slider.max = Math.max(...maps.all.map((map) => map.at.length - 1));
	slider.addEventListener("input", () => {
		maps.window = Number(slider.value);
		drawMaps();
	});
	for (const map of maps.all) {
		if (runs.length > 1)
			id("map").append(make("p", "kind", map.run.title));
		id("map").append(map.box);
	}
	id("map").hidden = false;
	document.body.classList.add("has-map");
}
/* time: where the pointer is; without it the window of the slider, or the mean of what is in view. */
function drawMaps(time) {
	for (const map of maps.all)
		if (time !== undefined)
			map.showTime(time + view.shift(map.run));
		else if (maps.window)
			map.showWindow(maps.window - 1);
		else
			map.showView(view);
}
