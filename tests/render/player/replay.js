// What the tests ask the player's script.
let trace = null;
// JSON has no infinity: as text, it is one for Python too
const plain = values => Array.from(values, v => Number.isNaN(v) ? null : Number.isFinite(v) ? v : String(v));
function open(file, contents) {
  const packed = contentsOf(Uint8Array.from(file));
  trace = new Trace(Uint8Array.from(contents));
  return { packed: packed.length, rises: plain(trace.rises), f: plain(trace.f), open: plain(trace.openAt), notes: trace.notes.map(n => n.kind) };
}
function look(t) {
  trace.seek(t);
  const arrived = n => trace.state[n] && trace.state[n] !== LEFT ? trace.arrival[n] : -1, all = Array.from(trace.state, (s, n) => n);
  return {
    state: plain(trace.state), g: plain(all.map(n => arrived(n) < 0 ? NaN : trace.g[arrived(n)])), texts: all.map(n => arrived(n) < 0 ? "" : trace.gText(arrived(n))),
    parent: all.map(n => arrived(n) < 0 ? -1 : trace.from[arrived(n)]), action: all.map(n => arrived(n) < 0 ? "" : trace.actionText(arrived(n))),
    frontier: trace.frontier(200), expansions: trace.expansions, open: trace.open, children: all.map(n => trace.children(n).filter(m => trace.state[m] !== LEFT)),
  };
}
function looks() {
  const all = Array.from(trace.state, (s, n) => n);
  return { labels: all.map(n => trace.label(n)), pictures: trace.pictured ? all.map(n => Array.from(trace.picture(n), mark => trace.keys[mark]).join("")) : [], h: plain(all.map(n => trace.h ? trace.h[n] : NaN)), hTexts: all.map(n => trace.hText(n)), cells: all.map(n => trace.cellsOf(n)),
           changes: all.map(n => [...trace.changesOf(n)].map(([cell, mark]) => [cell, trace.keys[mark]])) };
}
function times(list) { return list.map(t => trace.eventAt(trace.timeOf(t))); }
function stops(from, to, why) { return trace.nextStop(from, to, why); }
