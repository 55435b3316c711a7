'use strict';
// Steps through the trace that is in the element #trace. Step k is shown as it left the block: the line that it ran,
// the values behind it, and what it read and wrote.
const data = JSON.parse(document.getElementById('trace').textContent);
const steps = data.steps, lanesOfWarp = 32, keep = 64;
const byId = (id) => document.getElementById(id);
const make = (tag, words, name) => {
  const made = document.createElement(tag);
  if (words !== undefined) made.textContent = words;
  if (name) made.className = name;
  return made;
};
const bit = (mask, lane) => ((mask >>> lane) & 1) !== 0;
const lanesOf = (mask) => [...Array(lanesOfWarp).keys()].filter((lane) => bit(mask, lane));
const show = { step: 0, lane: null, ptx: data.source.length === 0, timer: null };

// "0-3, 7"
function rangeWords(list) {
  const parts = [];
  for (let i = 0; i < list.length; ++i) {
    const first = i;
    while (i + 1 < list.length && list[i + 1] === list[i] + 1) ++i;
    parts.push(first === i ? `${list[i]}` : `${list[first]}-${list[i]}`);
  }
  return parts.join(', ');
}
function laneWords(mask) {
  const list = lanesOf(mask);
  if (list.length === lanesOfWarp) return 'all lanes';
  return (list.length === 1 ? 'lane ' : 'lanes ') + rangeWords(list);
}

// --- the state behind a step: what each step changed, applied one after the other
function emptyState() {
  const warps = [];
  for (let w = 0; w < data.warps; ++w) warps.push({ rows: new Map(), order: [], last: -1 });
  return { warps, arrays: data.arrays.map((array) => array.values) };
}
function copyOf(state) {
  return {
    warps: state.warps.map((warp) => ({ rows: new Map(warp.rows), order: warp.order, last: warp.last })),
    arrays: state.arrays.slice(),
  };
}
function apply(state, index) {
  const step = steps[index], warp = state.warps[step.w];
  warp.last = index;
  for (const [id, scope, has, texts, unset, lost] of step.r || []) warp.rows.set(id, { scope, has, texts, unset, lost });
  if (step.k) warp.order = step.k;
  for (const [array, cells] of step.m || []) {
    const values = state.arrays[array].slice();
    for (const [at, text] of cells) values[at] = text;
    state.arrays[array] = values;
  }
}
const kept = [emptyState()];  // the state before step 0, keep, 2 * keep …
function stateAt(index) {
  while (kept.length <= Math.floor(index / keep)) {
    const next = copyOf(kept[kept.length - 1]);
    for (let i = (kept.length - 1) * keep; i < kept.length * keep; ++i) apply(next, i);
    kept.push(next);
  }
  const from = Math.floor(index / keep);
  const state = copyOf(kept[from]);
  for (let i = from * keep; i <= index; ++i) apply(state, i);
  return state;
}
function textIn(row, lane) {
  if (!bit(row.has, lane)) return null;
  return typeof row.texts === 'string' ? row.texts : row.texts[lanesOf(row.has).indexOf(lane)];
}

