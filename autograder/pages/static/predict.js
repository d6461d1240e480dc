// <search-predict>: asks what a search does next, and says which mistake a wrong guess fits.
//
// The exercises are sections of the element. Their questions, with every answer, are in the data of the page.
import { button, make } from "./elements.js";
import { readNumber, sameNumber } from "./read_number.js";
import { SavedAnswers } from "./saved_answers.js";

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
  const names = { value: ["value"], window: ["alpha", "beta"] }[question.kind];
  if (names) {
    const numbers = names.map((name) => readNumber(form.elements[name].value));
    const wrong = numbers.findIndex((each) => each.problem);
    if (wrong >= 0) {
      const place = names.length > 1 ? `${names[wrong]}: ` : "";
      return { problem: place + numbers[wrong].problem, field: form.elements[names[wrong]] };
    }
    const fits = (answer) => numbers.every((each, index) => sameNumber(each, names.length > 1 ? answer[index] : answer));
    const guess = names.map((name) => form.elements[name].value.trim());
    return { guess: names.length > 1 ? guess : guess[0], fits };
  }
  const chosen = form.querySelector('input[name="choice"]:checked');
  if (!chosen) return { problem: "Choose one of the answers first.", field: form.querySelector("input") };
  if (question.kind !== "cut") return { guess: chosen.value, fits: (answer) => answer === chosen.value };
  const isCut = chosen.value === "yes";
  const unseen = [...form.querySelectorAll('input[name="unseen"]:checked')].map((box) => box.value);
  if (isCut && !unseen.length) {
    return { problem: "Mark the branches that are never seen.", field: form.querySelector('input[name="unseen"]') };
  }
  const guess = isCut ? `yes: ${unseen.join(", ")}` : "no";
  return { guess, fits: (answer) => answer === isCut, unseen };
}

// ---- what the page says about a guess

function verdict(kind, text) {
  return make("p", `verdict ${kind}`, text);
}

function rightWords(question) {
  return [verdict("right", `Right: ${question.shown}.`), make("p", "", question.why)];
}

