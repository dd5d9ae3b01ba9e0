// Where the nodes of a tree or a small graph stand. Nothing in this file needs a browser.

/**
 * Lay out a forest by its parents (−1: a root), tidily: subtrees of equal shape look equal, parents stand over the
 * middle of their children, and no two nodes of a level are closer than 1 (Buchheim, Jünger and Leipert 2002, the
 * linear form of Walker's algorithm). Without recursion: trees of searches are deep.
 */
function tidy(parent) {
  const N = parent.length, ROOT = N, kids = Array.from({ length: N + 1 }, () => []);  // ROOT stands over all roots
  for (let n = 0; n < N; n++) kids[parent[n] < 0 ? ROOT : parent[n]].push(n);
  const order = [ROOT], depth = new Int32Array(N + 1), number = new Int32Array(N + 1), above = new Int32Array(N + 1).fill(-1);
  for (let i = 0; i < order.length; i++) {
    const v = order[i];
    kids[v].forEach((w, k) => { depth[w] = depth[v] + 1; number[w] = k; above[w] = v; order.push(w); });
  }
  const zeros = () => new Float64Array(N + 1), x = zeros(), shared = zeros(), shift = zeros(), change = zeros();
  const thread = new Int32Array(N + 1).fill(-1), ancestor = Int32Array.from({ length: N + 1 }, (_, i) => i);
  const leftmost = v => kids[v].length ? kids[v][0] : thread[v];
  const rightmost = v => kids[v].length ? kids[v][kids[v].length - 1] : thread[v];
  for (let i = order.length - 1; i >= 0; i--) {
    const v = order[i];
    let nearest = -1;
    for (const w of kids[v]) {
      if (!number[w]) continue;
      const brother = kids[v][number[w] - 1], middle = x[w];  // of its children, who are finished
      x[w] = x[brother] + 1;
      shared[w] = kids[w].length ? x[w] - middle : 0;
      let inRight = w, outRight = w, inLeft = brother, outLeft = kids[v][0];
      let sumInRight = shared[inRight], sumOutRight = shared[outRight], sumInLeft = shared[inLeft], sumOutLeft = shared[outLeft];
      let right = rightmost(inLeft), left = leftmost(inRight);
      while (right >= 0 && left >= 0) {
        inLeft = right; inRight = left; outLeft = leftmost(outLeft); outRight = rightmost(outRight);
        ancestor[outRight] = w;
        const move = x[inLeft] + sumInLeft - x[inRight] - sumInRight + 1;
        if (move > 0) {
          const a = above[ancestor[inLeft]] === v ? ancestor[inLeft] : nearest < 0 ? kids[v][0] : nearest;
          const between = number[w] - number[a];
          change[w] -= move / between; shift[w] += move; change[a] += move / between;
          x[w] += move; shared[w] += move; sumInRight += move; sumOutRight += move;
        }
        sumInLeft += shared[inLeft]; sumInRight += shared[inRight]; sumOutLeft += shared[outLeft]; sumOutRight += shared[outRight];
        right = rightmost(inLeft); left = leftmost(inRight);
      }
      if (right >= 0 && rightmost(outRight) < 0) { thread[outRight] = right; shared[outRight] += sumInLeft - sumOutRight; }
      if (left >= 0 && leftmost(outLeft) < 0) { thread[outLeft] = left; shared[outLeft] += sumInRight - sumOutLeft; nearest = w; }
    }
    if (kids[v].length) {
      let moved = 0, changed = 0;
      for (let k = kids[v].length - 1; k >= 0; k--) {
        const w = kids[v][k];
        x[w] += moved; shared[w] += moved; changed += change[w]; moved += shift[w] + changed;
      }
      x[v] = (x[kids[v][0]] + x[kids[v][kids[v].length - 1]]) / 2;
    }
  }
  const sum = zeros(), y = new Int32Array(N);
  let low = Infinity, high = -Infinity, deepest = 0;
  for (const v of order) {
    if (above[v] >= 0) sum[v] = sum[above[v]] + shared[above[v]];
    if (v === ROOT) continue;
    x[v] += sum[v]; y[v] = depth[v] - 1;
    low = Math.min(low, x[v]); high = Math.max(high, x[v]); deepest = Math.max(deepest, y[v]);
  }
  for (let n = 0; n < N; n++) x[n] -= low;
  return { x, y, width: N ? high - low + 1 : 1, height: N ? deepest + 1 : 1 };
}

