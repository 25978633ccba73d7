// A colour: the browser's picker, for three whole numbers from 0 to 255.

import { h } from '../dom.js';

// Whether values with this shape are colours.
export const isColour = (spec) => spec.shape === 'tuple' && spec.items.length === 3 && spec.items.every((item) => item.shape === 'integer' && item.min === 0 && item.max === 255);

export const toHex = (value) => `#${value.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;

const fromHex = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

export function colour(spec, value, context) {
  const field = h('input', { type: 'color', value: toHex(value) });
  if (context.id) field.id = context.id;
  field.setAttribute('aria-label', context.label);
  const words = h('code', {}, value.join(', '));
  field.addEventListener('input', () => { const next = fromHex(field.value); words.textContent = next.join(', '); context.change(next); });
  const set = (next) => { if (document.activeElement !== field) field.value = toHex(next); words.textContent = next.join(', '); };
  return { element: h('div', { className: 'colour' }, field, words), set, focus: () => field.focus() };
}