function wrongWords(found) {
  const words = [verdict("wrong", "That is not right.")];
  if (!found) return [...words, make("p", "", "It fits no mistake that this page knows. Try again.")];
  const count = found.sentences.length;
  if (count > 3) {
    const many = "More mistakes than three give this answer, so the page cannot tell which one you made.";
    return [...words, make("p", "", many)];
  }
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
    const data = JSON.parse(document.getElementById("data").textContent).predict;
    this.sections = [...this.querySelectorAll(".exercise")];
    this.sections.forEach((section) => crop(section.querySelector("svg")));
    this.saved = new SavedAnswers(data.id);
    this.names = data.exercises.map((exercise) => exercise.names);
    this.places = data.exercises.flatMap((exercise, number) =>
      exercise.questions.map((question, index) => ({ exercise: number, index, question })),
    );
    this.build(data.exercises);
    this.classList.add("asks");
    this.goOn(false);
  }

  // Shows the first question that is not done, or says that all are done.
  goOn(moves = true) {
    const open = this.places.findIndex((place) => !this.saved.isDone(place.exercise, place.index));
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
    const right = this.places.filter((place) => this.saved.isRightAtOnce(place.exercise, place.index)).length;
    const count = this.places.length;
    this.sections.forEach((section) => (section.hidden = true));
    this.form.replaceChildren();
    this.words.hidden = this.tell.hidden = this.next.hidden = true;
    const score = `You answered ${right} of ${count} right at the first try.`;
    const next = "“Start again” deletes your answers and begins with the first question.";
    this.says.replaceChildren(verdict("right", "All questions are done."), make("p", "", score), make("p", "", next));
    if (moves) this.again.focus();
  }

  build(exercises) {
    this.bar = make("progress");
    this.bar.max = this.places.length;
    this.bar.setAttribute("aria-label", "Questions done");
    this.count = make("span");
    this.form = make("form", "ask");
    this.form.noValidate = true;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    this.says = make("div", "says");
    this.says.setAttribute("role", "status");
    this.next = button("Next question", () => this.goToNext());
    this.tell = button("Show the answer", () => this.giveUp());
    this.state = make("ul", "");
    this.words = make("details", "", make("summary", "", "The search so far, in words"), this.state);
    const panel = make("div", "answer-panel", this.form, this.says, make("div", "controls", this.tell, this.next), this.words);
    this.trees = make("select", "", ...exercises.map((each, number) => new Option(each.title, String(number))));
    this.trees.addEventListener("change", () => {
      this.show(this.places.findIndex((place) => place.exercise === Number(this.trees.value)));
    });
    const save = button("Save my answers", () => this.saved.download());
    this.again = button("Start again", () => this.startAgain());
    this.note = make("p", "muted");
    const controls = make("div", "controls", make("label", "", "Go to ", this.trees), save, this.again);
    if (exercises.length === 1) controls.firstChild.hidden = true;
    this.prepend(make("div", "progress", this.count, this.bar));
    this.append(panel, make("div", "foot", controls, this.note));
  }

  show(at, moves = false) {
    this.at = at;
    const { exercise, index, question } = this.places[at];
    const section = this.sections[exercise];
    this.sections.forEach((each) => (each.hidden = each !== section));
    draw(section, question);
    this.trees.value = String(exercise);
    const here = this.places.filter((place) => place.exercise === exercise).length;
    const count = make("span", "count", `Question ${index + 1} of ${here}`);
    const legend = make("legend", "", count, " ", question.text);
    const answer = make("button", "", "Answer");
    this.form.replaceChildren(make("fieldset", "", legend, ...fields(question)), answer);
    this.state.replaceChildren(...stateRows(this.names[exercise], question));
    this.says.replaceChildren();
    this.words.hidden = this.tell.hidden = this.next.hidden = false;
    this.report();
    if (moves) this.form.querySelector("input").focus();
  }

  judge() {
    const { exercise, index, question } = this.places[this.at];
    const read = readGuess(this.form, question);
    if (read.problem) {
      this.says.replaceChildren(make("p", "", read.problem));
      read.field.focus();
      return;
    }
    const isHalfRight = question.kind === "cut" && question.answer && read.unseen && read.guess !== "no"
      && read.unseen.length !== question.choices.length;
    const isRight = read.fits(question.answer) && !isHalfRight;
    const found = isRight || isHalfRight ? null : question.wrong.find((each) => read.fits(each.answer));
    const names = found ? found.names : [];
    this.saved.add({ exercise, question: index, guess: read.guess, right: isRight, done: isRight, fits: names });
    if (isRight) {
      this.finish(rightWords(question));
    } else if (isHalfRight) {
      const words = "The search does cut here. But after a cut it sees none of the branches that are left.";
      this.says.replaceChildren(verdict("wrong", "That is half right."), make("p", "", words));
    } else {
      this.says.replaceChildren(...wrongWords(found));
    }
    this.report();
  }

  giveUp() {
    const { exercise, index, question } = this.places[this.at];
    this.saved.add({ exercise, question: index, guess: null, right: false, done: true, fits: [] });
    this.finish([verdict("", `The answer: ${question.shown}.`), make("p", "", question.why)]);
    this.report();
  }

  finish(words) {
    this.says.replaceChildren(...words);
    this.tell.hidden = true;
    this.next.focus();
  }

  startAgain() {
    this.saved.clear();
    this.show(0, true);
  }

  report() {
    const done = this.places.filter((place) => this.saved.isDone(place.exercise, place.index)).length;
    this.bar.value = done;
    this.count.textContent = `${done} of ${this.places.length} questions done`;
    const kept = "This browser keeps your answers for this file.";
    const lost = "This browser does not keep your answers: save them before you close the page.";
    this.note.textContent = this.saved.isKept ? kept : lost;
  }
}

customElements.define("search-predict", SearchPredict);
