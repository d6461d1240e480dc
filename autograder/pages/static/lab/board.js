// A game on a board: the reader steers Pacman, or watches an agent. A search can show its values, its line or its tree.

import { keep, kept } from "./kept.js";

const STEERS = {
  arrowleft: "West", arrowright: "East", arrowup: "North", arrowdown: "South", a: "West", d: "East", w: "North", s: "South",
};
const SHIFTS = { West: [-1, 0], East: [1, 0], North: [0, -1], South: [0, 1], Stop: [0, 0] };
const CELL = 32; // pixels of a square in the picture
const LARGER = 3; // how much larger than its own size a picture is shown, if there is room
const OVERLAYS = ["", "values", "line", "tree"];
const SEARCHES = ["minimax", "alphabeta", "expectimax", "expectiminimax"];
const MOST_WAITING = 3;
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// The values beside Pacman and the line of each agent, in the coordinates of the board.
function drawOverlay(picture, kind, found) {
  const pacman = picture.querySelector('.agent[data-agent="0"]');
  const layer = element("g", { class: "search-overlay" });
  if (kind === "line") {
    found.line.forEach((places, number) => {
      if (places.length < 2) return;
      layer.append(element("polyline", { points: places.join(" "), class: `line-of agent-${number}` }));
      const [x, y] = places.at(-1);
      layer.append(element("circle", { cx: x, cy: y, r: 5, class: `end-of agent-${number}` }));
    });
  } else {
    const [x, y] = pacman.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    for (const [action, text] of found.values) {
      const [dx, dy] = SHIFTS[action] ?? [0, 0];
      const best = action === found.best ? " best" : "";
      const place = { x: x + CELL * dx, y: y + CELL * dy + 4, class: `value-of${best}`, "text-anchor": "middle" };
      layer.append(element("text", place, text));
    }
  }
  pacman.parentNode.append(layer);
}

class Board {
  constructor(lab) {
    this.lab = lab;
    this.moves = [];
    this.result = null;
    this.last = Promise.resolve();
    this.waiting = 0;
    this.playing = false;
    this.wait = 220; // milliseconds from one round of a watched game to the next one
    this.box = document.getElementById("board");
    this.words = document.getElementById("play-words");
    this.tree = document.getElementById("play-tree");
    this.fields = Object.fromEntries(["layout", "ghosts", "seed", "pacman", "search", "overlay"].map((name) => [
      name, document.getElementById(`play-${name}`),
    ]));
  }

  setup() {
    const { layout, ghosts, seed, pacman, search, overlay } = this.fields;
    const isFile = [pacman.value, search.value].some((name) => name.includes(":"));
    return {
      layout: layout.value, ghosts: ghosts.value.split(","), seed: Number(seed.value) || 0, pacman: pacman.value,
      overlay: overlay.value ? search.value : "", files: isFile ? this.lab.editor.files : {},
    };
  }

  // Acts after what goes on now. Of many keys that are pressed meanwhile, the first ones count.
  then(act) {
    if (this.waiting >= MOST_WAITING) return this.last;
    this.waiting += 1;
    this.last = this.last.then(act).finally(() => { this.waiting -= 1; });
    return this.last;
  }

  begin() {
    this.playing = false;
    return this.then(async () => {
      this.moves = [];
      await this.call(this.setup());
      this.box.focus({ preventScroll: true });
    });
  }

  // Plays a round: the reader's action, or that of the agent.
  round(action) {
    return this.then(() => {
      if (!this.result || this.result.outcome !== "playing") return;
      if (action && !this.result.actions.includes(action)) return this.say(`${action} is a wall. ${this.help()}`);
      return this.call({ ...this.setup(), moves: this.moves, action, is_round: true });
    });
  }

  async call({ is_round: isRound = false, ...values }) {
    if (!isRound) Object.assign(values, { pacman: "" }); // only the position, without a move
    try {
      const result = await this.lab.call("play", values);
      if (result.problem) this.fail(result.problem);
      else await this.show(result);
    } catch (error) {
      this.fail(error.sentence);
    }
  }

  fail(text) {
    this.playing = false;
    this.say(text);
  }

  say(text) {
    this.words.textContent = text;
  }

