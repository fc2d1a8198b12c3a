// What the page shows of the state; `_explore_model.js` comes before this in the page.

// -- tables with a cursor ------------------------------------------------------------------------------------------------

/**
 * Show a table whose cells can be chosen by clicks and arrow keys; it is built anew only if its key has changed.
 * `about` has rows and columns with {text, title, weak}, cell(row, column) with {text, kind, label}, and selected.
 */
function grid(host, key, label, about, select) {
  if (host.dataset.key !== key) {
    host.dataset.key = key;
    const head = (one, scope) => element("th", { scope, title: one.title, class: one.weak ? "weak" : null }, one.text);
    const body = about.rows.map((row, r) =>
      element("tr", {}, head(row, "row"), about.columns.map((column, c) => {
        const cell = about.cell(r, c);
        return element("td", { role: "gridcell", class: cell.kind, "aria-label": cell.label, "data-at": `${r} ${c}`, tabindex: -1 }, cell.text);
      })));
    const first = element("tr", {}, element("th", { scope: "col" }, element("span", { hidden: true }, "type")), about.columns.map((one) => head(one, "col")));
    const table = element("table", { role: "grid", "aria-label": label }, element("thead", {}, first), element("tbody", {}, body));
    host.replaceChildren(table);
  }
  const table = host.firstChild, cells = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const selected = about.selected && cells[about.selected[0]]?.[about.selected[1]] ? about.selected : null;
  for (const old of table.querySelectorAll(".on, [aria-selected], [tabindex='0']")) {
    old.classList.remove("on");
    old.removeAttribute("aria-selected");
    if (old.tagName === "TD") old.tabIndex = -1;
  }
  const [r, c] = selected || [0, 0];
  if (cells[r]?.[c]) cells[r][c].tabIndex = 0;
  if (selected) {
    cells[r][c].setAttribute("aria-selected", "true");
    table.tBodies[0].rows[r].cells[0].classList.add("on");
    table.tHead.rows[0].cells[c + 1].classList.add("on");
  }
  if (selected) reveal(host, cells[r][c], cells[r][c].parentNode.cells[0].offsetWidth);
  const place = (event) => event.target.closest("td")?.dataset.at.split(" ").map(Number);
  table.onclick = (event) => {
    const at = place(event);
    if (at) {
      select(...at);
      cells[at[0]][at[1]].focus({ preventScroll: true });
    }
  };
  table.onkeydown = (event) => {
    const at = place(event), last = [cells.length - 1, cells[0].length - 1];
    if (!at || event.altKey || event.metaKey) return;
    const moves = {
      ArrowUp: [at[0] - 1, at[1]], ArrowDown: [at[0] + 1, at[1]], ArrowLeft: [at[0], at[1] - 1], ArrowRight: [at[0], at[1] + 1],
      Home: [event.ctrlKey ? 0 : at[0], 0], End: [event.ctrlKey ? last[0] : at[0], last[1]],
      PageUp: [0, at[1]], PageDown: [last[0], at[1]], Enter: at, " ": at,
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    const [row, column] = to.map((one, axis) => Math.min(Math.max(one, 0), last[axis]));
    select(row, column);
    cells[row][column].focus();
  };
  const readout = $(host.id.replace("table", "readout"));
  table.onmouseover = (event) => {
    const cell = event.target.closest("td");
    if (cell) readout.textContent = cell.getAttribute("aria-label");
  };
  table.onmouseleave = () => { readout.textContent = selected ? cells[r][c].getAttribute("aria-label") : ""; };
  table.onmouseleave();
}

/** Scroll a table sideways if its chosen cell is out of sight, for instance behind the heads of rows. */
function reveal(host, cell, heads) {
  const left = cell.offsetLeft - heads, right = cell.offsetLeft + cell.offsetWidth - host.clientWidth;
  if (host.scrollLeft > left) host.scrollLeft = left;
  else if (host.scrollLeft < right) host.scrollLeft = right + 12;
}

const header = (i) => ({ text: types[i].code, title: types[i].name, weak: types[i].weak });

function legend(host, shownTypes, ...further) {
  const words = shownTypes.map((i) => element("span", { class: types[i].weak ? "weak" : null }, element("b", {}, types[i].code), types[i].name));
  host.replaceChildren(...words, ...further.map(([sign, text]) => element("span", { class: "words" }, element("b", {}, sign), text)));
}

function answerCell(answer, label) {
  if (answer.type === undefined) return { text: "–", kind: "none", label };
  const type = types[answer.type];
  return { text: type.code, kind: `${kindOf(type)}${type.weak ? " weak" : ""}`, label };
}

const answerText = (answer) =>
  answer.type !== undefined ? types[answer.type].name : answer.lacks ? `no such type (${listed(answer.lacks.map((i) => types[i].name))})` : "error";

/** Return a list of answers, each with links to the systems that have it. */
function others(answers, except, choose_) {
  const groups = new Map();
  for (const [system, text] of answers) if (system !== except) groups.set(text, [...(groups.get(text) || []), system]);
  const sorted = [...groups].sort((one, two) => two[1].length - one[1].length);
  return element("dl", { class: "others" }, sorted.map(([text, group]) => [
    element("dt", {}, typeOf.has(text) ? chip(typeOf.get(text)) : text),
    element("dd", {}, group.map((system, i) => element("span", {},
      element("button", { type: "button", class: "link", title: system.title, onclick: () => choose_(system) }, system.name),
      i + 1 < group.length ? ", " : ""))),
  ]));
}

function about(system) {
  const names = system.others.length ? ` Also known as ${listed(system.others)}.` : "";
  return element("details", {},
    element("summary", {}, `About ${system.name}`),
    element("p", {}, `${system.title}. ${system.source}${system.date ? `, ${system.date}` : ""}.${names}`),
    element("p", {}, SCALARS[system.scalars] || ""),
    system.notes ? element("p", {}, system.notes) : null);
}

// -- two types -----------------------------------------------------------------------------------------------------------

function equation(left, right, operator = "+") {
  const parts = left.flatMap((one, i) => (i ? [element("span", { class: "op" }, operator), one] : [one]));
  return element("div", { class: "equation" }, parts, right ? [element("span", { class: "op" }, "="), right] : []);
}

const outcome = (answer) =>
  answer.type === undefined ? element("span", { class: "is no" }, answer.lacks ? "no such type" : "error") : element("span", { class: `is t ${kindOf(types[answer.type])}${types[answer.type].weak ? " weak" : ""}` }, types[answer.type].name);

/** Return why two types have their answer, in sentences. */
function reasons(system, a, b, answer) {
  const [one, two] = [types[a].name, types[b].name];
  if (answer.lacks) return [`${system.name} has no ${listed(answer.lacks.map((i) => types[i].name))}.`];
  const weak = [...new Set([a, b])].filter((i) => types[i].weak && !types[i].bits);
  const scalars = weak.map((i) => `${types[i].name} is the weak type of Python's ${PYTHON[types[i].kind]}${system.scalars === "weak" ? ": its scalars leave the width to arrays of their kind" : ""}.`);
  if (answer.refusal) return [`An error in ${system.name}: ${answer.refusal}`, ...scalars];
  const result = types[answer.type].name, lattice = system.layouts;
  const own = [a, b].map((type) => ownType(system, type));
  const found = [];
  if (!lattice) {
    found.push(`The table of ${system.name} has ${result} in the cell of ${one} and ${two}.`);
    found.push(system.broken ? `It is no lattice, so there is no path. For example, ${system.broken}.` : "Its rules are a table, so there is no path.");
  } else if (a === b) found.push(`Both operands have the type ${result}, which stays.`);
  else if (answer.type === own[1]) found.push(`${one} may be promoted to ${two}, so the result is ${result}.`);
  else if (answer.type === own[0]) found.push(`${two} may be promoted to ${one}, so the result is ${result}.`);
  else found.push(`Neither type may be promoted to the other. ${result} is their least upper bound: the lowest type that both reach, going up.`);
  return [...found, ...scalars];
}

function hazards(system, operands, answer) {
  if (answer.type === undefined) return [];
  const found = new Set(operands.flatMap((type) => (system.hazards[`${ownType(system, type)} ${answer.type}`] || []).map((i) => data.hazards[i])));
  const strong = operands.filter((type) => types[type].bits && !types[type].weak), result = types[answer.type];
  const width = (type) => (type.kind === "c" ? type.bits / 2 : type.bits);
  if (strong.length && !result.weak && strong.every((type) => width(types[type]) < width(result)))
    found.add(`wider: ${result.name} is wider than ${listed([...new Set(strong.map((type) => types[type].name))])}`);
  return [...found];
}

function pathLine(layout, from, to) {
  const found = path(layout, from, to);
  if (!found) return null;
  if (found.length === 1) return element("div", { class: "path" }, chip(from), element("span", { class: "stays" }, "stays"));
  return element("div", { class: "path" }, found.map((type, i) => [i ? element("span", { class: "arrow" }, "→") : null, chip(type)]));
}

function showTypes() {
  const system = systemOf.get(state.system), a = typeOf.get(state.a), pending = state.b === "";
  const b = pending ? null : typeOf.get(state.b), answer = pending ? null : promote(system, a, b);
  const shownTypes = shown(system, state.all);
  typeSelect($("types-a"), system, state.a);
  typeSelect($("types-b"), system, state.b, true);
  $("types-b").parentNode.classList.toggle("next", pending);
  const card = $("types-answer");
  if (pending) {
    const lacks = ownType(system, a) === undefined;
    const reached = system.layouts && !lacks ? above(system.layouts[state.all ? "all" : "common"], ownType(system, a)) : new Set([a]);
    card.replaceChildren(
      equation([chip(a), element("span", { class: "op" }, "?")]),
      element("p", {}, lacks ? `${system.name} has no ${state.a}. ` : "", "Choose the second type."),
      reached.size > 1 ? element("p", {}, `${state.a} may be promoted to ${reached.size - 1} of the types shown; the others are dimmed.`) : "");
    $("types-more").replaceChildren(about(system));
  } else {
    const risks = hazards(system, [a, b], answer), layout = system.layouts?.all;
    const climbs = layout && answer.type !== undefined ? [...new Set([a, b])].map((type) => pathLine(layout, ownType(system, type), answer.type)) : [];
    card.replaceChildren(...[
      equation([chip(a), chip(b)], outcome(answer)),
      ...reasons(system, a, b, answer).map((text) => element("p", {}, text)),
      climbs.length ? element("h3", {}, climbs.length > 1 ? "Paths" : "Path") : null, ...climbs,
      risks.length ? element("h3", {}, "Hazards") : null,
      risks.length ? element("ul", { class: "hazards" }, risks.map((text) => element("li", {}, text))) : null,
    ].filter((part) => part !== null));
    $("types-more").replaceChildren(
      element("h3", {}, "Other systems"),
      others(systems.map((one) => [one, briefly(promote(one, a, b))]), system, (one) => change({ system: one.name })),
      about(system));
  }
  showLattice(system, a, b, answer);
  $("types-table-title").textContent = `Table of ${system.name}`;
  const place = (type) => shownTypes.indexOf(ownType(system, type));
  grid($("types-table"), `${system.name} ${state.all}`, `Promotion table of ${system.name}`, {
    rows: shownTypes.map(header),
    columns: shownTypes.map(header),
    cell: (r, c) => {
      const found = promote(system, shownTypes[r], shownTypes[c]);
      return answerCell(found, `${types[shownTypes[r]].name} + ${types[shownTypes[c]].name} = ${answerText(found)}`);
    },
    selected: pending || place(a) < 0 || place(b) < 0 ? null : [place(a), place(b)],
  }, (r, c) => change({ a: types[shownTypes[r]].name, b: types[shownTypes[c]].name }));
  legend($("types-legend"), shownTypes, ["–", "an error"]);
  document.title = `${state.a}${pending ? "" : ` + ${state.b}`} in ${system.name} – Promotion explorer`;
}

const briefly = (answer) => (answer.type !== undefined ? types[answer.type].name : answer.lacks ? "no such type" : "error");

// -- the lattice ---------------------------------------------------------------------------------------------------------

const BOX = 25, MARGIN = 6, CHARACTER = 7.55;

/** Return the positions of a layout's spots, given by height and place: promotion goes up. */
function placed(layout, label) {
  const columns = 1 + Math.max(0, ...layout.boxes.map((box) => box[1]));
  const width = (type) => label(types[type]).length * CHARACTER + 16;
  const places = layout.boxes.map((box) => box[2]).concat(layout.edges.flatMap((edge) => edge[2].map((spot) => spot[1])));
  const low = Math.min(...places), widest = Math.max(0, ...layout.boxes.map(([type]) => width(type)));
  const scale = (widest + 9) / 36, along = (column) => MARGIN + BOX / 2 + (columns - 1 - column) * (BOX + 23);
  const across = (y) => MARGIN + widest / 2 + (y - low) * scale;
  return { size: [across(Math.max(...places)) + widest / 2 + MARGIN, along(0) + BOX / 2 + MARGIN], width, at: (column, y) => [across(y), along(column)] };
}

/** Return the line of an edge through its spots, and its head; it bends between rows only, so that it crosses no box. */
function line(spots, place) {
  const points = spots.map((spot) => place.at(...spot)), [x, last] = points.at(-1), y = last + BOX / 2;
  const parts = points.slice(1).map(([x1, y1], i) => {
    const [x0, y0] = points[i], from = y0 - BOX / 2, to = y1 + BOX / 2, middle = (from + to) / 2;
    return `${i ? "L" : "M"}${round(x0)} ${round(from)}C${[x0, middle, x1, middle, x1, to].map(round).join(" ")}`;
  });
  return [parts.join(""), `M${round(x - 3.5)} ${round(y + 7)}L${round(x)} ${round(y)}L${round(x + 3.5)} ${round(y + 7)}Z`];
}

const round = (number) => Math.round(number * 10) / 10;

/** Return a layout of two types and their result, for a system that is a table. */
function smallLayout(a, b, result) {
  const sources = [...new Set([a, b])].filter((type) => type !== result), spots = new Map();
  sources.forEach((type, i) => spots.set(type, [0, i * 46]));
  if (result !== undefined) spots.set(result, [sources.length ? 1 : 0, sources.length === 2 ? 23 : 0]);
  return {
    boxes: [...spots].map(([type, spot]) => [type, ...spot]),
    edges: result === undefined ? [] : sources.map((type) => [type, result, [spots.get(type), spots.get(result)]]),
  };
}

function showLattice(system, a, b, answer) {
  const host = $("lattice"), width = host.closest(".pictures").clientWidth || 900, caption = $("lattice-caption");
  const own = [a, b].map((type) => (type === null ? null : ownType(system, type)));
  const result = answer?.type;
  const layout = system.layouts ? system.layouts[state.all ? "all" : "common"] : smallLayout(a, b ?? a, result);
  const name = (type) => type.name, code = (type) => type.code;
  // With names where they fit, or nearly; else with codes.
  const label = placed(layout, name).size[0] <= 1.2 * width ? name : code, place = placed(layout, label);
  const scale = Math.min(1, Math.max(0.83, width / place.size[0]));
  caption.textContent = system.layouts ? `Lattice of ${system.name}: promotion goes up; dashed types are weak` : `${system.name} is a table, not a lattice`;
  const litNodes = new Set(own), litEdges = new Set();
  if (result !== undefined) {
    for (const type of own) {
      const steps = path(layout, type, result) || [];
      steps.forEach((node, i) => { litNodes.add(node); if (i) litEdges.add(`${steps[i - 1]} ${node}`); });
    }
  }
  const reach = system.layouts && b === null && own[0] !== undefined ? above(layout, own[0]) : null;
  const isLit = (edge) => litEdges.has(`${edge[0]} ${edge[1]}`);
  const edges = [...layout.edges].sort((one, two) => isLit(one) - isLit(two)).map((edge) => {
    const [text, head] = line(edge[2], place), lit = isLit(edge) ? " lit" : "", off = reach && !reach.has(edge[0]) ? " off" : "";
    return [element("path", { class: `edge${lit}${off}`, d: text }), element("path", { class: `head${lit}${off}`, d: head })];
  });
  const nodes = layout.boxes.map(([i, column, y]) => {
    const type = types[i], [x, y0] = place.at(column, y), wide = place.width(i), end = own.includes(i);
    const classes = ["node", kindOf(type), type.weak && "weak", litNodes.has(i) && "lit", end && "end", reach && !reach.has(i) && "off"];
    const role = end ? ", chosen" : i === result ? ", the result" : "";
    return element("g", {
      class: classes.filter(Boolean).join(" "), role: "button", tabindex: -1, "data-type": i, "data-x": x, "data-y": y0,
      "aria-label": `${type.name}, ${describe(type)}${role}`, "aria-pressed": end ? "true" : "false",
    }, element("title", {}, `${type.name}: ${describe(type)}`),
    element("rect", { x: round(x - wide / 2), y: round(y0 - BOX / 2), width: round(wide), height: BOX, rx: 5 }),
    element("text", { x: round(x), y: round(y0 + 0.5), "font-style": type.weak ? "italic" : null }, label(type)));
  });
  const focused = host.contains(document.activeElement) ? document.activeElement.dataset.type : null;
  const [wide, high] = place.size.map(Math.ceil), size = { width: Math.floor(wide * scale), height: Math.floor(high * scale) };
  host.replaceChildren(element("svg", { ...size, viewBox: `0 0 ${wide} ${high}`, role: "group", "aria-label": caption.textContent }, edges, nodes));
  const nodeOf = (type) => nodes.find((node) => node.dataset.type === String(type));
  (nodeOf(own[0]) || nodes[0]).setAttribute("tabindex", 0);
  if (focused !== null) nodeOf(focused)?.focus({ preventScroll: true });
  const lit = nodeOf(result ?? own[0]);
  if (lit && size.width > width) host.scrollLeft = Math.max(0, Number(lit.dataset.x) * scale - width * 0.6);
}

/** Return the nearest node of the lattice in the direction of an arrow key. */
function nearest(from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null, least = Infinity;
  for (const node of $("lattice").querySelectorAll(".node")) {
    const x = node.dataset.x - from.dataset.x, y = node.dataset.y - from.dataset.y, ahead = x * dx + y * dy;
    const distance = ahead + 2.5 * Math.abs(x * dy + y * dx);
    if (ahead > 1 && distance < least) [best, least] = [node, distance];
  }
  return best;
}

// -- two systems ---------------------------------------------------------------------------------------------------------

function showSystems() {
  const first = systemOf.get(state.system), second = systemOf.get(state.with);
  const { shared, found } = differences(first, second, state.all), pairs = (shared.length * (shared.length + 1)) / 2;
  const only = [[first, second], [second, first]].map(([one, other]) => [one, shown(one, state.all).filter((type) => ownType(other, type) === undefined)]);
  const a = typeOf.get(state.a), b = typeOf.get(state.b || state.a);
  $("systems-summary").replaceChildren(
    element("div", { class: "equation" }, first.name, element("span", { class: "op" }, "and"), second.name),
    element("p", {}, first === second ? "Both are the same system." : found.length ? `They differ in ${found.length} of the ${pairs} pairs of the ${shared.length} ${state.all ? "" : "common "}types that both have.` : `They agree in all ${pairs} pairs of the ${shared.length} ${state.all ? "" : "common "}types that both have.`),
    ...only.filter(([, lacking]) => lacking.length).map(([one, lacking]) => element("p", {}, `Only ${one.name} has ${listed(lacking.map((type) => types[type].name))}.`)));
  const ours = promote(first, a, b), theirs = promote(second, a, b);
  $("systems-answer").replaceChildren(
    element("h3", {}, `${types[a].name} + ${types[b].name}`),
    element("dl", { class: "versus" }, [[first, ours], [second, theirs]].map(([one, answer]) => [element("dt", {}, one.name), element("dd", {}, answer.type === undefined ? briefly(answer) : chip(answer.type))])),
    ...[[first, ours], [second, theirs]].flatMap(([one, answer]) => reasons(one, a, b, answer).slice(0, 1)).map((text) => element("p", {}, text)));
  const key = `${first.name} ${second.name} ${state.all}`, list = $("systems-more");
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...(found.length ? [element("h3", {}, "Pairs that differ"),
      element("div", { class: "rows", role: "group", "aria-label": "Pairs that differ" }, found.map((one) => element("button", { type: "button", "data-pair": `${one.a} ${one.b}`, onclick: () => change({ a: types[one.a].name, b: types[one.b].name }) },
        element("span", {}, `${types[one.a].name} + ${types[one.b].name}`), element("span", {}, briefly(one.ours)), element("span", {}, briefly(one.theirs)))))] : []));
  }
  for (const button of list.querySelectorAll("button")) button.toggleAttribute("aria-current", false);
  const current = list.querySelector(`[data-pair="${a} ${b}"], [data-pair="${b} ${a}"]`);
  if (current) current.setAttribute("aria-current", "true");
  $("systems-table-title").textContent = `Cells that differ: ${first.name} above, ${second.name} below`;
  const at = [a, b].map((type) => shared.indexOf(type));
  grid($("systems-table"), key, `Cells in which ${first.name} and ${second.name} differ`, {
    rows: shared.map(header),
    columns: shared.map(header),
    cell: (r, c) => {
      const one = promote(first, shared[r], shared[c]), other = promote(second, shared[r], shared[c]);
      const pair = `${types[shared[r]].name} + ${types[shared[c]].name}`;
      if (sameAnswer(one, other)) return { text: answerCell(one).text, kind: "same", label: `${pair} = ${briefly(one)} in both` };
      const code = (answer) => element("span", {}, answerCell(answer).text);
      return { text: [code(one), code(other)], kind: "differs", label: `${pair} = ${briefly(one)} in ${first.name}, ${briefly(other)} in ${second.name}` };
    },
    selected: at.includes(-1) ? null : at,
  }, (r, c) => change({ a: types[shared[r]].name, b: types[shared[c]].name }));
  legend($("systems-legend"), shared, ["–", "an error"], ["grey", "equal in both"]);
  document.title = `${first.name} and ${second.name} – Promotion explorer`;
}

