// The lines of the files that *Write* changes.

import { h } from '../dom.js';
import { fetchJson } from '../link.js';

export class DifferenceView {
  #key = '';
  element = h('details', { className: 'difference' });
  #body = h('div', {});

  constructor() {
    this.element.append(h('summary', {}, 'Difference to the files'), this.#body);
    this.element.addEventListener('toggle', () => this.#load());
  }

  // Shows the difference of a draft that `key` identifies.
  show(key) {
    if (key === this.#key) return;
    this.#key = key;
    this.#load();
  }

  async #load() {
    if (!this.element.open) return;
    const key = this.#key;
    try {
      const { files, problem } = await fetchJson('difference');
      if (key !== this.#key) return;
      this.#body.replaceChildren(...files.map(file), ...(problem ? [h('p', { className: 'problem' }, problem)] : []));
    } catch {
      this.#body.replaceChildren(h('p', {}, 'The difference cannot be loaded.'));
    }
  }
}

const SIGNS = { '+': 'ins', '-': 'del', ' ': 'span' };

function file({ file: name, is_new: isNew, hunks }) {
  const lines = hunks.flatMap(({ line, lines: all }) => [h('i', {}, `line ${line}\n`), ...all.map(([sign, text]) => h(SIGNS[sign], {}, `${sign} ${text}\n`))]);
  return h('section', {}, h('h4', {}, name, isNew ? h('small', {}, ' new') : null), h('pre', { tabIndex: 0, 'aria-label': `Difference in ${name}` }, ...lines));
}
