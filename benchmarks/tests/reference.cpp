// What `python -m benchmarks limit` is tested with: the functions that it calls, in as few words as possible.
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>
using i64 = int64_t;
using Entry = std::pair<i64, i64>;
using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>>;

// Uniform-cost search from `start`; ends early where `visit` returns false.
template <class Edges>
static std::map<i64, i64> distances(i64 start, Edges edges, std::function<bool(i64)> visit, std::map<i64, i64>* from = nullptr) {
  std::map<i64, i64> g{{start, 0}};
  Heap heap;
  heap.push({0, start});
  while (!heap.empty()) {
    auto [d, s] = heap.top();
    heap.pop();
    if (d > g[s]) continue;
    if (!visit(s)) break;
    edges(s, [&, d = d, s = s](i64 to, i64 cost) {
      auto found = g.find(to);
      if (found != g.end() && found->second <= d + cost) return;
      g[to] = d + cost;
      if (from) (*from)[to] = s;
      heap.push({d + cost, to});
    });
  }
  return g;
}

template <int SIDE, class Act> static void slides(i64 s, Act act) {
  int blank = 0;
  while (s >> 4 * blank & 15) ++blank;
  const int steps[4] = {-SIDE, -1, 1, SIDE};
  for (int step : steps) {
    int at = blank + step;
    if (at < 0 || at >= SIDE * SIDE || (abs(step) == 1 && at / SIDE != blank / SIDE)) continue;
    i64 tile = s >> 4 * at & 15;
    act(s ^ tile << 4 * at ^ tile << 4 * blank, 1);
  }
}

extern "C" {
i64 bfs4(const uint8_t* g, int h, int w, int source, int32_t* distance) {
  for (int c = 0; c < h * w; ++c) distance[c] = -1;
  auto edges = [&](i64 c, auto act) {
    if (c % w && g[c - 1]) act(c - 1, 1);
    if (c % w < w - 1 && g[c + 1]) act(c + 1, 1);
    if (c >= w && g[c - w]) act(c - w, 1);
    if (c + w < h * w && g[c + w]) act(c + w, 1);
  };
  auto found = distances(source, edges, [](i64) { return true; });
  for (auto& [c, d] : found) distance[c] = d;
  return found.size();
}

void build_mask(const uint8_t* g, int h, int w, int rule, uint8_t* mask) {
  auto free = [&](int y, int x) { return y >= 0 && x >= 0 && y < h && x < w && g[y * w + x]; };
  const int dx[8] = {1, -1, 0, 0, 1, -1, 1, -1}, dy[8] = {0, 0, 1, -1, 1, 1, -1, -1};
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      mask[y * w + x] = 0;
      for (int k = 0; k < (rule == 2 ? 4 : 8); ++k)
        if (free(y, x) && free(y + dy[k], x + dx[k]) && free(y, x + dx[k]) && free(y + dy[k], x)) mask[y * w + x] |= 1 << k;
    }
}

i64 grid_p2p(const uint8_t* mask, int, int w, int start, int goal, int, int, int* path, int* length, i64* expanded, int* straight, int* diagonal) {
  const int off[8] = {1, -1, w, -w, w + 1, w - 1, -w + 1, -w - 1};
  *expanded = 0;
  auto edges = [&](i64 c, auto act) { ++*expanded; for (int k = 0; k < 8; ++k) if (mask[c] >> k & 1) act(c + off[k], k < 4 ? 408 : 577); };
  std::map<i64, i64> from;
  auto g = distances(start, edges, [&](i64 c) { return c != goal; }, &from);
  *length = *straight = *diagonal = 0;
  if (!g.count(goal)) return -1;
  for (i64 c = goal; c != start; c = from[c]) {
    path[(*length)++] = c;
    ++*(g[c] - g[from[c]] == 408 ? straight : diagonal);
  }
  path[(*length)++] = start;
  return g[goal];
}

i64 puzzle15(const int* tiles, i64, i64* expanded, i64* generated, i64* bytes) {
  i64 start = 0, goal = 0;
  for (i64 c = 0; c < 16; ++c) start |= i64(tiles[c]) << 4 * c, goal |= c << 4 * c;
  *expanded = *generated = 0;
  auto edges = [&](i64 s, auto act) { ++*expanded; slides<4>(s, act); };
  auto g = distances(start, edges, [&](i64 s) { return s != goal; });
  *bytes = 16 * g.size();
  return g[goal];
}

i64 puzzle8_bfs(int* depth) {
  i64 goal = 0;
  for (i64 c = 0; c < 9; ++c) goal |= c << 4 * c;
  auto g = distances(goal, [](i64 s, auto act) { slides<3>(s, act); }, [](i64) { return true; });
  *depth = 31;
  return g.size();
}

void csr_dijkstra_bucket(const int32_t* begins, const int32_t* heads, const int32_t* weights, int n, int source, i64* distance) {
  for (int v = 0; v < n; ++v) distance[v] = INT64_MAX;
  auto edges = [&](i64 v, auto act) { for (int e = begins[v]; e < begins[v + 1]; ++e) act(heads[e], weights[e]); };
  for (auto& [v, d] : distances(source, edges, [](i64) { return true; })) distance[v] = d;
}
}
