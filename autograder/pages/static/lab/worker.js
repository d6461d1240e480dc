// Runs Python for the page. Messages to it: {id, call, arguments}. Messages from it: {kind: "ready"} once, and for each
// call {id, kind: "step" | "print" | "answer" | "done" | "error", ...}. One call runs at a time.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const MILLISECONDS = 50;
const SOON = 100;
const MOST = 20_000; // characters in one message of printed text: what is printed faster is counted, and not shown

let id = null;
let calls;
let printed = "";
let cut = 0;
let last = 0;
let soon = 0; // how many more texts go to the page at once: those before an endless loop are among them

function show() {
  if (printed || cut) postMessage({ id, kind: "print", text: printed, cut });
  printed = "";
  cut = 0;
  last = Date.now();
}

function post(text) {
  const message = JSON.parse(text);
  if (message.kind === "print") {
    const kept = message.text.slice(0, MOST - printed.length);
    printed += kept;
    cut += message.text.length - kept.length;
    if (soon-- > 0 || Date.now() - last >= MILLISECONDS) show();
    return;
  }
  show();
  postMessage({ id, ...message });
}

async function load(name, method = "GET") {
  const answer = await fetch(new URL(`../${name}`, import.meta.url), { method });
  if (!answer.ok) throw new Error(`the site is not complete: no file ${name}`);
  return answer;
}

async function start() {
  const parts = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]; // without one of them, Pyodide waits for ever
  const [pyodide, archive, assignment] = await Promise.all([
    loadPyodide({ indexURL: new URL("../pyodide/", import.meta.url).href }),
    load("python.zip").then((answer) => answer.arrayBuffer()),
    load("assignment.json").then((answer) => answer.text()),
    ...parts.map((name) => load(`pyodide/${name}`, "HEAD")),
  ]);
  pyodide.unpackArchive(archive, "zip", { extractDir: "/lab" });
  pyodide.runPython("import sys; sys.path.insert(0, '/lab'); sys.dont_write_bytecode = True");
  calls = pyodide.pyimport("autograder.pages.lab.worker_calls").Calls(assignment, post);
}

onmessage = ({ data }) => {
  id = data.id;
  soon = SOON;
  try {
    const result = JSON.parse(calls.answer(data.call, JSON.stringify(data.arguments)));
    show();
    postMessage({ id, kind: "done", result });
  } catch (error) {
    show();
    postMessage({ id, kind: "error", text: String(error.message ?? error) });
  }
};

start().then(
  () => postMessage({ kind: "ready" }),
  (error) => postMessage({ kind: "error", text: String(error.message ?? error) }),
);
