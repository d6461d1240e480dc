// A drawn tree: searches of it, step by step, side by side.

import { copied } from "./copied.js";
import { keep, kept } from "./kept.js";

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

// An error if the text of a tree is too large; nobody needs Python to see that.
function checkSize(outline) {
  if (outline.length <= 500_000 && outline.split("\n").length <= 10_000) return;
  const sentence = "The tree has more than 10,000 lines or 500,000 characters; draw a smaller one.";
  throw Object.assign(new Error(), { sentence });
}

export function connectTree(lab) {
  const outline = document.getElementById("tree-outline");
  const [search, other] = [document.getElementById("tree-search"), document.getElementById("tree-other")];
  const problem = document.getElementById("tree-problem");
  const place = document.getElementById("tree-page");
  const form = outline.form;
  const own = lab.assignment.questions.filter((question) => question.role === "search").map(({ part }) => part);
  const options = (names) => names.map((name) => new Option(name));
  search.append(...options(ALGORITHMS), ...own.map((name) => new Option(`my ${name}`, `own:${name}`)));
  other.append(new Option("no other search", ""), ...options(ALGORITHMS));
  search.value = "alphabeta";
  const key = `lab:tree:${lab.assignment.name}`;
  outline.value = kept(key) ?? FIRST;

  const clear = () => place.replaceChildren(); // an explorer that is there lets go of the keys
  outline.addEventListener("input", () => {
    keep(key, outline.value);
    clear();
  });

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
    if (text) clear();
  }

  // Shows what the grader's page of these searches shows.
  function show({ html, data }) {
    document.getElementById("data")?.remove();
    const script = document.createElement("script");
    Object.assign(script, { type: "application/json", id: "data", textContent: JSON.stringify(data) });
    document.body.append(script);
    place.replaceChildren(...copied(html));
    place.querySelector("h1")?.remove();
    place.querySelector("input[type=range]")?.focus({ preventScroll: true });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const part = search.value.startsWith("own:") ? search.value.slice(4) : "";
    const algorithms = [part ? "" : search.value, other.value].filter((name) => name);
    const values = { outline: outline.value, algorithms: [...new Set(algorithms)], part, files: part ? lab.editor.files : {} };
    lab.tell("Python searches the tree.");
    lab.console.clear();
    try {
      checkSize(outline.value);
      show(await lab.call("explain", values));
      say("");
    } catch (error) {
      say(error.sentence);
    }
    lab.tell("");
  });
}