// -- a function ----------------------------------------------------------------------------------------------------------

/** Return the answer of a function for a dtype under a system, as text: dtypes, "!" and an error, or null without the dtype. */
function answerOf(one, system, dtype) {
  const row = functions.tables[one.table][systems.indexOf(system)][0];
  const position = functions.rows[row][dtype];
  return position === null ? null : functions.texts[position];
}

const codeOf = (name) => (typeOf.has(name) ? types[typeOf.get(name)].code : `${types[typeOf.get(name.slice(0, -1))].code}*`);
const outcomeOf = (text) => (text === null ? "no such type" : text.startsWith("!") ? "error" : text);

function showFunction() {
  const one = functionOf.get(state.function), system = systemOf.get(state.system), base = systemOf.get(state.base);
  const dtypes = functions.dtypes.map((name, i) => i).filter((i) => state.all || types[typeOf.get(functions.dtypes[i])].common);
  const dtype = Math.max(0, functions.dtypes.indexOf(state.a)), name = functions.dtypes[dtype];
  const text = answerOf(one, system, dtype), own = one.name.split(".").at(-1);
  const words = { function: one.name, function_: own, system: system.name, dtype: name };
  const rule = fill(functions.rules[functions.tables[one.table][systems.indexOf(system)][1]], words);
  const result = outcomeOf(text);
  const shownResult = text === null || text.startsWith("!") ? element("span", { class: "is no" }, result) : element("span", { class: `is t ${kindOf(types[typeOf.get(result.split(", ")[0].replace(/\d\*$/, (end) => end[0]))] || types[0])}` }, result);
  $("function-answer").replaceChildren(...[
    element("div", { class: "equation" }, element("span", {}, `${one.name}(`, chip(typeOf.get(name)), ")"), element("span", { class: "op" }, "="), shownResult),
    element("p", {}, one.about),
    text === null ? element("p", {}, `${system.name} has no ${name}.`) : text.startsWith("!") ? element("p", {}, `An error in ${system.name}: ${fill(text.slice(1), words)}`) : element("p", {}, rule),
    one.role ? element("p", {}, `Its role is “${one.role}”: systems have rules for roles, or for single functions.`) : null,
  ].filter((part) => part !== null));
  $("function-more").replaceChildren(
    element("h3", {}, `${one.name}(${name}) in other systems`),
    others(systems.map((each) => [each, outcomeOf(answerOf(one, each, dtype))]), system, (each) => change({ system: each.name })),
    about(system));
  $("function-table-title").textContent = `What every system makes of ${one.name}`;
  for (const button of $("function-chips").children) button.setAttribute("aria-pressed", button.textContent === one.name ? "true" : "false");
  grid($("function-table"), `${one.name} ${base.name} ${state.all}`, `Results of ${one.name} by system and dtype`, {
    rows: systems.map((each) => ({ text: each.name, title: each.title })),
    columns: dtypes.map((i) => header(typeOf.get(functions.dtypes[i]))),
    cell: (r, c) => {
      const found = answerOf(one, systems[r], dtypes[c]), usual = answerOf(one, base, dtypes[c]);
      const label = `${one.name}(${functions.dtypes[dtypes[c]]}) in ${systems[r].name} = ${outcomeOf(found)}`;
      if (found === null) return { text: "", kind: "lacks", label };
      const differs = usual !== null && outcomeOf(usual) !== outcomeOf(found) ? " differs" : "";
      if (found.startsWith("!")) return { text: "–", kind: `none${differs}`, label };
      const names = found.split(", "), first = names[0].endsWith("*") && !typeOf.has(names[0]) ? names[0].slice(0, -1) : names[0];
      return { text: names.map(codeOf).join(" "), kind: `${kindOf(types[typeOf.get(first)])}${differs}`, label };
    },
    selected: [systems.indexOf(system), dtypes.indexOf(dtype)],
  }, (r, c) => change({ system: systems[r].name, a: functions.dtypes[dtypes[c]] }));
  legend($("function-legend"), dtypes.map((i) => typeOf.get(functions.dtypes[i])), ["–", "an error"], ["empty", "the system has no such dtype"], ["bold", `differs from ${base.name}`]);
  document.title = `${one.name} – Promotion explorer`;
}

