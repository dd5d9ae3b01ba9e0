// A small state graph: states where the problem says they are, or in layers, with the edges that the search has seen.

const LARGEST_GRAPH = 600;

class GraphView extends NodeView {
  constructor(panel) {
    const t = panel.trace, edges = t.edges(), own = t.positions();
    const starts = [];
    for (let n = 0; n < t.N; n++) if (t.parent[n] < 0) starts.push(n);
    const layout = own ? GraphView.scaled(own) : layered(t.N, edges, starts);
    super(panel, layout.width, layout.height);
    this.layout = layout; this.edges = edges; this.even = Boolean(own);
    this.costly = new Set(Array.from(t.step).filter(cost => cost > 0)).size > 1;  // where all cost the same, it need not be said
  }
  /** Positions, y upwards, in units in which the nodes are about one apart. */
  static scaled({ x, y }) {
    const span = v => { let low = Infinity, high = -Infinity; for (const c of v) { low = Math.min(low, c); high = Math.max(high, c); } return [low, high]; };
    const [left, right] = span(x), [bottom, top] = span(y), unit = Math.max(right - left, top - bottom) / Math.max(1, 1.6 * Math.sqrt(x.length)) || 1;
    return { x: Array.from(x, v => (v - left) / unit + 0.7), y: Array.from(y, v => (top - v) / unit + 0.7), width: (right - left) / unit + 1.4, height: (top - bottom) / unit + 1.4 };
  }
  fit() {
    const x = this.canvas.width / this.w, y = this.canvas.height / this.h;
    return this.even ? [Math.min(x, y), Math.min(x, y)] : [Math.min(x, WIDE * this.ratio), Math.min(y, HIGH * this.ratio)];
  }
  spot(n) { return n < 0 ? null : [this.layout.x[n] * this.sx + this.dx, this.layout.y[n] * this.sy + this.dy]; }
  letters() { return Math.min(super.letters() || 0, 12 * this.ratio); }
  draw() {
    this.place();
    this.clear();
    const { g, trace } = this, r = Math.max(4 * this.ratio, Math.min(11 * this.ratio, this.sx * 0.22, this.sy * 0.22)), size = this.letters();
    const faint = new Path2D(), strong = new Path2D(), heads = new Path2D(), costs = [], edge = (path, a, b, arrow) => {
      const [mx, my, u, v] = this.arc(path, a, b);
      if (arrow && size && this.costly) costs.push([mx, my, readable(trace.step[trace.arrival[b]])]);
      if (arrow) {
        const ex = u - mx, ey = v - my, el = Math.hypot(ex, ey) || 1, ax = ex / el, ay = ey / el, tip = r + (size ? size * 0.6 : 1), px = u - ax * tip, py = v - ay * tip, s = 5 * this.ratio;
        heads.moveTo(px, py); heads.lineTo(px - ax * s - ay * s * 0.6, py - ay * s + ax * s * 0.6); heads.lineTo(px - ax * s + ay * s * 0.6, py - ay * s - ax * s * 0.6); heads.closePath();
      }
    };
    const seen = n => trace.state[n] !== UNSEEN;
    for (const [a, b] of this.edges) if (seen(a) && seen(b)) edge(faint, a, b, false);
    for (let n = 0; n < trace.N; n++) if (seen(n) && trace.arrival[n] >= 0 && trace.from[trace.arrival[n]] >= 0) edge(strong, trace.from[trace.arrival[n]], n, true);
    g.strokeStyle = theme.text.edge; g.lineWidth = 1 * this.ratio; g.stroke(faint);
    g.strokeStyle = g.fillStyle = theme.text.dim; g.lineWidth = 1.75 * this.ratio; g.stroke(strong); g.fill(heads);
    this.trail();
    if (!size) this.rings();
    for (let n = 0; n < trace.N; n++) {
      const [x, y] = this.spot(n);
      if (!seen(n)) { g.beginPath(); g.arc(x, y, 2 * this.ratio, 0, 7); g.fillStyle = theme.text.edge; g.fill(); }
      else if (size) this.box(n, x, y, size);
      else this.node(n, x, y, r);
    }
    g.font = `${0.85 * size}px system-ui, sans-serif`; g.lineWidth = 4 * this.ratio; g.strokeStyle = theme.text.panel; g.fillStyle = theme.text.ink;
    for (const [x, y, cost] of costs) { g.strokeText(cost, x, y); g.fillText(cost, x, y); }
  }
  /** Add an edge to a path, bent a little, so that both directions can be seen; return its middle and its end. */
  arc(path, a, b) {
    const [x, y] = this.spot(a), [u, v] = this.spot(b), long = Math.hypot(u - x, v - y) || 1, bend = Math.min(18 * this.ratio, long * 0.08);
    const mx = (x + u) / 2 - (v - y) / long * bend, my = (y + v) / 2 + (u - x) / long * bend;
    path.moveTo(x, y); path.quadraticCurveTo(mx, my, u, v);
    return [mx, my, u, v];
  }
  line(nodes, colour, width) {
    const path = new Path2D();
    for (let i = 1; i < nodes.length; i++) this.arc(path, nodes[i], nodes[i - 1]);
    this.stroke(path, colour, width);
  }
  find(x, y) {
    let best = -1, near = (30 * this.ratio) ** 2;
    for (let n = 0; n < this.trace.N; n++) { const [a, b] = this.spot(n), d = (a - x) ** 2 + (b - y) ** 2; if (d < near) { near = d; best = n; } }
    return best;
  }
  /** The nearest node in a direction. */
  step(n, key) {
    if (n < 0) return this.trace.current;
    const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key], [x, y] = this.spot(n);
    let best = n, least = Infinity;
    for (let m = 0; m < this.trace.N; m++) if (this.trace.state[m] && m !== n) {
      const [u, v] = this.spot(m), on = (u - x) * ax + (v - y) * ay, off = Math.abs((u - x) * ay) + Math.abs((v - y) * ax);
      if (on > 0 && on + 2 * off < least) { least = on + 2 * off; best = m; }
    }
    return best;
  }
}
