import { MapEditor, TOOLS } from "./editor.js";
import { Runner } from "./runner.js";
import { MOST, checkedMap, fileOptions, fromFragment, toFragment } from "./state.js";

const MOST_EXPANSIONS = { map: 50_000, file: 50_000, python: 20_000 };
const $ = id => document.getElementById(id);

/** A new element with properties and children. Texts become text, never markup. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const reply = await fetch(new URL("./catalogue.json", import.meta.url));
const catalogue = await reply.json();
const AUTO = { name: "auto", summary: "the engine that searchkit chooses for the problem", options: [] };
catalogue.engines.unshift(AUTO);

// each tab has its engines
const runsOf = {
  map: [{ engine: "astar", options: {} }],
  file: [{ engine: "auto", options: {} }],
  python: [{ engine: "auto", options: {} }],
};
const state = {
  tab: "map",
  map: checkedMap(catalogue.maps[0].text),
  mapOptions: {},
  runs: runsOf.map,
  file: {
    text: catalogue.examples[0].text,
    example: catalogue.examples[0].name,
    problem: catalogue.examples[0].problem,
    options: {},
  },
  code: catalogue.code[0].text,
};

function complain(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
}

// ---- Python

const editor = new MapEditor($("map"), {
  changed: () => {
    state.map = editor.rows;
    sizes();
    edited();
  },
  said: text => {
    $("said").textContent = text;
  },
  chosen: tools,
});
let code = null; // the editor for Python, once the tab is open and its modules are loaded

let slow;
const runner = new Runner(catalogue, {
  changed(now) {
    clearTimeout(slow);
    $("stop").hidden = true;
    $("state").textContent = now === "loading" ? "loading Python …" : "";
    if (now === "busy")
      slow = setTimeout(() => {
        $("stop").hidden = false;
        $("state").textContent = "searching …";
      }, 400);
    document.body.dataset.python = now;
  },
  answered(answer) {
    $("printed").textContent = answer.printed;
    $("printed").hidden = !answer.printed;
    if (answer.error) {
      complain((answer.line ? `line ${answer.line}: ` : "") + answer.error);
      if (answer.line && state.tab === "python") code.mark(answer.line);
      document.body.dataset.answer = "error";
      return;
    }
    complain("");
    document.body.dataset.answer = "shown";
    show(answer);
    document.body.dataset.answers = Number(document.body.dataset.answers || 0) + 1;
  },
  failed: complain,
});

function request() {
  const wish = {
    kind: state.tab,
    runs: state.runs,
    expansions: MOST_EXPANSIONS[state.tab],
    text: "",
    example: "",
    problem: null,
    options: {},
  };
  if (state.tab === "map")
    return { ...wish, text: state.map.join("\n"), options: state.mapOptions, title: "map" };
  if (state.tab === "python") return { ...wish, text: state.code, title: "your problem" };
  const { text, example, problem } = state.file,
    preset = catalogue.examples.find(one => one.name === example)?.options,
    options = { ...preset, ...state.file.options };
  return { ...wish, text, example, problem, options, title: example || problem };
}

function run() {
  if (!catalogue.wheels.length) return;
  runner.start();
  runner.ask(request());
}

/** Whether the code is the reader's or a link's: it runs only when the reader says so. */
const ownCode = () => state.tab === "python" && !catalogue.code.some(one => one.text === state.code);
function solveUnlessOwnCode() {
  if (!ownCode()) run();
}

/** After a change: the address describes what is shown, and it is solved again. */
let writing;
function edited() {
  playing = null;
  clearTimeout(writing);
  writing = setTimeout(writeAddress, 300);
  solveUnlessOwnCode();
}

async function writeAddress() {
  clearTimeout(writing); // the address that somebody gives next is not replaced by an earlier change
  history.replaceState(null, "", `#${await toFragment(state)}`);
}

// ---- the answer

function show(answer) {
  $("verdicts").replaceChildren(
    ...answer.verdicts.flatMap(one => [
      make(
        "p",
        {},
        make("strong", {}, one.engine),
        ` ${one.text.replace(`${one.engine} expanded`, "expanded")}`,
      ),
      ...(one.objection ? [make("p", { className: "notice" }, `refuted: ${one.objection}`)] : []),
      ...(one.proved.length ? [make("p", { className: "proved" }, `checked: ${one.proved.join("; ")}`)] : []),
    ]),
  );
  if (answer.marks) {
    const at = ([x, y]) => y * editor.width + x,
      looks = new Uint8Array(editor.width * editor.height);
    for (const cell of answer.marks.reached) looks[at(cell)] = 2;
    mark({ looks, paths: [answer.marks.path.map(at)] });
  }
  clearTimeout(later);
  later = setTimeout(() => play(answer.page), 120); // while somebody draws, not every answer needs a player
}

