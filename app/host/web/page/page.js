// Loads the program into the page: says what the browser lacks, shows how much has come, and begins.
"use strict";

const says = document.getElementById("says");
const bar = document.getElementById("bar");
const loading = document.getElementById("loading");

// The folder of this version: all of its files are there, and the page alone beside it (tools/webpage/folder.py).
const script = document.currentScript;
const HERE = script.src.slice(0, script.src.lastIndexOf("/") + 1);
const PROGRAM_BYTES = Number(script.dataset.programBytes);

// How the state of a page begins in its address (docs/links.md).
const LINK = "#w";
// Of this person (app/window/settings.cpp). Before there are any, the system says what is liked.
const SETTINGS = "/kept/warplens/window.json";

function stop(sentence) {
  says.textContent = sentence;
  bar.hidden = true;
  loading.hidden = false;
}

// The smallest modules that need each: a function with a vector, and one that catches.
const WITH_SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const WITH_EXCEPTIONS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

function what_is_missing() {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  if (!WebAssembly.validate(new Uint8Array(WITH_EXCEPTIONS))) return "exceptions in WebAssembly";
  if (!WebAssembly.validate(new Uint8Array(WITH_SIMD))) return "SIMD in WebAssembly";
  if (!document.createElement("canvas").getContext("webgl2")) return "WebGL 2";
  return "";
}

// The program's bytes as they come. `whole` is how many there are once unpacked: what a host says of the length is of
// what it sends, which may be packed.
function counted(response, whole) {
  let come = 0;
  const count = new TransformStream({
    transform(piece, to) {
      come += piece.byteLength;
      bar.value = Math.min(1, come / whole);
      says.textContent = `WarpLens is loading: ${(come / 1e6).toFixed(1)} of ${(whole / 1e6).toFixed(1)} MB.`;
      to.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(count), {headers: {"Content-Type": "application/wasm"}});
}

// What comes after the first picture, into the page's memory: what a compiler made of the lessons and challenges
// (core/compile/stored.h), and their photographs.
const CACHE = "/cache/warplens";
const unpacked = (response) => new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
// The program waits for what was compiled: it comes last.
const LATER = [...script.dataset.photos.split(" ").filter(Boolean).map((photo) => [photo, `${CACHE}/${photo}`, (response) => response]),
               ["warplens.compiled", `${CACHE}/compiled`, unpacked]];

async function bring_later(FS) {
  const missing = [];
  for (const [name, path, opened] of LATER) {
    const fetched = await fetch(HERE + name);
    if (!fetched.ok) {
      missing.push(name);
      continue;
    }
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, new Uint8Array(await opened(fetched).arrayBuffer()));
  }
  if (missing.length) console.warn(`${missing.join(", ")} did not come: what needs them in lessons does not run.`);
}

// For the next time, when all that this time needs has come. Without https there are no service workers.
async function keep_for_offline() {
  if (navigator.serviceWorker) await navigator.serviceWorker.register("offline.js", {updateViaCache: "none"});
}

async function begin() {
  const missing = what_is_missing();
  if (missing) return stop(`This browser has no ${missing}, which WarpLens needs: take a newer one, or allow it in its settings.`);
  if (location.protocol === "file:") return stop("WarpLens comes from a web server, also from one on this machine: python3 -m http.server in its folder is one.");
  const fetched = await fetch(HERE + "warplens.wasm");
  if (!fetched.ok) return stop(`The program did not come (${fetched.status}). Load the page again: if it still does not, the folder on the server is not whole.`);
  const keys = new Keys();
  const warplens = await makeWarpLens({
    canvas: document.getElementById("canvas"),
    print: (line) => console.log(line),
    printErr: (line) => console.warn(line),
    instantiateWasm(imports, ready) {
      WebAssembly.instantiateStreaming(counted(fetched, PROGRAM_BYTES), imports)
        .then((made) => ready(made.instance, made.module))
        .catch((error) => stop(`WarpLens did not start: ${error.message}`));
      return {};
    },
    onAbort: (why) => stop(`WarpLens ended: ${why}. Load the page again.`),
  });
  says.textContent = "WarpLens begins.";
  const kept = new Kept(warplens.FS), files = new Files(warplens.FS);
  await kept.load();
  files.hearDrops(document.body);
  warplens.page = files;
  globalThis.warplens = warplens;  // for people who look, and for tests/web
  files.keys = keys;
  // As a page that is opened for the first time, without what its link said.
  files.beginAgain = async () => {
    await kept.keep();
    location.replace(location.pathname + location.search);
  };
  const measured = new URLSearchParams(location.search).has("measure");
  const words = measured ? ["--exit-after-first-picture"] : [];
  const first_time = !warplens.FS.analyzePath(SETTINGS).exists;
  if (first_time) {
    const theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    warplens.FS.mkdirTree(SETTINGS.slice(0, SETTINGS.lastIndexOf("/")));
    warplens.FS.writeFile(SETTINGS, JSON.stringify({theme, welcomed: false}));
  }
  if (location.hash.startsWith(LINK)) words.push(location.hash);
  // Another link in the page that is open already.
  addEventListener("hashchange", () => { if (location.hash.startsWith(LINK)) files.dropped.push(location.hash); });
  // A link or what was open last may be a lesson, which needs all that it has at once.
  const opens = !first_time || words.some((word) => word.startsWith(LINK));
  if (opens) await bring_later(warplens.FS);
  warplens.callMain(words);
  requestAnimationFrame(() => { loading.hidden = true; });
  (opens ? Promise.resolve() : bring_later(warplens.FS)).then(keep_for_offline).catch((error) => console.warn(`WarpLens will not be here offline: ${error.message}`));
  document.getElementById("canvas").focus();
}

begin().catch((error) => stop(`WarpLens did not start: ${error.message}`));
