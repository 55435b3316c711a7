// Files come into the page's memory by a chooser or a drop, and go out of it as downloads.
"use strict";

// What is uploaded and small stays with what the browser keeps, so that a page that is loaded again still has it.
const UPLOADS = "/uploads", KEPT_UPLOADS = "/kept/uploads", DOWNLOADS = "/downloads";
const MOST_KEPT_BYTES = 1 << 20;
const LOOK_AGAIN_MS = 300;
// Of a file that is still being written (core/base/system/files.cpp).
const UNFINISHED = ".part-";

class Files {
  constructor(FS) {
    this.FS = FS;
    this.chosen = [];
    this.dropped = [];
    setInterval(() => this.download(), LOOK_AGAIN_MS);
  }

  put(path, bytes) {
    this.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    this.FS.writeFile(path, bytes);
    return path;
  }

  async take(file, may_be_kept = true) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const name = file.webkitRelativePath || file.name;
    return this.put(`${may_be_kept && bytes.length <= MOST_KEPT_BYTES ? KEPT_UPLOADS : UPLOADS}/${name}`, bytes);
  }

  // A folder is named by the file that every lesson and challenge has, else by its own path: then it is a class, whose
  // hand-ins are other people's and do not stay.
  async takeFolder(files) {
    const is_ours = files.some((file) => /^[^/]*\/(lesson|challenge)\.md$/.test(file.webkitRelativePath));
    const paths = await Promise.all(files.map((file) => this.take(file, is_ours)));
    if (!paths.length) return "";
    const named = is_ours && paths.find((path) => /\/(lesson|challenge)\.md$/.test(path));
    return named || `${UPLOADS}/${files[0].webkitRelativePath.split("/")[0]}`;
  }

  // A chooser that is closed answers with an empty path.
  askForFiles(endings, folder) {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = endings;
    input.webkitdirectory = folder;
    input.addEventListener("cancel", () => this.chosen.push(""));
    input.addEventListener("change", async () => {
      const files = Array.from(input.files);
      if (folder) return void this.chosen.push(await this.takeFolder(files));
      const paths = await Promise.all(files.map((file) => this.take(file)));
      this.chosen.push(paths[0] || "");
    });
    input.click();
  }

  hearDrops(element) {
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", async (event) => {
      event.preventDefault();
      for (const file of event.dataTransfer.files) this.dropped.push(await this.take(file));
    });
  }

  download() {
    if (!this.FS.analyzePath(DOWNLOADS).exists) return;
    for (const name of this.FS.readdir(DOWNLOADS)) {
      if (name === "." || name === ".." || name.includes(UNFINISHED)) continue;
      const path = `${DOWNLOADS}/${name}`;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([this.FS.readFile(path)]));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.FS.unlink(path);
    }
  }
}
