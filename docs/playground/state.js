// What the playground shows, as one value: it is checked, and written into the address for sharing.
// An address may come from anybody: sizes, names and characters are checked here.

export const MOST = {
  width: 96,
  height: 64,
  text: 20000,
  code: 20000,
  runs: 3,
  option: 60,
  fragment: 60000,
  inflated: 120000,
};
const CELLS = /^[#.SG@1-9]+$/;
const TABS = ["map", "file", "python"];

const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);

function text(value, most, what) {
  if (typeof value !== "string") throw new Error(`${what} is not a text`);
  if (value.length > most)
    throw new Error(`${what} has ${value.length} characters; at most ${most} are allowed`);
  return value;
}

/** Rows of a map, all of one length. */
export function checkedMap(value) {
  const rows = text(value, (MOST.width + 1) * MOST.height, "the map").split("\n");
  if (rows.length > MOST.height || rows[0].length > MOST.width)
    throw new Error(
      `the map has ${rows[0].length}×${rows.length} cells; at most ${MOST.width}×${MOST.height} are allowed`,
    );
  rows.forEach((row, y) => {
    if (!CELLS.test(row)) throw new Error(`row ${y + 1} of the map has characters other than # . S G 1 to 9`);
    if (row.length !== rows[0].length) throw new Error(`row ${y + 1} of the map is not as long as the first`);
  });
  return rows;
}

/** Name → value of the options in `known` that differ from their defaults. */
export function checkedOptions(value, known, what) {
  if (value === undefined) return {};
  if (!isObject(value)) throw new Error(`the options of ${what} are not an object`);
  const options = {};
  for (const [name, given] of Object.entries(value)) {
    const option = known.find(one => one.name === name);
    if (!option) throw new Error(`${what} has no option ${name.slice(0, 40)}`);
    text(given, MOST.option, `option ${name} of ${what}`);
    if (option.choices.length && !option.choices.includes(given))
      throw new Error(`option ${name} of ${what} is one of ${option.choices.join(", ")}`);
    if (given !== option.default) options[name] = given;
  }
  return options;
}

export function checkedRuns(value, catalogue) {
  if (!Array.isArray(value) || !value.length || value.length > MOST.runs)
    throw new Error(`between 1 and ${MOST.runs} engines are expected`);
  return value.map(run => {
    if (!isObject(run)) throw new Error("an engine is an object");
    const engine = catalogue.engines.find(one => one.name === run.engine);
    if (!engine) throw new Error(`there is no engine ${String(run.engine).slice(0, 40)}`);
    return {
      engine: engine.name,
      options: checkedOptions(run.options, engine.options, `engine ${engine.name}`),
    };
  });
}

/** The options of a puzzle; what an example presets is their default. */
export function fileOptions({ problem, example }, catalogue) {
  const preset = catalogue.examples.find(one => one.name === example)?.options ?? {};
  return catalogue.file_options[problem].map(one => ({ ...one, default: preset[one.name] ?? one.default }));
}

function checkedFile(value, catalogue) {
  if (!isObject(value)) throw new Error("the file is not an object");
  const content = text(value.text ?? "", MOST.text, "the file"),
    named = value.example ?? "";
  const example = catalogue.examples.find(one => one.name === named);
  if (named && !example) throw new Error(`there is no example ${String(named).slice(0, 40)}`);
  if (!content && !example) throw new Error("the file is empty");
  const problem = example ? example.problem : value.problem;
  if (!catalogue.examples.some(one => one.problem === problem))
    throw new Error("the kind of the file is not known");
  const known = fileOptions({ problem, example: named }, catalogue);
  return { text: content, example: named, problem, options: checkedOptions(value.options, known, problem) };
}

/** The state that an object describes. Throws an `Error` whose message says what is wrong. */
export function checkedState(raw, catalogue) {
  if (!isObject(raw) || raw.version !== 1) throw new Error("it is not a playground of version 1");
  if (!TABS.includes(raw.tab)) throw new Error("the tab is none of map, file and python");
  const state = { tab: raw.tab, runs: checkedRuns(raw.runs, catalogue) };
  if (raw.tab === "map") {
    state.map = checkedMap(raw.map);
    state.mapOptions = checkedOptions(raw.mapOptions, catalogue.map_options, "the map");
  } else if (raw.tab === "file") state.file = checkedFile(raw.file, catalogue);
  else state.code = text(raw.code, MOST.code, "the code");
  return state;
}

/** What is shared: the tab that is open, and nothing else. */
export function shared(state) {
  const { tab, runs } = state,
    out = { version: 1, tab, runs };
  if (tab === "map") Object.assign(out, { map: state.map.join("\n"), mapOptions: state.mapOptions });
  else if (tab === "file") out.file = state.file;
  else out.code = state.code;
  return out;
}

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(),
    parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("it is too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The text after `#` in an address. */
export async function toFragment(state) {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(shared(state))),
    new CompressionStream("deflate-raw"),
    Infinity,
  );
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The state in an address. Throws an `Error` whose message says what is wrong. */
export async function fromFragment(fragment, catalogue) {
  if (fragment.length > MOST.fragment) throw new Error("it is too long");
  if (!/^[\w-]*$/.test(fragment)) throw new Error("it has characters that do not belong there");
  let raw;
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), c =>
      c.charCodeAt(0),
    );
    raw = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(
        await through(bytes, new DecompressionStream("deflate-raw"), MOST.inflated),
      ),
    );
  } catch (error) {
    throw new Error(error.message === "it is too large" ? error.message : "it is damaged");
  }
  return checkedState(raw, catalogue);
}
