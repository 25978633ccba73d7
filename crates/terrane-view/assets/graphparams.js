// The parameters that the graph declares: each has a control and lists the fields that it sets.

import { button } from './build/nodebar.js';
import { h } from './dom.js';
import { form, row } from './row.js';

export class GraphParams {
  #link;
  #choose;
  #key = '';
  #rows = [];
  #graph = null;
  #builder;

  constructor(link, choose, element, builder) {
    this.#link = link;
    this.#builder = builder;
    this.#choose = choose;
    this.element = element;
  }

  show(graph) {
    this.#graph = graph;
    const key = JSON.stringify(graph.params.map((param) => [param.name, form(param), param.drives]));
    if (key !== this.#key) {
      this.#key = key;
      this.#rows = graph.params.map((param, index) => this.#row(param, index));
      const head = h('h3', { id: 'graph-params' }, 'Graph parameters');
      this.element.hidden = this.#rows.length === 0;
      this.element.replaceChildren(head, h('div', { className: 'params' }, ...this.#rows.map((one) => one.element)));
    }
    this.#rows.forEach((one, index) => one.update(graph.params[index]));
  }

  update(changes) {
    for (const one of this.#rows) one.mark(changes);
  }

  #row(param, index) {
    const spec = { name: param.name, shape: 'text', docs: '' };
    const made = row(this.#link, spec, param, { id: `graph-param-${index}`, word: { node: null, parameter: param.name }, more: [this.#drives(param)], extras: this.#extras(param) });
    made.element.dataset.name = param.name;
    return made;
  }

  #extras(param) {
    if (!this.#builder.able || param.drives.length) return [];
    return [button('remove', 'Remove the parameter, which sets nothing', () => this.#builder.edit({ edit: 'unparameter', name: param.name }), 'building tiny')];
  }

  #drives(param) {
    if (!param.drives.length) return h('small', { className: 'drives' }, 'not used');
    const links = param.drives.map(([node, field]) => {
      const button = h('button', { type: 'button', className: 'quiet' }, `${node}.${field}`);
      button.addEventListener('click', () => { if (this.#graph.nodes.some((other) => other.name === node)) this.#choose(node, 0); });
      return button;
    });
    return h('div', { className: 'drives', role: 'group', 'aria-label': `Fields that ${param.name} sets` }, h('small', {}, 'sets'), ...links);
  }
}
