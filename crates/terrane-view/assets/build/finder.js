// The search over all node types. The chosen type becomes a new node.

import { backdrop, heights, unread } from '../backdrop.js';
import { control } from '../controls.js';
import { byId, h } from '../dom.js';
import { fetchJson } from '../link.js';
import { start } from '../values.js';
import { takes } from './builder.js';

export class Finder {
  #builder;
  #types = null;
  #place = {};
  #found = [];
  #active = 0;
  #field = h('input', { type: 'text', id: 'finder-words', role: 'combobox', 'aria-controls': 'finder-list', 'aria-expanded': 'true', 'aria-autocomplete': 'list', 'aria-label': 'Search node types', placeholder: 'Search node types: noise, slope, river, blur …', autocomplete: 'off', spellcheck: false });
  #list = h('ul', { id: 'finder-list', role: 'listbox', 'aria-label': 'Node types' });
  #where = h('p', { className: 'where' });
  #needs = h('form', { className: 'needs', hidden: true });

  #range;

  // `range` tells the minimum and the maximum of an output with heights.
  constructor(builder, range) {
    this.#builder = builder;
    this.#range = range;
    byId('finder').append(this.#field, this.#where, this.#list, this.#needs);
    this.#field.addEventListener('input', () => { this.#active = 0; this.#show(); });
    this.#field.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (step) { event.preventDefault(); this.#move(step); }
      if (event.key === 'Enter') { event.preventDefault(); this.#choose(this.#found[this.#active]); }
    });
    byId('finder').addEventListener('click', (event) => { if (event.target === byId('finder')) byId('finder').close(); });
  }

