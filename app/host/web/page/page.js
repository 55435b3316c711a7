// Loads the program into the page: tells what the browser lacks, shows the progress, and starts the program.
"use strict";

const says = document.getElementById("says");
const bar = document.getElementById("bar");
const loading = document.getElementById("loading");

// The folder of this version holds all of its files. Only the page itself is next to the folder (tools/webpage/folder.py).
const script = document.currentScript;
const HERE = script.src.slice(0, script.src.lastIndexOf("/") + 1);

// The program comes in two builds, and a page loads one of them. Threads need a page that is isolated from all others.
const BUILDS = {
  plain: {folder: `${HERE}plain/`, bytes: Number(script.dataset.plainBytes)},
  threads: {folder: `${HERE}threads/`, bytes: Number(script.dataset.threadsBytes)},
};
// The page's memory, in units of 64 KiB. The same numbers as in the link options of the build with threads (cmake/web.cmake).
const SHARED_MEMORY = {initial: 1024, maximum: 32768, shared: true};
// The workers that exist before the program starts, for the window's first work; and those for its other work and for runs
// on this many cores. If no worker is left for a thread, the program does without that thread.
const FIRST_WORKERS = 5, OTHER_WORKERS = 6, MOST_CORES = 8;

// The state of a page begins with this in its address (docs/links.md).
const LINK = "#w";
// The user's settings (app/window/settings.cpp). Before they exist, the system's preference for dark or light counts.
const SETTINGS = "/kept/warplens/window.json";

function stop(sentence) {
  says.textContent = sentence;
  bar.hidden = true;
  loading.hidden = false;
}

// The smallest modules that need the feature: a function with a vector, and a function that catches.
const WITH_SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const WITH_EXCEPTIONS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

function what_is_missing() {
  if (typeof WebAssembly !== "object") return "WebAssembly";
  if (!WebAssembly.validate(new Uint8Array(WITH_EXCEPTIONS))) return "exceptions in WebAssembly";
  if (!WebAssembly.validate(new Uint8Array(WITH_SIMD))) return "SIMD in WebAssembly";
  if (!document.createElement("canvas").getContext("webgl2")) return "WebGL 2";
  return "";
}

// Null if the page is not isolated, or if the browser gives it no shared memory.
function shared_memory() {
  try {
    return crossOriginIsolated ? new WebAssembly.Memory(SHARED_MEMORY) : null;
  } catch {
    return null;
  }
}

// Adds workers that are ready to be threads. A worker that still has to load would start only when the page is idle.
function add_workers(PThread, count) {
  for (let i = 0; i < count; ++i) {
    PThread.allocateUnusedWorker();
    PThread.loadWasmModuleToWorker(PThread.unusedWorkers.pop(), (worker) => PThread.unusedWorkers.push(worker));
  }
}

// If the server does not isolate the page, a service worker does so from the next load on (offline.js). The page is loaded
// again for that, once, before any large file has come. If that does not help, the page runs without threads.
const TRIED = "WarpLens: isolated by loading again";
const PATIENCE_MS = 4000;

function is_to_be_isolated() {
  if (crossOriginIsolated || !navigator.serviceWorker || window.top !== window) return false;
  try {
    if (sessionStorage.getItem(TRIED)) return false;
    sessionStorage.setItem(TRIED, "yes");
    return true;
  } catch {  // this browser does not let the page keep anything
    return false;
  }
}

async function activated(registration) {
  if (!registration) throw new Error("this browser gives it no service worker");
  const worker = registration.installing || registration.waiting || registration.active;
  while (worker.state !== "activated") {
    if (worker.state === "redundant") throw new Error("another service worker took its place");
    await new Promise((done) => worker.addEventListener("statechange", done, {once: true}));
  }
}

async function load_again_isolated() {
  const ready = navigator.serviceWorker.register("offline.js?build=none", {updateViaCache: "none"}).then(activated);
  const too_long = new Promise((_, failed) => setTimeout(() => failed(new Error("it takes too long")), PATIENCE_MS));
  await Promise.race([ready, too_long]);
  location.reload();
  await new Promise(() => {});
}

