// A game on a board: the reader steers Pacman, or watches an agent, and steps back and forward through the plies. All
// pictures stay here, so Python plays each round once. A search can show its values, its line, its tree and its reasons.

import { keep, kept } from "./kept.js";

const STEERS = {
  arrowleft: "West", arrowright: "East", arrowup: "North", arrowdown: "South", a: "West", d: "East", w: "North", s: "South",
};
const KEYS = {
  " ": "play", ".": "forward", ",": "back", ">": "forwardRound", "<": "backRound", home: "first", end: "last",
  arrowright: "forward", arrowleft: "back", backspace: "back", arrowdown: "forwardRound", arrowup: "backRound",
  "+": "faster", "=": "faster", "-": "slower", _: "slower", r: "begin", n: "nextSeed", l: "nextLayout", i: "takeOver",
  u: "letPlay", o: "nextOverlay", m: "mute", t: "tree", y: "why", "?": "why", h: "help", escape: "close",
};
const LARGER = 2.6; // how much larger than its own size a picture is shown, if there is room
const CELL = 32; // pixels of a square in a picture
const GLIDE = 140; // milliseconds in which an agent goes to the next square, at most
const SIGNS = { MAX: "M-5 4H5L0-5Z", MIN: "M-5-4H5L0 5Z", CHANCE: "M-5 0a5 4.5 0 1 0 10 0a5 4.5 0 1 0-10 0Z" };
const GHOSTS = [
  ...["random", "directional", "optimal"],
  ...["random,random", "random,optimal", "directional,random", "directional,optimal", "optimal,optimal"],
];
const SEARCHES = ["minimax", "alphabeta", "expectimax", "expectiminimax"];
const ENDS = { win: "Pacman wins", loss: "A ghost caught Pacman", truncated: "The game is too long" };
const MOST_WAITING = 3;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const still = matchMedia("(prefers-reduced-motion: reduce)");
const byId = (name) => document.getElementById(`play-${name}`);

const placeOf = (agent) => agent.getAttribute("transform").match(/-?[\d.]+/g).map(Number);

// The agents of a picture go to their places from those in the picture before. What they eat is there until they arrive.
function glide(before, after, duration) {
  for (const agent of after.querySelectorAll(".agent")) {
    const places = [before.querySelector(`.agent[data-agent="${agent.dataset.agent}"]`), agent].map(placeOf);
    const [[x, y], [toX, toY]] = places;
    if (Math.abs(toX - x) + Math.abs(toY - y) > 1.2 * CELL) continue; // an eaten ghost jumps
    agent.animate(places.map((place) => ({ transform: `translate(${place[0]}px, ${place[1]}px)` })), duration);
  }
  const dots = [...before.querySelectorAll(".food, .capsules")];
  after.querySelector(".agent").before(...dots);
  setTimeout(() => dots.forEach((each) => each.remove()), duration);
}

class Board {
  constructor(lab) {
    Object.assign(this, { lab, plies: [], at: 0, moves: [], found: new Map(), game: null, fault: "", shows: {} });
    Object.assign(this, { queue: Promise.resolve(), waiting: 0, failures: 0, playing: false, wait: 160, muted: "values" });
    this.box = document.getElementById("board");
    for (const name of ["words", "slider", "keys"]) this[`${name}Box`] = byId(name);
    const names = ["layout", "ghosts", "seed", "pacman", "search", "overlay"];
    this.fields = Object.fromEntries(names.map((name) => [name, byId(name)]));
  }

  // Acts after what goes on now. Of many keys that are pressed meanwhile the first ones count; after a failure, none.
  then(act) {
    if (this.waiting >= MOST_WAITING) return this.queue;
    this.waiting += 1;
    const { failures } = this;
    this.queue = this.queue.then(() => failures === this.failures && act())
      .catch((error) => this.fail(error.sentence ?? String(error)))
      .finally(() => { this.waiting -= 1; });
    return this.queue;
  }

  fail(text) {
    this.failures += 1;
    this.playing = false;
    this.showButtons();
    this.say(text);
  }

  say(text) { this.wordsBox.textContent = text; }

  ask(name, values) {
    const agent = this.fields.pacman.selectedOptions[0].textContent;
    const slow = setTimeout(() => name === "play" && this.say(`Pacman (${agent}) thinks.`), 500);
    return this.lab.call(name, { ...this.game, moves: this.moves, ...values }).finally(() => clearTimeout(slow));
  }

