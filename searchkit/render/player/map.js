// A search on a map: every cell shows the states that are there.

// of the states in one cell, the first of these that occurs is shown
const SHOWN_FIRST = [AGAIN, AGAIN + 4, OPEN, OPEN + 4, CLOSED, CLOSED + 4, LEFT, LEFT + 4];

// how long a walk is looked for, for each step of a path
const MOST_STEPS = 4096, MOST_CELLS = 65536;

// how far a row of hexagons is from the next, in widths of a hexagon
const HEX_ROW = Math.sqrt(3) / 2;

/** What one list has and the other has not, as often as that is so. */
function without(list, other) {
  const rest = [...other];
  return [...list].filter(value => { const at = rest.indexOf(value); if (at >= 0) rest.splice(at, 1); return at < 0; });
}

class MapView extends View {
  constructor(panel) {
    const map = panel.trace.header.map;
    super(panel, map.width, map.height);
    const t = this.trace, cells = this.w * this.h;
    this.sheet = document.createElement("canvas"); this.sheet.width = this.w; this.sheet.height = this.h;
    this.ink = this.sheet.getContext("2d"); this.image = this.ink.createImageData(this.w, this.h);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.base = new Uint32Array(cells);
    this.head = new Int32Array(cells).fill(-1); this.next = new Int32Array(t.N).fill(-1);
    let most = 0;
    const many = new Uint8Array(cells);
    this.nowhere = 0;
    for (let n = t.N - 1; n >= 0; n--) {
      const p = t.place[n];
      if (p < 0 || p >= cells) { this.nowhere++; continue; }
      this.next[n] = this.head[p]; this.head[p] = n;
      if (many[p] < 2) most = Math.max(most, ++many[p]);
    }
    // several states per cell: how many of them look how
    this.counts = most > 1 ? Array.from({ length: t.half ? 9 : 5 }, () => new Int32Array(cells)) : null;
    this.dirty = new Uint8Array(cells); this.list = []; this.all = true;
    this.shade = null;
    for (const note of t.notes) if (note.cells) {
      this.shade ||= new Int32Array(cells).fill(-1);
      for (const p of note.cells) if (p >= 0 && p < cells && this.shade[p] < 0) this.shade[p] = note.event;
    }
    this.things = this.findThings();
    this.restyle();
    this.jumped();
  }
  get hexagonal() { return this.trace.header.map.hexagonal; }
  get size() { return this.hexagonal ? [this.w + 0.5, (this.h - 1) * HEX_ROW + 1 / HEX_ROW] : [this.w, this.h]; }
  /** Cells of the ground that are drawn as glyphs: starts, goals, keys, doors. */
  findThings() {
    const out = [], marks = this.trace.header.map.marks, ground = this.trace.ground;
    if (!ground) return out;
    const glyphs = marks.map(m => role(m) === "thing" || role(m) === "terrain");
    for (let p = 0; p < ground.length && out.length < 20000; p++) if (glyphs[ground[p]]) out.push(p);
    return out;
  }
  restyle() {
    this.wall = this.panel.mode === "state" ? theme.wall : theme.wallUnderNumbers;
    const { trace, base } = this, marks = trace.header.map.marks.map(m => role(m) === "wall" ? this.wall : theme.ground(m)), ground = trace.ground;
    if (ground) for (let p = 0; p < base.length; p++) base[p] = marks[ground[p]]; else base.fill(theme.floor);
    this.all = true;
  }
  touched(e, n, before, now) {
    if (n < 0) { if (this.shade) this.all = true; return; }
    const p = this.trace.place[n];
    if (p < 0 || p >= this.dirty.length) return;
    if (this.counts) {
      const half = this.trace.half && this.trace.half[n] === 1 ? 4 : 0;
      this.counts[before ? before + half : 0][p]--; this.counts[now ? now + half : 0][p]++;
    }
    if (!this.dirty[p]) { this.dirty[p] = 1; this.list.push(p); }
  }
  jumped() {
    this.all = true;
    if (!this.counts) return;
    for (const c of this.counts) c.fill(0);
    const { trace, counts } = this, { place, N } = trace, cells = this.dirty.length;
    for (let n = 0; n < N; n++) if (place[n] >= 0 && place[n] < cells) counts[this.lookOf(n)][place[n]]++;
  }
  /** How a cell looks: 0 if no state there is reached. */
  lookAt(p) {
    if (!this.counts) return this.head[p] < 0 ? 0 : this.lookOf(this.head[p]);
    for (const look of SHOWN_FIRST) if (look < this.counts.length && this.counts[look][p] > 0) return look;
    return 0;
  }
  /** The state that stands for a cell: the first reached of those that look as the cell looks. */
  nodeAt(p) {
    const look = this.lookAt(p);
    let n = this.head[p];
    if (this.counts) while (n >= 0 && this.lookOf(n) !== look) n = this.next[n];
    return n;
  }
  background(p) {
    const s = this.shade ? this.shade[p] : -1;
    if (s < 0 || s >= this.trace.t || this.base[p] === this.wall) return this.base[p];
    return this.panel.phaseShade(s);
  }
  colourAt(p) {
    const look = this.lookAt(p);
    if (!look) return this.background(p);
    if (this.panel.mode === "state") return theme.looks[look];
    return this.colourOf(this.counts ? this.nodeAt(p) : this.head[p]);
  }
  paint() {
    const { pixels, list, dirty } = this;
    if (this.all) {
      if (this.counts || this.shade) for (let p = 0; p < pixels.length; p++) pixels[p] = this.colourAt(p);
      else {
        const { place, state, N } = this.trace, plain = this.panel.mode === "state" && !this.trace.half, looks = theme.looks;
        pixels.set(this.base);
        for (let n = 0; n < N; n++) if (state[n] && place[n] >= 0 && place[n] < pixels.length) pixels[place[n]] = plain ? looks[state[n]] : this.colourOf(n);
      }
      this.ink.putImageData(this.image, 0, 0);
    } else if (list.length) {
      let left = this.w, right = 0, top = this.h, bottom = 0;
      for (const p of list) {
        pixels[p] = this.colourAt(p);
        const x = p % this.w, y = (p - x) / this.w;
        if (x < left) left = x; if (x > right) right = x; if (y < top) top = y; if (y > bottom) bottom = y;
      }
      this.ink.putImageData(this.image, 0, 0, left, top, right - left + 1, bottom - top + 1);
    }
    for (const p of list) dirty[p] = 0;
    list.length = 0; this.all = false;
  }
  draw() {
    this.place();
    this.paint();
    const g = this.g;
    this.clear();
    g.imageSmoothingEnabled = this.sx < 1; g.imageSmoothingQuality = "high";
    const size = this.sx / this.ratio;  // of a cell, in pixels of the page
    if (this.hexagonal) this.hexagons(size);
    else g.drawImage(this.sheet, this.dx, this.dy, this.w * this.sx, this.h * this.sy);
    if (size >= 6) this.details(size);
    this.changes(true);
    this.trail();
    this.landmarks(size);
    this.rings();
    this.changes(false);
    this.bodies();
  }
  /** What a page beside the player draws: how each cell looks, and the cells of the path. */
  seen() {
    const tip = this.tip(), paths = tip < 0 ? [] : this.panel.pathsTo(tip).map(path => path.map(n => this.trace.place[n]));
    return { looks: Uint8Array.from(this.base, (_, p) => this.lookAt(p)), paths };
  }
  /** Call with the cells that can be seen: (p, middle x, middle y). */
  visible(call) {
    const { w, h, sx, dx, dy } = this, clip = (v, most) => Math.max(0, Math.min(most, v));
    const row = this.hexagonal ? sx * HEX_ROW : sx;
    const x0 = clip(Math.floor(-dx / sx) - 1, w), x1 = clip(Math.ceil((this.canvas.width - dx) / sx), w);
    const y0 = clip(Math.floor(-dy / row) - 1, h), y1 = clip(Math.ceil((this.canvas.height - dy) / row), h);
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) call(y * w + x, ...this.middle(y * w + x));
  }
  /** Hexagons in rows of which every second one is shifted to the right; small ones as shifted rows of pixels. */
  hexagons(size) {
    const { g, sx, dx, dy, w, h } = this;
    if (size < 6) {
      for (let y = 0; y < h; y++) g.drawImage(this.sheet, 0, y, w, 1, (y % 2 / 2) * sx + dx, (y + 0.2) * HEX_ROW * sx + dy, w * sx, HEX_ROW * sx);
      return;
    }
    const paths = new Map(), r = sx / 2, tall = sx / 2 / HEX_ROW;
    this.visible((p, x, y) => {
      if (!paths.has(this.pixels[p])) paths.set(this.pixels[p], new Path2D());
      const path = paths.get(this.pixels[p]);
      path.moveTo(x, y - tall);
      for (const [across, down] of [[r, -tall / 2], [r, tall / 2], [0, tall], [-r, tall / 2], [-r, -tall / 2]]) path.lineTo(x + across, y + down);
      path.closePath();
    });
    g.lineWidth = 1; g.lineJoin = "round";
    for (const [pixel, path] of paths) {
      g.fillStyle = css(pixel); g.fill(path);
      g.strokeStyle = size < 9 ? css(pixel) : theme.dark ? "rgba(0,0,0,.45)" : "rgba(0,0,0,.13)"; g.stroke(path);
    }
  }
  /** Lines between cells, glyphs of the ground, shapes of the states, and numbers if there is room. */
  details(size) {
    const { g, sx, trace } = this, marks = trace.header.map.marks, numbers = size >= 44, mode = this.panel.mode;
    const grid = new Path2D();
    if (size >= 9 && !this.hexagonal) {
      for (let x = 0; x <= this.w; x++) { const at = Math.round(x * sx + this.dx) + 0.5; grid.moveTo(at, Math.max(0, this.dy)); grid.lineTo(at, Math.min(this.canvas.height, this.dy + this.h * sx)); }
      for (let y = 0; y <= this.h; y++) { const at = Math.round(y * sx + this.dy) + 0.5; grid.moveTo(Math.max(0, this.dx), at); grid.lineTo(Math.min(this.canvas.width, this.dx + this.w * sx), at); }
      g.strokeStyle = theme.dark ? "rgba(0,0,0,.45)" : "rgba(0,0,0,.13)"; g.lineWidth = 1; g.stroke(grid);
    }
    g.textAlign = "center"; g.textBaseline = "middle";
    this.visible((p, x, y) => {
      const look = this.lookAt(p), kind = trace.ground ? role(marks[trace.ground[p]]) : "floor", mark = trace.ground ? marks[trace.ground[p]] : null;
      const dark = mode === "state" ? inkFor(theme.looks[look] || this.base[p]) : inkFor(this.pixels[p]);
      if (look && !(numbers && kind !== "thing")) {
        g.globalAlpha = 0.75; g.strokeStyle = g.fillStyle = dark; g.lineWidth = Math.max(1, sx / 14);
        const state = (look - 1) % 4 + 1;
        if (kind !== "thing" && state !== CLOSED) { shape(g, look, x, y, sx * (kind === "terrain" ? 0.38 : 0.2)); if (state === AGAIN) g.fill(); else g.stroke(); }
        if (look > 4 && state === CLOSED) { g.beginPath(); g.moveTo(x - sx * 0.3, y + sx * 0.3); g.lineTo(x + sx * 0.3, y - sx * 0.3); g.stroke(); }
        g.globalAlpha = 1;
      }
      if (kind === "thing" || kind === "terrain" && size >= 14 && !numbers) {
        g.fillStyle = inkFor(this.pixels[p]);
        g.globalAlpha = kind === "thing" ? 1 : look ? 0.8 : 0.5;
        this.glyph(mark, x, y, sx * (kind === "thing" || !look ? 0.62 : 0.45));  // room for the shape of the state
        g.globalAlpha = 1;
      }
      if (numbers && look) {
        const n = this.nodeAt(p), a = trace.arrival[n];
        if (a < 0) return;
        g.fillStyle = dark;
        g.font = `600 ${sx / 4.2}px system-ui, sans-serif`; g.fillText(readable(trace.valueOf(n, "f")), x, y - sx * 0.2);
        g.font = `${sx / 5.4}px system-ui, sans-serif`; g.fillText(`${readable(trace.gOf(n))} + ${readable(trace.hOf(n))}`, x, y + sx * 0.14, sx * 0.94);
      }
    });
  }
  glyph(mark, x, y, size) {
    const text = letter(mark), g = this.g;
    g.font = `bold ${Math.round(size)}px ui-monospace, "DejaVu Sans Mono", monospace`; g.textAlign = "center"; g.textBaseline = "middle";
    if (text) g.fillText(text, x, y + size * 0.06); else { g.beginPath(); g.arc(x, y, size * 0.25, 0, 7); g.fill(); }
  }
  /** Over the path: where it starts and ends, and other things that are still there. Large cells show theirs beside it. */
  landmarks(size) {
    const { g, sx } = this, marks = this.trace.header.map.marks, ground = this.trace.ground, r = 6 * this.ratio;
    const gone = new Set(this.shown < 0 ? [] : Array.from(this.trace.changesOf(this.shown), ([p]) => p));
    const things = this.things.filter(p => role(marks[ground[p]]) === "thing");
    for (const p of things.length <= 60 && size < 44 ? things : []) if (!gone.has(p)) {
      const mark = marks[ground[p]], [x, y] = this.middle(p);
      if (size < 6) {
        g.beginPath(); g.arc(x, y, r * 1.15, 0, 7); g.fillStyle = theme.text.casing; g.fill();
        g.beginPath(); g.arc(x, y, r, 0, 7); g.fillStyle = theme.text.line; g.fill();
        g.fillStyle = theme.text.casing;
      } else {
        g.fillStyle = css(theme.ground(mark)); g.fillRect(x - sx * 0.42, y - sx * 0.42, sx * 0.84, sx * 0.84);
        g.fillStyle = inkFor(theme.ground(mark));
      }
      if (size >= 6 || letter(mark)) this.glyph(mark, x, y, size < 6 ? r * 1.3 : Math.max(sx * 0.7, Math.min(sx, 7 * this.ratio)));
    }
  }
  /** The state that is looked at, or the current one; -1 if there is none. */
  get shown() { return this.panel.looked >= 0 ? this.panel.looked : this.trace.current; }
  /** The cells that look different in this state: empty ones, such as of taken keys, under the path; others over it. */
  changes(empty) {
    const { g, sx } = this;
    if (this.shown < 0) return;
    for (const [p, mark] of this.trace.changesOf(this.shown)) {
      const [x, y] = this.middle(p), size = Math.max(sx, 9 * this.ratio), m = this.trace.header.map.marks[mark];
      if (empty !== (role(m) === "floor")) continue;
      g.fillStyle = css(theme.ground(m)); g.fillRect(x - size / 2, y - size / 2, size, size);
      if (!empty) { g.fillStyle = inkFor(theme.ground(m)); this.glyph(m, x, y, size * 0.7); }
    }
  }
  /** Where the movers are in this state, if it has more than one cell. */
  bodies() {
    const n = this.shown, { g, sx } = this;
    if (n < 0) return;
    const cells = this.trace.cellsOf(n);
    if (cells.length > 1) cells.forEach((p, i) => {
      const [x, y] = this.middle(p), r = Math.max(6 * this.ratio, sx * 0.38);
      g.beginPath(); g.arc(x, y, r, 0, 7); g.fillStyle = theme.text.line; g.fill();
      g.strokeStyle = theme.text.casing; g.lineWidth = 2 * this.ratio; g.stroke();
      g.fillStyle = theme.text.casing; g.font = `bold ${Math.round(r * 1.2)}px system-ui, sans-serif`; g.textAlign = "center"; g.textBaseline = "middle"; g.fillText(String(i + 1), x, y + r * 0.06);
    });
  }
  /** A path: dashed where the way between two states is neither a free straight line nor a walk that takes what the step costs. */
  line(nodes, colour, width) {
    const solid = new Path2D(), dashed = new Path2D();
    for (let i = 1; i < nodes.length; i++) {
      const [a, b] = [nodes[i - 1], nodes[i]], one = this.trace.cellsOf(a), other = this.trace.cellsOf(b);  // of all bodies
      let legs = one.map((p, body) => [p, other[body]]).filter(([, q]) => q !== undefined);
      if (!legs.every(([p, q]) => this.isFree(p, q))) {  // some problems sort their bodies: find the one that has moved
        const left = without(one, other), come = without(other, one);
        if (left.length === 1 && come.length === 1) legs = [[left[0], come[0]]];
      }
      for (const [p, q] of legs) {
        const walk = this.isFree(p, q) ? [p, q] : legs.length === 1 ? this.walk(a, b, p, q) : null, path = walk ? solid : dashed;
        path.moveTo(...this.middle(p));
        for (const cell of walk || [q]) path.lineTo(...this.middle(cell));
      }
    }
    this.stroke(dashed, colour, width, undefined, [2 * width, 2 * width]);
    this.stroke(solid, colour, width);
  }
  isFree(p, q) {
    const x = p % this.w, y = (p - x) / this.w, u = q % this.w, v = (q - u) / this.w, far = Math.max(Math.abs(u - x), Math.abs(v - y));
    if (far <= 1) return true;
    if (u !== x && v !== y && Math.abs(u - x) !== Math.abs(v - y)) return false;
    for (let k = 1; k < far; k++) if (this.base[p + k * Math.sign(v - y) * this.w + k * Math.sign(u - x)] === this.wall) return false;
    return true;
  }
  /** The cells of a shortest walk from p to q, a step between neighbouring states, if its length is the cost of the step; or null. */
  walk(a, b, p, q) {
    const cost = Math.abs(this.trace.gOf(b) - this.trace.gOf(a)), key = `${a} ${b} ${p}`;
    if (!(Number.isInteger(cost) && cost > 0 && cost < MOST_STEPS)) return null;
    this.walks ||= new Map();
    if (this.walks.has(key)) return this.walks.get(key);
    const { ground, header } = this.trace, marks = header.map.marks, roles = marks.map(role), changed = this.trace.changesOf(this.trace.gOf(a) < this.trace.gOf(b) ? a : b), before = new Map([[p, -1]]);
    const closed = c => c !== q && roles[ground[c]] !== "floor" && (roles[ground[c]] === "wall" || !changed.has(c));  // doors are open if they look so
    let edge = [p];
    for (let steps = 0; steps < cost && !before.has(q) && before.size < MOST_CELLS; steps++) {
      const next = [];
      for (const c of edge) for (const d of [c - this.w, c + this.w, c % this.w ? c - 1 : -1, (c + 1) % this.w ? c + 1 : -1])
        if (d >= 0 && d < ground.length && !before.has(d) && !closed(d)) { before.set(d, c); next.push(d); }
      edge = next;
    }
    const cells = [];
    for (let c = q; before.has(c); c = before.get(c)) cells.unshift(c);
    const found = cells.length === cost + 1 ? cells : null;
    this.walks.set(key, found);
    return found;
  }
  /** The middle of a cell on the canvas. */
  middle(p) {
    const x = p % this.w, y = Math.floor(p / this.w), hexagonal = this.hexagonal;
    return [(x + 0.5 + (hexagonal ? y % 2 / 2 : 0)) * this.sx + this.dx, (hexagonal ? y * HEX_ROW + 0.5 / HEX_ROW : y + 0.5) * this.sy + this.dy];
  }
  spot(n) { const p = this.trace.place[n]; return p < 0 ? null : this.middle(p); }
  cellAt(x, y) {
    if (this.hexagonal) {  // the one whose middle is nearest
      const row = Math.round(((y - this.dy) / this.sy - 0.5 / HEX_ROW) / HEX_ROW), near = [];
      for (const cy of [row - 1, row, row + 1]) {
        const cx = Math.floor((x - this.dx) / this.sx - (cy & 1) / 2);
        if (cx >= 0 && cy >= 0 && cx < this.w && cy < this.h) near.push(cy * this.w + cx);
      }
      const far = p => { const [u, v] = this.middle(p); return (u - x) ** 2 + (v - y) ** 2; };
      const p = near.sort((one, other) => far(one) - far(other))[0];
      return p !== undefined && 3 * far(p) <= this.sx ** 2 ? p : -1;
    }
    const cx = Math.floor((x - this.dx) / this.sx), cy = Math.floor((y - this.dy) / this.sy);
    return cx < 0 || cy < 0 || cx >= this.w || cy >= this.h ? -1 : cy * this.w + cx;
  }
  find(x, y) { const p = this.cellAt(x, y); return p < 0 ? -1 : this.nodeAt(p); }
  /** The nearest state in a direction, for the keyboard: at most three cells aside of the line. */
  step(n, key) {
    const p = n < 0 ? -1 : this.trace.place[n];
    if (p < 0) return this.trace.current;
    const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const x = p % this.w, y = (p - x) / this.w;
    for (let far = 1; far < Math.max(this.w, this.h); far++) for (const aside of [0, 1, -1, 2, -2, 3, -3]) {
      const cx = x + ax * far + ay * aside, cy = y + ay * far + ax * aside;
      if (Math.abs(aside) > far || cx < 0 || cy < 0 || cx >= this.w || cy >= this.h) continue;
      const m = this.nodeAt(cy * this.w + cx);
      if (m >= 0 && this.trace.state[m]) return m;
    }
    return n;
  }
}

/** Black or white, whichever can be read on a pixel. */
function inkFor(p) { return luminance([p & 255, p >> 8 & 255, p >> 16 & 255]) > 0.18 ? "#000" : "#fff"; }
