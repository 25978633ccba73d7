// Keyboard shortcuts.

import { byId, h } from './dom.js';

const KEYS = [
  ['← →', 'Select an upstream or a downstream node'],
  ['↑ ↓', 'Select another node of the same column'],
  ['2  3  4', 'Map, terrain, scene'],
  ['f', 'Fit the map to the window; the node\'s own camera in a scene'],
  ['+  −', 'Zoom'],
  ['c', 'Compare with the version before the last change'],
  ['s', 'Save the picture'],
  ['Ctrl+F', 'Find a node by its name'],
  ['v', 'Fill the window with the view, and back'],
  ['/', 'Add a node after the selected one'],
  ['d  b  Delete', 'Duplicate, bypass or delete the selected node'],
  ['F2', 'Rename it'],
  ['t  o', 'Show or hide the text; show the selected node in it'],
  ['Ctrl+click', 'On a wire: show it in the text'],
  ['g', 'Group the nodes that are marked with Shift and a click'],
  ['Ctrl+Z  Ctrl+Y', 'Undo, redo'],
  ['Ctrl+S', 'Write to the file'],
  ['F8', 'In the text: the next mistake'],
  ['?', 'This help'],
];

// `actions` maps names to functions. Key presses in controls that use the keyboard are ignored.
export function listen(actions) {
  const act = {
    ArrowLeft: () => actions.move('left'), ArrowRight: () => actions.move('right'), ArrowUp: () => actions.move('up'), ArrowDown: () => actions.move('down'),
    2: () => actions.mode('2d'), 3: () => actions.mode('3d'), 4: () => actions.mode('scene'), f: actions.fit, s: actions.shot, c: actions.compare,
    '+': () => actions.zoom(1.3), '=': () => actions.zoom(1.3), '-': () => actions.zoom(1 / 1.3), '?': help,
    '/': actions.add, v: actions.full, d: actions.copy, b: actions.bypass, Delete: actions.remove, Backspace: actions.remove, F2: actions.rename, g: actions.group, t: actions.text, o: actions.source,
  };
  addEventListener('keydown', (event) => {
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (control && event.key.toLowerCase() === 's' && !document.querySelector('dialog[open]')) { event.preventDefault(); actions.write(); return; }
    const typing = event.target.closest?.('input:not([type=checkbox]), select, textarea, [role=separator], .text-host');
    if (typing || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === 'f') { event.preventDefault(); actions.find(); return; }
      const again = event.key.toLowerCase() === 'y' || (event.shiftKey && event.key.toLowerCase() === 'z');
      if (!again && event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      (again ? actions.redo : actions.undo)();
      return;
    }
    const action = act[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  byId('help').addEventListener('click', help);
  byId('keys').append(
    h('h2', { id: 'keys-title' }, 'Keyboard'),
    h('dl', {}, ...KEYS.flatMap(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
    h('p', {}, 'Adjust a parameter to preview its effect. Files change only when you write them. Double-click the map to fit it to the window.'),
    h('form', { method: 'dialog' }, h('button', { className: 'primary' }, 'Close')),
  );
}

function help() {
  byId('keys').showModal();
}
