"use strict";
const rows = JSON.parse(document.getElementById("rows").textContent);
const panel = document.getElementById("panel");
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = (name) => { document.documentElement.dataset.theme = name; };
theme(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => theme(dark.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () =>
  theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const WIDTH = 380;

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const raised = (base, exponent) => (exponent ? base + [...String(exponent)].map((c) => RAISED[c]).join("") : "1");

// The errors of all calls, on a logarithmic scale above a line for calls without error.
function history(row) {
  const points = row.history;
  if (points.length < 2) return "";
  const values = points.flatMap(([, a, b]) => [a, b]).filter((x) => x > 0);
  if (!values.length) return "";
  const zeros = points.some(([, a, b]) => a === 0 || b === 0);
  const height = 132, left = 40, right = WIDTH - 6, top = 8, zero = height - 18, bottom = zero - (zeros ? 16 : 0);
  const logs = [...values, row.unit].filter((x) => x > 0).map((x) => Math.max(-20, Math.min(3, Math.log10(x))));
  const low = Math.floor(Math.min(...logs)), high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
  const x = (call) => left + (right - left) * (call - 1) / Math.max(row.count - 1, 1);
  const y = (value) => (value === 0 ? zero : bottom - (bottom - top) * (Math.max(low, Math.min(high, Math.log10(value))) - low) / (high - low));
  const line = (index, name) => {
    if (points.length < 3) return points.map((p) => `<circle class="dot-${name}" cx="${x(p[0])}" cy="${y(p[index])}" r="3"/>`).join("");
    return `<polyline class="${name}" points="${points.map((p) => `${x(p[0]).toFixed(1)},${y(p[index]).toFixed(1)}`).join(" ")}"/>`;
  };
  const marks = [low, high].map((e) => `<text x="${left - 4}" y="${y(10 ** e) + 4}" text-anchor="end">${raised("10", e)}</text>`).join("")
    + (zeros ? `<text x="${left - 4}" y="${zero + 4}" text-anchor="end">0</text>` : "");
  const unit = row.unit > 0 ? `<line class="unit" x1="${left}" x2="${right}" y1="${y(row.unit)}" y2="${y(row.unit)}"/>` : "";
  return `<h4>Relative error of the ${row.count.toLocaleString("en")} calls</h4><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="errors of the calls">
    <line class="axis" x1="${left}" x2="${left}" y1="${top}" y2="${zero}"/><line class="axis" x1="${left}" x2="${right}" y1="${zero}" y2="${zero}"/>
    ${marks}<text x="${left}" y="${height - 4}">1</text><text x="${right}" y="${height - 4}" text-anchor="end">${row.count.toLocaleString("en")}</text>
    ${unit}${line(1, "introduced")}${line(2, "inherited")}</svg>
    <p class="legend"><i style="background:var(--accent-line)"></i>inherited<i style="background:var(--second)"></i>introduced${row.unit > 0 ? '<i class="dashes"></i>one rounding' : ""}</p>`;
}

// The magnitudes of numbers, by powers of two, and the range of the dtype.
function histogram(row, name) {
  const range = row.ranges[name];
  if (!range.counts.length && !range.zeros) return "";
  const height = 84, top = 6, bottom = height - 18, left = 6, right = WIDTH - 6;
  const span = row.span || [-149, -126, 127];
  const found = range.counts.map(([exponent]) => exponent);
  const low = Math.min(Math.max(span[0] - 4, Math.min(...found, 0) - 12), ...found) - 1;
  const high = Math.max(Math.min(span[2] + 4, Math.max(...found, 0) + 12), ...found) + 2;
  const x = (exponent) => left + (right - left) * (exponent - low) / (high - low);
  const most = Math.max(...range.counts.map(([, count]) => count), 1);
  const clipped = (a, b) => [x(Math.max(a, low)), x(Math.min(b, high))];
  const area = (kind, a, b) => {
    const [from, to] = clipped(a, b);
    return to > from ? `<rect class="${kind}" x="${from}" y="${top}" width="${to - from}" height="${bottom - top}"/>` : "";
  };
  const bars = range.counts.map(([exponent, count]) => {
    const size = Math.max((bottom - top) * count / most, 1.5), outside = exponent > span[2] || exponent < span[0];
    return `<rect class="${outside ? "out" : "count"}" x="${x(exponent) + .3}" y="${bottom - size}" width="${Math.max(x(exponent + 1) - x(exponent) - .6, 1)}" height="${size}"/>`;
  }).join("");
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((s) => (high - low) / s <= 9) || 512;
  const marks = [];
  for (let e = Math.ceil(low / step) * step; e <= high; e += step) {
    if (x(e) > 14 && x(e) < WIDTH - 14) marks.push(`<text x="${x(e)}" y="${height - 4}" text-anchor="middle">${raised("2", e)}</text>`);
  }
  const zeros = range.zeros ? `, ${range.zeros.toLocaleString("en")} zero${range.zeros === 1 ? "" : "s"}` : "";
  return `<h4>${name === "result" ? "Magnitudes of the result" : "Magnitudes of the operands"}: ${escaped(range.lowest)} to ${escaped(range.highest)}${zeros}</h4>
    <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="magnitudes by powers of two">${area("subnormal", span[0], span[1])}${area("band", span[1], span[2] + 1)}${bars}
    <line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>${marks.join("")}</svg>`;
}

function article(row) {
  const kinds = row.kinds.map(([kind, count]) => `<b class="kind ${kind}">${kind} &times; ${count.toLocaleString("en")}</b>`).join("");
  const facts = [
    ["introduced", `${row.introduced} (${row.ulps} ulps)`], ["inherited", row.inherited], ["at the last call", row.last],
    ["digits lost", row.digits], ["operands", row.operands.join(", ") || "none"], ["result", `${row.dtype} [${row.shape.join(", ")}]`],
    ["calls", row.count.toLocaleString("en")],
  ];
  if (row.promotes) facts.push(["promotion", `to ${row.dtype}`]);
  const band = row.span ? `<p class="legend"><i style="background:var(--band)"></i>range of ${row.dtype}<i style="background:var(--sub)"></i>subnormal<i style="background:var(--accent-line)"></i>outside</p>` : "";
  return `<article><h3>${escaped(row.function)} <small>${escaped(row.place)}</small></h3>
    ${kinds ? `<p class="kinds">${kinds}</p>` : '<p class="exact">nothing lost here</p>'}
    <dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>
    ${history(row)}${row.span ? histogram(row, "operands") + histogram(row, "result") + band : ""}</article>`;
}

function show(file, line, scroll) {
  const here = rows.filter((row) => row.file === file && row.line === line);
  panel.innerHTML = here.map(article).join("");
  panel.scrollTop = 0;
  for (const button of document.querySelectorAll("button[data-row]")) {
    const row = rows[Number(button.dataset.row)];
    button.setAttribute("aria-current", String(row.file === file && row.line === line));
  }
  for (const button of document.querySelectorAll("button.line")) {
    const chosen = button.dataset.file === file && Number(button.dataset.line) === line;
    button.setAttribute("aria-current", String(chosen));
    if (chosen && scroll) button.scrollIntoView({ block: "center" });
  }
}
for (const button of document.querySelectorAll("button.line")) {
  button.addEventListener("click", () => show(button.dataset.file, Number(button.dataset.line), false));
}
for (const button of document.querySelectorAll("button[data-row]")) {
  const row = rows[Number(button.dataset.row)];
  button.addEventListener("click", () => show(row.file, row.line, true));
}
if (rows.length) show(rows[0].file, rows[0].line, false);
