// The toolbar of the text.

import { h } from '../dom.js';

function button(words, title, work, ...classes) {
  const one = h('button', { type: 'button', className: ['quiet', ...classes].join(' '), title }, words);
  one.addEventListener('click', work);
  return one;
}

// Builds the toolbar. `act` has the functions of its buttons; `building` marks those that change the text.
export function toolbar(act) {
  const files = h('select', { 'aria-label': 'File' });
  files.addEventListener('change', () => act.file(files.value));
  const said = h('p', { className: 'text-said', role: 'status' });
  const mistakes = button('', 'Go to the next mistake (F8)', act.next, 'text-mistakes');
  const fix = button('Fix', 'Mend the mistakes that have one remedy', act.fix, 'building');
  const anyway = button('Write anyway', 'Write the text as it is, although the graph does not load with it', act.anyway, 'building');
  const full = button('Full height', 'Cover the view and the graph', () => full.setAttribute('aria-pressed', String(document.body.classList.toggle('text-full'))), 'text-wide');
  full.setAttribute('aria-pressed', 'false');
  const element = h('div', { className: 'textbar', role: 'toolbar', 'aria-label': 'Text' },
    files, said, h('span', { className: 'spring' }), mistakes, fix, anyway,
    button('Undo', 'Undo', act.undo, 'building', 'text-phone'),
    button('Write', 'Write to the file', act.write, 'building', 'text-phone'),
    button('Format', 'Format the text (Shift+Alt+F)', act.format, 'building'),
    button('Show node', 'Select the node at the cursor in the graph (Ctrl+Enter)', act.node),
    full, button('Close', 'Close the text (t)', act.close));
  return { element, files, said, mistakes, fix, anyway };
}
