"use strict";
/* The replay viewer: draws films (see src/film.rs) step by step. No dependency; every text from a film is set as text.

   window.napsimViewer.mount(element, films, options)
     films    [{name, run, id, unit?}]: name and run are shown, id is the element whose text is the packed film,
							unit is the name in links (id unless given).
     options  {keys: "page"} to take keys from the whole page, not only from within the viewer.
   An element with data-napsim-viewer="ID" is mounted when the page is loaded; ID is a JSON script with the list of films,
   and data-viewer-keys="page" is the option.

   Links: #replay/UNIT/STEP (steps from 1), read on load and on hashchange, written once somebody has moved.
   Keys: see "Keys and signs" below.

   For tests: #viewer-film (select), #viewer-slider, #viewer-step (text), #viewer-status (live text), #viewer-sheet (table),
   #viewer-timeline (svg); [data-viewer-first|prev|play|next|last|next-accepted|next-rejected|worst|ghost|speed];
   [data-viewer-tab="NAME"]; [data-viewer-card="user|accepted|rejected|empty|failed|end"]; [data-viewer-check];
   [data-viewer-todo] with rows [data-todo="keep|done|replaced|undo|new"]; cells [data-cell="B3"]; frames [data-viewer-frame].
   What a film holds under its short keys is told in src/film.rs. */
