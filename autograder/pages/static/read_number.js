// Reads numbers as students write them, and compares them with the numbers of an answer.

const EXAMPLES = "Write a number such as 5, -3, 2.5, 1/2 or inf.";

// The number in a text, with the decimals that it was written with: {value, decimals}, or {problem} in words.
export function readNumber(text) {
  const plain = text.trim().replace(/[−–]/g, "-").replace(/\s*\/\s*/, "/");
  if (!plain) return { problem: `There is no number yet. ${EXAMPLES}` };
  const infinite = /^([+-]?)\s*(inf|infinity|∞)$/i.exec(plain);
  if (infinite) return { value: infinite[1] === "-" ? -Infinity : Infinity, decimals: 0 };
  const decimal = /^[+-]?(\d+(\.(\d*))?|\.(\d+))$/.exec(plain);
  if (decimal) return { value: Number(plain), decimals: (decimal[3] ?? decimal[4] ?? "").length };
  const fraction = /^([+-]?\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(plain);
  if (fraction && Number(fraction[2])) return { value: Number(fraction[1]) / Number(fraction[2]), decimals: 0 };
  return { problem: `The page cannot read “${text.trim()}” as a number. ${EXAMPLES}` };
}

// True if a number that a student wrote is the number of an answer. Two or more decimals may be rounded.
export function sameNumber(written, answer) {
  const number = answer === "inf" ? Infinity : answer === "-inf" ? -Infinity : answer;
  if (written.value === number) return true;
  const difference = Math.abs(written.value - number);
  const allowed = written.decimals >= 2 ? 0.5 * 10 ** -written.decimals : 0;
  return Number.isFinite(difference) && difference <= allowed + 1e-9 * Math.max(1, Math.abs(number));
}
