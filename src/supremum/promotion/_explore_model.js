"use strict";
// The explorer. All of its data is in the page; the state is in the fragment of its address. Types, systems and functions are
// known by name in the state, and by their position in the data elsewhere.

const data = JSON.parse(document.getElementById("data").textContent);
const types = data.types, systems = data.systems, functions = data.functions;
const typeOf = new Map(types.map((type, i) => [type.name, i]));
const systemOf = new Map(systems.flatMap((system) => [system.name, ...system.others].map((name) => [name, system])));
const functionOf = new Map(functions.names.map((one) => [one.name, one]));
for (const system of systems) system.at = new Map(system.types.map((type, i) => [type, i]));

const KINDS = { b: "bool", u: "unsigned integer", i: "signed integer", f: "float", c: "complex" };
const PYTHON = { i: "int", f: "float", c: "complex" };
const SCALARS = {
  weak: "Python scalars promote by their kind, never by their value.",
  range: "Python scalars promote by their kind, and have to fit the dtype.",
  exact: "Python scalars promote by their kind, and have to be numbers of the dtype.",
  none: "Python scalars have to be cast.",
};
const COMMON_FUNCTIONS = ["sin", "divide", "mean", "sum", "argmax", "linalg.norm", "fft.fft", "cumulative_sum", "clip"];

// -- building elements ---------------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "rect", "text", "title"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined));
  return made;
}

const kindOf = (type) => ("buifc".includes(type.kind) ? type.kind : "q");
const chip = (i) => element("span", { class: `t ${kindOf(types[i])}${types[i].weak ? " weak" : ""}` }, types[i].name);
const describe = (type) => {
  if (type.weak && !type.bits) return `weak type of Python's ${PYTHON[type.kind]}`;
  const kind = KINDS[type.kind] || "type without arrays";
  return `${type.weak ? "weak " : ""}${kind}${type.kind === "b" || !type.bits ? "" : `, ${type.bits} bit${type.bits > 1 ? "s" : ""}`}`;
};
const fill = (text, words) => text.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole);
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// -- the rule of a system ------------------------------------------------------------------------------------------------

/** Return the type that a system has for a type, such as int64* for int*; undefined if it has none. */
const ownType = (system, type) => (system.at.has(type) ? type : system.own[type]);

/** Return the common type of two types, or {refusal} for an error, or {lacks} for types that the system does not have. */
function promote(system, a, b) {
  const lacks = [a, b].filter((type) => ownType(system, type) === undefined);
  if (lacks.length) return { lacks: [...new Set(lacks)] };
  const cell = system.cells[system.at.get(ownType(system, a))][system.at.get(ownType(system, b))];
  if (cell >= 0) return { type: cell };
  return { refusal: fill(system.refusals[-1 - cell], { a: types[a].name, b: types[b].name }) };
}

/** Return the shortest path up the edges of a layout, both ends included; null if there is none. */
function path(layout, from, to) {
  const cameFrom = new Map([[from, null]]), queue = [from];
  while (queue.length && !cameFrom.has(to)) {
    const node = queue.shift();
    for (const [low, high] of layout.edges) {
      if (low === node && !cameFrom.has(high)) {
        cameFrom.set(high, node);
        queue.push(high);
      }
    }
  }
  if (!cameFrom.has(to)) return null;
  const found = [];
  for (let node = to; node !== null; node = cameFrom.get(node)) found.unshift(node);
  return found;
}

/** Return the types above a type, itself included. */
function above(layout, from) {
  const found = new Set([from]);
  for (const node of found) for (const [low, high] of layout.edges) if (low === node) found.add(high);
  return found;
}

const sameAnswer = (one, other) => one.type === other.type && Boolean(one.refusal) === Boolean(other.refusal);

/** Return the pairs of types that two systems promote differently; a pair is listed once if both orders differ equally. */
function differences(first, second, all) {
  const shared = shown(first, all).filter((type) => ownType(second, type) !== undefined), found = new Map();
  for (const a of shared) {
    for (const b of shared) {
      const ours = promote(first, a, b), theirs = promote(second, a, b), before = found.get(`${b} ${a}`);
      if (sameAnswer(ours, theirs)) continue;
      if (before && sameAnswer(before.ours, ours) && sameAnswer(before.theirs, theirs)) continue;
      found.set(`${a} ${b}`, { a, b, ours, theirs });
    }
  }
  return { shared, found: [...found.values()] };
}

const shown = (system, all) => system.types.filter((type) => all || types[type].common);

// -- the state, which is the fragment of the address ---------------------------------------------------------------------

const KEYS = {
  types: ["system", "a", "b"],
  systems: ["system", "with", "a", "b"],
  function: ["function", "system", "a", "base"],
};
const START = { view: "types", system: "jax", a: "int8", b: "uint8", with: "numpy", function: "sin", base: "jax", all: false };
const KNOWN = { system: systemOf, with: systemOf, base: systemOf, a: typeOf, b: typeOf, function: functionOf };
const WORDS = { system: "system", with: "system", base: "system", a: "type", b: "type", function: "function" };
let state = { ...START }, before = null;

function read() {
  const given = new URLSearchParams(location.hash.slice(1)), unknown = [];
  const next = { ...START, all: given.get("all") === "1" };
  if (given.has("view") && KEYS[given.get("view")]) next.view = given.get("view");
  else if (given.get("view")) unknown.push(`view “${given.get("view")}”`);
  for (const [key, known] of Object.entries(KNOWN)) {
    if (!given.has(key)) continue;
    if (known.has(given.get(key))) next[key] = given.get(key);
    else if (given.get(key)) unknown.push(`${WORDS[key]} “${given.get(key)}”`);
  }
  if (given.has("a") && next.view === "types" && !given.has("b")) next.b = "";
  state = completed(next);
  $("notice").textContent = unknown.length ? `The address names what is not here: ${listed(unknown)}.` : "";
}

/** Return a state that has the first names of systems, and shows the narrow types if one of them is chosen. */
function completed(next) {
  const first = (key) => systemOf.get(next[key]).name;
  const narrow = [next.a, next.view === "function" ? "" : next.b].some((name) => name && !types[typeOf.get(name)].common);
  return { ...next, system: first("system"), with: first("with"), base: first("base"), all: next.all || narrow };
}

function fragment() {
  const words = new URLSearchParams({ view: state.view });
  for (const key of KEYS[state.view]) if (state[key]) words.set(key, state[key]);
  if (state.all) words.set("all", "1");
  return `#${words}`;
}

/** Change the state and show it; a change of the view, a system or the function is a step in the browser's history. */
function change(changes) {
  const step = ["view", "system", "with", "function"].some((key) => key in changes && changes[key] !== state[key]);
  const dropped = changes.all === false ? withoutNarrow(changes) : {};
  state = completed({ ...state, ...changes, ...dropped });
  history[step ? "pushState" : "replaceState"](null, "", fragment());
  $("notice").textContent = "";
  show();
}

/** Return common types in the place of chosen narrow ones, which would keep the narrow types shown. */
function withoutNarrow(changes) {
  const found = {};
  for (const key of ["a", "b"]) {
    const name = changes[key] ?? state[key];
    if (name && !types[typeOf.get(name)].common) found[key] = START[key];
  }
  return found;
}

/** Choose a type of the lattice: the first click chooses the first type, the next one the second. */
function choose(type) {
  const name = types[type].name;
  if (state.b === "") {
    before = null;
    change({ b: name });
  } else {
    before = { a: state.a, b: state.b };
    change({ a: name, b: "" });
  }
}

// For consoles and tests.
window.explorer = { data, differences, functionOf, path, promote, systemOf, typeOf };
