// One search: its picture, its counters, the state that is looked at, its frontier and its notes.

const VIEWS = { map: "map", graph: "graph", tree: "tree", near: "tree, close up" };
const SPARE = 100;  // milliseconds between changes of texts while playing

/** Make an element: h("p", {class: "note"}, "text", child, …). Texts are never read as markup. */
function h(tag, attributes = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") el.addEventListener("click", value);
    else if (value !== undefined && value !== false) el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.filter(c => c !== null && c !== undefined));
  return el;
}
/** A text of unknown direction, as it was given. */
function foreign(text) { return h("bdi", { dir: "auto" }, text); }
const count = n => n.toLocaleString("en");
/** Whole numbers and fractions as they are, other numbers rounded. */
const short = text => text.includes(".") || text.includes("e") ? readable(numeric(text)) : text;
const ordinal = n => count(n) + (n % 100 > 10 && n % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][n % 10] || "th");
const oneLine = label => label.replaceAll("\n", " / ");

class Panel {
  constructor(trace, number, player, host) {
    const { header } = trace;
    this.trace = trace; this.number = number; this.player = player;
    this.ratio = Math.min(2, devicePixelRatio || 1); this.pinned = this.hovered = -1; this.mode = "state"; this.ranges = {}; this.views = {};
    this.goal = header.goal;
    this.canvas = h("canvas", { tabindex: "0", role: "application" });
    this.g = this.canvas.getContext("2d");
    this.facts = {};
    const facts = h("dl", { class: "facts" });
    for (const name of ["expanded", "open", "reopened", "f"]) {
      this.facts[name] = h("dd", {}, "–");
      this.facts[name].row = h("div", {}, h("dt", {}, name), this.facts[name]);
      facts.append(this.facts[name].row);
    }
    this.facts.reopened.row.hidden = !trace.reopenings.length;
    this.verdict = h("p", { class: "verdict" }); this.note = h("p", { class: "note" });
    this.state = h("div", { class: "state", role: "group", "aria-label": "The state that is looked at" });
    this.queueCount = h("span"); this.queueList = h("ol", { class: "list" });
    this.queue = h("details", { class: "queue" }, h("summary", {}, "Frontier in order ", this.queueCount), this.queueList);
    this.queue.addEventListener("toggle", () => this.tell(true));
    this.outcome = [header.summary || header.status || "", ...(header.warnings || []),
      header.unrecorded ? `${count(header.unrecorded)} later expansions are not recorded` : ""].filter(Boolean).join("; ");
    this.choice = h("select", { "aria-label": "View" });
    const title = h("h2", {}, player.count > 1 ? `${number}. ` : null, foreign(header.title || header.engine || "search"));
    const zoom = (by, name, path) => {
      const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg"), line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      icon.setAttribute("viewBox", "0 0 24 24"); icon.setAttribute("aria-hidden", "true"); line.setAttribute("d", path); icon.append(line);
      return h("button", { type: "button", "aria-label": name, title: name, onclick: () => this.zoom(by) }, icon);
    };
    const zooms = h("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
      zoom(1.6, "Zoom in", "M10 4h4v6h6v4h-6v6h-4v-6H4v-4h6z"), zoom(1 / 1.6, "Zoom out", "M4 10h16v4H4z"), zoom(0, "Show all", "M4 4h6v3H7v3H4zm10 0h6v6h-3V7h-3zM4 14h3v3h3v3H4zm13 0h3v6h-6v-3h3z"));
    this.stage = h("div", { class: "stage" }, this.canvas);
    this.info = h("div", { class: "info" }, facts, this.verdict, this.note, this.state, this.queue, this.notesList());
    this.el = h("section", { class: "panel", "aria-label": header.title || header.engine || "search" },
      h("div", { class: "inside" }, h("div", { class: "head" }, title, h("label", {}, "view ", this.choice), zooms), this.stage, this.info));
    for (const name of this.possible()) this.choice.append(h("option", { value: name }, VIEWS[name]));
    this.choice.addEventListener("input", () => { this.show(this.choice.value); player.legend(); player.resize(); });
    if (this.choice.options.length < 2) this.choice.parentElement.hidden = true;
    host.append(this.el);
    this.show(this.choice.value);
    trace.touched = (e, n, before, now) => this.view.touched(e, n, before, now);
    trace.jumped = () => this.view.jumped();
    this.bind();
  }
  /** The names of the views that can show this search, the best first. */
  possible() {
    const { trace } = this, out = [], map = trace.header.map;
    const placed = map && trace.place ? trace.place.reduce((sum, p) => sum + (p >= 0), 0) : 0;
    const graph = trace.N <= LARGEST_GRAPH && trace.N > 1 && (trace.positions() || trace.edges().length >= trace.N);
    if (graph && trace.positions()) out.push("graph");
    if (2 * placed >= trace.N && placed) out.push("map");
    if (trace.N <= LARGEST_TREE) out.push("tree");
    out.push("near");
    if (graph && !trace.positions()) out.push("graph");
    if (placed && 2 * placed < trace.N) out.push("map");
    return out;
  }
  show(name) {
    this.choice.value = name;
    this.view = this.views[name] ||= new { map: MapView, tree: TreeView, near: NearView, graph: GraphView }[name](this);
    this.stage.hidden = window.name === "beside" && this.number === 1 && name === "map";
    this.view.restyle(); this.view.jumped();
    this.canvas.setAttribute("aria-label", `${this.trace.header.title || "search"}: ${VIEWS[name]}. The arrow keys select a state.`);
  }
  get looked() { return this.hovered >= 0 ? this.hovered : this.pinned; }
  /** The least and the greatest value of a kind among all arrivals. */
  range(mode) {
    if (this.ranges[mode]) return this.ranges[mode];
    const t = this.trace;
    let low = Infinity, high = -Infinity;
    const take = v => { if (Number.isFinite(v)) { if (v < low) low = v; if (v > high) high = v; } };
    if (mode === "order") { take(0); take(Math.max(1, t.at.length - 1)); }
    else if (mode === "h") for (let n = 0; n < t.N; n++) take(t.hOf(n));
    else for (let e = 0; e < t.M; e++) if (t.kind[e] === REACH || t.kind[e] === IMPROVE || t.kind[e] === REOPEN) take(t.g[e] + (mode === "f" ? t.hOf(t.node[e]) : 0));
    return this.ranges[mode] = [low, high];
  }
  phaseShade(event) {
    const number = (this.phases ||= this.trace.notes.filter(note => note.cells).map(note => note.event)).indexOf(event) + 1;
    return theme.phases[Math.min(3, Math.max(1, number)) - 1];
  }
  /** The paths to a state; to a goal where the halves of a search meet, one from each side. */
  pathsTo(n) {
    if (n !== this.goal || !this.trace.half) return [this.trace.path(n)];
    this.other ??= this.trace.twin(n);
    return [n, this.other].filter(m => m >= 0).map(m => this.trace.path(m));
  }

