"use strict";
// A recorded search: reading a .trace file, and its replay at any event. Nothing in this file needs a browser.

const EXPAND = 0, REACH = 1, IMPROVE = 2, REOPEN = 3, LEAVE = 4, NOTE = 5;
const UNSEEN = 0, OPEN = 1, CLOSED = 2, AGAIN = 3, LEFT = 4;
const STATES = ["not reached", "open", "closed", "open again", "left"];
const MAGIC = "searchkit-trace\n", VERSION = 4;
const LONG_JUMP = 20000;  // so many events are replayed without telling the views about each

/** Return the text of UTF-8 bytes. */
function utf8(bytes) { return new TextDecoder().decode(bytes); }

/** Return the deflated contents of a .trace file. */
function contentsOf(bytes) {
  if (utf8(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Error("this is not a searchkit trace");
  const version = bytes[MAGIC.length];
  if (version !== VERSION) throw new Error(`this trace has version ${version}; the player reads version ${VERSION}`);
  return bytes.subarray(MAGIC.length + 36);  // a checksum is between them
}

/** Texts in one run of bytes, with a zero after each, decoded when asked for: there may be a million of them. */
class Texts {
  constructor(bytes) { this.bytes = bytes; this.length = bytes.reduce((sum, byte) => sum + (byte === 0), 0); this.ends = null; }
  at(i) {
    if (i < 0 || i >= this.length) return "";
    if (!this.ends) {
      const ends = this.ends = new Int32Array(this.length).fill(this.bytes.length);
      for (let k = 0, n = 0; k < this.bytes.length && n < this.length; k++) if (this.bytes[k] === 0) ends[n++] = k;
    }
    return utf8(this.bytes.subarray(i ? this.ends[i - 1] + 1 : 0, this.ends[i]));
  }
  all() { return utf8(this.bytes).split("\0").slice(0, this.length); }
}

/** Return the columns of a trace by name: whole numbers as Int32Array, floats as Float64Array, texts as Texts. */
function readColumns(columns, bytes) {
  const out = {};
  let from = 0;
  for (const [name, code, length] of columns) {
    const raw = bytes.subarray(from, from + length);
    if (raw.length !== length) throw new Error(`the column ${name} is cut off`);
    from += length;
    if (code === "t") { out[name] = new Texts(raw); continue; }
    const size = { b: 1, h: 2, i: 4, d: 8 }[code], n = length / size, whole = new Uint8Array(length);
    for (let i = 0; i < n; i++) for (let byte = 0; byte < size; byte++) whole[i * size + byte] = raw[byte * n + i];
    const steps = new { b: Int8Array, h: Int16Array, i: Int32Array, d: Float64Array }[code](whole.buffer);
    let sum = 0;  // whole numbers are differences
    out[name] = code === "d" ? steps : Int32Array.from(steps, step => sum += step);
  }
  return out;
}

/** The number that a text such as "7", "0.1", "1/3" or "inf" stands for. */
function numeric(text) {
  const slash = text.indexOf("/");
  if (slash >= 0) return Number(text.slice(0, slash)) / Number(text.slice(slash + 1));
  return text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text);
}

/** Exact numbers: their values, and as texts. */
class Numbers {
  constructor(column) {
    this.listed = column instanceof Texts ? column.all() : null;
    this.values = this.listed ? Float64Array.from(this.listed, numeric) : column;
  }
  text(i) { return this.listed ? this.listed[i] : String(this.values[i]); }
}

/** A number for people: whole numbers whole, others with at most three digits after the point. */
function readable(value) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(3)));
}

/** The state of a node after an event: reached better, it stays what it is, unless it was left. */
function after(what, before) {
  if (what === EXPAND) return CLOSED;
  if (what === LEAVE) return LEFT;
  if (what === REOPEN) return AGAIN;
  return what === REACH || before === UNSEEN || before === LEFT ? OPEN : before;
}

/** Return how many of the ascending values are less than `value`. */
function rank(values, value) {
  let low = 0, high = values.length;
  while (low < high) { const middle = low + high >> 1; if (values[middle] < value) low = middle + 1; else high = middle; }
  return low;
}

/**
 * A recording, and the search tree after its first `t` events.
 *
 * A node is a state in one half of a search; nodes have numbers in the order in which they were first reached. `seek`
 * goes to any time: every event keeps what it replaced, so going back costs what going forward costs.
 */
