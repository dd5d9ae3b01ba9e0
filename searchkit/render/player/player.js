// The clock and the controls of all panels.

const $ = selector => document.querySelector(selector);

const player = {
  panels: [], count: 0, time: 0, playing: false, rate: 100, clock: "same", following: false, active: null, mode: "state", stop: {},

  /** The longest search, in expansions. */
  get length() { return Math.max(0, ...this.panels.map(p => p.trace.at.length)); },
  when(trace) { return this.clock === "same" ? this.time : this.length ? this.time / this.length * trace.at.length : 0; },
  eventOf(trace) { return this.time >= this.length ? trace.M : trace.eventAt(this.when(trace)); },
  /** The player's time at an event of a panel. */
  timeOf(trace, event) { const time = trace.timeOf(event); return this.clock === "same" ? time : trace.at.length ? time / trace.at.length * this.length : 0; },

  seek(time) {
    this.time = Math.max(0, Math.min(this.length, time));
    for (const p of this.panels) p.trace.seek(this.eventOf(p.trace));
    this.show();
  },
  seekEvent(panel, event) { this.play(false); this.active = panel; this.seek(this.timeOf(panel.trace, event)); },
  step(way, unit = $("#unit").value) {
    this.play(false);
    const { trace } = this.active || this.panels[0];
    if (unit === "event") this.seek(trace.t + way >= trace.M && way > 0 ? this.endOf(trace) : this.timeOf(trace, trace.t + way));
    else {
      const by = unit === "hundredth" ? Math.max(1, Math.round(this.length / 100)) : 1;
      this.seek(way > 0 ? Math.floor(this.time + 1e-9) + by : Math.ceil(this.time - 1e-9) - by);
    }
    this.say();
  },
  /** The time at which a search is over. */
  endOf(trace) { return this.clock === "same" ? trace.at.length : this.length; },
  /** To the next event that stands out, or the one before: reopenings and notes of the active panel. */
  jump(way) {
    this.play(false);
    const { trace } = this.active || this.panels[0];
    const events = [...trace.reopenings, ...trace.notes.filter(n => n.kind !== "node").map(n => n.event)].sort((a, b) => a - b).map(e => e + 1);
    const next = way > 0 ? events.find(e => e > trace.t) : events.findLast(e => e < trace.t);
    if (next === undefined) this.say(way > 0 ? "no later event stands out" : "no earlier event stands out"); else { this.seek(this.timeOf(trace, next)); this.say(); }
  },
  show() {
    for (const p of this.panels) p.draw();
    if (window.name === "beside") parent.postMessage(this.panels[0].views.map?.seen(), "*");
    $("#scrub").value = this.time;
    this.chart.draw();
    if (this.playing) this.spare ||= setTimeout(() => { this.spare = 0; this.write(); }, SPARE); else this.write();
  },
  /** The time in words; the live region speaks when nothing plays. */
  write() {
    const text = `${count(Math.floor(this.time + 1e-9))} of ${count(this.length)} expansions`;
    $("#scrub").setAttribute("aria-valuetext", text);
    if (this.reason) return;
    $("#said").textContent = text;
  },
  say(reason = "") { this.reason = reason; if (reason) $("#said").textContent = `${count(Math.floor(this.time + 1e-9))} of ${count(this.length)}: ${reason}`; else this.write(); },

  play(on) {
    if (on === this.playing) return;
    if (on && this.time >= this.length) this.seek(0);
    this.playing = on && this.length > 0;
    this.reason = "";
    const button = $("[data-do=play]");
    button.querySelector("span").textContent = this.playing ? "Pause" : "Play";
    button.querySelector("path").setAttribute("d", this.playing ? "M5 3h5v18H5zm9 0h5v18h-5z" : "M6 3v18l15-9z");
    $("#said").setAttribute("aria-live", this.playing ? "off" : "polite");
    if (!this.playing) { for (const p of this.panels) p.tell(true); this.write(); return; }
    let before = performance.now();
    const slow = matchMedia("(prefers-reduced-motion: reduce)").matches ? 250 : 0;  // milliseconds between pictures
    const tick = now => {
      if (!this.playing) return;
      if (now - before >= slow) { this.advance(Math.max(0, now - before) / 1000 * this.rate); before = now; }
      if (this.time >= this.length) { this.play(false); this.say("the end"); } else if (this.playing) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  },
  /** Continue for so many expansions, or to the first reason to stop. */
  advance(by) {
    const until = Math.min(this.length, this.time + by);
    let first = null;
    if (Object.values(this.stop).some(Boolean)) for (const p of this.panels) {
      const { trace } = p, nodes = this.stop.nodes && p.pinned >= 0 ? new Set([p.pinned]) : null, held = this.time;
      this.time = until;
      const found = trace.nextStop(trace.t, this.eventOf(trace), { ...this.stop, nodes });
      this.time = held;
      if (found) { const time = this.timeOf(trace, found.event + 1); if (!first || time < first.time) first = { time, why: found.why, panel: p }; }
    }
    if (!first) { this.seek(until); return; }
    this.seek(first.time);
    this.play(false);
    this.say(`stopped: ${first.why}` + (this.panels.length > 1 ? ` (${first.panel.number})` : ""));
  },
  speed(v) {
    v = Math.max(0, Math.min(130, v));
    this.rate = 10 ** (v / 20 - 0.5);
    $("#speed").value = v;
    const text = this.rate < 10 ? this.rate.toFixed(1) : count(Number(this.rate.toPrecision(2)));
    $("#rate").textContent = text + " / s"; $("#speed").setAttribute("aria-valuetext", text + " expansions a second");
  },

  /** The same place in the other panels, if they show a map of the same size. */
  twin(panel, other, n) {
    if (other === panel || n < 0) return n;
    const a = panel.views.map, b = other.views.map, p = a && b && a.w === b.w && a.h === b.h ? panel.trace.place[n] : -1;
    return p < 0 ? -1 : b.nodeAt(p);
  },
  hover(panel, n) { if (panel.hovered !== n) for (const p of this.panels) { const m = this.twin(panel, p, n); if (p.hovered !== m) { p.hovered = m; if (!this.playing) p.draw(); } } },
  pin(panel, n) { this.active = panel; for (const p of this.panels) { p.pinned = this.twin(panel, p, n); p.draw(); } },
  parent() {
    const p = this.active || this.panels[0], n = p.looked >= 0 ? p.looked : p.trace.current, a = n < 0 ? -1 : p.trace.arrival[n];
    if (a >= 0 && p.trace.from[a] >= 0) this.pin(p, p.trace.from[a]);
  },
  colour(mode) {
    this.mode = $("#mode").value = mode;
    for (const p of this.panels) { p.mode = mode; p.view.restyle(); p.view.jumped(); }
    this.legend(); this.show();
  },
  legend() {
    const list = $("#legend"), items = [], seen = new Set(), traces = this.panels.map(p => p.trace), svg = (look, plain) => {
      const el = document.createElementNS("http://www.w3.org/2000/svg", "svg"), add = (tag, attributes) => { const c = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const k in attributes) c.setAttribute(k, attributes[k]); el.append(c); };
      el.setAttribute("viewBox", "0 0 16 16"); el.setAttribute("aria-hidden", "true");
      add("rect", { x: 0.5, y: 0.5, width: 15, height: 15, fill: plain || css(theme.looks[look]), stroke: theme.text.control || theme.text.dim });
      if (plain) return el;
      const ink = inkFor(theme.looks[look]), state = (look - 1) % 4 + 1;
      if (state === OPEN) add(look > 4 ? "rect" : "circle", look > 4 ? { x: 5, y: 5, width: 6, height: 6, fill: "none", stroke: ink } : { cx: 8, cy: 8, r: 3.3, fill: "none", stroke: ink, "stroke-width": 1.3 });
      if (state === AGAIN) add("path", { d: "M8 3l5 5-5 5-5-5z", fill: ink });
      if (state === LEFT) add("circle", { cx: 8, cy: 8, r: 2, fill: "none", stroke: ink });
      if (look === CLOSED + 4) add("path", { d: "M4 12L12 4", stroke: ink, "stroke-width": 1.3 });
      return el;
    };
    const item = (mark, text) => items.push(h("li", {}, mark, text));
    if (this.mode === "state") {
      const two = traces.some(t => t.half && t.half.includes(1));
      for (const [state, name] of [[OPEN, "open"], [CLOSED, "closed"], [AGAIN, "open again"], [LEFT, "left"]]) {
        if (state === AGAIN && !traces.some(t => t.reopenings.length) || state === LEFT && !traces.some(t => t.kind.includes(LEAVE))) continue;
        item(svg(state), name);
        if (two && state <= CLOSED) item(svg(state + 4), `${name}, from the goal`);
      }
    } else {
      const scale = h("canvas", { width: 100, height: 1, role: "img", "aria-label": `the scale of ${this.mode}` }), g = scale.getContext("2d");
      for (let x = 0; x < 100; x++) { g.fillStyle = css(ramp(x / 99)); g.fillRect(x, 0, 1, 1); }
      const ranges = this.panels.map(p => p.range(this.mode)), low = Math.min(...ranges.map(r => r[0])), high = Math.max(...ranges.map(r => r[1]));
      items.push(h("li", {}, `${this.mode} ${readable(low)}`, scale, readable(high)));
    }
    for (const t of this.panels.filter(p => p.trace.pictured || p.view instanceof MapView && !p.stage.hidden).map(p => p.trace)) for (const mark of t.header.map ? t.header.map.marks : []) {
      const what = role(mark), name = what + mark.label;
      if (!mark.label || seen.has(name) || seen.size > 7 || !t.ground || !t.ground.includes(t.header.map.marks.indexOf(mark))) continue;
      seen.add(name);
      item(svg(0, css(theme.ground(mark))), foreign(what === "thing" || what === "terrain" ? `${letter(mark)} ${mark.label}`.trim() : mark.label));
    }
    if (this.mode === "state" && traces.some(t => t.notes.some(note => note.cells && note.cells.length))) item(svg(0, css(theme.phases[0])), "in the mask");
    item(h("span", { class: "way" }), "path to the current state");
    list.replaceChildren(...items);
  },
  dark(on) {
    document.documentElement.dataset.theme = on ? "dark" : "light";
    theme.read();
    if (!this.panels.length) return;
    for (const p of this.panels) for (const view of Object.values(p.views)) view.restyle();
    this.chart.prepare(); this.legend(); this.show();
    $("#theme").setAttribute("aria-pressed", String(on));
  },
  resize() {
    const room = $("main").clientHeight;
    this.chart.prepare();
    const heights = this.panels.map(p => p.height(room)), least = Math.min(...heights), side = this.panels.every((p, i) => heights[i] < 2 * least);
    this.panels.forEach((p, i) => p.size(side && innerWidth >= 760 ? least : heights[i]));  // pictures side by side are as high
    this.show();
  },
};

