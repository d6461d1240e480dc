// What Python returns is data: only listed elements and attributes are copied into the page, and nothing is markup.

const ELEMENTS = new Set((
  "a article button code details div em figcaption figure footer game-replay h1 h2 h3 header i input li mark ol output " +
  "p pre script search-explorer section span strong summary svg table tbody td th thead tr ul " +
  "circle defs desc ellipse feGaussianBlur filter g line path polygon rect text title tspan use"
).split(" "));
const ATTRIBUTES = new Set((
  "class cx cy d display fill filter font-family font-size font-weight height href id min opacity points r role rx ry scope " +
  "stdDeviation stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-width tabindex text-anchor transform type " +
  "value viewBox width x x1 x2 y y1 y2"
).split(" "));

// A script only holds data, and a link only leads to a place in the page.
function isInert(element) {
  if (element.localName === "script" && element.type !== "application/json") return false;
  return !element.hasAttribute("href") || element.getAttribute("href").startsWith("#");
}

function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || !ELEMENTS.has(node.localName) || !isInert(node)) return "";
  const element = document.createElementNS(node.namespaceURI, node.localName);
  for (const { name, value } of node.attributes) {
    if (ATTRIBUTES.has(name) || /^(aria|data)-[a-z-]+$/.test(name)) element.setAttribute(name, value);
  }
  element.append(...[...node.childNodes].map(copy));
  return element;
}

// The elements that a text describes.
export function copied(text) {
  return [...new DOMParser().parseFromString(text, "text/html").body.childNodes].map(copy);
}
