// What the parts of the page's script share. Without the script the page has all numbers, in the order of the
// sweep; the script adds sorting, filters, tooltips and another baseline.
var lockstep = {};
(function () {

// An element with attributes and children; a text stands for a text node.
lockstep.make = function (tag, attributes, children) {
	var e = document.createElement(tag);
	Object.keys(attributes || {}).forEach(function (name) {
		e.setAttribute(name, attributes[name]);
	});
	(children || []).forEach(function (child) {
		e.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
	});
	return e;
};
lockstep.all = function (selector, under) {
	return Array.prototype.slice.call((under || document).querySelectorAll(selector));
};
lockstep.list = function (items) { return Array.prototype.slice.call(items); };

// A link to a row opens the folded sections that contain the row.
function open() {
	var at = location.hash ? document.getElementById(location.hash.slice(1)) : null, folded = at;
	if (at) at.hidden = false;
	while ((folded = folded ? folded.parentElement : null))
		if (folded.tagName === "DETAILS") folded.open = true;
	if (at) at.scrollIntoView();
}
window.addEventListener("hashchange", open);
lockstep.start = function () {
	open();
	document.documentElement.setAttribute("data-script", "ran");
};

})();
