// Python lives in this worker, so the page never stalls, and a search that never ends is ended by ending the worker.
import { loadPyodide } from "./python/pyodide.mjs";

const PACKAGES = "/lib/python3.14/site-packages";

async function bytesOf(name) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await reply.arrayBuffer());
}

let answer;

onmessage = async event => {
  const { wheels, request, id } = event.data;
  if (wheels) {
    try {
      answer = await start(wheels);
      postMessage({ kind: "ready" });
    } catch (error) {
      postMessage({ kind: "failed", text: String(error.message || error) });
    }
    return;
  }
  try {
    postMessage({ kind: "answer", id, text: answer(request) });
  } catch (error) { // Python itself broke down, for example by recursion without end
    postMessage({ kind: "failed", id, text: String(error.message || error).trim().split("\n").pop() });
  }
};

async function start(wheels) {
  const files = [bytesOf("./answers.py"), ...wheels.map(name => bytesOf(`./python/${name}`))];
  const python = await loadPyodide({ indexURL: new URL("./python/", import.meta.url).href });
  const [source, ...archives] = await Promise.all(files);
  for (const archive of archives) python.unpackArchive(archive, "whl", { extractDir: PACKAGES });
  python.FS.writeFile(`${PACKAGES}/answers.py`, source);
  const found = python.runPython("from answers import answer\nanswer");
  // what the reader's code could reach through Pyodide's module `js`
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches"])
    Object.defineProperty(self, name, { value: undefined });
  return found;
}
