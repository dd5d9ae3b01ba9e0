// The editor for Python. It is in a shadow tree: there, the page's security policy allows its style sheets.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "./codemirror/codemirror-commands.js";
import { python } from "./codemirror/codemirror-lang-python.js";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "./codemirror/codemirror-language.js";
import { EditorState, StateEffect, StateField } from "./codemirror/codemirror-state.js";
import { Decoration, EditorView, keymap, lineNumbers } from "./codemirror/codemirror-view.js";
import { tags } from "./codemirror/lezer-highlight.js";

const setError = StateEffect.define(),
  errorLine = Decoration.line({ class: "error", attributes: { "aria-invalid": "true" } });
/** The line in which an error arose, until the code changes. */
const errorField = StateField.define({
  create: () => Decoration.none,
  update(marked, { effects, docChanged, state }) {
    for (const { value } of effects.filter(one => one.is(setError)))
      return Decoration.set([errorLine.range(state.doc.line(value).from)]);
    return docChanged ? Decoration.none : marked;
  },
  provide: field => EditorView.decorations.from(field),
});
const colours = HighlightStyle.define([
  {
    tag: [
      tags.keyword,
      tags.operatorKeyword,
      tags.controlKeyword,
      tags.definitionKeyword,
      tags.moduleKeyword,
    ],
    color: "var(--keyword)",
    fontWeight: "600",
  },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  {
    tag: [tags.definition(tags.className), tags.function(tags.definition(tags.variableName))],
    color: "var(--accent)",
    fontWeight: "600",
  },
]);
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--page)" },
  "&.cm-focused": { outline: "2px solid var(--cursor)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace',
    fontSize: "0.92em",
    lineHeight: "1.45",
  },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { color: "var(--soft)", backgroundColor: "var(--panel)", border: "0" },
  ".error": { backgroundColor: "var(--error-page)", boxShadow: "inset 3px 0 var(--error)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--panel)", outline: "1px solid var(--edge)" },
});

export class CodeEditor {
  /** `changed(text)` is called after each edit, `run()` on Ctrl+Enter; `most` limits the length of the text. */
  constructor(host, most, { changed, run }) {
    this.view = new EditorView({ parent: host.attachShadow({ mode: "open" }), root: host.shadowRoot });
    this.extensions = [
      look,
      syntaxHighlighting(colours),
      lineNumbers(),
      history(),
      python(),
      indentUnit.of("    "),
      indentOnInput(),
      bracketMatching(),
      errorField,
      keymap.of([
        {
          key: "Mod-Enter",
          run: () => {
            run();
            return true;
          },
        },
        indentWithTab,
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      EditorState.changeFilter.of(change => change.newDoc.length <= most),
      EditorView.updateListener.of(update => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
      EditorView.contentAttributes.of({
        "aria-label": "Python code of your problem",
        "aria-describedby": "code-help",
      }),
    ];
  }
  /** Show another text, which can't be undone. */
  show(text) {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }
  /** Mark the line of an error, and scroll to it. */
  mark(line) {
    const at = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.view.dispatch({
      effects: [setError.of(at.number), EditorView.scrollIntoView(at.from, { y: "center" })],
    });
  }
}
