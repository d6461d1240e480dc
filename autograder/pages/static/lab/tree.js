// A drawn tree: searches of it, step by step, side by side.

import { keepText } from "./kept.js";

const FIRST = `max
  a: min
    x: 3
    y: 12
    z: 8
  b: min
    x: 2
    y: 4
    z: 6
  c: min
    x: 14
    y: 5
    z: 2`;
const ALGORITHMS = ["exhaustive", "alphabeta", "star1", "star2", "deepening"];
const MOST = 500_000; // characters: a text of more is not sent to Python

// The problem with the text of a tree that nobody needs Python to see; "" if there is none.
export function problemOf(outline) {
  if (outline.length > MOST) return `the tree has more than ${MOST.toLocaleString("en")} characters; draw a smaller one`;
  return "";
}

function option(value, text) {
  const element = document.createElement("option");
  element.value = value;
  element.textContent = text;
  return element;
}

export function connectTree(lab) {
  const outline = document.getElementById("tree-outline");
  const [search, other] = [document.getElementById("tree-search"), document.getElementById("tree-other")];
  const problem = document.getElementById("tree-problem");
  const place = document.getElementById("tree-page");
  const form = outline.form;
  const own = lab.assignment.questions.filter((question) => question.role === "search").map(({ part }) => part);
  search.append(...ALGORITHMS.map((name) => option(name, name)), ...own.map((name) => option(`own:${name}`, `my ${name}`)));
  other.append(option("", "no other search"), ...ALGORITHMS.map((name) => option(name, name)));
  search.value = "alphabeta";
  keepText(`tree:${lab.assignment.name}`, outline, FIRST);

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
    if (text) place.replaceChildren();
  }

  // Shows what the grader's page of these searches shows.
  function show({ html, data }) {
    place.replaceChildren(); // the explorer that is there lets go of the keys
    document.getElementById("data")?.remove();
    const script = document.createElement("script");
    Object.assign(script, { type: "application/json", id: "data", textContent: JSON.stringify(data) });
    document.body.append(script);
    place.innerHTML = html;
    place.querySelector("h1")?.remove();
    place.querySelector("input[type=range]")?.focus({ preventScroll: true });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const unread = problemOf(outline.value);
    if (unread) return say(unread);
    const part = search.value.startsWith("own:") ? search.value.slice(4) : "";
    const algorithms = [part ? "" : search.value, other.value].filter((name) => name);
    const values = { outline: outline.value, algorithms: [...new Set(algorithms)], part, files: part ? lab.editor.files : {} };
    lab.tell("Python searches the tree.");
    try {
      const result = await lab.call("explain", values);
      say(result.problem ?? "");
      if (!result.problem) show(result);
      lab.tell("");
    } catch (error) {
      say(error.sentence);
      lab.tell("");
    }
  });
}