/** Ask to inflate bytes, which every browser since 2023 can do. */
async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
const actions = {
  home: () => { player.play(false); player.seek(0); player.say(); }, end: () => { player.play(false); player.seek(player.length); player.say(); },
  back: () => player.step(-1), next: () => player.step(1), previous: () => player.jump(-1), following: () => player.jump(1),
  play: () => player.play(!player.playing),
};

function cycle(select) {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event("input"));
}

function keydown(e) {
  if (e.ctrlKey || e.metaKey || e.target.closest("select, dialog")) return;
  const range = e.target.type === "range", key = e.key, side = { ArrowLeft: -1, ArrowRight: 1, ",": -1, ".": 1, "<": -1, ">": 1 }[key];
  const letter = {
    "]": () => actions.following(), "[": () => actions.previous(), c: () => cycle($("#mode")), k: () => player.panels.length > 1 && cycle($("#clock")),
    v: () => { const p = player.active || player.panels[0]; cycle(p.choice); }, s: () => { const p = player.active || player.panels[0]; player.pin(p, p.trace.current); },
    p: () => player.parent(), Escape: () => player.pin(player.active || player.panels[0], -1), l: () => $("#follow").click(), t: () => player.dark(!theme.dark), "?": () => $("#keys").showModal(),
    r: () => { const box = $("[data-stop=nodes]"); if (!box.checked) box.click(); player.play(true); },
    Home: actions.home, End: actions.end,
  }[key];
  if (key === " " && !e.target.closest("button, summary, input[type=checkbox]")) actions.play();
  else if (side && e.target.id !== "speed") player.step(side, e.shiftKey ? "event" : e.altKey ? "hundredth" : undefined);
  else if ((key === "ArrowUp" || key === "ArrowDown") && !range) player.speed(+$("#speed").value + (key === "ArrowUp" ? 5 : -5));
  else if ("+=-0".includes(key) && key.length === 1) for (const p of player.active ? [player.active] : player.panels) p.zoom(key === "0" ? 0 : key === "-" ? 1 / 1.5 : 1.5);
  else if (letter && !(range && e.target.id === "speed")) letter();
  else return;
  e.preventDefault();
}

