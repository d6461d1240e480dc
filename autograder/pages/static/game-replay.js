// <game-replay>: a lost game to step through. Inside it are two figures, `.first` and `.last`, each with the picture of a
// board, and a script element with the frames as JSON. `pacman.picture.replay` makes all of them and says what they
// contain. Without this file a reader sees the first and the last position.

const TURNS = { E: 0, S: 90, W: 180, N: 270 };
const MILLISECONDS = 260;

class GameReplay extends HTMLElement {
  connectedCallback() {
    if (this.frames) return;
    this.frames = JSON.parse(this.querySelector("script").textContent);
    this.end = this.frames.words.length - 1;
    this.picture = this.querySelector(".first svg");
    this.caption = this.querySelector(".first figcaption"); // on paper, instead of the words below the buttons
    this.caption.hidden = true;
    this.querySelector(".last").hidden = true;
    this.picture.querySelector("desc").remove();
    this.dots = ["food", "capsules"].map((name) => {
      const path = this.picture.querySelector(`.${name}`);
      return { name, path, places: path ? path.getAttribute("d").slice(1).split("M") : [] };
    });
    this.connectControls();
    this.addEventListener("keydown", (event) => this.press(event));
    this.show(0);
  }

  connectControls() {
    const [first, back, playing, forward, last, slider] = this.querySelector(".controls").children;
    Object.assign(this, { toFirst: first, back, playing, forward, toLast: last, slider });
    this.words = this.querySelector(".status");
    first.addEventListener("click", () => this.go(0));
    back.addEventListener("click", () => this.go(this.at - 1));
    playing.addEventListener("click", () => this.play());
    forward.addEventListener("click", () => this.go(this.at + 1));
    last.addEventListener("click", () => this.go(this.end));
    slider.max = this.end;
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    this.classList.add("plays");
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    this.timer = null;
  }

  // Shows a ply, and pauses.
  go(ply) {
    if (this.timer) this.play();
    this.show(ply);
  }

  // Plays from here, from the first ply again if this is the last one; or pauses.
  play() {
    const pauses = Boolean(this.timer);
    clearInterval(this.timer);
    this.timer = null;
    if (!pauses) {
      if (this.at === this.end) this.show(0);
      this.timer = setInterval(() => {
        this.show(this.at + 1);
        if (this.at === this.end) this.play();
      }, MILLISECONDS);
    }
    this.playing.textContent = pauses ? "Play" : "Pause";
    // A screen reader says where the game pauses, and not every ply of a playing game.
    this.words.setAttribute("aria-live", pauses ? "polite" : "off");
  }

  press(event) {
    const { key, target } = event;
    const isOwn = target === this.slider && key !== " "; // the slider has these keys itself
    if (isOwn || (key === " " && target.localName === "button") || event.altKey || event.ctrlKey || event.metaKey) return;
    const actions = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.end),
      " ": () => this.play(),
    };
    if (!actions[key]) return;
    event.preventDefault();
    actions[key]();
  }

  show(ply) {
    const at = Math.max(0, Math.min(ply, this.end));
    const { places, headings, timers, scores, words } = this.frames;
    this.at = at;
    for (const agent of this.picture.querySelectorAll(".agent")) {
      const number = Number(agent.dataset.agent);
      const [x, y] = places[at].slice(2 * number);
      agent.style.setProperty("transform", `translate(${x}px, ${y}px)`);
      for (const look of ["calm", "scared"]) {
        const isNow = (look === "scared") === timers[at][number - 1] > 0;
        agent.querySelector(`.look-${look}`)?.setAttribute("display", isNow ? "inline" : "none");
      }
    }
    this.picture.querySelector(".heading").setAttribute("transform", `rotate(${TURNS[headings[at]]})`);
    for (const { name, path, places: all } of this.dots) {
      const gone = new Set(this.frames[name].filter(([frame]) => frame <= at).map(([, index]) => index));
      path?.setAttribute("d", all.filter((_, index) => !gone.has(index)).map((place) => `M${place}`).join(""));
    }
    this.showLoss(at === this.end);
    this.picture.querySelector(".caption").textContent = `score ${String(scores[at]).replace("-", "\u2212")}`;
    const title = this.picture.querySelector("title");
    for (const element of [title, this.words, this.caption]) element.textContent = words[at];
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", words[at].split(".")[0]);
    // A button that is `disabled` would lose the focus, and with it the keys.
    for (const button of [this.toFirst, this.back]) button.setAttribute("aria-disabled", at === 0);
    for (const button of [this.toLast, this.forward]) button.setAttribute("aria-disabled", at === this.end);
  }

  // If a ghost catches Pacman, a ring is around them at the end, and the ghost is in front.
  showLoss(isEnd) {
    const ring = this.picture.querySelector(".ring");
    if (!ring || (ring.getAttribute("display") === "none") === !isEnd) return;
    ring.setAttribute("display", isEnd ? "inline" : "none");
    const [pacman, ...ghosts] = [...this.picture.querySelectorAll(".agent")].sort(
      (one, other) => one.dataset.agent - other.dataset.agent,
    );
    ghosts.reverse();
    ring.before(...(isEnd ? [pacman, ...ghosts] : [...ghosts, pacman]));
  }
}

customElements.define("game-replay", GameReplay);
