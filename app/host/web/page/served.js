// The server of a class, if the page came from one (docs/serve.md). What the student has done goes there; what the teacher
// wants to be shown comes from there.
"use strict";

const SERVED = "/served";  // the program looks for it (core/system/web/server.cpp)
const OURS = "/kept/warplens", OWNER = `${OURS}/class.json`, PROGRESS = `${OURS}/progress.json`, DRAFTS = `${OURS}/drafts-1.json`;
const SEND_AGAIN_MS = 5000, TOLD_MS = 6000;

class Served {
  // Null if the page has another server. A student who has not joined goes to the page for that.
  static async find() {
    if (!location.pathname.endsWith("/window/")) return null;
    const came = await fetch("../api/me").catch(() => null);
    if (came && came.status === 401) {
      location.replace("../");
      await new Promise(() => {});
    }
    return came && came.ok ? new Served(await came.json()) : null;
  }

  constructor(me) {
    this.me = me;
    this.room = me.room;
    this.sent = "";
    this.counted = null;  // the answers that have been sent as votes
  }

  read(path) {
    if (!this.FS.analyzePath(path).exists) return null;
    try {
      return JSON.parse(this.FS.readFile(path, {encoding: "utf8"}));
    } catch {
      return null;  // it is being written
    }
  }

  write(path, value) {
    this.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    this.FS.writeFile(path, JSON.stringify(value));
  }

  // Called before the program starts. What the browser keeps may be another student's, or older than what another machine sent.
  begin(FS) {
    this.FS = FS;
    const owner = this.read(OWNER), is_ours = owner && owner.name === this.me.name && owner.class === this.me.class;
    if (!is_ours) for (const folder of [OURS, "/kept/uploads"]) this.forget(folder);
    if (this.me.at && !(is_ours && owner.at === this.me.at)) this.write(PROGRESS, this.me.progress);
    this.note(this.me.at);
    FS.writeFile(SERVED, "");
    this.counted = this.read(PROGRESS)?.answers ?? {};
    setInterval(() => this.send(), SEND_AGAIN_MS);
  }

  forget(folder) {
    if (!this.FS.analyzePath(folder).exists) return;
    for (const name of this.FS.readdir(folder)) {
      if (name === "." || name === "..") continue;
      const path = `${folder}/${name}`;
      if (this.FS.isDir(this.FS.stat(path).mode)) this.forget(path);
      else this.FS.unlink(path);
    }
  }

  note(at) {
    this.write(OWNER, {name: this.me.name, class: this.me.class, at});
  }

  async post(path, body) {
    const came = await fetch(`../api/${path}`, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
    if (!came.ok) throw new Error(`${came.status}`);
    return came.json();
  }

  place() {
    const {lesson, step, challenge} = this.read(DRAFTS)?.place ?? {};
    if (challenge) return {challenge};
    return lesson ? {lesson, step} : {};
  }

  async send() {
    const progress = this.read(PROGRESS) ?? {}, place = this.place(), now = JSON.stringify([progress, place]);
    if (this.busy || now === this.sent) return;
    this.busy = true;
    try {
      this.note((await this.post("progress", {place, progress})).at);
      this.sent = now;
      await this.vote(progress.answers ?? {});
    } catch (error) {
      console.warn(`The class's server did not take what you did, and gets it again later: ${error.message}`);
    }
    this.busy = false;
  }

  // Answers that were given since the last time.
  async vote(answers) {
    for (const [lesson, questions] of Object.entries(answers)) {
      for (const [question, tally] of Object.entries(questions)) {
        const before = this.counted[lesson]?.[question] ?? {}, name = `${lesson}/${question}`;
        const wrong = Object.keys(tally.wrongly ?? {}).find((answer) => tally.wrongly[answer] !== before.wrongly?.[answer]);
        if (wrong) await this.post("vote", {question: name, answer: wrong.slice(0, 60), correct: false});
        if (tally.right !== (before.right ?? 0)) await this.post("vote", {question: name, answer: "right", correct: true});
      }
    }
    this.counted = answers;
  }

  // The file that *Hand in* writes goes to the server. False if it is not taken, so that the student gets the file.
  async handIn(text) {
    const {challenge, language, source} = JSON.parse(text);
    if (!challenge) return false;
    try {
      const {verdict} = await this.post("hand_in", {challenge, language, source});
      this.tell(verdict && verdict.right ? `Handed in: ${"★".repeat(verdict.stars)}` : "Handed in. It is not right yet.");
      return true;
    } catch (error) {
      this.tell(`Not handed in (${error.message}): give the file to your teacher.`);
      return false;
    }
  }

  tell(text) {
    const says = document.getElementById("teacher");
    says.textContent = text;
    says.hidden = false;
    setTimeout(() => this.show(), TOLD_MS);
  }

  // What the teacher says.
  show() {
    const says = document.getElementById("teacher");
    says.textContent = [this.room.message, this.room.locked && "Your teacher has locked answers for now."].filter(Boolean).join(" · ");
    says.hidden = !says.textContent;
  }

  // Called when the program runs. `open` opens a link.
  follow(open) {
    let to = "";
    new EventSource("../api/room").addEventListener("message", async (event) => {
      this.room = JSON.parse(event.data);
      this.show();
      const before = to;
      to = JSON.stringify([this.room.to, this.room.reveal]);
      if (this.room.to && to !== before) open(await link_to({...this.room.to, reveal: this.room.reveal}));
    });
  }
}

// docs/links.md. The lesson's step sets up what is shown.
async function link_to(place) {
  const state = {session: {warplens_session: 1, kernel: "vector_add", block: [256, 1, 1], grid: "fit"}, ...place};
  const packed = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return "#w1-" + btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
