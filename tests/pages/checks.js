// The checks of tests.pages.browser: each is a function that returns what is wrong, as texts.

const name = (element) => {
  const words = (element.textContent || element.value || "").trim().replace(/\s+/g, " ").slice(0, 40);
  const kinds = typeof element.className === "string" ? element.className : element.className.baseVal;
  return `<${element.localName}${kinds ? ` class="${kinds}"` : ""}> "${words}"`;
};
const shows = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});

// Pairs of visible elements that overlap, but for an element inside of another one.
const overlaps = ([selector, tolerance]) => {
  const boxes = [...document.querySelectorAll(selector)].filter(shows)
    .map((element) => ({element, box: element.getBoundingClientRect()}))
    .filter(({box}) => box.width && box.height)
    .sort((one, other) => one.box.left - other.box.left);
  const pairs = [];
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      if (other.box.left >= one.box.right - tolerance) break;
      const across = Math.min(one.box.right, other.box.right) - other.box.left;
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      const nested = one.element.contains(other.element) || other.element.contains(one.element);
      if (across > tolerance && down > tolerance && !nested) {
        pairs.push(`${name(one.element)} and ${name(other.element)} overlap by ` +
          `${across.toFixed(1)} x ${down.toFixed(1)} pixels`);
      }
    }
  });
  return pairs.slice(0, 10);
};

// Words of up to `longest` characters that go on in the next line.
const brokenWords = ([selector, longest]) => {
  const broken = [];
  for (const element of document.querySelectorAll(selector)) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const word of text.data.matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1 && word[0].length <= longest) broken.push(word[0]);
      }
    }
  }
  return broken;
};

// What is wider than the window, or reaches beyond its box or its picture.
const overflows = () => {
  const root = document.documentElement;
  const places = [];
  if (root.scrollWidth > root.clientWidth) {
    places.push(`the page is ${root.scrollWidth} pixels wide, the window ${root.clientWidth}`);
  }
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  for (const element of document.body.querySelectorAll("*")) {
    if (!shows(element) || element.classList.contains("visually-hidden")) continue;
    const svg = element.ownerSVGElement;
    if (element.localName === "text" && svg) {
      const text = element.getBoundingClientRect();
      const picture = svg.getBoundingClientRect();
      if (text.width && (text.left < picture.left - 1 || text.right > picture.right + 1 ||
          text.top < picture.top - 1 || text.bottom > picture.bottom + 1)) {
        places.push(`${name(element)} reaches beyond its picture`);
      }
    } else if (!svg && element.localName !== "svg" && element.clientWidth && !scrolls(element) &&
        element.scrollWidth > element.clientWidth + 1) {
      places.push(`${name(element)} has a content of ${element.scrollWidth} pixels in ${element.clientWidth}`);
    }
    if (svg || element.closest("svg") !== null) continue;
    const box = element.getBoundingClientRect();
    let above = element.parentElement;
    while (above && !scrolls(above)) above = above.parentElement;
    if (box.width > 1 && !above && (box.left < -1 || box.right > root.clientWidth + 1)) {
      places.push(`${name(element)} reaches beyond the window`);
    }
  }
  return places.slice(0, 10);
};