// -- search --------------------------------------------------------------------------------------------------------------

const ENTRIES = [
  ...types.map((type) => ({ kind: "type", name: type.name, also: type.code, text: `type, ${describe(type)}` })),
  ...systems.flatMap((system) => [system.name, ...system.others].map((name) => ({ kind: "system", name, also: "", text: `system, ${system.title}` }))),
  ...functions.names.map((one) => ({ kind: "function", name: one.name, also: one.name.split(".").at(-1), text: `function, ${one.about}` })),
];

function search(words) {
  const wanted = words.trim().toLowerCase();
  const rank = ({ name, also, text }) => {
    const low = name.toLowerCase();
    if (low === wanted) return 0;
    if (also === wanted) return 1;
    if (low.startsWith(wanted)) return 2;
    if (also.startsWith(wanted)) return 3;
    if (low.includes(wanted)) return 4;
    return text.toLowerCase().includes(wanted) ? 5 : 9;
  };
  if (!wanted) return [];
  return ENTRIES.map((entry) => [rank(entry), entry]).filter(([order]) => order < 9)
    .sort(([one, first], [two, second]) => one - two || first.name.length - second.name.length).slice(0, 12).map(([, entry]) => entry);
}

let matches = [], active = 0;

function showMatches() {
  const input = $("search"), list = $("found");
  matches = search(input.value);
  active = Math.min(Math.max(active, 0), Math.max(matches.length - 1, 0));
  list.hidden = !input.value.trim();
  input.setAttribute("aria-expanded", String(!list.hidden));
  list.replaceChildren(...(matches.length || list.hidden ? matches : [null]).map((entry, i) => entry
    ? element("li", { role: "option", id: `found-${i}`, "aria-selected": String(i === active), onclick: () => open(entry) }, element("span", {}, entry.name), element("span", {}, entry.text))
    : element("li", { class: "none", role: "option", "aria-selected": "false", "aria-disabled": "true" }, "Nothing has that name.")));
  if (matches.length) input.setAttribute("aria-activedescendant", `found-${active}`);
  else input.removeAttribute("aria-activedescendant");
  list.children[active]?.scrollIntoView({ block: "nearest" });
}

