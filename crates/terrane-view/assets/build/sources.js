// The ports of the selected node: what each reads can be shown and changed.

import { h } from '../dom.js';

// The rows of a node's ports. `choose` shows a node's output, `insert` opens the search for a node before a port.
export function sources(builder, node, type, { choose, insert, jump }) {
  const rows = type.inputs.map((input, index) => ({ input, now: node.inputs[index], row: null }));
  for (const one of rows) one.row = row(builder, node, one.input, one.now, { choose, insert, jump });
  // Numbers may stand for maps at these ports: they are parameters, unless they are connected.
  const rare = rows.filter(({ input, now }) => input.scalar && !now?.wire && !node.open.includes(input.name));
  const shown = rows.filter((one) => !rare.includes(one));
  const more = rare.length ? h('details', { className: 'more building' }, h('summary', {}, `${rare.length} more ${rare.length === 1 ? 'port that takes a map' : 'ports that take a map'}`), ...rare.map((one) => one.row)) : null;
  return rows.length ? [h('h3', {}, 'Inputs'), h('div', { className: 'wires' }, ...shown.map((one) => one.row), more)] : [];
}

// A number instead of a map. No node has this name.
const ZERO = '=0';

function row(builder, node, input, now, { choose, insert, jump }) {
  const wire = now?.wire ?? '';
  const id = `port-${input.name}`;
  const missing = node.open.includes(input.name);
  const element = h('div', { className: `source kind-${input.kind}${missing ? ' missing' : ''}` });
  const go = h('button', { type: 'button', className: `port kind-${input.kind}`, title: input.docs }, input.name.replaceAll('_', ' '), h('small', {}, wire || (missing ? 'not connected' : input.kind)));
  if (wire) go.addEventListener('click', () => choose(wire)); else go.disabled = true;
  const text = wire && node.file ? h('button', { type: 'button', className: 'quiet text-jump', title: 'Show this wire in the text', 'aria-label': `Show the wire of ${input.name} in the text` }, 'text') : null;
  text?.addEventListener('click', () => jump({ file: node.file, node: node.name, field: input.name }));
  element.append(...[go, text].filter(Boolean));
  if (!builder.able || node.name.includes('/')) return element;
  const nothing = input.scalar && !missing ? 'a number' : 'nothing';
  const options = builder.sources(node.name, input);
  if (wire && !options.some(([reference]) => reference === wire)) options.unshift([wire, input.kind]);
  const select = h('select', { id, 'aria-label': `Source of ${input.name}` }, h('option', { value: '' }, nothing), ...(missing && input.scalar ? [h('option', { value: ZERO }, 'the number 0')] : []), ...options.map(([reference]) => h('option', { value: reference }, reference)));
  select.value = wire;
  select.addEventListener('change', () => {
    if (select.value === ZERO) builder.set(node.name, input.name, 0);
    else if (select.value) builder.edit({ edit: 'connect', node: node.name, port: input.name, from: select.value });
    else if (wire) builder.edit({ edit: 'clear', node: node.name, field: input.name });
  });
  const add = h('button', { type: 'button', className: 'quiet', title: 'Insert a node before this port', 'aria-label': `Insert a node before ${input.name}` }, '+');
  add.addEventListener('click', () => insert(node.name, input.name));
  element.append(h('div', { className: 'change building' }, select, add));
  return element;
}