  /** The height for the picture: what the width of the panel wants, within what the window leaves. */
  height(room) {
    this.ratio = Math.min(2, devicePixelRatio || 1);
    const width = this.canvas.clientWidth || 320, picture = this.stage.getBoundingClientRect(), beside = this.info.getBoundingClientRect().left > picture.left + 40;
    const shape = this.view instanceof MapView ? this.view.h / this.view.w : 0.8, wanted = Math.round(width * Math.min(shape, 1.6));
    const rest = beside ? 72 : this.info.offsetHeight - this.queue.offsetHeight + 92;
    return Math.max(Math.min(innerHeight > 1.3 * innerWidth ? wanted : 220, wanted, 0.7 * innerHeight), 120, Math.min(wanted, room - rest));
  }
  size(height) {
    const width = this.canvas.clientWidth || 320;
    const w = Math.round(width * this.ratio), k = Math.round(height * this.ratio);
    if (this.canvas.width !== w || this.canvas.height !== k) { this.canvas.width = w; this.canvas.height = k; this.canvas.style.height = height + "px"; }
  }
  zoom(by, x = this.canvas.width / 2, y = this.canvas.height / 2) {
    if (!by) this.view.zoom = 1; else this.view.zoomAt(x, y, by);
    this.draw();
  }
  draw() {
    if (this.player.following && this.player.playing) { this.view.place(); this.view.follow(this.trace.current); }
    this.view.draw();
    this.tell(!this.player.playing);
  }
  /** Say the counters and the state; while playing, not more often than can be read. */
  tell(now) {
    const time = performance.now();
    if (!now && time - (this.told || 0) < SPARE) return;
    this.told = time;
    const { trace } = this, k = trace.expansions, texts = {
      expanded: count(k), open: count(trace.open),
      reopened: count(rank(trace.reopenings, trace.t)), f: k ? readable(trace.f[k - 1]) : "–",
    };
    for (const name in texts) if (this.facts[name].textContent !== texts[name]) this.facts[name].textContent = texts[name];
    this.verdict.textContent = trace.t >= trace.M ? this.outcome : "";
    const notes = rank(trace.noteEvents, trace.t), note = notes ? trace.notes[notes - 1] : null;
    this.note.replaceChildren(...(note ? [`${note.kind}: `, foreign(noteText(note, trace))] : []));
    this.note.hidden = !trace.notes.length;
    this.tellState();
    this.queueCount.textContent = `(${count(trace.open)})`;
    if (this.queue.open) this.tellQueue();
  }
  tellState() {
    const { trace } = this, n = this.looked >= 0 ? this.looked : trace.current, key = [n, this.pinned, trace.t, theme.dark].join();
    if (key === this.stateKey) return;
    this.stateKey = key;
    if (n < 0) { this.state.replaceChildren(h("p", { class: "quiet" }, "Nothing is expanded yet. Point at a state, or select one with the keys.")); return; }
    const a = trace.arrival[n], above = a < 0 ? -1 : trace.from[a], status = trace.state[n], action = a < 0 ? "" : trace.actionText(a);
    const which = n === this.pinned ? "selected, " : n === this.hovered ? "" : "current, ";
    const lines = [h("p", {}, which, h("strong", {}, STATES[status] + (trace.half ? [", from the start", ", from the goal", ""][trace.half[n]] : "")),
      status ? "" : `; will be reached after ${count(trace.expansionsAt(trace.first[n]))} expansions`)];
    if (a >= 0) {
      lines.push(h("p", {}, h("strong", {}, `f ${readable(trace.valueOf(n, "f"))}`),
        trace.hText(n) ? ` = g ${short(trace.gText(a))} + ${trace.weight === 1 ? "" : readable(trace.weight) + " · "}h ${short(trace.hText(n))}` : " = g"));
      const from = above < 0 ? ["a start"] : trace.label(above).includes("\n") ? [] : ["from ", foreign(oneLine(trace.label(above)))];
      lines.push(h("p", {}, ...from, ...(action && above >= 0 ? [" by ", foreign(action)] : [])));
      lines.push(h("p", { class: "quiet" }, `reached ${ordinal(n + 1)}` + (trace.order[n] >= 0 ? `, expanded ${ordinal(trace.order[n] + 1)}` : "") + `, ${count(trace.path(n).length - 1)} step${trace.path(n).length === 2 ? "" : "s"} from the start`));
    }
    if (n === this.pinned) {
      const acts = h("div", { class: "acts" }), act = (text, call, off) => acts.append(h("button", { type: "button", onclick: call, disabled: off }, text));
      act("go to reached", () => this.player.seekEvent(this, trace.first[n] + 1));
      act("go to expanded", () => this.player.seekEvent(this, this.nextExpansion(n) + 1), this.nextExpansion(n) < 0);
      act("its parent", () => this.player.pin(this, above), above < 0);
      act("select nothing", () => this.player.pin(this, -1));
      lines.push(acts);
    }
    const picture = trace.pictured ? h("div", { class: "label" }, this.picture(n)) : null;
    const label = this.isBoard(n) ? null : h("p", { class: "label" }, foreign(trace.label(n)));
    this.state.replaceChildren(...[label, picture].filter(part => part), h("div", {}, ...lines));
  }
  /** Whether the label of a state only repeats its picture, as text. */
  isBoard(n) {
    const lines = this.trace.label(n).split("\n").length;
    return this.trace.pictured && lines > 1 && lines === this.trace.header.map.height;
  }
  /** A state that is a picture, such as a board, in the colours of its marks. */
  picture(n) {
    const { width, height, marks } = this.trace.header.map, side = Math.max(9, Math.min(26, Math.floor(Math.min(250 / width, 190 / height))));
    const canvas = h("canvas", { role: "img", "aria-label": this.trace.label(n), width: width * side * this.ratio, height: height * side * this.ratio });
    const g = canvas.getContext("2d");
    canvas.style.width = width * side + "px";
    g.scale(this.ratio, this.ratio);
    g.font = `bold ${Math.round(side * 0.7)}px ui-monospace, "DejaVu Sans Mono", monospace`; g.textAlign = "center"; g.textBaseline = "middle";
    this.trace.picture(n).forEach((number, p) => {
      const mark = marks[number], x = p % width * side, y = Math.floor(p / width) * side, colour = theme.ground(mark);
      g.fillStyle = css(colour); g.fillRect(x, y, side, side);
      g.fillStyle = inkFor(colour);
      if (!["wall", "floor"].includes(role(mark)) && !/[\u2580-\u259f]/.test(mark.glyph)) g.fillText(mark.glyph, x + side / 2, y + side * 0.54);
    });
    return canvas;
  }
  /** The event that expands a node next, or else last; −1 if it is never expanded. */
  nextExpansion(n) {
    const { at, node } = this.trace;
    let last = -1;
    for (let k = 0; k < at.length; k++) if (node[at[k]] === n) { last = at[k]; if (last >= this.trace.t) return last; }
    return last;
  }
  tellQueue() {
    const { trace } = this, listed = trace.frontier(200), key = trace.t + " " + this.pinned;
    if (key === this.queueKey) return;
    this.queueKey = key;
    this.queueList.replaceChildren(...listed.map((n, i) => h("li", {}, h("button", { type: "button", "aria-current": n === this.pinned ? "true" : undefined, onclick: () => this.player.pin(this, n) },
      h("b", {}, String(i + 1)), foreign(oneLine(trace.label(n))), h("span", {}, `f ${readable(trace.valueOf(n, "f"))}`), h("span", { class: "quiet" }, `g ${readable(trace.gOf(n))} + h ${readable(trace.hOf(n))}`)))));
    if (trace.open > listed.length) this.queueList.append(h("li", { class: "quiet" }, `… and ${count(trace.open - listed.length)} more`));
  }
  notesList() {
    const { trace } = this, listed = trace.notes.filter(note => note.kind !== "node").slice(0, 500);
    if (!listed.length) return null;
    return h("details", { class: "notes" }, h("summary", {}, `Notes of the engine (${count(listed.length)})`), h("ol", { class: "list" }, ...listed.map(note =>
      h("li", {}, h("button", { type: "button", onclick: () => this.player.seekEvent(this, note.event + 1) }, h("b", {}, count(trace.expansionsAt(note.event))), h("span", {}, note.kind), foreign(noteText(note, trace)))))));
  }

