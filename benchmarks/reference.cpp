// Hand-tuned searches in C++17, on one core: what `python -m benchmarks limit` compares machine code with.
//
// Part of searchkit, under the same MIT licence (see LICENSE). Called through ctypes after
//
//     g++ -O3 -march=native -std=c++17 -shared -fPIC reference.cpp -o libreference.so
//
// bfs4: breadth-first distance field on a grid with 4 moves
// build_mask, grid_p2p: A* and Dijkstra on a grid with 8 moves (costs 408 and 577) or 4, heap or buckets, with path
// puzzle15: A* with the Manhattan distance on the 15-puzzle, 64-bit states, open addressing, no path
// puzzle8_bfs: breadth-first search of the whole 8-puzzle
// csr_dijkstra_bucket: Dijkstra from one node of a sparse digraph in compressed sparse rows
//
// No bounds are checked: the arguments have to be right.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

// ---------- 4-ary min-heap of u64 keys ----------
struct Heap4 {
    std::vector<u64> a;
    void clear() { a.clear(); }
    bool empty() const { return a.empty(); }
    inline void push(u64 k) {
        size_t i = a.size();
        a.push_back(k);
        while (i) {
            size_t p = (i - 1) >> 2;
            if (a[p] <= k) break;
            a[i] = a[p];
            i = p;
        }
        a[i] = k;
    }
    inline u64 pop() {
        u64 r = a[0];
        u64 k = a.back();
        a.pop_back();
        size_t n = a.size();
        if (!n) return r;
        size_t i = 0;
        u64* A = a.data();
        for (;;) {
            size_t c = 4 * i + 1;
            if (c >= n) break;
            size_t e = std::min(c + 4, n);
            size_t m = c;
            u64 mv = A[c];
            for (size_t j = c + 1; j < e; ++j) {
                if (A[j] < mv) {
                    mv = A[j];
                    m = j;
                }
            }
            if (mv >= k) break;
            A[i] = mv;
            i = m;
        }
        A[i] = k;
        return r;
    }
};
// ---------- circular bucket queue (LIFO inside a bucket), NB power of two ----------
template <int NB, class T>
struct Buckets {
    std::vector<T> b[NB];
    u64 bm[NB / 64];
    i64 count = 0;
    u32 cur = 0;
    void clear() {
        if (count)
            for (auto& v : b) v.clear();
        memset(bm, 0, sizeof bm);
        count = 0;
        cur = 0;
    }
    inline void push(u32 f, T v) {
        u32 i = f & (NB - 1);
        b[i].push_back(v);
        bm[i >> 6] |= 1ull << (i & 63);
        ++count;
    }
    // returns absolute key f of min bucket
    inline u32 top() {
        u32 i = cur & (NB - 1);
        u32 w = i >> 6;
        u64 x = bm[w] >> (i & 63);
        if (x) {
            cur += __builtin_ctzll(x);
            return cur;
        }
        u32 adv = 64 - (i & 63);
        for (;;) {
            w = (w + 1) & (NB / 64 - 1);
            if (bm[w]) {
                cur += adv + __builtin_ctzll(bm[w]);
                return cur;
            }
            adv += 64;
        }
    }
    inline T pop(u32 f) {
        u32 i = f & (NB - 1);
        T v = b[i].back();
        b[i].pop_back();
        if (b[i].empty()) bm[i >> 6] &= ~(1ull << (i & 63));
        --count;
        return v;
    }
};

