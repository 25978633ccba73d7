// What can be done with the selected node: its name, buttons, and the files that are written from it.

import { h } from '../dom.js';

// The head of the inspector: the name, which can be changed.
export function heading(builder, node) {
  const name = h('h2', {}, node.name);
  if (!builder.able || node.name.includes('/')) return name;
  name.append(' ', button('Rename', 'Rename (F2)', () => rename(builder, node, name), 'building'));
  return name;
}

// Turns the head into a field.
export function rename(builder, node, head = document.querySelector('#inspector h2')) {
  if (!builder.able || !node || node.name.includes('/') || !head) return;
  const field = h('input', { type: 'text', className: 'text', value: node.name, 'aria-label': 'New name', spellcheck: false, autocomplete: 'off' });
  const before = [...head.childNodes];
  let done = false;
  const end = (takes) => {
    if (done) return;
    done = true;
    const to = field.value.trim();
    head.replaceChildren(...before);
    if (takes && to && to !== node.name) builder.edit({ edit: 'rename', node: node.name, to });
  };
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') end(true);
    if (event.key === 'Escape') end(false);
  });
  field.addEventListener('blur', () => end(true));
  head.replaceChildren(field);
  field.focus();
  field.select();
}

// The buttons of a node.
export function actions(builder, node, type, { find, group }) {
  if (!builder.able || node.name.includes('/')) return null;
  const edit = (what) => () => builder.edit({ edit: what, node: node.name });
  return h('div', { className: 'actions building', role: 'group', 'aria-label': 'Node' },
    button('Add after', 'Add a node after this one (/)', () => find()),
    button('Duplicate', 'Duplicate (d)', edit('copy')),
    type.inputs.length ? button('Bypass', 'Connect what reads this node to what it reads (b)', edit('bypass')) : null,
    button('Group', 'Move this node and the marked ones to a new file (g). Mark nodes with Shift and a click', group),
    button('Delete', 'Delete; what reads it reads what it read (Delete)', () => builder.edit({ edit: 'delete', nodes: [node.name] })));
}

// The files that are written from a node's output.
export function files(builder, node, type, output) {
  const at = builder.graph.nodes.indexOf(node);
  const own = builder.graph.outputs.filter((one) => one.node === at);
  const lines = own.map(({ file, output: from }) => {
    const remove = builder.able ? button('×', `Do not write ${file}`, () => builder.edit({ edit: 'unoutput', file }), 'building') : null;
    remove?.setAttribute('aria-label', `Remove ${file}`);
    return h('li', {}, h('span', {}, file, type.outputs.length > 1 ? h('small', {}, ` ${type.outputs[from].name}`) : null), remove);
  });
  if (!builder.able && !lines.length) return [];
  const parts = [h('h3', { title: 'Written by terrane run' }, 'Output files'), h('ul', { className: 'files' }, ...lines)];
  if (builder.able) {
    const kind = type.outputs[output]?.kind;
    const field = h('input', { type: 'text', className: 'text', value: '', placeholder: `${node.name.replaceAll('/', '_')}${EXTENSIONS[kind] ?? '.json'}`, 'aria-label': 'Name of a new file', spellcheck: false, autocomplete: 'off' });
    const add = () => builder.edit({ edit: 'output', file: field.value.trim() || field.placeholder, from: builder.refer(node.name, output) });
    field.addEventListener('keydown', (event) => { if (event.key === 'Enter') add(); });
    parts.push(h('div', { className: 'newfile building' }, field, button('Add', 'Add this output to the files that terrane run writes', add)));
  }
  return parts;
}

const EXTENSIONS = { map: '.png', level: '.tif', picture: '.png', frames: '.gif', animation: '.gif', chart: '.svg', table: '.csv', paths: '.geojson', graph: '.geojson', points: '.geojson', fields: '.geojson' };

export function button(words, title, act, className = '') {
  const made = h('button', { type: 'button', className: `quiet ${className}`, title }, words);
  made.addEventListener('click', () => act());
  return made;
}
