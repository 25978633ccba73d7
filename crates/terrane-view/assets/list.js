// Lists: items can be changed, added and removed.

import { h } from './dom.js';
import { drawn, isCurve, isGradient } from './edit/drawn.js';
import { isNumber, start } from './values.js';

// Above this number of items, sliders are hidden and the list scrolls.
const FEW = 8;

export function list(spec, value, context) {
  let now = [...value];
  let full = context.full;
  let parts = [];
  const items = h('ol', { className: 'items' });
  const add = h('button', { type: 'button', className: 'quiet add', 'aria-label': `${context.label}, add an item` }, 'Add');
  const drawing = (isCurve(spec) && value.length > 1) || isGradient(spec) ? drawn(spec, now, context.label, (next) => { const same = next.length === now.length; now = next; if (same) parts.forEach(({ made }, index) => made.set(next[index])); else build(); context.change(now); }, () => context.sibling?.('kind') === 'Smooth') : null;
  const element = h('div', { className: 'list' }, ...(drawing ? [drawing.element] : []), items, add);
  const part = (index) => {
    const label = `${context.label}, item ${index + 1}`;
    const made = context.make({ unit: spec.unit, place: spec.place, ...spec.item }, now[index], {
      ...context,
      id: undefined,
      label,
      compact: !isNumber(spec.item) || now.length > FEW || context.compact,
      full: full?.[index],
      change: (next) => { now = now.with(index, next); drawing?.set(now); context.change(now); },
    });
    const remove = h('button', { type: 'button', className: 'quiet remove', title: 'Remove', 'aria-label': `${label}, remove` }, '×');
    remove.addEventListener('click', () => {
      now = now.toSpliced(index, 1);
      full = full?.toSpliced(index, 1);
      build();
      drawing?.set(now);
      (parts[Math.min(index, parts.length - 1)]?.remove ?? add).focus();
      context.change(now);
    });
    return { made, remove, line: h('li', {}, made.element, remove) };
  };
  const build = () => {
    parts = now.map((_, index) => part(index));
    items.replaceChildren(...parts.map(({ line }) => line));
    items.hidden = parts.length === 0;
    items.classList.toggle('long', parts.length > FEW);
  };
  add.addEventListener('click', () => {
    // A copy of the last item, since added items are usually similar.
    now = [...now, now.length ? structuredClone(now.at(-1)) : start(spec.item)];
    full = full && [...full, full.at(-1)];
    build();
    drawing?.set(now);
    const { line, made } = parts.at(-1);
    line.scrollIntoView({ block: 'nearest' });
    made.focus();
    context.change(now);
  });
  build();
  const set = (next, more) => {
    const same = next.length === now.length;
    now = [...next];
    drawing?.set(now);
    full = more;
    if (same) parts.forEach(({ made }, index) => made.set(next[index], more?.[index])); else build();
  };
  return { element, set, focus: () => (parts[0]?.made ?? add).focus() };
}