class Trace {
  constructor(contents) {
    const start = 4 + new DataView(contents.buffer, contents.byteOffset).getUint32(0, true), header = JSON.parse(utf8(contents.subarray(4, start)));
    const columns = readColumns(header.columns, contents.subarray(start)), M = columns.kind.length, N = header.nodes;
    const expansions = columns.kind.reduce((sum, kind) => sum + (kind === EXPAND), 0);
    this.header = header; this.M = M; this.N = N; this.columns = columns;
    this.kind = Uint8Array.from(columns.kind);
    this.half = columns.half ? Uint8Array.from(columns.half) : null;
    this.weight = header.weight ? numeric(header.weight) : 1;  // f = g + weight · h
    this.labels = columns.labels || null;
    this.ground = null;
    const map = header.map;
    if (map) {  // its marks as a list, and its ground as their places in the list
      const keys = this.keys = Object.keys(map.marks), index = new Map(keys.map((key, i) => [key, i])), rows = map.rows.map(row => Array.from(row));
      map.marks = keys.map(key => { const [glyph, colour, label, rank] = map.marks[key]; return { glyph, colour, label, rank }; });
      map.height = rows.length; map.width = rows.length ? rows[0].length : 0;
      this.ground = Int32Array.from(rows.flat(), key => index.get(key));
    }
    this.node = columns.node.map((n, t) => columns.kind[t] === NOTE ? -1 : n);  // which node an event is about
    this.from = new Int32Array(M).fill(-1);      // the parent that an arrival names
    this.g = new Float64Array(M);                // of an arrival, as a number
    this.step = new Float64Array(M);             // what the action of an arrival costs; the engine says only g
    this.costs = new Numbers(columns.g);
    this.gNumber = new Int32Array(M).fill(-1);   // which number of `costs` an arrival has
    this.guides = columns.h ? new Numbers(columns.h) : null;
    this.action = new Int32Array(M).fill(-1);
    this.place = columns.cells ? new Int32Array(N).map((_, n) => header.bodies ? columns.cells[header.bodies * n] : -1) : null;
    this.h = this.guides ? new Float64Array(N).map((_, n) => this.half && this.half[n] ? NaN : this.guides.values[n]) : null;  // NaN: the engine uses none there
    this.first = new Int32Array(N).fill(-1);     // the event that reached a node first
    this.parent = new Int32Array(N).fill(-1);    // the last parent, for layouts
    this.at = new Int32Array(expansions); // the events of the expansions
    this.f = new Float64Array(expansions);
    this.openAt = new Int32Array(expansions);
    this.state = new Uint8Array(N);
    this.arrival = new Int32Array(N).fill(-1);   // the event of the present arrival
    this.order = new Int32Array(N).fill(-1);     // the number of the last expansion
    this.wasState = new Uint8Array(M);
    this.was = new Int32Array(M).fill(-1);       // what an event replaced in `arrival`, or in `order`
    this.open = 0; this.t = 0; this.touched = null; this.jumped = null;
    this.rises = []; this.reopenings = []; this.noteEvents = [];
    this.read(columns);
    this.notes = this.readNotes();
    this.peak = this.openAt.reduce((most, n) => Math.max(most, n), 0);
    this.seek(0);
  }

  /** Work out all events once, in order, as they happened. */
  read(c) {
    const { M, kind, node, from, g, at, state, arrival, order, h } = this;
    this.actions = this.header.actions;
    let expansion = 0, arrivals = 0, highest = -Infinity;
    for (let t = 0; t < M; t++) {
      const what = kind[t], n = node[t];
      if (what === NOTE) { this.noteEvents.push(t); continue; }
      let now;
      if (what === EXPAND) {
        now = CLOSED;
        this.was[t] = order[n];
        order[n] = expansion;
      } else if (what === LEAVE) now = LEFT;
      else {
        const parent = from[t] = c.parent[arrivals];
        g[t] = this.costs.values[arrivals];
        this.step[t] = parent < 0 ? NaN : g[t] - g[arrival[parent]];
        this.action[t] = c.action[arrivals];
        this.gNumber[t] = arrivals++;
        if (what === REACH) this.first[n] = t;
        this.parent[n] = parent;
        this.was[t] = arrival[n];
        arrival[n] = t;
        now = after(what, state[n]);
        if (what === REOPEN) this.reopenings.push(t);
      }
      const before = this.wasState[t] = state[n];
      state[n] = now;
      this.open += (now & 1) - (before & 1);
      if (what === EXPAND) {
        const f = (arrival[n] < 0 ? 0 : g[arrival[n]]) + (h ? this.weight * (h[n] || 0) : 0);
        if (highest === -Infinity || f > highest + 1e-9 * Math.abs(highest)) { if (expansion) this.rises.push(t); highest = f; }
        this.f[expansion] = f; this.openAt[expansion] = this.open; at[expansion++] = t;
      }
    }
    this.t = M;
    this.reopenings = Int32Array.from(this.reopenings); this.rises = Int32Array.from(this.rises);
  }