const NEAR = { ancestors: 6, levels: 2, children: 8 };  // how much of a tree is around a state

/**
 * The part of a tree around `centre`: its ancestors (the nearest `ancestors`, and the root), the children of
 * each, and `NEAR.levels` levels below. Returns {nodes, parent (as positions in nodes), hidden (children left out)}.
 */
function neighbourhood(trace, centre, ancestors = NEAR.ancestors, most = NEAR.children) {
  const nodes = [], parent = [], hidden = [], index = new Map();
  const add = (n, above) => { if (index.has(n)) return false; index.set(n, nodes.length); nodes.push(n); parent.push(above); hidden.push(0); return true; };
  const path = trace.path(centre).reverse();
  const gap = Math.max(0, path.length - ancestors - 1), line = gap > 1 ? path.slice(gap) : path;
  let skipped = 0;
  if (gap > 1 && path.length) { add(path[0], -1); skipped = gap - 1; }
  line.forEach((n, i) => add(n, i ? index.get(line[i - 1]) : nodes.length ? 0 : -1));
  const brooded = new Set();
  const brood = (n, levels) => {
    if (!levels) return;
    const at = index.get(n), fresh = trace.children(n).filter(m => !index.has(m)), kept = fresh.slice(0, most);
    brooded.add(at);
    hidden[at] = fresh.length - kept.length;
    for (const m of kept) add(m, at);
    for (const m of kept) brood(m, levels - 1);
  };
  for (const n of line) brood(n, n === centre ? NEAR.levels : 1);
  nodes.forEach((n, i) => { if (!brooded.has(i) && !(skipped && i === 0)) hidden[i] = trace.children(n).length; });
  // children in the order of their numbers, so that nothing jumps about while the search continues
  const sorted = nodes.map((n, i) => i).sort((a, b) => (parent[a] < 0 ? -1 : 0) - (parent[b] < 0 ? -1 : 0) || nodes[a] - nodes[b]);
  const place = new Int32Array(nodes.length);
  sorted.forEach((old, i) => { place[old] = i; });
  return {
    nodes: sorted.map(i => nodes[i]), parent: Int32Array.from(sorted, i => parent[i] < 0 ? -1 : place[parent[i]]),
    hidden: sorted.map(i => hidden[i]), skipped,
  };
}

/** Lay out a small graph in layers: by the fewest steps from a start, each layer in the order of its neighbours' middles. */
function layered(count, edges, starts) {
  const near = Array.from({ length: count }, () => []), layer = new Int32Array(count).fill(-1), queue = [...starts];
  for (const [a, b] of edges) { near[a].push(b); near[b].push(a); }
  for (const s of starts) layer[s] = 0;
  const next = Array.from({ length: count }, () => []);
  for (const [a, b] of edges) next[a].push(b);
  for (let i = 0; i < queue.length; i++) for (const b of next[queue[i]]) if (layer[b] < 0) { layer[b] = layer[queue[i]] + 1; queue.push(b); }
  for (let n = 0; n < count; n++) if (layer[n] < 0) layer[n] = 0;
  const rows = [];
  for (let n = 0; n < count; n++) (rows[layer[n]] ||= []).push(n);
  const widest = Math.max(1, ...rows.map(r => r.length)), x = new Float64Array(count);
  const spread = row => row.forEach((n, i) => { x[n] = (i + 0.5) * widest / row.length; });
  rows.forEach(spread);
  for (let round = 0; round < 8; round++) for (const row of round % 2 ? rows.slice().reverse() : rows) {
    const middle = new Map(row.map(n => [n, near[n].length ? near[n].reduce((s, m) => s + x[m], 0) / near[n].length : x[n]]));
    row.sort((a, b) => middle.get(a) - middle.get(b) || a - b);
    spread(row);
  }
  return { x, y: Float64Array.from(layer, v => v + 0.5), width: widest, height: rows.length };
}
