// The page of the lab: its parts, Python for them, and one line that says what happens.

import "./game-replay.js";
import "./search-explorer.js";
import * as console from "./console.js";
import { startEditor } from "./editor.js";
import { Lab, Stopped } from "./python.js";
import { connectReport } from "./report.js";
import { connectTree } from "./tree.js";

const state = document.getElementById("state");
const problem = document.getElementById("problem");

function tell(text) { state.textContent = text; }

// Shows a sentence about a problem; an empty text removes it.
function say(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

function sayMissing(what) {
  say(`The site is not complete: ${what}. Load the page again, or tell your teacher.`);
}

const lastLine = (error) => String(error.message).trim().split("\n").at(-1).replace(/\.$/, "");

function sentenceOf(error) {
  if (error instanceof Stopped) return "You stopped it.";
  return `Python ended: ${lastLine(error)}. Your file is unchanged; try again.`;
}

function showPart() {
  const links = [...document.querySelectorAll("nav a")];
  const shown = links.find((link) => link.hash === location.hash);
  const isOther = location.hash && !shown; // a link inside of a report
  if (isOther && document.querySelector("nav [aria-current]")) return;
  for (const link of links) {
    const isNow = link === (shown ?? links[0]);
    document.querySelector(link.hash).hidden = !isNow;
    if (isNow) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  window.dispatchEvent(new Event("resize"));
}

// Why Python cannot start in this browser, as one sentence.
function whyNot(error) {
  if (typeof WebAssembly === "undefined") {
    return "This browser has no WebAssembly, which Python needs: use a current Firefox, Chrome, Edge or Safari.";
  }
  return `Python does not start: ${lastLine(error)}. Load the page again, or tell your teacher. Your file stays here.`;
}

async function start() {
  addEventListener("hashchange", showPart);
  showPart();
  tell("Python starts.");
  const answer = await fetch("assignment.json").catch(() => ({ ok: false }));
  if (!answer.ok) {
    sayMissing("no file assignment.json");
    tell("Python did not start.");
    return;
  }
  const assignment = await answer.json();
  const starting = typeof WebAssembly === "undefined" ? Promise.reject(new Error("no WebAssembly")) : Lab.start();
  const python = starting.catch((error) => { throw Object.assign(error, { sentence: whyNot(error) }); });
  python.then(() => tell("Python is ready."), ({ sentence }) => {
    say(sentence);
    tell("Python did not start.");
  });
  const stop = document.getElementById("stop");
  let running = 0;
  const count = (change) => stop.setAttribute("aria-disabled", (running += change) === 0);
  stop.addEventListener("click", () => running && python.then((lab) => lab.stop()));
  const lab = {
    assignment,
    tell,
    say,
    console,
    // The result of a call of Python. An error has a `sentence` for the student: also if Python found a mistake of his.
    async call(name, values, listeners) {
      count(1);
      const result = await python.then((lab) => lab.call(name, values, { onPrint: console.show, ...listeners }))
        .catch((error) => {
          error.sentence ??= sentenceOf(error);
          throw error;
        }).finally(() => count(-1));
      if (result.problem) throw Object.assign(new Error(), { sentence: result.problem });
      return result;
    },
  };
  lab.editor = await startEditor(assignment, say).catch((error) => sayMissing(error.message));
  if (!lab.editor) return;
  connectReport(lab);
  connectTree(lab);
  document.body.classList.add("ready");
}

start();
