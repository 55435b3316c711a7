// The page where students join a class, or come back.
"use strict";

const the = (id) => document.getElementById(id);

async function post(path, body) {
  const came = await fetch(`/api/${path}`, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  const said = await came.json();
  if (!came.ok) throw new Error(said.error);
  return said;
}

async function show(resume_code) {
  const came = await fetch("/api/me");
  the("outside").hidden = came.ok;
  the("inside").hidden = !came.ok;
  if (!came.ok) return;
  const me = await came.json();
  the("hello").textContent = `${me.class}: ${me.name}`;
  the("own").hidden = !resume_code;
  the("resume_code").textContent = resume_code || "";
  the("window").hidden = !me.has_window;
  the("no_window").hidden = me.has_window;
}

for (const path of ["join", "resume"]) {
  the(path).addEventListener("submit", async (event) => {
    event.preventDefault();
    the("problem").textContent = "";
    try {
      const said = await post(path, Object.fromEntries(new FormData(event.target)));
      await show(said.resume_code);
    } catch (error) {
      the("problem").textContent = error.message;
    }
  });
}
the("leave").addEventListener("click", async () => {
  await post("leave", {});
  await show();
});
show();
