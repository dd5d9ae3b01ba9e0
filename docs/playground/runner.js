// The worker in which Python runs: started once, asked one thing at a time, ended if it takes too long.

const SEARCH = 8, // seconds for each of up to three searches
  ALL = 30; // for them and their drawings, also while the machine has other things to do

export class Runner {
  /** `changed(state)`: off, loading, ready, busy; `answered(answer)`, `failed(text)`. */
  constructor({ wheels, build }, { changed, answered, failed }) {
    Object.assign(this, {
      wheels,
      build,
      changed,
      answered,
      failed,
      worker: null,
      state: "off",
      next: null,
      id: 0,
    });
  }
  become(state) {
    this.state = state;
    this.changed(state);
  }
  start() {
    if (this.worker) return;
    this.worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
    this.worker.onmessage = event => this.heard(event.data);
    this.worker.onerror = event => this.broken(event.message || "the worker could not be loaded");
    this.worker.postMessage({ wheels: this.wheels, build: this.build });
    this.become("loading");
  }
  /** Ask for something. While Python is busy, only the last request is kept: what was drawn since. */
  ask(request) {
    this.next = request;
    if (this.state === "ready") this.send();
  }
  send() {
    const request = this.next;
    this.next = null;
    this.id++;
    this.worker.postMessage({
      id: this.id,
      request: JSON.stringify({ ...request, seconds: SEARCH }),
    });
    this.timer = setTimeout(
      () => this.stop(`ended after ${ALL} seconds: the code does not come back from a call`),
      1000 * ALL,
    );
    this.become("busy");
  }
  heard(data) {
    if (data.kind === "ready") {
      this.become("ready");
      if (this.next) this.send();
      return;
    }
    clearTimeout(this.timer);
    if (data.kind === "failed") {
      this.broken(data.text);
      return;
    }
    this.become("ready");
    if (this.next) this.send();
    this.answered(JSON.parse(data.text));
  }
  /** End Python. It is started again at once, so that it is ready for the next request. */
  stop(why) {
    this.end();
    this.failed(why);
    this.start();
  }
  broken(text) {
    const loading = this.state === "loading";
    this.end();
    this.failed(loading ? `Python could not be started: ${text}` : `Python broke down: ${text}`);
    if (!loading) this.start();
  }
  end() {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
    this.next = null;
    this.become("off");
  }
}