extern "C" {
// a distance field with 4 moves
i64 bfs4(const u8* g, int h, int w, int src, i32* dist) {
    static std::vector<u32> q;
    static std::vector<i32> d;
    int W = w + 2;
    size_t N = (size_t)W * (h + 2);
    if (q.size() < (size_t)h * w) q.resize((size_t)h * w);
    if (d.size() < N) d.resize(N);
    i32* D = d.data();
    std::fill(D, D + N, 0);
    for (int y = 0; y < h; ++y) {
        const u8* r = g + (size_t)y * w;
        i32* o = D + (size_t)(y + 1) * W + 1;
        for (int x = 0; x < w; ++x) o[x] = r[x] ? -1 : 0;
    }
    // border and walls are 0 (= not -1 => never entered)
    u32* Q = q.data();
    size_t head = 0, tail = 0;
    u32 s = (src / w + 1) * W + src % w + 1;
    D[s] = 1;
    Q[tail++] = s;
    const int off[4] = {1, -1, W, -W};
    while (head < tail) {
        u32 c = Q[head++];
        i32 nd = D[c] + 1;
        for (int k = 0; k < 4; ++k) {
            u32 n = c + off[k];
            if (D[n] == -1) {
                D[n] = nd;
                Q[tail++] = n;
            }
        }
    }
    for (int y = 0; y < h; ++y) {
        i32* o = D + (size_t)(y + 1) * W + 1;
        i32* r = dist + (size_t)y * w;
        for (int x = 0; x < w; ++x) {
            i32 v = o[x];
            r[x] = v > 0 ? v - 1 : -1;
        }
    }
    return (i64)tail;
}
// A* and Dijkstra on a grid, costs 408 and 577
// mask bits: 0 E,1 W,2 S,3 N,4 SE,5 SW,6 NE,7 NW ; rule: 0 no corner cutting, 1 corner cutting, 2 4-conn
void build_mask(const u8* g, int h, int w, int rule, u8* m) {
    auto P = [&](int y, int x) -> bool { return y >= 0 && x >= 0 && y < h && x < w && g[(size_t)y * w + x]; };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            u8 k = 0;
            if (P(y, x)) {
                bool E = P(y, x + 1), Wd = P(y, x - 1), S = P(y + 1, x), N = P(y - 1, x);
                k = E | (Wd << 1) | (S << 2) | (N << 3);
                if (rule == 0)
                    k |= (u8)((S && E && P(y + 1, x + 1)) << 4) | ((S && Wd && P(y + 1, x - 1)) << 5) |
                         ((N && E && P(y - 1, x + 1)) << 6) | ((N && Wd && P(y - 1, x - 1)) << 7);
                else if (rule == 1)
                    k |= (u8)(P(y + 1, x + 1) << 4) | (P(y + 1, x - 1) << 5) | (P(y - 1, x + 1) << 6) |
                         (P(y - 1, x - 1) << 7);
            }
            m[(size_t)y * w + x] = k;
        }
}
}
static const int CS = 408, CD = 577;
struct GCell {
    u32 gen;
    i32 g;
};
static std::vector<GCell> gcell;
static u32 ggen = 0;
static Heap4 gheap;
static Buckets<2048, u32> gbk;

