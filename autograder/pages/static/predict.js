// <search-predict>: asks what a search does next, and says which mistake a wrong guess fits.
//
// The exercises are sections of the element. Their questions, with every answer, are in the data of the page.
import { download, make } from "./elements.js";
import { keep, kept } from "./kept.js";
import { readNumber, sameNumber } from "./read_number.js";

const HEADING = 52;
const LEGEND = 36;

// A radio button or a check box with its label.
function choice(type, name, value, text) {
  const input = make("input");
  Object.assign(input, { type, name, value });
  return make("label", "choice", input, make("span", "", text));
}

// ---- the fields of a question, and what the reader wrote in them

function textField(name, text) {
  const input = make("input");
  Object.assign(input, { type: "text", name, autocomplete: "off", spellcheck: false, maxLength: 40 });
  return make("label", "", text, input);
}

function fields(question) {
  if (question.kind === "value") return [textField("value", "Value")];
  if (question.kind === "window") return [textField("alpha", "alpha"), textField("beta", "beta")];
  if (question.kind !== "cut") return question.choices.map((action) => choice("radio", "choice", action, action));
  const boxes = question.choices.map((action) => choice("checkbox", "unseen", action, action));
  const branches = make("div", "branches", make("p", "", "Which branches are never seen?"), ...boxes);
  branches.setAttribute("role", "group");
  branches.setAttribute("aria-label", "Which branches are never seen?");
  branches.hidden = true;
  const rows = [choice("radio", "choice", "no", "No, the search goes on."), choice("radio", "choice", "yes", "Yes, a cut.")];
  for (const row of rows) {
    row.addEventListener("change", (event) => (branches.hidden = event.target.value !== "yes"));
  }
  return [...rows, branches];
}

// The guess in the fields: {guess, fits(answer), unseen}, or {problem, field} if it is not complete.
function readGuess(form, question) {
  const inputs = [...form.querySelectorAll("input[type=text]")];
  if (inputs.length) {
    const numbers = inputs.map((input) => readNumber(input.value));
    const wrong = numbers.findIndex((each) => each.problem);
    if (wrong >= 0) {
      const place = inputs.length > 1 ? `${inputs[wrong].name}: ` : "";
      return { problem: place + numbers[wrong].problem, field: inputs[wrong] };
    }
    const fits = (answer) => numbers.every((each, index) => sameNumber(each, [answer].flat()[index]));
    const guess = inputs.map((input) => input.value.trim());
    return { guess: guess.length > 1 ? guess : guess[0], fits };
  }
  const guess = form.querySelector('input[name="choice"]:checked')?.value;
  if (!guess) return { problem: "Choose one of the answers first.", field: form.querySelector("input") };
  if (question.kind !== "cut") return { guess, fits: (answer) => answer === guess };
  if (guess === "no") return { guess, fits: (answer) => answer === false };
  const unseen = [...form.querySelectorAll('input[name="unseen"]:checked')].map((box) => box.value);
  if (unseen.length) return { guess: `yes: ${unseen.join(", ")}`, fits: (answer) => answer === true, unseen };
  return { problem: "Mark the branches that are never seen.", field: form.querySelector('input[name="unseen"]') };
}

// ---- what the page says about a guess

function verdict(kind, text) {
  return make("p", `verdict ${kind}`, text);
}

function wrongWords(found) {
  const words = [verdict("wrong", "That is not right.")];
  const count = found?.sentences.length;
  if (!found) return [...words, make("p", "", "It fits no mistake that this page knows. Try again.")];
  if (count > 3) return [...words, make("p", "", "More than three mistakes give this answer, so the page names none.")];
  const mistakes = count === 1 ? "A mistake gives this answer" : `${count} mistakes give this answer`;
  const intro = `${mistakes}. The grader says to a program with ${count === 1 ? "it" : "one of them"}:`;
  return [...words, make("p", "", intro), make("ul", "", ...found.sentences.map((each) => make("li", "", each)))];
}

// ---- the picture

function text(node, kind, words) {
  const element = node.querySelector(`text.${kind}`);
  if (element) element.textContent = words;
}

// Takes the heading and the legend out of a picture: the page says both.
function crop(picture) {
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  picture.setAttribute("viewBox", `0 ${HEADING} ${width} ${height - HEADING - LEGEND}`);
  picture.setAttribute("height", height - HEADING - LEGEND);
}

// Shows what the search knows before the event that a question asks for.
function draw(section, question) {
  for (const node of section.querySelectorAll("g.node")) {
    const number = node.dataset.node;
    if (!node.classList.contains("leaf")) {
      text(node, "value", question.values[number] ?? "");
      text(node, "window", question.windows[number] ?? "");
    }
    node.classList.toggle("current", Number(number) === question.node);
  }
  for (const part of section.querySelectorAll("[data-node]")) {
    const number = Number(part.dataset.node);
    part.classList.toggle("later", question.later.includes(number));
    part.classList.toggle("unseen", question.closed.includes(number));
  }
}

// The same in words, for readers who cannot see the picture.
function stateRows(names, question) {
  const row = (what) => ([number, words]) => make("li", "", `${names[number]} ${what} ${words}`);
  const rows = (pairs, what) => Object.entries(pairs).map(row(what));
  const known = [...rows(question.windows, "was entered with the window"), ...rows(question.values, "has the value")];
  return known.length ? known : [make("li", "", "The search has no value of an inner node yet.")];
}

// ---- the element

