// The file of the student: an editor, and a copy that the browser keeps.

import { download } from "./elements.js";
import { keep, kept } from "./kept.js";

const UNWRITTEN = /raise NotWritten\b/g; // the parts to write
const MOST = 1_000_000; // bytes of a file: nobody writes more

async function loadScript(name) {
  const script = document.createElement("script");
  script.src = `ace/${name}`;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error(`no file ace/${name}`));
    document.head.append(script);
  });
}

// Ace puts its styles in <style> elements, which the policy of the page forbids: here they become one stylesheet.
async function startAce(box, label) {
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
  const { SearchHighlight } = ace.require("ace/search_highlight");
  editor.session.addDynamicMarker(new SearchHighlight(UNWRITTEN, "unwritten", "text"));
  editor.textInput.getElement().setAttribute("aria-label", label);
  return editor;
}

// The cursor goes to a line; if this line is not visible, `top` becomes the first visible line. Both count from 0.
function goTo(editor, row, column, top) {
  editor.resize(true);
  editor.moveCursorTo(row, column);
  editor.clearSelection();
  const { session, renderer } = editor;
  const y = session.documentToScreenRow(row, column) * renderer.lineHeight - session.getScrollTop();
  if (y < 0 || y + renderer.lineHeight > editor.container.clientHeight) renderer.scrollToLine(top, false, false);
}

// Puts a text into the editor, and the cursor on its first part that is not written, from the line of its class on.
function write(editor, text) {
  editor.setValue(text, -1); // can be undone
  const lines = text.split("\n");
  const row = lines.findIndex((line) => line.search(UNWRITTEN) >= 0);
  if (row < 0) return;
  let top = row;
  while (top > 0 && !/^(class|def) /.test(lines[top])) top -= 1;
  goTo(editor, row, lines[row].search(/\S/), top);
}

// The editor with the `file` that the browser has kept, or with the `stub`. `say` shows a sentence about a problem.
export async function startEditor({ name: assignment, stub, file }, say) {
  const editor = await startAce(document.getElementById("editor"), `Your file ${file}`);
  const key = `lab:file:${assignment}`;
  let isKept = true;
  const save = () => {
    isKept = keep(key, editor.getValue());
    if (!isKept) say("This browser keeps no file for this page: download your file before you leave.");
  };
  addEventListener("beforeunload", (event) => isKept || event.preventDefault());
  write(editor, kept(key) ?? stub);
  editor.session.getUndoManager().reset();
  editor.session.on("change", save);
  save();
  if (["", "#write"].includes(location.hash) && matchMedia("(pointer: fine)").matches) editor.focus();
  connectFiles(editor, file, stub, say);
  const { Range } = window.ace.require("ace/range");
  const marked = [];
  return {
    get files() { return { [file]: editor.getValue() }; },
    onRun: (act) => editor.commands.addCommand({ name: "run", bindKey: "Ctrl-Enter|Command-Enter", exec: act }),
    // Marks these lines, which count from 1, and those of before no more; goes to the first one.
    mark(lines) {
      for (const marker of marked.splice(0)) editor.session.removeMarker(marker);
      for (const line of lines) {
        marked.push(editor.session.addMarker(new Range(line - 1, 0, line - 1, 1), "first-wrong", "fullLine"));
      }
      if (lines.length) goTo(editor, lines[0] - 1, 0, Math.max(0, lines[0] - 6));
    },
  };
}

function connectFiles(editor, name, stub, say) {
  const input = document.getElementById("upload-file");
  const onClick = (id, act) => document.getElementById(id).addEventListener("click", act);
  onClick("upload", () => input.click());
  onClick("download", () => download(name, "text/x-python", editor.getValue()));
  onClick("start-over", () => {
    write(editor, stub);
    say("");
    editor.focus();
  });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > MOST) return say(`${file.name}: larger than 1 MB. Your file is unchanged.`);
    try {
      write(editor, new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()));
      say("");
    } catch {
      say(`${file.name}: no text in UTF-8. Your file is unchanged.`);
    }
  });
}
