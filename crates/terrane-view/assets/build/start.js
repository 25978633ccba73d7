// The start of a graph whose file does not exist: templates with pictures.

import { byId, h } from '../dom.js';

export class StartView {
  #link;
  #templates = [];

  constructor(link) {
    this.#link = link;
  }

  hello({ templates, read_only: readOnly }) {
    this.#templates = readOnly ? [] : templates;
    byId('start').replaceChildren(
      h('h2', {}, 'Start with'),
      h('p', {}, 'The graph\'s file does not exist yet. A template is written to it; nothing else is changed.'),
      h('ul', {}, ...this.#templates.map((template) => this.#card(template))),
    );
  }

  // A text that the page shows is not covered: it can be written again.
  show({ missing }, hasText) {
    byId('start').hidden = !missing || hasText || this.#templates.length === 0;
    document.body.classList.toggle('starting', !byId('start').hidden);
  }

  #card({ name, about, picture }) {
    const button = h('button', { type: 'button' }, picture ? h('img', { src: `template/${name}`, alt: '' }) : h('span', { className: 'blank', 'aria-hidden': 'true' }, '+'), h('b', {}, name), h('small', {}, about));
    button.addEventListener('click', () => this.#link.say({ do: 'start', template: name }));
    return h('li', {}, button);
  }
}
