// Steps through a recorded run of an engine: marks the line that runs, and colours the states of a small graph.
for (const box of document.querySelectorAll(".textbook:not([data-ready])")) {
  box.dataset.ready = "";
  const { places, roads, guess } = JSON.parse(box.dataset.graph),
    steps = JSON.parse(box.dataset.steps),
    stage = box.querySelector(".stage");
  const at = town => [40 + places[town][0] * 95, 32 + places[town][1] * 72];
  let drawn = "";
  for (const [town, to] of Object.entries(roads))
    for (const [other, cost] of Object.entries(to)) {
      const [a, b] = at(town),
        [c, d] = at(other),
        l = Math.hypot(c - a, d - b),
        u = (c - a) / l,
        v = (d - b) / l;
      drawn += `<line x1="${a + 20 * u}" y1="${b + 20 * v}" x2="${c - 24 * u}" y2="${d - 24 * v}" marker-end="url(#tip)"/><text class="cost" x="${(a + c) / 2 + 9 * Math.abs(v)}" y="${(b + d) / 2 + (v > 0 ? -9 : 9) * u + 4}">${cost}</text>`;
    }
  for (const town of Object.keys(places)) {
    const [x, y] = at(town);
    drawn += `<g data-town="${town}"><circle cx="${x}" cy="${y}" r="19"/><text x="${x}" y="${y + 1}">${town}</text><text class="g" x="${x}" y="${y + 13}"></text><text class="h" x="${x}" y="${y - 24}">${town in guess ? "h " + guess[town] : ""}</text></g>`;
  }
  stage.innerHTML =
    `<svg viewBox="0 0 365 205" role="img" aria-label="The graph"><defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>${drawn}</svg>` +
    `<p><button type="button" aria-label="A step back">◀</button> <button type="button" class="play">Play</button> <button type="button" aria-label="A step on">▶</button> <input type="range" min="0" max="${steps.length - 1}" value="0" aria-label="Step"></p><p class="key"><span><b class="open"></b> reached</span> ${steps.some(step => Object.keys(step[4]).length) ? '<span><b class="back"></b> reached from the goal</span> ' : ""}<span><b class="closed"></b> expanded</span> <span><b class="current"></b> state</span> <span><b class="child"></b> child</span></p><p class="said" aria-live="polite"></p>`;
  const [back, play, on] = stage.querySelectorAll("button"),
    range = stage.querySelector("input");
  let now = 0,
    timer = 0;
  const show = (step, scroll) => {
    now = Math.max(0, Math.min(steps.length - 1, step));
    range.value = now;
    const [row, state, child, reached, behind, expanded, waiting, end] = steps[now];
    box.querySelector(".now")?.classList.remove("now");
    const line = row >= 0 && box.querySelector("#row" + row);
    if (line) {
      line.classList.add("now");
      if (scroll) line.scrollIntoView({ block: "nearest" });
    }
    for (const g of stage.querySelectorAll("[data-town]")) {
      const town = g.dataset.town,
        half = town in behind ? "back" : "open";
      g.setAttribute(
        "class",
        end
          ? expanded.includes(town)
            ? "path"
            : ""
          : [
              town === state ? "current" : "",
              town === child ? "child" : "",
              expanded.includes(town) ? "closed" : town in reached || town in behind ? half : "",
            ].join(" "),
      );
      g.querySelector(".g").textContent =
        town in reached ? `g ${reached[town]}` : town in behind ? `g ${behind[town]}` : "";
    }
    stage.querySelector(".said").textContent =
      (end && `${end}\npath: ${expanded.join(" → ")}`) ||
      `step ${now + 1} of ${steps.length}` +
        (state ? `: state = ${state}` : "") +
        (child && child !== state ? `, child = ${child}` : "") +
        `\nfrontier = [${waiting}]`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  back.onclick = () => {
    stop();
    show(now - 1, true);
  };
  on.onclick = () => {
    stop();
    show(now + 1, true);
  };
  range.oninput = () => {
    stop();
    show(+range.value, true);
  };
  play.onclick = () => {
    if (timer) {
      stop();
      return;
    }
    if (now === steps.length - 1) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      show(now + 1, true);
      if (now === steps.length - 1) stop();
    }, 450);
  };
  if (document.body.classList.contains("slide"))
    document.onkeydown = event => {
      const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
      if (by && event.target !== range) {
        event.preventDefault();
        stop();
        show(now + by);
      }
    };
  show(0);
}
