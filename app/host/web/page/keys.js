// Keys and the clipboard: the browser's own keys stay the browser's, and those of the program are not its.
"use strict";

// Tabs, reloading, zooming, the address, its tools. The program has other keys for what has these on a desktop.
const BROWSERS_KEYS = [
  /^(F5|F11|F12)$/, /^Ctrl\+[0-9]$/, /^Ctrl\+[-+=]$/, /^Ctrl\+Shift\+[+=]$/, /^Ctrl\+(Shift\+)?(t|n|w|r|q)$/i, /^Ctrl\+l$/,
  /^Ctrl\+(Shift\+)?Tab$/, /^Ctrl\+Shift\+[ijc]$/i, /^Alt\+(ArrowLeft|ArrowRight|Home|[0-9]|d)$/,
];

function name_of_key(event) {
  const held = [event.ctrlKey && "Ctrl", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
  return [...held, event.key].join("+");
}

class Keys {
  constructor() {
    this.pasted = "";
    // Before the program hears them.
    for (const kind of ["keydown", "keyup"]) addEventListener(kind, (event) => this.hear(event), true);
    document.addEventListener("paste", (event) => { this.pasted = event.clipboardData.getData("text"); });
  }

  hear(event) {
    if (event.metaKey || BROWSERS_KEYS.some((pattern) => pattern.test(name_of_key(event)))) {
      event.stopImmediatePropagation();
      return;
    }
    // What is pasted comes by an event that follows the key's own.
    const pastes = event.ctrlKey && event.key.toLowerCase() === "v" || event.shiftKey && event.key === "Insert";
    if (!pastes && (event.ctrlKey || event.altKey || /^F[0-9]+$/.test(event.key))) event.preventDefault();
  }

  copy(text) {
    this.pasted = text;  // what is pasted next, where the browser tells the page of no other
    if (navigator.clipboard) return void navigator.clipboard.writeText(text).catch(() => this.copy_by_selection(text));
    this.copy_by_selection(text);
  }

  // Without https there is no other way.
  copy_by_selection(text) {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    document.getElementById("canvas").focus();
  }
}