  async show(result) {
    this.result = result;
    this.moves = result.moves;
    for (const [number, frame] of result.frames.entries()) {
      if (number) await new Promise((resolve) => setTimeout(resolve, Math.min(90, this.wait)));
      this.box.innerHTML = frame;
      const picture = this.box.querySelector("svg");
      picture.setAttribute("preserveAspectRatio", "xMinYMin");
      picture.style.setProperty("width", `min(100%, ${LARGER * picture.viewBox.baseVal.width}px)`);
    }
    this.showOverlay();
    if (result.outcome !== "playing") {
      this.playing = false;
      this.say(result.fault || `Pacman ${result.outcome}: score ${result.score}. R plays again.`);
    } else this.say(this.help());
  }

  showOverlay() {
    const kind = this.fields.overlay.value;
    const found = this.result?.overlay;
    this.tree.hidden = kind !== "tree" || !found;
    this.tree.textContent = found ? found.tree.join("\n") : "";
    if (found && kind && kind !== "tree") drawOverlay(this.box.querySelector("svg"), kind, found);
  }

  help() {
    return this.fields.pacman.value ? "Space: play or pause. Full stop: one round." : "Arrows or W A S D steer Pacman. Full stop: wait.";
  }

  // Shows the position again, with the overlay that is chosen now.
  again() {
    return this.then(() => this.result && this.call({ ...this.setup(), moves: this.moves }));
  }

  async play() {
    this.playing = !this.playing && Boolean(this.fields.pacman.value);
    while (this.playing && this.result?.outcome === "playing") {
      await this.round("");
      await new Promise((resolve) => setTimeout(resolve, this.wait));
    }
    this.playing = false;
  }

  next(field, values = [...field.options].map((each) => each.value)) {
    field.value = values[(values.indexOf(field.value) + 1) % values.length];
  }

  press(event) {
    const key = event.key.toLowerCase();
    const inField = event.target.closest("input, select, textarea, button");
    if (inField || !this.box.checkVisibility() || event.ctrlKey || event.altKey || event.metaKey) return;
    const { layout, overlay, pacman, seed } = this.fields;
    const keys = {
      " ": () => this.play(),
      ".": () => this.round(pacman.value ? "" : "Stop"),
      r: () => this.begin(),
      n: () => { seed.value = Number(seed.value) + 1; return this.begin(); },
      l: () => { this.next(layout); return this.begin(); },
      o: () => { this.next(overlay, OVERLAYS); return this.again(); },
      m: () => { overlay.value = ""; return this.again(); },
      t: () => { overlay.value = overlay.value === "tree" ? "" : "tree"; return this.again(); },
      "+": () => { this.wait = Math.max(20, this.wait / 1.5); },
      "-": () => { this.wait = Math.min(3000, this.wait * 1.5); },
    };
    const steers = !pacman.value && STEERS[key];
    if (!steers && !keys[key]) return;
    event.preventDefault();
    if (steers) this.round(steers);
    else keys[key]();
  }
}

function fill(select, rows) {
  for (const [value, text] of rows) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    select.append(option);
  }
}

export function connectBoard(lab) {
  const board = new Board(lab);
  const { layout, ghosts, pacman, search, overlay } = board.fields;
  const [file] = Object.keys(lab.editor.files);
  const agents = lab.assignment.questions.filter(({ role }) => role !== "evaluation");
  const own = (isSearch) => agents.filter(({ role }) => !isSearch || role === "search")
    .map(({ part }) => [`${file}:${part}`, `my ${part}`]);
  fill(layout, lab.assignment.layouts.map((name) => [name, name]));
  fill(ghosts, ["random", "directional", "optimal", "random,random", "directional,random"].map((name) => [name, name]));
  fill(pacman, [["", "you"], ...own(false), ...SEARCHES.map((name) => [name, name])]);
  fill(search, [...SEARCHES.map((name) => [name, name]), ...own(true)]);
  fill(overlay, OVERLAYS.map((name) => [name, name || "nothing"]));
  search.value = "expectimax";
  layout.value = kept("layout") ?? layout.value;
  document.getElementById("play-new").addEventListener("click", () => board.begin());
  document.addEventListener("keydown", (event) => board.press(event));
  for (const field of [layout, ghosts, pacman]) field.addEventListener("change", () => {
    keep("layout", layout.value);
    board.begin();
  });
  for (const field of [overlay, search]) field.addEventListener("change", () => board.again());
  const open = () => {
    if (location.hash === "#play" && !board.result) board.begin();
  };
  addEventListener("hashchange", open);
  open();
}
