// What all views share: a canvas, zoom and pan, and marks of the current and the selected state.

const MOST_ZOOM = 4096;

class View {
  /** `width` × `height`: the drawing's size in its own units, such as cells. */
  constructor(panel, width, height) {
    this.panel = panel; this.trace = panel.trace; this.canvas = panel.canvas; this.g = panel.g;
    this.w = Math.max(1, width); this.h = Math.max(1, height);
    this.zoom = 1; this.centre = this.size.map(size => size / 2);
    this.margin = 0;
  }
  /** Pixels of the canvas per pixel of the page. */
  get ratio() { return this.panel.ratio; }
  /** How large the drawing is, in its own units. */
  get size() { return [this.w, this.h]; }
  /** Scales at zoom 1: pixels per unit across and down. */
  fit() { const s = Math.min(this.canvas.width / this.size[0], this.canvas.height / this.size[1]); return [s, s]; }
  scales() { const [x, y] = this.fit(); return [x * this.zoom, y * this.zoom]; }
  place() {
    [this.sx, this.sy] = this.scales();
    const keep = (c, size, scale, room) => size * scale <= room ? size / 2 : Math.max(room / 2 / scale, Math.min(size - room / 2 / scale, c));
    const [w, h] = this.size;
    this.centre = [keep(this.centre[0], w, this.sx, this.canvas.width), keep(this.centre[1], h, this.sy, this.canvas.height)];
    this.dx = this.canvas.width / 2 - this.centre[0] * this.sx;
    this.dy = this.canvas.height / 2 - this.centre[1] * this.sy;
    if (this.sx >= 3 && this.sx === this.sy) { this.dx = Math.round(this.dx); this.dy = Math.round(this.dy); }
  }
  zoomAt(x, y, by) {
    const before = [(x - this.dx) / this.sx, (y - this.dy) / this.sy];
    const largest = Math.max(1, Math.min(MOST_ZOOM, 96 * this.ratio / Math.max(...this.fit())));
    this.zoom = Math.max(1, Math.min(this.largestZoom ? this.largestZoom() : largest, this.zoom * by));
    const [sx, sy] = this.scales();
    this.centre = [before[0] + (this.canvas.width / 2 - x) / sx, before[1] + (this.canvas.height / 2 - y) / sy];
  }
  pan(x, y) { this.centre = [this.centre[0] - x / this.sx, this.centre[1] - y / this.sy]; }
  /** Move so that a node is in the middle third, if it is far from it. */
  follow(n) {
    const spot = this.spot(n);
    if (!spot || this.zoom === 1) return;
    const { width, height } = this.canvas;
    if (spot[0] < width / 6 || spot[0] > width * 5 / 6 || spot[1] < height / 6 || spot[1] > height * 5 / 6) {
      this.centre = [(spot[0] - this.dx) / this.sx, (spot[1] - this.dy) / this.sy];
      this.place();
    }
  }
  /** The size of what a path runs through. */
  thickness() { return this.sx; }
  clear() {
    this.g.setTransform(1, 0, 0, 1, 0, 0);
    this.g.fillStyle = theme.text.panel; this.g.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }
  stroke(path, colour, width, casing = theme.text.casing, dash = []) {
    const g = this.g;
    g.lineJoin = g.lineCap = "round"; g.setLineDash([]);
    g.strokeStyle = casing; g.lineWidth = width + 2 * this.ratio; g.stroke(path);
    g.setLineDash(dash); g.strokeStyle = colour; g.lineWidth = width; g.stroke(path);
    g.setLineDash([]);
  }
  line(nodes, colour, width, dash) {
    const path = new Path2D();
    let drawn = false;
    for (const n of nodes) {
      const spot = this.spot(n);
      if (!spot) { drawn = false; continue; }
      if (drawn) path.lineTo(...spot); else path.moveTo(...spot);
      drawn = true;
    }
    this.stroke(path, colour, width, undefined, dash);
  }
  /** The state to which a path is drawn: the one that is looked at, else at the end the goal, else the current one. */
  tip() {
    const { trace, panel } = this;
    if (panel.looked >= 0) return panel.looked;
    return trace.t >= trace.M && panel.goal >= 0 ? panel.goal : trace.current;
  }
  trail() {
    const { panel } = this, tip = this.tip();
    if (tip < 0) return;
    const width = Math.max(2 * this.ratio, Math.min(5 * this.ratio, this.thickness() / 3));
    for (const path of panel.pathsTo(tip)) this.line(path, theme.text.line, width);
  }
  /** Rings around the state that was expanded last, and around those that are looked at. */
  rings() {
    const { trace, panel } = this, r = Math.max(5 * this.ratio, Math.min(14 * this.ratio, this.sx * 0.42));
    const ring = (n, radius, dash, square) => {
      const spot = this.spot(n);
      if (!spot) return;
      const path = new Path2D();
      if (square) path.rect(spot[0] - radius, spot[1] - radius, 2 * radius, 2 * radius); else path.arc(spot[0], spot[1], radius, 0, 7);
      this.stroke(path, theme.text.line, 2 * this.ratio, undefined, dash);
    };
    if (trace.current >= 0) ring(trace.current, r);
    if (panel.pinned >= 0) ring(panel.pinned, r * 1.35, [], true);
    if (panel.hovered >= 0 && panel.hovered !== panel.pinned) ring(panel.hovered, r * 1.35, [3 * this.ratio, 3 * this.ratio], true);
  }
  /** The look of a node's state: 1–4, and 5–8 in the half that grows from the goals; 0 if it is not reached. */
  lookOf(n) { const s = this.trace.state[n]; return s && this.trace.half && this.trace.half[n] === 1 ? s + 4 : s; }
  /** The colour of a node as a pixel, by the mode that is chosen. */
  colourOf(n) {
    const mode = this.panel.mode;
    if (mode === "state") return theme.looks[this.lookOf(n)];
    const value = this.trace.valueOf(n, mode);
    if (Number.isNaN(value)) return theme.looks[this.lookOf(n)];
    const [low, high] = this.panel.range(mode);
    return ramp(high > low ? (Math.min(value, high) - low) / (high - low) : 0);
  }
  touched() {}
  jumped() {}
  restyle() {}
  spot() { return null; }
  find() { return -1; }
  step() { return -1; }
}

/** A small shape for a state, so that colour is never alone: ring, disc, diamond or dot; squares for the other half. */
function shape(g, look, x, y, r) {
  const state = (look - 1) % 4 + 1, other = look > 4;
  g.beginPath();
  if (state === AGAIN) { g.moveTo(x, y - 1.3 * r); g.lineTo(x + 1.3 * r, y); g.lineTo(x, y + 1.3 * r); g.lineTo(x - 1.3 * r, y); g.closePath(); }
  else if (state === LEFT) g.arc(x, y, r * 0.6, 0, 7);
  else if (other) g.rect(x - r * 0.9, y - r * 0.9, 1.8 * r, 1.8 * r);
  else g.arc(x, y, r, 0, 7);
}