function closeSearch() {
  $("search").value = "";
  active = 0;
  showMatches();
}

/** Go to what was found: a type or a system in the view that is open, a function in its view. */
function open(entry) {
  closeSearch();
  $("main").focus({ preventScroll: true });
  if (entry.kind === "function") change({ view: "function", function: entry.name });
  else if (entry.kind === "system") change({ system: entry.name });
  else if (state.view === "types") choose(typeOf.get(entry.name));
  else if (state.view === "function" && !functions.dtypes.includes(entry.name)) change({ view: "types", a: entry.name });
  else change({ a: entry.name, b: state.b || entry.name });
}

// -- the page ------------------------------------------------------------------------------------------------------------

function systemSelect(select) {
  const option = (system) => element("option", { value: system.name }, system.name);
  const group = (label, wanted) => element("optgroup", { label }, systems.filter((system) => Boolean(system.layouts) === wanted).map(option));
  select.replaceChildren(group("Lattices", true), group("Tables", false));
}

function typeSelect(select, system, name, open_ = false) {
  const key = `${system.name} ${name === ""}`;
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    const option = (i) => element("option", { value: types[i].name }, types[i].name);
    const missing = types.map((type, i) => i).filter((i) => !system.at.has(i));
    select.replaceChildren(...(open_ && name === "" ? [element("option", { value: "" }, "choose …")] : []),
      element("optgroup", { label: `Types of ${system.name}` }, system.types.map(option)),
      element("optgroup", { label: `Not in ${system.name}` }, missing.map(option)));
  }
  select.value = name;
}

