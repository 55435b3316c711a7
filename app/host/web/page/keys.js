// Keys and the clipboard. The browser keeps its own keys, and does not get those of the program.
"use strict";

// The browser's keys: tabs, reload, zoom, address, developer tools. For desktop commands with these keys the page has others.
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
    this.typed = [];
    this.hearScreen();
    // The page gets the events before the program does.
    for (const kind of ["keydown", "keyup"]) addEventListener(kind, (event) => this.hear(event), true);
    document.addEventListener("paste", (event) => { this.pasted = event.clipboardData.getData("text"); });
  }

  hear(event) {
    if (event.metaKey || BROWSERS_KEYS.some((pattern) => pattern.test(name_of_key(event)))) {
      event.stopImmediatePropagation();
      return;
    }
    // The pasted text comes with an event of its own, after the key's event.
    const pastes = event.ctrlKey && event.key.toLowerCase() === "v" || event.shiftKey && event.key === "Insert";
    if (!pastes && (event.ctrlKey || event.altKey || /^F[0-9]+$/.test(event.key))) event.preventDefault();
  }

  // A touch screen shows its keyboard for an element that takes text. Typed text comes as changes of that element, mostly
  // without key events. The element always holds one letter; otherwise Backspace would change nothing.
  hearScreen() {
    const field = document.getElementById("keyboard");
    let heard = false;  // the program itself got it as a key
    this.touched = false;
    addEventListener("pointerdown", (event) => { this.touched = event.pointerType === "touch"; }, true);
    addEventListener("keypress", () => { heard = true; }, true);
    addEventListener("keydown", (event) => { heard = event.key === "Backspace"; }, true);
    const clear = () => { field.value = "-"; };
    field.addEventListener("input", (event) => {
      if (event.isComposing) return;
      if (!heard) this.typed.push(event.inputType.startsWith("delete") ? "\b" : event.data || "");
      heard = false;
      clear();
    });
    field.addEventListener("compositionend", (event) => {
      this.typed.push(event.data);
      clear();
    });
    clear();
  }

  wantText(wanted) {
    const field = document.getElementById("keyboard"), shown = document.activeElement === field;
    if (wanted && this.touched && !shown) field.focus({preventScroll: true});
    if (!wanted && shown) document.getElementById("canvas").focus();
  }

  copy(text) {
    this.pasted = text;  // pasted next, unless the browser reports another text
    if (navigator.clipboard) return void navigator.clipboard.writeText(text).catch(() => this.copy_by_selection(text));
    this.copy_by_selection(text);
  }

  // The only way on a page without https.
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
