// What the browser keeps for the reader. Until the page is left, the page keeps it too.

const texts = new Map();

// The text of a key; undefined if the browser keeps nothing at all.
export function kept(key) {
  try {
    return texts.get(key) ?? localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

// False if the browser does not keep the text.
export function keep(key, text) {
  texts.set(key, text);
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
