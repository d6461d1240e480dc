// Steps through recorded searches of one tree: <search-explorer> contains a section with a picture for each of them.
// The keys: left and right for one step, up and down over the nodes below, Home and End.
const SMALLEST = 0.4;  // of a picture that is whole then
const READABLE = 0.7;  // of one that must be scrolled anyway
const TITLE = 33;  // the height of the picture's title, which the page does not show, with scale 1
const STATES = ["waiting", "open", "left", "unseen"];  // of a node: classes of its elements

// The searches of the page, with events as objects: in the data they are numbers (see explorer.py).
function readSearches(nodes, {texts, recordings}) {
  const names = [];
  for (const {parent, action} of nodes) names.push(names[parent] ? `${names[parent]} > ${action}` : action);
  const readEvent = ([kind, words, label, why, variables, node, line, ...closed]) => ({
    kind: texts[kind], words: [].concat(texts[words]).join(names[node]), label: texts[label], why: texts[why],
    variables: texts[variables], node, line, closed,
  });
  return recordings.map((search) => ({...search, events: search.events.map(readEvent)}));
}

// The drawing: the number of the last node below each node, and the depth of each node.
function treeShape(nodes) {
  const depths = [];
  for (const {parent} of nodes) depths.push((depths[parent] ?? -1) + 1);
  const ends = depths.map((depth, number) => {
    const next = depths.findIndex((other, index) => index > number && other <= depth);
    return (next < 0 ? depths.length : next) - 1;
  });
  return {ends, depths};
}

// What is known when `count` events have happened: the state, window and value of each node, and the counts so far.
function knownAfter(events, count, shape) {
  const size = shape.ends.length;
  const nothing = () => ({
    states: new Array(size).fill("waiting"), windows: new Array(size).fill(""), values: new Array(size).fill(""),
    nodes: 0, leaves: 0, cuts: 0,
  });
  let known = nothing();
  for (const event of events.slice(0, count)) {
    const {node, kind} = event;
    if (kind === "start") known = nothing();
    if (kind === "start" || kind === "stop") continue;
    if (known.states[node] === "waiting") known.nodes += 1;
    known.states[node] = kind === "value" ? "left" : "open";
    if (kind === "value") {
      if (event.label) known.values[node] = event.label;
      known.leaves += event.why === "leaf";
    } else if (event.label) {
      known.windows[node] = event.label;
    }
    known.cuts += kind === "cut" || (kind === "value" && event.why === "bound");
    for (const closed of event.closed) known.states.fill("unseen", closed, shape.ends[closed] + 1);
  }
  return known;
}

// The place of the event that shows what a search does at a node: its first value there, or else its last event.
// If it never was at the node, the event at the nearest node above says so.
function placeOf(node, events, nodes) {
  const place = events.findIndex((event) => event.node === node && event.kind === "value");
  const last = place < 0 ? events.map((event) => event.node).lastIndexOf(node) : place;
  return last < 0 && node ? placeOf(nodes[node].parent, events, nodes) : last;
}

// One search and its section of the page. It changes only what differs from what it shows.
class SearchPanel {
  constructor(section, recording, shape) {
    this.recording = recording;
    this.shape = shape;
    this.section = section;
    this.picture = section.querySelector("svg");
    this.frame = section.querySelector(".wide");
    const {width, height} = this.picture;
    this.size = [width.baseVal.value, height.baseVal.value];
    this.words = section.querySelector(".step-words");
    this.counts = section.querySelector(".counts");
    this.result = this.counts.textContent;
    this.nodes = this.elements(".node");
    this.branches = this.elements(".branch");
    this.values = this.nodes.map((node) => node.querySelector(".value"));
    this.windows = this.nodes.map((node) => node.querySelector(".window"));
    this.endWindows = this.windows.map((text) => text?.textContent);
    this.endValues = this.values.map((text) => text?.textContent);
    for (const node of this.nodes) {
      [...node.querySelectorAll(".window")].slice(1).forEach((text) => text.classList.add("extra"));
    }
    this.isLeaf = this.nodes.map((node) => node.classList.contains("leaf"));
    this.current = -1;
    const program = section.previousElementSibling;
    this.code = program?.querySelector(".code");
    this.variables = program?.querySelector(".variables");
  }

