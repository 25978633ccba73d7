// The graph's own fields: size, spacing, origin and seed.

import { h } from '../dom.js';
import { form, row } from '../row.js';

export class HeaderFields {
  #link;
  #key = '';
  #rows = [];

  constructor(link, element) {
    this.#link = link;
    this.element = element;
  }

  show(graph) {
    const key = JSON.stringify(graph.header.map((field) => [field.spec.name, form(field)]));
    if (key !== this.#key) {
      this.#key = key;
      this.#rows = graph.header.map((field) => row(this.#link, field.spec, field, { id: `header-${field.spec.name}`, word: { header: true, node: null, parameter: field.spec.name } }));
      this.element.hidden = this.#rows.length === 0;
      const open = this.element.querySelector('details')?.open ?? graph.nodes.length === 0;
      const details = h('details', { open }, h('summary', { id: 'graph-header' }, 'Graph: size, spacing, seed'), h('div', { className: 'params' }, ...this.#rows.map((one) => one.element)));
      this.element.replaceChildren(details);
    }
    this.#rows.forEach((one, index) => one.update(graph.header[index]));
  }

  update(changes) {
    for (const one of this.#rows) one.mark(changes);
  }
}
