// Runs a Python file in Pyodide under Node: in_pyodide.mjs PYODIDE SCRIPT WHEEL ...; what the file prints is printed.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, script, ...wheels] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder + path.sep });
  for (const wheel of wheels) python.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "whl", { extractDir: "/lib/python3.14/site-packages" });
  python.runPython(fs.readFileSync(script, "utf8"));
} catch (error) { // Node would print the source of Pyodide, a megabyte in one line
  console.error(String(error.message || error));
  process.exitCode = 1;
}
