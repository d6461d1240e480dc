// What the browser keeps for the reader. Until the page is left, the page keeps it too.

const texts = new Map();

export function kept(key) {
  try {
    return texts.get(key) ?? localStorage.getItem(`lab:${key}`);
  } catch {
    return null;
  }
}

// False if the browser does not keep the text.
export function keep(key, text) {
  texts.set(key, text);
  try {
    localStorage.setItem(`lab:${key}`, text);
    return true;
  } catch {
    return false;
  }
}

// Fills a field with its kept text, or with the `first` one, and keeps what is written there.
export function keepText(key, field, first) {
  field.value = kept(key) ?? first;
  field.addEventListener("input", () => keep(key, field.value));
}
