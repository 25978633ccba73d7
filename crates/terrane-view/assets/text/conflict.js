// Says why a text is not what the file has, and offers what can be done.

import { h, plain } from '../dom.js';

export class ConflictBox {
  element = h('div', { className: 'text-conflict', role: 'alert', hidden: true });
  #link;
  #act;
  #key = null;

  constructor(link, act) {
    this.#link = link;
    this.#act = act;
  }

  // Shows that the file is `gone`, that an `edit` no longer fits, or that what was typed was `refused`.
  show({ edit, refused, gone }) {
    const key = JSON.stringify([edit?.number, edit?.problem, refused, gone]);
    if (this.#key === key) return;
    this.#key = key;
    const button = (words, work) => { const one = h('button', { type: 'button' }, words); one.addEventListener('click', work); return one; };
    this.element.hidden = !edit && !refused && !gone;
    if (gone) this.element.replaceChildren(h('span', {}, `${gone} Its text is kept here.`), this.#link.readOnly ? '' : button('Write it again', this.#act.restore));
    else if (edit) {
      const { number, problem } = edit;
      this.element.replaceChildren(h('span', {}, plain(problem)), button('Use the edit\'s text', () => this.#act.use(number)), button('Discard the edit', () => this.#link.say({ do: 'drop', number })));
    } else if (refused) this.element.replaceChildren(h('span', {}, refused), button('Use the other text', this.#act.yield));
  }
}