function show() {
  for (const view of Object.keys(KEYS)) {
    $(`view-${view}`).hidden = view !== state.view;
    $(`tab-${view}`).setAttribute("aria-selected", String(view === state.view));
    $(`tab-${view}`).tabIndex = view === state.view ? 0 : -1;
    $(`${view}-all`).checked = state.all;
  }
  $("types-system").value = $("systems-first").value = state.system;
  $("systems-second").value = state.with;
  $("function-system").value = state.base;
  $("function-name").value = state.function;
  ({ types: showTypes, systems: showSystems, function: showFunction })[state.view]();
}

const THEMES = { auto: ["◐", "Colours: as the device has them"], light: ["☀", "Colours: light"], dark: ["☾", "Colours: dark"] };
const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = "auto";

function showTheme() {
  document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  $("theme").textContent = THEMES[theme][0];
  $("theme").title = THEMES[theme][1];
  $("theme").setAttribute("aria-label", THEMES[theme][1]);
}

function start() {
  try { theme = localStorage.getItem("supremum-theme") || "auto"; } catch { /* pages of files may have no storage */ }
  if (!THEMES[theme]) theme = "auto";
  showTheme();
  dark.addEventListener("change", showTheme);
  $("theme").onclick = () => {
    const order = Object.keys(THEMES);
    theme = order[(order.indexOf(theme) + 1) % order.length];
    try { localStorage.setItem("supremum-theme", theme); } catch { /* likewise */ }
    showTheme();
  };

  ["types-system", "systems-first", "systems-second", "function-system"].forEach((id) => systemSelect($(id)));
  const spaces = [...new Set(functions.names.map((one) => one.name.split(".").slice(0, -1).join(".")))];
  $("function-name").replaceChildren(...spaces.map((space) => element("optgroup", { label: space || "supremum" },
    functions.names.filter((one) => one.name.split(".").slice(0, -1).join(".") === space).map((one) => element("option", { value: one.name }, one.name)))));
  $("function-chips").replaceChildren(...COMMON_FUNCTIONS.filter((name) => functionOf.has(name)).map((name) =>
    element("button", { type: "button", onclick: () => change({ function: name }) }, name)));
  const bind = (id, key) => { $(id).onchange = (event) => change({ [key]: event.target.value }); };
  bind("types-system", "system"); bind("systems-first", "system"); bind("systems-second", "with");
  bind("function-system", "base"); bind("function-name", "function"); bind("types-a", "a"); bind("types-b", "b");
  for (const view of Object.keys(KEYS)) $(`${view}-all`).onchange = (event) => change({ all: event.target.checked });
  $("swap").onclick = () => { if (state.b) change({ a: state.b, b: state.a }); };
  $("swap-systems").onclick = () => change({ system: state.with, with: state.system });
  for (const form of document.forms) form.onsubmit = (event) => event.preventDefault();
  $("skip").onclick = () => $("main").focus();

  const tabs = Object.keys(KEYS);
  tabs.forEach((view, i) => {
    $(`tab-${view}`).onclick = () => change({ view, b: state.b || START.b });
    $(`tab-${view}`).onkeydown = (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const next = tabs[(to + tabs.length) % tabs.length];
      change({ view: next, b: state.b || START.b });
      $(`tab-${next}`).focus();
    };
  });

  $("lattice").onclick = (event) => {
    const node = event.target.closest(".node");
    if (node) choose(Number(node.dataset.type));
  };
  $("lattice").onkeydown = (event) => {
    const node = event.target.closest(".node");
    if (!node) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(Number(node.dataset.type));
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const to = nearest(node, event.key);
      if (!to) return;
      node.setAttribute("tabindex", -1);
      to.setAttribute("tabindex", 0);
      to.focus();
    }
  };

  const input = $("search");
  input.oninput = () => { active = 0; showMatches(); };
  input.onkeydown = (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      active = (active + (event.key === "ArrowDown" ? 1 : -1) + matches.length) % Math.max(matches.length, 1);
      showMatches();
    } else if (event.key === "Enter" && matches[active]) {
      event.preventDefault();
      open(matches[active]);
    } else if (event.key === "Escape") {
      closeSearch();
      input.blur();
    }
  };
  input.onblur = () => setTimeout(() => { if (document.activeElement !== input) closeSearch(); }, 200);

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input[type=text], select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape" && !typing && state.b === "") {
      change(before || { b: START.b });
    }
  });
  addEventListener("hashchange", () => { read(); show(); });
  addEventListener("popstate", () => { read(); show(); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; show(); } });
  read();
  show();
}

start();
