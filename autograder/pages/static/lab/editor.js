// The file of the student: an editor, and a copy that the browser keeps.

import { download } from "./elements.js";
import { keep, kept } from "./kept.js";

let fileName = "student.py"; // the name that the grader knows
const UNWRITTEN = /raise NotWritten\b/g; // the parts to write
const MOST = 1_000_000; // bytes of a file: nobody writes more

async function loadScript(name) {
  const script = document.createElement("script");
  script.src = `ace/${name}`;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`the site is not complete: no file ace/${name}`));
    document.head.append(script);
  });
}

// Ace puts its styles in <style> elements, which the policy of the page forbids: here they become one stylesheet.
async function startAce(box) {
  for (const name of ["ace.js", "mode-python.js", "theme-textmate.js"]) await loadScript(name);
  const { ace } = window;
  ace.config.set("useStrictCSP", true);
  const theme = ace.require("ace/theme/textmate");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${ace.require("ace/css/editor-css")}\n${theme.cssText}`);
  document.adoptedStyleSheets.push(sheet);
  const editor = ace.edit(box, {
    mode: "ace/mode/python", theme: "ace/theme/textmate", useWorker: false, tabSize: 4, useSoftTabs: true,
    showPrintMargin: false, wrap: "free", enableKeyboardAccessibility: true, fontSize: "0.85rem", useSvgGutterIcons: true,
  });
  editor.session.setOption("indentedSoftWrap", true);
  const { Range } = ace.require("ace/range");
  const marked = [];
  const { SearchHighlight } = ace.require("ace/search_highlight");
  editor.session.addDynamicMarker(new SearchHighlight(UNWRITTEN, "unwritten", "text"));
  editor.textInput.getElement().setAttribute("aria-label", `Your file ${fileName}`);
  return {
    get text() { return editor.getValue(); },
    set text(text) { editor.setValue(text, -1); }, // can be undone
    forget: () => editor.session.getUndoManager().reset(),
    onChange: (act) => editor.session.on("change", act),
    onRun: (act) => editor.commands.addCommand({ name: "run", bindKey: "Ctrl-Enter|Command-Enter", exec: act }),
    focus: () => editor.focus(),
    // The cursor goes to a line; if this line is not visible, `top` becomes the first visible line. Both count from 0.
    goTo(row, column, top) {
      editor.resize(true);
      editor.moveCursorTo(row, column);
      editor.clearSelection();
      const { session, renderer } = editor;
      const y = session.documentToScreenRow(row, column) * renderer.lineHeight - session.getScrollTop();
      if (y < 0 || y + renderer.lineHeight > box.clientHeight) renderer.scrollToLine(top, false, false);
    },
    // Marks these rows, and those of before no more.
    mark(rows) {
      for (const marker of marked.splice(0)) editor.session.removeMarker(marker);
      for (const row of rows) marked.push(editor.session.addMarker(new Range(row, 0, row, 1), "first-wrong", "fullLine"));
    },
  };
}

function startPlain(box) {
  const area = document.createElement("textarea");
  area.setAttribute("aria-label", `Your file ${fileName}`);
  area.spellcheck = false;
  box.append(area);
  return {
    get text() { return area.value; },
    set text(text) { area.value = text; area.dispatchEvent(new Event("input")); },
    forget: () => {},
    onChange: (act) => area.addEventListener("input", act),
    onRun: (act) => area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) act();
    }),
    focus: () => area.focus(),
    goTo(row, column, top) {
      const place = area.value.split("\n").slice(0, row).join("\n").length + (row > 0) + column;
      area.setSelectionRange(place, place);
      area.scrollTop = top * parseFloat(getComputedStyle(area).lineHeight);
    },
    mark: () => {},
  };
}

// Shows the first part that is not written, from the line of its class on, with the cursor there.
function showUnwritten(editor) {
  const lines = editor.text.split("\n");
  const row = lines.findIndex((line) => line.search(UNWRITTEN) >= 0);
  if (row < 0) return;
  let top = row;
  while (top > 0 && !/^(class|def) /.test(lines[top])) top -= 1;
  editor.goTo(row, lines[row].search(/\S/), top);
}

// The editor with the `file` that the browser has kept, or with the `stub`. `say` shows a sentence about a problem.
export async function startEditor({ name: assignment, stub, file }, say) {
  fileName = file;
  const box = document.getElementById("editor");
  const editor = await startAce(box).catch((error) => {
    say(`The editor has no colours: ${error.message}.`);
    return startPlain(box);
  });
  const key = `file:${assignment}`;
  let isKept = true;
  const save = () => {
    isKept = keep(key, editor.text);
    if (!isKept) say("This browser keeps no file for this page: download your file before you leave.");
  };
  addEventListener("beforeunload", (event) => isKept || event.preventDefault());
  editor.text = kept(key) ?? stub;
  editor.forget();
  editor.onChange(save);
  save();
  showUnwritten(editor);
  if (["", "#write"].includes(location.hash) && matchMedia("(pointer: fine)").matches) editor.focus();
  connectFiles(editor, stub, say);
  // Marks these lines, which count from 1, and goes to the first one.
  const mark = (lines) => {
    editor.mark(lines.map((line) => line - 1));
    if (lines.length) editor.goTo(lines[0] - 1, 0, Math.max(0, lines[0] - 6));
  };
  return { get files() { return { [fileName]: editor.text }; }, onRun: editor.onRun, mark };
}

function connectFiles(editor, stub, say) {
  const input = document.getElementById("upload-file");
  document.getElementById("upload").addEventListener("click", () => input.click());
  document.getElementById("download").addEventListener("click", () => download(fileName, "text/x-python", editor.text));
  document.getElementById("start-over").addEventListener("click", () => {
    editor.text = stub;
    showUnwritten(editor);
    say("");
    editor.focus();
  });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > MOST) return say(`${file.name}: larger than 1 MB. Your file is unchanged.`);
    try {
      editor.text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      showUnwritten(editor);
      say("");
    } catch {
      say(`${file.name}: no text in UTF-8. Your file is unchanged.`);
    }
  });
}
