// Requests changes of the graph's structure, and names what they make.

export class Builder extends EventTarget {
  #link;
  #tag = null;
  graph = null;

  constructor(link) {
    super();
    this.#link = link;
  }

  // Whether the structure can be changed.
  get able() {
    return Boolean(this.graph) && !this.graph.fixed && !this.#link.readOnly;
  }

  // Requests a change. What it makes is selected when the graph has it.
  edit(what) {
    if (!this.able) return;
    this.#tag = crypto.getRandomValues(new Uint32Array(2)).join('-');
    this.#link.say({ do: 'edit', what, tag: this.#tag });
  }

  // Sets a value of a node.
  set(node, parameter, value) {
    this.#link.say({ do: 'set', node, parameter, value });
  }

  // Writes the default of a field into the text.
  write(name, parameter) {
    const node = this.node(name);
    const value = node.params[this.type(name).params.findIndex((param) => param.name === parameter)]?.value;
    if (value !== undefined) this.#link.say({ do: 'set', node: name, parameter, value, keep: true });
  }

  undo() { this.#turn('undo'); }

  redo() { this.#turn('redo'); }

  #turn(which) {
    this.dispatchEvent(new CustomEvent('turn', { detail: which }));
    this.#link.say({ do: which });
  }

  show(graph) {
    this.graph = graph;
    document.body.classList.toggle('locked', !this.able);
  }

  state({ made }) {
    if (!made || made.tag !== this.#tag || !made.node) return;
    if (!this.graph?.nodes.some((node) => node.name === made.node)) return;
    this.#tag = null;
    this.dispatchEvent(new CustomEvent('made', { detail: made.node }));
  }

  node(name) {
    return this.graph?.nodes.find((node) => node.name === name);
  }

  type(name) {
    return this.graph?.types[this.node(name)?.type];
  }

  // An output as it is written: "node" or "node.output".
  refer(name, output) {
    const spec = this.type(name)?.outputs[output];
    return output && spec ? `${name}.${spec.name}` : name;
  }

  // The outputs that a port of a node takes without a cycle, as [reference, kind].
  sources(name, input) {
    const at = this.graph.nodes.findIndex((node) => node.name === name);
    const after = this.#downstream(at);
    return this.graph.nodes.flatMap((node, index) => (after.has(index) ? [] : this.graph.types[node.type].outputs
      .map((output, position) => [this.refer(node.name, position), output])
      .filter(([, output]) => takes(input, output.kind))
      .map(([reference, output]) => [reference, output.kind])));
  }

  // The ports that take an output without a cycle, as [node, input].
  readers(name, output) {
    const at = this.graph.nodes.findIndex((node) => node.name === name);
    const { kind } = this.type(name).outputs[output];
    const before = this.#upstream(at);
    return this.graph.nodes.flatMap((node, index) => (before.has(index) ? [] : this.graph.types[node.type].inputs
      .map((input, position) => [index, position, input])
      .filter(([, , input]) => takes(input, kind))
      .map(([reader, position]) => [reader, position])));
  }

  #downstream(at) {
    return reach(at, this.graph.wires.map(([source, , target]) => [source, target]));
  }

  #upstream(at) {
    return reach(at, this.graph.wires.map(([source, , target]) => [target, source]));
  }
}

// Whether a port takes values of a kind.
export const takes = (input, kind) => input.kind === kind || input.or === kind;

// The nodes that are reached along edges, with the first one.
function reach(first, edges) {
  const seen = new Set([first]);
  const open = [first];
  while (open.length) {
    const at = open.pop();
    for (const [from, to] of edges) if (from === at && !seen.has(to)) { seen.add(to); open.push(to); }
  }
  return seen;
}
