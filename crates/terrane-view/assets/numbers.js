// Tables and metrics: a single row as numbers, several rows as curves with the table below.

import { byId, h, number, svg } from './dom.js';

const ROWS = 200;
const CHART = { width: 720, height: 300, left: 64, right: 16, top: 14, bottom: 34 };

// Shows an object of numbers, an object of lists, or any other JSON.
export function showNumbers(data) {
  const entries = Object.entries(data ?? {});
  const columns = entries.filter(([, value]) => Array.isArray(value) && value.every((cell) => typeof cell === 'number' || cell === null));
  const box = byId('numbers');
  if (columns.length && columns.length === entries.length && columns[0][1].length !== 1) {
    box.replaceChildren(...(columns.length > 1 ? chart(columns) : []), table(columns));
  } else if (entries.length && entries.every(([, value]) => typeof value !== 'object' || value === null)) {
    box.replaceChildren(h('dl', { className: 'row' }, ...entries.map(([name, value]) =>
      h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, typeof value === 'number' ? number(value, 5) : String(value ?? '–'))))));
  } else {
    box.replaceChildren(h('pre', {}, JSON.stringify(data, null, 1).slice(0, 20000)));
  }
}

// Draws curves over the first column. Columns of very different magnitude get separate charts.
function chart(columns) {
  const [x, ...curves] = columns;
  const size = ([, values]) => Math.max(1e-300, ...values.map((value) => Math.abs(value ?? 0)));
  const groups = [];
  for (const curve of curves.slice(0, 12)) {
    const near = groups.find((group) => Math.abs(Math.log10(size(curve) / size(group[0]))) < 1.2);
    if (near) near.push(curve); else groups.push([curve]);
  }
  return groups.slice(0, 6).map((group) => draw(x, group));
}

function draw([xName, xs], curves) {
  const { width, height, left, right, top, bottom } = CHART;
  const ys = curves.flatMap(([, values]) => values).filter(Number.isFinite);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = widen(Math.min(...ys), Math.max(...ys));
  const px = (x) => left + (width - left - right) * (x1 > x0 ? (x - x0) / (x1 - x0) : 0.5);
  const py = (y) => height - bottom - (height - top - bottom) * (y - y0) / (y1 - y0);
  const figure = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${curves.map(([name]) => name).join(', ')} over ${xName}` });
  const [rows, across] = [ticks(y0, y1, 4), ticks(x0, x1, 6)];
  for (const tick of rows) {
    figure.append(svg('line', { x1: left, x2: width - right, y1: py(tick), y2: py(tick), class: 'rule' }), text(label(tick, rows), left - 8, py(tick) + 4, 'end'));
  }
  for (const tick of across) figure.append(text(label(tick, across), px(tick), height - bottom + 18, 'middle'));
  curves.forEach(([, values], index) => {
    const points = values.map((value, at) => (Number.isFinite(value) ? `${px(xs[at]).toFixed(1)},${py(value).toFixed(1)}` : '')).join(' ');
    figure.append(svg('polyline', { points, class: `curve c${index % 6}` }));
  });
  const key = h('figcaption', {}, ...curves.map(([name], index) => h('span', { className: `key c${index % 6}` }, name.replaceAll('_', ' '))), h('span', { className: 'over' }, `over ${xName.replaceAll('_', ' ')}`));
  return h('figure', {}, figure, key);
}

function widen(low, high) {
  if (!(high > low)) return [low - 1, high + 1];
  const room = (high - low) * 0.05;
  return [low >= 0 && low < high * 0.3 ? 0 : low - room, high + room];
}

function ticks(low, high, about) {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * decade >= rough) * decade;
  const out = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) out.push(Math.abs(tick) < step * 1e-9 ? 0 : tick);
  return out;
}

// The label of a tick, with enough decimals to distinguish neighbouring ticks.
function label(tick, all) {
  const step = Math.abs(all[1] - all[0]) || 1;
  if (Math.abs(tick) >= 1e6 || (tick !== 0 && step < 1e-5)) return number(tick);
  return tick.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

function text(words, x, y, anchor) {
  const element = svg('text', { x, y, 'text-anchor': anchor });
  element.textContent = words;
  return element;
}

function table(columns) {
  const rows = Math.min(ROWS, Math.max(...columns.map(([, values]) => values.length)));
  const head = h('tr', {}, ...columns.map(([name]) => h('th', { scope: 'col' }, name.replaceAll('_', ' '))));
  const body = Array.from({ length: rows }, (_, row) => h('tr', {}, ...columns.map(([, values]) => h('td', {}, number(values[row], 5)))));
  const more = columns[0][1].length - rows;
  return h('div', { className: 'sheet' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...body)), more > 0 ? h('p', {}, `and ${more} more rows`) : null);
}