  readNotes() {
    return this.header.notes.map((note, i) => ({ ...note, cells: note.cells.length ? note.cells : null, event: this.noteEvents[i] }));
  }

  /** Go to the time after `t` events. */
  seek(t) {
    t = Math.max(0, Math.min(this.M, t));
    const tell = Math.abs(t - this.t) <= LONG_JUMP ? this.touched : null;
    const { kind, node, state, arrival, order, wasState, was } = this;
    let open = this.open, expansion = this.expansionsAt(this.t);
    for (let e = this.t; e < t; e++) {
      const n = node[e], what = kind[e];
      if (n < 0) { if (tell) tell(e, -1, 0, 0); continue; }
      const before = state[n], now = after(what, before);
      state[n] = now;
      if (what === EXPAND) order[n] = expansion++; else if (what !== LEAVE) arrival[n] = e;
      open += (now & 1) - (before & 1);
      if (tell) tell(e, n, before, now);
    }
    for (let e = this.t - 1; e >= t; e--) {
      const n = node[e], what = kind[e];
      if (n < 0) { if (tell) tell(e, -1, 0, 0); continue; }
      const before = state[n], now = wasState[e];
      state[n] = now;
      if (what === EXPAND) order[n] = was[e]; else if (what !== LEAVE) arrival[n] = was[e];
      open += (now & 1) - (before & 1);
      if (tell) tell(e, n, before, now);
    }
    const far = !tell && t !== this.t;
    this.t = t; this.open = open;
    if (far && this.jumped) this.jumped();
  }

  /** How many expansions have begun within the first `t` events. */
  expansionsAt(t) { return rank(this.at, t); }
  get expansions() { return this.expansionsAt(this.t); }
  /** The node that was expanded last; −1 before the first expansion. */
  get current() { const k = this.expansions; return k ? this.node[this.at[k - 1]] : -1; }
  /** The event before which `k` expansions are complete. */
  eventAfter(k) { return k < this.at.length ? this.at[Math.max(0, k)] : this.M; }
  /** The event at a time in expansions; 2.5 is in the middle of what the third expansion brings. */
  eventAt(time) {
    const whole = Math.max(0, Math.floor(time + 1e-9)), start = this.eventAfter(whole);
    if (whole >= this.at.length) return this.M;
    return start + Math.floor((time - whole) * (this.eventAfter(whole + 1) - start) + 1e-6);
  }
  /** The time in expansions of an event. */
  timeOf(t) {
    const k = this.expansionsAt(t);
    if (!k) return 0;
    const start = this.at[k - 1], end = this.eventAfter(k);
    return k - 1 + (t - start) / Math.max(1, end - start);
  }

  gOf(n) { const a = this.arrival[n]; return a < 0 ? NaN : this.g[a]; }
  /** h, 0 where the engine uses none. */
  hOf(n) { return this.h ? this.h[n] || 0 : 0; }
  valueOf(n, what) {
    if (what === "order") return this.order[n] < 0 ? NaN : this.order[n];
    return what === "g" ? this.gOf(n) : what === "h" ? this.hOf(n) : this.gOf(n) + this.weight * this.hOf(n);
  }
  /** The exact text of g of the arrival at event `t`. */
  gText(t) { return this.costs.text(this.gNumber[t]); }
  /** The exact text of h; "" where the engine uses none. */
  hText(n) { return !this.h || Number.isNaN(this.h[n]) ? "" : this.guides.text(n); }
  actionText(t) { return this.action[t] >= 0 ? this.actions[this.action[t]] : ""; }

  label(n) {
    if (n < 0) return "–";
    if (this.labels) return this.labels.at(n);
    const map = this.header.map;
    return this.place && this.place[n] >= 0 && map ? `(${this.place[n] % map.width}, ${Math.floor(this.place[n] / map.width)})` : `#${n}`;
  }

  /** The nodes from `n` back to a start, along the present parents. */
  path(n) {
    const seen = new Set();  // of what is left, the parents may have changed since
    while (n >= 0 && !seen.has(n)) { seen.add(n); n = this.arrival[n] < 0 ? -1 : this.from[this.arrival[n]]; }
    return [...seen];
  }

  /** A parent of each node, for layouts: the last ones, or the first ones if the last make circles (iterations). */
  layoutParents() {
    const round = new Int32Array(this.N);
    for (let n = 0; n < this.N; n++) {
      let m = n;
      while (m >= 0 && !round[m]) { round[m] = n + 1; m = this.parent[m]; }
      if (m >= 0 && round[m] === n + 1) return this.first.map(t => t < 0 ? -1 : this.from[t]);
    }
    return this.parent;
  }