  // Marks a line of the student's code, and scrolls the code to it, but never the page.
  markLine(event) {
    if (!this.code) return;
    this.code.querySelector(".current")?.classList.remove("current");
    this.variables.textContent = event?.variables ?? "";
    const line = event && this.code.querySelector(`[data-line="${event.line}"]`);
    if (!line) return;
    line.classList.add("current");
    const top = line.offsetTop - this.code.offsetTop;
    const {scrollTop, clientHeight} = this.code;
    if (top < scrollTop + 20 || top > scrollTop + clientHeight - 50) this.code.scrollTop = top - clientHeight / 2;
  }

  // The scale with which the whole picture is in the window, or as wide as its frame, if its words can be read then.
  scale() {
    const [width, height] = this.size;
    const top = this.frame.getBoundingClientRect().top + window.scrollY;
    const below = top < window.innerHeight / 2 ? window.innerHeight - top : window.innerHeight;
    const whole = Math.min(this.frame.clientWidth / width, below / (height - 20), 1.8);
    return whole >= SMALLEST ? whole : READABLE;
  }

  elements(selector) {
    const found = [];
    for (const element of this.picture.querySelectorAll(`${selector}[data-node]`)) found[element.dataset.node] = element;
    return found;
  }

  // Shows the search after `count` events.
  show(count) {
    const events = this.recording.events;
    const isEnd = count >= events.length;
    const known = knownAfter(events, count, this.shape);
    this.nodes.forEach((node, number) => this.showNode(number, known, isEnd));
    const event = events[count - 1];
    this.markCurrent(event ? event.node : -1);
    this.picture.classList.toggle("stepping", !isEnd);
    this.words.textContent = event ? event.words : "Not started";
    this.markLine(event);
    const counts = [plural(known.nodes, "node")];
    if ("leaves" in this.recording.counts) counts.push(known.leaves === 1 ? "1 leaf" : `${known.leaves} leaves`);
    if ("cutoffs" in this.recording.counts) counts.push(plural(known.cuts, "cut"));
    this.counts.textContent = isEnd ? this.result : `so far ${counts.join(", ")}`;
  }

  showNode(number, known, isEnd) {
    for (const element of [this.nodes[number], this.branches[number]]) {
      for (const state of STATES) element?.classList.toggle(state, state === known.states[number]);
    }
    setText(this.windows[number], isEnd ? this.endWindows[number] : known.windows[number]);
    if (!this.isLeaf[number]) {
      setText(this.values[number], known.values[number] || (isEnd ? this.endValues[number] : ""));
    }
  }

  markCurrent(number) {
    this.nodes[this.current]?.classList.remove("current");
    this.nodes[number]?.classList.add("current");
    if (this.current === number || number < 0) return;
    this.current = number;
    this.reveal();
  }

  // Scrolls the frame of the picture to the present node, but never the page.
  reveal() {
    if (this.current < 0) return;
    const box = this.nodes[this.current].getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    const across = box.left + box.width / 2 - frame.left - this.frame.clientWidth / 2;
    const down = box.top + box.height / 2 - frame.top - this.frame.clientHeight / 2;
    if (box.left < frame.left || box.right > frame.right) this.frame.scrollLeft += across;
    if (box.top < frame.top || box.bottom > frame.bottom) this.frame.scrollTop += down;
  }
}

function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

class SearchExplorer extends HTMLElement {
  connectedCallback() {
    const data = JSON.parse(document.getElementById("data").textContent);
    this.nodes = data.nodes.map(([parent, action], number) => ({parent: number ? parent : -1, action}));
    this.shape = treeShape(this.nodes);
    const counts = data.recordings.map(() => 0);  // after each step: how many events of each search have happened
    this.places = data.steps.map((step) => counts.map((_, number) => (counts[number] += step.includes(number))));
    const sections = [...this.querySelectorAll(".panel")];
    this.panels = readSearches(this.nodes, data).map((search, index) => new SearchPanel(sections[index], search, this.shape));
    for (const element of document.querySelectorAll(".static-only")) element.hidden = true;
    this.connectControls();
    if (this.toDifference) this.markDifference(data.difference.node);
    this.onKey = (event) => this.press(event);
    document.addEventListener("keydown", this.onKey);
    this.addEventListener("click", (event) => this.click(event));
    window.addEventListener("resize", () => this.fit());
    this.show(0);
    this.fit();
  }

