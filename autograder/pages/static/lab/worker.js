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
  const parts = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
  const complete = Promise.all(parts.map((name) => load(`pyodide/${name}`, "HEAD")));
  const boot = loadPyodide({ indexURL: new URL("../pyodide/", import.meta.url).href });
  const [pyodide, archive, assignment] = await Promise.all([
    boot.catch((error) => complete.then(() => { throw error; })), // a missing file says more than what it led to
    load("python.zip").then((answer) => answer.arrayBuffer()),
    load("assignment.json").then((answer) => answer.text()),
    complete, // without one of them, Pyodide may wait for ever
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
