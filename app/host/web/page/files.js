// Files come into the page's memory by a chooser or a drop, and leave it as downloads.
"use strict";

// The browser keeps small uploaded files, so that the page still has them after it is loaded again.
const UPLOADS = "/uploads", KEPT_UPLOADS = "/kept/uploads", DOWNLOADS = "/downloads";
const MOST_KEPT_BYTES = 1 << 20;
const LOOK_AGAIN_MS = 300;
// Part of the name of a file that is still being written (core/base/system/files.cpp).
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

  // The path of a lesson or a challenge is that of its text. Any other folder is a class: its hand-ins belong to other people,
  // so the browser does not keep them.
  async takeFolder(files) {
    const is_ours = files.some((file) => /^[^/]*\/(lesson|challenge)\.md$/.test(file.webkitRelativePath));
    const paths = await Promise.all(files.map((file) => this.take(file, is_ours)));
    if (!paths.length) return "";
    const named = is_ours && paths.find((path) => /\/(lesson|challenge)\.md$/.test(path));
    return named || `${UPLOADS}/${files[0].webkitRelativePath.split("/")[0]}`;
  }

  // If the user closes the chooser, the answer is an empty path. Several chosen files are treated like dropped ones.
  askForFiles(endings, folder, several) {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = endings;
    input.webkitdirectory = folder;
    input.multiple = several;
    input.addEventListener("cancel", () => this.chosen.push(""));
    input.addEventListener("change", async () => {
      const files = Array.from(input.files);
      if (folder) return void this.chosen.push(await this.takeFolder(files));
      const paths = await Promise.all(files.map((file) => this.take(file)));
      this.chosen.push(paths.length === 1 ? paths[0] : "");
      if (paths.length > 1) this.dropped.push(...paths);
    });
    input.click();
  }

  hearDrops(element) {
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", async (event) => {
      event.preventDefault();
      const files = Array.from(event.dataTransfer.files);
      this.dropped.push(...await Promise.all(files.map((file) => this.take(file))));  // all in one call, because they belong together
    });
  }

  download() {
    if (!this.FS.analyzePath(DOWNLOADS).exists) return;
    for (const name of this.FS.readdir(DOWNLOADS)) {
      if (name === "." || name === ".." || name.includes(UNFINISHED)) continue;
      const path = `${DOWNLOADS}/${name}`;
      this.hand(this.FS.readFile(path), name);
      this.FS.unlink(path);
    }
  }

  // A hand-in goes to the class's server, if there is one (served.js).
  async hand(bytes, name) {
    const is_hand_in = this.served && /^hand_in.*\.json$/.test(name);
    if (!is_hand_in || !await this.served.handIn(new TextDecoder().decode(bytes))) this.give(new Blob([bytes]), name);
  }

  give(bytes, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(bytes);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // False if the browser cannot copy pictures. If it refuses later, for example because another window has the keyboard, the
  // picture is downloaded.
  copyPicture(path) {
    if (!navigator.clipboard?.write || !window.ClipboardItem) return false;
    const picture = new Blob([this.FS.readFile(path)], {type: "image/png"});
    const copied = async () => navigator.clipboard.write([new ClipboardItem({"image/png": picture})]);
    copied().catch(() => this.give(picture, "picture.png"));
    return true;
  }
}
