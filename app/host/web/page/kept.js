// The browser keeps this user's files below /kept, in a database that belongs to the page's address (IndexedDB).
"use strict";

const KEPT = "/kept";
const KEEP_EVERY_MS = 500;
// The program may replace a file while all files are read. Then the next save stores the new one.
const MOST_FAILURES = 3;

class Kept {
  constructor(FS) {
    this.FS = FS;
    this.written = "";
    this.busy = false;
    this.failures = 0;
  }

  // Called before the program starts. If the browser keeps nothing, as in some private windows, the program starts anyway.
  async load() {
    this.FS.mkdirTree(KEPT);
    if (!globalThis.indexedDB) return;
    try {
      this.FS.mount(this.FS.filesystems.IDBFS, {}, KEPT);
      await this.synchronise(true);
    } catch (error) {
      console.warn(`This browser keeps nothing of WarpLens: ${error}`);
      return;
    }
    this.written = this.state();
    setInterval(() => this.keep(), KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", () => this.keep());
  }

  synchronise(from_browser) {
    return new Promise((done, failed) => this.FS.syncfs(from_browser, (error) => error ? failed(error) : done()));
  }

  // The names, sizes and times of all files.
  state(folder = KEPT) {
    let all = "";
    for (const name of this.FS.readdir(folder)) {
      if (name === "." || name === "..") continue;
      const path = `${folder}/${name}`, stat = this.FS.stat(path);
      all += this.FS.isDir(stat.mode) ? this.state(path) : `${path} ${stat.size} ${stat.mtime.getTime()}\n`;
    }
    return all;
  }

  async keep() {
    const state = this.state();
    if (this.busy || state === this.written) return;
    this.busy = true;
    try {
      await this.synchronise(false);
      this.written = state;
      this.failures = 0;
    } catch (error) {
      if (++this.failures >= MOST_FAILURES) console.warn(`What you did is not kept: ${error}`);
    }
    this.busy = false;
  }
}
