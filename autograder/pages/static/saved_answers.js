// Keeps the answers of a student: in the browser, if it allows that, and as a JSON file.
import { download } from "./elements.js";

export class SavedAnswers {
  constructor(id) {
    this.key = `search-predict:${id}`;
    this.id = id;
    this.answers = [];
    this.isKept = true;
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      if (Array.isArray(kept)) this.answers = kept.filter((each) => each && Number.isInteger(each.exercise));
    } catch {
      this.isKept = false;
    }
  }

  add(answer) {
    this.answers.push(answer);
    this.keep();
  }

  clear() {
    this.answers = [];
    this.keep();
  }

  keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.answers));
    } catch {
      this.isKept = false;
    }
  }

  // True if a question has its right answer, or was given up.
  isDone(exercise, question) {
    return this.answers.some((each) => each.exercise === exercise && each.question === question && each.done);
  }

  // True if the first answer to a question was right.
  isRightAtOnce(exercise, question) {
    return this.answers.find((each) => each.exercise === exercise && each.question === question)?.right === true;
  }

  // Lets the reader save a file with all answers.
  download() {
    const text = JSON.stringify({ questions: this.id, answers: this.answers }, null, 2);
    download("search-predictions.json", "application/json", text);
  }
}