template <bool HEAP, bool ASTAR, bool OCT>
static i64 grid_search(const u8* m, int h, int w, int src, int dst, int* path, int* plen, i64* expanded,
                       int* ns, int* nd) {
    size_t N = (size_t)h * w;
    if (gcell.size() < N) {
        gcell.assign(N, GCell{0, 0});
        ggen = 0;
    }
    u32 gen = ++ggen;
    GCell* G = gcell.data();
    const int off[8] = {1, -1, w, -w, w + 1, w - 1, -w + 1, -w - 1};
    const int cost[8] = {CS, CS, CS, CS, CD, CD, CD, CD};
    int ty = dst / w, tx = dst % w;
    auto H = [&](int c) -> i32 {
        if (!ASTAR) return 0;
        int y = c / w, x = c - y * w;
        int dy = abs(y - ty), dx = abs(x - tx);
        if (OCT) return CS * std::max(dx, dy) + (CD - CS) * std::min(dx, dy);
        return CS * (dx + dy);
    };
    if (HEAP)
        gheap.clear();
    else {
        gbk.clear();
    }
    i32 h0 = H(src);
    G[src] = {gen, 0};
    i64 ex = 0;
    if (HEAP)
        gheap.push(((u64)h0 << 40) | ((u64)h0 << 20) | (u64)src);
    else {
        gbk.cur = h0;
        gbk.push(h0, src);
    }
    i64 res = -1;
    for (;;) {
        int c;
        i32 g;
        if (HEAP) {
            if (gheap.empty()) break;
            u64 k = gheap.pop();
            c = k & 0xFFFFF;
            i32 hh = (k >> 20) & 0xFFFFF;
            i32 f = k >> 40;
            g = f - hh;
            if (G[c].g != g) continue;
        } else {
            if (!gbk.count) break;
            u32 f = gbk.top();
            c = gbk.pop(f);
            g = G[c].g;
            // stale: already expanded entries are marked with high bit in gen? use f check
            if (ASTAR) {
                if (g + H(c) != (i32)f) continue;
            } else if (g != (i32)f)
                continue;
        }
        if (c == dst) {
            res = g;
            break;
        }
        ++ex;
        u32 k = m[c];
        while (k) {
            int b = __builtin_ctz(k);
            k &= k - 1;
            int n = c + off[b];
            i32 ng = g + cost[b];
            GCell& cell = G[n];
            if (cell.gen != gen || ng < cell.g) {
                cell.gen = gen;
                cell.g = ng;
                i32 hn = H(n);
                i32 f = ng + hn;
                if (HEAP)
                    gheap.push(((u64)f << 40) | ((u64)hn << 20) | (u64)n);
                else
                    gbk.push(f, n);
            }
        }
    }
    *expanded = ex;
    *plen = 0;
    *ns = *nd = 0;
    if (res >= 0) {
        int c = dst;
        int L = 0;
        path[L++] = c;
        while (c != src) {
            u32 k = m[c];
            i32 g = G[c].g;
            int nx = -1;
            while (k) {
                int b = __builtin_ctz(k);
                k &= k - 1;
                int n = c + off[b];
                if (G[n].gen == gen && G[n].g + cost[b] == g) {
                    nx = n;
                    if (b < 4)
                        ++*ns;
                    else
                        ++*nd;
                    break;
                }
            }
            c = nx;
            path[L++] = c;
        }
        std::reverse(path, path + L);
        *plen = L;
    }
    return res;
}
extern "C" {
// algo: 0 A* heap,1 A* bucket,2 Dijkstra heap,3 Dijkstra bucket ; oct: 1 octile,0 manhattan
i64 grid_p2p(const u8* m, int h, int w, int src, int dst, int algo, int oct, int* path, int* plen, i64* ex,
             int* ns, int* nd) {
    if (oct) {
        switch (algo) {
            case 0:
                return grid_search<true, true, true>(m, h, w, src, dst, path, plen, ex, ns, nd);
            case 1:
                return grid_search<false, true, true>(m, h, w, src, dst, path, plen, ex, ns, nd);
            case 2:
                return grid_search<true, false, true>(m, h, w, src, dst, path, plen, ex, ns, nd);
            default:
                return grid_search<false, false, true>(m, h, w, src, dst, path, plen, ex, ns, nd);
        }
    }
    switch (algo) {
        case 0:
            return grid_search<true, true, false>(m, h, w, src, dst, path, plen, ex, ns, nd);
        case 1:
            return grid_search<false, true, false>(m, h, w, src, dst, path, plen, ex, ns, nd);
        case 2:
            return grid_search<true, false, false>(m, h, w, src, dst, path, plen, ex, ns, nd);
        default:
            return grid_search<false, false, false>(m, h, w, src, dst, path, plen, ex, ns, nd);
    }
}
// sliding tiles, states of 64 bits
}
static inline u64 hmix(u64 x) {
    x ^= x >> 32;
    x *= 0x9E3779B97F4A7C15ull;
    x ^= x >> 29;
    return x;
}
struct PSlot {
    u64 key;
    u8 g, h, blank, flag;
    u8 from;
    u8 pad[3];
};  // flag:0 empty 1 open 2 closed ; from = blank position before the last move
#include <sys/mman.h>
struct PTable {
    PSlot* t = nullptr;
    size_t cap = 0, mask = 0, n = 0;
    static PSlot* alloc(size_t c) {
        size_t B = c * sizeof(PSlot);
        if (B < (4u << 20)) return (PSlot*)calloc(c, sizeof(PSlot));
        void* p = mmap(nullptr, B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(p, B, MADV_HUGEPAGE);
        return (PSlot*)p;
    }
    static void release(PSlot* p, size_t c) {
        if (!p) return;
        size_t B = c * sizeof(PSlot);
        if (B < (4u << 20))
            free(p);
        else
            munmap(p, B);
    }
    ~PTable() { release(t, cap); }
    void init(int lg) {
        release(t, cap);
        cap = (size_t)1 << lg;
        t = alloc(cap);
        mask = cap - 1;
        n = 0;
    }
    inline size_t home(u64 k) const { return hmix(k) & mask; }
    inline PSlot* find_from(size_t i, u64 k) {
        while (t[i].flag && t[i].key != k) i = (i + 1) & mask;
        return &t[i];
    }
    inline PSlot* find(u64 k) { return find_from(home(k), k); }
    void grow() {
        PSlot* o = t;
        size_t oc = cap;
        cap *= 4;
        t = alloc(cap);
        mask = cap - 1;
        for (size_t j = 0; j < oc; ++j)
            if (o[j].flag) {
                size_t i = hmix(o[j].key) & mask;
                while (t[i].flag) i = (i + 1) & mask;
                t[i] = o[j];
            }
        release(o, oc);
    }
};
extern "C" {
// tiles: 16 ints row-major, 0 blank; goal: blank first (0,1,...,15)
i64 puzzle15(const int* tiles, i64 maxex, i64* expanded, i64* generated, i64* bytes) {
    static u8 MD[16][16];
    static i32 ND[16][4];
    static u8 NN[16];
    for (int t = 0; t < 16; ++t)
        for (int p = 0; p < 16; ++p) MD[t][p] = t ? abs(t / 4 - p / 4) + abs(t % 4 - p % 4) : 0;
    for (int p = 0; p < 16; ++p) {
        int k = 0;
        if (p >= 4) ND[p][k++] = p - 4;
        if (p % 4 > 0) ND[p][k++] = p - 1;
        if (p % 4 < 3) ND[p][k++] = p + 1;
        if (p < 12) ND[p][k++] = p + 4;
        NN[p] = k;
    }
    u64 s = 0, goal = 0;
    int bl = 0, h0 = 0;
    for (int i = 0; i < 16; ++i) {
        s |= (u64)tiles[i] << (4 * i);
        goal |= (u64)i << (4 * i);
        if (!tiles[i])
            bl = i;
        else
            h0 += MD[tiles[i]][i];
    }
    PTable T;
    T.init(16);
    std::vector<u64> Q[256];
    i64 ex = 0, ge = 0;
    PSlot* r = T.find(s);
    *r = PSlot{s, 0, (u8)h0, (u8)bl, 1, 99, {0, 0, 0}};
    T.n = 1;
    Q[h0].push_back(s);
    int f = h0;
    i64 res = -1;
    while (f < 256) {
        if (Q[f].empty()) {
            ++f;
            continue;
        }
        u64 c = Q[f].back();
        Q[f].pop_back();
        if (!Q[f].empty()) __builtin_prefetch(&T.t[T.home(Q[f].back())]);
        PSlot* p = T.find(c);
        if (p->flag == 2 || p->g + p->h != f) continue;
        p->flag = 2;
        if (c == goal) {
            res = p->g;
            break;
        }
        if (++ex > maxex) break;
        int g = p->g, h = p->h, b = p->blank, fr = p->from;
        if ((T.n + 4) * 2 > T.cap) T.grow();
        u64 nx[4];
        size_t hm[4];
        u8 qs[4], tl[4];
        int m = 0;
        for (int k = 0; k < NN[b]; ++k) {
            int q = ND[b][k];
            if (q == fr) continue;
            u64 tile = (c >> (4 * q)) & 15;
            u64 n = c ^ (tile << (4 * q)) ^ (tile << (4 * b));
            nx[m] = n;
            hm[m] = T.home(n);
            qs[m] = q;
            tl[m] = tile;
            __builtin_prefetch(&T.t[hm[m]]);
            ++m;
        }
        for (int k = 0; k < m; ++k) {
            ++ge;
            u64 n = nx[k];
            PSlot* o = T.find_from(hm[k], n);
            if (!o->flag) {
                int nh = h - MD[tl[k]][qs[k]] + MD[tl[k]][b];
                *o = PSlot{n, (u8)(g + 1), (u8)nh, qs[k], 1, (u8)b, {0, 0, 0}};
                ++T.n;
                Q[g + 1 + nh].push_back(n);
            } else if (o->flag == 1 && g + 1 < o->g) {
                o->g = g + 1;
                o->from = b;
                Q[g + 1 + o->h].push_back(n);
            }
        }
    }
    *expanded = ex;
    *generated = ge;
    *bytes = (i64)T.cap * sizeof(PSlot);
    return res;
}
// 8-puzzle full BFS from goal; returns number of states, depth via out
i64 puzzle8_bfs(int* depth) {
    static i32 ND[9][4];
    static u8 NN[9];
    for (int p = 0; p < 9; ++p) {
        int k = 0;
        if (p >= 3) ND[p][k++] = p - 3;
        if (p % 3 > 0) ND[p][k++] = p - 1;
        if (p % 3 < 2) ND[p][k++] = p + 1;
        if (p < 6) ND[p][k++] = p + 3;
        NN[p] = k;
    }
    u64 s = 0;
    for (int i = 0; i < 9; ++i) s |= (u64)i << (4 * i);
    PTable T;
    T.init(19);
    std::vector<u64> q;
    q.reserve(181440);
    q.push_back(s);
    *T.find(s) = PSlot{s, 0, 0, 0, 1, 99, {0, 0, 0}};
    size_t hd = 0;
    int d = 0;
    while (hd < q.size()) {
        u64 c = q[hd++];
        PSlot p = *T.find(c);
        d = p.g;
        int b = p.blank;
        for (int k = 0; k < NN[b]; ++k) {
            int x = ND[b][k];
            if (x == p.from) continue;
            u64 tile = (c >> (4 * x)) & 15;
            u64 n = c ^ (tile << (4 * x)) ^ (tile << (4 * b));
            PSlot* o = T.find(n);
            if (!o->flag) {
                *o = PSlot{n, (u8)(p.g + 1), 0, (u8)x, 1, (u8)b, {0, 0, 0}};
                q.push_back(n);
            }
        }
    }
    *depth = d;
    return q.size();
}
// Dijkstra on compressed sparse rows, integer weights
}
extern "C" {
void csr_dijkstra_bucket(const i32* ptr, const i32* idx, const i32* wt, int n, int src,
                         i64* dist) {  // weights < 128
    static std::vector<i32> D;
    D.assign(n, INT32_MAX);
    std::vector<u32> B[128];
    D[src] = 0;
    B[0].push_back(src);
    i64 cnt = 1;
    u32 f = 0;
    i32* d = D.data();
    while (cnt) {
        auto& b = B[f & 127];
        while (!b.empty()) {
            u32 c = b.back();
            b.pop_back();
            --cnt;
            if (d[c] != (i32)f) continue;
            for (int e = ptr[c]; e < ptr[c + 1]; ++e) {
                int v = idx[e];
                i32 nd = f + wt[e];
                if (nd < d[v]) {
                    d[v] = nd;
                    B[nd & 127].push_back(v);
                    ++cnt;
                }
            }
        }
        ++f;
    }
    for (int i = 0; i < n; ++i) dist[i] = d[i] == INT32_MAX ? INT64_MAX : d[i];
}
}
