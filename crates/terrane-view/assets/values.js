// Values of parameters: conversions between controls and messages.

import { isColour } from './edit/colour.js';

// The initial value of an added item.
export function start(spec) {
  switch (spec.shape) {
    case 'bool': return false;
    case 'number': case 'integer': return first(spec);
    case 'choice': return spec.choices[0]?.name ?? '';
    case 'record': return { name: spec.records[0]?.name ?? '', fields: {} };
    case 'list': return [];
    case 'tuple': return isColour(spec) ? [128, 128, 128] : spec.items.map(start);
    case 'optional': return null;
    case 'either': return start(spec.items[0]);
    default: return '';
  }
}

// Zero if the range contains it; otherwise one, if the range contains it; otherwise the maximum or the minimum.
function first({ min, max, above }) {
  const holds = (value) => (min === undefined || (above ? value > min : value >= min)) && (max === undefined || value <= max);
  return [0, 1, max, min].find((value) => value !== undefined && holds(value)) ?? 0;
}

// A number for a message. Numbers with more digits than JSON parsers reliably keep are sent as text.
export function exact(value) {
  const text = String(value);
  return text.replace(/e.*|\D/g, '').length > 15 ? text : value;
}

// A text that is the same for values that differ only in the order of their fields.
export function key(value) {
  if (Array.isArray(value)) return `[${value.map(key)}]`;
  if (value && typeof value === 'object') return `{${Object.keys(value).sort().map((name) => `${name}:${key(value[name])}`)}}`;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

export const isNumber = (spec) => spec.shape === 'number' || spec.shape === 'integer';