function mark(marks) {
  editor.marks = marks;
  editor.draw();
}

let later,
  playing = null;
// The search on a map is drawn on the map itself: the player says how the cells look.
addEventListener("message", event => {
  if (playing && event.source === playing && event.data?.looks?.length === editor.width * editor.height)
    mark(event.data);
});

function play(page) {
  // Everything is shown solved: a map changes under the reader's hands.
  // The next player loads behind the one that is shown, so that nothing flickers.
  const old = [...$("player").children].filter(child => !child.classList.contains("coming"));
  for (const late of $("player").querySelectorAll(".coming")) late.remove();
  const frame = make("iframe", {
    className: "coming",
    title: "Player",
    name: state.tab === "map" ? "beside" : "at-end",
    sandbox: "allow-scripts",
    referrerPolicy: "no-referrer",
  });
  frame.addEventListener(
    "load",
    () => {
      tellTheme(frame);
      for (const one of old) one.remove();
      frame.classList.remove("coming");
    },
    { once: true },
  );
  frame.srcdoc = page;
  $("player").append(frame);
  playing = frame.contentWindow;
}

function tellTheme(frame) {
  frame.contentWindow.postMessage({ dark: document.documentElement.dataset.theme === "dark" }, "*");
}
addEventListener("theme", () => $("player").querySelectorAll("iframe").forEach(tellTheme));

function forgetAnswer() {
  clearTimeout(later);
  $("verdicts").replaceChildren();
  $("player").replaceChildren(
    make(
      "p",
      { className: "empty" },
      ownCode() ? "Read the code, then click Solve to run it." : "The search appears here.",
    ),
  );
}

// ---- engines and options

function control(option, value, set) {
  if (option.choices.join() === "true,false") {
    const input = make("input", {
      type: "checkbox",
      role: "switch",
      checked: (value ?? option.default) === "true",
    });
    input.addEventListener("change", () => {
      set(String(input.checked) === option.default ? "" : String(input.checked));
    });
    return make("label", { title: option.help }, input, ` ${option.name}`);
  }
  const input = option.choices.length
    ? make(
        "select",
        {},
        ...(option.default === "" ? [make("option", { value: "" }, "default")] : []),
        ...option.choices.map(one => make("option", { value: one }, one)),
      )
    : make("input", {
        type: "text",
        maxLength: MOST.option,
        placeholder: option.default,
        autocomplete: "off",
      });
  input.value = value ?? (option.choices.length ? option.default : "");
  input.addEventListener("change", () => {
    set(input.value === option.default ? "" : input.value);
  });
  return make("label", { title: option.help }, `${option.name.replaceAll("_", " ")} `, input);
}

/** Controls for options, behind a button. */
function more(options, values) {
  const set = name => value => {
    if (value) values[name] = value;
    else delete values[name];
    edited();
  };
  const controls = options.map(option => control(option, values[option.name], set(option.name)));
  return controls.length
    ? [make("details", { className: "more" }, make("summary", {}, "Options"), make("div", {}, ...controls))]
    : [];
}

function promises(engine) {
  if (engine === AUTO) return AUTO.summary;
  const heuristic = {
    unused: "uses no heuristic",
    optional: "can use a heuristic",
    required: "needs a heuristic",
    backward: "can use a backward heuristic",
  }[engine.heuristic];
  const costs = {
    any: "any costs",
    unit: "counts actions, whatever they cost",
    "zero-one": "costs of 0 and 1",
    whole: "whole costs from 1 on",
  }[engine.costs];
  const optimal = engine.optimal ? "optimal" : "not always optimal";
  const complete = engine.complete ? "complete" : "not complete";
  return [engine.summary, optimal, complete, costs, heuristic].join(" · ");
}

