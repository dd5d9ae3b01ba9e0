// Colours: the theme's, those of a map's ground in the theme, and the scale for numbers.

/** Cividis (Nuñez, Anderton and Renslow 2018): its lightness rises evenly, and all kinds of sight see the same steps. */
const CIVIDIS = ["#00204d", "#00306f", "#2a406c", "#48526b", "#5e626e", "#727374", "#878479", "#9e9677", "#b6a971", "#d0bd66", "#ead357"].map(rgb);
const LOOKS = ["open", "closed", "again", "left", "open-2", "closed-2", "again-2", "left-2"];

function rgb(hex) { const v = parseInt(hex.slice(1), 16); return [v >> 16, v >> 8 & 255, v & 255]; }
function pixel([r, g, b]) { return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }
function css(p) { return `rgb(${p & 255},${p >> 8 & 255},${p >> 16 & 255})`; }

function luminance([r, g, b]) {
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
/** CIE lightness, 0 (black) to 100 (white). */
function lightness(colour) { const y = luminance(colour); return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y; }

/** The same hue with another lightness: mixed with white or with black. */
function withLightness(colour, target) {
  const other = lightness(colour) < target ? 255 : 0;
  let low = 0, high = 1;
  for (let i = 0; i < 14; i++) {
    const w = (low + high) / 2, mixed = colour.map(c => c + w * (other - c));
    if ((lightness(mixed) < target) === (other === 255)) low = w; else high = w;
  }
  return colour.map(c => Math.round(c + low * (other - c)));
}

/** The scale for numbers: 0 to 1 as a pixel. */
function ramp(x) {
  const at = Math.max(0, Math.min(0.99999, x || 0)) * (CIVIDIS.length - 1), i = Math.floor(at), w = at - i;
  return pixel(CIVIDIS[i].map((c, k) => Math.round(c + w * (CIVIDIS[i + 1][k] - c))));
}

/** What a mark of the ground is: its glyph says so, as in the terminal. */
function role(mark) {
  const [r, g, b] = rgb(mark.colour), grey = Math.max(r, g, b) - Math.min(r, g, b) < 48;
  if (grey && "█▓#".includes(mark.glyph || " ") && mark.glyph !== " ") return "wall";
  if (grey && "·. ".includes(mark.glyph || " ")) return "floor";
  return mark.rank >= 3 ? "thing" : "terrain";
}

/** The letter that stands for a mark; "" if fonts may lack it: then a dot is drawn. */
function letter(mark) { const plain = (mark.glyph || "").normalize("NFKC"); return plain.codePointAt(0) < 0x2000 ? plain : ""; }

/** The colours of the style sheet in the theme that is on. */
const theme = {
  dark: false, looks: [], text: {},
  read() {
    const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue("--" + name).trim();
    this.dark = get("scheme") === "dark";
    for (const name of ["ink", "dim", "paper", "panel", "edge", "floor", "wall", "line", "casing", "link", "accent"]) this.text[name] = get(name);
    this.floor = pixel(rgb(this.text.floor)); this.wall = pixel(rgb(this.text.wall));
    this.wallUnderNumbers = pixel(rgb(get("wall-under-numbers")));
    this.css = Object.fromEntries(LOOKS.map(name => [name, get(name)]));
    // by state, then by state + 4 for the half that grows from the goals
    this.looks = [0, this.css.open, this.css.closed, this.css.again, this.css.left, this.css["open-2"], this.css["closed-2"], this.css["again-2"], this.css["left-2"]]
      .map(c => c ? pixel(rgb(c)) : 0);
    this.phases = [1, 2, 3].map(i => pixel(rgb(get("phase-" + i))));
    this.series = [1, 2, 3, 4].map(i => get("series-" + i));
  },
  ground(mark) {
    const what = role(mark), colour = rgb(mark.colour);
    if (what === "wall") return this.wall;
    if (what === "floor") return this.floor;
    if (what === "thing") return pixel(colour);
    const light = lightness(colour);  // drawings are made for dark terminals
    return pixel(withLightness(colour, this.dark ? Math.min(light, 38) : Math.max(60, Math.min(95, 108 - 0.6 * light))));
  },
  /** A mark's own colour as ink on the floor: dark or light enough to be read. */
  inkOf(mark) { return css(pixel(withLightness(rgb(mark.colour), this.dark ? 82 : 38))); },
};
