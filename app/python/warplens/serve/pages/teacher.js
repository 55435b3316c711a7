// The teacher's page: it shows what the server says after each change, and sends the teacher's commands.
"use strict";

const the = (id) => document.getElementById(id);
let room = {}, stream = null;

async function post(path, body) {
  const came = await fetch(`/api/teacher/${path}`,
                           {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  const said = await came.json();
  if (!came.ok) throw new Error(said.error);
  return said;
}

// Whatever students typed is shown as text.
function made(name, text, ...children) {
  const element = document.createElement(name);
  element.textContent = text;
  element.append(...children);
  return element;
}

function bar(label, count, most) {
  const amount = document.createElement("progress");
  amount.max = most;
  amount.value = count;
  const row = made("div", "", made("span", label), amount, made("span", String(count)));
  row.className = "bar";
  return row;
}

function bars(into, counts, most) {
  into.replaceChildren(...counts.map(([label, count]) => bar(label, count, most)));
}

function words(place) {
  return place.challenge || [place.lesson, place.step].filter(Boolean).join(" · ") || "has just joined";
}

function button(text, act) {
  const element = made("button", text);
  element.type = "button";
  element.addEventListener("click", () => act().catch(say));
  return element;
}

function row_of(student) {
  const stars = Object.entries(student.stars).map(([name, count]) => `${name} ${count ? "★".repeat(count) : "☆"}`).join(", ");
  const acts = made("td", "", button("New code", () => give_code(student)), button("Delete", () => forget(student)));
  return made("tr", "", made("td", student.name), made("td", words(student.place)), made("td", stars), acts);
}

async function give_code(student) {
  if (!confirm(`Give ${student.name} a new code? The old one and all open pages of this student end.`)) return;
  const said = await post("code", {student: student.id});
  the("code_name").textContent = said.name;
  the("code").textContent = said.resume_code;
  the("new_code").hidden = false;
}

async function forget(student) {
  if (confirm(`Delete everything about ${student.name}?`)) await post("forget", {student: student.id});
}

function verdict(one) {
  if (one.right === null || one.right === undefined) return one.message ? `not judged: ${one.message}` : "is judged";
  return one.right ? "★".repeat(one.stars) || "right" : `${one.reason}: ${one.message}`;
}

function show(state) {
  room = state.room;
  the("title").textContent = state.class;
  the("count").textContent = state.students.length === 1 ? "1 student" : `${state.students.length} students`;
  the("reveal").disabled = !room.to?.step || room.reveal;
  the("reveal").setAttribute("aria-pressed", String(room.reveal));
  the("lock").setAttribute("aria-pressed", String(room.locked));
  the("lock").textContent = room.locked ? "Unlock answers" : "Lock answers";
  the("state").textContent = [room.to && `Everybody is asked to go to ${words(room.to)}.`,
                              room.reveal && "Its answers are shown.", room.locked && "Answers are locked.",
                              room.message && `“${room.message}” is shown.`].filter(Boolean).join(" ");
  const places = new Map();
  for (const student of state.students) places.set(words(student.place), (places.get(words(student.place)) || 0) + 1);
  bars(the("places"), [...places].sort((one, other) => other[1] - one[1]), state.students.length);
  the("question").textContent = state.question || "";
  const tally = state.tallies[state.question] ?? [];
  bars(the("tally"), tally.map((one) => [`${one.answer}${one.correct ? " ✓" : ""}`, one.count]),
       tally.reduce((sum, one) => sum + one.count, 0));
  the("wrong").textContent = state.commonest_wrong === null ? "" : `The commonest wrong answer: ${state.commonest_wrong}`;
  the("students").replaceChildren(...state.students.map(row_of));
  the("hand_ins").replaceChildren(...state.hand_ins.slice().reverse().map((one) =>
    made("tr", "", made("td", one.student), made("td", one.challenge), made("td", verdict(one)))));
}

function say(error) {
  the("problem").textContent = error ? error.message : "";
}

function listen() {
  const names = the("names").checked ? "?names=1" : "";
  stream?.close();
  stream = new EventSource(`/api/teacher/live${names}`);
  stream.addEventListener("message", (event) => { say(); show(JSON.parse(event.data)); });
  stream.addEventListener("error", () => say(new Error("The server does not answer. This page tries again by itself.")));
  the("csv").href = `/api/teacher/class.csv${names}`;
  the("zip").href = `/api/teacher/class.zip${names}`;
}

function on(id, kind, act) {
  the(id).addEventListener(kind, (event) => {
    event.preventDefault();
    act(event).catch(say);
  });
}

on("lead", "submit", async (event) => {
  const {lesson, step} = Object.fromEntries(new FormData(event.target));
  if (!lesson.trim()) throw new Error("Name a lesson, as who_am_i: warplens lessons list shows them.");
  await post("room", {to: step.trim() ? {lesson: lesson.trim(), step: step.trim()} : {lesson: lesson.trim()}});
});
on("tell", "submit", (event) => post("room", {message: new FormData(event.target).get("message")}));
on("free", "click", () => post("room", {to: null}));
on("reveal", "click", () => post("room", {reveal: true}));
on("lock", "click", () => post("room", {locked: !room.locked}));
on("quiet", "click", () => post("room", {message: ""}));
the("names").addEventListener("change", listen);

// The link's token is after #, which is sent to no server. It is taken out of the address: the projector would show it.
async function enter() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (token) await post("enter", {token});
  const came = await fetch("/api/teacher/class");
  if (!came.ok) throw new Error("Open the teacher's link that warplens serve printed.");
  the("inside").hidden = false;
  listen();
}

enter().catch(say);
