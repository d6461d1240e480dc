// Runs Python for the page. Messages to it: {id, call, arguments}. Messages from it: {kind: "ready"} once, and for each
// call {id, kind: "step" | "print" | "answer" | "done" | "error", ...}. One call runs at a time.

import { loadPyodide } from "../pyodide/pyodide.mjs";

let id = null;
let calls;

function post(text) {
  postMessage({ id, ...JSON.parse(text) });
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
  try {
    const result = JSON.parse(calls.answer(data.call, JSON.stringify(data.arguments)));
    postMessage({ id, kind: "done", result });
  } catch (error) {
    postMessage({ id, kind: "error", text: String(error.message ?? error) });
  }
};

start().then(
  () => postMessage({ kind: "ready" }),
  (error) => postMessage({ kind: "error", text: String(error.message ?? error) }),
);
