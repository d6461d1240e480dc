// Break this agent: the reader draws a tree on which a wrong search fails. The size of the smallest such tree is kept.

import { connectDrawing } from "./draw.js";
import { keep, keepText, kept } from "./kept.js";
import { checkSize } from "./tree.js";

const FIRST = `max
  a: 1
  b: 3`;

function nodes(count) {
  return `${count} node${count === 1 ? "" : "s"}`;
}

export function connectBreak(lab) {
  const outline = document.getElementById("break-outline");
  const mistake = document.getElementById("mistake");
  const verdict = document.getElementById("verdict");
  const key = (name) => `smallest:${lab.assignment.name}:${name}`;
  let agents = [];
  keepText(`break:${lab.assignment.name}`, outline, FIRST);
  connectDrawing(lab, outline, document.querySelector("#break .drawing"));

  function say(...sentences) {
    verdict.replaceChildren(...sentences.map(([textContent, className = ""]) => (
      Object.assign(document.createElement("p"), { textContent, className })
    )));
  }

  function showProgress() {
    const sizes = agents.map(({ name }) => Number(kept(key(name))));
    agents.forEach(({ goal }, index) => {
      const size = sizes[index] ? ` \u2013 broken with ${nodes(sizes[index])}${sizes[index] > goal ? "" : " \u2605"}` : "";
      mistake.options[index].text = `Agent ${index + 1}${size}`;
    });
    const broken = sizes.filter((size) => size).length;
    const smallest = agents.filter(({ goal }, index) => sizes[index] && sizes[index] <= goal).length;
    document.getElementById("progress").textContent = `You broke ${broken} of ${agents.length} agents, ${smallest} of them `
      + "with the smallest known tree (\u2605). The later ones are harder.";
  }

  function showMistake() {
    const { sentence, goal } = agents[mistake.selectedIndex];
    document.getElementById("mistake-sentence").textContent = sentence;
    document.getElementById("goal").textContent = `The smallest known tree that breaks it has ${nodes(goal)}.`;
    say();
  }

  lab.call("mistakes").then((rows) => {
    agents = rows;
    mistake.append(...rows.map(({ name }) => new Option("", name)));
    showProgress();
    showMistake();
  }, () => {});
  mistake.addEventListener("change", showMistake);

  function judge({ name, goal }, { fails, why, right, wrong, nodes: count }) {
    const answers = [`Right: ${right}. The agent: ${wrong}.`, "muted"];
    if (!fails) return say(["Not broken: on this tree the agent is right.", "sentence wrong"], answers);
    const best = Number(kept(key(name)));
    if (!best || count < best) keep(key(name), String(count));
    const known = count > goal ? `The smallest known tree has ${nodes(goal)}.` : "No smaller tree is known.";
    say([`Broken with ${nodes(count)}. ${known}`, "sentence right"], [`${why[0].toUpperCase()}${why.slice(1)}.`], answers);
    showProgress();
  }

  outline.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const agent = agents[mistake.selectedIndex];
    try {
      checkSize(outline.value);
      judge(agent, await lab.call("fails", { outline: outline.value, mistake: agent.name }));
    } catch (error) {
      say([error.sentence, "sentence wrong"]);
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