  begin() {
    this.playing = false;
    const { layout, ghosts, seed, pacman } = this.fields;
    this.game = {
      layout: layout.value, ghosts: ghosts.value.split(","), seed: Number(seed.value) || 0, pacman: pacman.value,
      files: this.lab.editor.files,
    };
    return this.then(async () => {
      Object.assign(this, { plies: [], moves: [], at: 0, fault: "" });
      this.found.clear();
      this.box.replaceChildren();
      this.lab.console.clear();
      this.add(await this.ask("play", {}));
      this.box.focus({ preventScroll: true });
      await this.rest(0);
    });
  }

  // Keeps the plies that Python has played. The last one is Pacman's turn, or the end.
  add(result) {
    const { frames, moves, actions, outcome, score, fault, names } = result;
    this.plies.push(...frames);
    Object.assign(this.plies.at(-1), { round: moves.length, actions });
    Object.assign(this, { moves, outcome, score, fault, names });
  }

  get end() { return this.plies.length - 1; }
  get isOver() { return this.outcome !== "playing"; }

  // The first turn of Pacman at or after a ply.
  turn(at, step = 1) {
    let turn = at;
    while (this.plies[turn] && this.plies[turn].round === undefined) turn += step;
    return turn;
  }

  // Forgets what came after the turn that is shown: the game goes on from there in another way.
  cut() {
    const turn = this.turn(this.at);
    if (turn >= this.end) return;
    this.plies.length = turn + 1;
    this.moves = this.moves.slice(0, this.plies[turn].round);
    Object.assign(this, { outcome: "playing", fault: "" });
    this.found.clear();
  }

  // Plays one more round: the reader's action, or what the agent chooses.
  async round(action) { this.add(await this.ask("play", { action, goes_on: !action, shown: this.plies.length })); }

  steer(action) {
    this.playing = false;
    return this.then(async () => {
      const { actions } = this.plies[this.turn(this.at)] ?? { actions: [] };
      if (!actions.includes(action)) return actions.length && this.say(`${action} is a wall. ${this.advice()}`);
      this.cut();
      const first = this.end;
      await this.round(action);
      await this.rest(this.end, first);
    });
  }

  // ---- the ply that is shown

  // Shows a ply. If it is the next one or the one before, the agents glide; returns how many milliseconds that takes.
  draw(at) {
    const before = Math.abs(at - this.at) === 1 && !still.matches && this.box.querySelector("svg");
    const { picture, facts, layers } = this.plies[at];
    this.at = at;
    this.box.innerHTML = picture;
    const shown = this.box.querySelector("svg");
    const { width, height } = shown.viewBox.baseVal;
    this.box.style.setProperty("--width", `${LARGER * width}px`);
    this.box.style.setProperty("--ratio", width / height);
    for (const [name, value] of Object.entries({ ...facts, ply: at })) byId(name).textContent = value;
    this.showAgents(layers);
    this.showButtons();
    if (!before) return 0;
    const duration = Math.min(GLIDE, this.wait);
    glide(before, shown, duration);
    return duration;
  }

  // Who plays, and how the search that is shown models each of them.
  showAgents(layers) {
    const mover = this.at === this.end && this.isOver ? -1 : this.plies[this.at].mover;
    byId("agents").replaceChildren(...this.names.map((name, number) => {
      const [chip, label] = ["li", "span"].map((kind) => document.createElement(kind));
      const layer = layers[number];
      chip.className = number === mover ? "mover" : "";
      chip.innerHTML = `<svg class="board" viewBox="-16 -16 32 32" aria-hidden="true">`
        + `${this.box.querySelector(`.agent[data-agent="${number}"]`).innerHTML}</svg><span class="layer">`
        + `<svg class="tree" viewBox="-6 -6 12 12" aria-hidden="true"><g class="${layer.toLowerCase()}">`
        + `<path class="shape" d="${SIGNS[layer]}"/></g></svg>${layer}</span>`;
      label.textContent = number ? `${name} ${number}` : name.split(":").at(-1);
      chip.append(label);
      return chip;
    }));
  }

  // Shows a ply and what a search knows about it; after a round, first the plies of the round one by one.
  async rest(to, from = to) {
    for (let at = from + 1; at < to; at += 1) await pause(this.draw(at) || Math.min(90, this.wait));
    await pause(this.draw(to));
    const isEnd = to === this.end && this.isOver;
    const words = isEnd ? this.fault || `${ENDS[this.outcome]}: score ${this.score}. R plays again.` : this.advice();
    this.say(`Ply ${to} of ${this.end}. ${words}`);
    await this.look(isEnd);
  }

  advice() {
    if (this.at < this.end) return "Full stop and comma: forward and back. End: the latest ply.";
    return this.game.pacman ? "Space: play or pause. Full stop and comma: forward and back."
      : "Arrows or W A S D steer Pacman; on the board, a click or a tap does. Comma: back.";
  }

