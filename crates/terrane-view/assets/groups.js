// Controls that contain other controls: optional values, rows of values, and records with fields.

import { h } from './dom.js';
import { key, start } from './values.js';

// An optional value: a checkbox, and the control of the value if there is one.
export function optional(spec, value, context) {
  let now = value;
  let last = value;
  let inner = null;
  const box = h('input', { type: 'checkbox', 'aria-label': `${context.label}, set` });
  const word = h('span', {});
  const place = h('div', { className: 'inner' });
  const element = h('div', { className: 'optional' }, h('label', { className: 'check' }, box, word), place);
  const show = (full) => {
    box.checked = now !== null;
    word.textContent = now === null ? 'not set' : 'set';
    if (now === null) inner = null;
    else if (inner) inner.set(now, full);
    else {
      const change = (next) => { now = next; last = next; context.change(next); };
      inner = context.make({ unit: spec.unit, place: spec.place, ...spec.item }, now, { ...context, id: undefined, full, change });
    }
    place.replaceChildren(...(inner ? [inner.element] : []));
  };
  box.addEventListener('change', () => {
    now = box.checked ? last ?? context.first?.() ?? start(spec.item) : null;
    show(context.full);
    context.change(now);
  });
  show(context.full);
  const set = (next, full) => {
    const same = (next === null) === (now === null);
    now = next;
    last = next ?? last;
    if (same && inner) inner.set(next, full); else show(full);
  };
  return { element, set, focus: () => box.focus() };
}

// A number or a position: a checkbox chooses which.
export function either(spec, value, context) {
  let now = value;
  let inner = null;
  const box = h('input', { type: 'checkbox', 'aria-label': `${context.label}, by position` });
  const place = h('div', { className: 'inner' });
  const element = h('div', { className: 'optional' }, h('label', { className: 'check' }, box, h('span', {}, 'by position')), place);
  const change = (next) => { now = next; context.change(next); };
  const show = (full) => {
    box.checked = Array.isArray(now);
    inner = context.make(spec.items[box.checked ? 1 : 0], now, { ...context, id: undefined, full, change });
    place.replaceChildren(inner.element);
  };
  box.addEventListener('change', () => {
    now = start(spec.items[box.checked ? 1 : 0]);
    show(undefined);
    context.change(now);
  });
  show(context.full);
  const set = (next, full) => {
    const same = Array.isArray(next) === Array.isArray(now);
    now = next;
    if (same) inner.set(next, full); else show(full);
  };
  return { element, set, focus: () => box.focus() };
}

// A tuple: a control for each value.
export function tuple(spec, value, context) {
  let now = [...value];
  // The first two numbers of a position are places along the map's sides.
  const parts = spec.items.map((item, index) => context.make({ unit: spec.unit, place: spec.place, axis: spec.place ? index : undefined, ...item }, value[index], {
    ...context,
    id: undefined,
    label: `${context.label}, value ${index + 1}`,
    full: context.full?.[index],
    change: (next) => { now = now.with(index, next); context.change(now); },
  }));
  // A few numbers fit on a line.
  const plain = spec.items.length <= 4 && spec.items.every((item) => item.shape === 'number' || item.shape === 'integer');
  const element = h('div', { className: `tuple${context.compact && plain ? ' row' : ''}` }, ...parts.map((part) => part.element));
  const set = (next, full) => { now = [...next]; parts.forEach((part, index) => part.set(next[index], full?.[index])); };
  return { element, set, focus: () => parts[0]?.focus() };
}

// A record: a choice of its name, and the fields of the chosen name, each of which can be omitted.
export function record(spec, value, context) {
  let now = value;
  let full = context.full;
  let shape = '';
  let fields = [];
  const names = h('select', { 'aria-label': `${context.label}, kind` }, ...spec.records.map((item) => h('option', { value: item.name, title: item.docs }, item.name)));
  const place = h('div', { className: 'fields' });
  const element = h('div', { className: 'record' }, names, place);
  const chosen = () => spec.records.find((item) => item.name === now.name);
  const tell = (next) => { now = next; show(); context.change(now); };
  const build = () => {
    fields = (chosen()?.fields ?? []).map((field) => {
      const given = field.name in now.fields;
      const box = h('input', { type: 'checkbox', checked: given, 'aria-label': `${context.label}, ${field.name} set` });
      const label = field.name.replaceAll('_', ' ');
      const without = h('span', { className: 'left-out' });
      const change = (next) => { now = { ...now, fields: { ...now.fields, [field.name]: next } }; context.change(now); };
      const made = given ? context.make(field, now.fields[field.name], { ...context, id: undefined, label: `${context.label}, ${label}`, compact: true, change }) : null;
      box.addEventListener('change', () => {
        const { [field.name]: gone, ...others } = now.fields;
        tell({ ...now, fields: box.checked ? { ...others, [field.name]: full?.fields?.[field.name] ?? start(field) } : others });
        fields.find((other) => other.field === field)?.box.focus();
      });
      const line = h('div', { className: 'field', title: field.docs }, h('label', { className: 'check' }, box, label), made?.element ?? without);
      return { field, box, made, without, line };
    });
    place.replaceChildren(...fields.map(({ line }) => line));
  };
  const show = () => {
    const next = key([now.name, Object.keys(now.fields)]);
    names.value = now.name;
    if (next !== shape) { shape = next; build(); }
    const known = full?.name === now.name ? full.fields : {};
    for (const { field, made, without } of fields) {
      if (made) made.set(now.fields[field.name]);
      else without.textContent = field.name in known ? String(known[field.name]) : '';
    }
  };
  names.addEventListener('change', () => tell({ name: names.value, fields: {} }));
  show();
  const set = (next, more) => { now = next; full = more; show(); };
  return { element, set, focus: () => names.focus() };
}
