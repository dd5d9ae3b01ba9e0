// A search tree: whole if it is small, otherwise the part around the state that is looked at.

const LARGEST_TREE = 20000;
const WIDE = 150, HIGH = 92;  // pixels of the page that a node with its label may take

/** What trees and graphs share: nodes as shapes, or as boxes with labels where there is room. */
class NodeView extends View {
  /** How large the labels are: rows and characters, from a sample of the labels. */
  labelSize() {
    if (this.labelled) return this.labelled;
    let rows = 1, columns = 1;
    const t = this.trace, some = Math.min(t.N, 200);
    for (let i = 0; i < some; i++) {
      const lines = t.label(Math.floor(i * t.N / some)).split("\n");
      rows = Math.max(rows, Math.min(6, lines.length));
      for (const line of lines) columns = Math.max(columns, Math.min(24, line.length));
    }
    return this.labelled = { rows, columns };
  }
  /** The size of letters that fit between nodes; 0 if there is no room for labels. */
  letters() {
    const { rows, columns } = this.labelSize();
    const size = Math.min(13 * this.ratio, this.sy * 0.72 / (rows * 1.2 + 0.6), this.sx * 0.92 / (columns * 0.62 + 1));
    return size >= 6.5 * this.ratio ? size : 0;
  }
  thickness() { return this.letters() ? 12 * this.ratio : 2 * this.radius(); }
  radius() { return Math.max(1.5 * this.ratio, Math.min(9 * this.ratio, this.sx * 0.4, this.sy * 0.3)); }
  node(n, x, y, r) {
    const g = this.g, look = this.lookOf(n);
    g.fillStyle = css(this.colourOf(n));
    if (r < 2.4 * this.ratio) { g.fillRect(x - r, y - r, 2 * r, 2 * r); return; }
    shape(g, look, x, y, r); g.fill();
    g.strokeStyle = theme.text.ink; g.lineWidth = Math.max(0.75, r / 6);
    g.stroke();
    if (look && (look - 1) % 4 + 1 === OPEN && r > 4 * this.ratio) {  // a ring: open without any colour
      g.beginPath(); g.arc(x, y, r * 0.36, 0, 7); g.fillStyle = theme.text.casing; g.fill();
    }
  }
  /** A frame around the box of the state that was expanded last, or is looked at. */
  frame(n, x, y, w, h) {
    const { panel, ratio } = this, away = 3 * ratio;
    if (n !== this.trace.current && n !== panel.pinned && n !== panel.hovered) return;
    const path = new Path2D();
    path.rect(x - w / 2 - away, y - h / 2 - away, w + 2 * away, h + 2 * away);
    this.stroke(path, n === panel.pinned ? theme.text.accent : theme.text.line, (n === panel.hovered ? 2 : 3) * ratio, undefined, n === panel.hovered && n !== panel.pinned ? [4 * ratio, 4 * ratio] : []);
  }
  box(n, x, y, size) {
    const g = this.g, lines = this.trace.label(n).split("\n").slice(0, 6).map(l => l.length > 24 ? l.slice(0, 23) + "…" : l), look = this.lookOf(n);
    const w = Math.max(2, ...lines.map(l => l.length)) * size * 0.62 + size * 0.9, h = lines.length * size * 1.18 + size * 0.55, fill = this.colourOf(n);
    g.fillStyle = css(fill); g.strokeStyle = theme.text.ink; g.lineWidth = Math.max(1, size / 9);
    g.beginPath();
    if (look > 4) g.rect(x - w / 2, y - h / 2, w, h); else g.roundRect(x - w / 2, y - h / 2, w, h, size * 0.35);
    g.fill();
    g.setLineDash(look && (look - 1) % 4 + 1 === OPEN ? [size * 0.35, size * 0.25] : []); g.stroke(); g.setLineDash([]);
    g.fillStyle = inkFor(fill); g.font = `${size}px ui-monospace, "DejaVu Sans Mono", monospace`; g.textAlign = "center"; g.textBaseline = "middle";
    lines.forEach((l, i) => g.fillText(l, x, y + (i - (lines.length - 1) / 2) * size * 1.18));
    this.frame(n, x, y, w, h);
    return [w, h];
  }
}