function bring_script(address) {
  return new Promise((done, failed) => {
    const element = document.createElement("script");
    element.addEventListener("load", done);
    element.addEventListener("error", () => failed(new Error(`${address} did not come`)));
    element.src = address;
    document.head.append(element);
  });
}

// Shows the progress while the program's bytes come. `whole` is their number when unpacked: the length that a server tells
// is that of the bytes it sends, which may be packed.
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

// Brings the files that are needed after the first picture into the page's memory: the compiled code of the lessons and
// challenges (core/compile/stored.h), and their photographs.
const CACHE = "/cache/warplens";
const unpacked = (response) => new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
// The program waits for the compiled code, so it comes last.
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

// Keeps the page for the next time, after all files for this time have come. Without https there are no service workers.
async function keep_for_offline(build) {
  if (navigator.serviceWorker) await navigator.serviceWorker.register(`offline.js?build=${build}`, {updateViaCache: "none"});
}

async function begin() {
  const missing = what_is_missing();
  if (missing) return stop(`This browser has no ${missing}, which WarpLens needs: take a newer one, or allow it in its settings.`);
  if (location.protocol === "file:") return stop("WarpLens comes from a web server, also from one on this machine: python3 -m http.server in its folder is one.");
  if (is_to_be_isolated()) {
    await load_again_isolated().catch((error) => console.warn(`WarpLens does without threads: ${error.message}`));
  } else if (crossOriginIsolated) {
    sessionStorage.removeItem(TRIED);  // a page that was loaded without its service worker may try again
  }
  document.getElementById("canvas").addEventListener("contextmenu", (event) => event.preventDefault());
  const served = await Served.find();
  const memory = shared_memory();
  const name = memory ? "threads" : "plain", build = BUILDS[name];
  const [fetched] = await Promise.all([fetch(`${build.folder}warplens.wasm`), bring_script(`${build.folder}warplens.js`)]);
  if (!fetched.ok) return stop(`The program did not come (${fetched.status}). Load the page again: if it still does not, the folder on the server is not whole.`);
  const keys = new Keys();
  const warplens = await makeWarpLens({
    canvas: document.getElementById("canvas"),
    ...memory && {wasmMemory: memory, workers: FIRST_WORKERS},
    print: (line) => console.log(line),
    printErr: (line) => console.warn(line),
    instantiateWasm(imports, ready) {
      WebAssembly.instantiateStreaming(counted(fetched, build.bytes), imports)
        .then((made) => ready(made.instance, made.module))
        .catch((error) => stop(`WarpLens did not start: ${error.message}`));
      return {};
    },
    onAbort: (why) => stop(`WarpLens ended: ${why}. Load the page again.`),
  });
  says.textContent = "WarpLens begins.";
  const kept = new Kept(warplens.FS), files = new Files(warplens.FS);
  await kept.load();
  served?.begin(warplens.FS);
  files.served = served;
  files.hearDrops(document.body);
  warplens.page = files;
  globalThis.warplens = warplens;  // for the browser's developer tools, and for tests/web
  files.keys = keys;
  // Opens the page as if for the first time, without the state of its link.
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
  // The user opens another link in the page that is already open.
  addEventListener("hashchange", () => { if (location.hash.startsWith(LINK)) files.dropped.push(location.hash); });
  // A link, or the last state, may open a lesson, which needs all its files at once.
  const opens = !first_time || words.some((word) => word.startsWith(LINK));
  if (opens) await bring_later(warplens.FS);
  warplens.callMain(words);
  requestAnimationFrame(() => { loading.hidden = true; });
  served?.follow((link) => files.dropped.push(link));
  const rest = opens ? Promise.resolve() : bring_later(warplens.FS);
  // Started earlier, they would take processor time from the first picture.
  const more_workers = () => memory && add_workers(warplens.PThread, OTHER_WORKERS + Math.min(navigator.hardwareConcurrency, MOST_CORES));
  rest.finally(more_workers).then(() => keep_for_offline(name)).catch((error) => console.warn(`WarpLens will not be here offline: ${error.message}`));
  document.getElementById("canvas").focus();
}

begin().catch((error) => stop(`WarpLens did not start: ${error.message}`));
