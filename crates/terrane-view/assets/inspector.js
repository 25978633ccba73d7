// The selected node: its type, its cost, its outputs and its parameters.

import { byId, bytes, h, number, seconds } from './dom.js';
import { form, row } from './row.js';

export class Inspector {
  #link;
  #choose;
  #key = '';
  #rows = [];
  #cost = null;
  #facts = null;
  #ports = [];
  #graph = null;
  #name = null;

  constructor(link, choose) {
    this.#link = link;
    this.#choose = choose;
  }

  // Shows the graph's selected node. The elements are rebuilt only for another node, so that a slider can still be dragged.
  show(graph, name, output) {
    this.#graph = graph;
    this.#name = name;
    const node = graph.nodes.find((other) => other.name === name);
    if (!node) { byId('inspector').replaceChildren(); this.#key = ''; this.#rows = []; this.#ports = []; this.#cost = null; this.#facts = null; return; }
    const shapes = [...node.params, ...node.inputs].map(form);
    const key = JSON.stringify([name, node.type, shapes]);
    if (key !== this.#key) {
      this.#key = key;
      this.#build(graph, node);
    }
    for (const one of this.#rows) one.update(one.of(node));
    this.#ports.forEach((button, index) => button.setAttribute('aria-pressed', String(index === output)));
  }

  // Shows the cost of the node, and which parameters differ from the file.
  update(now, changes) {
    if (!this.#cost) return;
    const parts = [{ cached: 'reused', unseen: 'its picture is rendered in the map view' }[now.status] ?? now.status, seconds(now.seconds), bytes(now.bytes), now.coarse ? 'coarse' : ''];
    this.#cost.textContent = parts.filter(Boolean).join(' · ');
    for (const one of this.#rows) one.mark(changes);
  }

  // Shows facts about the shown output.
  facts(about) {
    if (!this.#facts) return;
    const rows = [];
    if (about?.size) rows.push(['size', `${about.size[0]} × ${about.size[1]}`]);
    if (about?.spacing) {
      rows.push(['spacing', number(about.spacing)], ['minimum', number(about.min)], ['maximum', number(about.max)], ['mean', number(about.mean)], ['deviation', number(about.deviation)]);
      if (about.holes) rows.push(['holes', String(about.holes)]);
    }
    this.#facts.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
  }

  #build(graph, node) {
    const type = graph.types[node.type];
    this.#cost = h('p', { className: 'cost' });
    this.#facts = h('dl', { className: 'facts' });
    this.#ports = type.outputs.map((output, index) => {
      const button = h('button', { type: 'button', className: `port kind-${output.kind}`, title: output.docs }, output.name, h('small', {}, output.kind));
      button.addEventListener('click', () => this.#choose(node.name, index));
      return button;
    });
    const params = type.params.map((spec, index) => this.#row(spec, (now) => now.params[index], node.params[index]));
    const constants = type.inputs
      .map((spec, index) => (node.inputs[index]?.text !== undefined ? this.#row(spec, (now) => now.inputs[index], node.inputs[index]) : null))
      .filter(Boolean);
    const wired = type.inputs
      .map((spec, index) => ({ spec, wire: node.inputs[index]?.wire }))
      .filter(({ wire }) => wire)
      .map(({ spec, wire }) => this.#wire(spec, wire));
    this.#rows = [...params, ...constants];
    byId('inspector').replaceChildren(
      h('h2', {}, node.name),
      h('p', { className: 'summary' }, h('b', {}, node.type), ` ${type.summary}`),
      this.#cost,
      h('h3', {}, type.outputs.length > 1 ? 'Outputs' : 'Output'),
      h('div', { className: 'ports', role: 'group', 'aria-label': 'Outputs' }, ...this.#ports),
      this.#facts,
      ...(this.#rows.length ? [h('h3', {}, 'Parameters'), h('div', { className: 'params' }, ...this.#rows.map((one) => one.element))] : []),
      ...(wired.length ? [h('h3', {}, 'Inputs'), h('div', { className: 'wires' }, ...wired)] : []),
      h('p', { className: 'place' }, [node.line, type.paper].filter(Boolean).join(' · ')),
    );
  }

  #wire(spec, wire) {
    const source = wire.includes('.') ? wire.slice(0, wire.lastIndexOf('.')) : wire;
    const button = h('button', { type: 'button', className: `port kind-${spec.kind}`, title: spec.docs }, spec.name, h('small', {}, wire));
    button.addEventListener('click', () => {
      const at = this.#graph.types[this.#graph.nodes.find((node) => node.name === source)?.type]?.outputs.findIndex((output) => `${source}.${output.name}` === wire);
      this.#choose(source, Math.max(0, at ?? 0));
    });
    return button;
  }

  #row(spec, of, now) {
    const made = row(this.#link, spec, now, { id: `param-${spec.name}`, word: { node: this.#name, parameter: spec.name } });
    return { ...made, of };
  }
}
