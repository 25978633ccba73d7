// The ports on the cards of the graph, and wires that are drawn with the pointer.

import { byId, h, svg } from '../dom.js';
import { takes } from './builder.js';

// Where the ports of a card are, from its upper edge.
export const along = (index, count, height) => (height * (index + 1)) / (count + 1);

export class Ports {
  #builder;
  #find;
  #drag = null;
  #line = svg('path', { class: 'wire drawn' });

  // `find` opens the search for a node that reads an output.
  constructor(builder, find) {
    this.#builder = builder;
    this.#find = find;
  }

  // The ports of a node, as elements of its card.
  of(graph, node, height) {
    const type = graph.types[node.type];
    const inputs = type.inputs.map((input, index) => {
      const wired = Boolean(node.inputs[index]?.wire);
      const missing = node.open.includes(input.name);
      const rare = input.scalar && !wired && !missing;
      const port = h('i', { className: `handle in kind-${input.kind}${wired ? ' wired' : ''}${missing ? ' missing' : ''}${rare ? ' rare' : ''}`, title: `${input.name}: ${input.or ? `${input.kind} or ${input.or}` : input.kind}${missing ? ', not connected' : ''}` }, h('span', {}, input.name));
      port.style.top = `${along(index, type.inputs.length, height)}px`;
      Object.assign(port.dataset, { node: node.name, input: index });
      return port;
    });
    const outputs = type.outputs.map((output, index) => {
      const port = h('i', { className: `handle out kind-${output.kind}`, title: `${output.name}: ${output.kind}. Drag to a port, or to free ground for a new node` }, h('span', {}, output.name));
      port.style.top = `${along(index, type.outputs.length, height)}px`;
      Object.assign(port.dataset, { node: node.name, output: index });
      return port;
    });
    return [...inputs, ...outputs];
  }

  // Begins to draw a wire from a port. `where` turns a position of the pointer into one of the plane.
  begin(event, where) {
    const port = event.target.closest('.handle');
    if (!port || !this.#builder.able || port.dataset.node.includes('/')) return false;
    const { node, input, output } = port.dataset;
    let start = output === undefined ? this.#source(node, Number(input)) : { node, output: Number(output) };
    const taken = output === undefined && start ? { node, input: Number(input) } : null;
    if (!start) start = { reader: node, input: Number(input) };
    this.#drag = { start, taken, where, from: where(event), pointer: event.pointerId, moved: false };
    byId('wires').append(this.#line);
    byId('graph').setPointerCapture(event.pointerId);
    byId('plane').classList.add('wiring');
    this.#light();
    return true;
  }

  get drawing() {
    return Boolean(this.#drag);
  }

  move(event) {
    const { from, where } = this.#drag;
    const [x, y] = where(event);
    this.#drag.moved ||= Math.hypot(x - from[0], y - from[1]) > 6;
    const [a, b] = this.#drag.start.reader ? [[x, y], from] : [this.#drag.taken ? this.#end(this.#drag.start) : from, [x, y]];
    const bend = Math.max(34, (b[0] - a[0]) / 2);
    this.#line.setAttribute('d', `M${a[0]} ${a[1]} C${a[0] + bend} ${a[1]} ${b[0] - bend} ${b[1]} ${b[0]} ${b[1]}`);
  }

  end(event) {
    const { start, taken, moved } = this.#drag;
    this.cancel();
    if (!moved) return;
    const at = document.elementFromPoint(event.clientX, event.clientY);
    const port = at?.closest('.handle');
    const card = at?.closest('.card');
    if (start.reader) return this.#read(start, port, card);
    const target = port?.dataset.input !== undefined ? { node: port.dataset.node, input: Number(port.dataset.input) } : card && this.#fitting(start, card.dataset.node);
    const from = this.#builder.refer(start.node, start.output);
    if (taken && target && taken.node === target.node && taken.input === target.input) return;
    const old = taken && [taken.node, this.#name(taken)];
    if (target) this.#builder.edit({ edit: 'connect', node: target.node, port: this.#name(target), from, taken: old });
    else if (taken) this.#builder.edit({ edit: 'clear', node: old[0], field: old[1] });
    else if (!card && !taken && at?.closest('#graph')) this.#find({ from: [start.node, start.output] });
  }

  cancel() {
    this.#drag = null;
    this.#line.remove();
    this.#line.removeAttribute('d');
    byId('plane').classList.remove('wiring');
    for (const port of document.querySelectorAll('.handle.lit')) port.classList.remove('lit');
  }

  // Connects the port from which the wire was drawn to an output.
  #read(start, port, card) {
    const input = this.#builder.type(start.reader).inputs[start.input];
    const name = port?.dataset.node ?? card?.dataset.node;
    if (!name || name === start.reader) return;
    const outputs = this.#builder.type(name).outputs;
    const output = port?.dataset.output !== undefined ? Number(port.dataset.output) : outputs.findIndex((one) => takes(input, one.kind));
    if (output >= 0) this.#builder.edit({ edit: 'connect', node: start.reader, port: input.name, from: this.#builder.refer(name, output) });
  }

  // The port of a node that takes an output: a free one, if there is one.
  #fitting(start, name) {
    const at = this.#builder.graph.nodes.findIndex((node) => node.name === name);
    const fitting = this.#builder.readers(start.node, start.output).filter(([reader]) => reader === at).map(([, input]) => input);
    if (!fitting.length) return null;
    const node = this.#builder.graph.nodes[at];
    const type = this.#builder.graph.types[node.type];
    const free = fitting.find((input) => node.open.includes(type.inputs[input].name)) ?? fitting.find((input) => !node.inputs[input]?.wire && !type.inputs[input].scalar);
    return { node: name, input: free ?? fitting[0] };
  }

  #name({ node, input }) {
    return this.#builder.type(node).inputs[input].name;
  }

  // The output that a port reads.
  #source(name, input) {
    const { graph } = this.#builder;
    const at = graph.nodes.findIndex((node) => node.name === name);
    const wire = graph.wires.find(([, , target, port]) => target === at && port === input);
    return wire ? { node: graph.nodes[wire[0]].name, output: wire[1] } : null;
  }

  #end({ node, output }) {
    const port = document.querySelector(`.handle.out[data-node="${CSS.escape(node)}"][data-output="${output}"]`);
    const { left, top, width, height } = port.getBoundingClientRect();
    return this.#drag.where({ clientX: left + width / 2, clientY: top + height / 2 });
  }

  // Lights up the ports that fit.
  #light() {
    const { start } = this.#drag;
    const port = (kind, node, index) => document.querySelector(`.handle.${kind}[data-node="${CSS.escape(node)}"][data-${kind === 'in' ? 'input' : 'output'}="${index}"]`);
    const { graph } = this.#builder;
    if (start.reader) {
      const input = this.#builder.type(start.reader).inputs[start.input];
      const names = new Set(this.#builder.sources(start.reader, input).map(([reference]) => reference));
      for (const node of graph.nodes) graph.types[node.type].outputs.forEach((_, index) => { if (names.has(this.#builder.refer(node.name, index))) port('out', node.name, index)?.classList.add('lit'); });
      return;
    }
    for (const [reader, input] of this.#builder.readers(start.node, start.output)) port('in', graph.nodes[reader].name, input)?.classList.add('lit');
  }
}
