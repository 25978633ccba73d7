// The selected node: what it is, what it cost, its outputs, and its parameters to be turned.

import { byId, bytes, h, number, paced, seconds } from './dom.js';
import { control, fixed } from './controls.js';

// The least time between two values of a moving slider.
const PACE = 50;

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

  // The graph and the selection; rebuilt only when the node is another one, so that a slider stays under the hand.
  show(graph, name, output) {
    this.#graph = graph;
    this.#name = name;
    const node = graph.nodes.find((other) => other.name === name);
    if (!node) { byId('inspector').replaceChildren(); this.#key = ''; return; }
    const shapes = node.params.map((param) => param.free).concat(node.inputs.map((input) => [input?.wire, input?.free]));
    const key = JSON.stringify([name, node.type, shapes]);
    if (key !== this.#key) {
      this.#key = key;
      this.#build(graph, node);
    }
    for (const row of this.#rows) row.update(row.of(node));
    this.#ports.forEach((button, index) => button.setAttribute('aria-pressed', String(index === output)));
  }

  // What it cost, and which parameters differ from the file.
  update(now, changes) {
    if (!this.#cost) return;
    const parts = [now.status === 'cached' ? 'reused' : now.status, seconds(now.seconds), bytes(now.bytes), now.coarse ? 'coarse' : ''];
    this.#cost.textContent = parts.filter(Boolean).join(' · ');
    for (const row of this.#rows) {
      const change = changes.find((other) => other.node === this.#name && other.parameter === row.name);
      row.element.classList.toggle('changed', Boolean(change));
      row.reset.hidden = !change;
      row.problem.textContent = change?.problem ?? '';
    }
  }

  // Numbers about the output that is shown.
  facts(about) {
    if (!this.#facts) return;
    const rows = [];
    if (about?.size) rows.push(['size', `${about.size[0]} × ${about.size[1]}`]);
    if (about?.spacing) {
      rows.push(['spacing', number(about.spacing)], ['least', number(about.min)], ['greatest', number(about.max)], ['mean', number(about.mean)], ['deviation', number(about.deviation)]);
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
      .map((spec, index) => (node.inputs[index]?.value !== undefined ? this.#row(spec, (now) => now.inputs[index], node.inputs[index]) : null))
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
      ...(this.#rows.length ? [h('h3', {}, 'Parameters'), h('div', { className: 'params' }, ...this.#rows.map((row) => row.element))] : []),
      ...(wired.length ? [h('h3', {}, 'Inputs'), h('div', { className: 'wires' }, ...wired)] : []),
      h('p', { className: 'place' }, [node.line, type.paper].filter(Boolean).join(' · ')),
    );
  }

  #wire(spec, wire) {
    const giver = wire.includes('.') ? wire.slice(0, wire.lastIndexOf('.')) : wire;
    const button = h('button', { type: 'button', className: `port kind-${spec.kind}`, title: spec.docs }, spec.name, h('small', {}, wire));
    button.addEventListener('click', () => {
      const at = this.#graph.types[this.#graph.nodes.find((node) => node.name === giver)?.type]?.outputs.findIndex((output) => `${giver}.${output.name}` === wire);
      this.#choose(giver, Math.max(0, at ?? 0));
    });
    return button;
  }

  #row(spec, of, value) {
    const id = `param-${spec.name}`;
    const word = (what) => ({ do: what, node: this.#name, parameter: spec.name });
    const send = paced(PACE, (next) => this.#link.say({ ...word('set'), value: next }));
    const made = value.free ? control(spec, String(value.value), id, send) : null;
    const bound = h('small', { className: 'bound' });
    const problem = h('small', { className: 'problem', role: 'alert' });
    const reset = h('button', { type: 'button', className: 'quiet reset', hidden: true, title: 'As in the file' }, 'reset');
    reset.setAttribute('aria-label', `Reset ${spec.name}`);
    reset.addEventListener('click', () => this.#link.say(word('reset')));
    const label = h('label', { for: id, title: spec.docs }, spec.name.replaceAll('_', ' '), spec.unit ? h('small', {}, spec.unit) : null, bound);
    const place = made ? made.element : h('span', { id }, fixed(String(value.value)));
    const element = h('div', { className: `param ${spec.shape}` }, h('div', { className: 'head' }, label, reset), place, problem);
    const update = (now) => {
      if (!now) return;
      const name = /^"\$(.*)"$/.exec(now.written ?? '')?.[1];
      bound.textContent = name ? `$${name}` : '';
      bound.title = name ? 'A parameter of the graph: turning it turns everything that uses it' : '';
      if (made) made.set(String(now.value)); else place.replaceChildren(fixed(String(now.value)));
    };
    return { name: spec.name, of, update, element, reset, problem };
  }
}
