// A drawn tree: searches of it, step by step, side by side.

import { copied } from "./copied.js";
import { keep, kept } from "./kept.js";

export function connectTree(lab) {
  const outline = document.getElementById("tree-outline");
  const [search, other] = [document.getElementById("tree-search"), document.getElementById("tree-other")];
  const problem = document.getElementById("tree-problem");
  const place = document.getElementById("tree-page");
  const form = outline.form;
  const key = `lab:tree:${lab.assignment.name}`;
  outline.value = kept(key) ?? outline.value;

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
      show(await lab.call("explain", values));
      say("");
    } catch (error) {
      say(error.sentence);
    }
    lab.tell("");
  });
}