// --- parts of the page
function fillCode() {
  const lines = show.ptx ? data.ptx : data.source, box = byId('lines');
  byId('codename').textContent = show.ptx ? 'PTX' : data.source_name;
  byId('ptx').hidden = data.source.length === 0 || data.ptx.length === 0;
  byId('ptx').setAttribute('aria-pressed', show.ptx);
  box.replaceChildren();
  lines.forEach((text, i) => {
    const line = make('div', undefined, 'src');
    line.append(make('b', String(i + 1)), make('span', text), make('i'));
    box.append(line);
  });
}
const lineOf = (place) => (show.ptx ? place.p : place.f ? 0 : place.s);
function showCode(step, state) {
  const box = byId('lines'), marks = new Map();
  const mark = (line, words) => line > 0 && marks.set(line, (marks.has(line) ? marks.get(line) + '; ' : '') + words);
  for (const path of step.q || []) mark(lineOf(path), `${laneWords(path.l)} ${path.x ? 'wait' : 'are here'}`);
  const others = new Map();
  state.warps.forEach((warp, w) => {
    if (w === step.w || warp.last < 0 || steps[warp.last].e) return;
    const line = lineOf(steps[warp.last]);
    others.set(line, [...(others.get(line) || []), w]);
  });
  for (const [line, warps] of others) mark(line, `warp${warps.length === 1 ? '' : 's'} ${rangeWords(warps)}`);
  const here = lineOf(step);
  [...box.children].forEach((line, i) => {
    line.className = 'src' + (i + 1 === here ? ' here' : marks.has(i + 1) ? ' waits' : '');
    line.lastChild.textContent = marks.get(i + 1) || '';
  });
  const now = box.children[here - 1];
  if (now && (now.offsetTop < box.scrollTop + 30 || now.offsetTop > box.scrollTop + box.clientHeight - 60))
    box.scrollTop = now.offsetTop - box.clientHeight / 2;
  const names = (step.c || []).map(([id]) => data.variables[id][1]);
  let words = `${step.n} instruction${step.n === 1 ? '' : 's'} of warp ${step.w}, ${laneWords(step.l)}`;
  if (step.f) words += `, in ${step.f}:${step.s}`;
  if (step.t) words += `: ${step.t.replace(/;$/, '')}`;
  byId('did').textContent = words + (names.length ? `. Changed: ${names.join(', ')}.` : '.');
}
function warpWords(step) {
  if (step.e) return 'finished';
  if (step.z) return step.z;
  return step.s ? `at line ${step.s}` : `at PTX line ${step.p}`;
}
function showWarps(step, state) {
  const box = byId('warps');
  box.replaceChildren();
  const first = Math.max(0, Math.min(step.w - 3, data.warps - 8));
  for (let w = first; w < Math.min(first + 8, data.warps); ++w) {
    const last = state.warps[w].last, ran = last < 0 ? null : steps[last];
    const row = make('div', undefined, 'warp' + (w === step.w ? ' now' : ''));
    const squares = make('div', undefined, 'squares');
    const there = w === data.warps - 1 ? data.threads_of_last : lanesOfWarp;
    for (let lane = 0; lane < lanesOfWarp; ++lane) {
      const active = w === step.w && bit(step.l, lane);
      const gone = lane >= there || (ran && ran.e);
      const square = make('u', undefined, gone ? 'gone' : active ? 'on' : 'off');
      if (w === step.w && lane === show.lane) square.className += ' lane';
      square.title = `warp ${w}, lane ${lane}`;
      square.addEventListener('click', () => choose(lane));
      squares.append(square);
    }
    row.append(make('span', String(w)), squares, make('em', ran ? warpWords(ran) : 'has not run yet'));
    box.append(row);
  }
  if (data.warps > 8) box.append(make('p', `Warps ${first} to ${first + 7} of ${data.warps}.`));
  byId('paths').textContent = (step.q || []).map((path) => path.d).join('\n');
}
function choose(lane) {
  show.lane = show.lane === lane ? null : lane;
  draw();
}
function showValues(step, state) {
  const table = byId('values'), warp = state.warps[step.w];
  byId('valuetitle').textContent = `${data.by === 'lines' ? 'Variables' : 'Registers'} of warp ${step.w}`;
  table.replaceChildren();
  const changed = new Map(step.c || []);
  const head = make('tr');
  head.append(make('th', 'lane'));
  for (let lane = 0; lane < lanesOfWarp; ++lane) {
    const cell = make('th', String(lane), lane === show.lane ? 'lane' : '');
    cell.addEventListener('click', () => choose(lane));
    head.append(cell);
  }
  const top = make('thead'), body = make('tbody');
  top.append(head);
  let group = '';
  for (const id of warp.order) {
    const row = warp.rows.get(id), [of, name, type] = data.variables[id];
    if (of !== group) {
      const line = make('tr', undefined, 'group'), cell = make('th', of || 'of the function');
      cell.colSpan = lanesOfWarp + 1;
      line.append(cell);
      body.append(line);
      group = of;
    }
    const line = make('tr'), label = make('th', name);
    label.append(make('small', type));
    label.title = `${type} ${name}`;
    line.append(label);
    const lit = changed.get(id) || 0;
    if (typeof row.texts === 'string' && row.has !== 0 && row.has === row.scope && lanesOf(row.has).length > 1) {
      const where = row.has === -1 || row.has === 0xffffffff ? 'all lanes' : laneWords(row.has);
      const cell = make('td', `${row.texts} in ${where}`, 'same' + (lit ? ' changed' : ''));
      cell.colSpan = lanesOfWarp;
      line.append(cell);
    } else if (row.has === 0) {
      const why = row.lost ? 'the compiler kept no place for it' : row.unset ? 'not yet set' : 'cannot be read';
      const cell = make('td', why, 'none same');
      cell.colSpan = lanesOfWarp;
      line.append(cell);
    } else {
      for (let lane = 0; lane < lanesOfWarp; ++lane) {
        const text = textIn(row, lane);
        const cell = make('td', text === null ? (bit(row.scope, lane) ? '·' : '') : text, text === null ? 'none' : '');
        if (text === null && bit(row.scope, lane))
          cell.title = bit(row.unset, lane) ? 'not yet set' : bit(row.lost, lane) ? 'no place kept' : 'cannot be read';
        if (bit(lit, lane)) cell.className += ' changed';
        if (lane === show.lane) cell.className += ' lane';
        line.append(cell);
      }
    }
    body.append(line);
  }
  if (warp.order.length === 0) {
    const line = make('tr');
    line.append(make('th', data.why || 'nothing is in scope'));
    body.append(line);
  }
  table.append(top, body);
}
function showArrays(step, state) {
  const box = byId('arrays');
  box.replaceChildren();
  data.arrays.forEach((array, number) => {
    const extents = array.extents.map((extent) => `[${extent}]`).join('');
    box.append(make('h2', `__shared__ ${array.element} ${array.name}${extents}`, 'plain'));
    const grid = make('div', undefined, 'cells grid');
    const columns = array.extents.length > 1 ? array.extents[array.extents.length - 1] : Math.min(16, array.cells);
    grid.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
    const touched = (write) => new Set((step.a || []).filter((a) => a.n === number && (a.v !== 'reads') === write)
      .flatMap((a) => a.o.map((offset) => Math.floor(offset / array.bytes))));
    const written = touched(true), read = touched(false);
    state.arrays[number].forEach((text, at) => {
      const cell = make('span', text, (written.has(at) ? 'written ' : '') + (read.has(at) ? 'read' : ''));
      cell.title = `${array.name}[${at}]`;
      grid.append(cell);
    });
    box.append(grid);
    if (array.left_out) box.append(make('p', `${array.left_out} further elements are not in this page.`));
  });
}