async function main() {
  const begin = performance.now(), blocks = [...document.querySelectorAll("script.recording")], host = $("#panels");
  const traces = [];
  for (const block of blocks) {
    const packed = contentsOf(Uint8Array.from(atob(block.textContent), letter => letter.charCodeAt(0)));
    block.remove();
    traces.push(new Trace(await inflate(packed)));
  }
  player.count = traces.length;
  player.chart = new Chart($("#chart"), player);
  traces.forEach((trace, i) => player.panels.push(new Panel(trace, i + 1, player, host)));
  $("#scrub").max = player.length;
  $("#clocks").hidden = player.panels.length < 2;
  const halves = traces.some(t => t.notes.some(note => note.kind === "meeting"));
  $("[data-stop=meeting]").parentElement.hidden = !halves;
  $("[data-stop=reopened]").parentElement.hidden = !traces.some(t => t.reopenings.length);
  $("[data-stop=notes]").parentElement.hidden = !traces.some(t => t.notes.length);
  player.speed(Math.round(20 * (Math.log10(Math.max(1, player.length) / 12) + 0.5)));
  $("#scrub").addEventListener("input", e => { player.play(false); player.seek(+e.target.value); player.say(); });
  $("#speed").addEventListener("input", e => player.speed(+e.target.value));
  $("#mode").addEventListener("input", e => player.colour(e.target.value));
  $("#clock").addEventListener("input", e => { player.clock = e.target.value; player.chart.prepare(); player.seek(player.time); });
  $("#follow").addEventListener("input", e => { player.following = e.target.checked; });
  for (const box of document.querySelectorAll("[data-stop]")) box.addEventListener("input", () => { player.stop[box.dataset.stop] = box.checked; });
  for (const b of document.querySelectorAll("[data-do]")) b.addEventListener("click", () => actions[b.dataset.do]());
  $("#theme").addEventListener("click", () => player.dark(!theme.dark));
  $("#help").addEventListener("click", () => $("#keys").showModal());
  $("#more").addEventListener("click", () => { const open = $("#bar").toggleAttribute("data-open"); $("#more").setAttribute("aria-expanded", String(open)); player.resize(); });
  addEventListener("keydown", keydown);
  new ResizeObserver(() => player.resize()).observe($("main"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", e => player.dark(e.matches));
  $("#theme").setAttribute("aria-pressed", String(theme.dark));
  player.colour("state");
  // frames of these names begin at the end, in a page that has the verdicts, and the second one draws the first map;
  // "demo" has pictures and transport only, and plays
  if (["at-end", "beside"].includes(window.name)) player.time = player.length;
  if (["at-end", "beside", "demo"].includes(window.name)) document.documentElement.dataset.frame = window.name;
  for (const p of player.panels) p.trace.seek(player.eventOf(p.trace));
  player.resize();
  player.loaded = performance.now() - begin; player.ready = performance.now();
  document.documentElement.dataset.ready = "yes";
  if (window.name === "demo") if (matchMedia("(prefers-reduced-motion: reduce)").matches) player.seek(player.length); else player.play(true);
}

if (typeof document !== "undefined") {
  player.dark(matchMedia("(prefers-color-scheme: dark)").matches);
  addEventListener("message", ({ source, data }) => { if (source === parent && typeof data?.dark === "boolean") player.dark(data.dark); });  // from a page with a theme of its own
  addEventListener("DOMContentLoaded", () => main().catch(error => {
    document.querySelector("main").prepend(h("p", { class: "broken", role: "alert" }, "This recording can't be shown: ", foreign(String(error.message))));
    document.documentElement.dataset.ready = "broken";
  }));
  window.player = player;
}
