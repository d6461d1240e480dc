// A tree as a picture that can be changed with mouse and keys. The text in the field beside it is always the same tree:
// Python makes each change in the text, and draws the picture of the new text.

const PAUSE = 400; // milliseconds without a new letter; then the picture follows the text
const KEYS = { a: "add", insert: "add", d: "delete", delete: "delete", backspace: "delete", k: "kind" };

export function connectDrawing(lab, outline, figure) {
  const box = figure.querySelector(".picture");
  const problem = figure.querySelector(".problem");
  const field = figure.querySelector("input");
  const texts = []; // before each change
  let [at, parents, leaves] = [0, [], []];
  let last = Promise.resolve();
  let timer;

  function select(node) {
    at = Math.max(0, Math.min(node, parents.length - 1));
    for (const each of box.querySelectorAll(".node")) each.classList.toggle("selected", Number(each.dataset.node) === at);
    const value = leaves[at] ?? "";
    field.value = value;
    field.readOnly = value === "";
    box.setAttribute("aria-label", `Tree, node ${at + 1} of ${parents.length}`);
  }

  // Draws the tree in the field, or changes it at a node first.
  function draw(change = "", value = "") {
    const act = async () => {
      try {
        const before = outline.value;
        const drawn = await lab.call("draw", { outline: before, change, node: at, value });
        if (change) {
          texts.push(before);
          write(drawn.outline);
        }
        box.innerHTML = drawn.picture;
        ({ parents, leaves } = drawn);
        select(drawn.node);
        problem.textContent = "";
      } catch (error) {
        problem.textContent = error.sentence;
      }
    };
    last = last.then(act);
    return last;
  }

  function write(text) {
    outline.value = text;
    outline.dispatchEvent(new CustomEvent("input", { detail: figure }));
  }

  // The nearest node in a direction.
  function neighbour(key) {
    const children = parents.flatMap((parent, node) => (parent === at ? [node] : []));
    const beside = parents.flatMap((parent, node) => (parent === parents[at] ? [node] : []));
    const place = beside.indexOf(at);
    return { arrowup: parents[at], arrowdown: children[0], arrowleft: beside[place - 1], arrowright: beside[place + 1] }[key];
  }

  function press(event) {
    const key = event.key.toLowerCase();
    if (event.altKey || event.metaKey || (event.ctrlKey && key !== "z")) return;
    if (key === "z" && event.ctrlKey && texts.length) {
      write(texts.pop());
      draw();
    } else if (KEYS[key]) draw(KEYS[key]);
    else if (key.startsWith("arrow")) select(neighbour(key) ?? at);
    else if (/^[-\d.]$/.test(key) && leaves[at]) {
      field.focus();
      field.value = key;
    } else return;
    event.preventDefault();
  }

  box.addEventListener("keydown", press);
  box.addEventListener("click", ({ target }) => {
    const node = target.closest(".node[data-node]");
    if (node) select(Number(node.dataset.node));
    box.focus();
  });
  box.addEventListener("dblclick", ({ target }) => {
    if (!target.closest(".node[data-node]")) return;
    if (leaves[at]) field.select();
    else draw("kind");
  });
  figure.addEventListener("click", ({ target }) => target.dataset.change && draw(target.dataset.change));
  field.addEventListener("blur", () => field.value.trim() !== (leaves[at] ?? "") && draw("value", field.value.trim()));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would send the form
    box.focus(); // leaves the field, with its value
  });
  outline.addEventListener("input", ({ detail }) => {
    if (detail === figure) return;
    clearTimeout(timer);
    timer = setTimeout(() => draw(), PAUSE);
  });
  const open = () => { if (box.checkVisibility() && !parents.length) draw(); };
  addEventListener("hashchange", open);
  open();
}