// --- accesses: 32 lanes above, the sectors or banks that they use below
function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
function drawAccess(access) {
  const width = 640, lanes = lanesOf(access.l), shared = access.sp === 'shared';
  const unitOf = (offset) => (shared ? Math.floor((offset + access.base) / 4) % 32 : Math.floor((offset + access.base) / 32));
  const units = shared ? [...Array(32).keys()] : [...new Set(access.o.map(unitOf))].sort((a, b) => a - b);
  const picture = svg('svg', { viewBox: `0 0 ${width} 92`, role: 'img', 'aria-label': access.d });
  const step = width / 32, unitStep = width / Math.max(units.length, 8);
  const box = (x, y, w, lit, words) => {
    picture.append(svg('rect', { x: x + 1, y, width: w - 2, height: 16, rx: 2, fill: lit ? 'var(--tint)' : 'var(--raised)',
      stroke: lit ? 'var(--accent)' : 'var(--line)' }));
    const text = svg('text', { x: x + w / 2, y: y + 11, 'text-anchor': 'middle' });
    text.textContent = words;
    picture.append(text);
  };
  const used = new Set(access.o.map(unitOf));
  lanes.forEach((lane, i) => {
    const at = units.indexOf(unitOf(access.o[i]));
    picture.append(svg('line', { x1: lane * step + step / 2, y1: 20, x2: at * unitStep + unitStep / 2, y2: 70,
      stroke: lane === show.lane ? 'var(--text)' : 'var(--accent)', 'stroke-width': lane === show.lane ? 2 : 1 }));
  });
  for (let lane = 0; lane < 32; ++lane) box(lane * step, 4, step, bit(access.l, lane), String(lane));
  units.forEach((unit, i) => {
    if (unitStep >= 18 || i % 2 === 0 || !shared)
      box(i * unitStep, 70, unitStep, used.has(unit), unitStep < 26 && !shared ? '' : String(shared ? unit : unit * 32 - access.base));
  });
  return picture;
}
function showAccesses(step) {
  const box = byId('accesses'), all = step.a || [];
  byId('accesstitle').hidden = all.length === 0;
  box.replaceChildren();
  for (const access of all) {
    const part = make('div', undefined, 'access');
    part.append(make('p', `${access.d}${access.c ? ` — ${access.c}` : ''}`));
    if (access.o.length) part.append(drawAccess(access));
    box.append(part);
  }
}

