// A service worker. It keeps the page for use without a network, and isolates it from other pages: only isolated pages may
// use threads. Browsers allow service workers for pages with https and for pages of the same machine.
// tools/webpage/folder.py writes the version and its files here, each with its hash. All files except the page itself are in
// a folder that is named after the version, so that no page ever gets files of two versions.
"use strict";

const VERSION = "@VERSION@";
const FILES = {/*FILES*/};
const PAGE = "./";
const OURS = `warplens ${registration.scope} `;
const KEPT = OURS + VERSION;
// It keeps the build that the page runs. "none" means that it only isolates the page, so that it is ready at once.
const BUILDS = ["plain", "threads"];
const BUILD = new URL(location).searchParams.get("build");
const ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"};
// After this time without an answer, the page is opened as if there were no network.
const PATIENCE_MS = 4000;

function is_wanted(name) {
  return !BUILDS.some((build) => build !== BUILD && name.startsWith(`${VERSION}/${build}/`));
}

// Keeps all files or none: fetch() fails for a file with other bytes than this version's. The page comes last.
async function keep_all() {
  const kept = await caches.open(KEPT);
  try {
    for (const [name, integrity] of Object.entries(FILES)) {
      if (!is_wanted(name) || await kept.match(name)) continue;
      const came = await fetch(name, {integrity, cache: name === PAGE ? "no-cache" : "default"});
      if (!came.ok) throw new Error(`${name} did not come (${came.status})`);
      await kept.put(name, came);
    }
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
}

async function install() {
  if (BUILD !== "none") await keep_all();
  await skipWaiting();
}

async function our_caches() {
  return (await caches.keys()).filter((name) => name.startsWith(OURS));
}

async function forget_others() {
  if (BUILD === "none") return;
  for (const name of await our_caches()) if (name !== KEPT) await caches.delete(name);
}

// Finds a file of this version, or else of an earlier one. A file's address contains its version.
async function kept(name) {
  const names = await our_caches();
  names.sort((one, other) => (other === KEPT) - (one === KEPT));
  for (const cache of names) {
    const found = await (await caches.open(cache)).match(name, {ignoreSearch: true});
    if (found) return found;
  }
  return undefined;
}

function isolated(answer) {
  if (answer.type === "error" || answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(ISOLATED)) headers.set(name, value);
  return new Response(answer.body, {status: answer.status, statusText: answer.statusText, headers});
}

// Gives the server's page, so that a newer version is used at once. Without a network, it gives the page that is kept.
async function page(request) {
  const given_up = new AbortController();
  const patience = setTimeout(() => given_up.abort(), PATIENCE_MS);
  try {
    const came = await fetch(request.url, {signal: given_up.signal, cache: "no-cache"});
    if (came.status < 500) return isolated(came);
  } catch { /* no network, or none that answers */ } finally {
    clearTimeout(patience);
  }
  return isolated(await kept(PAGE) || Response.error());
}

// Scripts of workers must be isolated too.
async function file(request) {
  return isolated(await kept(request.url) || await fetch(request));
}

function is_page(url) {
  return url.origin + url.pathname === registration.scope || url.origin + url.pathname === `${registration.scope}index.html`;
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(forget_others()));
addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  if (request.mode !== "navigate") return event.respondWith(file(request));
  if (is_page(new URL(request.url))) event.respondWith(page(request));
});