  // All pictures have the same scale: larger for a lecture, smaller for a phone.
  fit() {
    const scale = Math.min(...this.panels.map((panel) => panel.scale()));
    for (const {picture, size} of this.panels) {
      picture.style.setProperty("width", `${Math.floor(scale * size[0])}px`);
      picture.style.setProperty("margin-top", `${-Math.floor(scale * TITLE)}px`);
    }
    this.panels.forEach((panel) => panel.reveal());
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onKey);
  }

  connectControls() {
    [this.back, this.slider, this.forward, this.output, this.toDifference] = this.querySelector(".controls").children;
    this.status = this.querySelector(".spoken");
    this.back.addEventListener("click", () => this.show(this.step - 1));
    this.forward.addEventListener("click", () => this.show(this.step + 1));
    this.slider.max = this.places.length - 1;
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.classList.add("stepped");
  }

  markDifference(number) {
    const [{nodes, recording}] = this.panels;
    nodes[number].classList.add("different");
    const place = placeOf(number, recording.events, this.nodes);
    const goal = this.places.findIndex((places) => places[0] === place + 1);
    this.toDifference.addEventListener("click", () => this.show(goal));
  }

  show(step) {
    this.step = Math.max(0, Math.min(step, this.places.length - 1));
    const place = this.places[this.step];
    this.panels.forEach((panel, index) => panel.show(place[index]));
    this.slider.value = this.step;
    this.output.textContent = `${this.step + 1} of ${this.places.length}`;
    this.back.disabled = this.step === 0;
    this.forward.disabled = this.step === this.places.length - 1;
    const words = this.panels.map((panel) =>
      this.panels.length === 1 ? panel.words.textContent : `${panel.recording.title}: ${panel.words.textContent}`);
    this.status.textContent = `Step ${this.step + 1}. ${words.join(". ")}`;
    this.slider.setAttribute("aria-valuetext", `${this.step + 1} of ${this.places.length}`);
  }

  // The depth of the node in a step. Of several searches, the first one counts that goes on.
  depth(step) {
    const before = this.places[step - 1] ?? this.places[step].map(() => 0);
    const index = this.places[step].findIndex((place, number) => place > before[number]);
    return this.shape.depths[this.panels[index].recording.events[this.places[step][index] - 1].node];
  }

  // The next step in a direction that is not below the present node.
  over(direction) {
    const depth = this.depth(this.step);
    let step = this.step + direction;
    while (step > 0 && step < this.places.length - 1 && this.depth(step) > depth) step += direction;
    return step;
  }

  press(event) {
    const target = event.target;
    if (!this.getClientRects().length) return;  // it is in a part of the page that does not show
    const isField = target.closest?.("input:not([type=range]), select, textarea, summary, .wide, pre, search-predict");
    if (isField || event.ctrlKey || event.altKey || event.metaKey) return;
    const acts = {
      ArrowLeft: () => this.show(this.step - 1), ArrowRight: () => this.show(this.step + 1),
      ArrowUp: () => this.show(this.over(-1)), ArrowDown: () => this.show(this.over(1)),
      Home: () => this.show(0), End: () => this.show(this.places.length - 1), d: this.toDifference && (() => this.toDifference.click()),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // A click on a node goes to its next step, or to its first one.
  click(event) {
    const element = event.target.closest(".node[data-node]");
    const index = this.panels.findIndex((panel) => panel.section.contains(element));
    if (!element || index < 0) return;
    const node = Number(element.dataset.node);
    const events = this.panels[index].recording.events;
    const isHere = (places, step) =>
      places[index] > (this.places[step - 1]?.[index] ?? 0) && events[places[index] - 1].node === node;
    const next = this.places.findIndex((places, step) => step > this.step && isHere(places, step));
    const step = next < 0 ? this.places.findIndex(isHere) : next;
    if (step >= 0) this.show(step);
  }
}

customElements.define("search-explorer", SearchExplorer);
