"""What the tests ask a page, as functions in JavaScript."""

PIXELS = """
cells => {
  const view = player.panels[0].view, hex = c => c.toString(16).padStart(2, "0");
  return cells.map(([x, y]) => {
    const [r, g, b] = view.g.getImageData(Math.round((x + 0.12) * view.sx + view.dx), Math.round((y + 0.88) * view.sy + view.dy), 1, 1).data;
    return "#" + [r, g, b].map(hex).join("");
  });
}
"""  # noqa: E501
"""The colours of the canvas near a corner of some cells."""

ONE_OF_EACH = """
() => {
  const view = player.panels[0].view, found = {}, ratio = player.panels[0].ratio;
  const names = { 1: "open", 2: "closed", 5: "open-2", 6: "closed-2" };
  for (let p = 0; p < view.pixels.length; p++) {
    const look = view.lookAt(p), ground = view.base[p] === theme.wall ? "wall" : view.base[p] === theme.floor ? "floor" : "";
    const name = look ? names[look] : ground;
    const x = (p % view.w + 0.2) * view.sx + view.dx, y = (Math.floor(p / view.w) + 0.85) * view.sy + view.dy;
    if (name && !found[name]) found[name] = [x / ratio, y / ratio];
  }
  return found;
}
"""  # noqa: E501
"""Where one cell of each look is, in pixels of the page from the corner of the picture."""

EXTENTS = """
() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect();
  const out = [...document.querySelectorAll("button, select, input, canvas")].filter(e => {
    const { left, right } = e.getBoundingClientRect();
    return e.checkVisibility() && (left < 0 || right > innerWidth + 0.5);
  });
  return {
    wide: document.documentElement.scrollWidth, main: box("main").bottom, bar: box("#bar").top,
    height: document.querySelector("main").clientHeight, out: out.map(e => e.id || e.title || e.textContent),
  };
}
"""
"""How wide the page is, where panels end and the bar begins, and which controls are outside the window."""

PAUSES = """
async () => {
  const shown = [], seek = player.seek;
  player.seek = time => { shown.push(performance.now()); seek.call(player, time); };
  player.speed(20);
  player.play(true);
  await new Promise(done => setTimeout(done, 900));
  player.play(false);
  return shown.slice(1).map((time, i) => time - shown[i]);
}
"""
"""The milliseconds between the pictures that are shown in 0.9 seconds of playing."""

COLOURS = """
() => {
  const { canvas, g } = player.panels[0], { data } = g.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}
"""
"""How many colours the picture has."""

CELL_UNDER = """
([x, y]) => {
  const { canvas, view } = player.panels[0], box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
  return view.cellAt((x - box.left) * scale, (y - box.top) * scale);
}
"""
"""The cell under a point of the page."""
