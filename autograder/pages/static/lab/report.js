// Runs the open cases on the student's file, and shows the report.

import { copied } from "./copied.js";
import { make } from "./elements.js";

export function connectReport(lab) {
  const run = document.getElementById("run");
  const report = document.getElementById("report");
  const question = document.getElementById("question");

  function wordsOf(step) {
    if (/^(parse|import)$/.test(step)) return "Python reads your file.";
    const [question, isDiagnosis] = step.split("#");
    return isDiagnosis ? `The grader looks for the mistake in ${question}.` : `Your file answers ${step}.`;
  }

  async function start() {
    if (run.getAttribute("aria-disabled") === "true") return;
    run.setAttribute("aria-disabled", "true");
    report.setAttribute("aria-busy", "true");
    document.getElementById("notes")?.removeAttribute("open");
    lab.tell("The run begins.");
    lab.console.clear();
    lab.editor.mark([]);
    try {
      const { html, lines } = await lab.call("grade", { files: lab.editor.files, question: question.value }, {
        onStep: (step) => lab.tell(wordsOf(step)),
      });
      report.replaceChildren(...copied(html));
      lab.editor.mark(lines);
      lab.tell(report.querySelector("h1").textContent);
    } catch (error) {
      report.replaceChildren(make("p", "wrong", error.sentence));
      lab.tell("Nothing was graded.");
    }
    report.scrollTop = 0;
    report.removeAttribute("aria-busy");
    run.setAttribute("aria-disabled", "false");
  }

  run.addEventListener("click", start);
  lab.editor.onRun(start);
}
