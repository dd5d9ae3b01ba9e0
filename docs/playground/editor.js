// The map as it is drawn: cells on a canvas, painted with pointer or keys.

const GROUND = ".123456789";
const UNDOS = 200;
/** Of states: open, closed, open again, left, and the same of those reached from the goal. */
const LOOKS = ["open", "closed", "again", "left", "open-2", "closed-2", "again-2", "left-2"];

export const TOOLS = [
  { name: "wall", cell: "#", key: "w", label: "Wall" },
  { name: "floor", cell: ".", key: "f", label: "Floor" },
  { name: "weight", cell: "5", key: "1–9", label: "Cost" },
  { name: "start", cell: "S", key: "s", label: "Start" },
  { name: "goal", cell: "G", key: "g", label: "Goal" },
  { name: "move", cell: "", key: "m", label: "Scroll" },
];

export class MapEditor {
  /** `changed()` is called after each stroke's step, `said(text)` with what a screen reader should say. */
  constructor(canvas, { changed, said, chosen }) {
    Object.assign(this, {
      canvas,
      changed,
      said,
      chosen,
      rows: ["."],
      marks: null,
      tool: "wall",
      weight: 5,
      zoom: 1,
    });
    this.cursor = { x: 0, y: 0 };
    this.undos = [];
    this.redos = [];
    this.g = canvas.getContext("2d");
    canvas.addEventListener("pointerdown", event => this.pressed(event));
    canvas.addEventListener("pointermove", event => this.dragged(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(name, () => {
        this.stroke = null;
      });
    canvas.addEventListener("keydown", event => this.typed(event));
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
    addEventListener("theme", () => this.draw());
  }
  get width() {
    return this.rows[0].length;
  }
  get height() {
    return this.rows.length;
  }
  /** Show another map; `undo` says whether the one before can be brought back. */
  show(rows, undo = true) {
    if (undo) this.remember();
    this.rows = [...rows];
    this.marks = null;
    this.cursor = { x: Math.min(this.cursor.x, this.width - 1), y: Math.min(this.cursor.y, this.height - 1) };
    this.draw();
  }
  choose(tool, weight = this.weight) {
    this.tool = tool;
    this.weight = weight;
    this.canvas.style.touchAction = tool === "move" ? "auto" : "none";
    this.canvas.style.cursor = tool === "move" ? "grab" : "crosshair";
    this.chosen();
  }
  cellOf(tool) {
    return tool === "weight" ? String(this.weight) : TOOLS.find(one => one.name === tool).cell;
  }
  remember() {
    this.undos.push(this.rows.join("\n"));
    this.redos = [];
    if (this.undos.length > UNDOS) this.undos.shift();
  }
  undo(from = this.undos, to = this.redos) {
    if (!from.length) {
      this.said("nothing to undo");
      return;
    }
    to.push(this.rows.join("\n"));
    this.rows = from.pop().split("\n");
    this.marks = null;
    this.cursor = { x: Math.min(this.cursor.x, this.width - 1), y: Math.min(this.cursor.y, this.height - 1) };
    this.draw();
    this.changed();
  }
  redo() {
    this.undo(this.redos, this.undos);
  }
  at(x, y) {
    return this.rows[y][x];
  }
  set(x, y, cell) {
    this.rows[y] = this.rows[y].slice(0, x) + cell + this.rows[y].slice(x + 1);
  }
  /** Paint a cell. A map keeps at least one start and one goal. Returns whether anything changed. */
  paint(x, y, cell) {
    const before = this.at(x, y);
    if (before === cell) return false;
    if ("SG".includes(before) && this.all(before).length === 1 && !"SG".includes(cell)) return false;
    if ("SG".includes(cell) && "SG".includes(before) && this.all(before).length === 1) return false;
    this.set(x, y, cell);
    return true;
  }
  all(cell) {
    const found = [];
    this.rows.forEach((row, y) => {
      for (let x = row.indexOf(cell); x >= 0; x = row.indexOf(cell, x + 1)) found.push({ x, y });
    });
    return found;
  }
  /** Move the only start or goal (or the one at `from`) to a cell. What it covered before is floor. */
  carry(from, to) {
    const thing = this.at(from.x, from.y),
      there = this.at(to.x, to.y);
    if ("SG".includes(there)) return false;
    this.set(from.x, from.y, this.covered ?? ".");
    this.covered = there;
    this.set(to.x, to.y, thing);
    return true;
  }
  spot(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * this.width),
      y = Math.floor(((event.clientY - box.top) / box.height) * this.height);
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? { x, y } : null;
  }
  pressed(event) {
    if (event.button > 0 || this.tool === "move") return;
    const spot = this.spot(event);
    if (!spot) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.remember();
    this.covered = undefined;
    const here = this.at(spot.x, spot.y);
    if ("SG".includes(here)) this.stroke = { carries: spot, last: spot };
    else {
      const cell = this.cellOf(this.tool);
      // the tool on a cell that already looks so takes it away
      this.stroke = { cell: here === cell && !"SG".includes(cell) ? "." : cell, last: spot };
      this.apply(spot);
    }
    this.cursor = spot;
    this.draw();
  }
  dragged(event) {
    if (!this.stroke) return;
    for (const one of event.getCoalescedEvents?.().length ? event.getCoalescedEvents() : [event]) {
      const spot = this.spot(one);
      if (!spot || !this.stroke) continue;
      const { last } = this.stroke,
        steps = Math.max(Math.abs(spot.x - last.x), Math.abs(spot.y - last.y));
      for (let i = 1; i <= steps; i++)
        this.apply({
          x: Math.round(last.x + ((spot.x - last.x) * i) / steps),
          y: Math.round(last.y + ((spot.y - last.y) * i) / steps),
        });
      this.stroke.last = spot;
    }
  }
  apply(spot) {
    const { stroke } = this;
    if (stroke.carries) {
      if (spot.x === stroke.carries.x && spot.y === stroke.carries.y) return;
      if (!this.carry(stroke.carries, spot)) return;
      stroke.carries = spot;
    } else if ("SG".includes(stroke.cell)) {
      if (!this.put(spot, stroke.cell)) return;
    } else if (!this.paint(spot.x, spot.y, stroke.cell)) return;
    this.cursor = spot;
    this.draw();
    this.changed();
  }
  /** Put the start or the goal here; the one that was there before becomes floor. */
  put(spot, cell) {
    const [old] = this.all(cell),
      there = this.at(spot.x, spot.y);
    if ("SG".includes(there)) return false;
    if (old) this.set(old.x, old.y, ".");
    this.set(spot.x, spot.y, cell);
    return true;
  }
  typed(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (event.shiftKey) this.redo();
      else this.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
      step = steps[event.key];
    const tool = { w: "wall", f: "floor", s: "start", g: "goal", m: "move" }[event.key.toLowerCase()];
    if (step) {
      event.preventDefault();
      const x = Math.max(0, Math.min(this.width - 1, this.cursor.x + step[0])),
        y = Math.max(0, Math.min(this.height - 1, this.cursor.y + step[1]));
      this.cursor = { x, y };
      if (event.shiftKey) this.stamp();
      else {
        this.draw();
        this.say();
      }
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      this.stamp(true);
    } else if (/^[1-9]$/.test(event.key)) {
      this.choose("weight", Number(event.key));
      this.stamp();
    } else if (tool) {
      this.choose(tool);
      if (tool !== "move") this.stamp();
    }
  }
  /** Paint the cell below the cursor; with `toggles`, what already looks so becomes floor. */
  stamp(toggles = false) {
    const { x, y } = this.cursor,
      cell = this.cellOf(this.tool);
    if (!cell) return;
    this.remember();
    const done = "SG".includes(cell)
      ? this.put({ x, y }, cell)
      : this.paint(x, y, toggles && this.at(x, y) === cell ? "." : cell);
    this.draw();
    if (done) this.changed();
    else this.undos.pop();
    this.say();
  }
  say() {
    const { x, y } = this.cursor,
      cell = this.at(x, y);
    const name =
      cell === "#"
        ? "wall"
        : cell === "S" || cell === "@"
          ? "start"
          : cell === "G"
            ? "goal"
            : cell === "." || cell === "1"
              ? "floor"
              : `costs ${cell}`;
    this.said(`column ${x}, row ${y}: ${name}`);
  }
  resize(width, height) {
    this.remember();
    const rows = Array.from({ length: height }, (_, y) =>
      (this.rows[y] ?? "").slice(0, width).padEnd(width, "."),
    );
    this.rows = rows;
    for (const [cell, spot] of [
      ["S", { x: 0, y: 0 }],
      ["G", { x: width - 1, y: height - 1 }],
    ])
      if (!this.all(cell).length) this.set(spot.x, spot.y, cell);
    this.cursor = { x: Math.min(this.cursor.x, width - 1), y: Math.min(this.cursor.y, height - 1) };
    this.marks = null;
    this.draw();
    this.changed();
  }
  draw() {
    const { canvas, g } = this,
      room = canvas.parentElement.clientWidth,
      ratio = window.devicePixelRatio || 1;
    if (!room) return;
    const tall = Math.max(
      240,
      innerHeight - canvas.parentElement.getBoundingClientRect().top - scrollY - 110,
    ); // what is below the map
    const side = Math.max(3, Math.min(room / this.width, tall / this.height, 40) * this.zoom);
    canvas.style.width = `${side * this.width}px`;
    canvas.style.height = `${side * this.height}px`;
    const s = side * ratio;
    canvas.width = Math.round(s * this.width);
    canvas.height = Math.round(s * this.height);
    const style = getComputedStyle(canvas),
      colour = name => style.getPropertyValue(`--${name}`).trim();
    const box = (x, y) => [
      Math.round(x * s),
      Math.round(y * s),
      Math.round((x + 1) * s) - Math.round(x * s),
      Math.round((y + 1) * s) - Math.round(y * s),
    ];
    const weights = colour("weights").split(",");
    g.fillStyle = colour("floor");
    g.fillRect(0, 0, canvas.width, canvas.height);
    g.textAlign = "center";
    g.textBaseline = "middle";
    this.rows.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) {
        const cell = row[x];
        if (cell === "#") {
          g.fillStyle = colour("wall");
          g.fillRect(...box(x, y));
        } else if (GROUND.indexOf(cell) > 1) {
          g.fillStyle = weights[GROUND.indexOf(cell) - 2].trim();
          g.fillRect(...box(x, y));
        }
      }
    });
    const looks = LOOKS.map(name => colour(name));
    this.rows.forEach((row, y) => {
      for (let x = 0; this.marks && x < row.length; x++) {
        const look = this.marks.looks[y * this.width + x];
        if (!look || row[x] === "#") continue;
        const b = box(x, y),
          inset = GROUND.indexOf(row[x]) > 1 ? Math.max(ratio, Math.round(s * 0.2)) : 0;
        g.fillStyle = looks[look - 1];
        g.fillRect(b[0] + inset, b[1] + inset, b[2] - 2 * inset, b[3] - 2 * inset);
      }
    });
    if (s / ratio >= 9) {
      g.strokeStyle = colour("grid");
      g.lineWidth = Math.max(1, Math.round(ratio / 2));
      g.beginPath();
      for (let x = 1; x < this.width; x++) {
        g.moveTo(Math.round(x * s) + 0.5, 0);
        g.lineTo(Math.round(x * s) + 0.5, canvas.height);
      }
      for (let y = 1; y < this.height; y++) {
        g.moveTo(0, Math.round(y * s) + 0.5);
        g.lineTo(canvas.width, Math.round(y * s) + 0.5);
      }
      g.stroke();
    }
    for (const path of this.marks?.paths ?? []) {
      g.lineJoin = g.lineCap = "round";
      for (const [ink, width] of [
        [colour("casing"), 6],
        [colour("line"), 3],
      ]) {
        g.strokeStyle = ink;
        g.lineWidth = Math.max(1, width * Math.min(1, s / ratio / 12)) * ratio;
        g.beginPath();
        path.forEach((p, i) =>
          g[i ? "lineTo" : "moveTo"](((p % this.width) + 0.5) * s, (Math.floor(p / this.width) + 0.5) * s),
        );
        g.stroke();
      }
    }
    g.font = `600 ${Math.max(8, s * 0.62)}px system-ui, sans-serif`;
    this.rows.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) {
        const cell = row[x],
          thing = cell === "S" || cell === "@" ? "start" : cell === "G" ? "goal" : "";
        if (thing) {
          g.fillStyle = colour(thing);
          g.beginPath();
          g.arc((x + 0.5) * s, (y + 0.5) * s, Math.max(3 * ratio, s * 0.46), 0, 7);
          g.fill();
          g.strokeStyle = colour("casing");
          g.lineWidth = ratio;
          g.stroke();
          g.fillStyle = colour("letter");
        } else if (GROUND.indexOf(cell) > 1 && s / ratio >= 11) g.fillStyle = colour("digit");
        else continue;
        if (s / ratio >= 9) g.fillText(cell === "@" ? "S" : cell, (x + 0.5) * s, (y + 0.54) * s);
      }
    });
    if (document.activeElement === canvas) {
      const [x, y, w, h] = box(this.cursor.x, this.cursor.y);
      for (const [ink, width] of [
        [colour("casing"), 4],
        [colour("cursor"), 2],
      ]) {
        g.strokeStyle = ink;
        g.lineWidth = width * ratio;
        g.strokeRect(x, y, w, h);
      }
    }
  }
}