  // Opens the search. `from` is the [node, output] that the new node reads; `into` the [node, port] before which it is inserted.
  async open({ from = null, into = null } = {}) {
    if (!this.#builder.able) return;
    this.#place = { from, into };
    this.#needs.hidden = true;
    this.#list.hidden = false;
    this.#field.value = '';
    this.#active = 0;
    const where = into ? `before ${into[0]}.${into[1]}` : from ? `after ${this.#builder.refer(...from)}` : '';
    this.#where.textContent = where ? `The new node is connected ${where}.` : 'The new node is not connected.';
    byId('finder').showModal();
    this.#field.focus();
    this.#types ??= await fetchJson('catalogue');
    this.#show();
  }

  #show() {
    if (!this.#types) return;
    const words = this.#field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const exact = words.join('');
    // A type that is named comes first, whether it fits or not. If no type has all words, those that have the most are shown.
    const scored = this.#types.map((type) => ({ type, ...score(type, words), named: type.name.toLowerCase() === exact, misfit: !this.#fits(type) }));
    const least = Math.min(...scored.map(({ missed }) => missed));
    this.#found = scored.filter(({ missed }) => missed === least && (missed < words.length || !words.length))
      .sort((a, b) => b.named - a.named || a.misfit - b.misfit || a.points - b.points).map(({ type }) => type);
    this.#active = Math.max(0, Math.min(this.#active, this.#found.length - 1));
    this.#list.replaceChildren(...this.#found.map((type, index) => this.#line(type, index)));
    if (!this.#found.length) this.#list.replaceChildren(h('li', { className: 'none' }, 'No node type has these words'));
    this.#mark();
  }

  // Whether a node of the type can be connected where it is added.
  #fits(type) {
    const { from, into } = this.#place;
    const graph = this.#builder.graph;
    const reads = (kind) => type.inputs.some((input) => takes(input, kind));
    if (into) {
      const input = this.#builder.type(into[0]).inputs.find((one) => one.name === into[1]);
      return Boolean(type.outputs[0]) && takes(input, type.outputs[0].kind) && (!from || reads(graph.types[this.#builder.node(from[0]).type].outputs[from[1]].kind));
    }
    return from ? Boolean(this.#read(type)) : type.inputs.every((input) => !input.needed);
  }

  // The [node, output] that a new node of the type reads: the chosen output or, if no port takes it, another one of its node.
  #read(type) {
    const [name, chosen] = this.#place.from ?? [];
    const outputs = this.#builder.type(name)?.outputs ?? [];
    const taken = (output) => output && type.inputs.some((input) => takes(input, output.kind));
    const found = taken(outputs[chosen]) ? chosen : outputs.findIndex(taken);
    return found < 0 ? null : [name, found];
  }

  #line(type, index) {
    const line = h('li', { role: 'option', id: `finder-${index}`, 'aria-selected': 'false', className: this.#fits(type) ? '' : 'misfit' },
      h('b', {}, type.name), h('small', { className: 'category' }, type.category), h('span', {}, type.summary));
    line.addEventListener('click', () => this.#choose(type));
    line.addEventListener('pointermove', () => { if (this.#active !== index) { this.#active = index; this.#mark(false); } });
    return line;
  }

  #move(step) {
    this.#active = Math.max(0, Math.min(this.#found.length - 1, this.#active + step));
    this.#mark();
  }

  #mark(scrolls = true) {
    for (const [index, line] of [...this.#list.children].entries()) line.setAttribute('aria-selected', String(index === this.#active));
    this.#field.setAttribute('aria-activedescendant', this.#found.length ? `finder-${this.#active}` : '');
    if (scrolls) this.#list.children[this.#active]?.scrollIntoView({ block: 'nearest' });
  }

  #choose(type) {
    if (!type) return;
    const needed = type.params.filter((param) => param.default === null);
    if (needed.length) this.#ask(type, needed); else this.#add(type, {});
  }

  // Asks for the parameters without a default.
  #ask(type, needed) {
    const values = Object.fromEntries(needed.map((param) => [param.name, start(param)]));
    const lines = needed.map((param) => {
      const spec = param.shape === 'file' ? { ...param, shape: 'text' } : param;
      const made = control(spec, values[param.name], { id: `need-${param.name}`, label: param.name, change: (value) => { values[param.name] = value; } });
      return { made, line: h('div', { className: 'param' }, h('label', { for: `need-${param.name}` }, param.name, ' ', h('small', {}, param.docs.split('\n\n')[0])), made.element) };
    });
    const add = h('button', { className: 'primary' }, `Add ${type.name}`);
    this.#needs.replaceChildren(...lines.map(({ line }) => line), add);
    this.#needs.onsubmit = (event) => { event.preventDefault(); this.#add(type, values); };
    this.#needs.hidden = false;
    this.#list.hidden = true;
    lines[0].made.focus();
  }

  // The ground for ports with heights that must be connected: what the node before reads, or where it is used, or the last one.
  #ground(type) {
    const { from } = this.#place;
    const graph = this.#builder.graph;
    if (!from || type.inputs.filter((input) => input.needed).length < 2) return null;
    const read = heights(graph, from[0]);
    let found = read ? [graph.nodes[read[0]].name, read[1]] : backdrop(graph, { node: from[0], output: from[1] }, true);
    // The same ground twice is rarely meant: rather one that nothing reads yet.
    if (found?.[0] === from[0]) found = unread(graph, from[0]);
    return found ? this.#builder.refer(...found) : null;
  }

  async #add(type, values) {
    const { from, into } = this.#place;
    byId('finder').close();
    const range = from && await this.#range(from);
    const read = into ? null : this.#read(type) ?? from;
    this.#builder.edit({ edit: 'add', type: type.name, values, from: read && this.#builder.refer(...read), into, heights: range, ground: this.#ground(type) });
  }
}

// How well a type matches words: how many words it does not have, and points, the fewer the better.
function score(type, words) {
  const name = type.name.toLowerCase();
  const parts = type.name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const synonyms = ` ${type.words}`;
  const rest = [type.category, type.summary, ...type.params.map((param) => param.name), ...type.inputs.map((input) => input.name), ...type.outputs.map((output) => `${output.name} ${output.kind}`)].join(' ').toLowerCase();
  const choices = type.params.flatMap((param) => (param.choices ?? param.item?.choices ?? []).map((choice) => choice.name)).join(' ');
  const all = `${choices} ${type.docs}`.toLowerCase();
  const points = words.map((word) => {
    if (name === word) return 0;
    if (type.category === word) return 0.5;
    if (name.startsWith(word)) return 1;
    if (parts.includes(` ${word}`)) return 2;
    if (synonyms.includes(` ${word}`)) return 3;
    if (name.includes(word)) return 4;
    if (type.summary.toLowerCase().includes(word)) return 10;
    if (rest.includes(word)) return 30;
    return all.includes(word) ? 60 : null;
  });
  return { missed: points.filter((one) => one === null).length, points: points.reduce((sum, one) => sum + (one ?? 0), 0) };
}