  bind() {
    const { canvas } = this, fingers = new Map();
    const at = e => { const r = canvas.getBoundingClientRect(), s = canvas.width / r.width; return [(e.clientX - r.left) * s, (e.clientY - r.top) * s]; };
    let moved = 0, apart = 0;
    canvas.addEventListener("pointerdown", e => { fingers.set(e.pointerId, at(e)); canvas.setPointerCapture(e.pointerId); moved = apart = 0; });
    canvas.addEventListener("pointermove", e => {
      const spot = at(e), before = fingers.get(e.pointerId);
      if (!before) { this.player.hover(this, this.view.find(...spot)); return; }
      fingers.set(e.pointerId, spot);
      if (fingers.size === 2) {
        const [[ax, ay], [bx, by]] = fingers.values(), now = Math.hypot(ax - bx, ay - by);
        if (apart) this.zoom(now / apart, (ax + bx) / 2, (ay + by) / 2);
        apart = now; moved = 99;
      } else {
        moved += Math.hypot(spot[0] - before[0], spot[1] - before[1]);
        if (moved > 5 * this.ratio) { this.view.pan(spot[0] - before[0], spot[1] - before[1]); this.draw(); }
      }
    });
    const up = e => {
      if (fingers.delete(e.pointerId) && e.type === "pointerup" && moved <= 5 * this.ratio) { const n = this.view.find(...at(e)); this.player.pin(this, n === this.pinned ? -1 : n); }
      apart = 0;
    };
    canvas.addEventListener("pointerup", up); canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.player.hover(this, -1));
    canvas.addEventListener("dblclick", e => this.zoom(2, ...at(e)));
    canvas.addEventListener("wheel", e => { e.preventDefault(); this.zoom(e.deltaY < 0 ? 1.25 : 0.8, ...at(e)); }, { passive: false });
    canvas.addEventListener("keydown", e => {
      if (!e.key.startsWith("Arrow") || e.altKey || e.ctrlKey || e.metaKey) return;
      const n = this.view.step(this.pinned >= 0 ? this.pinned : this.trace.current, e.key);
      if (n >= 0) { this.player.pin(this, n); this.view.follow(n); this.draw(); }
      e.preventDefault(); e.stopPropagation();
    });
    canvas.addEventListener("focus", () => { this.player.active = this; });
  }
}

/** A note in words. */
function noteText(note, trace) {
  if (note.text) return note.text;
  return Object.entries(note.facts || {}).map(([name, value]) => `${name} ${value && value.node !== undefined ? oneLine(trace.label(value.node)) : value}`).join(", ");
}
