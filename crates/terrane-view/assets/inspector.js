// The selected node: its type, its cost, its outputs and its parameters.

import { actions, files, heading } from './build/nodebar.js';
import { sources } from './build/sources.js';
import { byId, bytes, h, number, plain, seconds } from './dom.js';
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
  #shown = null;
  #building;
  #output = 0;
  #ranges = null;
  #written = '';
  #files = h('div', { className: 'written' });

  // `building` has the builder, the binder, and functions that open the search and group nodes.
  constructor(link, choose, building) {
    this.#link = link;
    this.#choose = choose;
    this.#building = building;
  }

  // Shows the graph's selected node. The elements are rebuilt only for another node, so that a slider can still be dragged.
  show(graph, name, output) {
    this.#graph = graph;
    this.#name = name;
    const node = graph.nodes.find((other) => other.name === name);
    if (!node) { byId('inspector').replaceChildren(); this.#key = ''; this.#rows = []; this.#ports = []; this.#cost = null; this.#facts = null; return; }
    const shapes = [...node.params, ...node.inputs].map(form);
    // What a port can read depends on all nodes.
    const key = JSON.stringify([name, node.type, shapes, node.open, this.#building.builder.able, graph.nodes.map((other) => [other.name, other.type]), graph.wires]);
    if (key !== this.#key) {
      this.#key = key;
      this.#build(graph, node);
      // Another node begins at its name.
      if (name !== this.#shown) byId('side').scrollTop = 0;
      this.#shown = name;
    }
    for (const one of this.#rows) one.update(one.of(node));
    this.#showFiles(node, output);
    this.#ports.forEach((button, index) => button.setAttribute('aria-pressed', String(index === output)));
  }

  // Shows the cost of the node, and which parameters differ from the file.
  update(now, changes) {
    if (!this.#cost) return;
    const node = this.#graph?.nodes.find((other) => other.name === this.#name);
    if (node?.waits) { this.#cost.textContent = node.open.length ? `needs ${node.open.join(' and ')}` : 'waits for a node that is not connected'; for (const one of this.#rows) one.mark(changes); return; }
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
    const { builder, find, group } = this.#building;
    const type = graph.types[node.type];
    this.#cost = h('p', { className: 'cost' });
    this.#facts = h('dl', { className: 'facts' });
    this.#ports = type.outputs.map((output, index) => {
      const button = h('button', { type: 'button', className: `port kind-${output.kind}`, title: output.docs }, output.name, h('small', {}, output.kind));
      button.addEventListener('click', () => this.#choose(node.name, index));
      return button;
    });
    this.#ranges = new Ranges();
    const params = type.params.map((spec, index) => this.#row(spec, (now) => now.params[index], node.params[index]));
    const constants = type.inputs
      .map((spec, index) => (node.inputs[index]?.text !== undefined ? this.#row(spec, (now) => now.inputs[index], node.inputs[index]) : null))
      .filter(Boolean);
    this.#rows = [...params, ...constants];
    const [main, rest] = byImportance(this.#rows, type.main);
    byId('inspector').replaceChildren(
      heading(builder, node),
      h('p', { className: 'summary' }, h('b', {}, node.type), ` ${plain(type.summary)}`),
      this.#cost,
      actions(builder, node, type, { find: () => find({ from: [node.name, this.#output] }), group }) ?? '',
      h('h3', {}, type.outputs.length > 1 ? 'Outputs' : 'Output'),
      h('div', { className: `ports${type.outputs.length > 3 ? ' many' : ''}`, role: 'group', 'aria-label': 'Outputs' }, ...this.#ports),
      this.#facts,
      ...(this.#rows.length ? [h('h3', {}, 'Parameters'), this.#presets(builder, node, type), h('div', { className: 'params' }, ...main.map((one) => one.element))] : []),
      ...(rest.length ? [folded(rest)] : []),
      ...sources(builder, node, type, { choose: (wire) => this.#go(wire), insert: (name, port) => find({ from: this.#source(wire(node, type, port)), into: [name, port] }), jump: this.#building.jump }),
      this.#files,
      this.#place(node, type),
    );
  }

  // Where the node is in a text, and what its technique follows.
  #place(node, type) {
    const button = (words, title, work) => { const one = h('button', { type: 'button', className: 'quiet', title }, words); one.addEventListener('click', work); return one; };
    const text = node.file ? button('text', `Show ${node.line} (o)`, () => this.#building.jump({ file: node.file, node: node.name })) : null;
    const editor = this.#link.editor && node.line ? button('Show in editor', 'Show the node in the editor', () => this.#link.say({ do: 'source', node: node.name })) : null;
    return h('p', { className: 'place' }, [node.line, type.paper].filter(Boolean).join(' · '), ...[text, editor].filter(Boolean));
  }

  // The [node, output] that a reference names.
  #source(reference) {
    if (!reference) return null;
    const source = reference.includes('.') ? reference.slice(0, reference.lastIndexOf('.')) : reference;
    const at = this.#graph.types[this.#graph.nodes.find((node) => node.name === source)?.type]?.outputs.findIndex((output) => `${source}.${output.name}` === reference);
    return [source, Math.max(0, at ?? 0)];
  }

  // Where the values of the node's map lie, from which the ranges of its sliders follow.
  ranges(about) {
    if (!about?.spacing) return;
    const sides = about.size.map((side) => (side - 1) * about.spacing);
    this.#ranges?.set({ low: about.min, high: about.max, extent: Math.max(...sides), origin: about.origin, sides });
  }

  #presets(builder, node, type) {
    if (!type.presets.length || !builder.able || node.name.includes('/')) return '';
    const select = h('select', { 'aria-label': 'Preset', className: 'preset building' }, h('option', { value: '' }, 'Preset …'), ...type.presets.map((name) => h('option', { value: name }, name.replaceAll('_', ' '))));
    select.addEventListener('change', () => { if (select.value) builder.edit({ edit: 'preset', node: node.name, name: select.value }); select.value = ''; });
    return select;
  }

  #go(reference) {
    this.#choose(...this.#source(reference));
  }

  #showFiles(node, output) {
    this.#output = output;
    const key = JSON.stringify([node.name, output, this.#graph.outputs, this.#building.builder.able]);
    if (key === this.#written) return;
    this.#written = key;
    this.#files.replaceChildren(...files(this.#building.builder, node, this.#graph.types[node.type], output));
  }

  // The value of another parameter of the node.
  #value(name) {
    const node = this.#building.builder.node(this.#name);
    return node?.params[this.#building.builder.type(this.#name).params.findIndex((spec) => spec.name === name)]?.value;
  }

  #row(spec, of, now) {
    const extras = this.#building.binder.buttons(this.#name, spec.name);
    const made = row(this.#link, spec, now, { id: `param-${spec.name}`, word: { node: this.#name, parameter: spec.name }, extras, ranges: this.#ranges, sibling: (name) => this.#value(name), first: spec.place ? () => this.#building.first(this.#name, spec.name, this.#ranges.now) : null });
    return { ...made, of, name: spec.name };
  }
}

// What a port of a node reads.
const wire = (node, type, port) => node.inputs[type.inputs.findIndex((input) => input.name === port)]?.wire;

// The ranges of sliders that follow from a map. Sliders are told when they change.
class Ranges {
  now = null;
  #told = [];

  changed(work) { this.#told.push(work); }

  set(next) {
    if (JSON.stringify(next) === JSON.stringify(this.now)) return;
    this.now = next;
    for (const work of this.#told) work();
  }
}

// The rows that matter most, in their order, and the others.
function byImportance(rows, main) {
  if (!main.length) return [rows, []];
  const of = (name) => rows.find((one) => one.name === name);
  return [main.map(of).filter(Boolean), rows.filter((one) => !main.includes(one.name))];
}

let unfolded = false;

function folded(rows) {
  const details = h('details', { className: 'rest', open: unfolded }, h('summary', {}, `${rows.length} more parameters`), h('div', { className: 'params' }, ...rows.map((one) => one.element)));
  details.addEventListener('toggle', () => { unfolded = details.open; });
  return details;
}
