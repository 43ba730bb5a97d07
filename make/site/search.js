// make/site/search.js -- the search of the documentation. The index (search-index.js: page, title, part, text
// of each part) was made with the pages, and is read when somebody first wants to search. Every word must
// occur; parts with words in their headings come first.
"use strict";
(function () {
	const root = document.currentScript.dataset.root + "/";
	const MOST = 30, AROUND = 25;
	const form = document.getElementById("search"), field = form.querySelector("input");
	const found = document.getElementById("found");
	let chosen = -1, loading = false;

	function load() {
		if (loading) return;
		loading = true;
		const script = document.createElement("script");
		script.src = root + "search-index.js";
		script.onload = show;
		document.head.append(script);
	}

	const occurrences = (text, word) => text.toLowerCase().split(word).length - 1;

	// How well a part fits: 0 if a word does not occur in it.
	function score([page, title, part, text], words) {
		const heading = part || title;
		let sum = 0;
		for (const word of words) {
			const in_heading = occurrences(heading, word), in_title = occurrences(title, word);
			const in_text = occurrences(text, word);
			if (!in_heading && !in_title && !in_text) return 0;
			// the nearer a heading is to the word alone, the better
			sum += in_heading ? 20 + Math.round(40 * word.length / heading.length) : 0;
			sum += (in_title ? 8 : 0) + Math.min(in_text, 5);
		}
		const is_for_users = /^(reference|docs\/user)\//.test(page) || !page.includes("/");
		return sum * (is_for_users ? 2 : 1);
	}

	function element(name, text) {
		const e = document.createElement(name);
		if (text) e.textContent = text;
		return e;
	}

	// The text around the first word, with all words marked.
	function excerpt(text, words) {
		const line = element("span");
		const first = text.toLowerCase().indexOf(words[0]);
		const begin = Math.max(0, first - AROUND);
		let rest = (begin ? "... " : "") + text.slice(begin, begin + 14 * AROUND);
		while (rest) {
			let at = -1, length = 0;
			for (const word of words) {
				const here = rest.toLowerCase().indexOf(word);
				if (here >= 0 && (at < 0 || here < at)) { at = here; length = word.length; }
			}
			if (at < 0) break;
			line.append(rest.slice(0, at), element("mark", rest.slice(at, at + length)));
			rest = rest.slice(at + length);
		}
		line.append(rest);
		return line;
	}

	function show() {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		chosen = -1;
		found.replaceChildren();
		found.hidden = !words.length || typeof searchIndex === "undefined";
		if (found.hidden) return;
		const hits = searchIndex.map(entry => [score(entry, words), entry]).filter(hit => hit[0] > 0);
		hits.sort((a, b) => b[0] - a[0]);
		const list = element("ol");
		for (const [, [page, title, part, text]] of hits.slice(0, MOST)) {
			const link = element("a"), item = element("li");
			link.href = root + page;
			link.append(element("b", part || title), part ? " - " + title : "");
			link.append(excerpt(text, words));
			item.append(link);
			list.append(item);
		}
		const count = hits.length > MOST ? `the first ${MOST} of ${hits.length}` : hits.length;
		const said = hits.length ? `Parts with these words: ${count}` : "No part has all these words.";
		found.append(element("p", said), list);
	}

	function choose(step) {
		const links = found.querySelectorAll("a");
		if (!links.length) return;
		links[chosen]?.classList.remove("chosen");
		chosen = (chosen + step + links.length) % links.length;
		links[chosen].classList.add("chosen");
		links[chosen].scrollIntoView({ block: "nearest" });
	}

	form.hidden = false;
	field.addEventListener("focus", load);
	field.addEventListener("input", show);
	form.addEventListener("submit", event => {
		event.preventDefault();
		(found.querySelector("a.chosen") || found.querySelector("a"))?.click();
	});
	document.addEventListener("keydown", event => {
		if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
		else if (event.key === "/" && document.activeElement !== field) {
			event.preventDefault();
			field.focus();
		} else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
			event.preventDefault();
			choose(event.key === "ArrowDown" ? 1 : -1);
		}
	});
	found.addEventListener("click", event => { if (event.target.closest("a")) found.hidden = true; });
	// A page with ?q=WORDS behind its address begins with a search
	const asked = new URLSearchParams(location.search).get("q");
	if (asked) { field.value = asked; load(); }
	// The list of pages is open where it stands beside the text.
	const menu = document.getElementById("menu"), wide = matchMedia("(min-width: 1000px)");
	const open = () => { menu.open = wide.matches; };
	open();
	wide.addEventListener("change", open);
	document.querySelector("nav.pages [aria-current]")?.scrollIntoView({ block: "nearest" });
	scrollTo(0, location.hash ? scrollY : 0);
})();