class TreeView extends NodeView {
  constructor(panel) {
    const parents = panel.trace.layoutParents(), layout = tidy(parents);
    super(panel, layout.width, layout.height);
    this.parents = parents;
    this.layout = layout;
    this.layer = document.createElement("canvas");
    this.news = []; this.all = true;
  }
  fit() {
    const { width, height } = this.canvas, x = width / this.w, y = height / this.h;
    return [Math.min(x, WIDE * this.ratio), Math.min(y, HIGH * this.ratio)];
  }
  scales() {
    const [x, y] = this.fit();
    return [Math.min(x * this.zoom, WIDE * this.ratio), Math.min(y * this.zoom, Math.max(y, HIGH * this.ratio))];
  }
  largestZoom() { const [x, y] = this.fit(); return Math.max(1, WIDE * this.ratio / x, HIGH * this.ratio / y); }
  spot(n) { return n < 0 ? null : [(this.layout.x[n] + 0.5) * this.sx + this.dx, (this.layout.y[n] + 0.5) * this.sy + this.dy]; }
  touched(e, n, before, now) {
    if (n < 0 || this.all) return;
    // what only comes is drawn over what is there; what goes, or hangs elsewhere than laid out, needs everything again
    if (!now || before && this.trace.kind[e] === IMPROVE || this.news.length > 4000) this.all = true;
    else this.news.push(n);
  }
  jumped() { this.all = true; }
  restyle() { this.all = true; }
  draw() {
    this.place();
    const key = [this.canvas.width, this.canvas.height, this.dx, this.dy, this.sx, this.sy, this.panel.mode, this.letters() && [this.trace.t, this.panel.pinned, this.panel.hovered]].join();
    if (key !== this.key) { this.key = key; this.all = true; }
    this.paint();
    this.clear();
    this.g.drawImage(this.layer, 0, 0);
    if (!this.letters()) { this.trail(); this.rings(); }
  }
  paint() {
    const { trace, layer, canvas } = this, screen = this.g;
    if (layer.width !== canvas.width || layer.height !== canvas.height) { layer.width = canvas.width; layer.height = canvas.height; this.all = true; }
    if (!this.all && !this.news.length) return;
    this.g = this.pen ||= layer.getContext("2d");
    const g = this.g, size = this.letters(), r = this.radius(), ours = new Path2D(), others = new Path2D();
    if (this.all) g.clearRect(0, 0, layer.width, layer.height);
    const each = call => { if (this.all) { for (let n = 0; n < trace.N; n++) if (trace.state[n]) call(n); } else for (const n of this.news) if (trace.state[n]) call(n); };
    const parents = new Set();
    each(n => {
      const a = trace.arrival[n], above = a < 0 ? -1 : trace.from[a];
      if (above < 0) return;
      const [x, y] = this.spot(n), [px, py] = this.spot(above);
      if (Math.max(x, px) < 0 || Math.min(x, px) > layer.width || Math.max(y, py) < 0 || Math.min(y, py) > layer.height) return;
      const edges = above === this.parents[n] ? ours : others;
      if (edges === others && trace.state[n] === LEFT) return;
      edges.moveTo(px, py);
      if (r > 3 * this.ratio) { const middle = (y + py) / 2; edges.bezierCurveTo(px, middle, x, middle, x, y); } else edges.lineTo(x, y);
      if (!this.all) parents.add(above);
    });
    g.strokeStyle = theme.text.dim; g.globalAlpha = 0.7; g.lineWidth = Math.max(0.5 * this.ratio, Math.min(1.5 * this.ratio, r / 4)); g.stroke(ours);
    g.globalAlpha = 0.35; g.setLineDash([3 * this.ratio, 3 * this.ratio]); g.stroke(others); g.setLineDash([]); g.globalAlpha = 1;  // until a better parent is found
    if (size) this.trail();
    const one = n => {
      const [x, y] = this.spot(n);
      if (x < -200 || y < -100 || x > layer.width + 200 || y > layer.height + 100) return;
      if (size) this.box(n, x, y, size); else this.node(n, x, y, r);
    };
    for (const n of parents) one(n);
    each(one);
    this.g = screen; this.news.length = 0; this.all = false;
  }
  find(x, y) {
    let best = -1, near = (24 * this.ratio) ** 2;
    const size = this.letters();
    for (let n = 0; n < this.trace.N; n++) if (this.trace.state[n]) {
      const [a, b] = this.spot(n), d = (a - x) ** 2 + (size ? 0.5 : 1) * (b - y) ** 2;
      if (d < near) { near = d; best = n; }
    }
    return best;
  }
  step(n, key) { return stepInTree(this.trace, n, key); }
}

/** Up: the parent; down: the first child; left and right: brothers and sisters. */
function stepInTree(trace, n, key) {
  if (n < 0) return trace.current;
  const a = trace.arrival[n], above = a < 0 ? -1 : trace.from[a];
  if (key === "ArrowUp") return above >= 0 ? above : n;
  if (key === "ArrowDown") { const kids = trace.children(n); return kids.length ? kids[0] : n; }
  if (above < 0) return n;
  const all = trace.children(above).sort((x, y) => x - y), at = all.indexOf(n) + (key === "ArrowLeft" ? -1 : 1);
  return at >= 0 && at < all.length ? all[at] : n;
}