// Brighter where more lanes are active; a tick where a warp comes to wait.
function drawCourse() {
  const canvas = byId('course'), width = (canvas.width = canvas.clientWidth || 600), height = (canvas.height = 14);
  const brush = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
  brush.fillStyle = style.getPropertyValue('--accent');
  for (let x = 0; x < width; ++x) {
    const from = Math.floor((x * steps.length) / width), to = Math.max(from + 1, Math.floor(((x + 1) * steps.length) / width));
    let most = 0;
    for (let i = from; i < Math.min(to, steps.length); ++i) most = Math.max(most, lanesOf(steps[i].l).length);
    brush.globalAlpha = 0.15 + (0.85 * most) / 32;
    brush.fillRect(x, height - 2 - (most / 32) * (height - 4), 1, 2 + (most / 32) * (height - 4));
  }
}

// --- moving
function draw() {
  if (steps.length === 0) return;
  const step = steps[show.step], state = stateAt(show.step);
  byId('slider').value = show.step;
  byId('slider').setAttribute('aria-valuetext', `step ${show.step + 1} of ${steps.length}`);
  byId('where').textContent = `${show.step + 1} of ${steps.length} · position ${step.i}`;
  showCode(step, state);
  showWarps(step, state);
  showValues(step, state);
  showArrays(step, state);
  showAccesses(step);
}
function go(step) {
  show.step = Math.max(0, Math.min(steps.length - 1, step));
  draw();
}
function play(on) {
  clearInterval(show.timer);
  show.timer = on ? setInterval(() => {
    if (show.step + 1 >= steps.length) play(false);
    else go(show.step + 1);
  }, 500) : null;
  byId('play').textContent = on ? 'Stop' : 'Play';
  byId('play').setAttribute('aria-pressed', on);
}
function theme(dark) {
  document.documentElement.classList.toggle('dark', dark);
  drawCourse();
}

byId('title').textContent = data.title;
byId('about').textContent = data.about;
byId('end').textContent = data.end;
if (data.fault) byId('end').className = 'fault';
byId('cut').textContent = data.cut;
byId('slider').max = Math.max(0, steps.length - 1);
fillCode();
byId('slider').addEventListener('input', (event) => { play(false); go(Number(event.target.value)); });
byId('first').addEventListener('click', () => go(0));
byId('back').addEventListener('click', () => go(show.step - 1));
byId('on').addEventListener('click', () => go(show.step + 1));
byId('last').addEventListener('click', () => go(steps.length - 1));
byId('play').addEventListener('click', () => play(show.timer === null));
byId('ptx').addEventListener('click', () => { show.ptx = !show.ptx; fillCode(); draw(); });
byId('theme').addEventListener('click', () => theme(!document.documentElement.classList.contains('dark')));
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const moves = { ArrowRight: () => go(show.step + 1), ArrowLeft: () => go(show.step - 1), PageDown: () => go(show.step + 10),
    PageUp: () => go(show.step - 10), Home: () => go(0), End: () => go(steps.length - 1), ' ': () => play(show.timer === null) };
  const move = moves[event.key];
  if (!move || (event.key === ' ' && event.target.tagName === 'BUTTON')) return;
  event.preventDefault();
  move();
});
window.addEventListener('resize', drawCourse);
// A link may name a step: page.html#step=12
const named = /step=(\d+)/.exec(location.hash);
if (/dark/.test(location.hash) || (!/light/.test(location.hash) && matchMedia('(prefers-color-scheme: dark)').matches)) theme(true);
drawCourse();
go(named ? Number(named[1]) - 1 : 0);
