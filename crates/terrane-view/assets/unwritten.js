// The list of unwritten changes. It includes changes of removed nodes, which would otherwise prevent writing the others.

import { h } from './dom.js';

// Maximum number of characters shown of a value.
const LONGEST = 60;

export class Unwritten {
  #link;
  #key = '[]';

  constructor(link, element) {
    this.#link = link;
    this.element = element;
  }

  show(changes) {
    const key = JSON.stringify(changes.map((change) => [change.home, change.value, change.problem]));
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = changes.length === 0;
    const lines = changes.map((change) => this.#line(change));
    // Keeps the focus on the same button, or moves it to the line that took its position.
    const focused = [...this.element.querySelectorAll('button')].indexOf(document.activeElement);
    this.element.replaceChildren(h('h3', { id: 'unwritten-changes' }, 'Unwritten changes'), h('ul', {}, ...lines));
    if (focused >= 0) this.element.querySelectorAll('button')[Math.min(focused, lines.length - 1)]?.focus();
  }

  #line({ home, value, problem }) {
    const reset = h('button', { type: 'button', className: 'quiet reset', 'aria-label': `Reset ${home}` }, 'reset');
    reset.addEventListener('click', () => this.#link.say({ do: 'reset', home }));
    const short = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    return h('li', {}, h('span', {}, home, ' ', h('code', {}, short), problem ? h('small', { className: 'problem', role: 'alert' }, problem) : null), reset);
  }
}