  showButtons() {
    const [isFirst, isLast] = [this.at === 0, this.at === this.end && (this.isOver || !this.game.pacman)];
    const off = { first: isFirst, back: isFirst, forward: isLast, last: this.at === this.end, play: isLast && isFirst };
    for (const button of document.querySelectorAll("#play button[data-command]")) {
      const { command } = button.dataset;
      if (command in off) button.setAttribute("aria-disabled", off[command]);
      if (command === "play") button.textContent = this.playing ? "Pause" : "Play";
      if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", Boolean(this.shows[command]));
    }
    this.wordsBox.setAttribute("aria-live", this.playing ? "off" : "polite"); // not every ply of a playing game is read out
    Object.assign(this.sliderBox, { max: Math.max(this.end, 1), value: this.at });
    this.sliderBox.setAttribute("aria-valuetext", `ply ${this.at} of ${this.end}`);
  }

  // Shows what the search knows at Pacman's turn. Python is asked once for each turn.
  async look(isEnd) {
    const { overlay, search } = this.fields;
    const isWanted = overlay.value || this.shows.tree || this.shows.why;
    const isTurn = this.plies[this.at].round !== undefined && !isEnd;
    const key = `${this.at} ${search.value}`;
    if (isWanted && isTurn && !this.found.has(key)) {
      this.found.set(key, await this.ask("look", { ply: this.at, search: search.value }).catch((error) => {
        [overlay.value, this.shows] = ["", {}]; // or the next ply would ask again
        this.showTexts();
        throw error;
      }));
    }
    const found = isWanted && isTurn ? this.found.get(key) : null;
    if (found && overlay.value) this.box.querySelector(".agent").insertAdjacentHTML("beforebegin", found[overlay.value]);
    if (found) this.showAgents(found.layers);
    const otherwise = isEnd ? "The game is over here." : "Pacman moves at another ply.";
    this.showTexts(found, isWanted ? otherwise : "");
  }

  showTexts(found, otherwise = "") {
    byId("chosen").textContent = found ? `${found.action} ${found.value}` : "";
    byId("counts").textContent = found?.counts ?? (otherwise || "Values or line: what a search knows, on the board.");
    for (const [name, text] of [["tree", found?.tree.join("\n")], ["why", found?.why]]) {
      Object.assign(byId(name), { hidden: !this.shows[name], textContent: text ?? otherwise });
    }
  }

  // ---- what keys and buttons do

  go(at, playing = false) {
    this.playing = playing;
    return this.then(() => this.end >= 0 && this.rest(Math.max(0, Math.min(at(), this.end))));
  }

  // One ply forward, after the latest ply by another round. At the latest ply of his own game, the reader waits.
  forward(isPlaying = false) {
    this.playing &&= isPlaying;
    if (this.at === this.end && !this.game.pacman) return isPlaying ? null : this.steer("Stop");
    return this.then(async () => {
      if (this.end < 0) return; // no game began
      if (this.at === this.end && !this.isOver) await this.round("");
      await this.rest(Math.min(this.at + 1, this.end));
    });
  }

  forwardRound() {
    if (this.at < this.end) return this.go(() => this.turn(this.at + 1));
    return this.forward().then(() => this.at < this.end && this.forwardRound());
  }

  async play() {
    await this.queue;
    this.playing = !this.playing && this.end >= 0;
    if (this.playing && this.at === this.end && this.isOver) await this.then(() => this.rest(0));
    const isStuck = () => this.at === this.end && (this.isOver || !this.game.pacman);
    while (this.playing && !isStuck()) {
      await this.forward(true);
      await pause(still.matches ? this.wait : this.wait - GLIDE);
    }
    this.playing = false;
    this.showButtons();
  }

  // Another Pacman plays on from the turn that is shown.
  playOn(pacman) {
    return this.go(() => {
      this.cut();
      this.fields.pacman.value = pacman;
      this.game = { ...this.game, pacman };
      return this.turn(this.at);
    });
  }

