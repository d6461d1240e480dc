// The console of the page: what Python prints, and tracebacks. Of a long text it shows the end.

const MOST = 200_000; // characters
const box = document.getElementById("printed");
const output = document.getElementById("console");

export function clear() {
  output.replaceChildren();
  box.hidden = true;
}

export function show(text, cut) {
  const isAtEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 4;
  output.append(cut ? `${text}\n[${cut.toLocaleString("en")} characters are not shown]\n` : text);
  box.hidden = false;
  if (/^Traceback /m.test(text)) box.open = true;
  for (let size = output.textContent.length; size > MOST && output.childNodes.length > 1;) {
    size -= output.firstChild.length;
    output.firstChild.remove();
  }
  if (isAtEnd || box.open) output.scrollTop = output.scrollHeight;
}
