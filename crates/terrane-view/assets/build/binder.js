// Parameters of the graph: a field can use one, and a value can become one.

import { byId, h } from '../dom.js';
import { button } from './nodebar.js';

export class Binder {
  #builder;
  #body = h('form', { method: 'dialog' });

  constructor(builder) {
    this.#builder = builder;
    byId('binder').append(this.#body);
    byId('binder').addEventListener('click', (event) => { if (event.target === byId('binder')) byId('binder').close(); });
  }

  // The buttons of a field's row: the default value, in the text or left out, and the parameters of the graph.
  buttons(node, field) {
    if (!this.#builder.able || node.includes('/')) return [];
    const parameter = button('$', 'Use a parameter of the graph', () => this.open(node, field), 'building tiny');
    parameter.setAttribute('aria-label', `Parameter of the graph for ${field}`);
    const clear = button('default', 'Remove the value from the text; the default applies', () => this.#builder.edit({ edit: 'clear', node, field }), 'building tiny clear');
    clear.setAttribute('aria-label', `Default of ${field}`);
    const fix = button('write', 'Write the default into the text', () => this.#builder.write(node, field), 'building tiny fix');
    fix.setAttribute('aria-label', `Write ${field}`);
    return [clear, fix, parameter];
  }

  open(node, field) {
    const params = this.#builder.graph.params;
    const name = h('input', { type: 'text', className: 'text', value: field, 'aria-label': 'Name of a new parameter', spellcheck: false, autocomplete: 'off' });
    const add = button('Add a parameter', 'Move the value to a new parameter of the graph', () => {
      byId('binder').close();
      this.#builder.edit({ edit: 'parameter', name: name.value.trim().replace(/[^\p{L}\p{N}_]+/gu, '_'), node, field });
    });
    const known = params.map((param) => button(`$${param.name} = ${param.text}`, '', () => {
      byId('binder').close();
      this.#builder.edit({ edit: 'bind', node, field, name: param.name });
    }));
    this.#body.onsubmit = (event) => { if (event.submitter?.value !== 'close') { event.preventDefault(); add.click(); } };
    this.#body.replaceChildren(
      h('h2', { id: 'binder-title' }, `${node}.${field}`),
      h('p', {}, 'A parameter of the graph can set several fields at once, and be set on the command line.'),
      ...(known.length ? [h('div', { className: 'known', role: 'group', 'aria-label': 'Parameters of the graph' }, ...known)] : []),
      h('div', { className: 'newfile' }, name, add),
      h('button', { value: 'close', formNoValidate: true }, 'Close'),
    );
    byId('binder').showModal();
    name.focus();
    name.select();
  }
}
