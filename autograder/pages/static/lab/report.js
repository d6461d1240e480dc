// Runs the open cases on the student's file: the report, the printed text, and the button that stops a run.

const MOST = 200_000; // characters of printed text that the page shows: the last ones

export function connectReport(lab) {
  const run = document.getElementById("run");
  const stop = document.getElementById("stop");
  const report = document.getElementById("report");
  const printed = document.getElementById("printed");
  const output = document.getElementById("console");

  function show(text, cut) {
    const isAtEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 4;
    output.append(cut ? `${text}\n[${cut.toLocaleString("en")} characters are not shown]\n` : text);
    printed.hidden = false;
    let size = output.textContent.length;
    while (size > MOST && output.childNodes.length > 1) {
      size -= output.firstChild.length;
      output.firstChild.remove();
    }
    if (isAtEnd) output.scrollTop = output.scrollHeight;
  }

  function sentence(text) {
    const paragraph = document.createElement("p");
    paragraph.className = "wrong";
    paragraph.textContent = text;
    report.replaceChildren(paragraph);
  }

  async function start() {
    if (run.getAttribute("aria-disabled") === "true") return;
    run.setAttribute("aria-disabled", "true");
    stop.setAttribute("aria-disabled", "false");
    report.setAttribute("aria-busy", "true");
    lab.tell("The run begins.");
    output.replaceChildren();
    printed.hidden = true;
    try {
      const result = await lab.call("grade", { files: lab.editor.files }, {
        onStep: (step) => lab.tell(/^(parse|import)$/.test(step) ? "Python reads your file." : `Your file answers ${step}.`),
        onPrint: show,
      });
      if (result.problem) sentence(result.problem);
      else report.innerHTML = result.html; // a page of the grader: texts of the student are escaped
      lab.tell(result.problem ? "Nothing was graded." : report.querySelector("h1").textContent);
    } catch (error) {
      sentence(error.sentence);
      lab.tell(error.sentence);
    }
    report.scrollTop = 0;
    report.removeAttribute("aria-busy");
    run.setAttribute("aria-disabled", "false");
    stop.setAttribute("aria-disabled", "true");
  }

  run.addEventListener("click", start);
  stop.addEventListener("click", () => {
    if (stop.getAttribute("aria-disabled") === "false") lab.stop();
  });
  lab.editor.onRun(start);
}
