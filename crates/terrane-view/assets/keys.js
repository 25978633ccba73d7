// The keyboard.

import { byId, h } from './dom.js';

const KEYS = [
  ['← →', 'Go against the wires, and along them'],
  ['↑ ↓', 'Other nodes of the same column'],
  ['2  3', 'Map, terrain'],
  ['f', 'Fit'],
  ['+  −', 'Zoom the map'],
  ['c', 'Compare with the previous version'],
  ['s', 'Save the picture'],
  ['?', 'This help'],
];

// `actions` are functions by name; keys that a control needs itself are left to it.
export function listen(actions) {
  const act = {
    ArrowLeft: () => actions.go('left'), ArrowRight: () => actions.go('right'), ArrowUp: () => actions.go('up'), ArrowDown: () => actions.go('down'),
    2: () => actions.mode('2d'), 3: () => actions.mode('3d'), f: actions.fit, s: actions.shot, c: actions.compare,
    '+': () => actions.zoom(1.3), '=': () => actions.zoom(1.3), '-': () => actions.zoom(1 / 1.3), '?': help,
  };
  addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input:not([type=checkbox]), select, textarea, [role=separator]');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
    const action = act[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  byId('help').addEventListener('click', help);
  byId('keys').append(
    h('h2', { id: 'keys-title' }, 'Keyboard'),
    h('dl', {}, ...KEYS.flatMap(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
    h('p', {}, 'Turn a parameter to try a value; files stay as they are until you write them. Double-click the map to fit it.'),
    h('form', { method: 'dialog' }, h('button', { className: 'primary' }, 'Close')),
  );
}

function help() {
  byId('keys').showModal();
}