function engines() {
  const allowed =
    state.tab === "map"
      ? catalogue.engines.filter(one => one === AUTO || catalogue.map_engines.includes(one.name))
      : catalogue.engines;
  $("engines").replaceChildren(
    ...state.runs.map((one, number) => {
      const engine = catalogue.engines.find(known => known.name === one.engine);
      const choice = make(
        "select",
        { "aria-label": `engine ${number + 1}`, title: promises(engine) },
        ...[...new Set([...allowed, engine])].map(known => make("option", { value: known.name }, known.name)),
      );
      choice.value = one.engine;
      choice.addEventListener("change", () => {
        state.runs[number] = { engine: choice.value, options: {} };
        engines();
        edited();
      });
      const remove = make(
        "button",
        {
          type: "button",
          "aria-label": `remove engine ${number + 1}`,
          title: "Remove",
          onclick() {
            state.runs.splice(number, 1);
            engines();
            edited();
          },
        },
        "×",
      );
      return make(
        "span",
        { className: "run" },
        make("label", {}, number ? "and " : "with ", choice),
        ...more(engine.options, one.options),
        ...(state.runs.length > 1 ? [remove] : []),
      );
    }),
  );
  if (state.runs.length < MOST.runs) {
    const add = make("button", { type: "button", title: "Solve with another engine, too" }, "+ Compare");
    add.addEventListener("click", () => {
      const free = ["dijkstra", "bfs", "greedy", "astar"].find(
        name => !state.runs.some(one => one.engine === name),
      );
      state.runs.push({ engine: free, options: {} });
      engines();
      edited();
    });
    $("engines").append(add);
  }
}

function mapOptions() {
  const [moves, ...others] = catalogue.map_options;
  $("map-options").replaceChildren(
    control(moves, state.mapOptions.moves, value => {
      if (value) state.mapOptions.moves = value;
      else delete state.mapOptions.moves;
      edited();
    }),
    ...more(others, state.mapOptions),
  );
}

// ---- the three sources

function sizes() {
  $("width").value = editor.width;
  $("height").value = editor.height;
}

function tools() {
  for (const button of $("tools").querySelectorAll("[data-tool]"))
    button.setAttribute("aria-pressed", button.dataset.tool === editor.tool);
  $("weight").value = editor.weight;
}

function openTab(tab) {
  if (tab !== state.tab) forgetAnswer();
  state.tab = document.body.dataset.tab = tab;
  state.runs = runsOf[tab];
  for (const name of ["map", "file", "python"]) {
    $(`tab-${name}`).setAttribute("aria-selected", name === tab);
    $(`tab-${name}`).tabIndex = name === tab ? 0 : -1;
    $(`pane-${name}`).hidden = name !== tab;
  }
  engines();
  if (tab === "map") editor.draw();
  if (tab === "python") openEditor();
}

async function openEditor() {
  if (!catalogue.wheels.length || code) return;
  const { CodeEditor } = await import("./code.js");
  code ??= new CodeEditor($("code"), MOST.code, {
    changed(text) {
      state.code = text;
      edited();
    },
    run,
  });
  code.show(state.code);
  document.body.dataset.editor = "shown";
}

/** Bring a checked state onto the page. */
function display(next) {
  Object.assign(state, next);
  if (next.runs) runsOf[next.tab] = next.runs;
  editor.show(state.map, false);
  sizes();
  mapOptions();
  code?.show(state.code);
  showFile();
  openTab(state.tab);
  forgetAnswer();
}

function showFile() {
  const { text, example, problem } = state.file,
    known = catalogue.examples.find(one => one.name === example);
  $("file").value = text;
  $("files").value = example;
  $("file").hidden = Boolean(known) && !text;
  $("file-options").replaceChildren(...more(fileOptions(state.file, catalogue), state.file.options));
  $("file-help").textContent =
    `${problem}: ${known ? known.summary : "a text that this plugin reads"}` +
    (known && !text ? " (no text to edit here)" : "");
}

function chooseAuto() {
  state.runs = runsOf[state.tab] = [{ engine: "auto", options: {} }];
  engines();
}

