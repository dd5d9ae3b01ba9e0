// The page has the theme that the switch of the documentation was set to, else that of the system.
const SWITCH = `${new URL("..", location).pathname}.__palette`; // where MkDocs Material keeps it
const system = matchMedia("(prefers-color-scheme: dark)");

function setTheme() {
  let scheme = system.matches ? "slate" : "default";
  try {
    scheme = JSON.parse(localStorage.getItem(SWITCH)).color.scheme;
  } catch {} // it was not used, or the browser keeps nothing
  document.documentElement.dataset.theme = scheme === "slate" ? "dark" : "light";
  dispatchEvent(new Event("theme"));
}

setTheme();
system.addEventListener("change", setTheme);
addEventListener("storage", setTheme); // the switch was used in another tab