  /** The node of the same state in the other half of a bidirectional search; −1 if there is none. */
  twin(n) {
    if (!this.half || n < 0) return -1;
    for (let m = 0; m < this.N; m++) {
      if (this.half[m] === this.half[n] || this.place && this.place[m] !== this.place[n]) continue;
      if (this.labels ? this.labels.at(m) === this.labels.at(n) : this.place && this.place[n] >= 0) return m;
    }
    return -1;
  }
  /** The present children of a node. */
  children(n) {
    if (!this.childStart) this.indexChildren();
    const out = [];
    for (let i = this.childStart[n]; i < this.childStart[n + 1]; i++) {
      const e = this.childEvent[i];
      if (e >= this.t) break;
      const m = this.node[e];
      if (this.arrival[m] === e && this.state[m] !== UNSEEN) out.push(m);
    }
    return out;
  }
  indexChildren() {
    const { M, N, from } = this, start = this.childStart = new Int32Array(N + 2);
    for (let t = 0; t < M; t++) if (from[t] >= 0) start[from[t] + 2]++;
    for (let n = 1; n < N + 2; n++) start[n] += start[n - 1];
    const events = this.childEvent = new Int32Array(start[N + 1]);
    for (let t = 0; t < M; t++) if (from[t] >= 0) events[start[from[t] + 1]++] = t;
  }

  /** The first `most` open nodes: as the engine will expand them, then those that it never does, by f. */
  frontier(most = 200) {
    const out = [], listed = new Set(), { at, node, state, N } = this, many = Math.min(most, this.open);
    for (let k = this.expansions; k < at.length && out.length < many; k++) {
      const n = node[at[k]];
      if (state[n] & 1 && !listed.has(n)) { listed.add(n); out.push(n); }
    }
    if (out.length < many) {
      const rest = [];
      for (let n = 0; n < N; n++) if (state[n] & 1 && !listed.has(n)) rest.push(n);
      const f = n => this.valueOf(n, "f");
      rest.sort((a, b) => f(a) - f(b) || a - b);
      out.push(...rest.slice(0, many - out.length));
    }
    return out;
  }

  /** The first reason to stop in the events from `t` up to `end`: {event, why}, or null. `why`: what to stop at. */
  nextStop(t, end, why) {
    let best = null;
    const consider = (event, reason) => { if (event >= t && event < end && (!best || event < best.event)) best = { event, why: reason }; };
    const first = (events, reason) => { const i = rank(events, t); if (i < events.length) consider(events[i], reason); };
    if (why.rise) first(this.rises, "f rises");
    if (why.reopened) first(this.reopenings, "a state is reopened");
    if (why.notes || why.meeting) for (const note of this.notes) {
      if (note.kind === "meeting" ? why.meeting || why.notes : why.notes) consider(note.event, note.kind === "meeting" ? "the halves meet" : note.kind);
    }
    if (why.nodes) for (let e = t; e < end; e++) if (why.nodes.has(this.node[e])) { consider(e, this.kind[e] === EXPAND ? "the state is expanded" : "the state is reached"); break; }
    return best;
  }

  /** All cells of a state: its place, and those of further bodies. */
  cellsOf(n) { const { bodies } = this.header; return this.place ? Array.from(this.columns.cells.subarray(bodies * n, bodies * (n + 1))).filter(cell => cell >= 0) : []; }
  /** The cells that look different in a state: cell → mark. */
  changesOf(n) {
    const { changes } = this.header;
    return new Map(changes ? changes[n].map(([cell, key]) => [cell, this.keys.indexOf(key)]) : []);
  }
  /** Whether states are pictures, such as boards, and not places on a map. */
  get pictured() { return !!this.header.changes && !this.header.bodies; }
  /** The mark in each cell of a state's picture. */
  picture(n) {
    const at = this.changesOf(n);
    return this.ground.map((mark, p) => at.has(p) ? at.get(p) : mark);
  }
  /** Pairs of nodes: the steps that are known, in the tree at any time and beside it. */
  edges() {
    const seen = new Set(), out = [];
    const add = (a, b) => { const key = a * this.N + b; if (!seen.has(key)) { seen.add(key); out.push([a, b]); } };
    for (let t = 0; t < this.M; t++) if (this.from[t] >= 0) add(this.from[t], this.node[t]);
    for (const [a, b] of this.header.edges || []) add(a, b);
    return out;
  }
  /** Coordinates of the nodes, y upwards; null if the problem has none. */
  positions() { const { positions } = this.header; return positions ? { x: positions.map(at => at[0]), y: positions.map(at => at[1]) } : null; }
}
