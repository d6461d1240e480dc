// Python for the page: one that runs, and a second one that is ready to take its place. A call whose step takes longer
// than it may is ended with its Python; the next Python goes on with the answers so far, and knows which steps never end.

const PAUSE = 1500; // milliseconds after the last call began or ended: then the second Python starts

class Python {
  constructor() {
    // A worker from a blob has the policy of the page. One from a file has none if the server sends none with the file.
    const code = `import("${new URL("worker.js", import.meta.url)}")`;
    const text = `${code}.catch(({ message }) => postMessage({ kind: "error", text: message }));`;
    this.worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => (data.kind === "ready" ? resolve(this) : reject(new Error(data.text)));
      this.worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the browser did not start the worker"));
      };
    });
    this.ready.catch(() => {});
  }
}

export class Stopped extends Error {}

export class Lab {
  // Starts Python: the lab, when the first call can run at once.
  static async start() {
    const lab = new Lab();
    lab.python = new Python();
    lab.last = Promise.resolve();
    lab.count = 0;
    await lab.python.ready;
    lab.startWarm();
    return lab;
  }

  // The result of a call; calls run one after the other. `onStep` hears the name of each step, `onPrint` the printed
  // text and how many characters of it are left out. Rejects with Stopped, or with an Error that says what went wrong.
  call(name, values = {}, { onStep = () => {}, onPrint = () => {} } = {}) {
    const run = () => this.run(name, { ...values }, onStep, onPrint);
    const result = this.last.then(run, run);
    this.last = result.catch(() => {});
    return result;
  }

  async run(name, values, onStep, onPrint) {
    const start = performance.now();
    for (;;) {
      this.startWarm();
      const stopped = new Promise((_, reject) => { this.interrupt = () => reject(new Stopped("stopped")); });
      stopped.catch(() => {});
      const python = await Promise.race([this.python.ready, stopped]);
      const end = await new Promise((resolve) => this.once(python, name, values, onStep, onPrint, resolve));
      if (end.kind === "overrun") {
        values.never_ended = [...(values.never_ended ?? []), end.step];
        values.known = { ...values.known, ...end.answers };
        values.spent = (performance.now() - start) / 1000;
        this.replace();
        continue;
      }
      if (name === "grade") this.replace(); // the file may have changed something in its Python
      if (end.kind === "stopped") throw new Stopped("stopped");
      if (end.kind === "error") throw new Error(end.text);
      return end.result;
    }
  }

  once(python, name, values, onStep, onPrint, resolve) {
    const answers = {};
    let timer;
    const finish = (end) => {
      clearTimeout(timer);
      this.startWarm();
      this.interrupt = null;
      resolve(end);
    };
    this.interrupt = () => {
      finish({ kind: "stopped" });
      if (name !== "grade") this.replace();
    };
    const id = ++this.count;
    python.worker.onerror = (event) => finish({ kind: "error", text: event.message });
    python.worker.onmessage = ({ data }) => {
      if (data.id !== id) return;
      if (data.kind === "step") {
        clearTimeout(timer);
        if (!data.name) return;
        timer = setTimeout(() => finish({ kind: "overrun", step: data.name, answers }), data.seconds * 1000);
        onStep(data.name);
      } else if (data.kind === "print") onPrint(data.text, data.cut);
      else if (data.kind === "answer") answers[data.case] = data.answer;
      else finish(data);
    };
    python.worker.postMessage({ id, call: name, arguments: values });
  }

  // Starts the second Python after a pause: it must not slow down the first one, and the calls that come soon.
  startWarm() {
    clearTimeout(this.pause);
    const start = () => { this.warm ??= new Python(); };
    this.pause = setTimeout(() => this.python.ready.then(start, () => {}), PAUSE);
  }

  // The warm Python takes the place of this one, and another one becomes warm.
  replace() {
    this.python.worker.terminate();
    this.python = this.warm ?? new Python();
    this.warm = null;
    this.python.ready.then(() => this.startWarm(), () => {});
  }

  // Ends the call that runs, or that waits for Python; the next one begins at once.
  stop() {
    this.interrupt?.();
  }
}
