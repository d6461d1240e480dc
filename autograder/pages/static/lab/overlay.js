// Draws on the picture of a board what a search found at its position: the value of each action, or the line.

const SHIFTS = { West: [-1, 0], East: [1, 0], North: [0, -1], South: [0, 1], Stop: [0, 0] };
const CELL = 32; // pixels of a square in the picture
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// `kind` is "values" (beside Pacman) or "line" (of each agent).
export function drawOverlay(picture, kind, found) {
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