  press(event) {
    const key = event.key.toLowerCase();
    const field = event.target.closest("input, select, textarea, button, summary");
    const own = { button: /^( |enter)$/, summary: /^( |enter)$/, range: /^(arrow|home|end|page)/ };
    if (field && (own[field.type ?? field.localName] ?? /./).test(key)) return;
    if (!this.game || !this.box.checkVisibility() || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = !this.game.pacman && STEERS[key];
    if (action || KEYS[key]) event.preventDefault();
    if (action) this.steer(action);
    else COMMANDS[KEYS[key]]?.(this);
  }

  // Shows the same ply again, with other parts beside the board.
  again(shows) {
    Object.assign(this.shows, shows);
    return this.go(() => this.at, this.playing);
  }

  // A click on the board steers Pacman.
  point({ clientX, clientY }) {
    if (!this.game || this.game.pacman) return;
    const { left, top, width, height } = this.box.querySelector('.agent[data-agent="0"]').getBoundingClientRect();
    const [across, down] = [clientX - left - width / 2, clientY - top - height / 2];
    if (Math.abs(across) > Math.abs(down)) this.steer(across > 0 ? "East" : "West");
    else this.steer(down > 0 ? "South" : "North");
  }
}

function next(select) { select.selectedIndex = (select.selectedIndex + 1) % select.options.length; }

const COMMANDS = {
  first: (board) => board.go(() => 0),
  last: (board) => board.go(() => board.end),
  back: (board) => board.go(() => board.at - 1),
  backRound: (board) => board.go(() => board.turn(board.at - 1, -1)),
  forward: (board) => board.forward(),
  forwardRound: (board) => board.forwardRound(),
  play: (board) => board.play(),
  faster: (board) => { board.wait = Math.max(20, board.wait / 1.5); },
  slower: (board) => { board.wait = Math.min(3000, board.wait * 1.5); },
  begin: (board) => board.begin(),
  nextSeed: (board) => { board.fields.seed.value = Number(board.fields.seed.value) + 1; return board.begin(); },
  nextLayout(board) {
    next(board.fields.layout);
    board.fields.layout.dispatchEvent(new Event("change"));
  },
  takeOver: (board) => board.playOn(""),
  letPlay: (board) => board.playOn(board.fields.search.value).then(() => board.play()),
  nextOverlay: (board) => { next(board.fields.overlay); return board.again(); },
  mute(board) {
    const { overlay } = board.fields;
    [overlay.value, board.muted] = [overlay.value ? "" : board.muted, overlay.value || board.muted];
    return board.again();
  },
  tree: (board) => board.again({ tree: !board.shows.tree }),
  why: (board) => board.again({ why: !board.shows.why }),
  help: (board) => { board.keysBox.open = !board.keysBox.open; },
  close: (board) => { board.keysBox.open = false; return board.again({ tree: false, why: false }); },
};

function fill(select, rows) { for (const [value, text] of rows) select.append(new Option(text, value)); }

export function connectBoard(lab) {
  const board = new Board(lab);
  const { layout, ghosts, pacman, search, overlay } = board.fields;
  const [file] = Object.keys(lab.editor.files);
  const agents = lab.assignment.questions.filter(({ role }) => role !== "evaluation");
  const isNative = lab.assignment.api === "native"; // a Berkeley-style file cannot play here
  const own = (isSearch) => agents.filter(({ role }) => isNative && (!isSearch || role === "search"))
    .map(({ part }) => [`${file}:${part}`, `my ${part}`]);
  const places = lab.assignment.layouts; // how many ghosts a layout has room for
  fill(layout, Object.entries(places).map(([name, count]) => [name, `${name}, ${count} ghost${count > 1 ? "s" : ""}`]));
  fill(ghosts, GHOSTS.map((name) => [name, name.replaceAll(",", ", ")]));
  fill(pacman, [["", "you"], ...own(false), ...SEARCHES.map((name) => [name, name])]);
  fill(search, [...SEARCHES.map((name) => [name, name]), ...own(true)]);
  fill(overlay, [["", "nothing"], ["values", "values"], ["line", "line"]]);
  search.value = "expectimax";
  layout.value = kept("layout") ?? layout.value;
  document.addEventListener("keydown", (event) => board.press(event));
  document.getElementById("play").addEventListener("click", ({ target }) => {
    const command = target.dataset.command;
    if (command && target.getAttribute("aria-disabled") !== "true" && board.game) COMMANDS[command](board);
  });
  board.box.addEventListener("click", (event) => board.point(event));
  board.sliderBox.addEventListener("input", () => board.go(() => Number(board.sliderBox.value)));
  const fits = (place, names) => places[place] >= names.split(",").length;
  ghosts.addEventListener("change", () => { // the next layout that has room for them, or the next ghosts below
    while (!fits(layout.value, ghosts.value)) next(layout);
  });
  layout.addEventListener("change", () => { while (!fits(layout.value, ghosts.value)) next(ghosts); });
  for (const field of [layout, ghosts, pacman]) field.addEventListener("change", () => {
    keep("layout", layout.value);
    if ([...search.options].some(({ value }) => value === pacman.value)) search.value = pacman.value;
    board.begin();
  });
  for (const field of [overlay, search]) field.addEventListener("change", () => board.again());
  const open = () => { // a changed file plays a new game
    const uses = [pacman.value, search.value].some((name) => name.includes(":"));
    const isChanged = uses && board.game?.files[file] !== lab.editor.files[file];
    if (location.hash === "#play" && (!board.game || isChanged)) board.begin();
  };
  addEventListener("hashchange", open);
  open();
}
