// Creates elements and formats numbers.

export const byId = (id) => document.getElementById(id);

// Creates an element with properties, attributes (names with a dash, `role` and `for`) and children.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(tag, attributes = {}) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Formats a number, by default with four significant digits. Very large and very small numbers have an exponent.
export function number(value, figures = 4) {
  if (value === null || value === undefined) return '–';
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(2);
  const text = Number(value.toPrecision(figures));
  return size >= 1e4 ? Math.round(value).toLocaleString('en') : String(text);
}

// Words of messages without the marks around names.
export const plain = (words) => words.replaceAll('`', '');

export function seconds(value) {
  if (value === null || value === undefined) return '';
  if (value < 0.001) return '<1 ms';
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  return value < 60 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function bytes(value) {
  if (!value) return '';
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) { value /= 1024; unit += 1; }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

// Calls `work` with the newest argument, at most once every `pause` milliseconds.
export function paced(pause, work) {
  let waiting = null;
  let newest = null;
  return (...given) => {
    newest = given;
    waiting ??= setTimeout(() => { waiting = null; work(...newest); }, pause);
  };
}