(() => {
	const KINDS = ["input", "merge", "format", "fill", "font", "border", "align", "paste", "autofill"];
	const ROWS = 300, COLS = 60, CELLS = 15000, LIST_ROWS = 60, SVG = "http://www.w3.org/2000/svg";
	const MARKS = { accepted: "●", rejected: "×", empty: "·", failed: "!" };

	/* Texts: controls and characters that turn the direction of writing are shown as escapes. */
	const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{10d800}-\u{10dfff}]|[\ud800-\udfff]/gu;
	const shown = (text) =>
		String(text).replace(ODD, (c) => {
			const code = c.codePointAt(0);
			return code >= 0x10d800 ? "\\u" + (code - 0x100000).toString(16) : "\\u{" + code.toString(16) + "}";
		});
	const oneLine = (text) => shown(text).replace(/[\n\t]/g, (c) => (c === "\n" ? "\\n" : "\\t"));

	/* An element with attributes and children; texts become text nodes. */
	function el(name, attributes, ...children) {
		const [tag, ...classes] = name.split(".");
		const element = document.createElement(tag || "div");
		if (classes.length) element.className = classes.map((c) => "nv-" + c).join(" ");
		for (const [key, value] of Object.entries(attributes || {})) {
			if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
			else if (value === true) element.setAttribute(key, "");
			else if (value !== false && value != null) element.setAttribute(key, value);
		}
		element.append(...children.flat().filter((child) => child != null && child !== false));
		return element;
	}
	function svg(name, attributes) {
		const element = document.createElementNS(SVG, name);
		for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
		return element;
	}
	const number = (value) => {
		if (value == null) return "–";
		const rounded = Math.round(value * 1000) / 1000;
		return (Object.is(rounded, -0) ? 0 : rounded).toLocaleString("en-US", { maximumFractionDigits: 3 }).replace("-", "−");
	};
	const percent = (value) => (value == null ? "–" : (100 * value).toFixed(1).replace("-", "−") + " %");
	const count = (n, one, many) => `${number(n)} ${n === 1 ? one : many || one + "s"}`;
	function letters(col) {
		let name = "";
		for (let rest = col; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
		return name;
	}
	const key = (row, col) => row * 16385 + col;
	const ratio = (a, b) => (b > 0 ? a / b : 0);
	const precisionOf = (m) => ratio(m[0], m[0] + m[1] + m[3]);

	async function unpack(id) {
		const block = document.getElementById(id);
		if (!block) throw new Error("the page has no data for this trajectory");
		if (typeof DecompressionStream === "undefined")
			throw new Error("this browser is too old (it lacks DecompressionStream)");
		const bytes = Uint8Array.from(atob(block.textContent.trim()), (c) => c.charCodeAt(0));
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
		const film = JSON.parse(await new Response(stream).text());
		if (film.v !== 1) throw new Error("the data are of another version than this page");
		return film;
	}

	/* The sheets and the future after any number of steps. */
	class Stage {
		constructor(film) {
			this.film = film;
			this.done = 0;
			this.sheets = film.sheets.map(() => ({ cells: new Map(), merges: [], made: false }));
			this.futures = [{ list: film.start.map((action) => 2 * action), from: 0 }];
			this.log = [];
		}
		/* Calls `set(sheet, key, look or null, shown or null)` for every cell of some changes. */
		static each(changes, set) {
			for (const change of changes || []) {
				const sheet = change.s || 0;
				for (const [r1, c1, r2, c2, look] of change.l || [])
					for (let r = r1; r <= r2; r++) for (let c = c1; c <= c2; c++) set(sheet, key(r, c), look, null);
				for (const block of change.v || [])
					for (let i = 3; i < block.length; i++) {
						const at = i - 3;
						set(sheet, key(block[0] + Math.floor(at / block[2]), block[1] + (at % block[2])), null, block[i]);
					}
			}
		}
		/* Whether a step changes the sheets for good. */
		static lasts(step) {
			return step.k === "u" || step.a === 1;
		}
		goto(done) {
			while (this.done < done) this.#forward();
			while (this.done > done) this.#back();
		}
		#forward() {
			const step = this.film.steps[this.done];
			const log = { cells: [], merges: [], made: [] };
			if (Stage.lasts(step)) {
				Stage.each(step.c, (sheet, place, look, content) => {
					const cells = this.sheets[sheet].cells;
					const was = cells.get(place);
					log.cells.push([sheet, place, was]);
					const face = was ? was.slice() : [0, 0];
					if (look !== null) face[0] = look;
					if (content !== null) face[1] = content;
					if (face[0] || face[1]) cells.set(place, face);
					else cells.delete(place);
				});
				for (const change of step.c || []) {
					const sheet = this.sheets[change.s || 0];
					if (change.n && !sheet.made) {
						sheet.made = true;
						log.made.push(sheet);
					}
					if (change.m || change.x) {
						log.merges.push([sheet, sheet.merges]);
						const gone = new Set((change.x || []).map(String));
						sheet.merges = sheet.merges.filter((merge) => !gone.has(String(merge))).concat(change.m || []);
					}
				}
			}
			this.log[this.done] = log;
			const future = this.futures[this.done];
			if (!this.futures[this.done + 1]) this.futures[this.done + 1] = this.#next(step, future);
			this.done++;
		}
		#next(step, future) {
			if (step.k === "u") return { list: future.list, from: future.from + 1 };
			return step.a ? { list: rewritten(future.list.slice(future.from), step.e || []), from: 0 } : future;
		}
		#back() {
			this.done--;
			const log = this.log[this.done];
			for (const [sheet, place, was] of log.cells.reverse()) {
				if (was) this.sheets[sheet].cells.set(place, was);
				else this.sheets[sheet].cells.delete(place);
			}
			for (const [sheet, merges] of log.merges.reverse()) sheet.merges = merges;
			for (const sheet of log.made) sheet.made = false;
		}
		/* What is left to do before a step. */
		before(idx) {
			while (this.done < idx) this.#forward();
			const future = this.futures[idx];
			return future.list.slice(future.from);
		}
		left(idx) {
			const future = this.futures[idx];
			return future.list.length - future.from;
		}
	}
	function rewritten(list, edits) {
		const future = list.slice();
		for (const [at, n, inserted] of [...edits].reverse()) future.splice(at, n, ...(inserted || []));
		return future;
	}

	/* The sheet as a table. */
	class Grid {
		constructor(film, stage, onCell) {
			this.film = film;
			this.stage = stage;
			this.onCell = onCell;
			this.sheet = -1;
			this.first = [1, 1];
			this.wrapper = el(".paper");
			this.scroller = el(".scroller", { tabindex: "0", role: "region", "aria-label": "Sheet" }, this.wrapper);
			this.note = el("p.note", { hidden: true });
		}
		size() {
			const [rows, cols] = this.film.extents[this.sheet];
			const wanted = [Math.max(rows + 3, 18), Math.max(cols + 2, 9)];
			const n = Math.min(wanted[1] - this.first[1] + 1, COLS);
			return [Math.min(wanted[0] - this.first[0] + 1, ROWS, Math.floor(CELLS / n)), n, wanted];
		}
		/* Moves the window of rows and columns that are drawn so that a cell is in it. */
		follow(sheet, range) {
			let moved = sheet !== this.sheet;
			if (moved) {
				this.sheet = sheet;
				this.first = [1, 1];
			}
			if (range) {
				const [n, m] = this.size();
				const inside = (i, length) => range[i] >= this.first[i] && range[i] < this.first[i] + length;
				if (!inside(0, n) || !inside(1, m)) {
					const start = (at, step) => (at <= step ? 1 : at - Math.floor(step / 4));
					this.first = [start(range[0], Math.min(ROWS, n)), start(range[1], COLS)];
					moved = true;
				}
			}
			if (moved) this.signature = null;
		}
		draw(ghost, flags) {
			const merges = this.stage.sheets[this.sheet].merges;
			const [rows, cols, wanted] = this.size();
			const signature = [this.sheet, this.first, rows, cols, merges.join(";")].join("|");
			if (signature !== this.signature) this.#build(rows, cols, merges, wanted);
			this.signature = signature;
			const cells = this.stage.sheets[this.sheet].cells;
			const face = (row, col) => ghost.get(key(row, col)) || cells.get(key(row, col)) || [0, 0];
			for (const cell of this.cells) this.#paint(cell, face, flags);
		}
		#build(rows, cols, merges, wanted) {
			const [r0, c0] = this.first;
			const widths = this.film.widths[this.sheet];
			const covered = new Set();
			const spans = new Map();
			for (const [r1, c1, r2, c2] of merges) {
				if (r2 < r0 || c2 < c0 || r1 >= r0 + rows || c1 >= c0 + cols) continue;
				const [row, col] = [Math.max(r1, r0), Math.max(c1, c0)];
				if (covered.has(key(row, col)) || spans.has(key(row, col))) continue;
				const [last, lastCol] = [Math.min(r2, r0 + rows - 1), Math.min(c2, c0 + cols - 1)];
				for (let r = row; r <= last; r++) for (let c = col; c <= lastCol; c++) if (r !== row || c !== col) covered.add(key(r, c));
				spans.set(key(row, col), [last, lastCol, r1, c1]);
			}
			this.cells = [];
			this.heads = [];
			this.sides = [];
			const table = el("table.sheet", { id: "viewer-sheet", "aria-label": "Sheet " + oneLine(this.film.sheets[this.sheet]) });
			const group = el("colgroup", null, el("col.side"));
			let total = 44;
			const head = el("tr", null, el("td.corner"));
			for (let c = c0; c < c0 + cols; c++) {
				const width = widths[c - 1] || 64;
				total += width;
				const col = el("col");
				col.style.width = width + "px";
				group.append(col);
				const th = el("th", { scope: "col" }, letters(c));
				this.heads.push(th);
				head.append(th);
			}
			table.style.width = total + "px";
			const body = el("tbody");
			for (let r = r0; r < r0 + rows; r++) {
				const th = el("th", { scope: "row" }, String(r));
				this.sides.push(th);
				const line = el("tr", null, th);
				for (let c = c0; c < c0 + cols; c++) {
					if (covered.has(key(r, c))) continue;
					const span = spans.get(key(r, c));
					const [last, lastCol, row, col] = span || [r, c, r, c];
					const td = el("td", { "data-cell": letters(col) + row });
					if (span) {
						if (last > r) td.rowSpan = last - r + 1;
						if (lastCol > c) td.colSpan = lastCol - c + 1;
					}
					line.append(td);
					this.cells.push({ td, row, col, last, lastCol, top: r === r0, left: c === c0, key: "" });
				}
				body.append(line);
			}
			table.append(group, el("thead", null, head), body);
			table.addEventListener("click", (event) => {
				const td = event.target.closest("td[data-cell]");
				const cell = td && this.cells.find((known) => known.td === td);
				if (cell) this.onCell(this.sheet, cell.row, cell.col);
			});
			this.frames = el(".frames", { "aria-hidden": "true" });
			this.wrapper.replaceChildren(table, this.frames);
			const cut = wanted[0] > r0 + rows - 1 || wanted[1] > c0 + cols - 1 || r0 > 1 || c0 > 1;
			this.note.hidden = !cut;
			this.note.textContent = `Rows ${r0}–${r0 + rows - 1} and columns ${letters(c0)}–${letters(c0 + cols - 1)} of a larger sheet are drawn.`;
		}
		#paint(cell, face, flags) {
			const { td, row, col, last, lastCol } = cell;
			const own = face(row, col);
			const right = face(row, lastCol + 1)[0];
			const below = face(last + 1, col)[0];
			const end = last > row || lastCol > col ? [face(row, lastCol)[0], face(last, col)[0]] : [own[0], own[0]];
			const content = this.film.shown[own[1]];
			const runs = content.length && !face(row, lastCol + 1)[1];
			const flag = flags.get(key(row, col)) || "";
			const paint = own.concat(end, right, below, runs, flag).join();
			if (paint === cell.key) return;
			cell.key = paint;
			const looks = this.film.looks;
			const look = looks[own[0]];
			const kind = content[1];
			const align = /^(left|right|center|justify)/.exec(look.h || "")?.[0] || { n: "right", b: "center" }[kind] || "left";
			td.className = flag;
			const style = Object.assign(td.style, {
				background: look.f || "",
				color: content[3] || look.c || "",
				fontWeight: look.b ? "700" : "",
				fontStyle: look.i ? "italic" : "",
				textDecoration: look.u ? (look.uu ? "underline double" : "underline") : "",
				fontSize: look.z ? Math.min(look.z * 0.12, 60) + "px" : "",
				fontFamily: look.n ? JSON.stringify(look.n) + ", Calibri, Carlito, sans-serif" : "",
				textAlign: align,
				verticalAlign: { top: "top", center: "middle", middle: "middle" }[look.v] || "bottom",
			});
			const line = (edge) => {
				if (!edge) return null;
				const kinds = { double: "3px double", dotted: "1px dotted", dashed: "1px dashed", thin: "1px solid" };
				return (kinds[edge[0]] || "1px dashed") + " " + (edge[1] || "#000000");
			};
			const edge = (idx, i) => line((looks[idx].e || [])[i]);
			const grid = "1px solid " + (look.f || "var(--nv-grid)");
			style.borderRight = edge(end[0], 1) || edge(right, 0) || grid;
			style.borderBottom = edge(end[1], 3) || edge(below, 2) || grid;
			if (cell.left) style.borderLeft = edge(own[0], 0) || "";
			if (cell.top) style.borderTop = edge(own[0], 2) || "";
			const diagonal = (i, to) => {
				const d = (look.e || [])[i];
				return d && `linear-gradient(${to}, transparent calc(50% - .6px), ${d[1] || "#000"} 50%, transparent calc(50% + .6px))`;
			};
			style.backgroundImage = [diagonal(4, "to bottom left"), diagonal(5, "to bottom right")].filter(Boolean).join(",");
			this.#write(td, look, content, runs && align === "left" && kind !== "n");
		}
		#write(td, look, content, runs) {
			td.title = content.length > 2 && content[2] !== content[0] ? "content: " + shown(content[2]) : "";
			if (!content.length) return td.replaceChildren();
			const words = content[0].replace(/\r\n?/g, "\n");
			const text = el("span.text", null, look.w ? shown(words) : oneLine(words));
			if (content[1] === "f") text.classList.add("nv-formula");
			if (look.w) text.classList.add("nv-wraps");
			else if (runs) text.classList.add("nv-runs");
			if (look.o) {
				if (Math.abs(look.o) > 60) text.classList.add(look.o > 0 && look.o <= 90 ? "nv-up" : "nv-down");
				else {
					text.classList.add("nv-turned");
					text.style.transform = `rotate(${-look.o}deg)`;
				}
			}
			td.replaceChildren(text);
		}
		/* A frame around a range; none if it is not drawn. */
		frame(range, kind, label) {
			const [r0, c0] = this.first;
			const at = (list, i) => list[Math.max(0, Math.min(i, list.length - 1))];
			if (range[0] >= r0 + this.sides.length || range[1] >= c0 + this.heads.length || range[2] < r0 || range[3] < c0) return null;
			const [left, right] = [at(this.heads, range[1] - c0), at(this.heads, range[3] - c0)];
			const [top, bottom] = [at(this.sides, range[0] - r0), at(this.sides, range[2] - r0)];
			const frame = el(".frame." + kind, { "data-viewer-frame": kind });
			const [x, y] = [left.offsetLeft, top.offsetTop];
			const box = { left: x - 1, top: y - 1, width: right.offsetLeft + right.offsetWidth - x + 1, height: bottom.offsetTop + bottom.offsetHeight - y + 1 };
			for (const side in box) frame.style[side] = box[side] + "px";
			if (label) frame.append(el("span.badge", null, label));
			this.frames.append(frame);
			return frame;
		}
		show(frame) {
			const s = this.scroller;
			const move = (from, size, start, length, head) => {
				const fits = start >= from + head && start + Math.min(length, size - head - 60) <= from + size;
				return fits ? from : Math.max(0, start - head - 60);
			};
			s.scrollTo(move(s.scrollLeft, s.clientWidth, frame.offsetLeft, frame.offsetWidth, 44), move(s.scrollTop, s.clientHeight, frame.offsetTop, frame.offsetHeight, 24));
		}
	}

	/* One action as keyword, range and value. */
	function action(film, idx, ...more) {
		const [text, kind] = film.actions[idx];
		const parts = text.split(" | ");
		const chip = el("span.word", { "data-kind": KINDS[kind] }, oneLine(parts[0]));
		const rest = parts.slice(2).join(" | ");
		const row = el("span.action", { title: oneLine(text) }, chip);
		if (parts.length > 1) row.append(el("bdi.range", null, oneLine(parts[1].replace(/^Sheet1!/, ""))));
		if (rest) row.append(el("bdi.value", null, oneLine(rest)));
		row.append(...more);
		return row;
	}

	const para = (card, kind, ...texts) => card.append(el("p." + kind, null, ...texts));

	class Viewer {
		constructor(root, films, options) {
			Object.assign(this, { root, films, options: options || {}, idx: 0, ghost: true, speed: 1, loaded: new Map() });
			this.#frame();
			this.#keys();
			addEventListener("hashchange", () => this.#link());
			if (!this.#link() && films.length) this.open(0, 0);
		}
		#frame() {
			const button = (name, text, label, press) =>
				el("button.button", { type: "button", ["data-viewer-" + name]: true, title: label, "aria-label": /\w/.test(text) ? null : label, onclick: press }, text);
			this.select = el("select", { id: "viewer-film", onchange: () => this.open(this.select.selectedIndex, 0, true) });
			for (const film of this.films)
				this.select.append(el("option", null, oneLine(film.run ? film.name + " · " + film.run : film.name)));
			const choice = el("label.choice", { hidden: this.films.length < 2 }, "Trajectory ", this.select);
			this.heading = el("h2.title");
			this.about = el("p.about");
			this.facts = el("ul.facts");
			this.play = button("play", "▶ Play", "Play or pause (space)", () => this.toggle());
			this.ghosts = button("ghost", "Proposals on sheet", "Show what proposals would change (G)", () => this.toggleGhost());
			const speed = el("select", { "data-viewer-speed": true, "aria-label": "Speed", onchange: () => (this.speed = Number(speed.value)) });
			for (const factor of [0.5, 1, 2, 5]) speed.append(el("option", { value: factor, selected: factor === 1 }, factor + "×"));
			this.slider = el("input.slider", { type: "range", id: "viewer-slider", min: 1, max: 1, value: 1, "aria-label": "Step", oninput: () => this.goto(this.slider.value - 1) });
			this.timeline = svg("svg", { id: "viewer-timeline", class: "nv-timeline", role: "img", "aria-label": "Time line" });
			this.timeline.addEventListener("click", (event) => {
				const box = this.timeline.getBoundingClientRect();
				this.goto(Math.round(((event.clientX - box.left - 8) / (box.width - 16)) * (this.film.steps.length - 1)));
			});
			this.counter = el("output.counter", { id: "viewer-step" });
			this.legend = el("p.legend");
			this.status = el("p.hidden", { id: "viewer-status", "aria-live": "polite" });
			const bar = el(".bar", { role: "toolbar", "aria-label": "Replay" },
				button("first", "|◀", "First step (Home)", () => this.goto(0)),
				button("prev", "◀", "One step back (←)", () => this.goto(this.idx - 1)), this.play,
				button("next", "▶", "One step on (→)", () => this.goto(this.idx + 1)),
				button("last", "▶|", "Last step (End)", () => this.goto(Infinity)), speed, this.counter, el("span.gap"),
				button("next-accepted", "● Next accepted", "Next accepted proposal (A)", () => this.jump("accepted")),
				button("next-rejected", "× Next rejected", "Next rejected proposal (R)", () => this.jump("rejected")),
				button("worst", "Worst", "Most undo actions or lowest precision (W)", () => this.worst()),
				this.ghosts);
			this.tabs = el(".tabs", { role: "group", "aria-label": "Sheets" });
			this.content = el(".content", null, el("span.address"), el("bdi.raw"));
			this.place = el(".place");
			this.panel = el(".panel");
			this.help = el("details.help", null, el("summary", null, "Keys and signs"),
				el("p", null, "← → step, Home and End, A next accepted, R next rejected, W worst, space play, G proposals on the sheet. Click the time line to go anywhere, a cell to see its content."),
				el("p", null, "A blue frame is what the user just did. A dashed frame is what a proposal does: green if accepted, red if not; hatched cells are as it would make them. Formulas are shown as typed, not calculated."));
			this.body = el(".body", null, el(".left", null, this.content, this.place, this.tabs), this.panel);
			this.message = el("p.message", { role: "alert", hidden: true });
			this.root.classList.add("nv-viewer");
			this.root.tabIndex = -1;
			this.root.replaceChildren(el(".head", null, choice, this.heading, this.about, this.facts), this.message, bar,
				el(".track", null, this.timeline, this.slider, this.legend), this.body, this.help, this.status);
			new ResizeObserver(() => this.film && this.#marks()).observe(this.timeline);
		}
		#keys() {
			const target = this.options.keys === "page" ? document : this.root;
			target.addEventListener("keydown", (event) => {
				const on = event.target;
				if (event.ctrlKey || event.metaKey || event.altKey || !this.film) return;
				if (on.closest("select, textarea, input:not([type=range])")) return;
				const presses = on.closest("button, summary, a") !== null;
				const acts = {
					ArrowRight: () => this.goto(this.idx + 1),
					ArrowLeft: () => this.goto(this.idx - 1),
					Home: () => this.goto(0),
					End: () => this.goto(Infinity),
					a: () => this.jump("accepted"),
					r: () => this.jump("rejected"),
					w: () => this.worst(),
					g: () => this.toggleGhost(),
					" ": presses ? null : () => this.toggle(),
				};
				const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
				if (!act) return;
				event.preventDefault();
				act();
			});
		}
		/* Goes where the address says; false if it says nothing. */
		#link() {
			const found = /^#replay\/([^/]+)(?:\/(\d+))?$/.exec(location.hash);
			if (!found) return false;
			let unit;
			try {
				unit = decodeURIComponent(found[1]);
			} catch {
				return false;
			}
			const which = this.films.findIndex((film) => [film.unit, film.id, film.name].includes(unit));
			if (which < 0) return false;
			const step = Number(found[2] || 1) - 1;
			if (which === this.which && this.film) this.goto(step, false);
			else this.open(which, step);
			if (this.options.keys !== "page") {
				this.root.scrollIntoView();
				this.root.focus({ preventScroll: true });
			}
			return true;
		}
		#write() {
			clearTimeout(this.writing);
			this.writing = setTimeout(() => {
				const film = this.films[this.which];
				try {
					history.replaceState(null, "", `#replay/${encodeURIComponent(film.unit || film.id)}/${this.idx + 1}`);
				} catch {}
			}, 200);
		}
		async open(which, step, moved) {
			this.pause();
			this.which = which;
			this.select.selectedIndex = which;
			this.film = null;
			try {
				const { id } = this.films[which];
				if (!this.loaded.has(id)) {
					this.loaded.clear();
					this.loaded.set(id, await unpack(id));
				}
				if (this.which !== which) return;
				this.film = this.loaded.get(id);
				this.stage = new Stage(this.film);
				this.grid = new Grid(this.film, this.stage, (sheet, row, col) => this.#cell(sheet, row, col));
				this.picked = this.worstAt = null;
				this.place.replaceChildren(this.grid.scroller, this.grid.note);
				this.message.hidden = true;
				this.body.hidden = false;
				this.#top();
				this.#marks();
				this.goto(step, moved === true);
			} catch (error) {
				this.body.hidden = true;
				this.message.hidden = false;
				this.message.textContent = "The replay cannot be shown: " + shown(error.message || error) + ".";
			}
		}
		kind(step) {
			return { u: "user", e: "empty", f: "failed", x: "end" }[step.k] || (step.a ? "accepted" : "rejected");
		}
		#top() {
			const { name, title, about, run, end, outside } = this.film;
			this.heading.replaceChildren(el("bdi", null, oneLine(title || name)));
			this.about.replaceChildren(el("bdi", null, about ? oneLine(about) : ""));
			this.about.hidden = !about;
			const fact = (label, value) => el("li", null, el("span.muted", null, label + " "), el("bdi", null, oneLine(value)));
			this.facts.replaceChildren(
				...[
					title && fact("trajectory", name),
					fact("predictor", run.predictor), fact("policy", run.policy), fact("mode", run.mode),
					run.context && fact("context", run.context),
					fact("user actions saved", percent(end.uas)), fact("done by the user", `${number(end.user_steps)} of ${number(end.actions)} actions`),
					fact("accepted", `${number(end.accepted)} of ${number(end.predictions)} predictions`),
					fact("undo actions", number(end.undo)), end.outcome !== "complete" && fact("outcome", end.outcome),
					outside && fact("cells beyond the sheet, not drawn", number(outside)),
				].filter(Boolean));
			const counts = { accepted: 0, rejected: 0, empty: 0, failed: 0 };
			for (const step of this.film.steps) if (this.kind(step) in counts) counts[this.kind(step)]++;
			const words = { accepted: "accepted", rejected: "rejected", empty: "no suggestion", failed: "failed" };
			this.legend.replaceChildren(
				...Object.entries(counts).map(([kind, n]) => el("span.sign", { "data-sign": kind }, el("b." + kind, null, MARKS[kind]), ` ${number(n)} ${words[kind]}`)),
				el("span.sign", null, el("b", null, "◣"), " actions left to do"));
			this.slider.max = this.film.steps.length;
		}
		/* The time line: marks in one path a kind, and what is left to do behind them. */
		#marks() {
			const steps = this.film.steps;
			const width = Math.max(this.timeline.clientWidth, 120), height = 52;
			const x = (idx) => 8 + ((width - 16) * idx) / Math.max(steps.length - 1, 1);
			const dots = { accepted: "", rejected: "", empty: "", failed: "" };
			const draw = {
				accepted: (at) => `M${at - 3.2} 11a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0`,
				rejected: (at) => `M${at - 2.8} 24.2l5.6 5.6m0-5.6l-5.6 5.6`,
				empty: (at) => `M${at} 42v3`,
				failed: (at) => `M${at} 35v5m0 2.4v1.6`,
			};
			this.stage.before(steps.length - 1);
			let most = 1;
			for (let i = 0; i < steps.length; i++) most = Math.max(most, this.stage.left(i));
			let area = `M8 ${height - 2}`;
			steps.forEach((step, idx) => {
				const kind = this.kind(step);
				area += `L${x(idx).toFixed(1)} ${(height - 2 - ((height - 6) * this.stage.left(idx)) / most).toFixed(1)}`;
				if (dots[kind] !== undefined) dots[kind] += draw[kind](Number(x(idx).toFixed(1)));
			});
			const paths = [svg("path", { d: area + `L${width - 8} ${height - 2}Z`, class: "nv-area" })];
			for (const [kind, d] of Object.entries(dots)) if (d) paths.push(svg("path", { d, class: "nv-mark nv-" + kind, "data-mark": kind }));
			this.cursor = svg("line", { y1: 0, y2: height, class: "nv-cursor" });
			this.timeline.setAttribute("viewBox", `0 0 ${width} ${height}`);
			this.timeline.replaceChildren(...paths, this.cursor);
			this.at = x;
			this.#cursor();
		}
		#cursor() {
			for (const side of ["x1", "x2"]) this.cursor.setAttribute(side, this.at(this.idx));
		}
		goto(to, moved = true) {
			if (!this.film) return;
			const last = this.film.steps.length - 1;
			this.idx = Math.max(0, Math.min(Number.isNaN(to) ? 0 : to, last));
			this.picked = null;
			this.#draw();
			if (moved) this.#write();
			if (this.idx === last) this.pause();
		}
		jump(kind) {
			const steps = this.film.steps;
			for (let i = 1; i <= steps.length; i++) {
				const idx = (this.idx + i) % steps.length;
				if (this.kind(steps[idx]) === kind) return this.goto(idx);
			}
			this.#say(`No ${kind} proposal.`);
		}
		worst() {
			const rank = this.film.steps
				.map((step, idx) => [step, idx])
				.filter(([step]) => step.k === "p")
				.sort(([a, i], [b, j]) => b.m[6] - a.m[6] || precisionOf(a.m) - precisionOf(b.m) || i - j);
			if (!rank.length) return this.#say("No proposal.");
			const at = this.worstAt;
			const next = at !== null && rank[at][1] === this.idx ? (at + 1) % rank.length : 0;
			this.worstAt = next;
			this.goto(rank[next][1]);
			this.#say(`Number ${next + 1} from the worst of ${count(rank.length, "proposal")}.`);
		}
		#say(text) {
			this.status.textContent = text;
		}
		toggle() {
			if (this.timer) return this.pause();
			if (this.idx === this.film.steps.length - 1) this.goto(0);
			this.play.textContent = "⏸ Pause";
			const tick = () => {
				this.goto(this.idx + 1);
				if (this.timer) this.timer = setTimeout(tick, 900 / this.speed);
			};
			this.timer = setTimeout(tick, 300);
		}
		pause() {
			clearTimeout(this.timer);
			this.timer = null;
			this.play.textContent = "▶ Play";
		}
		toggleGhost() {
			this.ghost = !this.ghost;
			if (this.film) this.#draw();
		}
		#draw() {
			const { film, stage, grid, idx } = this;
			const step = film.steps[idx];
			const kind = this.kind(step);
			const before = stage.before(idx);
			stage.goto(step.k === "u" ? idx + 1 : idx);
			const acted = step.k === "u" ? [before[0] >> 1] : step.p || [];
			const main = acted.length ? film.actions[acted[0]] : null;
			const sheet = this.picked ?? (main ? main[2] : Math.max(grid.sheet, 0));
			grid.follow(sheet, main && main[2] === sheet ? main[3] : null);
			const ghost = new Map(), flags = new Map();
			const { cells } = stage.sheets[sheet];
			Stage.each(step.c, (on, place, look, content) => {
				if (on !== sheet) return;
				if (step.k === "u") return void flags.set(place, "nv-changed");
				if (!this.ghost) return;
				const face = ghost.get(place) || (cells.get(place) || [0, 0]).slice();
				if (look !== null) face[0] = look;
				if (content !== null) face[1] = content;
				ghost.set(place, face);
				flags.set(place, "nv-ghost nv-" + kind);
			});
			grid.draw(ghost, flags);
			grid.frames.replaceChildren();
			let first = null;
			acted.forEach((number, i) => {
				const [, , on, range] = film.actions[number];
				if (on !== sheet || (step.k === "p" && !this.ghost)) return;
				const frame = grid.frame(range, kind, acted.length > 1 ? String(i + 1) : "");
				first = first || frame;
			});
			if (first) grid.show(first);
			this.#tabs(sheet, step);
			this.#cell(sheet, ...(main && main[2] === sheet ? main[3] : [1, 1]));
			this.slider.value = idx + 1;
			this.slider.setAttribute("aria-valuetext", `step ${idx + 1} of ${film.steps.length}: ${kind}`);
			this.counter.textContent = `step ${number(idx + 1)} of ${number(film.steps.length)}`;
			this.#cursor();
			this.ghosts.setAttribute("aria-pressed", String(this.ghost));
			const card = this.#card(step, kind, before);
			this.panel.replaceChildren(card, this.#todo(step, before));
			this.#say(`Step ${idx + 1}: ${card.dataset.summary}`);
		}
		#tabs(sheet, step) {
			const proposed = (idx) => (step.c || []).some((change) => change.n && (change.s || 0) === idx);
			const tabs = this.film.sheets.map((name, idx) => {
				const made = this.stage.sheets[idx].made;
				if (!made && idx !== sheet && !proposed(idx)) return null;
				return el(made ? "button.tab" : "button.tab.proposed", {
					type: "button", "data-viewer-tab": oneLine(name), "aria-pressed": String(idx === sheet),
					onclick: () => this.#draw((this.picked = idx)),
				}, el("bdi", null, oneLine(name)), made ? null : " (proposed)");
			});
			this.tabs.replaceChildren(...tabs.filter(Boolean));
		}
		#cell(sheet, row, col) {
			const face = this.stage.sheets[sheet].cells.get(key(row, col));
			const content = this.film.shown[face ? face[1] : 0];
			this.content.firstChild.textContent = letters(col) + row;
			this.content.lastChild.textContent = content.length ? shown(content[2] ?? content[0]) : "";
		}
		#card(step, kind, before) {
			const film = this.film;
			const titles = { user: "The user acts", accepted: "Proposal accepted", rejected: "Proposal rejected", empty: "No suggestion", failed: "The predictor failed", end: "The end" };
			const signs = { user: "☞", end: "■", ...MARKS };
			const title = step.d ? "Accepted, but taken back" : titles[kind];
			const card = el("section.card." + kind, { "data-viewer-card": kind }, el("h3", null, el("span.icon", { "aria-hidden": "true" }, signs[kind]), title));
			let summary = title;
			if (step.k === "u") {
				const next = before[0];
				card.append(action(film, next >> 1, next & 1 ? el("span.tag.undo", null, "↩ undo") : ""));
				summary += ": " + oneLine(film.actions[next >> 1][0]);
				if (step.n) para(card, "bad", "It cannot be carried out: " + shown(step.n));
			} else if (step.k === "p") summary += ": " + this.#proposal(card, step);
			else if (step.k === "e") para(card, "muted", "The predictor was asked and suggested nothing.");
			else if (step.k === "f") {
				card.append(el("p", null, el("bdi.pre", null, shown(step.m))));
				if (step.y) para(card, "muted", "Kind of failure: " + shown(step.y));
				if (step.b) para(card, "bad", "The rollout had to end here.");
				if (step.z) card.append(more("Standard error of the program", step.z));
			} else {
				const { outcome, user_steps, actions, uas, error, remaining } = film.end;
				const whole = `The sheet is done: the user carried out ${number(user_steps)} actions instead of ${number(actions)} and saved ${percent(uas)}.`;
				const part = `The rollout ended as ${outcome} after ${count(user_steps, "user action")}, with ${number(remaining)} left to do.`;
				card.append(el("p", null, outcome === "complete" ? whole : part), error ? el("p.bad", null, shown(error)) : "");
			}
			this.#said(card, step);
			card.dataset.summary = summary;
			return card;
		}
		#proposal(card, step) {
			const film = this.film, m = step.m;
			const [tp, fp, missing, mm, saved, removed, undo, exact] = m;
			const list = el("ol.actions");
			const failures = new Map(step.n || []);
			step.p.forEach((number, i) => {
				const failed = failures.get(i);
				const text = film.actions[number][0];
				const spelled = step.o && ![text, text.replace("Sheet1!", "")].includes(step.o[i]);
				list.append(el("li", null, action(film, number), failed && el("div.bad", null, "cannot be carried out: " + shown(failed)),
					spelled && el("div.muted", null, "as written: ", el("bdi.mono", null, oneLine(step.o[i])))));
			});
			card.append(list);
			if (step.i) card.append(el("blockquote", null, el("bdi", null, shown(step.i))));
			const would = step.a ? ["saves", "costs"] : ["would save", "would cost"];
			const saves = !step.e ? "What it would leave to do could not be worked out" : saved < 0 ? `It ${would[1]} ${count(-saved, "action")} more` : `It ${would[0]} ${saved ? count(saved, "action") : "nothing"}`;
			para(card, "verdict", saves + (undo ? `, with ${count(undo, "undo action")} to come.` : "."));
			if (step.d) para(card, "bad", "It could not be carried into the future: " + shown(step.d));
			if (step.q != null)
				card.append(el("p", null, "confidence ", el("meter", { min: 0, max: 1, value: step.q, "aria-label": "Confidence" }), " " + percent(step.q)));
			const rows = (step.h || []).map(([bound, value, passed]) => {
				const [metric, sign, limit] = film.bounds[bound];
				return el("tr", { "data-viewer-check": metric }, el("th", { scope: "row" }, metric), el("td", null, number(value)),
					el("td", null, `${{ ">=": "≥", "<=": "≤", "==": "=" }[sign] || sign} ${number(limit)}`), el(passed ? "td.ok" : "td.bad", null, passed ? "✓ holds" : "✗ fails"));
			});
			if (rows.length) card.append(el("table.checks", null, el("caption", null, "What the policy asks"), el("tbody", null, rows)));
			else para(card, "muted", "The policy asks for nothing.");
			const figures = { precision: percent(precisionOf(m)), right: number(tp), "not wanted": number(fp), "wrong value": number(mm), "still missing": number(missing), "next actions hit": `${number(exact)} of ${step.p.length}`, "to-dos done": number(removed) };
			card.append(el("ul.figures", null, Object.entries(figures).map(([label, value]) => el("li", null, el("b", null, value), " " + label))));
			return step.p.map((number) => oneLine(film.actions[number][0])).join("; ");
		}
		#said(card, step) {
			for (const [text, why] of step.r || []) para(card, "bad", "Not an action: ", el("bdi.mono", null, oneLine(text)), " (" + shown(why) + ")");
			for (const restart of step.s || []) para(card, "bad", "Started anew after: " + shown(restart));
			if (step.b && step.k !== "f") para(card, "bad", "The answer was cut off.");
			if (step.g) card.append(more(`Left out of the answer (${step.g.length})`, step.g.map(([text, why]) => `${text}\n  (${why})`).join("\n")));
			if (step.w) card.append(more("The whole answer", step.w));
			if (step.t) para(card, "muted", `${number(step.t[0])} tokens read, ${number(step.t[1])} written`);
		}
		/* What is left to do, with what a proposal does to it. */
		#todo(step, before) {
			const film = this.film;
			const rows = [];
			const list = step.k === "u" ? before.slice(1) : before;
			let at = 0;
			const keep = (to) => { for (; at < to; at++) rows.push([list[at], "keep"]); };
			for (const [place, n, inserted, replaced] of step.e || []) {
				keep(place);
				for (let i = 0; i < n; i++, at++) rows.push([list[at], (replaced || []).includes(i) ? "replaced" : "done"]);
				for (const number of inserted || []) rows.push([number, number & 1 ? "undo" : "new"]);
			}
			keep(list.length);
			const after = step.e ? rewritten(list, step.e).length : null;
			const lead = after === null ? count(list.length, "action") + " left to do" : `To do: ${number(list.length)} → ${count(after, "action")}${step.a ? "" : " if it were accepted"}`;
			const out = el("ol.todo", { "data-viewer-todo": true });
			const near = (i) => i < 6 || rows.slice(i - 1, i + 2).some(([, state]) => state !== "keep");
			const tags = { done: "done by it", replaced: "replaced", undo: "↩ undo", new: "+ new" };
			let skipped = 0, written = 0, isNext = true;
			const flush = () => { if (skipped) out.append(el("li.skip", null, `… ${count(skipped, "more action")}`)); skipped = 0; };
			rows.forEach(([number, state], i) => {
				if (written >= LIST_ROWS || !near(i)) return void skipped++;
				flush();
				written++;
				const tag = state === "keep" && number & 1 ? "undo" : state;
				const wrap = { keep: "span", done: "del", replaced: "del" }[state] || "ins";
				const next = isNext && wrap !== "ins";
				if (next) isNext = false;
				out.append(el("li", { "data-todo": state }, next && el("span.tag.first", null, "next"), el(wrap, null, action(film, number >> 1, tags[tag] ? el("span.tag." + tag, null, tags[tag]) : ""))));
			});
			flush();
			if (!rows.length) out.append(el("li.skip", null, "nothing"));
			return el("section.card.future", null, el("h3", null, lead), out);
		}
	}
	function more(label, text) {
		return el("details", null, el("summary", null, label), el("pre", null, shown(text)));
	}

	const mount = (element, films, options) => new Viewer(element, films, options);
	window.napsimViewer = { mount };
	const start = () => {
		for (const element of document.querySelectorAll("[data-napsim-viewer]")) {
			const list = document.getElementById(element.dataset.napsimViewer);
			if (list) mount(element, JSON.parse(list.textContent), { keys: element.dataset.viewerKeys });
		}
	};
	if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
	else start();
})();
