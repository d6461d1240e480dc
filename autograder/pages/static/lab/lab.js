// The page of the lab: its parts, Python for them, and one line that says what happens.

import "./game-replay.js";
import "./search-explorer.js";
import { connectBoard } from "./board.js";
import { connectBreak } from "./break.js";
import { startEditor } from "./editor.js";
import { Lab, Stopped } from "./python.js";
import { connectReport } from "./report.js";
import { connectTree } from "./tree.js";

const state = document.getElementById("state");
const problem = document.getElementById("problem");

function tell(text) {
  state.textContent = text;
}

// Shows a sentence about a problem; an empty text removes it.
function say(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

function sentenceOf(error) {
  if (error instanceof Stopped) return "You stopped it.";
  const text = String(error.message).trim().split("\n").at(-1);
  return `Python ended: ${text.replace(/\.$/, "")}. Your file is unchanged; try again.`;
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
  const text = String(error.message).trim().split("\n").at(-1).replace(/\.$/, "");
  return `Python does not start: ${text}. Load the page again, or tell your teacher. Your file stays here.`;
}

async function start() {
  addEventListener("hashchange", showPart);
  showPart();
  tell("Python starts.");
  const answer = await fetch("assignment.json").catch(() => ({ ok: false }));
  if (!answer.ok) {
    say("The site is not complete: no file assignment.json. Load the page again, or tell your teacher.");
    tell("Python did not start.");
    return;
  }
  const assignment = await answer.json();
  const isPossible = typeof WebAssembly !== "undefined";
  let isStarted = false;
  const python = isPossible ? Lab.start(() => {}) : Promise.reject(new Error("no WebAssembly"));
  python.then(() => {
    isStarted = true;
    tell("Python is ready.");
  }, (error) => {
    say(whyNot(error));
    tell("Python did not start.");
  });
  const lab = {
    assignment,
    tell,
    say,
    // The result of a call of Python. An error has a `sentence` for the student.
    async call(name, values, listeners) {
      try {
        return await (await python).call(name, values, listeners);
      } catch (error) {
        error.sentence = isStarted ? sentenceOf(error) : whyNot(error);
        throw error;
      }
    },
    stop: () => python.then((lab) => lab.stop()),
  };
  lab.editor = await startEditor(assignment, say);
  connectReport(lab);
  connectBoard(lab);
  connectTree(lab);
  connectBreak(lab);
  document.body.classList.add("ready");
}

start();
