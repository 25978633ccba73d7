// The list of unwritten changes. It includes changes of removed nodes, which would otherwise prevent writing the others.

import { DifferenceView } from './build/difference.js';
import { h } from './dom.js';

// Maximum number of characters shown of a value.
const LONGEST = 60;

export class Unwritten {
  #link;
  #key = '[[],[]]';
  #difference = new DifferenceView();

  constructor(link, element) {
    this.#link = link;
    this.element = element;
  }

  show(changes, steps) {
    const key = JSON.stringify([changes.map((change) => [change.home, change.value, change.problem]), steps.map((step) => [step.number, step.problem])]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = changes.length + steps.length === 0;
    const lines = [...steps.map((step) => this.#step(step)), ...changes.map((change) => this.#line(change))];
    this.#difference.show(key);
    // Keeps the focus on the same button, or moves it to the line that took its position.
    const focused = [...this.element.querySelectorAll('button')].indexOf(document.activeElement);
    this.element.replaceChildren(h('h3', { id: 'unwritten-changes' }, 'Unwritten changes'), h('ul', {}, ...lines), this.#difference.element);
    if (focused >= 0) this.element.querySelectorAll('button')[Math.min(focused, lines.length - 1)]?.focus();
  }

  #step({ number, said, problem }) {
    const drop = h('button', { type: 'button', className: 'quiet reset', 'aria-label': `Discard: ${said.replaceAll('`', '')}` }, 'discard');
    drop.addEventListener('click', () => this.#link.say({ do: 'drop', number }));
    return h('li', {}, h('span', {}, said.replaceAll('`', ''), problem ? h('small', { className: 'problem', role: 'alert' }, problem) : null), drop);
  }

  #line({ home, value, problem }) {
    const reset = h('button', { type: 'button', className: 'quiet reset', 'aria-label': `Reset ${home}` }, 'reset');
    reset.addEventListener('click', () => this.#link.say({ do: 'reset', home }));
    const short = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    return h('li', {}, h('span', {}, home, ' ', h('code', {}, short), problem ? h('small', { className: 'problem', role: 'alert' }, problem) : null), reset);
  }
}
