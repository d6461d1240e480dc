// What the browser keeps for the reader.

// The text of a key; undefined if the browser keeps nothing at all.
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

// False if the browser does not keep the text.
export function keep(key, text) {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