/** The tree around one state: for trees of any size, and for reading labels. */
class NearView extends NodeView {
  constructor(panel) { super(panel, 1, 1); this.key = ""; this.index = new Map(); }
  fit() {
    const { rows, columns } = this.labelSize(), letter = 12 * this.ratio;
    return [Math.min(this.canvas.width / this.w, (columns * 0.62 + 2) * letter), Math.min(this.canvas.height / this.h, (rows * 1.2 + 2.2) * letter)];
  }
  scales() {
    const [x, y] = this.fit(), { rows, columns } = this.labelSize(), letter = 13 * this.ratio;
    return [Math.min(x * this.zoom, Math.max(x, (columns * 0.62 + 2) * letter)), Math.min(y * this.zoom, Math.max(y, (rows * 1.2 + 2.2) * letter))];
  }
  largestZoom() { return 16; }
  get middle() { return this.panel.pinned >= 0 && this.trace.state[this.panel.pinned] ? this.panel.pinned : this.trace.current; }
  tip() { return this.panel.looked >= 0 ? this.panel.looked : this.middle; }
  arrange() {
    const centre = this.middle >= 0 ? this.middle : this.trace.first.length && this.trace.state[0] ? 0 : -1, key = [centre, this.trace.t, this.canvas.height].join();
    if (key === this.key) return;
    this.key = key;
    const { rows, columns } = this.labelSize(), high = this.canvas.height / ((rows * 1.2 + 2.2) * 11 * this.ratio), wide = this.canvas.width / ((columns * 0.62 + 1) * 7.5 * this.ratio);
    const ancestors = Math.max(2, Math.min(8, Math.floor(high) - NEAR.levels - 2));
    for (let children = NEAR.children; ; children >>= 1) {  // as many as leave room for the labels
      this.part = centre < 0 ? { nodes: [], parent: [], hidden: [], skipped: 0 } : neighbourhood(this.trace, centre, ancestors, children);
      this.layout = tidy(this.part.parent);
      if (this.layout.width <= wide || children < 2) break;
    }
    this.w = this.layout.width; this.h = this.layout.height;
    this.index = new Map(this.part.nodes.map((n, i) => [n, i]));
  }
  spot(n) {
    const i = this.index.get(n);
    return i === undefined ? null : [(this.layout.x[i] + 0.5) * this.sx + this.dx, (this.layout.y[i] + 0.5) * this.sy + this.dy];
  }
  restyle() { this.key = ""; }
  draw() {
    this.arrange();
    this.place();
    this.clear();
    const { g, part } = this, size = this.letters(), r = this.radius(), edges = new Path2D(), cut = new Path2D();
    part.nodes.forEach((n, i) => {
      if (part.parent[i] < 0) return;
      const [x, y] = this.spot(n), [px, py] = this.spot(part.nodes[part.parent[i]]), middle = (y + py) / 2;
      const path = part.skipped && part.parent[i] === 0 ? cut : edges;
      path.moveTo(px, py); path.bezierCurveTo(px, middle, x, middle, x, y);
    });
    g.strokeStyle = theme.text.dim; g.lineWidth = 1.5 * this.ratio; g.stroke(edges);
    g.setLineDash([4 * this.ratio, 4 * this.ratio]); g.stroke(cut); g.setLineDash([]);
    this.trail();
    part.nodes.forEach((n, i) => {
      const [x, y] = this.spot(n), down = size ? this.box(n, x, y, size)[1] / 2 : (this.node(n, x, y, r), r);
      if (part.hidden[i]) this.tag(`+${part.hidden[i]}`, x, y + down + 7 * this.ratio);
      if (part.skipped && i === 0) this.tag(`${part.skipped} between`, x, y + down + 8 * this.ratio);
    });
    if (!size) this.rings();
  }
  tag(text, x, y) {
    const g = this.g;
    g.fillStyle = theme.text.dim; g.font = `${11 * this.ratio}px system-ui, sans-serif`; g.textAlign = "center"; g.textBaseline = "middle"; g.fillText(text, x, y);
  }
  find(x, y) {
    let best = -1, near = (40 * this.ratio) ** 2;
    for (const n of this.part ? this.part.nodes : []) { const [a, b] = this.spot(n), d = (a - x) ** 2 + (b - y) ** 2; if (d < near) { near = d; best = n; } }
    return best;
  }
  step(n, key) { return stepInTree(this.trace, n, key); }
}
