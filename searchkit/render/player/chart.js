// f of the expanded states and the size of the frontier over time: one lane for each search, with marks of its events.

const LANE = 34, SMALL_LANE = 24;  // pixels of the page

class Chart {
  constructor(canvas, player) {
    this.canvas = canvas; this.player = player; this.still = document.createElement("canvas");
    const go = e => { const r = canvas.getBoundingClientRect(); player.play(false); player.seek(Math.round((e.clientX - r.left) / r.width * player.length)); };
    canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId); go(e); });
    canvas.addEventListener("pointermove", e => { if (e.buttons) go(e); });
  }
  /** Everything but the line of the present time; it changes with the size, the theme and the clock alone. */
  prepare() {
    const { canvas, player, still } = this, ratio = Math.min(2, devicePixelRatio || 1), lane = innerWidth < 560 || player.panels.length > 2 ? SMALL_LANE : LANE;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.round(Math.min(3.2, player.panels.length) * lane * ratio);
    canvas.style.height = height / ratio + "px";
    canvas.width = still.width = width; canvas.height = still.height = height;
    const g = still.getContext("2d"), room = height / player.panels.length;
    this.g = canvas.getContext("2d");
    player.panels.forEach((panel, i) => this.lane(g, panel, i, width, room, ratio));
    this.ratio = ratio;
  }
  lane(g, { trace }, i, width, room, ratio) {
    const top = i * room, bottom = top + room - 1, player = this.player, n = trace.at.length;
    const span = player.clock === "same" ? player.length : n, column = k => span ? k / span * width : 0;
    g.strokeStyle = theme.text.edge; g.lineWidth = 1; g.beginPath(); g.moveTo(0, bottom + 0.5); g.lineTo(width, bottom + 0.5); g.stroke();
    if (!n) return;
    const inner = room - 8 * ratio, y = share => bottom - 1 - Math.max(0, Math.min(1, share)) * inner;
    let low = Infinity, high = -Infinity;
    for (const f of trace.f) if (Number.isFinite(f)) { if (f < low) low = f; if (f > high) high = f; }
    const share = f => high > low ? (f - low) / (high - low) : 0.5, colour = theme.series[i % theme.series.length];
    const areas = new Path2D(), lines = new Path2D();
    areas.moveTo(0, bottom);
    let right = 0;
    for (let x = 0; x < width; x++) {  // of each column of pixels the least and the greatest
      const from = Math.floor(x / width * span), to = Math.max(from + 1, Math.floor((x + 1) / width * span));
      if (from >= n) break;
      let least = Infinity, most = -Infinity, open = 0;
      for (let k = from; k < to && k < n; k++) { const f = trace.f[k]; if (f < least) least = f; if (f > most && Number.isFinite(f)) most = f; if (trace.openAt[k] > open) open = trace.openAt[k]; }
      areas.lineTo(x, y(open / (trace.peak || 1))); right = x;
      if (most >= least) { const a = y(share(most)), b = y(share(least)); lines.rect(x, a - 0.75 * ratio, 1, Math.max(1.5 * ratio, b - a + 1.5 * ratio)); }
    }
    areas.lineTo(right, bottom); areas.closePath();
    g.fillStyle = colour; g.globalAlpha = 0.2; g.fill(areas); g.globalAlpha = 1; g.fill(lines);
    const at = event => column(trace.expansionsAt(event + 1)), marks = new Path2D(), seen = new Set();
    for (const event of trace.reopenings) {  // a small triangle for each column in which a state was reopened
      const x = Math.round(at(event));
      if (seen.has(x)) continue;
      seen.add(x);
      marks.moveTo(x - 2.5 * ratio, top + 1); marks.lineTo(x + 2.5 * ratio, top + 1); marks.lineTo(x, top + 6 * ratio); marks.closePath();
    }
    g.fillStyle = theme.text.ink; g.fill(marks);
    const lasts = new Set();
    for (const note of trace.notes) {
      if (note.kind === "node") continue;
      const x = Math.round(at(note.event)) + 0.5;
      if (lasts.has(x)) continue;
      lasts.add(x);
      if (lasts.size > width / 4) break;
      g.beginPath();
      if (note.kind === "meeting") { const r = 4 * ratio; g.moveTo(x, top + 1); g.lineTo(x + r, top + 1 + r); g.lineTo(x, top + 1 + 2 * r); g.lineTo(x - r, top + 1 + r); g.closePath(); g.fillStyle = theme.text.ink; g.fill(); }
      else { g.setLineDash([2 * ratio, 2 * ratio]); g.moveTo(x, top); g.lineTo(x, bottom); g.strokeStyle = theme.text.ink; g.lineWidth = ratio; g.stroke(); g.setLineDash([]); }
    }
    if (this.player.panels.length > 1) {
      g.font = `600 ${10 * ratio}px system-ui, sans-serif`; g.textBaseline = "top"; g.textAlign = "left";
      const text = `${i + 1}`; g.fillStyle = theme.text.paper; g.globalAlpha = 0.8; g.fillRect(0, top, 12 * ratio, 13 * ratio); g.globalAlpha = 1; g.fillStyle = theme.text.ink; g.fillText(text, 2 * ratio, top + 1.5 * ratio);
    }
  }
  draw() {
    const { canvas, g, player } = this;
    if (!g) return;
    g.clearRect(0, 0, canvas.width, canvas.height);
    g.drawImage(this.still, 0, 0);
    const x = player.length ? player.time / player.length * canvas.width : 0, r = this.ratio;
    g.fillStyle = theme.text.casing; g.fillRect(x - 2 * r, 0, 4 * r, canvas.height);
    g.fillStyle = theme.text.line; g.fillRect(x - r, 0, 2 * r, canvas.height);
  }
}
