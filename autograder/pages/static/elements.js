// Elements that several scripts make.

// An element with a class (or none) and with children or text.
export function make(name, kind, ...children) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children);
  return element;
}

// A button with an action, and with a name if its text says too little.
export function button(text, act, name = "") {
  const element = make("button", "", text);
  element.type = "button";
  if (name) element.setAttribute("aria-label", name);
  element.addEventListener("click", act);
  return element;
}

// A slider from 0 to `max`; `act` gets the number to which a reader moves it.
export function slider(name, max, act) {
  const element = make("input");
  Object.assign(element, { type: "range", min: 0, max, value: 0 });
  element.setAttribute("aria-label", name);
  element.addEventListener("input", () => act(Number(element.value)));
  return element;
}

// Lets the reader save a text as a file.
export function download(name, type, text) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
