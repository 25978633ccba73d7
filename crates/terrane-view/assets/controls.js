// Controls for parameters by the shape of their values: switches, choices, text, numbers, and combinations of these.

import { h, number } from './dom.js';
import { colour, isColour } from './edit/colour.js';
import { list } from './list.js';
import { either, optional, record, tuple } from './groups.js';
import { slider } from './slider.js';

const MADE = { bool: toggle, choice, text, number: slider, integer: slider, optional, either, tuple, record, list };

// Creates a control for values with the shape of `spec`, with the server's `value`. `context` has the `id` of the labelled element or a
// `label`, `compact` if there is little space, `full`, which is the value including omitted fields, and `change`, which is called with
// new values. A control has an `element`; `set(value, full)` changes its value, and `focus()` moves the keyboard focus to it.
export function control(spec, value, context) {
  const make = isColour(spec) ? colour : MADE[spec.shape];
  return make?.(spec, value, { ...context, make: control }) ?? null;
}

// Whether a control is a single element that a label can name. Other controls are groups.
export const isSimple = (spec) => ['bool', 'choice', 'text', 'number', 'integer'].includes(spec.shape);

function named(element, { id, label }) {
  if (id) element.id = id; else element.setAttribute('aria-label', label);
  return element;
}

function toggle(spec, value, context) {
  const box = named(h('input', { type: 'checkbox', checked: value }), context);
  box.addEventListener('change', () => context.change(box.checked));
  return { element: box, set: (next) => { box.checked = next; }, focus: () => box.focus() };
}

function choice(spec, value, context) {
  const select = named(h('select', {}, ...spec.choices.map((item) => h('option', { value: item.name, title: item.docs }, item.name))), context);
  select.value = value;
  select.addEventListener('change', () => context.change(select.value));
  return { element: select, set: (next) => { select.value = next; }, focus: () => select.focus() };
}

function text(spec, value, context) {
  const field = named(h('input', { type: 'text', className: 'text', value, spellcheck: false, autocomplete: 'off' }), context);
  field.addEventListener('input', () => context.change(field.value));
  const set = (next) => { if (document.activeElement !== field) field.value = next; };
  return { element: field, set, focus: () => field.focus() };
}

// Shows a value that cannot be changed as text.
export function fixed(shown) {
  const short = shown.length > 400 ? `${shown.slice(0, 400)}…` : shown;
  return h('code', { className: 'fixed' }, Number.isNaN(Number(shown)) ? short : number(Number(shown), 6));
}
