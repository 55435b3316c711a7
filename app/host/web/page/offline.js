// Keeps the page for use without a network: a service worker, which browsers give to pages of https and of this machine.
// tools/webpage/folder.py writes the version and the files of it here, each with its hash. All files but the page itself lie
// in a folder that the version names, so that no page ever gets files of two versions.
"use strict";

const VERSION = "@VERSION@";
const FILES = {/*FILES*/};
const PAGE = "./";
const OURS = `warplens ${registration.scope} `;
const KEPT = OURS + VERSION;
// A network that does not answer for so long is as good as none.
const PATIENCE_MS = 4000;

// All of the files or none: one whose bytes are not those of this version is an error of fetch().
async function keep_all() {
  const kept = await caches.open(KEPT);
  try {
    for (const [name, integrity] of Object.entries(FILES)) {
      const came = await fetch(name, {integrity, cache: name === PAGE ? "no-cache" : "default"});
      if (!came.ok) throw new Error(`${name} did not come (${came.status})`);
      await kept.put(name, came);
    }
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
  await skipWaiting();
}

async function forget_others() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== KEPT) await caches.delete(name);
}

async function kept(name) {
  return (await caches.open(KEPT)).match(name, {ignoreSearch: true});
}

// The server's, so that a newer version is there at once; without a network the one that is kept.
async function page(request) {
  const given_up = new AbortController();
  const patience = setTimeout(() => given_up.abort(), PATIENCE_MS);
  try {
    const came = await fetch(request.url, {signal: given_up.signal, cache: "no-cache"});
    if (came.status < 500) return came;
  } catch { /* no network, or none that answers */ } finally {
    clearTimeout(patience);
  }
  return await kept(PAGE) || Response.error();
}

async function file(request) {
  return await kept(request.url) || fetch(request);
}

function is_page(url) {
  return url.origin + url.pathname === registration.scope || url.origin + url.pathname === `${registration.scope}index.html`;
}

addEventListener("install", (event) => event.waitUntil(keep_all()));
addEventListener("activate", (event) => event.waitUntil(forget_others()));
addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  if (request.mode !== "navigate") return event.respondWith(file(request));
  if (is_page(new URL(request.url))) event.respondWith(page(request));
});
