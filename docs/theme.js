// Players in the page have its theme, also after the reader has switched it.
const players = document.querySelectorAll("iframe");

function tellTheme(frame) {
  frame.contentWindow.postMessage({ dark: document.body.dataset.mdColorScheme === "slate" }, "*");
}

for (const frame of players) {
  tellTheme(frame);
  frame.addEventListener("load", () => tellTheme(frame));
}
new MutationObserver(() => players.forEach(tellTheme)).observe(document.body, {
  attributeFilter: ["data-md-color-scheme"],
});

// Long lines of code are continued two columns to the right of their beginning.
for (const line of document.querySelectorAll("pre > code > span, .textbook td:first-child pre"))
  line.style.setProperty("--hang", `${line.textContent.search(/\S|$/) + 2}ch`);
