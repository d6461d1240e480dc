// Break this agent: the reader draws a tree on which a wrong search fails. The smallest such tree is kept.

import { keep, keepText, kept } from "./kept.js";
import { problemOf } from "./tree.js";

const FIRST = `max
  a: 1
  b: 3`;
const FIRST_MISTAKE = "min-as-max"; // right on the first tree

function paragraph(text, kind = "") {
  const element = document.createElement("p");
  element.textContent = text;
  element.className = kind;
  return element;
}

function nodes(count) {
  return `${count} node${count === 1 ? "" : "s"}`;
}

export function connectBreak(lab) {
  const outline = document.getElementById("break-outline");
  const mistake = document.getElementById("mistake");
  const verdict = document.getElementById("verdict");
  const smallest = document.getElementById("smallest");
  const key = () => `smallest:${lab.assignment.name}:${mistake.value}`;
  const sentences = new Map();
  keepText(`break:${lab.assignment.name}`, outline, FIRST);

  function showSmallest() {
    const best = Number(kept(key()));
    smallest.textContent = best ? `Your smallest tree for this agent has ${nodes(best)}.` : "";
  }

  lab.call("mistakes").then((rows) => {
    rows.forEach(({ name }, index) => {
      const option = document.createElement("option");
      option.value = name;
      option.textContent = `Agent ${index + 1}`;
      mistake.append(option);
    });
    mistake.value = FIRST_MISTAKE;
    for (const { name, sentence } of rows) sentences.set(name, sentence);
    showMistake();
  }, () => {});
  mistake.addEventListener("change", showMistake);

  function showMistake() {
    verdict.replaceChildren();
    document.getElementById("mistake-sentence").textContent = sentences.get(mistake.value);
    showSmallest();
  }

  function judge(result) {
    const best = Number(kept(key()));
    const answers = paragraph(`Right: ${result.right}. The agent: ${result.wrong}.`, "muted");
    if (!result.fails) {
      verdict.replaceChildren(paragraph("Not broken: on this tree the agent is right.", "sentence wrong"), answers);
    } else {
      const isSmaller = !best || result.nodes < best;
      if (isSmaller) keep(key(), String(result.nodes));
      const size = isSmaller ? "This is your smallest tree for it." : `Your smallest tree for it has ${nodes(best)}.`;
      verdict.replaceChildren(
        paragraph(`Broken with ${nodes(result.nodes)}. ${size}`, "sentence right"), paragraph(result.why), answers,
      );
    }
    showSmallest();
  }

  outline.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const unread = problemOf(outline.value);
    if (unread) return verdict.replaceChildren(paragraph(unread, "sentence wrong"));
    try {
      const result = await lab.call("fails", { outline: outline.value, mistake: mistake.value });
      if (result.problem) verdict.replaceChildren(paragraph(result.problem, "sentence wrong"));
      else judge(result);
    } catch (error) {
      verdict.replaceChildren(paragraph(error.sentence, "sentence wrong"));
    }
  });
  document.getElementById("break-show").addEventListener("click", () => {
    const field = document.getElementById("tree-outline");
    field.value = outline.value;
    field.dispatchEvent(new Event("input"));
    location.hash = "#tree";
    field.form.requestSubmit();
  });
}