class SearchPredict extends HTMLElement {
  connectedCallback() {
    const { id, exercises } = JSON.parse(document.getElementById("data").textContent).predict;
    this.sections = [...this.querySelectorAll(".exercise")];
    this.sections.forEach((section) => crop(section.querySelector("svg")));
    const answers = kept(`search-predict:${id}`);
    this.saved = { questions: id, answers: JSON.parse(answers ?? "[]") };
    this.isKept = answers !== undefined;
    this.places = exercises.flatMap(({ names, questions }, exercise) =>
      questions.map((question, index) => ({ exercise, index, question, names })),
    );
    this.connect();
    this.classList.add("asks");
    this.goOn(false);
  }

  // Keeps these answers, in place of those of before.
  save(answers) {
    this.saved.answers = answers;
    this.isKept = keep(`search-predict:${this.saved.questions}`, JSON.stringify(answers));
  }

  // The answers to the question at a place, in order.
  answersTo({ exercise, index }) {
    return this.saved.answers.filter((each) => each.exercise === exercise && each.question === index);
  }

  // True if a question has its right answer, or was given up.
  isDone(place) {
    return this.answersTo(place).some((each) => each.done);
  }

  // Shows the first question that is not done, or says that all are done.
  goOn(moves = true) {
    const open = this.places.findIndex((place) => !this.isDone(place));
    this.show(Math.max(open, 0), moves);
    if (open < 0) this.end(moves);
  }

  // Shows the question after the present one. After the last one, it goes back to those that are left.
  goToNext() {
    if (this.at + 1 < this.places.length) this.show(this.at + 1, true);
    else this.goOn();
  }

  // Says that all questions are done, with the score.
  end(moves) {
    const right = this.places.filter((place) => this.answersTo(place)[0].right).length;
    const count = this.places.length;
    this.sections.forEach((section) => (section.hidden = true));
    this.form.replaceChildren();
    this.words.hidden = this.tell.hidden = this.next.hidden = true;
    const score = `You answered ${right} of ${count} right at the first try.`;
    const next = "“Start again” deletes your answers and begins with the first question.";
    this.says.replaceChildren(verdict("right", "All questions are done."), make("p", "", score), make("p", "", next));
    if (moves) this.again.focus();
  }

  connect() {
    const [progress, panel, foot] = [".progress", ".answer-panel", ".foot"].map((name) => this.querySelector(name));
    [this.count, this.bar] = progress.children;
    [this.form, this.says, , this.words] = panel.children;
    [this.tell, this.next] = panel.querySelectorAll("button");
    [this.trees, this.note] = [foot.querySelector("select"), foot.querySelector("p")];
    const [save, again] = foot.querySelectorAll("button");
    this.again = again;
    this.bar.max = this.places.length;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    this.tell.addEventListener("click", () => this.giveUp());
    this.next.addEventListener("click", () => this.goToNext());
    this.trees.addEventListener("change", () => {
      this.show(this.places.findIndex((place) => place.exercise === Number(this.trees.value)));
    });
    save.addEventListener("click", () => {
      download("search-predictions.json", "application/json", JSON.stringify(this.saved, null, 2));
    });
    again.addEventListener("click", () => {
      this.save([]);
      this.show(0, true);
    });
  }

  show(at, moves = false) {
    this.at = at;
    const { exercise, index, question, names } = this.places[at];
    const section = this.sections[exercise];
    this.sections.forEach((each) => (each.hidden = each !== section));
    draw(section, question);
    this.trees.value = String(exercise);
    const here = this.places.filter((place) => place.exercise === exercise).length;
    const count = make("span", "count", `Question ${index + 1} of ${here}`);
    const legend = make("legend", "", count, " ", question.text);
    const answer = make("button", "", "Answer");
    this.form.replaceChildren(make("fieldset", "", legend, ...fields(question)), answer);
    this.words.querySelector("ul").replaceChildren(...stateRows(names, question));
    this.says.replaceChildren();
    this.words.hidden = this.tell.hidden = this.next.hidden = false;
    this.report();
    if (moves) this.form.querySelector("input").focus();
  }

  judge() {
    const { question } = this.places[this.at];
    const { guess, fits, unseen, problem, field } = readGuess(this.form, question);
    if (problem) {
      this.says.replaceChildren(make("p", "", problem));
      field.focus();
      return;
    }
    const isHalfRight = question.answer === true && unseen?.length && unseen.length !== question.choices.length;
    const right = fits(question.answer) && !isHalfRight;
    const found = right || isHalfRight ? null : question.wrong.find((each) => fits(each.answer));
    const half = "The search does cut here. But after a cut it sees none of the branches that are left.";
    let words = wrongWords(found);
    if (isHalfRight) words = [verdict("wrong", "That is half right."), make("p", "", half)];
    if (right) words = [verdict("right", `Right: ${question.shown}.`), make("p", "", question.why)];
    this.add({ guess, right, done: right, fits: found ? found.names : [] }, words);
  }

  giveUp() {
    const { shown, why } = this.places[this.at].question;
    const words = [verdict("", `The answer: ${shown}.`), make("p", "", why)];
    this.add({ guess: null, right: false, done: true, fits: [] }, words);
  }

  // Keeps an answer to the present question, and shows what the page says about it.
  add(answer, words) {
    const { exercise, index } = this.places[this.at];
    this.save([...this.saved.answers, { exercise, question: index, ...answer }]);
    this.says.replaceChildren(...words);
    if (answer.done) {
      this.tell.hidden = true;
      this.next.focus();
    }
    this.report();
  }

  report() {
    const done = this.places.filter((place) => this.isDone(place)).length;
    this.bar.value = done;
    this.count.textContent = `${done} of ${this.places.length} questions done`;
    const kept = "This browser keeps your answers for this file.";
    const lost = "This browser does not keep your answers: save them before you close the page.";
    this.note.textContent = this.isKept ? kept : lost;
  }
}

customElements.define("search-predict", SearchPredict);
