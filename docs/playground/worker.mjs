// Python runs in this worker: the page stays responsive, and a search without end is ended with the worker.
import { loadPyodide } from "./python/pyodide.mjs";

const PACKAGES = "/lib/python3.14/site-packages";

async function bytesOf(name) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await reply.arrayBuffer());
}

let answer;

onmessage = async event => {
  const { wheels, build, request, id } = event.data;
  if (wheels) {
    try {
      answer = await start(wheels, build);
      postMessage({ kind: "ready" });
    } catch (error) {
      postMessage({ kind: "failed", text: String(error.message || error) });
    }
    return;
  }
  try {
    postMessage({ kind: "answer", id, text: answer(request) });
  } catch (error) {
    // Python itself broke down, for example by recursion without end
    postMessage({
      kind: "failed",
      id,
      text: String(error.message || error)
        .trim()
        .split("\n")
        .pop(),
    });
  }
};

/**
 * Start Python. The first time, the memory of the interpreter that has imported searchkit is stored in the browser's
 * cache, under the digest of this build; later starts restore it, in less than half the time.
 */
async function start(wheels, build) {
  const files = [bytesOf("./answers.txt"), ...wheels.map(name => bytesOf(`./python/${name}`))],
    options = { indexURL: new URL("./python/", import.meta.url).href };
  const address = new URL("memory", import.meta.url).href,
    kept = await self.caches?.match(address, { cacheName: build }).catch(() => null);
  let python = null;
  if (kept) python = await loadPyodide({ ...options, _loadSnapshot: kept.arrayBuffer() }).catch(() => null);
  const restored = Boolean(python);
  python ??= await loadPyodide({ ...options, _makeSnapshot: true });
  const [source, ...archives] = await Promise.all(files);
  for (const archive of archives) python.unpackArchive(archive, "whl", { extractDir: PACKAGES });
  python.FS.writeFile(`${PACKAGES}/answers.py`, source);
  python.runPython("import answers");
  if (self.caches && !restored) await keep(build, address, python.makeMemorySnapshot());
  const found = python.runPython("answers.answer");
  // what the reader's code could reach through Pyodide's module `js`
  for (const name of [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "importScripts",
    "indexedDB",
    "caches",
  ])
    Object.defineProperty(self, name, { value: undefined });
  return found;
}

/** Keep the memory, and nothing of other builds. A full disk, or a browser that refuses, costs time only. */
async function keep(build, address, memory) {
  try {
    for (const name of await caches.keys())
      if (name.startsWith("searchkit-") && name !== build) await caches.delete(name);
    await (await caches.open(build)).put(address, new Response(memory));
  } catch {}
}
