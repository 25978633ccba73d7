// A dialog that asks for one name.

import { byId, h } from '../dom.js';

// Shows a title and a field. `take` is called with the name.
export function ask(title, words, value, act, take) {
  const field = h('input', { type: 'text', className: 'text', value, 'aria-label': 'Name', spellcheck: false, autocomplete: 'off' });
  const form = h('form', { method: 'dialog' },
    h('h2', { id: 'ask-title' }, title), h('p', {}, words), field,
    h('div', { className: 'choices' }, h('button', { className: 'primary', value: 'take' }, act), h('button', { value: 'close', formNoValidate: true }, 'Cancel')));
  form.addEventListener('submit', (event) => { if (event.submitter?.value !== 'close' && field.value.trim()) take(field.value.trim()); });
  byId('ask').replaceChildren(form);
  byId('ask').showModal();
  field.focus();
  field.select();
}
