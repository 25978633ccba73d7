// Numbers: a slider over a suitable range, and a field for any permitted number.

import { h } from './dom.js';
import { exact } from './values.js';

// A slider with a number field next to it. If the range is unbounded, the slider covers a range around the value, and the field accepts
// any number. If there is little space (`compact`), only the field is shown.
export function slider(spec, current, { id, label, compact, change, ranges, sibling }) {
  const whole = spec.shape === 'integer';
  // The server sends integers with too many digits for a JavaScript number as text.
  let text = current;
  // A quantity that a choice names is a height, or something else.
  const data = () => (spec.unit === 'world units' || (spec.unit === "the quantity's" && sibling?.('by') === 'Height') ? ranges?.now : null);
  let value = Number(current);
  let reach = around(spec, value, whole, data());
  const range = h('input', { type: 'range', min: 0, max: 1000, step: 'any', 'aria-label': `${label}, slider`, tabIndex: -1 });
  const field = h('input', { type: 'number', step: whole ? 1 : 'any' });
  if (id) field.id = id; else field.setAttribute('aria-label', label);
  if (spec.min !== undefined && Math.abs(spec.min) < 1e15) field.min = spec.min;
  if (spec.max !== undefined && Math.abs(spec.max) < 1e15) field.max = spec.max;
  const show = () => {
    range.value = 1000 * share(reach, value);
    if (document.activeElement !== field) field.value = typeof text === 'string' ? text : trim(value);
  };
  const take = (next) => {
    text = next;
    value = Number(next);
    field.classList.remove('wrong');
    show();
    change(next);
  };
  range.addEventListener('input', () => {
    const raw = at(reach, range.value / 1000);
    // Where the slider is finer, numbers are too.
    const near = reach.curve === 1 ? reach.high - reach.low : Math.max(Math.abs(raw), (reach.high - reach.low) / 1e4);
    take(exact(clamp(spec, whole ? Math.round(raw) : round(raw, near))));
  });
  range.addEventListener('change', () => { reach = around(spec, value, whole, data()); show(); });
  field.addEventListener('input', () => {
    const next = field.valueAsNumber;
    const digits = whole && /^-?\d+$/.test(field.value) && !Number.isSafeInteger(next);
    const fits = Number.isFinite(next) && clamp(spec, next) === next && (!whole || Number.isInteger(next));
    field.classList.toggle('wrong', !fits);
    if (fits) take(digits ? field.value : exact(next));
  });
  field.addEventListener('blur', () => { field.classList.remove('wrong'); show(); });
  show();
  const held = () => range.matches(':active') || document.activeElement === field;
  const set = (next) => {
    if (held()) return;
    text = next;
    value = Number(next);
    reach = around(spec, value, whole, data());
    show();
  };
  ranges?.changed(() => { if (!held()) { reach = around(spec, value, whole, data()); show(); } });
  const parts = compact ? [field] : [range, field];
  return { element: h('div', { className: compact ? 'number' : 'slider' }, ...parts), set, focus: () => field.focus() };
}

// The range of a slider: that of the map for lengths and heights, as declared for other numbers, otherwise around the value. `curve` is 3
// if the slider is finer near the low end.
function around(spec, value, whole, data) {
  if (data && !whole) {
    // A value far outside the range is left there.
    const inside = (low, high, curve) => {
      const near = value > low - 3 * (high - low) && value < high + 3 * (high - low);
      return { low: near ? Math.min(low, value) : low, high: near ? Math.max(high, value) : high, curve };
    };
    const quarter = (data.high - data.low) / 4;
    if (spec.axis < 2) return inside(data.origin[spec.axis], data.origin[spec.axis] + data.sides[spec.axis], 1);
    if (spec.place === 'above') return inside(0, data.extent, 3);
    // Heights have no lower limit, lengths do.
    if (spec.min === undefined && data.high > data.low) return inside(data.low - quarter, data.high + quarter, 1);
    const longest = spec.unit === 'world units' ? data.extent : data.high - data.low;
    if (spec.min === 0 && spec.max === undefined && longest > 0) return inside(0, longest, 3);
  }
  const limit = (bound) => (bound !== undefined && bound !== null && Math.abs(bound) < 1e6 ? bound : undefined);
  const size = Math.max(Math.abs(value), whole ? 5 : 0.5);
  let low = limit(spec.min) ?? (value < 0 ? value - size : Math.min(0, value - size));
  let high = limit(spec.max) ?? Math.max(value, 0) + size * (value > 0 ? 1 : 2);
  if (limit(spec.min) !== undefined) low = limit(spec.min);
  if (!(high > low)) high = low + 1;
  // If the range is much larger than the value, the slider would be too coarse.
  if (spec.max !== undefined && !whole && high - low > 200 * size) high = low + 20 * size;
  if (whole && high - low > 40 * size) high = Math.max(low + 1, value + 2 * size);
  return { low, high, curve: 1 };
}

// The number at a share of the slider, and the share of a number.
const at = ({ low, high, curve }, part) => low + (high - low) * part ** curve;
const share = ({ low, high, curve }, value) => Math.max(0, (value - low) / (high - low)) ** (1 / curve);

function clamp(spec, value) {
  let out = value;
  if (spec.min !== undefined) out = Math.max(out, spec.min);
  if (spec.max !== undefined) out = Math.min(out, spec.max);
  if (spec.above && out === spec.min) out = spec.min + Math.max(1e-6, Math.abs(spec.min) * 1e-6);
  return out;
}

// Rounds to about a thousandth of the range: a hand cannot move the slider more precisely.
function round(value, range) {
  const unit = 10 ** (Math.floor(Math.log10(range)) - 3);
  return Number((Math.round(value / unit) * unit).toPrecision(10));
}

const trim = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(10))) : '');