function fill() {
  for (const map of catalogue.maps) $("maps").append(make("option", { value: map.name }, map.name));
  $("maps").append(make("option", { value: "" }, "empty"));
  $("maps").addEventListener("change", () => {
    const chosen = catalogue.maps.find(map => map.name === $("maps").value);
    const empty = () => ["S" + ".".repeat(30), ...Array(13).fill(".".repeat(31)), ".".repeat(30) + "G"];
    editor.show(chosen ? checkedMap(chosen.text) : empty());
    editor.changed();
  });
  for (const file of catalogue.examples)
    $("files").append(make("option", { value: file.name }, `${file.problem}: ${file.name}`));
  $("files").addEventListener("change", () => {
    const chosen = catalogue.examples.find(one => one.name === $("files").value);
    state.file = { text: chosen.text, example: chosen.name, problem: chosen.problem, options: {} };
    chooseAuto();
    showFile();
    edited();
  });
  $("file").addEventListener("input", () => {
    state.file.text = $("file").value.slice(0, MOST.text);
    edited();
  });
  for (const one of catalogue.code) $("codes").append(make("option", { value: one.name }, one.name));
  $("codes").addEventListener("change", () => {
    const chosen = catalogue.code.find(one => one.name === $("codes").value);
    state.code = chosen.text;
    code?.show(state.code);
    chooseAuto();
    edited();
  });
  for (const tool of TOOLS) {
    const swatch = make("span", { className: "swatch" });
    const colours = { wall: "wall", floor: "floor", weight: "weighted", start: "start", goal: "goal" };
    swatch.style.background = `var(--${colours[tool.name] || "page"})`;
    const button = make(
      "button",
      { type: "button", "data-tool": tool.name, title: `key ${tool.key}` },
      ...(tool.name === "move" ? [] : [swatch]),
      tool.label,
    );
    button.addEventListener("click", () => editor.choose(tool.name));
    $("tools").append(button);
    if (tool.name === "weight") {
      const weight = make("input", {
        id: "weight",
        type: "number",
        min: 1,
        max: 9,
        value: 5,
        "aria-label": "what a weighted cell costs",
      });
      weight.addEventListener("change", () =>
        editor.choose("weight", Math.max(1, Math.min(9, Math.round(Number(weight.value)) || 5))),
      );
      $("tools").append(weight);
    }
  }
  const button = (label, name, act) =>
    $("tools").append(make("button", { type: "button", "aria-label": name, onclick: act }, label));
  button("Undo", "undo", () => editor.undo());
  button("Redo", "redo", () => editor.redo());
  button("+", "zoom in", () => {
    editor.zoom = Math.min(8, editor.zoom * 1.5);
    editor.draw();
  });
  button("−", "zoom out", () => {
    editor.zoom = Math.max(1, editor.zoom / 1.5);
    editor.draw();
  });
  for (const id of ["width", "height"])
    $(id).addEventListener("change", () => {
      const within = (id, most) => Math.max(2, Math.min(most, Math.round(Number($(id).value)) || 2));
      editor.resize(within("width", MOST.width), within("height", MOST.height));
    });
  const order = ["map", "file", "python"];
  for (const name of order) {
    $(`tab-${name}`).addEventListener("click", () => {
      complain("");
      openTab(name);
      edited();
    });
    $(`tab-${name}`).addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = order[(order.indexOf(name) + step + order.length) % order.length];
      openTab(next);
      edited();
      $(`tab-${next}`).focus();
    });
  }
  $("run").addEventListener("click", run);
  $("stop").addEventListener("click", () => runner.stop("stopped"));
  $("share").addEventListener("click", share);
}

async function share() {
  $("state").textContent = "";
  await writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    $("state").textContent = "the link is copied";
  } catch {
    $("state").textContent = "the link is in the address bar";
  }
}

/** Show what the address holds. Returns whether that can be shown. */
async function open() {
  const fragment = location.hash.slice(1);
  let shown = true,
    next = {};
  complain("");
  if (fragment && fragment !== "help")
    try {
      next = await fromFragment(fragment, catalogue);
    } catch (error) {
      complain(`The link can't be opened: ${error.message}.`);
      shown = false;
    }
  display(next);
  return shown;
}

fill();
tools();
$("no-script").remove();
$("app").hidden = false;
document.body.dataset.python = "off";
if (catalogue.wheels.length) runner.start();
const opened = async () => {
  if (await open()) solveUnlessOwnCode();
};
addEventListener("hashchange", opened);
await opened();
if (!catalogue.wheels.length) {
  $("run").disabled = true;
  complain(
    "This copy of the documentation was built without network, so Python is not part of it: " +
      "maps can be edited, but not solved.",
  );
}
document.body.dataset.shown = "yes";
